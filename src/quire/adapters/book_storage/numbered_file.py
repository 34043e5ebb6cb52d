"""A small file that begins with a number, and only ever goes on to a higher one."""

from __future__ import annotations

import fcntl
import os

OPEN = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
MOST_BYTES = 1_000


def keep(folder: int, name: str, number: int, text: bytes) -> None:
    """Writes a text over the one before, unless that has the number or a higher one.

    After the first time nothing waits for the disk: the head of a log that is a little behind proves nearly as much.
    """
    descriptor = os.open(name, OPEN, 0o600, dir_fd=folder)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        before = os.pread(descriptor, MOST_BYTES, 0)
        known = before.partition(b" ")[0]
        if known.isdigit() and int(known) >= number:
            return
        os.pwrite(descriptor, text, 0)
        if len(text) < len(before):
            os.ftruncate(descriptor, len(text))
        if not before:
            os.fsync(descriptor)
            os.fsync(folder)
    finally:
        os.close(descriptor)
