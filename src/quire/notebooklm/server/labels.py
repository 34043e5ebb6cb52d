"""Labels of sources and collections of notebooks, as NotebookLM's clients ask for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quire.domain import labels as ours
from quire.domain.errors import InvalidInput, NotAllowed
from quire.notebooklm.methods.labels import COLLECTION, Label, covers_all
from quire.notebooklm.server.wire_call import Handler, WireCall

PAGE_SIZE = 1_000
UNNAMED_LABEL, UNNAMED_COLLECTION = "New Label", "New Collection"

Rows = tuple[Label, ...]


async def list_labels(call: WireCall, names: Mapping[str, Any]) -> Rows:
    return await collections_of(call) if of_notebooks(names) else await labels_of(call, call.notebook(names))


async def make_labels(call: WireCall, names: Mapping[str, Any]) -> Rows:
    """Labels by hand, or by topic; the answer is all that there are afterwards."""
    made, scope = names.get("labels") or (), names.get("scope")
    if of_notebooks(names):
        for new in made:
            await call.library.collections.create(new.name.strip() or UNNAMED_COLLECTION, new.emoji or "")
        return await collections_of(call)
    notebook_id = call.notebook(names)
    if not made and scope is None:
        raise InvalidInput("The call says neither which labels to make nor which sources to label.")
    for new in made:
        await call.library.labels.create(notebook_id, new.name.strip() or UNNAMED_LABEL, new.emoji or "")
    if scope == []:
        await label_if_changed(call, notebook_id)
    elif scope is not None:
        await call.library.labels.generate(notebook_id, "all" if covers_all(scope) else "unlabeled")
    return await labels_of(call, notebook_id)


async def label_if_changed(call: WireCall, notebook_id: str) -> None:
    """Clients send this to see the labels, too: so it changes none that fit, or that a person made, for nothing.

    Whoever may only read gets what there is.
    """
    there = (await call.library.labels.list(notebook_id, limit=PAGE_SIZE)).items
    if there and (not any(label.generated for label in there) or await call.library.labels.is_current(notebook_id)):
        return
    try:
        await call.library.labels.generate(notebook_id, "all")
    except NotAllowed:
        return


async def change_label(call: WireCall, names: Mapping[str, Any]) -> None:
    id, name, emoji = names["label_id"], names.get("name"), names.get("emoji")
    named = name is not None or emoji is not None
    if of_notebooks(names):
        collections = call.library.collections
        if named:
            await collections.update(id, name=name, emoji=emoji)
        if names.get("add_notebooks"):
            await collections.add_notebooks(id, list(names["add_notebooks"]))
        if names.get("remove_notebooks"):
            await collections.remove_notebooks(id, list(names["remove_notebooks"]))
        return
    labels, notebook_id = call.library.labels, call.notebook(names)
    if named:
        await labels.update(notebook_id, id, name=name, emoji=emoji)
    if names.get("add_sources"):
        await labels.add_sources(notebook_id, id, list(names["add_sources"]))
    if names.get("remove_sources"):
        await labels.remove_sources(notebook_id, id, list(names["remove_sources"]))


async def delete_labels(call: WireCall, names: Mapping[str, Any]) -> None:
    if of_notebooks(names):
        await call.library.collections.delete(list(names["label_ids"]))
    else:
        await call.library.labels.delete(call.notebook(names), list(names["label_ids"]))


def of_notebooks(names: Mapping[str, Any]) -> bool:
    return names.get("type") == COLLECTION


async def labels_of(call: WireCall, notebook_id: str) -> Rows:
    found: list[ours.Label] = []
    cursor: str | None = None
    while True:
        page = await call.library.labels.list(notebook_id, limit=PAGE_SIZE, cursor=cursor)
        found.extend(page.items)
        cursor = page.cursor
        if cursor is None:
            return tuple(Label(one.id, one.name, tuple(one.source_ids), one.emoji or "") for one in found)


async def collections_of(call: WireCall) -> Rows:
    found: list[ours.Collection] = []
    cursor: str | None = None
    while True:
        page = await call.library.collections.list(limit=PAGE_SIZE, cursor=cursor)
        found.extend(page.items)
        cursor = page.cursor
        if cursor is None:
            return tuple(
                Label(one.id, one.name, tuple(one.notebook_ids), one.emoji or "", collection=True) for one in found
            )


HANDLERS: dict[str, Handler] = {
    "LIST_LABELS": list_labels,
    "CREATE_LABEL": make_labels,
    "UPDATE_LABEL": change_label,
    "DELETE_LABEL": delete_labels,
}
