"""Who is calling: a bearer token, or the session that a browser got for one."""

from __future__ import annotations

import asyncio
import hmac
import secrets
from typing import NamedTuple

from quire.api.library import Library
from quire.domain.errors import LimitReached, NotAllowed
from quire.domain.sharing import LOCAL_OWNER, Actor, SignedIn, hash_of
from quire.entry.http.ended_sessions import EndedSessions
from quire.entry.http.token_throttle import TokenThrottle
from quire.entry.token_file import TokenFile
from quire.ports.machine import Purpose

COOKIE = "quire_session"
SESSION_SECONDS = 7 * 24 * 3600
OWNERS_TOKEN = ""


class Caller(NamedTuple):
    """Who calls, and by which token of theirs; by none where it is the owner's, or none is needed."""

    actor: Actor
    signed_in: SignedIn | None = None

    @property
    def token_id(self) -> str:
        return self.signed_in.token_id if self.signed_in else ""


OWNER = Caller(LOCAL_OWNER)


class Callers:
    """Tokens are only ever compared by their hashes, so neither their length nor their text shows in the time.

    `token` is the owner's, or the file that holds it. `needed` says that everyone must sign in even without one.
    """

    def __init__(
        self,
        library: Library,
        token: str | TokenFile,
        ended: EndedSessions | None = None,
        *,
        needed: bool = False,
    ) -> None:
        self._library = library
        self._token = token
        self._ended = ended or EndedSessions(None)
        self._throttle = TokenThrottle()
        self._always = needed

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
        return self._always or self._owner is not None

    async def admitted(self, token: bytes | None, address: str) -> Caller:
        """Whoever has this token; none, and a wrong one, counts against the address."""
        caller = None if token is None else await self.of_token(token)
        if caller is None:
            raise self._throttle.refused(address)
        return caller

    async def looked_at(self, token: bytes, address: str) -> Caller | None:
        """Whoever has this token, where nobody needs one. A wrong one counts here, too."""
        caller = await self.of_token(token)
        if caller is None and isinstance(refused := self._throttle.refused(address), LimitReached):
            raise refused
        return caller

    async def of_token(self, token: bytes) -> Caller | None:
        given, owner = hash_of(token), self._owner
        if owner is not None and hmac.compare_digest(given.encode(), owner.encode()):
            return OWNER
        signed = await self._library.engine.people.by_token(given)
        return None if signed is None else Caller(signed.actor, signed)

    async def of_session(self, session: str) -> Caller | None:
        """A session ends with the token that it was made for."""
        try:
            claims = self._library.engine.signer.verify(Purpose.PAGE_SESSION, session)
        except NotAllowed:
            return None
        if claims["id"] in self._ended:
            return None
        caller, hashed = await self._known(claims["token"])
        return caller if hashed and hmac.compare_digest(claims["proof"], self._proof(hashed)) else None

    def session(self, caller: Caller, token: bytes) -> str:
        """Which token it stands for, and a proof of that which tells nothing of it to whoever reads the cookie."""
        token_id = OWNERS_TOKEN if caller.signed_in is None else caller.signed_in.token_id
        claims = {"id": secrets.token_hex(8), "token": token_id, "proof": self._proof(hash_of(token))}
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

    async def _known(self, token_id: str) -> tuple[Caller | None, str | None]:
        """Whose token this is, and its hash, if it holds."""
        if token_id == OWNERS_TOKEN:
            return OWNER, self._owner
        signed = await self._library.engine.people.by_token_id(token_id)
        return (None, None) if signed is None else (Caller(signed.actor, signed), signed.token_hash)
