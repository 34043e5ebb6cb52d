"""A notebook itself, as it is moved, with how its chat answers and the collections it is in."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

from quire.domain.chat import ChatConfiguration
from quire.domain.errors import NotFound
from quire.domain.notebook_file.rows import CollectionName, NotebookRow
from quire.local.transfer.part import Into, Part, Step, Whose, one_step
from quire.ports.store import Tx


def _notebook(tx: Tx, whose: Whose) -> Iterator[NotebookRow]:
    row = tx.one("notebook_to_move", id=whose.notebook_id)
    if row is None:
        raise NotFound("notebook", whose.notebook_id)
    chat = tx.one("chat_configuration", notebook_id=whose.notebook_id)
    labelled = tx.one("labelled_by", notebook_id=whose.notebook_id)
    of = {"notebook_id": whose.notebook_id, "person_id": whose.person_id}
    yield NotebookRow(
        **{name: row[name] for name in ("id", "title", "emoji", "created_at", "updated_at")},
        chat=ChatConfiguration(goal=chat["goal"], instructions=chat["instructions"], length=chat["length"])
        if chat
        else None,
        labelled_by=labelled["sources"] if labelled else None,
        collections=[
            CollectionName(id=one["id"], name=one["name"], emoji=one["emoji"])
            for one in tx.all("collections_with_notebook", **of)
        ],
    )


def _put_notebook(row: NotebookRow, into: Into) -> list[Step]:
    def work(tx: Tx) -> None:
        moved = {"id": into.notebook_id, "created_at": row.created_at, "updated_at": row.updated_at}
        tx.run("settle_moved_notebook", title=row.title, emoji=row.emoji, **moved)
        if row.chat is not None:
            tx.run("configure_chat", notebook_id=into.notebook_id, **row.chat.model_dump())
        # The hash is one of ids, so it holds only where they are the same.
        if row.labelled_by is not None and not into.fresh:
            tx.run("set_labelled_by", notebook_id=into.notebook_id, sources=row.labelled_by)
        for collection in row.collections:
            tx.run("add_to_collection", id=_collection(tx, collection, into), notebook_id=into.notebook_id)

    return one_step(work)


def _collection(tx: Tx, wanted: CollectionName, into: Into) -> str:
    """The person's own collection that is meant: of this id or this name, or else a new one."""
    there = tx.one("collection_by_id", id=wanted.id)
    if there is not None and there["person_id"] == into.person_id:
        return wanted.id
    named = tx.one("collection_of_name", person_id=into.person_id, name=wanted.name)
    if named is not None:
        return str(named["id"])
    id = wanted.id if there is None else str(uuid.uuid4())
    values = {"person_id": into.person_id, "name": wanted.name, "emoji": wanted.emoji}
    tx.run("insert_collection", id=id, at=into.now, **values)
    return id


NOTEBOOK = Part("notebook", NotebookRow, _notebook, _put_notebook)
