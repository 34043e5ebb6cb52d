"""Who is calling: a bearer token, or the session that a browser got for one."""

from __future__ import annotations

import hashlib
import hmac

from quire.api.library import Library
from quire.domain.errors import NotAllowed
from quire.domain.sharing import LOCAL_OWNER, Actor
from quire.entry.http.token_throttle import TokenThrottle
from quire.ports.machine import Purpose

COOKIE = "quire_session"
SESSION_SECONDS = 7 * 24 * 3600


class Callers:
    """Tokens are only ever compared by their hashes, so neither their length nor their text shows in the time."""

    def __init__(self, library: Library, token: str) -> None:
        self._library = library
        self._owner = hash_of(token.encode()) if token else None
        self._throttle = TokenThrottle()

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
        actor, hashed = await self._known(claims["session"])
        return actor if hashed and hmac.compare_digest(claims["proof"], self._proof(hashed)) else None

    def session(self, actor: Actor, token: bytes) -> str:
        """Whose it is, and a proof of the token that tells nothing of it to whoever reads the cookie."""
        claims = {"session": actor.id, "proof": self._proof(hash_of(token))}
        return self._library.engine.signer.sign(Purpose.PAGE_SESSION, claims, SESSION_SECONDS)

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
        if self._owner is not None and hmac.compare_digest(given.encode(), self._owner.encode()):
            return LOCAL_OWNER
        return await self._library.engine.people.by_token(given)


def hash_of(token: bytes) -> str:
    return hashlib.sha256(token).hexdigest()
