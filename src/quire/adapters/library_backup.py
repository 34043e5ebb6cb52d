"""A whole library as one file, made while it is used; and a new home out of such a file."""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import secrets
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from quire.adapters.sql.sqlite_backup import needed_files, schema_of, snapshot
from quire.domain.errors import Conflict, InvalidInput, NotFound, Unsupported
from quire.domain.files import CHUNK
from quire.domain.notebook_file.manifest import MANIFEST, Entry
from quire.ports.blobs import Blobs
from quire.ports.zip_check import opened
from quire.ports.zip_stream import LARGE, zip_entry

FORMAT: Literal["quire-library"] = "quire-library"
EDITION = 1
DATABASE = "quire.db"
# Whoever has these can sign as the library does, or pass for its owner.
SECRETS = ("secret", "token", "quire.toml")
PART = r"(?!\.{1,2}(?:/|$))[^/\\\0]{1,255}"
NAMES = re.compile(
    rf"manifest\.json|quire\.db|secret|token|quire\.toml|blobs/[0-9a-f]{{2}}/[0-9a-f]{{64}}|shelf(?:/{PART}){{1,64}}"
)
MOST_MANIFEST = 512 * 2**20
TRIES = 3

Report = Callable[[str, int], None]


class LibraryManifest(BaseModel):
    """What a back-up is: of which schema (0 where the rows are elsewhere), and every file in it."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", hide_input_in_errors=True)

    format: Literal["quire-library"]
    version: int
    schema_number: int
    files: list[Entry]


class BackedUp(BaseModel):
    """What came of it. `rows` tells whether the database is in the file; else PostgreSQL's own pg_dump has it."""

    file: str
    size: int
    originals: int
    book_files: int
    rows: bool
    secrets: bool


class Restored(BaseModel):
    home: str
    files: int
    schema_number: int


class Kept:
    """Where a library is: its home, the database (None where that is elsewhere), files, and the folder of books."""

    def __init__(
        self, home: Path, store: str, blobs: Blobs, shelf: str | None, schema: int, *, without_rows: bool
    ) -> None:
        self.home = home
        self.blobs = blobs
        self.schema = schema
        place = shelf or str(home / "shelf")
        self.shelf = None if "://" in place else Path(place).expanduser()
        self.database: Path | None = Path(store).expanduser() if store else home / DATABASE
        if store == "memory":
            raise Unsupported("A library in memory is gone with its process; there is nothing to back up.")
        if "://" in store:
            self.database = None
            if not without_rows:
                raise Unsupported(
                    "The rows of this library are in PostgreSQL, whose pg_dump backs them up.",
                    hint="--without-rows backs up the files beside them; make the dump first.",
                )


def back_up(kept: Kept, target: Path, *, secrets_too: bool, force: bool, report: Report) -> BackedUp:
    """Writes the whole file or nothing."""
    if target.exists() and not force:
        raise Conflict(f"'{target}' exists already.", hint="--force overwrites it.")
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        with _private(part) as file:
            writing = Writing(file, report)
            with tempfile.TemporaryDirectory(prefix="quire-backup-", dir=target.parent) as folder:
                for left in reversed(range(TRIES)):
                    try:
                        _write(kept, writing, Path(folder) / f"{left}.db", secrets_too=secrets_too)
                        break
                    except NotFound:
                        # A file that the copied rows need was deleted since, with its row: they are copied again.
                        if not left:
                            raise
                        writing.begin_again()
            writing.end(kept.schema if kept.database else 0)
            os.fsync(file.fileno())
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)
    paths = [entry.path for entry in writing.entries]
    return BackedUp(
        file=str(target),
        size=target.stat().st_size,
        originals=sum(path.startswith("blobs/") for path in paths),
        book_files=sum(path.startswith("shelf/") for path in paths),
        rows=kept.database is not None,
        secrets=secrets_too,
    )


def _write(kept: Kept, writing: Writing, copy: Path, *, secrets_too: bool) -> None:
    """Rows first: the files that they need stay for as long as they do, and books keep their history."""
    if kept.database is not None:
        writing.report("copying rows", 0)
        snapshot(kept.database, copy)
        writing.add(DATABASE, copy)
        needed = needed_files(copy)
    else:
        needed = sorted(path.name for path in (kept.home / "blobs").glob("??/*"))
    for sha256 in needed:
        writing.add_original(kept.blobs, sha256)
    for path in sorted(_files(kept.shelf)) if kept.shelf else ():
        name = f"shelf/{path.relative_to(kept.shelf).as_posix()}" if kept.shelf else ""
        if NAMES.fullmatch(name):
            writing.add(name, path, missing=True)
    for name in SECRETS if secrets_too else ():
        writing.add(name, kept.home / name, missing=True)


class Writing:
    """The ZIP as it is written."""

    def __init__(self, file: IO[bytes], report: Report) -> None:
        self.report = report
        self._file = file
        self.begin_again()

    def begin_again(self) -> None:
        self._file.seek(0)
        self._file.truncate()
        self.entries: list[Entry] = []
        self._zip = zipfile.ZipFile(self._file, "w")

    def add(self, name: str, path: Path, *, missing: bool = False) -> None:
        """A file; where it may be missing, one that is gone by now is passed over."""
        if missing and not path.is_file():
            return
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NOFOLLOW)) as source:
            large = os.fstat(source.fileno()).st_size >= LARGE
            self._put(name, iter(lambda: source.read(CHUNK), b""), large=large)

    def add_original(self, blobs: Blobs, sha256: str) -> None:
        """By way of a file, wherever it comes from: an entry's size has to be known before."""
        with tempfile.TemporaryFile() as spool:

            async def fetch() -> None:
                async for chunk in blobs.get(sha256):
                    spool.write(chunk)

            asyncio.run(fetch())
            large = spool.tell() >= LARGE
            spool.seek(0)
            self._put(f"blobs/{sha256[:2]}/{sha256}", iter(lambda: spool.read(CHUNK), b""), large=large)

    def end(self, schema: int) -> None:
        manifest = LibraryManifest(format=FORMAT, version=EDITION, schema_number=schema, files=self.entries)
        self._zip.writestr(zip_entry(MANIFEST, zipfile.ZIP_DEFLATED), manifest.model_dump_json(indent=1))
        self._zip.close()

    def _put(self, name: str, chunks: Iterator[bytes], *, large: bool) -> None:
        digest, size = hashlib.sha256(), 0
        method = zipfile.ZIP_DEFLATED if name == DATABASE else zipfile.ZIP_STORED
        with self._zip.open(zip_entry(name, method), "w", force_zip64=large) as target:
            for chunk in chunks:
                digest.update(chunk)
                size += len(chunk)
                target.write(chunk)
        self.entries.append(Entry(path=name, size=size, sha256=digest.hexdigest()))
        self.report("copying files", len(self.entries))


def restore(file: Path, home: Path, newest: int, report: Report) -> Restored:
    """A new home, whole or not at all: every file is compared with its hash before the folder gets its name."""
    if home.exists() and (not home.is_dir() or any(home.iterdir())):
        raise Conflict(f"'{home}' is not empty.", hint="A library is restored into a new folder; --home names it.")
    if not file.is_file():
        raise InvalidInput(f"There is no file '{file}'.")
    home.parent.mkdir(parents=True, exist_ok=True)
    part = home.with_name(f".{home.name}.{secrets.token_hex(4)}.part")
    with opened(file, lambda name: NAMES.fullmatch(name) is not None) as archive:
        manifest = _manifest(archive, newest)
        try:
            part.mkdir(mode=0o700)
            for number, entry in enumerate(manifest.files, 1):
                _unpacked(archive, entry, part / entry.path)
                report("restoring", number)
            if manifest.schema_number and not 0 < schema_of(part / DATABASE) <= newest:
                raise _damaged()
            if home.exists():
                home.rmdir()
            part.rename(home)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    return Restored(home=str(home), files=len(manifest.files), schema_number=manifest.schema_number)


def _manifest(archive: zipfile.ZipFile, newest: int) -> LibraryManifest:
    try:
        if archive.getinfo(MANIFEST).file_size > MOST_MANIFEST:
            raise _damaged()
        manifest = LibraryManifest.model_validate_json(archive.read(MANIFEST))
    except (KeyError, ValidationError, zipfile.BadZipFile, OSError):
        raise _damaged() from None
    if manifest.version > EDITION or manifest.schema_number > newest:
        raise Unsupported(
            "The back-up was made by a newer Quire than this one.", hint="Update Quire, and restore it again."
        )
    listed = {entry.path: entry.size for entry in manifest.files}
    there = {entry.filename: entry.file_size for entry in archive.infolist() if entry.filename != MANIFEST}
    if listed != there or len(listed) != len(manifest.files):
        raise _damaged()
    if bool(manifest.schema_number) != (DATABASE in listed):
        raise _damaged()
    return manifest


def _unpacked(archive: zipfile.ZipFile, entry: Entry, target: Path) -> None:
    digest, size = hashlib.sha256(), 0
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        with archive.open(entry.path) as source, _private(target) as file:
            while chunk := source.read(CHUNK):
                digest.update(chunk)
                size += len(chunk)
                if size > entry.size:
                    raise _damaged()
                file.write(chunk)
            os.fsync(file.fileno())
    except (zipfile.BadZipFile, EOFError, OSError, RuntimeError):
        raise _damaged() from None
    if digest.hexdigest() != entry.sha256 or size != entry.size:
        raise _damaged()


def _damaged() -> InvalidInput:
    return InvalidInput("The back-up is damaged, or is none of Quire's. Nothing was restored.")


def _private(path: Path) -> IO[bytes]:
    return open(path, "w+b", opener=lambda name, flags: os.open(name, flags | os.O_EXCL, 0o600))


def _files(folder: Path) -> Iterator[Path]:
    """Regular files; links are not followed."""
    for above, _, names in os.walk(folder):
        for name in names:
            path = Path(above, name)
            if path.is_file() and not path.is_symlink():
                yield path
