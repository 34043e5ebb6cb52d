"""The program that makes a sandbox and runs a kernel in it: `python -I -S launch.py`, with the order on its input.

It stands alone, so that nothing but the standard library is loaded before the sandbox is closed. The order is a
line of JSON. What runs inside sees new namespaces (mounts, processes, network, IPC, host name), a root of its own
that holds the system's programs read-only, a folder of memory to write in, and one folder that it shares with us
for its sockets; `seal` on our input makes that one read-only too. When our input ends, everything inside is killed.
"""

from __future__ import annotations

import ctypes
import json
import os
import platform
import resource
import select
import signal
import sys

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
PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS, PR_SET_DUMPABLE = 1, 38, 4
DEVICES = ("null", "zero", "full", "random", "urandom")
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
SETTINGS = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "localtime", "fonts", "ssl/openssl.cnf")


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
    for place, size in (("/tmp", "256m"), ("/dev/shm", "64m"), (str(order["work"]), "512m")):  # noqa: S108
        os.makedirs(root + place, exist_ok=True)
        mount("tmpfs", root + place, "tmpfs", MS_NOSUID | MS_NODEV, f"{memory},size={size},nr_inodes=20000")
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
    call = PIVOT_ROOT[platform.machine()]
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
    """No privileges from here on, and limits."""
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
    separate(order)
    listening, report = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(listening)
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
    return attend(order, child)


def attend(order: dict[str, object], child: int) -> int:
    """Waits for the kernel's end or ours; seals the shared folder when told."""
    ended = os.pidfd_open(child)
    while True:
        ready, _, _ = select.select([0, ended], [], [])
        if 0 in ready:
            word = os.read(0, 64)
            if not word:
                os.kill(child, signal.SIGKILL)
            elif b"seal" in word:
                restrict(str(order["shared"]), writable=False)
                os.write(1, b"sealed\n")
                continue
        _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status) & 0xFF


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
