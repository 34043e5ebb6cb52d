"""registry.yaml and book.yaml."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quire.adapters.disk import on_disk
from quire.domain.errors import Unsupported

if TYPE_CHECKING:
    from quire.domain.books import Entry

KNOWN = "known"


class YamlRegistry:
    """`books` is the list that the contract describes; `known` tells us what an edit could have seen."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._name = str(path)

    def mark(self) -> str:
        try:
            found = os.stat(self._name)
        except (FileNotFoundError, NotADirectoryError):
            return ""
        return f"{found.st_ino}:{found.st_mtime_ns}:{found.st_size}"

    def load(self) -> tuple[list[Any], int | None]:
        data = self._read()
        known = data.get(KNOWN)
        return data["books"], known if type(known) is int else None

    def save(self, entries: list[Any], known: int) -> None:
        others = {name: value for name, value in self._read().items() if name != "books"}
        # The list comes last, so that a row can be put below it; an empty one is begun for the same reason.
        data = _dump(others | {KNOWN: known}) + (_dump({"books": entries}) if entries else b"books:\n")
        with on_disk():
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            part = self._path.with_name(f".{self._path.name}.{secrets.token_hex(8)}")
            with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644), "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, self._path)
            folder = os.open(self._path.parent, os.O_RDONLY | os.O_DIRECTORY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)

    def _read(self) -> dict[str, Any]:
        """All that is in the file, with a list of books."""
        import yaml

        try:
            with on_disk():
                text = self._path.read_text(encoding="utf-8") if self._path.exists() else ""
            data = yaml.safe_load(text) or {}
        except (yaml.YAMLError, UnicodeDecodeError) as error:
            raise Unsupported(f"{self._path} is not valid YAML.", hint=str(error)) from None
        books = data.get("books") or [] if isinstance(data, dict) else None
        if not isinstance(books, list):
            raise Unsupported(f"{self._path} must hold a list under the key 'books'.")
        return data | {"books": books}

    def render(self, entry: Entry) -> bytes:
        return _dump(entry.model_dump(mode="json"))


def _dump(data: Any) -> bytes:
    import yaml

    class Indented(yaml.SafeDumper):
        """Lists stand further in than the key they belong to, as the contract writes them."""

        def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
            super().increase_indent(flow, False)

    text: str = yaml.dump(data, Dumper=Indented, sort_keys=False, allow_unicode=True)
    return text.encode()
