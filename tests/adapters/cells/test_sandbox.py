"""One limit of memory for all that is in a sandbox, by whatever way it is taken."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from quire.adapters.cells.launch import Meter
from quire.adapters.cells.sandbox import TOO_MUCH, TOO_MUCH_MEMORY, Sandbox, interpreter, tried

pytestmark = pytest.mark.anyio

MIB = 1024**2
ENDED = 7
START = "import mmap, os, signal, socket, time\n"
WAYS = {
    "processes": """
for _ in range(3):
    if os.fork() == 0:
        held = bytearray(60 * 2**20)
        signal.pause()
""",
    "files": """
held = []
for place in ("/tmp", "/dev/shm", "/scratch"):
    held.append(open(place + "/large", "wb", buffering=0))
    os.unlink(place + "/large")
    for _ in range(60):
        held[-1].write(bytes(2**20))
""",
    "sockets": """
held = []
for _ in range(20):
    if os.fork() == 0:
        while True:
            try:
                pair = socket.socketpair()
                held.append(pair)
                pair[0].setblocking(False)
                while True:
                    pair[0].send(bytes(100_000))
            except BlockingIOError:
                pass
            except OSError:
                signal.pause()
""",
    "a process whose first thread has ended": """
import ctypes, threading
def hold():
    while open(f"/proc/{os.getpid()}/stat").read().split()[2] != "Z":
        pass
    held = bytearray(200 * 2**20)
    signal.pause()
threading.Thread(target=hold).start()
ctypes.CDLL(None).syscall(60 if os.uname().machine == "x86_64" else 93, 0)
""",
    "tables of pages": """
flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000
held = mmap.mmap(-1, 2**37, flags=flags, prot=mmap.PROT_READ)
for place in range(0, 2**37, 2**21):
    held[place]
""",
}
REFUSED = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
got = []
for name, take in {
    "memfd": lambda: os.memfd_create("x"),
    "shared": lambda: mmap.mmap(-1, 2**20),
    "zero": lambda: mmap.mmap(os.open("/dev/zero", os.O_RDWR), 2**20),
    "system v": lambda: libc.shmget(0, 2**20, 0o1600),
    # Both would open files where nobody counts them: a thread's own table.
    "close_range": lambda: libc.syscall(436, 2**31, 2**31, 2),
    "clone": lambda: libc.syscall(56 if os.uname().machine == "x86_64" else 220, 0x10900, 0, 0, 0, 0),
}.items():
    try:
        if take() != -1:
            got.append(name)
    except OSError:
        pass
os._exit(len(got) or ENDED)
"""
SHARED = """
held = bytearray(80 * 2**20)
children = [os.fork() for _ in range(1)]
for _ in range(6):
    if 0 in children:
        break
    children.append(os.fork())
if 0 in children:
    signal.pause()
time.sleep(1.5)
for child in children:
    os.kill(child, signal.SIGKILL)
os._exit(ENDED)
"""


async def fate(code: str) -> tuple[int | None, str]:
    argv = [sys.executable, "-I", "-S", "-c", START + code.replace("ENDED", str(ENDED)) + "\nsignal.pause()"]
    box = await Sandbox.start(argv, {}, {}, interpreter(), memory=150 * MIB)
    try:
        async with asyncio.timeout(60):
            code_of_end = await box.process.wait()
    finally:
        await box.stop()
    return code_of_end, box.last_word()


@pytest.mark.parametrize("way", WAYS)
async def test_too_much_memory_ends_a_sandbox(way: str) -> None:
    code, told = await fate(WAYS[way])
    assert told == TOO_MUCH
    assert code in (TOO_MUCH_MEMORY, -9)


async def test_memory_that_belongs_to_no_file_and_no_process_is_refused() -> None:
    assert await fate(REFUSED) == (ENDED, "The kernel died; its state is gone.")


async def test_nothing_of_ours_is_open_inside() -> None:
    # The last one is the list's own.
    look = "os._exit(ENDED if sorted(map(int, os.listdir('/proc/self/fd')))[:-1] == [0, 1, 2] else 1)"
    assert (await fate(look))[0] == ENDED
    first = "try: os.listdir('/proc/1/fd')\nexcept OSError: os._exit(ENDED)\nos._exit(1)"
    assert (await fate(first))[0] == ENDED


async def test_what_processes_share_is_counted_once() -> None:
    assert (await fate(SHARED))[0] == ENDED


async def test_what_falls_to_others_while_they_are_counted_is_counted_once() -> None:
    """Each process ends right after it was counted, and the next one's share of the same memory is the larger."""
    argv = [sys.executable, "-I", "-S", "-c", START + SHARED.partition("time.sleep")[0] + "signal.pause()"]
    with subprocess.Popen(argv) as process:
        while len(children := Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()) < 7:
            await asyncio.sleep(0.01)

        class Ending(Meter):
            def _read(self, path: str) -> str:
                text = super()._read(path)
                if path.endswith("smaps_rollup") and (pid := path.partition("/")[0]) in children:
                    os.kill(int(pid), signal.SIGKILL)
                    while Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z":
                        time.sleep(0.001)
                return text

            def _in_files(self) -> int:
                return 0

        meter = Ending({"memory": 150 * MIB, "work": ""})
        try:
            assert 80 * MIB <= meter.taken(process.pid) <= 150 * MIB
        finally:
            meter.close()
            process.kill()


async def test_how_cells_are_kept_apart_is_found_out_by_doing_it(tmp_path: Path) -> None:
    assert (await tried(tmp_path)).startswith("in namespaces of their own; their memory is ")
