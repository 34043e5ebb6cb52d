"""Notebooks, as NotebookLM's clients ask for them."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from quire.domain import notebooks as ours
from quire.domain.errors import InvalidInput, NotFound, Unsupported
from quire.domain.sharing import Role
from quire.notebooklm.codes import Permission
from quire.notebooklm.methods.notebooks import ChatSettings, Notebook
from quire.notebooklm.methods.source_rows import Source
from quire.notebooklm.server.chat import configure, conversation_of, settings_of
from quire.notebooklm.server.sharing import set_view_level
from quire.notebooklm.server.sources import listed
from quire.notebooklm.server.wire_call import Handler, WireCall

ROLES = {
    Role.OWNER: Permission.OWNER,
    Role.EDITOR: Permission.EDITOR,
    Role.VIEWER: Permission.VIEWER,
    Role.CHAT_ONLY: Permission.VIEWER,
}
PAGE_SIZE = 1_000


async def list_notebooks(call: WireCall, names: Mapping[str, Any]) -> tuple[Notebook, ...]:
    found: list[ours.Notebook] = []
    cursor: str | None = None
    while True:
        page = await call.library.notebooks.list(limit=PAGE_SIZE, cursor=cursor)
        found.extend(page.items)
        cursor = page.cursor
        if cursor is None:
            seen = {one.id: one.viewed_at for one in await call.library.notebooks.list_recent(limit=PAGE_SIZE)}
            # Clients count the sources in a row.
            rows = [row_of(one, await sources_of(call, one)) for one in found]
            return tuple(replace(row, viewed_at=seen.get(row.id)) for row in rows)


async def sources_of(call: WireCall, notebook: ours.Notebook) -> tuple[Source, ...]:
    """Whoever may only chat sees none."""
    seen = notebook.source_count and notebook.role >= Role.VIEWER
    return await listed(call.library, notebook.id) if seen else ()


async def create_notebook(call: WireCall, names: Mapping[str, Any]) -> Notebook:
    title = (names.get("title") or "").strip() or "Untitled notebook"
    made = await call.library.notebooks.create(title)
    return replace(row_of(made), conversation_ids=await conversation_of(call.library, made.id))


async def copy_notebook(call: WireCall, names: Mapping[str, Any]) -> Notebook:
    made = await call.library.notebooks.copy(call.notebook(names), (names.get("title") or "").strip() or None)
    return replace(row_of(made), conversation_ids=await conversation_of(call.library, made.id))


async def get_notebook(call: WireCall, names: Mapping[str, Any]) -> Notebook:
    notebook = await opened(call, call.notebook(names))
    chat = await settings_of(call.library, notebook.id) if notebook.role >= Role.VIEWER else None
    return row_of(notebook, await sources_of(call, notebook), chat)


async def opened(call: WireCall, notebook_id: str) -> ours.Notebook:
    """A client opens a notebook by its link when it asks for one that is not in its list."""
    try:
        return await call.library.notebooks.get(notebook_id)
    except NotFound:
        with suppress(Unsupported):
            await call.library.sharing.open(notebook_id)
        return await call.library.notebooks.get(notebook_id)


async def change_notebook(call: WireCall, names: Mapping[str, Any]) -> Notebook:
    """What cannot be changed is refused before anything else is changed."""
    notebook_id, title = call.notebook(names), names.get("title")
    if title is not None and not title.strip():
        raise InvalidInput("The title must not be empty.")
    if names.get("view_level") is not None:
        await set_view_level(call, notebook_id, names["view_level"])
    if names.get("chat") is not None:
        await configure(call.library, notebook_id, names["chat"])
    if names.get("emoji") is not None:
        await call.library.notebooks.set_emoji(notebook_id, names["emoji"])
    if title is None:
        return row_of(await call.library.notebooks.get(notebook_id))
    return row_of(await call.library.notebooks.rename(notebook_id, title))


async def delete_notebook(call: WireCall, names: Mapping[str, Any]) -> None:
    await call.library.notebooks.delete(call.notebook(names))


async def leave_list(call: WireCall, names: Mapping[str, Any]) -> None:
    await call.library.notebooks.remove_from_recent(call.notebook(names))


def row_of(notebook: ours.Notebook, sources: tuple[Source, ...] = (), chat: ChatSettings | None = None) -> Notebook:
    return Notebook(
        id=notebook.id,
        title=notebook.title,
        emoji=notebook.emoji,
        role=ROLES[notebook.role],
        shared=notebook.role is not Role.OWNER,
        viewed_at=notebook.updated_at,
        created_at=notebook.created_at,
        sources=sources,
        chat=chat,
    )


HANDLERS: dict[str, Handler] = {
    "LIST_NOTEBOOKS": list_notebooks,
    "CREATE_NOTEBOOK": create_notebook,
    "COPY_NOTEBOOK": copy_notebook,
    "GET_NOTEBOOK": get_notebook,
    "RENAME_NOTEBOOK": change_notebook,
    "DELETE_NOTEBOOK": delete_notebook,
    "REMOVE_RECENTLY_VIEWED": leave_list,
}
