"""Who may call, and their inboxes."""

from __future__ import annotations

import uuid

from quire.domain.sharing import Person, Role
from quire.local.scope import SystemScope
from quire.ports.store import Row, Tx


class LocalPeople:
    def __init__(self, system: SystemScope) -> None:
        self._system = system

    async def by_id(self, id: str) -> Person | None:
        return _person(await self._system.look_up(lambda tx: tx.one("person_by_id", id=id)))

    async def by_token(self, token_hash: str) -> Person | None:
        return _person(await self._system.look_up(lambda tx: tx.one("person_by_token_hash", token_hash=token_hash)))


def _person(row: Row | None) -> Person | None:
    return None if row is None else Person(id=row["id"], name=row["name"], token_hash=row["token_hash"])


def add_person(tx: Tx, id: str, name: str, token_hash: str | None, at: int) -> None:
    """A user with an inbox; nothing happens when there is one of this id."""
    if not tx.run("insert_person", id=id, name=name, token_hash=token_hash, at=at):
        return
    notebook_id = str(uuid.uuid4())
    tx.run("insert_notebook", id=notebook_id, title="Inbox", inbox_of=id, at=at)
    tx.run("insert_member", notebook_id=notebook_id, person_id=id, role=int(Role.OWNER))
