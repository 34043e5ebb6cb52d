"""Notebooks, as NotebookLM's clients ask for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quire.domain import notebooks as ours
from quire.domain.errors import Unsupported
from quire.domain.sharing import Role
from quire.notebooklm.codes import Permission
from quire.notebooklm.methods.notebooks import ChatSettings, Notebook
from quire.notebooklm.methods.source_rows import Source
from quire.notebooklm.server.chat import configure, settings_of
from quire.notebooklm.server.sources import listed
from quire.notebooklm.server.wire_call import Handler, WireCall

ROLES = {Role.OWNER: Permission.OWNER, Role.EDITOR: Permission.EDITOR, Role.VIEWER: Permission.VIEWER}
PAGE_SIZE = 1_000


async def list_notebooks(call: WireCall, names: Mapping[str, Any]) -> tuple[Notebook, ...]:
    found: list[ours.Notebook] = []
    cursor: str | None = None
    while True:
        page = await call.library.notebooks.list(limit=PAGE_SIZE, cursor=cursor)
        found.extend(page.items)
        cursor = page.cursor
        if cursor is None:
            # Clients count the sources in a row.
            return tuple([row_of(notebook, await sources_of(call, notebook)) for notebook in found])


async def sources_of(call: WireCall, notebook: ours.Notebook) -> tuple[Source, ...]:
    return await listed(call.library, notebook.id) if notebook.source_count else ()


async def create_notebook(call: WireCall, names: Mapping[str, Any]) -> Notebook:
    title = (names.get("title") or "").strip() or "Untitled notebook"
    return row_of(await call.library.notebooks.create(title))


async def get_notebook(call: WireCall, names: Mapping[str, Any]) -> Notebook:
    notebook = await call.library.notebooks.get(call.notebook(names))
    chat = await settings_of(call.library, notebook.id)
    return row_of(notebook, await sources_of(call, notebook), chat)


async def change_notebook(call: WireCall, names: Mapping[str, Any]) -> Notebook:
    """Everything that is asked for is changed, or nothing."""
    notebook_id = call.notebook(names)
    for part, what in (("emoji", "Emojis of notebooks"), ("view_level", "View levels")):
        if names.get(part) is not None:
            raise Unsupported(f"{what} cannot be set here yet.")
    if names.get("chat") is not None:
        await configure(call.library, notebook_id, names["chat"])
    if names.get("title") is None:
        return row_of(await call.library.notebooks.get(notebook_id))
    return row_of(await call.library.notebooks.rename(notebook_id, names["title"]))


async def delete_notebook(call: WireCall, names: Mapping[str, Any]) -> None:
    await call.library.notebooks.delete(call.notebook(names))


async def leave_list(call: WireCall, names: Mapping[str, Any]) -> None:
    """Quire keeps no list of recent notebooks, so there is nothing to take one out of; it must exist, though."""
    await call.library.notebooks.get(call.notebook(names))


def row_of(notebook: ours.Notebook, sources: tuple[Source, ...] = (), chat: ChatSettings | None = None) -> Notebook:
    return Notebook(
        id=notebook.id,
        title=notebook.title,
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
    "GET_NOTEBOOK": get_notebook,
    "RENAME_NOTEBOOK": change_notebook,
    "DELETE_NOTEBOOK": delete_notebook,
    "REMOVE_RECENTLY_VIEWED": leave_list,
}
