"""A process that dies with whoever started it, and has namespaces of its own where the system allows that."""

from __future__ import annotations

import os
import resource
import signal
from contextlib import suppress

from quire.adapters.cells.launch import (
    LIBC,
    MS_NODEV,
    MS_NOEXEC,
    MS_NOSUID,
    MS_PRIVATE,
    MS_REC,
    PR_SET_NO_NEW_PRIVS,
    PR_SET_PDEATHSIG,
    join_new_keyring,
    mount,
    separate,
)

NETWORK = "/proc/self/ns/net"


def go_apart() -> None:
    """Returns in a descendant that sees no network, no shared memory and no process but its own.

    The one that was started waits for it, and ends as it did. Where no namespaces may be made, nothing changes but
    that we die with whoever started us.
    """
    die_with_parent()
    join_new_keyring()
    if not separated():
        return
    if first := os.fork():
        end_as(first)
    # The first process of a namespace is deaf to what would end others, like having used up its time.
    die_with_parent()
    own_mounts()
    if reader := os.fork():
        end_as(reader)
    LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def separated() -> bool:
    """Whether we have new namespaces. They may have been made and not be ours in full; our files we can read anyway."""
    if not os.path.exists(NETWORK):
        return False
    before = os.readlink(NETWORK)
    with suppress(OSError):
        separate({"own_user": os.geteuid() == 0})
    return os.readlink(NETWORK) != before


def die_with_parent() -> None:
    if hasattr(LIBC, "prctl"):
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def own_mounts() -> None:
    """What tells of processes tells of ours alone, unless a part of it is covered: then a new one is refused."""
    with suppress(OSError):
        mount(None, "/", None, MS_REC | MS_PRIVATE)
        mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)


def end_as(child: int) -> None:
    """Ends as a child did: the first process of a namespace by a code, since no signal ends it."""
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    number = -code if code < 0 else code - 128
    if number > 0 and os.getpid() != 1:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(128 - code if code < 0 else code)
