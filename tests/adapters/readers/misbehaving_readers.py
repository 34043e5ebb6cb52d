"""Readers that do what a hostile file would make a real one do. They run in child processes only."""

from __future__ import annotations

import fcntl
import json
import os
import re
import socket
import subprocess
import sys
import time
from pathlib import Path

from quire.adapters.readers.draft import Draft, Progress
from quire.adapters.readers.limits import Limits
from quire.domain.errors import InvalidInput

FOREVER = 3600


def hold(path: Path) -> int:
    """Locks a file beside the one that is read, for as long as the descriptor is open."""
    held = os.open(path.with_suffix(".held"), os.O_RDWR | os.O_CREAT)
    fcntl.flock(held, fcntl.LOCK_EX)
    os.write(held, b"held")
    return held


def never_yields(path: Path, limits: Limits) -> Draft:
    """Matching holds the interpreter: no other thread of it runs meanwhile."""
    hold(path)
    re.match("(a+)+$", "a" * 100 + "b")
    raise AssertionError


def looks_around(path: Path, limits: Limits) -> Draft:
    seen: dict[str, object] = {name: os.readlink(f"/proc/self/ns/{name}") for name in os.listdir("/proc/self/ns")}
    seen["interfaces"] = [name for _, name in socket.if_nameindex()]
    seen["processes"] = sorted(name for name in os.listdir("/proc") if name.isdecimal())
    draft = Draft(limits)
    draft.block(json.dumps(seen))
    return draft.finish()


def sleeps(path: Path, limits: Limits) -> Draft:
    hold(path)
    time.sleep(FOREVER)
    raise AssertionError


def sleeps_with_help(path: Path, limits: Limits) -> Draft:
    """Starts a process of its own, as recognition does, and never comes back."""
    held = hold(path)
    subprocess.Popen([sys.executable, "-c", f"import time; time.sleep({FOREVER})"], pass_fds=[held])
    os.close(held)
    time.sleep(FOREVER)
    raise AssertionError


def spins(path: Path, limits: Limits) -> Draft:
    while True:
        pass


def allocates(path: Path, limits: Limits) -> Draft:
    held = []
    while True:
        held.append(bytearray(10_000_000))


def works_slowly(path: Path, limits: Limits, progress: Progress) -> Draft:
    """Takes longer in all than a silent reader may, and says that it is getting on."""
    draft = Draft(limits)
    for number in range(8):
        time.sleep(limits.seconds / 4)
        progress(number + 1, 8, more_time=True)
    draft.block("done at last")
    return draft.finish()


def only_chatters(path: Path, limits: Limits, progress: Progress) -> Draft:
    while True:
        time.sleep(0.05)
        progress(1, 2)


def prints(path: Path, limits: Limits) -> Draft:
    """Libraries write to the output, and to the error stream what nobody should see."""
    print("noise" * 1000)
    os.write(1, b'{"document": 3}\nabc')
    print("a secret path", file=sys.stderr)
    draft = Draft(limits)
    draft.block("what was read")
    return draft.finish()


def crashes(path: Path, limits: Limits) -> Draft:
    os.abort()


def has_a_fault(path: Path, limits: Limits) -> Draft:
    raise ZeroDivisionError("a secret path")


def misses_a_library(path: Path, limits: Limits) -> Draft:
    import a_library_that_is_not_there  # noqa: F401

    raise AssertionError


def refuses(path: Path, limits: Limits) -> Draft:
    raise InvalidInput("The file is not to my taste.", hint="Try another.", page=3)


def knows_the_environment(path: Path, limits: Limits) -> Draft:
    draft = Draft(limits)
    draft.block(" ".join(sorted(os.environ)))
    return draft.finish()


class Liar(Draft):
    def as_json(self) -> bytes:
        return b'{"text": "short", "marks": [{"offset": 99, "kind": "page", "label": "1"}]}'


def lies(path: Path, limits: Limits) -> Draft:
    return Liar(limits)


class Flood(Draft):
    def as_json(self) -> bytes:
        return b"x" * (70 * 1024 * 1024)


def floods(path: Path, limits: Limits) -> Draft:
    return Flood(limits)
