"""The program that makes a sandbox and runs a kernel in it: `python -I -S launch.py`, with the order on its input.

It stands alone, so that nothing but the standard library is loaded before the sandbox is closed. The order is a
line of JSON. What runs inside sees new namespaces (mounts, processes, network, IPC, host name), a root of its own
that holds the system's programs read-only, a folder of memory to write in, and one folder that it shares with us
for its sockets; `seal` on our input makes that one read-only too. When our input ends, everything inside is killed;
so it is when all of it together takes more memory than it may.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import select
import signal
import sys
from contextlib import suppress

LIBC = ctypes.CDLL(None, use_errno=True)
PIVOT_ROOT = {"x86_64": 155, "aarch64": 41, "riscv64": 41}
NEWNS, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET = 0x20000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = (
    1,
    2,
    4,
    8,
    32,
    4096,
    16384,
    1 << 18,
)
MNT_DETACH = 2
FILLED_IN_A_SECOND = 4 * 1024**3
COUNTED_AGAIN = 5
# What a buffer can hold of what was sent and not received: a socket's default size twice, a pipe's default.
HOLDS = {"socket": 2 * 212_992, "pipe": 65_536}
PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS, PR_SET_DUMPABLE, PR_SET_SECCOMP = 1, 38, 4, 22
SECCOMP_MODE_FILTER = 2
KEYCTL = {"x86_64": 250, "aarch64": 219, "riscv64": 219}
JOIN_SESSION_KEYRING = 1
# Not /dev/zero: to map it is to have memory that belongs to no file and no process.
DEVICES = ("null", "full", "random", "urandom")
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
# Where memory can be written as files, and how much.
MEMORY = {"/tmp": 256, "/dev/shm": 64}  # noqa: S108
WORK_MEGABYTES = 512
# What a new /proc still tells of the whole machine.
MASKED = (
    *("keys", "key-users", "kcore", "kallsyms", "kmsg", "kpagecount", "kpageflags", "sched_debug", "sysrq-trigger"),
    *("timer_list", "vmallocinfo", "slabinfo", "latency_stats", "interrupts", "modules"),
)
MASKED_FOLDERS = ("acpi", "scsi", "bus", "irq", "fs")
SETTINGS = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "localtime", "fonts", "ssl/openssl.cnf")


class Program(ctypes.Structure):
    """A filter as the kernel takes it."""

    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def must(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def mount(source: str | None, target: str, kind: str | None, flags: int, data: str = "") -> None:
    encoded = [one.encode() if one is not None else None for one in (source, target, kind)]
    must(LIBC.mount(*encoded, ctypes.c_ulong(flags), data.encode()), f"mount {target}")


def bind(source: str, target: str, *, writable: bool = False) -> None:
    """The same file or folder at another place, without devices and without privileges."""
    try:
        mount(source, target, None, MS_BIND)
    except OSError:
        mount(source, target, None, MS_BIND | MS_REC)
    restrict(target, writable=writable)


def restrict(target: str, *, writable: bool) -> None:
    flags = os.statvfs(target).f_flag & 0b1111 | MS_NOSUID
    if "/dev/" not in target:
        flags |= MS_NODEV
    mount(None, target, None, MS_REMOUNT | MS_BIND | flags | (0 if writable else MS_RDONLY))


def build(order: dict[str, object], root: str) -> None:
    """A new root: programs that can be read, memory that can be written, and the shared folder."""
    mount(None, "/", None, MS_REC | MS_PRIVATE)
    mount("tmpfs", root, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=4m")
    for place in SYSTEM:
        if os.path.islink(place):
            os.symlink(os.readlink(place), root + place)
        elif os.path.isdir(place):
            os.mkdir(root + place)
            bind(place, root + place)
    os.mkdir(root + "/etc")
    for name in SETTINGS:
        show("/etc/" + name, root)
    with open(root + "/etc/passwd", "w") as file:
        file.write(f"cell:x:{order['uid']}:{order['gid']}:cell:{order['work']}:/bin/sh\n")
    with open(root + "/etc/group", "w") as file:
        file.write(f"cell:x:{order['gid']}:\n")
    memory = f"mode=0700,uid={order['uid']},gid={order['gid']}"
    for place, size in {**MEMORY, str(order["work"]): WORK_MEGABYTES}.items():
        os.makedirs(root + place, exist_ok=True)
        mount("tmpfs", root + place, "tmpfs", MS_NOSUID | MS_NODEV, f"{memory},size={size}m,nr_inodes=20000")
    for place in order["shown"]:  # type: ignore[attr-defined]
        show(place, root)
    for place in order["hidden"]:  # type: ignore[attr-defined]
        if os.path.isdir(root + place):
            mount("tmpfs", root + place, "tmpfs", MS_RDONLY | MS_NOSUID | MS_NODEV, "mode=0000,size=4k")
    for name in DEVICES:
        open(f"{root}/dev/{name}", "w").close()
        bind(f"/dev/{name}", f"{root}/dev/{name}", writable=True)
    shared = str(order["shared"])
    os.makedirs(root + shared, exist_ok=True)
    bind(shared, root + shared, writable=True)
    os.mkdir(root + "/proc")
    try:
        mount("proc", root + "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    except OSError:
        # Where the machine's own /proc is covered in part, a new one is refused; programs do without.
        mount("tmpfs", root + "/proc", "tmpfs", MS_RDONLY | MS_NOSUID | MS_NODEV, "size=4k")
    for name in MASKED:
        if os.path.exists(f"{root}/proc/{name}"):
            bind("/dev/null", f"{root}/proc/{name}")
    for name in MASKED_FOLDERS:
        if os.path.isdir(f"{root}/proc/{name}"):
            mount("tmpfs", f"{root}/proc/{name}", "tmpfs", MS_RDONLY | MS_NOSUID | MS_NODEV, "mode=0555,size=4k")


def show(place: str, root: str) -> None:
    """Makes something of the machine's readable at its own place, unless it is already."""
    if not os.path.exists(place) or os.path.exists(root + place):
        return
    if os.path.isdir(place):
        os.makedirs(root + place, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(root + place), exist_ok=True)
        open(root + place, "w").close()
    bind(os.path.realpath(place), root + place)


def enter(root: str) -> None:
    os.chdir(root)
    call = PIVOT_ROOT[os.uname().machine]
    must(LIBC.syscall(ctypes.c_long(call), b".", b"."), "pivot_root")
    must(LIBC.umount2(b".", MNT_DETACH), "umount")
    os.chdir("/")
    restrict("/", writable=False)


def separate(order: dict[str, object]) -> None:
    spaces = NEWNS | NEWUTS | NEWIPC | NEWPID | NEWNET
    if not order["own_user"]:
        uid, gid = os.getuid(), os.getgid()
        must(LIBC.unshare(spaces | NEWUSER), "unshare")
        for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
            with open(f"/proc/self/{name}", "w") as file:
                file.write(text)
    else:
        must(LIBC.unshare(spaces), "unshare")
    LIBC.sethostname(b"cells", 5)


def confine(order: dict[str, object]) -> None:
    """No privileges from here on, limits, and no system calls but harmless ones."""
    if order["own_user"]:
        os.setgroups([])
        os.setresgid(*[int(order["gid"])] * 3)  # type: ignore[call-overload]
        os.setresuid(*[int(order["uid"])] * 3)  # type: ignore[call-overload]
    else:
        header = (ctypes.c_uint32 * 2)(0x20080522, 0)
        must(LIBC.capset(header, (ctypes.c_uint32 * 6)()), "capset")
    must(LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    LIBC.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    for name, most in order["limits"].items():  # type: ignore[attr-defined]
        which = getattr(resource, name)
        hard = resource.getrlimit(which)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(which, (most, most))
    steps = bytes.fromhex(str(order["filter"]))
    program = Program(len(steps) // 8, steps)
    must(LIBC.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0), "seccomp")


def first_inside(order: dict[str, object], report: int) -> None:
    """The first process of the sandbox: it closes it, starts the kernel, and buries what others leave."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    root = str(order["root"])
    build(order, root)
    enter(root)
    with open("/dev/null", "r+b", buffering=0) as null:
        for number in (0, 1, 2):
            os.dup2(null.fileno(), number)
    confine(order)
    # The death of whoever started us is forgotten with every change of who we are.
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    os.chdir(str(order["work"]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    kernel = os.fork()
    if kernel == 0:
        os.close(report)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.setsid()
        argv = [str(word) for word in order["argv"]]  # type: ignore[attr-defined]
        os.execve(argv[0], argv, order["environment"])  # type: ignore[arg-type]  # noqa: S606
    os.write(report, b"ok\n")
    os.close(report)
    while True:
        pid, status = os.wait()
        if pid == kernel:
            os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def run(order: dict[str, object]) -> int:
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")
    join_new_keyring()
    meter = None if joined(order["group"]) else Meter(order)
    separate(order)
    listening, report = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(listening)
        if meter is not None:
            meter.close()
        try:
            first_inside(order, report)
        except (OSError, KeyError) as error:
            os.write(report, f"{type(error).__name__}: {error}\n".encode())
        finally:
            os._exit(125)
    os.close(report)
    told = b""
    while chunk := os.read(listening, 4096):
        told += chunk
    os.write(1, told if told.endswith(b"\n") else told + b"it ended without a word\n")
    return attend(order, child, meter)


def join_new_keyring() -> None:
    """A session keyring with nothing in it. Refused by a kernel without keys, or a container that denies them; cells
    have a filter besides."""
    if os.uname().machine in KEYCTL:
        LIBC.syscall(ctypes.c_long(KEYCTL[os.uname().machine]), JOIN_SESSION_KEYRING, None)


def joined(group: object) -> bool:
    """Enters the control group, if there is one."""
    if group is None:
        return False
    try:
        with open(f"{group}/cgroup.procs", "w") as file:
            file.write("0")
    except OSError:
        return False
    return True


class Meter:
    """How much memory all that is inside has: its own, its files, and what the kernel holds for it."""

    def __init__(self, order: dict[str, object]) -> None:
        self.most: int = order["memory"]  # type: ignore[assignment]
        self._files = (*MEMORY, str(order["work"]))
        # The machine's own: there may be none inside.
        self._proc = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY)

    def close(self) -> None:
        os.close(self._proc)

    def taken(self, child: int) -> int:
        """What an ending process had a share of falls to the others while they are counted: then all are counted
        again, but not for ever, since what is inside decides how often that happens."""
        inside = self._inside(child)
        for _ in range(COUNTED_AGAIN):
            taken, before = self._taken_by(inside), inside
            if taken <= self.most or (inside := self._inside(child)) == before:
                break
        return taken

    def _taken_by(self, inside: list[str]) -> int:
        rest = self._in_files() + self._in_buffers(inside)
        taken = rest + sum(self._sum(f"{one}/status", ("RssAnon:", "VmSwap:", "VmPTE:")) for one in inside)
        if taken > self.most:
            # What processes share since one was made of the other was counted for each of them.
            shared = ("Pss_Anon:", "SwapPss:")
            taken = rest + sum(
                self._sum(f"{one}/smaps_rollup", shared) + self._sum(f"{one}/status", ("VmPTE:",)) for one in inside
            )
        return taken

    def pause(self, taken: int) -> float:
        """No longer than it takes to fill what is left, as fast as memory can be filled."""
        return min(0.5, max(0.03, (self.most - taken) / FILLED_IN_A_SECOND))

    def _inside(self, child: int) -> list[str]:
        """A thread of each process that has memory; it need not be the first, which can end before the others."""
        found, pids = [], [child]
        for pid in pids:
            threads = [f"{pid}/task/{thread}" for thread in self._list(f"{pid}/task")]
            for thread in threads:
                pids += map(int, self._read(f"{thread}/children").split())
            found += [one for one in threads if self._read(f"{one}/statm").partition(" ")[0] not in ("", "0")][:1]
        return found

    def _in_files(self) -> int:
        facts = [os.statvfs(place) for place in self._files]
        return sum((one.f_blocks - one.f_bfree) * one.f_frsize for one in facts)

    def _in_buffers(self, inside: list[str]) -> int:
        """Sockets and pipes hold what nobody has received yet: counted as full."""
        names = set()
        for one in inside:
            for number in self._list(f"{one}/fd"):
                with suppress(OSError):
                    names.add(os.readlink(f"{one}/fd/{number}", dir_fd=self._proc))
        return sum(HOLDS.get(name.partition(":")[0], 0) for name in names)

    def _sum(self, path: str, names: tuple[str, ...]) -> int:
        lines = [line.split() for line in self._read(path).splitlines()]
        return 1024 * sum(int(words[1]) for words in lines if len(words) > 1 and words[0] in names)

    def _read(self, path: str) -> str:
        try:
            file = os.open(path, os.O_RDONLY, dir_fd=self._proc)
        except OSError:
            return ""
        with open(file, errors="replace") as opened:
            try:
                return opened.read()
            except OSError:
                return ""

    def _list(self, path: str) -> list[str]:
        try:
            folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY, dir_fd=self._proc)
        except OSError:
            return []
        try:
            return os.listdir(folder)
        except OSError:
            return []
        finally:
            os.close(folder)


def attend(order: dict[str, object], child: int, meter: Meter | None) -> int:
    """Waits for the kernel's end or ours, or for too much memory; seals the shared folder when told."""
    ended = os.pidfd_open(child)
    pause = None if meter is None else 0.0
    fate = 0
    while True:
        ready, _, _ = select.select([0, ended], [], [], pause)
        if 0 in ready:
            word = os.read(0, 64)
            if not word:
                os.kill(child, signal.SIGKILL)
            elif b"seal" in word:
                restrict(str(order["shared"]), writable=False)
                os.write(1, b"sealed\n")
                continue
        elif meter is not None and not ready:
            taken = meter.taken(child)
            pause = meter.pause(taken)
            if taken <= meter.most:
                continue
            fate = int(order["too_much"])  # type: ignore[call-overload]
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        return fate or os.waitstatus_to_exitcode(status) & 0xFF


def read_order() -> dict[str, object]:
    line = b""
    while not line.endswith(b"\n"):
        chunk = os.read(0, 65_536)
        if not chunk:
            sys.exit(1)
        line += chunk
    order: dict[str, object] = json.loads(line)
    return order


if __name__ == "__main__":
    os.umask(0o022)
    try:
        sys.exit(run(read_order()))
    except OSError as error:
        os.write(1, f"{error}\n".encode())
        sys.exit(125)
