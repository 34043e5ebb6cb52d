"""A notebook's file that came from elsewhere: believed in nothing that was not looked at."""

from __future__ import annotations

import hashlib
import io
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from quire.api.guard import refuse_bad_text
from quire.domain.errors import InvalidInput, TooLarge
from quire.domain.notebook_file.manifest import (
    EDITION,
    INDEX,
    MANIFEST,
    NAMES,
    ORIGINALS,
    Manifest,
    original_file,
    rows_file,
)
from quire.domain.notebook_file.rows import FileRow, SourceRow, TurnRow, VersionRow
from quire.local.transfer.part import Part
from quire.local.transfer.table import PARTS
from quire.ports.zip_check import opened, refused

Model = TypeVar("Model", bound=BaseModel)

MOST_MANIFEST = 256 * 2**20
MOST_LINE = 64 * 2**20
MOST_TEXT = 256 * 2**20
PIECE = 256 * 1024
# So many texts are kept at hand while citations are compared with them.
TEXTS = 8

Noted = Callable[[], None]


class NotebookFile:
    """Opened on a thread, and read on one. `check` looks at everything; until then nothing in it is known to hold.

    `parts` are those that it has to have: all, unless it was made here for a copy.
    """

    def __init__(self, path: Path, parts: Sequence[Part[Any]] = PARTS) -> None:
        self.held = parts
        with ExitStack() as opening:
            self._zip = opening.enter_context(opened(path, lambda name: NAMES.fullmatch(name) is not None))
            self.manifest = self._told()
            opening.pop_all()

    def close(self) -> None:
        self._zip.close()

    def check(self, seen: Seen, noted: Noted) -> None:
        """Refuses the file unless every byte, row and reference of it is as it should be."""
        for entry in self.manifest.files:
            self._compare(entry.path, entry.size, entry.sha256)
            noted()
        wanted = {INDEX}
        in_force: set[tuple[str, int]] = set()
        texts = Texts(self)
        for part in self.held:
            for row in self.rows(part):
                _sound(part, row)
                row.mapped(seen)
                if part.text is not None:
                    wanted.add(part.text[1](row))
                wanted.update(original_file(sha256) for sha256 in row.blobs())
                if isinstance(row, SourceRow) and (row.version or row.state == "ready"):
                    in_force.add((row.id, row.version))
                if isinstance(row, VersionRow):
                    texts.known.add((row.source_id, row.version))
                if isinstance(row, TurnRow):
                    texts.compare(row)
                noted()
            wanted.add(rows_file(part.name))
        if in_force - texts.known:
            raise refused("the text of a source is missing")
        seen.finish()
        if wanted - self._sizes.keys():
            raise refused("an original is missing")
        for path in self._sizes.keys() - wanted:
            if not path.startswith("conversations/"):
                raise refused("it holds a file that nothing in it refers to")
        if self.manifest.notebook_id not in seen.ids.get("notebook", ()):
            raise refused("its list names another notebook")

    def rows(self, part: Part[Any]) -> Iterator[Any]:
        """The rows of a part in their order, with their texts."""
        count = 0
        with self._reading(rows_file(part.name)) as file:
            lines = io.BufferedReader(file, PIECE)
            while line := lines.readline(MOST_LINE + 1):
                if len(line) > MOST_LINE:
                    raise TooLarge("A row of the file is too long.")
                count += 1
                yield self._row(part, line)
        if count != next((one.rows for one in self.manifest.tables if one.name == part.name), -1):
            raise refused("rows are missing")

    def original(self, sha256: str) -> Iterator[bytes]:
        with self._reading(original_file(sha256)) as file:
            while chunk := file.read(PIECE):
                yield chunk

    def originals(self) -> list[str]:
        return [entry.path.removeprefix(ORIGINALS) for entry in self.manifest.files if entry.path.startswith(ORIGINALS)]

    def text(self, path: str) -> str:
        if path not in self._sizes:
            raise refused("a text is missing")
        if self._sizes[path] > MOST_TEXT:
            raise TooLarge("A text of the file is too long.")
        with self._reading(path) as file:
            data: bytes = file.read(MOST_TEXT + 1)
        try:
            text = data.decode()
        except UnicodeDecodeError:
            raise refused("a text is not UTF-8") from None
        _text_that_can_be_kept(text)
        return text

    def _row(self, part: Part[Any], line: bytes) -> FileRow:
        row: FileRow = _valid(part.model, line)
        _text_that_can_be_kept(row.model_dump(mode="json"))
        if part.text is None:
            return row
        attribute, path_of = part.text
        return row.model_copy(update={attribute: self.text(path_of(row))})

    def _told(self) -> Manifest:
        entries = {entry.filename: entry.file_size for entry in self._zip.infolist()}
        if entries.get(MANIFEST, MOST_MANIFEST + 1) > MOST_MANIFEST:
            raise refused("it has no list of what is in it")
        with self._reading(MANIFEST) as file:
            data = file.read(MOST_MANIFEST + 1)
        manifest = _valid(Manifest, data)
        if manifest.version > EDITION:
            raise InvalidInput(
                f"The file is of edition {manifest.version}, and this Quire reads {EDITION}. Nothing was written.",
                hint="Update Quire, and import it again.",
            )
        self._sizes = {entry.path: entry.size for entry in manifest.files}
        told = {**self._sizes, MANIFEST: entries[MANIFEST]}
        if len(told) != len(manifest.files) + 1 or told != entries:
            raise refused("what is in it is not what its list says")
        if [part.name for part in manifest.tables] != [part.name for part in self.held]:
            raise refused("tables are missing, or are not known")
        return manifest

    def _compare(self, path: str, size: int, sha256: str) -> None:
        digest, read = hashlib.sha256(), 0
        with self._reading(path) as file:
            while chunk := file.read(PIECE):
                digest.update(chunk)
                read += len(chunk)
                if read > size:
                    raise refused("a file in it is longer than it says")
        if read != size or digest.hexdigest() != sha256:
            raise refused("a file in it is not what it was")
        if path.startswith(ORIGINALS) and path != original_file(sha256):
            raise refused("an original has another name than its hash")

    @contextmanager
    def _reading(self, path: str) -> Iterator[Any]:
        try:
            with self._zip.open(path) as file:
                yield file
        except KeyError:
            raise refused("a file is missing") from None
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError):
            raise refused("a file in it cannot be unpacked") from None


class Seen:
    """The ids of a file, by kind: none twice, and none that is referred to and not there."""

    def __init__(self) -> None:
        self.ids: dict[str, set[str]] = {}
        self.loose: dict[str, set[str]] = {}

    def own(self, kind: str, id: str) -> str:
        known = self.ids.setdefault(kind, set())
        if id in known:
            raise refused(f"it has a {kind} twice")
        known.add(id)
        return id

    def there(self, kind: str, id: str) -> str:
        if id not in self.ids.get(kind, ()):
            raise refused(f"it refers to a {kind} that is not in it")
        return id

    def perhaps(self, kind: str, id: str) -> str:
        self.loose.setdefault(kind, set()).add(id)
        return id

    def finish(self) -> None:
        if len(self.ids.get("notebook", ())) != 1:
            raise refused("it does not hold one notebook")
        if len({id[:8] for id in self.ids.get("note", ())}) != len(self.ids.get("note", ())):
            raise refused("it has a note twice")


class Texts:
    """The texts that answers cite, of which a few are kept at hand."""

    def __init__(self, file: NotebookFile) -> None:
        self._file = file
        self._kept: dict[tuple[str, int], str] = {}
        self.known: set[tuple[str, int]] = set()

    def compare(self, row: TurnRow) -> None:
        """A citation that was checked once still stands where it says."""
        for citation in row.answer.citations:
            key = (citation.source_id, citation.version)
            start, end = citation.start, citation.end
            if (
                citation.verified
                and key in self.known
                and not (start >= 0 and self._text(key)[start:end] == citation.excerpt)
            ):
                raise refused("an answer cites what does not stand in its source")

    def _text(self, key: tuple[str, int]) -> str:
        if key not in self._kept:
            while len(self._kept) >= TEXTS:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = self._file.text(f"sources/{key[0]}/{key[1]}.md")
        return self._kept[key]


def _sound(part: Part[Any], row: FileRow) -> None:
    try:
        row.check()
        if part.sound is not None:
            part.sound(row)
    except InvalidInput as error:
        raise refused(error.message) from None


def _valid(model: type[Model], data: bytes) -> Model:
    try:
        return model.model_validate_json(data)
    except (ValidationError, RecursionError):
        raise refused("a row of it is not as it should be") from None


def _text_that_can_be_kept(value: Any) -> None:
    try:
        refuse_bad_text("text", value)
    except InvalidInput:
        raise refused("it holds text that cannot be kept") from None
