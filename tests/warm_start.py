"""Processes that begin with everything imported: forked from one that waits, instead of started anew.

For tests whose subject is what a process does and not how it starts: most of its time would go into the same imports.
It has streams, arguments, an environment, a folder, signals and an end of its own. `python warm_start.py SOCKET` is
the one that waits; `warm_client.py` is what a test starts.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
IMPORTED = (
    "quire.entry.cli.program",
    "quire.entry.cli.proxy",
    "quire.entry.http.app",
    "quire.entry.mcp.http",
    "quire.entry.mcp.prompts",
    "quire.entry.mcp.selection",
    "quire.entry.mcp.stdio",
    "quire.entry.mcp.toolbox",
    "quire.entry.bootstrap",
    "quire.entry.book_resources",
    "quire.entry.resources",
    "quire.entry.logs",
    "quire.adapters.sql.sqlite",
    "quire.adapters.readers.reader",
    "quire.adapters.web",
    "quire.adapters.youtube",
    "quire.text.answering",
)


@cache
def warm_python() -> tuple[str, ...]:
    """What to write in a command in place of `python`; only `-m MODULE` and a file's name may follow."""
    folder = tempfile.TemporaryDirectory(prefix="quire-warm-")
    path = str(Path(folder.name) / "socket")
    # It ends when its stdin does, so with this process at the latest.
    waiting = subprocess.Popen(
        [sys.executable, str(Path(__file__)), path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONWARNINGS": "always::ResourceWarning"},
    )
    atexit.register(end, waiting, folder)
    assert waiting.stdout is not None
    assert waiting.stdout.readline() == b"ready\n"
    return (sys.executable, "-I", "-S", str(HERE / "warm_client.py"), path)


def end(waiting: subprocess.Popen[bytes], folder: tempfile.TemporaryDirectory[str]) -> None:
    waiting.communicate()
    folder.cleanup()


def main(path: str) -> None:
    for name in IMPORTED:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(path)
    listening.listen()
    print("ready", flush=True)
    while sys.stdin.buffer not in (ready := select.select([listening, sys.stdin.buffer], [], [])[0]):
        assert ready
        connection, _ = listening.accept()
        if os.fork() == 0:
            listening.close()
            keep(connection)
            return
        connection.close()
    listening.close()


def keep(client: socket.socket) -> None:
    """Forks the process that a client wants, and tells it how that ended. A client that is killed takes it along."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    _, streams, _, _ = socket.recv_fds(client, 1, 3)
    with client.makefile("r", encoding="utf-8") as orders:
        order = json.loads(orders.readline())
    pid = os.fork()
    if pid == 0:
        client.close()
        become(order, streams)
        return
    for stream in streams:
        os.close(stream)
    client.sendall(b"%d\n" % pid)
    ended = os.pidfd_open(pid)
    if ended not in select.select([ended, client], [], [])[0]:
        os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    with suppress(OSError):
        client.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))
    os._exit(0)


def become(order: dict[str, Any], streams: list[int]) -> None:
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    # Those of the one that waited know what lay at their numbers before.
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", 1, "utf-8", "backslashreplace", closefd=False)  # noqa: SIM115
    os.environ.clear()
    os.environ.update(order["environment"])
    time.tzset()
    os.chdir(order["folder"])
    first, *rest = order["arguments"]
    if first == "-m":
        sys.argv = rest
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    else:
        sys.argv = [first, *rest]
        sys.path.insert(0, str(Path(first).parent))
        runpy.run_path(first, run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1])
