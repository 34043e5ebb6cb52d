"""Labels of sources and collections of notebooks at Google, which are one kind of thing there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from quire.domain.errors import InvalidInput, NotFound, WireDrift
from quire.domain.labels import Collection, Label, Labelled, given_name
from quire.domain.notebooks import Notebook
from quire.domain.pages import Page, page_of_all
from quire.domain.sources import Source
from quire.notebooklm.engine.caller import Caller
from quire.notebooklm.engine.notebooks import GoogleNotebooks
from quire.notebooklm.engine.rows import collection_of, label_of, notebook_of, source_of
from quire.notebooklm.engine.scope import GoogleScope, Whereabouts
from quire.notebooklm.methods import labels as wire

Rows = tuple[wire.Label, ...]


class GoogleLabels:
    def __init__(self, caller: Caller, whereabouts: Whereabouts, notebooks: GoogleNotebooks) -> None:
        self._caller = caller
        self._whereabouts = whereabouts
        self._notebooks = notebooks

    async def list(self, scope: GoogleScope, limit: int, cursor: str | None) -> Page[Label]:
        notebook_id = await scope.notebook_id()
        return page_of_all(await self._rows(notebook_id), limit, cursor, lambda row: label_of(row, notebook_id))

    async def get(self, scope: GoogleScope, label_id: str) -> Label:
        return await self._one(await scope.notebook_id(), label_id)

    async def sources(self, scope: GoogleScope, label_id: str, limit: int, cursor: str | None) -> Page[Source]:
        notebook_id = await scope.notebook_id()
        label = await self._one(notebook_id, label_id)
        row = await self._notebooks.row(notebook_id)
        under = [source for source in row.sources if source.id in label.source_ids]
        return page_of_all(under, limit, cursor, lambda source: source_of(source, notebook_id))

    async def generate(self, call: GoogleScope, /, scope: Labelled) -> Page[Label]:
        notebook_id = await call.notebook_id()
        rows: Rows = await self._caller.call(
            "CREATE_LABEL",
            about=("notebook", notebook_id),
            notebook_id=notebook_id,
            scope=wire.SCOPE_ALL if scope == "all" else wire.SCOPE_UNLABELLED,
        )
        return Page(items=[label_of(row, notebook_id) for row in rows], total=len(rows))

    async def create(self, scope: GoogleScope, name: str, emoji: str) -> Label:
        name, notebook_id = given_name(name), await scope.notebook_id()
        before = {row.id for row in await self._rows(notebook_id)}

        async def made() -> Rows | None:
            rows = await self._rows(notebook_id)
            return rows if any(row.id not in before and row.name == name for row in rows) else None

        rows: Rows = await self._caller.call(
            "CREATE_LABEL",
            about=("notebook", notebook_id),
            probe=made,
            notebook_id=notebook_id,
            labels=[wire.NewLabel(name, emoji or None)],
        )
        return label_of(_new(rows, before, name), notebook_id)

    async def update(self, scope: GoogleScope, label_id: str, name: str | None, emoji: str | None) -> Label:
        _something(name, emoji)
        notebook_id = await scope.notebook_id()
        old = await self._one(notebook_id, label_id)
        return await self._changed(notebook_id, label_id, **_given(old, name, emoji))

    async def add_sources(self, scope: GoogleScope, label_id: str, source_ids: Sequence[str]) -> Label:
        notebook_id = await scope.notebook_id()
        try:
            return await self._changed(notebook_id, label_id, add_sources=list(source_ids))
        except NotFound:
            await self._one(notebook_id, label_id)
            there = {source.id for source in (await self._notebooks.row(notebook_id)).sources}
            for id in source_ids:
                if id not in there:
                    raise NotFound("source", id) from None
            raise

    async def remove_sources(self, scope: GoogleScope, label_id: str, source_ids: Sequence[str]) -> Label:
        return await self._changed(await scope.notebook_id(), label_id, remove_sources=list(source_ids))

    async def delete(self, scope: GoogleScope, label_ids: Sequence[str]) -> Page[Label]:
        notebook_id = await scope.notebook_id()
        rows = {row.id: row for row in await self._rows(notebook_id)}
        for id in label_ids:
            _known(rows.get(id), "label", id)
        await self._caller.call(
            "DELETE_LABEL", about=("notebook", notebook_id), notebook_id=notebook_id, label_ids=list(label_ids)
        )
        left = [label_of(row, notebook_id) for row in rows.values() if row.id not in label_ids]
        return Page(items=left, total=len(left))

    async def _rows(self, notebook_id: str) -> Rows:
        rows: Rows = await self._caller.call("LIST_LABELS", about=("notebook", notebook_id), notebook_id=notebook_id)
        for row in rows:
            self._whereabouts.tell("label", row.id, notebook_id)
        return rows

    async def _one(self, notebook_id: str, label_id: str) -> Label:
        rows = {row.id: row for row in await self._rows(notebook_id)}
        return label_of(_known(rows.get(label_id), "label", label_id), notebook_id)

    async def _changed(self, notebook_id: str, label_id: str, **names: Any) -> Label:
        await self._caller.call(
            "UPDATE_LABEL", about=("label", label_id), notebook_id=notebook_id, label_id=label_id, **names
        )
        return await self._one(notebook_id, label_id)


class GoogleCollections:
    def __init__(self, caller: Caller, whereabouts: Whereabouts) -> None:
        self._caller = caller
        self._whereabouts = whereabouts

    async def list(self, scope: GoogleScope, limit: int, cursor: str | None) -> Page[Collection]:
        return page_of_all(await self._rows(), limit, cursor, collection_of)

    async def get(self, scope: GoogleScope, collection_id: str) -> Collection:
        return await self._one(collection_id)

    async def notebooks(self, scope: GoogleScope, collection_id: str, limit: int, cursor: str | None) -> Page[Notebook]:
        collection = await self._one(collection_id)
        rows = {row.id: row for row in await self._whereabouts.notebooks()}
        inside = [rows[id] for id in collection.notebook_ids if id in rows]
        return page_of_all(inside, limit, cursor, notebook_of)

    async def create(self, scope: GoogleScope, name: str, emoji: str) -> Collection:
        name = given_name(name)
        before = {row.id for row in await self._rows()}

        async def made() -> Rows | None:
            rows = await self._rows()
            return rows if any(row.id not in before and row.name == name for row in rows) else None

        rows: Rows = await self._caller.call(
            "CREATE_LABEL", probe=made, labels=[wire.NewLabel(name, emoji or None)], type=wire.COLLECTION
        )
        return collection_of(_new(rows, before, name))

    async def update(self, scope: GoogleScope, collection_id: str, name: str | None, emoji: str | None) -> Collection:
        _something(name, emoji)
        old = await self._one(collection_id)
        return await self._changed(collection_id, **_given(old, name, emoji))

    async def add_notebooks(self, scope: GoogleScope, collection_id: str, notebook_ids: Sequence[str]) -> Collection:
        return await self._changed(collection_id, add_notebooks=list(notebook_ids))

    async def remove_notebooks(self, scope: GoogleScope, collection_id: str, notebook_ids: Sequence[str]) -> Collection:
        return await self._changed(collection_id, remove_notebooks=list(notebook_ids))

    async def delete(self, scope: GoogleScope, collection_ids: Sequence[str]) -> Page[Collection]:
        rows = {row.id: row for row in await self._rows()}
        for id in collection_ids:
            _known(rows.get(id), "collection", id)
        await self._caller.call("DELETE_LABEL", label_ids=list(collection_ids), type=wire.COLLECTION)
        left = [collection_of(row) for row in rows.values() if row.id not in collection_ids]
        return Page(items=left, total=len(left))

    async def _rows(self) -> Rows:
        rows: Rows = await self._caller.call("LIST_LABELS", type=wire.COLLECTION)
        return rows

    async def _one(self, collection_id: str) -> Collection:
        rows = {row.id: row for row in await self._rows()}
        return collection_of(_known(rows.get(collection_id), "collection", collection_id))

    async def _changed(self, collection_id: str, **names: Any) -> Collection:
        await self._caller.call(
            "UPDATE_LABEL", about=("collection", collection_id), label_id=collection_id, type=wire.COLLECTION, **names
        )
        return await self._one(collection_id)


def _given(old: Label | Collection, name: str | None, emoji: str | None) -> dict[str, str]:
    """A name and an emoji travel together: what is left out is sent as it is."""
    return {
        "name": old.name if name is None else given_name(name),
        "emoji": old.emoji or "" if emoji is None else emoji,
    }


def _something(name: str | None, emoji: str | None) -> None:
    if name is None and emoji is None:
        raise InvalidInput("At least one of name or emoji must be provided.")


def _known(row: wire.Label | None, noun: str, id: str) -> wire.Label:
    if row is None:
        raise NotFound(noun, id)
    return row


def _new(rows: Rows, before: set[str], name: str) -> wire.Label:
    """The one that was just made, among all that there are."""
    if not rows:
        raise WireDrift("agX4Bc $: the label that was made is not told.", method="agX4Bc", path="$", outcome="unknown")
    fresh = [row for row in rows if row.id not in before] or list(rows)
    return next((row for row in fresh if row.name == name), fresh[-1])
