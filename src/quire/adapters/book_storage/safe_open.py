"""Opening a file beneath a folder and through no link: in one step where the kernel knows how, else name by name."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from collections.abc import Sequence
from contextlib import suppress

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
OPENAT2 = 437  # The same on every architecture that Python runs on, save alpha.
NO_MAGIC_LINKS, NO_SYMLINKS, BENEATH = 0x02, 0x04, 0x08
# What a kernel without it, or a sandbox that does not know it, answers.
UNKNOWN = (errno.ENOSYS, errno.EPERM, errno.E2BIG, errno.EINVAL)


class How(ctypes.Structure):
    _fields_ = (("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64))


def open_beneath(root: int, names: Sequence[str], flags: int) -> int:
    """A descriptor of the file that `names` lead to from an open folder; a link on the way is ELOOP or ENOTDIR."""
    if _kernel is not None:
        descriptor = _kernel(root, names, flags)
        if descriptor is not None:
            return descriptor
    return open_by_steps(root, names, flags)


def open_by_steps(root: int, names: Sequence[str], flags: int) -> int:
    *folders, name = names
    above = root
    try:
        for folder in folders:
            below = os.open(folder, FOLDER, dir_fd=above)
            if above != root:
                os.close(above)
            above = below
        return os.open(name, flags | os.O_NOFOLLOW, dir_fd=above)
    finally:
        if above != root:
            os.close(above)


def make_folder(root: int, names: Sequence[str], *, sync: bool) -> int:
    """A descriptor of a folder that is made, with those above it where they are missing; safe on disk if wanted."""
    *above, name = names
    try:
        parent = open_beneath(root, above, FOLDER) if above else os.dup(root)
    except FileNotFoundError:
        parent = make_folder(root, above, sync=sync)
    try:
        with suppress(FileExistsError):
            os.mkdir(name, 0o755, dir_fd=parent)
            if sync:
                os.fsync(parent)
        return os.open(name, FOLDER, dir_fd=parent)
    finally:
        os.close(parent)


class Kernel:
    """openat2, which Python has no name for."""

    def __init__(self) -> None:
        self._syscall = ctypes.CDLL(None, use_errno=True).syscall
        self._syscall.restype = ctypes.c_long
        self._size = ctypes.c_size_t(ctypes.sizeof(How))
        self._number = ctypes.c_long(OPENAT2)
        self._hows: dict[int, How] = {}

    def __call__(self, root: int, names: Sequence[str], flags: int) -> int | None:
        how = self._hows.get(flags)
        if how is None:
            how = self._hows.setdefault(flags, How(flags, 0, BENEATH | NO_SYMLINKS | NO_MAGIC_LINKS))
        path = "/".join(names)
        descriptor: int = self._syscall(self._number, root, path.encode(), ctypes.byref(how), self._size)
        if descriptor >= 0:
            return descriptor
        code = ctypes.get_errno()
        if code in UNKNOWN:
            return None
        raise OSError(code, os.strerror(code), path)


def _known() -> Kernel | None:
    if not sys.platform.startswith("linux"):
        return None
    kernel = Kernel()
    root = os.open("/", FOLDER)
    try:
        descriptor = kernel(root, ["."], FOLDER)
    finally:
        os.close(root)
    if descriptor is None:
        return None
    os.close(descriptor)
    return kernel


_kernel = _known()
