"""The owner's token where Quire makes it itself: a file in the home that nobody else may read."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

AUTO = "auto"
TOKEN_BYTES = 32


class TokenFile:
    """Whoever replaces the file (`quire token --rotate`) ends the old token, on servers that run too."""

    def __init__(self, home: Path) -> None:
        self.path = home / "token"
        self._seen: tuple[int, int] | None = None
        self._token = ""

    def current(self) -> str:
        """The token as it is now; the first to ask makes one."""
        try:
            seen = self._state()
        except FileNotFoundError:
            self._make(new=False)
            seen = self._state()
        if seen != self._seen:
            self.path.chmod(0o600)
            self._token = self.path.read_text(encoding="ascii").strip()
            self._seen = seen
        return self._token

    def rotate(self) -> str:
        """Another token instead of the one before."""
        self._make(new=True)
        return self.current()

    def _state(self) -> tuple[int, int]:
        state = self.path.stat()
        return state.st_ino, state.st_mtime_ns

    def _make(self, *, new: bool) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        temporary = self.path.with_name(f".token.{secrets.token_hex(4)}")
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(TOKEN_BYTES) + "\n")
        if new:
            temporary.replace(self.path)
            return
        with suppress(FileExistsError):
            os.link(temporary, self.path)
        temporary.unlink()
