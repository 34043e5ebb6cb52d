"""Collections: groups of notebooks, each person's own."""

from __future__ import annotations

import builtins
import uuid

from quire.domain.errors import InvalidInput, NotFound
from quire.domain.labels import Collection, given_name
from quire.domain.notebooks import Notebook
from quire.domain.pages import Page, page, position
from quire.local.notebooks import notebook_of
from quire.local.scope import Scope
from quire.local.timestamps import moment
from quire.ports.store import Row, Tx

ALL = 1_000


class LocalCollections:
    """What happens to a collection is told in its maker's inbox."""

    async def list(self, scope: Scope, limit: int, cursor: str | None) -> Page[Collection]:
        return await scope.read(lambda tx: _collections(tx, scope.actor_id, limit, cursor))

    async def get(self, scope: Scope, collection_id: str) -> Collection:
        return await scope.read(lambda tx: _one(tx, scope, collection_id))

    async def notebooks(self, scope: Scope, collection_id: str, limit: int, cursor: str | None) -> Page[Notebook]:
        def work(tx: Tx) -> Page[Notebook]:
            rows = tx.all("notebooks_of_collection", id=collection_id, after=position(cursor, 0), limit=limit + 1)
            return page(rows, limit, tx.count("count_notebooks_of_collection", id=collection_id), notebook_of)

        return await scope.read(work)

    async def create(self, scope: Scope, name: str, emoji: str) -> Collection:
        name, id = given_name(name), str(uuid.uuid4())

        def work(tx: Tx) -> Collection:
            mine = {"id": id, "person_id": scope.actor_id}
            tx.run("insert_collection", name=name, emoji=emoji.strip() or None, at=scope.now(), **mine)
            _told(tx, scope, "created", id)
            return _one(tx, scope, id)

        return await scope.write(work)

    async def update(self, scope: Scope, collection_id: str, name: str | None, emoji: str | None) -> Collection:
        if name is None and emoji is None:
            raise InvalidInput("Give a name or an emoji.")
        name = None if name is None else given_name(name)

        def work(tx: Tx) -> Collection:
            there = _one(tx, scope, collection_id)
            sign = there.emoji if emoji is None else emoji.strip() or None
            tx.run("update_collection", id=collection_id, name=name or there.name, emoji=sign, at=scope.now())
            _told(tx, scope, "updated", collection_id)
            return _one(tx, scope, collection_id)

        return await scope.write(work)

    async def add_notebooks(self, scope: Scope, collection_id: str, notebook_ids: builtins.list[str]) -> Collection:
        def work(tx: Tx) -> Collection:
            for notebook_id in dict.fromkeys(notebook_ids):
                if tx.one("role_in_notebook", id=notebook_id, person_id=scope.actor_id) is None:
                    raise NotFound("notebook", notebook_id)
                tx.run("add_to_collection", id=collection_id, notebook_id=notebook_id)
            _told(tx, scope, "updated", collection_id)
            return _one(tx, scope, collection_id)

        return await scope.write(work)

    async def remove_notebooks(self, scope: Scope, collection_id: str, notebook_ids: builtins.list[str]) -> Collection:
        def work(tx: Tx) -> Collection:
            for notebook_id in dict.fromkeys(notebook_ids):
                tx.run("remove_from_collection", id=collection_id, notebook_id=notebook_id)
            _told(tx, scope, "updated", collection_id)
            return _one(tx, scope, collection_id)

        return await scope.write(work)

    async def delete(self, scope: Scope, collection_ids: builtins.list[str]) -> Page[Collection]:
        def work(tx: Tx) -> Page[Collection]:
            for id in dict.fromkeys(collection_ids):
                if not tx.run("delete_collection", id=id, person_id=scope.actor_id):
                    raise NotFound("collection", id)
                _told(tx, scope, "deleted", id)
            return _collections(tx, scope.actor_id, ALL, None)

        return await scope.write(work)


def _told(tx: Tx, scope: Scope, what: str, id: str) -> None:
    inbox = tx.one("role_in_inbox", person_id=scope.actor_id)
    if inbox is not None:
        event = {"notebook_id": inbox["notebook_id"], "kind": f"collection.{what}", "subject_id": id}
        tx.run("insert_event", at=scope.now(), **event)


def _collections(tx: Tx, person_id: str, limit: int, cursor: str | None) -> Page[Collection]:
    mine = {"person_id": person_id}
    rows = tx.all("collections_of", after=position(cursor, 0), limit=limit + 1, **mine)
    held = _members(tx, person_id)
    total = tx.count("count_collections", **mine)
    return page(rows, limit, total, lambda row: _collection(row, held.get(row["id"], [])))


def _members(tx: Tx, person_id: str) -> dict[str, builtins.list[str]]:
    found: dict[str, builtins.list[str]] = {}
    for row in tx.all("members_of_collections", person_id=person_id):
        found.setdefault(row["collection_id"], []).append(row["notebook_id"])
    return found


def _one(tx: Tx, scope: Scope, id: str) -> Collection:
    row = tx.one("collection_by_id", id=id)
    if row is None:
        raise NotFound("collection", id)
    return _collection(row, _members(tx, scope.actor_id).get(id, []))


def _collection(row: Row, notebook_ids: builtins.list[str]) -> Collection:
    return Collection(
        id=row["id"],
        name=row["name"],
        emoji=row["emoji"],
        notebook_ids=notebook_ids,
        created_at=moment(row["created_at"]),
        updated_at=moment(row["updated_at"]),
    )
