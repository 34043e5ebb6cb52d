"""A folder of files, found by their names and words. Nothing leads out of it: links are not followed."""

from __future__ import annotations

import asyncio
import heapq
import os
import stat
import time
import weakref
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path

from quire.adapters.book_storage.safe_open import open_beneath
from quire.domain.errors import Conflict, InvalidInput, NotFound, TooLarge, Unsupported
from quire.domain.files import CHUNK, Upload
from quire.domain.hygiene import clean
from quire.ports.finders import Found
from quire.text.words import tokens

FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
FILES, DEPTH, SECONDS = 20_000, 12, 10.0
SAMPLE = 64 * 1024
LARGEST = 2 * 1024**3
LONGEST_PATH = 1_000
# A word of the name tells more than one of the text.
NAMED = 3.0
TEXTS = frozenset(("txt", "md", "markdown", "rst", "org", "csv", "tsv", "html", "htm", "tex", "json", "xml", "srt"))


class DriveFolder:
    name = "drive"

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def find(self, query: str, limit: int, language: str | None) -> list[Found]:
        return await asyncio.to_thread(self._find, query, limit, language)

    async def file(self, path: str) -> Upload:
        """A regular file of the folder, opened; one that is changed while it is read is refused."""
        return await asyncio.to_thread(self._opened, path)

    def _find(self, query: str, limit: int, language: str | None) -> list[Found]:
        wanted = set(tokens(query, language)) or {query.casefold()}
        best: list[tuple[float, str, str]] = []
        for path, name, folder in self._files():
            words = set(tokens(path.replace("/", " ").replace("_", " ").replace("-", " ").replace(".", " "), language))
            score = NAMED * len(wanted & words)
            text = _beginning(folder, name) if name.rpartition(".")[2].lower() in TEXTS else ""
            if text:
                counts = Counter(tokens(text, language))
                score += sum(min(counts[word], 3) for word in wanted) / 3
            if score:
                best.append((score, path, _around(text, wanted, language)))
        chosen = heapq.nsmallest(limit, best, key=lambda one: (-one[0], one[1]))
        return [Found(path.rpartition("/")[2], file=path, snippet=text, finder=self.name) for _, path, text in chosen]

    def _files(self) -> Iterator[tuple[str, str, int]]:
        """Regular files with their folder's descriptor, a bounded number; what is hidden is passed over."""
        root = self._root()
        count, end = 0, time.monotonic() + SECONDS
        try:
            for above, folders, names, here in os.fwalk(".", dir_fd=root, follow_symlinks=False):
                inner = above.removeprefix(".").lstrip("/")
                deep = inner.count("/") + 1 >= DEPTH
                folders[:] = [] if deep else sorted(name for name in folders if not name.startswith("."))
                for name in sorted(names):
                    count += 1
                    if count > FILES or time.monotonic() > end:
                        return
                    if name.startswith(".") or not _is_text(name):
                        continue
                    with suppress(OSError):
                        if stat.S_ISREG(os.stat(name, dir_fd=here, follow_symlinks=False).st_mode):
                            yield (f"{inner}/{name}" if inner else name), name, here
        finally:
            os.close(root)

    def _root(self) -> int:
        try:
            return os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise Unsupported(
                f"The folder of the setting 'drive' cannot be opened: {error.strerror}.",
                hint="quire config set drive FOLDER",
            ) from None

    def _opened(self, path: str) -> Upload:
        names = path.split("/")
        if len(path) > LONGEST_PATH or "\0" in path or not _is_text(path):
            raise NotFound("file", path[:80].encode("utf-8", "replace").decode())
        if any(name in ("", ".", "..") for name in names):
            raise InvalidInput("file: must be a path inside the folder, such as reports/bees.pdf.", field="file")
        root = self._root()
        try:
            descriptor = open_beneath(root, names, FLAGS)
        except OSError:
            raise NotFound("file", path) from None
        finally:
            os.close(root)
        facts = os.fstat(descriptor)
        if not stat.S_ISREG(facts.st_mode) or facts.st_size > LARGEST:
            os.close(descriptor)
            if stat.S_ISREG(facts.st_mode):
                raise TooLarge(f"The file is larger than {LARGEST:,} bytes.", limit=LARGEST)
            raise NotFound("file", path)
        upload = Upload(names[-1], lambda: _chunks(descriptor, facts), facts.st_size)
        weakref.finalize(upload, os.close, descriptor)
        return upload


async def _chunks(descriptor: int, before: os.stat_result) -> AsyncIterator[bytes]:
    at = 0
    while chunk := await asyncio.to_thread(os.pread, descriptor, CHUNK, at):
        at += len(chunk)
        if at > before.st_size:
            break
        yield chunk
    after = os.fstat(descriptor)
    if (after.st_size, after.st_mtime_ns) != (before.st_size, before.st_mtime_ns) or at != before.st_size:
        raise Conflict("The file was changed while it was read.", hint="Try again.")


def _is_text(name: str) -> bool:
    """Whether a name can be told: bytes that are no UTF-8 cannot."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _beginning(folder: int, name: str) -> str:
    try:
        descriptor = os.open(name, FLAGS, dir_fd=folder)
    except OSError:
        return ""
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return ""
        return clean(os.read(descriptor, SAMPLE).decode("utf-8", "replace"))
    except OSError:
        return ""
    finally:
        os.close(descriptor)


def _around(text: str, wanted: set[str], language: str | None) -> str:
    """The lines that have most of the words, as many as a finding shows."""
    lines = [line.strip() for line in text.splitlines() if line.strip()][:400]
    scored = [(len(wanted & set(tokens(line, language))), -number) for number, line in enumerate(lines)]
    best = sorted(-number for _, number in heapq.nlargest(3, scored))
    return " ".join(lines[number] for number in best)[:1_000]
