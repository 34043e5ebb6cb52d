"""Books in a folder. Every name is opened from its folder's descriptor and never through a link."""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import shutil
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from quire.adapters.book_storage.file_tree import NOT_OURS, mark_of, marks, seen_of, walk
from quire.adapters.book_storage.numbered_file import keep
from quire.adapters.book_storage.open_folders import Folder, Parent, Root, inside, number_of
from quire.adapters.book_storage.safe_open import FOLDER, make_folder, open_beneath
from quire.adapters.disk import on_disk
from quire.adapters.threads import Threads
from quire.domain.books import bad_path, missing
from quire.domain.errors import Conflict
from quire.domain.files import CHUNK
from quire.ports.books import Seen, Staged

Result = TypeVar("Result")

THREADS = 4
ROOT = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
CHANGING = 20
MOST_REMEMBERED = 2_000
# Reads only what is in the page cache; a file system that cannot tell refuses.
NOW = getattr(os, "RWF_NOWAIT", 0)
OWN = ".quire"
STAGING = f"{OWN}/staging"
VERSIONS = f"{OWN}/versions"
AUDIT = f"{OWN}/audit"
NO_NAMES = frozenset({"", ".", ".."})


class FolderStorage:
    """Bytes come to their key by temporary file, fsync, rename and fsync of the folder.

    What a write replaces is first linked under its hash. That link is not synced by itself: file systems with
    a journal bring it to disk with the rename that follows.
    """

    local = True

    def __init__(self, name: str, root: Path) -> None:
        self.name = name
        self._root = root
        self._name = str(root)
        self._opened: Root | None = None
        self._staging: tuple[Root, Root] | None = None
        self._threads = Threads(THREADS, "quire-books")
        self._device = -1
        self._placed: dict[str, Seen] = {}

    async def apart(self, work: Callable[[], Result]) -> Result:
        return await self._threads.run(work)

    def stage(self, book_id: str, data: bytes) -> Staged:
        name = secrets.token_hex(16)
        with on_disk():
            staging = self._staging_now()
            descriptor = os.open(name, NEW, 0o644, dir_fd=staging.descriptor)
            try:
                view = memoryview(data)
                while view:
                    view = view[os.write(descriptor, view) :]
                os.fsync(descriptor)
                mark = mark_of(os.fstat(descriptor))
            finally:
                os.close(descriptor)
        sha256 = hashlib.sha256(data).hexdigest()
        return Staged(name, sha256, sha256, len(data), mark)

    def stage_file(self, book_id: str, file: Path, sha256: str) -> Staged:
        name = secrets.token_hex(16)
        with on_disk(), self._folder(STAGING, make=True) as folder:
            try:
                os.rename(file, name, dst_dir_fd=folder)
            except OSError as error:
                if error.errno != errno.EXDEV:
                    raise
                _copy(file, folder, name)
            descriptor = os.open(name, FILE, dir_fd=folder)
            try:
                os.fsync(descriptor)
                found = os.fstat(descriptor)
            finally:
                os.close(descriptor)
        return Staged(name, sha256, sha256, found.st_size, mark_of(found))

    def stage_found(self, book_id: str, key: str, sha256: str, seen: Seen) -> Staged:
        """It becomes a version when it is replaced, as every file here does."""
        return Staged("", sha256, sha256, seen.size, seen.mark)

    def discard(self, book_id: str, staged: Staged) -> None:
        with on_disk(), suppress(FileNotFoundError), self._folder(STAGING) as folder:
            os.unlink(staged.name, dir_fd=folder)

    def look(self, key: str) -> Seen | None:
        with on_disk(), inside(), suppress(FileNotFoundError), self._parent(key) as (folder, name):
            seen = seen_of(os.stat(name, dir_fd=folder, follow_symlinks=False))
            placed = self._placed.get(key)
            return placed if placed and (placed.mark, placed.changed) == (seen.mark, seen.changed) else seen
        return None

    def read(self, key: str) -> tuple[bytes, Seen] | None:
        with on_disk(), inside():
            try:
                descriptor, found = self._open(key)
            except FileNotFoundError:
                return None
            try:
                data, found = _whole(descriptor, found)
                return data, seen_of(found)
            finally:
                os.close(descriptor)

    def peek(self, key: str, seen: Seen) -> bytearray | None:
        try:
            descriptor = os.open(f"{self._name}/{key}", FILE)
        except OSError:
            return None
        try:
            data = bytearray(seen.size)
            if data and os.preadv(descriptor, [data], 0, NOW) != seen.size:
                return None
            # Looked at afterwards: whoever changes a file changes its time first. A link may have led here, but a mark
            # on the root's own device is that of one file only.
            found = os.fstat(descriptor)
            if found.st_ctime_ns == seen.changed and mark_of(found) == seen.mark and found.st_dev == self._device:
                return data
            self._device = os.stat(self._name).st_dev
            return None
        except OSError:
            return None
        finally:
            os.close(descriptor)

    def chunks(self, key: str, start: int = 0, mark: str = "") -> Iterator[bytes]:
        with on_disk(), inside():
            try:
                descriptor, found = self._open(key)
            except FileNotFoundError:
                raise missing(key) from None
            try:
                if mark and mark != mark_of(found):
                    raise missing(key)
                while chunk := os.pread(descriptor, CHUNK, start):
                    start += len(chunk)
                    yield chunk
            finally:
                os.close(descriptor)

    def source(self, book_id: str, key: str, ref: str) -> str:
        return key

    def place(self, staged: Staged, key: str, keep: str | None) -> None:
        with on_disk(), inside(), self._parent(key, make=True) as (folder, name):
            staging = self._staging_now()
            if keep:
                self._keep(folder, key, keep)
            try:
                os.rename(staged.name, name, src_dir_fd=staging.descriptor, dst_dir_fd=folder)
            except FileNotFoundError:
                # PostgreSQL may repeat a transaction that had come this far.
                if mark_of(os.stat(name, dir_fd=folder, follow_symlinks=False)) != staged.mark:
                    raise
            else:
                self._remember(key, seen_of(os.stat(name, dir_fd=folder, follow_symlinks=False)), staged.sha256)
            os.fsync(folder)

    def remove(self, key: str, keep: str | None) -> None:
        with on_disk(), inside(), suppress(FileNotFoundError):
            with self._parent(key) as (folder, name):
                if keep:
                    self._keep(folder, key, keep)
                os.unlink(name, dir_fd=folder)
                os.fsync(folder)
            self._prune(key)

    def move(self, key: str, new_key: str) -> None:
        with on_disk(), inside():
            with self._parent(key) as (folder, name), self._parent(new_key, make=True) as (new_folder, new_name):
                try:
                    # Unlike a rename, a link never replaces what another program has just put there.
                    os.link(name, new_name, src_dir_fd=folder, dst_dir_fd=new_folder, follow_symlinks=False)
                except FileExistsError:
                    # PostgreSQL may repeat a transaction that had come this far.
                    new = os.stat(new_name, dir_fd=new_folder, follow_symlinks=False)
                    if not os.path.samestat(os.stat(name, dir_fd=folder, follow_symlinks=False), new):
                        raise
                os.fsync(new_folder)
                os.unlink(name, dir_fd=folder)
                os.fsync(folder)
            self._prune(key)

    def publish(self, book_id: str, key: str, ref: str | None) -> str:
        raise TypeError("a local storage is in step with its rows")

    def version(self, book_id: str, ref: str) -> bytes | None:
        found = self.read(_version(book_id, ref)) or self.read(_version_in_folder(book_id, ref))
        return found[0] if found else None

    def versions(self, book_id: str, before: int) -> Iterator[str]:
        with on_disk(), suppress(FileNotFoundError):
            for key, _ in self.walk(f"{VERSIONS}/{book_id}"):
                with self._parent(key) as (folder, name):
                    # This time is the link's, whenever the bytes were written.
                    if os.stat(name, dir_fd=folder, follow_symlinks=False).st_ctime_ns // 1000 < before:
                        yield name

    def forget(self, book_id: str, ref: str) -> None:
        for key in (_version(book_id, ref), _version_in_folder(book_id, ref)):
            with on_disk(), suppress(FileNotFoundError), self._parent(key) as (folder, name):
                os.unlink(name, dir_fd=folder)

    def walk(self, prefix: str) -> Iterator[tuple[str, Seen]]:
        with on_disk(), suppress(FileNotFoundError), self._folder(prefix) as folder:
            yield from walk(folder, prefix)

    def marks(self, prefix: str) -> Iterator[tuple[str, str]]:
        with on_disk(), suppress(FileNotFoundError), self._folder(prefix) as folder:
            yield from marks(folder, "")

    def read_all(self, keys: Iterable[str]) -> Iterator[tuple[str, bytes, str]]:
        with on_disk(), ExitStack() as stack:
            at: str | None = None
            folder = -1
            for key in keys:
                above, _, name = key.rpartition("/")
                try:
                    if above != at:
                        at = None
                        stack.close()
                        folder = stack.enter_context(self._folder(above))
                        at = above
                    descriptor = os.open(name, FILE, dir_fd=folder)
                    try:
                        found = os.fstat(descriptor)
                        if not stat.S_ISREG(found.st_mode):
                            continue
                        data, found = _whole(descriptor, found)
                    finally:
                        os.close(descriptor)
                except OSError as error:
                    # What was deleted or exchanged for a link since it was listed is passed over.
                    if error.errno not in (errno.ENOENT, *NOT_OURS):
                        raise
                else:
                    yield key, data, mark_of(found)

    def path(self, key: str) -> str | None:
        return str(self._root / key)

    def kept(self, name: str) -> str | None:
        found = self.read(f"{AUDIT}/{name}")
        return found[0].decode("utf-8", "replace") if found else None

    def keep(self, name: str, number: int, text: str) -> None:
        with on_disk(), self._folder(AUDIT, make=True) as folder:
            keep(folder, name, number, text.encode())

    def tidy(self, before: int) -> None:
        with on_disk(), suppress(FileNotFoundError), self._folder(STAGING) as folder:
            for name in os.listdir(folder):
                with suppress(FileNotFoundError):
                    if os.stat(name, dir_fd=folder, follow_symlinks=False).st_mtime_ns // 1000 < before:
                        os.unlink(name, dir_fd=folder)

    def check(self) -> str:
        return f"folder {self._root}"

    def _open(self, key: str) -> tuple[int, os.stat_result]:
        """A regular file, to be read."""
        root = self._root_now(False)
        descriptor = open_beneath(root.descriptor, _names(key), FILE)
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            os.close(descriptor)
            raise OSError(errno.EISDIR, "not a regular file")
        return descriptor, found

    def _remember(self, key: str, seen: Seen, sha256: str) -> None:
        if len(self._placed) >= MOST_REMEMBERED:
            self._placed.clear()
        self._placed[key] = replace(seen, sha256=sha256)

    def _keep(self, folder: int, key: str, ref: str) -> None:
        _, book_id, *_, name = key.split("/")
        with (
            self._parent(_version(book_id, ref), make=True) as (versions, kept),
            suppress(FileExistsError, FileNotFoundError),
        ):
            os.link(name, kept, src_dir_fd=folder, dst_dir_fd=versions, follow_symlinks=False)

    def _prune(self, key: str) -> None:
        """Removes the folders that a deletion has left empty, up to the book's own."""
        segments = key.split("/")[:-1]
        while len(segments) > 2:
            name = segments.pop()
            with self._folder("/".join(segments)) as folder:
                try:
                    os.rmdir(name, dir_fd=folder)
                except OSError:
                    return

    def _parent(self, key: str, *, make: bool = False) -> Parent:
        above, _, name = key.rpartition("/")
        _names(name)
        return Parent(self._open_folder(above, make), name)

    def _folder(self, path: str, *, make: bool = False) -> Folder:
        """A descriptor of a folder under the root."""
        return Folder(self._open_folder(path, make))

    def _open_folder(self, path: str, make: bool) -> int:
        names = _names(path) if path else []
        root = self._root_now(make)
        if not names:
            return os.open(self._name, ROOT)
        try:
            return open_beneath(root.descriptor, names, FOLDER)
        except FileNotFoundError:
            if not make:
                raise
            # Our own are not worth waiting for the disk.
            return make_folder(root.descriptor, names, sync=names[0] != OWN)

    def _staging_now(self) -> Root:
        """Where new bytes wait. It stays open for as long as it is there, wherever it was moved to."""
        root, staging = self._root_now(True), self._staging
        if staging is None or staging[0] is not root or not os.fstat(staging[1].descriptor).st_nlink:
            staging = self._staging = (root, Root(self._open_folder(STAGING, True)))
        return staging[1]

    def _root_now(self, make: bool) -> Root:
        """What the root's name leads to now. It may be a link: where it is, is the operator's choice."""
        try:
            found = os.stat(self._name)
        except FileNotFoundError:
            if not make:
                raise
            self._root.mkdir(parents=True, exist_ok=True, mode=0o700)
            found = os.stat(self._name)
        root = self._opened
        if root is None or root.number != number_of(found):
            root = self._opened = Root(os.open(self._name, ROOT))
        return root


def _names(key: str) -> list[str]:
    """The steps of a key. Keys are checked where they come in; that no step leads upwards is made sure of here too.

    The kernel reads a name up to its first NUL.
    """
    names = key.split("/")
    if "\0" in key or not NO_NAMES.isdisjoint(names):
        raise bad_path("path", "has a segment that is no name")
    return names


def _copy(file: Path, folder: int, name: str) -> None:
    """From another file system, where a rename does not lead."""
    with file.open("rb") as source, open(os.open(name, NEW, 0o644, dir_fd=folder), "wb") as target:
        shutil.copyfileobj(source, target, CHUNK)
    file.unlink()


def _version(book_id: str, ref: str) -> str:
    return f"{VERSIONS}/{book_id}/{ref}"


def _version_in_folder(book_id: str, ref: str) -> str:
    """Where versions were kept before: to make a folder for nearly every one took longer than all else of a write."""
    return f"{VERSIONS}/{book_id}/{ref[:2]}/{ref}"


def _whole(descriptor: int, found: os.stat_result) -> tuple[bytes, os.stat_result]:
    """All bytes of an open file; read again where it was being changed meanwhile."""
    for _ in range(CHANGING):
        data = os.pread(descriptor, found.st_size + 1, 0)
        while 0 < len(data) < found.st_size and (more := os.pread(descriptor, found.st_size - len(data), len(data))):
            data += more
        after = os.fstat(descriptor)
        same = after.st_mtime_ns == found.st_mtime_ns and after.st_size == found.st_size
        if same and len(data) == found.st_size:
            return data, found
        found = after
    raise Conflict("The file is being changed by another program all the time.")
