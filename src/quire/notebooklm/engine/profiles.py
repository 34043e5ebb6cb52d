"""Where the cookies of accounts are kept: a file a profile, for its owner alone, shared safely by several processes."""

from __future__ import annotations

import fcntl
import json
import os
import re
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from quire.domain.errors import InvalidInput, NotFound, NotSignedIn, TimedOut, Unsupported
from quire.notebooklm.engine.cookies import CookieJar, cookies_in, storage_state

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
FILE, LOCK, FRESH = "storage_state.json", "lock", ".fresh-"
LOCK_SECONDS = 15.0
LOOK_AGAIN = 0.02
HINT = "Run: quire login"
MOST_BYTES = 8 * 2**20


@dataclass(frozen=True, slots=True)
class Tokens:
    """What each call carries: a proof that it was made on NotebookLM's own page, and the page's number and build.

    `read_at` is when they were read from the page, in seconds since 1970.
    """

    csrf: str = field(repr=False)
    session: str = field(repr=False)
    build: str = ""
    read_at: float = 0.0


@dataclass(frozen=True, slots=True)
class Stored:
    """Cookies as they were kept, when Google was last asked to renew them (seconds since 1970), and the last tokens."""

    jar: CookieJar = field(repr=False)
    renewed_at: float = 0.0
    tokens: Tokens | None = None


class CookieStore(Protocol):
    """`read` and `join` look at files and may wait for a lock: call them off the event loop."""

    @property
    def name(self) -> str: ...

    def read(self) -> Stored: ...

    def join(self, jar: CookieJar, renewed_at: float, tokens: Tokens | None = None) -> Stored:
        """Keeps what changed since `jar` was read, beside what others have kept meanwhile; newer tokens win."""
        ...

    def lock(self) -> object:
        """A context in which nobody else renews; TimedOut where another one takes too long."""
        ...


class Profile:
    """One account's file. It is written beside and renamed, so that it is whole whoever reads it."""

    def __init__(self, folder: Path, name: str) -> None:
        if not NAME.fullmatch(name):
            raise InvalidInput("A profile's name has letters, digits, - and _ only.")
        self.name = name
        self._folder = folder / name
        self.path = self._folder / FILE

    @property
    def exists(self) -> bool:
        return self.path.is_file()

    def read(self) -> Stored:
        try:
            with self.path.open("rb") as file:
                text = file.read(MOST_BYTES).decode()
        except FileNotFoundError:
            raise NotSignedIn(f"Nobody is signed in under the profile '{self.name}'.", hint=HINT) from None
        except (OSError, UnicodeDecodeError):
            raise NotSignedIn(f"The profile '{self.name}' cannot be read.", hint=HINT) from None
        try:
            data = json.loads(text)
            jar = CookieJar(cookies_in(text), str(data.get("login", "")))
            return Stored(jar, float(data.get("renewed_at", 0)), _tokens_of(data))
        except (InvalidInput, ValueError, TypeError, AttributeError, OverflowError, RecursionError):
            raise NotSignedIn(f"The profile '{self.name}' holds no cookies.", hint=HINT) from None

    def sign_in(self, text: str) -> None:
        """Keeps the cookies of a browser; what was there before is gone."""
        jar = CookieJar(cookies_in(text), secrets.token_hex(8))
        if jar.missing:
            raise InvalidInput(
                f"The cookies are not those of somebody who is signed in: {', '.join(jar.missing)} missing.",
                hint="Open NotebookLM in a browser that is signed in, and save all cookies of google.com from there.",
            )
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with self._held(".write"):
                self._write(Stored(jar))
        except OSError as error:
            raise Unsupported(f"{self._folder} cannot be written: {error.strerror}.") from None

    def join(self, jar: CookieJar, renewed_at: float, tokens: Tokens | None = None) -> Stored:
        try:
            with self._held(".write"):
                stored = self.read()
                if stored.jar.login != jar.login:
                    return stored
                newest = max(filter(None, (stored.tokens, tokens)), key=lambda one: one.read_at, default=None)
                return self._write(Stored(jar.joined(stored.jar), max(renewed_at, stored.renewed_at), newest))
        except OSError:
            # Where nothing can be written, this process goes on with what it knows.
            return Stored(jar, renewed_at, tokens)

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Refused where nothing can be written: what Google then renews would be lost for all."""
        try:
            with self._held(".renew"):
                yield
        except OSError as error:
            raise Unsupported(f"{self._folder} cannot be written: {error.strerror}.") from None

    def delete(self) -> None:
        """The cookies first, whoever else is at work in the folder."""
        if not self.exists:
            raise NotFound("profile", self.name, hint="quire auth profiles lists those that there are.")
        try:
            with self._held(".write"):
                self.path.unlink(missing_ok=True)
                shutil.rmtree(self._folder)
        except OSError as error:
            raise Unsupported(f"{self._folder} cannot be deleted: {error.strerror}.") from None

    def _write(self, stored: Stored) -> Stored:
        """Called by whoever holds the lock, so that what else lies there unfinished is a dead process's."""
        for left in self._folder.glob(f"{FRESH}*"):
            left.unlink(missing_ok=True)
        state = storage_state(stored.jar) | {"renewed_at": stored.renewed_at, "login": stored.jar.login}
        if stored.tokens is not None:
            state["tokens"] = asdict(stored.tokens)
        fresh = self._folder / f"{FRESH}{secrets.token_hex(6)}"
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                json.dump(state, file)
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self.path)
        finally:
            fresh.unlink(missing_ok=True)
        return replace(stored, jar=CookieJar(stored.jar, stored.jar.login))

    @contextmanager
    def _held(self, kind: str) -> Iterator[None]:
        """Between processes, and between threads of one: each opens the file for itself."""
        try:
            descriptor = os.open(self._folder / (LOCK + kind), os.O_RDWR | os.O_CREAT, 0o600)
        except FileNotFoundError:
            raise NotSignedIn(f"Nobody is signed in under the profile '{self.name}'.", hint=HINT) from None
        end = time.monotonic() + LOCK_SECONDS
        try:
            while True:
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() > end:
                        raise TimedOut("Another process holds the account's file.") from None
                    time.sleep(LOOK_AGAIN)
            yield
        finally:
            os.close(descriptor)


class GivenCookies:
    """Cookies that came with the process and are kept nowhere."""

    name = "environment"

    def __init__(self, text: str) -> None:
        self._stored = Stored(CookieJar(cookies_in(text)))

    def read(self) -> Stored:
        return self._stored

    def join(self, jar: CookieJar, renewed_at: float, tokens: Tokens | None = None) -> Stored:
        self._stored = Stored(jar.joined(self._stored.jar), renewed_at, tokens or self._stored.tokens)
        return self._stored

    @contextmanager
    def lock(self) -> Iterator[None]:
        yield


def _tokens_of(data: dict[str, Any]) -> Tokens | None:
    """Tokens that were kept, where they look like some; without them they are read anew."""
    kept = data.get("tokens")
    if not isinstance(kept, dict):
        return None
    csrf, session, build = (str(kept.get(name) or "") for name in ("csrf", "session", "build"))
    return Tokens(csrf, session, build, float(kept.get("read_at", 0))) if csrf and session else None


class Profiles:
    """All accounts that this home knows."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, name: str) -> Profile:
        return Profile(self._folder, name)

    def names(self) -> list[str]:
        if not self._folder.is_dir():
            return []
        return sorted(one.name for one in self._folder.iterdir() if NAME.fullmatch(one.name) and (one / FILE).is_file())
