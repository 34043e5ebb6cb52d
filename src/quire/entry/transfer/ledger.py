"""What of a notebook has been moved: a line a step, written before and after it, so that none is done twice.

A step that was begun and not ended may have been done or not; whoever goes on looks before doing it again.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
from pathlib import Path
from typing import Any, Self

from quire.domain.errors import Conflict, Unsupported

MOST_BYTES = 256 * 2**20


class NotRecorded(Exception):
    """A step could not be written down; nothing may be done that nobody would remember."""


class Ledger:
    """One file for each notebook and pair of libraries. Only one process at a time moves by it."""

    def __init__(self, folder: Path, origin: str, target: str, notebook_id: str) -> None:
        self._head = {"origin": origin, "target": target, "notebook": notebook_id}
        name = hashlib.sha256(json.dumps(self._head, sort_keys=True).encode()).hexdigest()[:32]
        self._path = folder / f"{name}.jsonl"
        self._file: Any = None
        self.done: dict[str, dict[str, Any]] = {}
        self.begun: dict[str, dict[str, Any]] = {}

    def __enter__(self) -> Self:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        except OSError as error:
            raise Unsupported(f"{self._path.parent} cannot be written: {error.strerror}.") from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise Conflict("Another process is moving this notebook.") from None
        self._file = os.fdopen(descriptor, "r+b", buffering=0)
        try:
            self._read()
        except (Unsupported, NotRecorded):
            self._file.close()
            raise
        return self

    def __exit__(self, *exception: object) -> None:
        self._file.close()

    def begin(self, key: str, **facts: Any) -> None:
        """Says that a step is about to be tried."""
        self.begun[key] = facts
        self._write({"begin": key, **facts})

    def end(self, key: str, **facts: Any) -> None:
        """Says what a step came to."""
        self.begun.pop(key, None)
        self.done[key] = facts
        self._write({"done": key, **facts})

    def drop(self, key: str) -> None:
        """Says that nothing came of a step, or that it was taken back."""
        self.begun.pop(key, None)
        self.done.pop(key, None)
        self._write({"drop": key})

    def forget(self) -> None:
        """Begins anew, with a notebook of its own."""
        self.done.clear()
        self.begun.clear()
        self._write({"forget": True})

    def ids(self, kind: str) -> set[str]:
        """What was made of one kind of thing."""
        return {facts["id"] for key, facts in self.done.items() if key.startswith(f"{kind}/") and facts.get("id")}

    def _write(self, line: dict[str, Any]) -> None:
        """In one call, so that a line is there whole or is the last one. A move that cannot be recorded must stop."""
        data = json.dumps(line).encode() + b"\n"
        try:
            if self._file.write(data) < len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(self._file.fileno())
        except OSError as error:
            raise NotRecorded(f"{self._path} cannot be written: {error.strerror}.") from None

    def _read(self) -> None:
        if os.fstat(self._file.fileno()).st_size > MOST_BYTES:
            raise Unsupported(f"{self._path} is not a record of ours.")
        data: bytes = self._file.read()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            self._file.truncate(whole)
        if not whole:
            self._write(self._head)
            return
        try:
            head, *lines = [json.loads(line) for line in data[:whole].splitlines()]
            if head != self._head:
                raise ValueError
            for line in lines:
                self._take(line)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise Unsupported(
                f"{self._path} is damaged.", hint="Without it, the notebook is moved from the beginning."
            ) from None

    def _take(self, line: dict[str, Any]) -> None:
        if line.get("forget"):
            self.done.clear()
            self.begun.clear()
        elif "begin" in line:
            self.begun[line.pop("begin")] = line
        elif "done" in line:
            key = line.pop("done")
            self.begun.pop(key, None)
            self.done[key] = line
        else:
            self.begun.pop(line["drop"], None)
            self.done.pop(line["drop"], None)
