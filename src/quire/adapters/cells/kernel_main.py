"""The program of a Python kernel: ipykernel, but what a cell prints leaves in pieces, and ends somewhere; and
`!command` needs no terminal, which there is none of inside.

Left alone, the kernel gathers what is printed in a moment into one message, which can be as large as its memory
and is then refused as a whole; and it keeps a copy of all of it. This is a courtesy to cells that print a lot; the
limits outside hold without it.
"""

from __future__ import annotations

import codecs
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

MOST_CHARACTERS = 4_000_000
PIECE = 200_000
# Seconds that a command has to end when its cell is stopped.
LAST_MOMENT = 1.0
NEED_NETWORK = ("install", "download", "wheel", "index", "search")
NO_NETWORK = "cells have no network, so nothing can be installed or fetched; %pip list shows what is there."


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


def run_commands_in_pipes() -> None:
    """Lets `!command` and what is made of it (`%pip`) run without a terminal."""
    from ipykernel.zmqshell import ZMQInteractiveShell
    from IPython.core.error import UsageError
    from IPython.core.magics.packaging import PackagingMagics

    def system(self: Any, cmd: str) -> None:
        if cmd.rstrip().endswith("&"):
            raise OSError("Background processes not supported.")
        code = shown(self.var_expand(cmd, depth=1))
        # A shell tells by 128 and more which signal has ended what it ran.
        self.user_ns["_exit_code"] = 128 - code if code > 128 else code
        if self.system_raise_on_error and code != 0:
            raise subprocess.CalledProcessError(code, cmd)

    pip: Any = PackagingMagics.pip

    def pip_without_network(self: Any, line: str) -> Any:
        words = [word for word in line.split() if not word.startswith("-")]
        if words and words[0] in NEED_NETWORK:
            raise UsageError(f"pip {words[0]}: {NO_NETWORK}")
        return pip(self, line)

    ZMQInteractiveShell.system = system
    # A kernel that runs without a sandbox has the machine's network.
    if all(name == "lo" for _, name in socket.if_nameindex()):
        os.environ["PIP_NO_INDEX"] = "1"
        PackagingMagics.pip = pip_without_network  # type: ignore[method-assign]


def shown(command: str) -> int:
    """Runs a command, prints what it prints as it does, and returns its exit code."""
    out = sys.stdout
    out.flush()
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    process = subprocess.Popen(  # noqa: S603
        ["/bin/sh", "-c", command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    assert process.stdout is not None
    file = process.stdout.fileno()
    try:
        while True:
            ready, _, _ = select.select([file], [], [], 0.05)
            if ready:
                if not (chunk := os.read(file, 65_536)):
                    break
                out.write(decoder.decode(chunk))
            elif process.poll() is not None:
                # What it left running may hold its output for ever.
                break
        return process.wait()
    except BaseException:
        end(process)
        raise
    finally:
        process.stdout.close()


def end(process: subprocess.Popen[bytes]) -> None:
    """Tells all of a command to stop, and kills what does not."""
    for number in (signal.SIGINT, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.wait(LAST_MOMENT)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue


if __name__ == "__main__":
    sys.path[0] = ""
    os.environ["PATH"] = f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}"
    limit()
    run_commands_in_pipes()
    from ipykernel import kernelapp

    kernelapp.launch_new_instance()
