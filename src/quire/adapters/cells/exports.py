"""Exported notebooks as files: a folder for each session, and nothing outside it."""

from __future__ import annotations

import builtins
import os
import re
import secrets
import shutil
from collections.abc import Mapping
from pathlib import Path

SESSION = re.compile(r"[A-Za-z0-9_-]{1,80}")
NAME = re.compile(r"(?:cells/)?[A-Za-z0-9_-][A-Za-z0-9_.-]{0,120}")


class ExportFolder:
    """Without a root, files are kept in memory."""

    def __init__(self, root: Path | None) -> None:
        self._root = root
        self._held: dict[str, dict[str, str]] = {}

    def write(self, session_id: str, files: Mapping[str, str]) -> str | None:
        if not SESSION.fullmatch(session_id) or not all(NAME.fullmatch(name) for name in files):
            raise ValueError("not a name of an export")
        if self._root is None:
            self._held.setdefault(session_id, {}).update(files)
            return None
        folder = self._root / session_id
        (folder / "cells").mkdir(parents=True, exist_ok=True, mode=0o700)
        for name, text in files.items():
            draft = folder / f".{secrets.token_hex(8)}"
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(text.encode())
            draft.replace(folder / name)
        wanted = set(files)
        for path in (folder / "cells").iterdir():
            if f"cells/{path.name}" not in wanted:
                path.unlink()
        return str(folder)

    def read(self, session_id: str, path: str) -> str | None:
        if not SESSION.fullmatch(session_id) or not NAME.fullmatch(path):
            return None
        if self._root is None:
            return self._held.get(session_id, {}).get(path)
        try:
            file = os.open(self._root / session_id / path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            with open(file, "rb") as opened:
                return opened.read().decode()
        except (OSError, UnicodeDecodeError):
            return None

    def list(self, session_id: str) -> builtins.list[str]:
        if not SESSION.fullmatch(session_id):
            return []
        if self._root is None:
            return sorted(self._held.get(session_id, {}))
        folder = self._root / session_id
        files = [path for path in folder.rglob("*") if path.is_file() and not path.name.startswith(".")]
        return sorted(path.relative_to(folder).as_posix() for path in files)

    def remove(self, session_id: str) -> None:
        self._held.pop(session_id, None)
        if self._root is not None and SESSION.fullmatch(session_id):
            shutil.rmtree(self._root / session_id, ignore_errors=True)

    def sessions(self) -> builtins.list[str]:
        if self._root is None:
            return list(self._held)
        try:
            return [path.name for path in self._root.iterdir() if path.is_dir()]
        except FileNotFoundError:
            return []
