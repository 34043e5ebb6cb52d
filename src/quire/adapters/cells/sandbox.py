"""Sandboxes for kernels: a process that cannot see, reach or outlive anything but what it was given."""

from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from quire.adapters.cells.control_group import ControlGroup
from quire.adapters.cells.places import Place
from quire.adapters.cells.seccomp import MACHINES, program
from quire.adapters.child_process import ended
from quire.domain.errors import Unsupported, Upstream
from quire.ports.finish_anyway import finish_anyway, finish_despite_cancel

LAUNCH = Path(__file__).with_name("launch.py")
WORK = "/scratch"
READY_SECONDS = 60.0
GIB = 1024**3
# Of all that is inside together. Each process has limits besides.
MOST_MEMORY = 2 * GIB
# The exit code of a launcher that has ended its sandbox because of it.
TOO_MUCH_MEMORY = 117
LIMITS = {
    "RLIMIT_NPROC": 96,
    "RLIMIT_DATA": 2 * GIB,
    "RLIMIT_FSIZE": GIB // 2,
    "RLIMIT_NOFILE": 1024,
    "RLIMIT_CORE": 0,
}
# Programs of their own uid each; far from any that a system gives out.
FIRST_UID, UIDS = 1_900_000_000, 100_000_000
DIED = "The kernel died; its state is gone."
TOO_MUCH = f"It took more than {MOST_MEMORY // GIB} GB of memory, so its kernel was ended; its state is gone."
UNHEEDED = "It did not stop when told, so its kernel was ended; its state is gone."
REFUSED = "Cells cannot be run here: no sandbox can be made for them"


class Sandbox:
    """One running sandbox. `shared` is the folder that both sides see, at the same path."""

    def __init__(self, place: Place, process: asyncio.subprocess.Process, group: ControlGroup | None = None) -> None:
        self.shared = place.shared
        self.process = process
        self._place = place
        self._group = group
        self._exceeded = False
        self._vacated = False

    @classmethod
    async def start(
        cls,
        argv: Sequence[str],
        environment: Mapping[str, str],
        files: Mapping[str, str],
        shown: Sequence[Path] = (),
        hidden: Sequence[Path] = (),
        limits: Mapping[str, int] = {},
        memory: int = MOST_MEMORY,
    ) -> Sandbox:
        """Starts a program; `{shared}` in its arguments and files is the shared folder, where the files lie."""
        machine = os.uname().machine
        if machine not in MACHINES:
            raise Unsupported(f"{REFUSED} (there is no filter of system calls for {machine}).")
        own_user = os.geteuid() == 0
        uid = new_uid() if own_user else os.getuid()
        gid = uid if own_user else os.getgid()
        place = await made_place(files, uid if own_user else None)
        group = ControlGroup.make(memory, LIMITS["RLIMIT_NPROC"])
        order = {
            "argv": [word.replace("{shared}", str(place.shared)) for word in argv],
            "environment": dict(environment),
            "own_user": own_user,
            "uid": uid,
            "gid": gid,
            "root": str(place.root),
            "work": WORK,
            "shared": str(place.shared),
            "shown": [str(path) for path in shown],
            "hidden": [str(path) for path in hidden],
            "limits": dict(LIMITS) | dict(limits),
            "memory": memory,
            "too_much": TOO_MUCH_MEMORY,
            "group": None if group is None else str(group.folder),
            "filter": program(machine).hex(),
        }
        process = await started(
            place,
            sys.executable, "-I", "-S", str(LAUNCH),
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
            cwd="/", env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
        )  # fmt: skip
        made = cls(place, process, group)
        told = ""
        try:
            async with asyncio.timeout(READY_SECONDS):
                await made._say(json.dumps(order))
                told = await made._hear()
        except TimeoutError:
            raise Upstream("A sandbox was not ready in time.") from None
        finally:
            if told != "ok":
                await asyncio.shield(made.stop())
        if told != "ok":
            raise Unsupported(f"{REFUSED} ({told}).", hint="unsafe_cells runs them without; they can do anything.")
        return made

    async def seal(self) -> None:
        """Lets the program write nothing more into the shared folder."""
        await self._say("seal")
        if await self._hear() != "sealed":
            raise Upstream("The sandbox of a kernel could not be closed.")

    @property
    def alive(self) -> bool:
        return self.process.returncode is None

    def last_word(self) -> str:
        """Why the program ended, as far as that is known."""
        return TOO_MUCH if self._exceeded or self.process.returncode == TOO_MUCH_MEMORY else DIED

    def processes(self) -> int:
        """How many there are inside, but for the first, which waits for the others."""
        return max(0, len(descendants(self.process.pid)) - 1)

    async def stop(self) -> None:
        """Kills all that is inside, and removes what it left."""
        leaving = asyncio.ensure_future(ended(self.process))
        _, unended = await asyncio.wait({leaving}, timeout=5)
        if unended and self.alive:
            self.process.kill()
        await leaving
        if self._group is not None:
            self._exceeded = await asyncio.to_thread(self._group.exceeded)
            await asyncio.to_thread(self._group.remove)
        await self._vacate()

    async def _vacate(self) -> None:
        if not self._vacated:
            self._vacated = True
            await asyncio.to_thread(self._place.remove)

    async def _say(self, line: str) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(line.encode() + b"\n")
            await self.process.stdin.drain()
        except (BrokenPipeError, ConnectionResetError):
            raise Upstream("A kernel ended before it began.") from None

    async def _hear(self) -> str:
        assert self.process.stdout is not None
        line = await self.process.stdout.readline()
        return line.decode("utf-8", "replace").strip()[:300]


class Unconfined(Sandbox):
    """No sandbox at all, for machines where none can be made and an owner who wants cells nevertheless."""

    @classmethod
    async def start(
        cls,
        argv: Sequence[str],
        environment: Mapping[str, str],
        files: Mapping[str, str],
        shown: Sequence[Path] = (),
        hidden: Sequence[Path] = (),
        limits: Mapping[str, int] = {},
        memory: int = MOST_MEMORY,
    ) -> Sandbox:
        place = await made_place(files, None)
        here = {name: value.replace(WORK, str(place.folder)) for name, value in environment.items()}
        process = await started(
            place,
            *[word.replace("{shared}", str(place.shared)) for word in argv],
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
            cwd=place.folder, env=here,
        )  # fmt: skip
        return cls(place, process)

    async def seal(self) -> None:
        """There is nothing to close."""

    async def stop(self) -> None:
        if self.alive:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, 9)
            await ended(self.process)
        await self._vacate()


def descendants(pid: int) -> list[int]:
    """The processes that one has started, and those that these have."""
    found: list[int] = []
    waiting = [pid]
    while waiting:
        try:
            children = Path(f"/proc/{(one := waiting.pop())}/task/{one}/children").read_text().split()
        except OSError:
            continue
        found += map(int, children)
        waiting += map(int, children)
    return found


async def made_place(files: Mapping[str, str], uid: int | None) -> Place:
    place, cancelled = await finish_despite_cancel(asyncio.to_thread(Place.make, files, uid))
    if cancelled:
        await finish_anyway(asyncio.to_thread(place.remove))
        raise asyncio.CancelledError
    return place


async def started(place: Place, *argv: str, **how: Any) -> asyncio.subprocess.Process:
    """A process of a sandbox, the first of its process group."""
    process = None
    try:
        process = await asyncio.create_subprocess_exec(*argv, start_new_session=True, **how)
    finally:
        if process is None:
            place.remove()
    place.occupied_by(process.pid)
    return process


async def tried(hidden: Path) -> str:
    """How cells are kept apart on this machine, found out by doing it; Unsupported where they cannot be."""
    box = await Sandbox.start(["/bin/true"], {}, {}, hidden=[hidden])
    limited = "counted" if box._group is None else "limited by a control group"
    await box.stop()
    return f"in namespaces of their own; their memory is {limited}"


def new_uid() -> int:
    """A user id that nobody else has; within what this machine's namespace knows."""
    try:
        known = Path("/proc/self/uid_map").read_text().split()
    except OSError:
        known = []
    count = int(known[2]) if len(known) == 3 and re.fullmatch(r"\d+", known[2]) else 0
    if count > FIRST_UID + UIDS:
        return FIRST_UID + secrets.randbelow(UIDS)
    return 50_000 + secrets.randbelow(10_000)


def interpreter() -> list[Path]:
    """What a Python of this installation needs to run: its prefix, where it came from, and what it imports from."""
    places = {Path(sys.prefix), Path(sys.base_prefix), Path(os.path.realpath(sys.executable)).parent}
    places |= {Path(place) for place in sys.path if "site-packages" in place or "dist-packages" in place}
    return sorted(place for place in places if place.exists() and not place.is_relative_to("/usr"))
