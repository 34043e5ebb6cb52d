"""Labels: groups of a notebook's sources, by hand or by topic."""

from __future__ import annotations

import builtins
import uuid
from collections.abc import Callable

from quire.domain.errors import InvalidInput, NotFound
from quire.domain.labels import Label, Labelled, given_name
from quire.domain.pages import Page, page, position
from quire.domain.sources import Source
from quire.local.label_rows import label_of, label_row, members, one_label
from quire.local.labelling import Labelling
from quire.local.scope import Scope
from quire.local.source_rows import source_of
from quire.ports.store import Tx

ALL = 1_000


class LocalLabels:
    def __init__(self, labelling: Labelling) -> None:
        self._labelling = labelling

    async def list(self, scope: Scope, limit: int, cursor: str | None) -> Page[Label]:
        return await scope.read(lambda tx: _labels(tx, scope.notebook_id, limit, cursor))

    async def get(self, scope: Scope, label_id: str) -> Label:
        return await scope.look_up(lambda tx: one_label(tx, label_id))

    async def sources(self, scope: Scope, label_id: str, limit: int, cursor: str | None) -> Page[Source]:
        def work(tx: Tx) -> Page[Source]:
            rows = tx.all("sources_of_label", id=label_id, after=position(cursor, 0), limit=limit + 1)
            return page(rows, limit, tx.count("count_sources_of_label", id=label_id), source_of)

        return await scope.read(work)

    async def generate(self, call: Scope, /, scope: Labelled) -> Page[Label]:
        await self._labelling.label(call, scope)
        return await self.list(call, ALL, None)

    async def is_current(self, scope: Scope) -> bool:
        return await scope.read(lambda tx: self._labelling.is_current(tx, scope.notebook_id))

    async def create(self, scope: Scope, name: str, emoji: str) -> Label:
        name, id = given_name(name), str(uuid.uuid4())

        def work(tx: Tx) -> Label:
            where = {"id": id, "notebook_id": scope.notebook_id}
            tx.run("insert_label", name=name, emoji=emoji.strip() or None, generated=0, at=scope.now(), **where)
            scope.event(tx, "label.created", id)
            return one_label(tx, id)

        return await scope.write(work)

    async def update(self, scope: Scope, label_id: str, name: str | None, emoji: str | None) -> Label:
        if name is None and emoji is None:
            raise InvalidInput("Give a name or an emoji.")
        name = None if name is None else given_name(name)

        def work(tx: Tx) -> Label:
            row = label_row(tx, label_id)
            sign = row["emoji"] if emoji is None else emoji.strip() or None
            tx.run("update_label", id=label_id, name=name or row["name"], emoji=sign, generated=0, at=scope.now())
            scope.event(tx, "label.updated", label_id)
            return one_label(tx, label_id)

        return await scope.write(work)

    async def add_sources(self, scope: Scope, label_id: str, source_ids: builtins.list[str]) -> Label:
        def put(tx: Tx, source_id: str) -> None:
            if tx.one("source_in_notebook", id=source_id, notebook_id=scope.notebook_id) is None:
                raise NotFound("source", source_id)
            tx.run("add_to_label", id=label_id, source_id=source_id)

        return await self._change(scope, label_id, source_ids, put)

    async def remove_sources(self, scope: Scope, label_id: str, source_ids: builtins.list[str]) -> Label:
        def take(tx: Tx, source_id: str) -> None:
            tx.run("remove_from_label", id=label_id, source_id=source_id)

        return await self._change(scope, label_id, source_ids, take)

    async def delete(self, scope: Scope, label_ids: builtins.list[str]) -> Page[Label]:
        def work(tx: Tx) -> Page[Label]:
            for id in dict.fromkeys(label_ids):
                if not tx.run("delete_label", id=id, notebook_id=scope.notebook_id):
                    raise NotFound("label", id)
                scope.event(tx, "label.deleted", id)
            return _labels(tx, scope.notebook_id, ALL, None)

        return await scope.write(work)

    async def _change(
        self, scope: Scope, label_id: str, source_ids: builtins.list[str], change: Callable[[Tx, str], None]
    ) -> Label:
        """What a person puts under a label, or takes from there, makes the label theirs."""

        def work(tx: Tx) -> Label:
            tx.run("touch_label", id=label_id, generated=0, at=scope.now())
            for source_id in dict.fromkeys(source_ids):
                change(tx, source_id)
            scope.event(tx, "label.updated", label_id)
            return one_label(tx, label_id)

        return await scope.write(work)


def _labels(tx: Tx, notebook_id: str, limit: int, cursor: str | None) -> Page[Label]:
    where = {"notebook_id": notebook_id}
    rows = tx.all("labels_of", after=position(cursor, 0), limit=limit + 1, **where)
    under = members(tx, notebook_id)
    return page(rows, limit, tx.count("count_labels", **where), lambda row: label_of(row, under.get(row["id"], [])))
