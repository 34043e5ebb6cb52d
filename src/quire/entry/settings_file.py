"""quire.toml, changed a setting at a time: what else stands there stays as it is, comments too."""

from __future__ import annotations

import difflib
import json
import os
import re
import secrets
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from quire.domain.errors import InvalidInput
from quire.entry.settings import NAME, Settings, checked, read_file


def set_in_file(home: Path, name: str, given: str | None) -> Path:
    """Writes one setting, or takes it out; nothing is written that could not be read again."""
    refuse_unknown_setting(name)
    if name == "home":
        raise InvalidInput("quire.toml is in the home, and cannot say where that is.", hint="Use --home or QUIRE_HOME.")
    value = None if given is None else checked({name: given}, lambda name: "given").model_dump(mode="json")[name]
    path = Path(os.path.realpath(home / NAME))
    others = {one: setting for one, setting in read_file(path).items() if one != name}
    checked(others if value is None else others | {name: value}, lambda name: NAME)
    text = changed(path.read_text(encoding="utf-8") if path.exists() else "", name, value)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        # It may hold keys.
        with open(
            os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8", newline=""
        ) as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
    return path


def refuse_unknown_setting(name: str) -> None:
    if name not in Settings.model_fields:
        near = difflib.get_close_matches(name.replace("-", "_"), Settings.model_fields, 1)
        better = f"Did you mean '{near[0]}'? " if near else ""
        raise InvalidInput(f"There is no setting '{name}'.", hint=f"{better}'quire config show' lists them all.")


def changed(text: str, name: str, value: Any) -> str:
    """The text of a TOML file with one setting changed, or taken out where the value is None."""
    meant = {key: one for key, one in tomllib.loads(text).items() if key != name}
    if value is not None:
        meant[name] = value
    for candidate in _candidates(text, name, value):
        try:
            if tomllib.loads(candidate) == meant:
                return candidate
        except tomllib.TOMLDecodeError:
            continue
    raise InvalidInput(f"{NAME} is written in a way that Quire cannot change.", hint=f"Edit '{name}' there by hand.")


def _candidates(text: str, name: str, value: Any) -> Iterator[str]:
    """Texts that may be what is meant. Which of them is, whoever reads TOML can tell."""
    lines = text.splitlines(keepends=True)
    key = re.compile(rf"(?:{name}|\"{name}\"|'{name}')\s*=")
    for first, line in enumerate(lines):
        if key.match(line.lstrip()):
            written = [] if value is None else [f"{name} = {_toml(value)}{_comment(line)}\n"]
            for last in range(first + 1, len(lines) + 1):
                yield "".join([*lines[:first], *written, *lines[last:]])
    if value is not None:
        line = f"{name} = {_toml(value)}\n"
        yield text + ("" if text.endswith("\n") or not text else "\n") + line
        yield line + text
    else:
        yield text


def _comment(line: str) -> str:
    """The comment at the end of a line that holds a whole setting."""
    for found in re.finditer("#", line):
        try:
            tomllib.loads(line[: found.start()])
        except tomllib.TOMLDecodeError:
            continue
        return f"  {line[found.start() :].rstrip()}"
    return ""


def _toml(value: Any) -> str:
    """A boolean, a number or a text. What JSON writes of these is TOML too."""
    return json.dumps(value, ensure_ascii=False)
