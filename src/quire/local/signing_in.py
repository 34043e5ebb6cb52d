"""Who is calling: by a token that holds."""

from __future__ import annotations

import uuid
from contextlib import suppress

from quire.domain.errors import QuireError
from quire.domain.sharing import Actor, SignedIn
from quire.local.people import add_person, new_token
from quire.local.scope import SystemScope
from quire.local.timestamps import optional_moment
from quire.local.workers import sweep
from quire.ports.store import Row, Tx

# How exactly it is known when a token was last used: a write with each call would cost more than the call.
USED_WITHIN = 600 * 1_000_000
KEPT_EXPIRED = 30 * 24 * 3600 * 1_000_000


class SigningIn:
    def __init__(self, system: SystemScope) -> None:
        self._system = system

    async def by_token(self, token_hash: str) -> SignedIn | None:
        now = self._system.now()
        return await self._noticed(
            await self._system.look_up(lambda tx: tx.one("token_by_hash", hash=token_hash, now=now)), now
        )

    async def by_token_id(self, id: str) -> SignedIn | None:
        now = self._system.now()
        return await self._noticed(await self._system.look_up(lambda tx: tx.one("token_by_id", id=id, now=now)), now)

    async def admitted(self, email: str, label: str, seconds: int, new_name: str | None) -> str | None:
        def work(tx: Tx) -> str | None:
            at = self._system.now()
            row = tx.one("person_by_email", email=email)
            if row is None:
                if new_name is None:
                    return None
                id = str(uuid.uuid4())
                add_person(tx, id, new_name, None, at, email)
                told = {"actor_id": id, "actor": email, "action": "person.added", "subject": email}
                tx.run("insert_sharing_log", at=at, notebook_id=None, title="", detail=label, **told)
            else:
                id = row["id"]
            return new_token(tx, id, label, at, at + seconds * 1_000_000).token

        return await self._system.write(work)

    @sweep
    async def forget_expired(self) -> None:
        before = self._system.now() - KEPT_EXPIRED
        await self._system.write(lambda tx: tx.run("sweep_tokens", before=before))

    async def _noticed(self, row: Row | None, now: int) -> SignedIn | None:
        if row is None:
            return None
        if row["used_at"] is None or now - row["used_at"] > USED_WITHIN:
            # Whoever may only read the store is let in, too.
            with suppress(QuireError):
                await self._system.write(lambda tx: tx.run("token_used", id=row["id"], at=now))
        return SignedIn(
            actor=Actor(id=row["person_id"], name=row["name"]),
            token_id=row["id"],
            token_hash=row["hash"],
            expires_at=optional_moment(row["expires_at"]),
        )
