"""Where a file that was made is put."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from quire.domain.errors import Conflict, InvalidInput
from quire.domain.files import Download

STDOUT = "-"
UNNAMED = "quire-file"


class Target:
    """What `--output` and `--force` said."""

    def __init__(self, output: str | None, force: bool) -> None:
        self.named = output is not None
        self.is_stdout = output == STDOUT
        self._path = Path(output or ".")
        self._force = force

    def check(self) -> None:
        """Refuses before any work is done what could not be saved after it."""
        if self.is_stdout:
            return
        with named(self._path):
            if not self._path.parent.is_dir():
                raise InvalidInput(f"There is no folder '{self._path.parent}'.")
            self._refuse_to_overwrite(self._path)

    async def save(self, file: Download) -> Path | None:
        """Writes the whole file or nothing; returns where it is, if it is a file."""
        if self.is_stdout:
            async for chunk in file.chunks():
                sys.stdout.buffer.write(chunk)
            sys.stdout.buffer.flush()
            return None
        path = self._path / bare_name(file.name) if self._path.is_dir() else self._path
        if path.exists() and not path.is_file():
            return await file.save(path)
        self._refuse_to_overwrite(path)
        part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
        try:
            with named(path):
                await file.save(part)
                if not self._force:
                    path.touch(exist_ok=False)
                os.replace(part, path)
        finally:
            part.unlink(missing_ok=True)
        return path

    def _refuse_to_overwrite(self, path: Path) -> None:
        if path.is_file() and not self._force:
            raise taken(path)


def taken(path: Path) -> Conflict:
    return Conflict(f"'{path}' exists already.", hint="--force overwrites it; -o names another file.")


@contextmanager
def named(path: Path) -> Iterator[None]:
    """Says which file it was that the machine refused."""
    try:
        yield
    except FileExistsError:
        raise taken(path) from None
    except OSError as error:
        raise InvalidInput(f"'{path}' cannot be written: {error.strerror}.") from None


def bare_name(name: str) -> str:
    """A file's name without folders, and without what a file name should not hold."""
    last = name.replace("\\", "/").rpartition("/")[2]
    return "".join(character for character in last if character.isprintable()).lstrip(".") or UNNAMED
