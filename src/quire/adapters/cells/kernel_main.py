"""The program of a Python kernel: ipykernel, but what a cell prints leaves in pieces, and ends somewhere.

Left alone, the kernel gathers what is printed in a moment into one message, which can be as large as its memory
and is then refused as a whole; and it keeps a copy of all of it. This is a courtesy to cells that print a lot; the
limits outside hold without it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

MOST_CHARACTERS = 4_000_000
PIECE = 200_000


class Count:
    """What the run that is going on has printed."""

    request: Any = None
    left = MOST_CHARACTERS


def limit() -> None:
    from ipykernel.iostream import OutStream
    from ipykernel.kernelapp import IPKernelApp
    from IPython.core.interactiveshell import InteractiveShell

    write = OutStream.write
    count = Count()

    def limited(self: Any, string: str) -> int | None:
        if not isinstance(string, str):
            return write(self, string)
        request = self.parent_header.get("header", self.parent_header).get("msg_id")
        if request != count.request:
            count.request, count.left = request, MOST_CHARACTERS
        shown = string[: max(0, count.left)]
        count.left -= len(string)
        for start in range(0, len(shown), PIECE):
            write(self, shown[start : start + PIECE])
            if len(shown) > PIECE:
                self.flush()
        return len(string)

    @contextmanager
    def no_copy(self: Any, channel: str) -> Iterator[None]:
        yield

    open_outputs = IPKernelApp.init_iopub

    def lossless(self: Any, context: Any) -> None:
        # The server reads as fast as it can use what it reads. What waits is held here, not dropped.
        context.sndhwm = 0
        open_outputs(self, context)  # type: ignore[no-untyped-call]

    IPKernelApp.init_iopub = lossless  # type: ignore[method-assign]
    OutStream.write = limited  # type: ignore[method-assign]
    InteractiveShell._tee = no_copy  # type: ignore[method-assign]


if __name__ == "__main__":
    sys.path[0] = ""
    limit()
    from ipykernel import kernelapp

    kernelapp.launch_new_instance()
