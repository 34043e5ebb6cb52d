"""Where a server of this home can be reached, for the other processes that hand out links."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from quire.entry.settings import Settings

NAME = "served_at"
LONGEST = 300


class ServedAddress:
    """A file in the home, locked for as long as the server runs: what a dead one has left behind is not believed."""

    def __init__(self, home: Path) -> None:
        self._path = home / NAME

    @contextmanager
    def told(self, address: str) -> Iterator[None]:
        """Tells it until the block ends. Of two servers of one home the first is told of."""
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        try:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield
                return
            os.ftruncate(descriptor, 0)
            os.write(descriptor, address.encode())
            try:
                yield
            finally:
                os.ftruncate(descriptor, 0)
        finally:
            os.close(descriptor)

    def current(self) -> str:
        """The address of the server that runs, or nothing."""
        try:
            descriptor = os.open(self._path, os.O_RDONLY | os.O_NOFOLLOW)
        except OSError:
            return ""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return os.read(descriptor, LONGEST).decode(errors="replace")
        finally:
            os.close(descriptor)
        return ""


def address_in_links(settings: Settings) -> str:
    """The one that was set, else that of the server that runs, else where one would run."""
    chosen = settings.public_url or settings.origins["port"] != "default" or settings.store == "memory"
    return settings.base_url if chosen else ServedAddress(settings.home).current() or settings.base_url
