"""Who is calling: a bearer token, or the session that a browser got for one."""

from __future__ import annotations

import hashlib
import hmac

from quire.domain.errors import NotAllowed
from quire.domain.sharing import LOCAL_OWNER, Actor
from quire.services.library import Library

COOKIE = "quire_session"
SESSION_SECONDS = 30 * 24 * 3600


class Callers:
    """Tokens are only ever compared by their hashes, so neither their length nor their text shows in the time."""

    def __init__(self, library: Library, token: str) -> None:
        self._library = library
        self._owner = hash_of(token.encode()) if token else None

    @property
    def needed(self) -> bool:
        """Whether everyone must say who they are."""
        return self._owner is not None

    async def of_token(self, token: bytes) -> Actor | None:
        return await self._of_hash(hash_of(token))

    async def of_session(self, session: str) -> Actor | None:
        """A session ends with the token that it was made for."""
        try:
            claims = self._library.parts.signer.verify(session)
        except NotAllowed:
            return None
        return await self._of_hash(claims["session"]) if set(claims) == {"session"} else None

    def session(self, token: bytes) -> str:
        return self._library.parts.signer.sign({"session": hash_of(token)}, SESSION_SECONDS)

    async def _of_hash(self, given: str) -> Actor | None:
        if self._owner is not None and hmac.compare_digest(given.encode(), self._owner.encode()):
            return LOCAL_OWNER
        row = await self._library.read(lambda tx: tx.one("person_by_token_hash", token_hash=given))
        return None if row is None else Actor(id=row["id"], name=row["name"])


def hash_of(token: bytes) -> str:
    return hashlib.sha256(token).hexdigest()
