"""Signed addresses of files: good for whoever has them, as long as whoever made them could still have the file."""

from __future__ import annotations

from typing import Any

from quire.api.context import Context
from quire.api.engine import Subject
from quire.domain.errors import NotAllowed, QuireError
from quire.domain.sharing import Role
from quire.local.check_role import check_role
from quire.local.scope import SystemScope
from quire.ports.store import Tx

ENDED = "This link has ended."


def maker(context: Context) -> dict[str, str]:
    """Who makes an address, and by which token of theirs."""
    return {"by": context.actor.id, "token": context.token_id}


async def standing(system: SystemScope, claims: dict[str, Any]) -> dict[str, Any]:
    """The facts of the file that an address names, unless what the address hangs on is gone.

    That is the token and the person that it was made by, and where it leads to a source or an artifact, that and the
    right to read it. An artifact's address leads to the file that it has now.
    """
    facts = dict(claims)
    by, token = facts.pop("by", ""), facts.pop("token", "")
    artifact, format = facts.pop("artifact", None), facts.pop("format", None)
    source = facts.pop("source", None)

    def work(tx: Tx) -> dict[str, Any]:
        gone = bool(token) and tx.one("token_by_id", id=token, now=system.now()) is None
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
        return await system.look_up(work)
    except QuireError as error:
        if error.retriable:
            raise
        raise NotAllowed(ENDED) from None
