"""Signed addresses of files: good for whoever has them, as long as whoever made them could still have the file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quire.api.context import Context
from quire.api.engine import Subject
from quire.domain.errors import NotAllowed, QuireError
from quire.domain.sharing import OWNER_ID, Role
from quire.local.check_role import check_role
from quire.local.scope import SystemScope
from quire.ports.machine import OwnersToken, Purpose, Signer
from quire.ports.store import Tx

ENDED = "This link has ended."


class FileLinks:
    """An address hangs on the token that it was asked for with; what the owner asks for without one, on the owner's."""

    def __init__(self, system: SystemScope, signer: Signer, owner: OwnersToken, public_url: str) -> None:
        self._system = system
        self._signer = signer
        self._owner = owner
        self._public_url = public_url

    def url(self, claims: Mapping[str, Any], seconds: int, context: Context) -> str:
        """An address that is good for so long; the claims name the file, and what it belongs to."""
        by = context.actor.id
        owner = self._owner.mark() if by == OWNER_ID and not context.token_id else ""
        made = {**claims, "by": by, "token": context.token_id, "owner": owner}
        return f"{self._public_url}/files/{self._signer.sign(Purpose.FILE_LINK, made, seconds)}"

    async def standing(self, token: str) -> dict[str, Any]:
        """The facts of the file that an address names, unless what the address hangs on is gone.

        That is the token and the person that it was made by, and where it leads to a source or an artifact, that and
        the right to read it. An artifact's address leads to the file that it has now.
        """
        facts = self._signer.verify(Purpose.FILE_LINK, token)
        by, token, owner = facts.pop("by", ""), facts.pop("token", ""), facts.pop("owner", "")
        if owner and not self._owner.has(owner):
            raise NotAllowed(ENDED)
        artifact, format = facts.pop("artifact", None), facts.pop("format", None)
        source = facts.pop("source", None)

        def work(tx: Tx) -> dict[str, Any]:
            gone = bool(token) and tx.one("token_by_id", id=token, now=self._system.now()) is None
            if gone or tx.one("person_called", called=by) is None:
                raise NotAllowed(ENDED)
            if source is not None:
                check_role(tx, by, Subject("source", source), Role.VIEWER)
            if artifact is None:
                return facts
            check_role(tx, by, Subject("artifact", artifact), Role.VIEWER)
            file = tx.one("artifact_file", id=artifact, format=format)
            if file is None:
                raise NotAllowed(ENDED)
            return facts | {name: file[name] for name in ("media_type", "sha256", "size")}

        try:
            return await self._system.look_up(work)
        except QuireError as error:
            if error.retriable:
                raise
            raise NotAllowed(ENDED) from None
