"""Memory that was freed and is still held: the C library's allocator keeps it until it is asked."""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress

# A parameter of the C library's `mallopt`, and the size from which on memory is asked of the system for each block.
MMAP_THRESHOLD, LARGE = -3, 1 << 18


def keep_no_large_blocks() -> None:
    """Has every large block given back to the system when it is freed, rather than kept for the next one."""
    if sys.platform == "linux":
        # Other C libraries have no such call.
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).mallopt(MMAP_THRESHOLD, LARGE)


def give_back() -> None:
    """Returns to the system what is held for nothing, after work that needed much for a short time; takes 15 ms.

    Loading a network takes twice its weights.
    """
    if sys.platform == "linux":
        # Other C libraries have no such call.
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
