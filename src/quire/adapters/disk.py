"""What the file system refuses, in our own errors."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from types import TracebackType

from quire.domain.errors import QuireError, Unsupported

FULL = "The disk is full."
CLOSED = "{path} may not be read or written."
NO_PLACE = "{path} is not a place where files can be kept."
BROKEN = "The disk failed."

FOREIGN: dict[int, tuple[type[QuireError], str]] = {
    errno.ENOSPC: (Unsupported, FULL),
    errno.EDQUOT: (Unsupported, FULL),
    errno.EFBIG: (Unsupported, FULL),
    errno.EACCES: (Unsupported, CLOSED),
    errno.EPERM: (Unsupported, CLOSED),
    errno.EROFS: (Unsupported, CLOSED),
    errno.ENOTDIR: (Unsupported, NO_PLACE),
    errno.EISDIR: (Unsupported, NO_PLACE),
    errno.EEXIST: (Unsupported, NO_PLACE),
    errno.ENOENT: (Unsupported, NO_PLACE),
    errno.ELOOP: (Unsupported, NO_PLACE),
    errno.ENAMETOOLONG: (Unsupported, NO_PLACE),
    errno.EMFILE: (Unsupported, "Too many files are open."),
    errno.ENFILE: (Unsupported, "Too many files are open."),
    errno.EIO: (Unsupported, BROKEN),
}


class on_disk:
    """Turns the file system's refusals into ours; one that is not in the table stays a bug."""

    __slots__ = ()

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if isinstance(error, OSError) and error.errno in FOREIGN:
            ours, message = FOREIGN[error.errno]
            raise ours(message.format(path=error.filename or "The file")) from error


def make_private(path: Path, mode: int) -> None:
    """Takes what is not in `mode` from what is ours; a folder that is everybody's, as /tmp is, stays so."""
    found = path.stat()
    if found.st_uid == os.geteuid() and not found.st_mode & stat.S_ISVTX and found.st_mode & 0o777 & ~mode:
        path.chmod(mode)
