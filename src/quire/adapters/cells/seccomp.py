"""Which system calls a cell may not make: a seccomp filter, written as a program for the kernel's BPF machine.

There is no kept binding of libseccomp on PyPI, so it is written out. Everything is allowed but what stands here: what
reaches beyond a sandbox although it has no privileges, what makes new ones inside of which it would have some, and
memory that belongs to no file and no process, which could not be counted.
"""

from __future__ import annotations

import errno
import struct

# System calls by name: on x86_64, and on machines whose numbers are Linux's generic ones.
KEYS = {"add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219)}
NAMESPACES = {"unshare": (272, 97), "setns": (308, 268)}
MOUNTS = {
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "statmount": (457, 457),
    "listmount": (458, 458),
    "open_tree_attr": (467, 467),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "swapon": (167, 224),
    "swapoff": (168, 225),
}
KERNEL = {
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "syslog": (103, 116),
    "reboot": (169, 142),
    "acct": (163, 89),
    "vhangup": (153, 58),
    "personality": (135, 92),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "lookup_dcookie": (212, 18),
    "nfsservctl": (180, 42),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
    "uselib": (134, None),
    "_sysctl": (156, None),
}
PROCESSES = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
}
MEMORY = {"shmget": (29, 194), "semget": (64, 190), "msgget": (68, 186), "mq_open": (240, 180)}
DENIED = KEYS | NAMESPACES | MOUNTS | KERNEL | PROCESSES | MEMORY
# Programs try these first and know how to do without; what `clone3` is asked for, no filter can read.
UNKNOWN = {
    "clone3": (435, 435),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
}
CLONE, SOCKET, MMAP, CLOSE_RANGE = (56, 220), (41, 198), (9, 222), (436, 436)
# What a thread opens in a table of its own, apart from its process's, would not be counted.
THREAD, SAME_FILES, CLOSE_RANGE_UNSHARE = 0x10000, 0x400, 2
# Namespaces of mounts, control groups, host names, IPC, users, processes and networks.
NEW_NAMESPACES = 0x20000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000
FAMILIES = (1, 2, 10)  # Unix, IPv4, IPv6
# Which interfaces there are is asked by way of this family's first protocol; ZeroMQ aborts where that is denied.
NETLINK, NETLINK_ROUTE = 16, 0
SHARED_ANONYMOUS = 0x01 | 0x20

# By platform.machine(): the number of the architecture and which numbers its system calls have.
MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1), "riscv64": (0xC00000F3, 1)}
X32 = 0x40000000

LOAD, EQUAL, AT_LEAST, ANY_BIT, AND, RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16
ALLOW, KILL, REFUSE = 0x7FFF0000, 0x80000000, 0x00050000


def program(machine: str) -> bytes:
    """The filter for a machine; KeyError where its numbers are not known. One of another word size is killed."""
    architecture, column = MACHINES[machine]
    steps = [
        *(step(LOAD, ARCHITECTURE), step(EQUAL, architecture, 1, 0), step(RETURN, KILL)),
        *(step(LOAD, NUMBER), step(AT_LEAST, X32, 0, 1), step(RETURN, KILL)),
    ]
    for calls, number in ((DENIED, errno.EPERM), (UNKNOWN, errno.ENOSYS)):
        for numbers in calls.values():
            if (call := numbers[column]) is not None:
                steps += [step(EQUAL, call, 0, 1), step(RETURN, REFUSE | number)]
    refuse = step(RETURN, REFUSE | errno.EPERM)
    apart = [step(AND, THREAD | SAME_FILES), step(EQUAL, THREAD, 0, 1), refuse]
    steps += only_if(CLONE[column], 0, [step(ANY_BIT, NEW_NAMESPACES, 0, 1), refuse, *apart])
    steps += only_if(CLOSE_RANGE[column], 2, [step(ANY_BIT, CLOSE_RANGE_UNSHARE, 0, 1), refuse])
    steps += only_if(
        MMAP[column],
        3,
        [
            step(AND, SHARED_ANONYMOUS),
            step(EQUAL, SHARED_ANONYMOUS, 0, 1),
            refuse,
        ],
    )
    known = [step(EQUAL, family, len(FAMILIES) - number + 3, 0) for number, family in enumerate(FAMILIES)]
    route = [step(EQUAL, NETLINK, 0, 2), step(LOAD, ARGUMENTS + 16), step(EQUAL, NETLINK_ROUTE, 1, 0)]
    steps += only_if(SOCKET[column], 0, [*known, *route, step(RETURN, REFUSE | errno.EAFNOSUPPORT)])
    return b"".join([*steps, step(RETURN, ALLOW)])


def only_if(call: int, argument: int, steps: list[bytes]) -> list[bytes]:
    """Steps for one system call, on the lower half of one of its arguments."""
    inside = [step(LOAD, ARGUMENTS + 8 * argument), *steps, step(RETURN, ALLOW)]
    return [step(EQUAL, call, 0, len(inside)), *inside]


def step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("<HBBI", code, if_true, if_false, value)
