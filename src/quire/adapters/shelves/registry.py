"""registry.yaml and book.yaml."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Any

from quire.adapters.disk import on_disk
from quire.domain.books import Entry
from quire.domain.errors import Unsupported

KNOWN = "known"


class YamlRegistry:
    """`books` is the list that the contract describes; `known` tells us which books an edit could have removed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._name = str(path)

    def mark(self) -> str:
        try:
            found = os.stat(self._name)
        except (FileNotFoundError, NotADirectoryError):
            return ""
        return f"{found.st_ino}:{found.st_mtime_ns}:{found.st_size}"

    def load(self) -> tuple[list[Any], int]:
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
        known = data.get(KNOWN)
        return books, known if type(known) is int else 0

    def save(self, entries: list[Any], known: int) -> None:
        data = _dump({"books": entries, KNOWN: known})
        with on_disk():
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            part = self._path.with_name(f".{self._path.name}.{secrets.token_hex(8)}")
            descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
            try:
                os.write(descriptor, data)
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
            os.replace(part, self._path)
            folder = os.open(self._path.parent, os.O_RDONLY | os.O_DIRECTORY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)

    def render(self, entry: Entry) -> bytes:
        return _dump(entry.model_dump(mode="json"))


def _dump(data: Any) -> bytes:
    import yaml

    text: str = yaml.safe_dump(data, sort_keys=False, allow_unicode=True)
    return text.encode()
