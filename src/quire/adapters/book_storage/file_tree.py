"""The files of a tree, by way of open folders and through no link."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from operator import itemgetter

from quire.adapters.book_storage.safe_open import FOLDER
from quire.ports.books import Seen

# What a name is that leads through a link, or through a file as if it were a folder, or to no file.
NOT_OURS = (errno.ELOOP, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG, errno.ENXIO, errno.EXDEV)


def walk(folder: int, prefix: str) -> Iterator[tuple[str, Seen]]:
    for name in sorted(os.listdir(folder)):
        try:
            found = os.stat(name, dir_fd=folder, follow_symlinks=False)
            if stat.S_ISREG(found.st_mode):
                yield f"{prefix}/{name}", seen_of(found)
            elif stat.S_ISDIR(found.st_mode):
                below = os.open(name, FOLDER, dir_fd=folder)
                try:
                    yield from walk(below, f"{prefix}/{name}")
                finally:
                    os.close(below)
        except OSError as error:
            # What was deleted or exchanged for a link since it was listed is passed over.
            if error.errno not in (errno.ENOENT, *NOT_OURS):
                raise


def marks(folder: int, prefix: str) -> Iterator[tuple[str, str]]:
    """As `_walk`, in the order of whole paths, for those who need no more; searches ask for thousands."""
    with os.scandir(folder) as listed:
        named = {f"{entry.name}/" if entry.is_dir(follow_symlinks=False) else entry.name: entry for entry in listed}
    for name, entry in sorted(named.items(), key=itemgetter(0)):
        try:
            if not name.endswith("/"):
                if entry.is_file(follow_symlinks=False):
                    yield prefix + name, mark_of(os.stat(name, dir_fd=folder, follow_symlinks=False))
                continue
            below = os.open(entry.name, FOLDER, dir_fd=folder)
            try:
                yield from marks(below, prefix + name)
            finally:
                os.close(below)
        except OSError as error:
            # What was deleted or exchanged for a link since it was listed is passed over.
            if error.errno not in (errno.ENOENT, *NOT_OURS):
                raise


def seen_of(found: os.stat_result) -> Seen:
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EISDIR, "not a regular file")
    return Seen(found.st_size, found.st_mtime_ns // 1000, mark_of(found), found.st_ctime_ns)


def mark_of(found: os.stat_result) -> str:
    return f"{found.st_ino}:{found.st_mtime_ns}:{found.st_size}"
