"""Runs hostile cells beside a harmless notebook and prints what became of each: `hostile_cells.py HOME SECRET`."""

from __future__ import annotations

import asyncio
import ctypes
import json
import os
import platform
import sys
from pathlib import Path
from typing import Any

from quire.adapters.cells.seccomp import CLONE, MACHINES
from quire.adapters.cells.seccomp import KEYS as KEYS_OF
from quire.api.library import Library
from quire.domain.scratch import Execution
from quire.entry.bootstrap import build
from quire.entry.settings import load

COLUMN = MACHINES[platform.machine()][1]
READING = """
import os, glob
seen = [os.environ.get("HOSTILE_SECRET")]
for path in ["{home}/secret", "{home}/quire.db", "{home}/token", "/etc/shadow", *glob.glob("/proc/*/environ")]:
    try:
        data = open(path, "rb").read()
        if b"{secret}" in data or path in ("/etc/shadow", "{home}/secret", "{home}/quire.db"):
            seen.append(path)
    except OSError:
        pass
print([one for one in seen if one])
"""
WRITING = """
import os, glob, sys
done = []
for folder in ["/", "/usr", "/usr/local/bin", "/etc", "/var/tmp", "/home", "/root", "{home}", "{outside}", sys.prefix,
               "/proc/sys/kernel", *glob.glob("/tmp/quire-cells-*/io"), *glob.glob("{outside}/*/io")]:
    try:
        with open(os.path.join(folder, "left-behind"), "w") as file:
            file.write("x")
        # A way to the sockets exists inside too; whether anything was left in the real folder is asked outside.
        if folder != "{outside}":
            done.append(folder)
    except OSError:
        pass
open("mine", "w").write("fine")
print(done, os.listdir("."))
"""
NETWORK = """
import socket
reached = []
for family, place in ((socket.AF_INET, ("127.0.0.1", {port})), (socket.AF_INET, ("192.0.2.1", 80)),
                      (socket.AF_UNIX, "{socket}")):
    try:
        with socket.socket(family) as way:
            way.settimeout(2)
            way.connect(place)
            reached.append(place)
    except OSError:
        pass
print(reached)
"""
POWER = """
import os, ctypes
libc = ctypes.CDLL(None, use_errno=True)
got = []
for name, work in {
    "mount": lambda: libc.mount(b"tmpfs", b"/usr", b"tmpfs", 0, b""),
    "remount": lambda: libc.mount(None, b"/", None, 32 | 4096, b""),
    "setuid": lambda: os.setuid(0),
    "chroot": lambda: os.chroot("/tmp"),
    "mknod": lambda: os.mknod("disk", 0o60666, os.makedev(8, 0)),
    "nice": lambda: os.setpriority(os.PRIO_PROCESS, 0, -20),
}.items():
    try:
        if work() in (0, None):
            got.append(name)
    except OSError:
        pass
print(got)
"""
KEYS = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
got = []
found = libc.syscall({request_key}, b"user", b"quire-secret", None, 0)
if found >= 0:
    got.append("request_key")
room = ctypes.create_string_buffer(200)
for ring in (-3, -4, -5):
    number = libc.syscall({keyctl}, 10, ring, b"user", b"quire-secret", 0)
    if number >= 0 and libc.syscall({keyctl}, 11, number, room, 200) > 0:
        got.append(room.value)
try:
    if "quire-secret" in open("/proc/keys").read():
        got.append("/proc/keys")
except OSError:
    pass
print(got)
"""
NESTED = """
import ctypes, os, signal, socket, subprocess
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
got = []
if libc.unshare(0x10000000) == 0:
    got.append("unshare")
child = libc.syscall({clone}, 0x10000000 | signal.SIGCHLD, 0, 0, 0, 0)
if child == 0:
    os._exit(0)
if child > 0:
    got.append("clone")
if subprocess.run(["unshare", "--user", "true"], capture_output=True).returncode == 0:
    got.append("the program")
for name in ("user", "mnt", "net"):
    if libc.setns(os.open("/proc/self/ns/" + name, os.O_RDONLY), 0) == 0:
        got.append("setns " + name)
for family in (17, 38, 40):
    try:
        socket.socket(family, socket.SOCK_DGRAM)
        got.append("family " + str(family))
    except OSError:
        pass
print(got)
"""
SEEN = """
import os
print([name for name in os.listdir("/proc") if name.isdecimal() and int(name) not in (1, os.getpid())])
"""
KILL = """
import os
for victim in (os.getppid(), 1, -1):
    try:
        os.kill(victim, 9)
    except OSError:
        pass
print("still here")
"""
STUBBORN = """
while True:
    try:
        while True: pass
    except KeyboardInterrupt:
        pass
"""
CELLS = {
    "loop": ("while True: pass", 1.0),
    "stubborn loop": (STUBBORN, 1.0),
    "fork bomb": ("import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass", 2.0),
    "memory": ("x = bytearray(10 * 1024**3)\nprint('got it')", 20.0),
    "shared memory": ("import mmap\nx = mmap.mmap(-1, 10 * 1024**3)\nprint('got it')", 20.0),
    "long output": ("for _ in range(1000): print('x' * 10**6)", 60.0),
    "one long output": ("print('x' * 10**9)", 60.0),
    "kill": (KILL, 20.0),
    "reading": (READING, 20.0),
    "writing": (WRITING, 20.0),
    "network": (NETWORK, 20.0),
    "power": (POWER, 20.0),
    "keys": (KEYS, 20.0),
    "nested": (NESTED, 20.0),
    "seen": (SEEN, 20.0),
    "exit": ("import os\nos._exit(7)", 20.0),
}


def keep_key(secret: str) -> bool:
    """Puts a secret into the keyring of this session, as a login does; False where the kernel keeps none."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = (b"user", b"quire-secret", secret.encode(), ctypes.c_size_t(len(secret)))
    return any([libc.syscall(KEYS_OF["add_key"][COLUMN], *words, ring) > 0 for ring in (-3, -4)])


async def run(library: Library, notebook_id: str, source: str, timeout: float = 30.0) -> Execution:
    cell = await library.scratch.add_cell(notebook_id, "code", source)
    events = [event async for event in library.scratch.run_cell(notebook_id, cell.cell.id, timeout)]
    last = events[-1]
    assert isinstance(last, Execution)
    return last


async def main(home: str, secret: str) -> dict[str, Any]:
    outside = os.environ["TMPDIR"]
    told: dict[str, Any] = {"key": keep_key(secret)}
    listening = await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", 0)
    local = await asyncio.start_unix_server(lambda reader, writer: None, f"{outside}/server")
    async with build(load({"home": home, "embedder": "none"}, {})) as library:
        harmless = await library.scratch.create(title="harmless")
        await run(library, harmless.id, "kept = 42")
        hostile = await library.scratch.create(title="hostile")
        for name, (source, timeout) in CELLS.items():
            words = {
                "{home}": home,
                "{secret}": secret,
                "{outside}": outside,
                "{port}": str(listening.sockets[0].getsockname()[1]),
                "{socket}": f"{outside}/server",
                "{request_key}": str(KEYS_OF["request_key"][COLUMN]),
                "{keyctl}": str(KEYS_OF["keyctl"][COLUMN]),
                "{clone}": str(CLONE[COLUMN]),
            }
            for word, meaning in words.items():
                source = source.replace(word, meaning)
            execution = await run(library, hostile.id, source, timeout)
            text = "".join(output.text or output.error_name or "" for output in execution.outputs)
            told[name] = {"status": execution.status, "text": text[:200], "length": len(text), "say": execution.message}
        answer = await run(library, harmless.id, "print(kept)")
        told["harmless"] = {"status": answer.status, "text": answer.outputs[0].text, "length": 0, "say": ""}
        fresh = await run(library, hostile.id, "print('kept' in dir())")
        told["fresh"] = {"status": fresh.status, "text": fresh.outputs[0].text, "length": 0, "say": ""}
    listening.close()
    local.close()
    Path(f"{outside}/server").unlink(missing_ok=True)
    told["left"] = sorted(os.listdir(outside))
    return told


if __name__ == "__main__":
    print(json.dumps(asyncio.run(main(*sys.argv[1:]))))
