"""What a cell may not ask of the kernel: every call of its filter, on all machines and on this one."""

from __future__ import annotations

import errno
import json
import platform
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from quire.adapters.cells import seccomp

ALLOWED, KILLED = "allowed", "killed"
SOURCES = Path(seccomp.__file__).parents[3]
I386 = 0x40000003
HARMLESS = {
    "x86_64": {"read": 0, "openat": 257, "execve": 59, "futex": 202, "exit_group": 231},
    "aarch64": {"read": 63, "openat": 56, "execve": 221, "futex": 98, "exit_group": 94},
}
HARMLESS["riscv64"] = HARMLESS["aarch64"]


def verdict(machine: str, call: int, *arguments: int, architecture: int | None = None) -> str | int:
    """What the program says of a call, as the kernel's machine would run it: an error number where it is refused."""
    known = seccomp.MACHINES[machine][0] if architecture is None else architecture
    data = struct.pack("<IIQ6Q", call, known, 0, *arguments, *[0] * (6 - len(arguments)))
    steps = list(struct.iter_unpack("<HBBI", seccomp.program(machine)))
    at = held = 0
    while True:
        code, if_true, if_false, value = steps[at]
        at += 1
        if code == seccomp.LOAD:
            held = struct.unpack_from("<I", data, value)[0]
        elif code == seccomp.AND:
            held &= value
        elif code == seccomp.RETURN:
            if value == seccomp.ALLOW:
                return ALLOWED
            return KILLED if value == seccomp.KILL else value & 0xFFFF
        else:
            tests = {seccomp.EQUAL: held == value, seccomp.AT_LEAST: held >= value, seccomp.ANY_BIT: held & value}
            at += if_true if tests[code] else if_false


@pytest.mark.parametrize("machine", seccomp.MACHINES)
def test_each_call_is_denied_and_no_other(machine: str) -> None:
    column = seccomp.MACHINES[machine][1]
    for calls, number in ((seccomp.DENIED, errno.EPERM), (seccomp.UNKNOWN, errno.ENOSYS)):
        for name, numbers in calls.items():
            if (call := numbers[column]) is not None:
                assert verdict(machine, call) == number, name
    for name, call in HARMLESS[machine].items():
        assert verdict(machine, call) == ALLOWED, name
    refused = {call for call in range(600) if verdict(machine, call) != ALLOWED}
    known = {numbers[column] for numbers in (seccomp.DENIED | seccomp.UNKNOWN).values()}
    # A socket of no family at all is not one of those that are allowed.
    assert refused == known - {None} | {seccomp.SOCKET[column]}


@pytest.mark.parametrize("machine", seccomp.MACHINES)
def test_arguments_decide_where_a_call_is_needed(machine: str) -> None:
    column = seccomp.MACHINES[machine][1]
    clone, socket, mmap = seccomp.CLONE[column], seccomp.SOCKET[column], seccomp.MMAP[column]
    thread, new_user = 0x3D0F00, 0x10000000
    assert [verdict(machine, clone, flags) for flags in (17, thread, 17 | new_user, new_user | 0x20000)] == [
        ALLOWED, ALLOWED, errno.EPERM, errno.EPERM,
    ]  # fmt: skip
    for family in range(50):
        wanted = ALLOWED if family in (*seccomp.FAMILIES, seccomp.NETLINK) else errno.EAFNOSUPPORT
        assert verdict(machine, socket, family, 1, 0) == wanted, family
    assert [verdict(machine, socket, seccomp.NETLINK, 3, protocol) for protocol in (4, 9, 12, 16)] == [
        errno.EAFNOSUPPORT
    ] * 4
    private, shared_file, shared = 0x22, 0x01, 0x21
    assert [verdict(machine, mmap, 0, 4096, 3, flags) for flags in (private, shared_file, shared, shared | 0x4000)] == [
        ALLOWED, ALLOWED, errno.EPERM, errno.EPERM,
    ]  # fmt: skip


def test_a_program_of_another_word_size_is_killed() -> None:
    assert verdict("x86_64", 3, architecture=I386) == KILLED
    assert verdict("x86_64", seccomp.X32 | 0) == KILLED
    assert verdict("aarch64", 3, architecture=0x40000028) == KILLED


INSIDE = """
import ctypes, errno, json, os, platform, socket
from quire.adapters.cells import seccomp
from quire.adapters.cells.launch import LIBC, PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, Program, must

steps = seccomp.program(platform.machine())
must(LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
program = Program(len(steps) // 8, steps)
must(LIBC.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0), "seccomp")
LIBC.syscall.restype = ctypes.c_long
column = seccomp.MACHINES[platform.machine()][1]
told = {}
for name, numbers in (seccomp.DENIED | seccomp.UNKNOWN).items():
    if numbers[column] is not None:
        ctypes.set_errno(0)
        told[name] = [LIBC.syscall(ctypes.c_long(numbers[column]), 0, 0, 0, 0, 0, 0), ctypes.get_errno()]
for family in (16, 17, 38, 40):
    try:
        socket.socket(family, socket.SOCK_RAW, 4).close()
    except OSError as error:
        told[f"family {family}"] = [-1, error.errno]
print(json.dumps(told))
"""


@pytest.mark.skipif(sys.platform != "linux" or platform.machine() not in seccomp.MACHINES, reason="no filter here")
def test_the_kernel_of_this_machine_denies_them() -> None:
    done = subprocess.run(
        [sys.executable, "-c", INSIDE], capture_output=True, text=True, env={"PYTHONPATH": str(SOURCES)}, timeout=60
    )
    assert done.returncode == 0, done.stderr
    column = seccomp.MACHINES[platform.machine()][1]
    expected = {name: [-1, errno.EPERM] for name, numbers in seccomp.DENIED.items() if numbers[column] is not None}
    expected |= {name: [-1, errno.ENOSYS] for name in seccomp.UNKNOWN}
    # Routes, packets, cryptography, and the machine that this one may run in.
    expected |= {f"family {family}": [-1, errno.EAFNOSUPPORT] for family in (16, 17, 38, 40)}
    assert json.loads(done.stdout) == expected
