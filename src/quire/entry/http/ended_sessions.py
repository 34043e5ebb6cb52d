"""Sessions of browsers that were ended before their time."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path


class EndedSessions:
    """In a file of the home, so that they stay ended for every server of it; without a home, in this process only."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._ended: dict[str, float] = {}
        self._seen: tuple[int, int] | None = None

    def __contains__(self, id: str) -> bool:
        if self._path is not None:
            self._look(self._path)
        return id in self._ended

    def end(self, id: str, seconds: float) -> None:
        """Ends a session that would have gone on for so long at most."""
        until = time.time() + seconds
        self._ended[id] = until
        if self._path is None:
            return
        with os.fdopen(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600), "r+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            # Those that have run out by themselves need no line any more.
            kept = {id: until} | {one: end for one, end in _read(file.read()).items() if end > time.time()}
            file.seek(0)
            file.truncate()
            file.writelines(f"{one} {end:.0f}\n" for one, end in kept.items())

    def _look(self, path: Path) -> None:
        try:
            state = path.stat()
        except FileNotFoundError:
            return
        seen = (state.st_mtime_ns, state.st_size)
        if seen != self._seen:
            with path.open(encoding="ascii") as file:
                fcntl.flock(file, fcntl.LOCK_SH)
                self._ended |= _read(file.read())
            self._seen = seen


def _read(text: str) -> dict[str, float]:
    lines = (line.split() for line in text.splitlines())
    return {line[0]: float(line[1]) for line in lines if len(line) == 2}
