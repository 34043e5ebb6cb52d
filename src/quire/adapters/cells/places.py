"""The folders of sandboxes in this machine's folder for temporary files, and whose they are."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PREFIX = "quire-cells-"
OWNER = "owner"
# A folder without its lock is being made, or was when its server was killed.
MAKING_SECONDS = 60


@dataclass(frozen=True)
class Place:
    """A folder with a place for a root, and the folder that is shared with what runs inside.

    A lock on a file in it says that its server lives: the system lets go of it when that ends in whatever way.
    """

    folder: Path
    lock: int

    @classmethod
    def make(cls, files: Mapping[str, str], uid: int | None) -> Place:
        """`files` lie in the shared folder, whose path is `{shared}` in them; it is given to `uid`."""
        folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        lock = os.open(folder / OWNER, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        made = cls(folder, lock)
        fcntl.flock(lock, fcntl.LOCK_EX)
        made.shared.mkdir(mode=0o700)
        made.root.mkdir()
        for name, text in files.items():
            (made.shared / name).write_text(text.replace("{shared}", str(made.shared)), encoding="utf-8")
        if uid is not None:
            folder.chmod(0o711)
            for path in (made.shared, *made.shared.iterdir()):
                os.chown(path, uid, uid)
        return made

    @property
    def shared(self) -> Path:
        return self.folder / "io"

    @property
    def root(self) -> Path:
        return self.folder / "root"

    def occupied_by(self, pid: int) -> None:
        """Notes which process is to be ended if our server cannot do it any more."""
        os.pwrite(self.lock, json.dumps({"pid": pid, "born": born(pid)}).encode(), 0)

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        os.close(self.lock)


def sweep() -> int:
    """Ends and removes what servers have left that were killed. Returns how many folders that were."""
    removed = 0
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            removed += swept(folder)
    return removed


def swept(folder: Path) -> bool:
    facts = folder.lstat()
    if facts.st_uid != os.geteuid() or folder.is_symlink():
        return False
    try:
        lock = os.open(folder / OWNER, os.O_RDWR | os.O_NOFOLLOW)
    except FileNotFoundError:
        if time.time() - facts.st_mtime < MAKING_SECONDS:
            return False
        shutil.rmtree(folder, ignore_errors=True)
        return True
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        with suppress(ValueError, KeyError, TypeError):
            owner = json.loads(os.pread(lock, 1_000, 0))
            pid = int(owner["pid"])
            if owner["born"] and born(pid) == owner["born"]:
                os.killpg(pid, signal.SIGKILL)
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(lock)
    return True


def born(pid: int) -> str:
    """When a process began, by which it is told from a later one of the same number; empty where there is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""
