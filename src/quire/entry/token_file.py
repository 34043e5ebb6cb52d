"""The owner's token where Quire makes it itself: a file in the home that nobody else may read."""

from __future__ import annotations

import hmac
import os
import secrets
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from quire.ports.machine import Purpose, Signer

AUTO = "auto"
TOKEN_BYTES = 32
OURS_ALONE = 0o600


class TokenFile:
    """Whoever replaces the file (`quire token --rotate`) ends the old token, on servers that run too."""

    def __init__(self, home: Path) -> None:
        self.path = home / "token"
        self._seen: tuple[int, int] | None = None
        self._token = ""

    @property
    def there(self) -> bool:
        """Whether a token has been made."""
        return self.path.is_file()

    def current(self) -> str:
        """The token as it is now; the first to ask makes one."""
        try:
            seen = self._state()
        except FileNotFoundError:
            self._make(new=False)
            seen = self._state()
        if seen != self._seen:
            if self.path.stat().st_mode & 0o777 != OURS_ALONE:
                self.path.chmod(OURS_ALONE)
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
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OURS_ALONE), "w") as file:
            file.write(secrets.token_urlsafe(TOKEN_BYTES) + "\n")
        if new:
            temporary.replace(self.path)
            return
        with suppress(FileExistsError):
            os.link(temporary, self.path)
        temporary.unlink()


class OwnersTokenMark:
    """`token` is the one that is set. Without one it is that of the file, if the home has one."""

    def __init__(self, token: str, file: TokenFile, signer: Signer) -> None:
        self._token = token
        self._file = file
        self._signer = signer

    def mark(self) -> str:
        return next(self._marks(), "")

    def has(self, mark: str) -> bool:
        """One process may have a token set, and another know of the file alone."""
        return any(hmac.compare_digest(mark, one) for one in self._marks())

    def _marks(self) -> Iterator[str]:
        key = self._signer.derived(Purpose.OWNERS_MARK)
        set_here = self._token if self._token != AUTO else ""
        kept = self._file.current() if self._token == AUTO or self._file.there else ""
        for token in filter(None, (set_here, kept)):
            yield hmac.new(key, token.encode(), "sha256").hexdigest()
