"""Sandboxes for kernels: a process that cannot see, reach or outlive anything but what it was given."""

from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from quire.adapters.child_process import ended
from quire.domain.errors import Unsupported, Upstream

LAUNCH = Path(__file__).with_name("launch.py")
WORK = "/scratch"
READY_SECONDS = 60.0
GIB = 1024**3
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
UNHEEDED = "It did not stop when told, so its kernel was ended; its state is gone."
REFUSED = "Cells cannot be run here: no sandbox can be made for them"


@dataclass
class Sandbox:
    """One running sandbox. `shared` is the folder that both sides see, at the same path."""

    shared: Path
    process: asyncio.subprocess.Process

    @classmethod
    async def start(
        cls,
        argv: Sequence[str],
        environment: Mapping[str, str],
        files: Mapping[str, str],
        shown: Sequence[Path] = (),
        hidden: Sequence[Path] = (),
        limits: Mapping[str, int] = {},
    ) -> Sandbox:
        """Starts a program; `{shared}` in its arguments and files is the shared folder, where the files lie."""
        own_user = os.geteuid() == 0
        uid = new_uid() if own_user else os.getuid()
        gid = uid if own_user else os.getgid()
        place = await asyncio.to_thread(prepared, files, uid if own_user else None)
        shared, root = place / "io", place / "root"
        order = {
            "argv": [word.replace("{shared}", str(shared)) for word in argv],
            "environment": dict(environment),
            "own_user": own_user,
            "uid": uid,
            "gid": gid,
            "root": str(root),
            "work": WORK,
            "shared": str(shared),
            "shown": [str(path) for path in shown],
            "hidden": [str(path) for path in hidden],
            "limits": dict(LIMITS) | dict(limits),
        }
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-I", "-S", str(LAUNCH),
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
            cwd="/", env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}, start_new_session=True,
        )  # fmt: skip
        made = cls(shared, process)
        told = ""
        try:
            async with asyncio.timeout(READY_SECONDS):
                await made._say(json.dumps(order))
                told = await made._hear()
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
        return DIED

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
        await asyncio.to_thread(shutil.rmtree, self.shared.parent, ignore_errors=True)

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
    ) -> Sandbox:
        place = await asyncio.to_thread(prepared, files, None)
        shared = place / "io"
        here = {name: value.replace(WORK, str(place)) for name, value in environment.items()}
        process = await asyncio.create_subprocess_exec(
            *[word.replace("{shared}", str(shared)) for word in argv],
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
            cwd=place, env=here, start_new_session=True,
        )  # fmt: skip
        return cls(shared, process)

    async def seal(self) -> None:
        """There is nothing to close."""

    async def stop(self) -> None:
        if self.alive:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, 9)
            await ended(self.process)
        await asyncio.to_thread(shutil.rmtree, self.shared.parent, ignore_errors=True)


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


def prepared(files: Mapping[str, str], uid: int | None) -> Path:
    """A new folder with a place for a root and the shared folder, which is given to `uid`."""
    place = Path(tempfile.mkdtemp(prefix="quire-cells-"))
    shared = place / "io"
    shared.mkdir(mode=0o700)
    (place / "root").mkdir()
    for name, text in files.items():
        (shared / name).write_text(text.replace("{shared}", str(shared)))
    if uid is not None:
        place.chmod(0o711)
        for path in (shared, *shared.iterdir()):
            os.chown(path, uid, uid)
    return place


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
