"""Where the files of books are kept, how they come in, and how their texts are searched."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from quire.domain.books import Entry
    from quire.domain.searching import Need

Result = TypeVar("Result")


@dataclass(frozen=True)
class Seen:
    """A file as a storage holds it; `mark` changes whenever the bytes do.

    Whoever wants to can keep a mark over a change of bytes in place, but not `changed`, which changes with other
    things too. `sha256` is there where the storage put the bytes there itself and nobody has touched them since.
    """

    size: int
    modified: int
    mark: str
    changed: int = 0
    sha256: str | None = None


@dataclass(frozen=True)
class Staged:
    """Bytes that are safe in a storage under a name of their own. `ref` is how they can be found as a version."""

    name: str
    ref: str
    sha256: str
    size: int
    mark: str


class BookStorage(Protocol):
    """Where the files of books lie, by keys such as `books/my-book/lessons/one.md`. Every call but
    `apart` blocks.

    A local storage changes a file inside the transaction that changes its row (`place`, `remove`), so both go
    together, and keeps what it replaces as a version. Any other storage has every version under a name of its
    own, so that the row alone decides what a file is; the file at its key is a copy, brought in step after the
    transaction (`publish`).
    """

    @property
    def name(self) -> str: ...

    @property
    def local(self) -> bool: ...

    async def apart(self, work: Callable[[], Result]) -> Result:
        """The result of some of these calls, made on a thread."""
        ...

    def stage(self, book_id: str, data: bytes) -> Staged: ...

    def stage_file(self, book_id: str, file: Path, sha256: str) -> Staged:
        """The same for a finished file on this machine, which may be moved away."""
        ...

    def stage_found(self, book_id: str, key: str, sha256: str, seen: Seen) -> Staged:
        """The same for bytes that are at their key already."""
        ...

    def discard(self, book_id: str, staged: Staged) -> None:
        """Lets go of what was staged and is not needed."""
        ...

    def look(self, key: str) -> Seen | None: ...

    def read(self, key: str) -> tuple[bytes, Seen] | None: ...

    def peek(self, key: str, seen: Seen) -> bytearray | None:
        """The bytes of a file that is as it was seen, if they are at hand without waiting; this never blocks."""
        ...

    def chunks(self, key: str, start: int = 0, mark: str = "") -> Iterator[bytes]:
        """The bytes from `start` on; with a mark, NotFound where they have another by now."""
        ...

    def source(self, book_id: str, key: str, ref: str) -> str:
        """The key under which the bytes of a file's head can be read for as long as they are that."""
        ...

    def place(self, staged: Staged, key: str, keep: str | None) -> None:
        """Puts staged bytes at their key; what was there is kept as the version `keep`."""
        ...

    def remove(self, key: str, keep: str | None) -> None: ...

    def move(self, key: str, new_key: str) -> None:
        """Moves a file to where none is."""
        ...

    def publish(self, book_id: str, key: str, ref: str | None) -> str:
        """Brings the file at a key in step with its row, and returns its mark."""
        ...

    def version(self, book_id: str, ref: str) -> bytes | None:
        """The bytes of an older version, if they are still kept."""
        ...

    def versions(self, book_id: str, before: int) -> Iterator[str]:
        """The versions that have been kept since before a time."""
        ...

    def forget(self, book_id: str, ref: str) -> None: ...

    def walk(self, prefix: str) -> Iterator[tuple[str, Seen]]:
        """Every file under a prefix by its key, folder by folder; links are passed over."""
        ...

    def marks(self, prefix: str) -> Iterator[tuple[str, str]]:
        """The files under a folder by their paths in it, sorted, with their marks; in a local storage."""
        ...

    def read_all(self, keys: Iterable[str]) -> Iterator[tuple[str, bytes, str]]:
        """Key, bytes and mark of many files, in a local storage; what is not there is passed over."""
        ...

    def path(self, key: str) -> str | None:
        """Where the file lies on this machine, if it does."""
        ...

    def kept(self, name: str) -> str | None:
        """What proves the logs of books is kept beside them: the text of this name, if there is one."""
        ...

    def keep(self, name: str, number: int, text: str) -> None:
        """Keeps a text, which begins with its number, unless one with that or a higher number is there."""
        ...

    def tidy(self, before: int) -> None:
        """Removes what writes that never ended have left, if it is older than `before`."""
        ...

    def check(self) -> str: ...


class UploadSpool(Protocol):
    """Uploads on their way in, by ids of their own. Every call blocks."""

    def open(self, id: str) -> Receiving:
        """One upload for one sender at a time; Conflict where another is sending."""
        ...

    def received(self, id: str) -> int:
        """How many bytes are there."""
        ...

    def tidy(self, before: int) -> None: ...


class Receiving(Protocol):
    """What is there of an upload."""

    size: int

    def write(self, chunk: bytes) -> None: ...

    def cut(self, size: int) -> None:
        """Lets go of what is beyond a size."""
        ...

    def beginning(self, size: int) -> bytes: ...

    def digest(self) -> str:
        """The hash of all that is there, once it is safe on the disk."""
        ...

    @property
    def path(self) -> Path: ...

    def close(self, *, ended: bool) -> None: ...


class LineFinder(Protocol):
    """Lines of a text that a pattern matches."""

    def __call__(self, data: bytes, most: int) -> list[tuple[int, str]]:
        """Numbers and texts of at most so many."""
        ...

    def count(self, data: bytes, most: int) -> int:
        """How many there are, or `most`."""
        ...


class Texts(Protocol):
    """Searches texts. `perhaps` asks an index that may be behind but never wrong; every call blocks."""

    def lines(self, pattern: str) -> LineFinder:
        """InvalidInput for a bad pattern."""
        ...

    def whole(self, pattern: str) -> Callable[[str], bool]:
        """Whether a text is matched from its beginning to its end."""
        ...

    def knows(self, sha256: str) -> bool:
        """Whether a text need not be offered."""
        ...

    def offer(self, sha256: str, data: bytes) -> None:
        """Takes a text into the index soon; returns at once."""
        ...

    def perhaps(self, need: Need) -> Callable[[str], bool]:
        """Tells of a text, by its hash, whether it may hold what is needed."""
        ...

    def tidy(self, used: int) -> None: ...

    def close(self) -> None: ...


class RegistryFile(Protocol):
    """registry.yaml: which books there are, for people to read and edit."""

    def mark(self) -> str:
        """Changes whenever the file does; empty where there is none."""
        ...

    def load(self) -> tuple[list[Any], int | None]:
        """The entries as they stand, and the number of the last change that was known when it was written."""
        ...

    def save(self, entries: list[Any], known: int) -> None: ...

    def render(self, entry: Entry) -> bytes:
        """A book's own file, book.yaml."""
        ...
