"""A control group (version 2) for a sandbox, where this process may make one: limits on all that is inside at once."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PREFIX = "quire-cells-"
NEEDED = {"memory", "pids"}


@dataclass(frozen=True)
class ControlGroup:
    folder: Path

    @classmethod
    def make(cls, memory: int, processes: int, parent: Path | None = None) -> ControlGroup | None:
        """None where none can be made; then the sandbox counts for itself."""
        parent = parent or delegated()
        if parent is None:
            return None
        made = cls(parent / f"{PREFIX}{secrets.token_hex(8)}")
        try:
            made.folder.mkdir()
            made._set("memory.max", memory)
            made._set("memory.oom.group", 1)
            made._set("pids.max", processes)
            with suppress(FileNotFoundError):
                made._set("memory.swap.max", 0)
        except OSError:
            made.remove()
            return None
        return made

    def exceeded(self) -> bool:
        """Whether something inside was killed because all of it had too much memory."""
        try:
            events = (self.folder / "memory.events").read_text().split()
            return int(events[events.index("oom_kill") + 1]) > 0
        except (OSError, ValueError, IndexError):
            return False

    def remove(self) -> None:
        with suppress(OSError):
            self._set("cgroup.kill", 1)
        with suppress(OSError):
            self.folder.rmdir()

    def _set(self, name: str, value: int) -> None:
        with open(self.folder / name, "r+") as file:
            file.write(str(value))


def sweep() -> None:
    """Removes the groups that killed servers have left; one that holds a process cannot be removed."""
    parent = delegated()
    for folder in parent.glob(f"{PREFIX}*") if parent else ():
        with suppress(OSError):
            folder.rmdir()


def delegated(of: Path = Path("/proc/self")) -> Path | None:
    """The nearest group above this process that divides memory and processes, and that we may divide further."""
    try:
        own = next(line[3:] for line in (of / "cgroup").read_text().splitlines() if line.startswith("0::"))
        mounts = [line.split() for line in (of / "mountinfo").read_text().splitlines() if " - cgroup2 " in line]
    except (OSError, StopIteration):
        return None
    for _, _, _, root, point, *_ in mounts:
        if not Path(own).is_relative_to(root):
            continue
        top = Path(point)
        place = top / Path(own).relative_to(root)
        for group in (place, *place.parents):
            if divides(group):
                return group
            if group == top:
                break
    return None


def divides(group: Path) -> bool:
    try:
        shared_out = (group / "cgroup.subtree_control").read_text().split()
    except OSError:
        return False
    return set(shared_out) >= NEEDED and os.access(group, os.W_OK) and os.access(group / "cgroup.procs", os.W_OK)
