"""Who is calling: a bearer token, or the session that a browser got for one."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets

from quire.api.library import Library
from quire.domain.errors import NotAllowed
from quire.domain.sharing import LOCAL_OWNER, Actor
from quire.entry.http.ended_sessions import EndedSessions
from quire.entry.http.token_throttle import TokenThrottle
from quire.entry.token_file import TokenFile
from quire.ports.machine import Purpose

COOKIE = "quire_session"
SESSION_SECONDS = 7 * 24 * 3600


class Callers:
    """Tokens are only ever compared by their hashes, so neither their length nor their text shows in the time.

    `token` is the owner's, or the file that holds it.
    """

    def __init__(self, library: Library, token: str | TokenFile, ended: EndedSessions | None = None) -> None:
        self._library = library
        self._token = token
        self._ended = ended or EndedSessions(None)
        self._throttle = TokenThrottle()

    @property
    def shown_token(self) -> str | None:
        """The owner's token where Quire made it itself, so that the owner's own page may show it."""
        return self._token.current() if isinstance(self._token, TokenFile) else None

    @property
    def _owner(self) -> str | None:
        token = self.shown_token or self._token
        return hash_of(token.encode()) if isinstance(token, str) and token else None

    @property
    def needed(self) -> bool:
        """Whether everyone must say who they are."""
        return self._owner is not None

    async def admitted(self, token: bytes | None, address: str) -> Actor:
        """Whoever has this token; none, and a wrong one, counts against the address."""
        actor = None if token is None else await self.of_token(token)
        if actor is None:
            raise self._throttle.refused(address)
        return actor

    async def of_token(self, token: bytes) -> Actor | None:
        return await self._of_hash(hash_of(token))

    async def of_session(self, session: str) -> Actor | None:
        """A session ends with the token that it was made for."""
        try:
            claims = self._library.engine.signer.verify(Purpose.PAGE_SESSION, session)
        except NotAllowed:
            return None
        if claims["id"] in self._ended:
            return None
        actor, hashed = await self._known(claims["session"])
        return actor if hashed and hmac.compare_digest(claims["proof"], self._proof(hashed)) else None

    def session(self, actor: Actor, token: bytes) -> str:
        """Whose it is, and a proof of the token that tells nothing of it to whoever reads the cookie."""
        claims = {"id": secrets.token_hex(8), "session": actor.id, "proof": self._proof(hash_of(token))}
        return self._library.engine.signer.sign(Purpose.PAGE_SESSION, claims, SESSION_SECONDS)

    async def end(self, session: str) -> None:
        """From now on the session is nobody's, wherever it was copied to."""
        try:
            claims = self._library.engine.signer.verify(Purpose.PAGE_SESSION, session)
        except NotAllowed:
            return
        await asyncio.to_thread(self._ended.end, claims["id"], SESSION_SECONDS)

    def _proof(self, hashed: str) -> str:
        key = self._library.engine.signer.derived(Purpose.PAGE_SESSION_PROOF)
        return hmac.new(key, hashed.encode(), "sha256").hexdigest()

    async def _known(self, id: str) -> tuple[Actor | None, str | None]:
        """Who this is, and the hash of the token they have now."""
        if id == LOCAL_OWNER.id:
            return LOCAL_OWNER, self._owner
        person = await self._library.engine.people.by_id(id)
        return person, person.token_hash if person else None

    async def _of_hash(self, given: str) -> Actor | None:
        owner = self._owner
        if owner is not None and hmac.compare_digest(given.encode(), owner.encode()):
            return LOCAL_OWNER
        return await self._library.engine.people.by_token(given)


def hash_of(token: bytes) -> str:
    return hashlib.sha256(token).hexdigest()
