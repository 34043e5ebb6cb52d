"""Contract 5: sharing, as a client of NotebookLM, a program of MCP and the library do it, each seeing the others'."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from contracts.rows import proves
from quire.api.library import Library
from quire.domain.errors import InvalidInput, NotAllowed, NotFound, QuireError
from quire.domain.sharing import Actor
from quire.entry.bootstrap import build
from quire.entry.mcp import door
from quire.entry.mcp.selection import Selection
from quire.entry.settings import load
from quire.notebooklm.codes import Access, Permission, ViewLevel
from quire.notebooklm.envelope import RpcRequest
from quire.notebooklm.methods import BY_NAME
from quire.notebooklm.methods.sharing import Grant, Share
from quire.notebooklm.server import result_of
from quire.notebooklm.server.wire_call import WireCall

pytestmark = pytest.mark.anyio

OWNER = "owner@quire.invalid"


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    async with build(load({"home": tmp_path, "store": "memory", "embedder": "none"}, {})) as made:
        yield made


async def call(library: Library, name: str, **names: Any) -> Any:
    """A call of a client, through the templates of request and answer."""
    method = BY_NAME[name]
    told = await result_of(WireCall(library), RpcRequest(method.id, method.encode_request(names)))
    return method.decode_response(told)


async def people(library: Library, notebook: str) -> dict[str, Permission | None]:
    status = await call(library, "GET_SHARE_STATUS", notebook_id=notebook)
    return {person.email: person.permission for person in status.people}


async def granted(library: Library, notebook: str, *grants: Grant, message: str = "") -> None:
    await call(library, "SHARE_NOTEBOOK", shares=(Share(notebook, grants, None, 0, message),))


async def orchard(library: Library) -> str:
    notebook = (await library.notebooks.create("Orchard")).id
    await library.sources.add_text(notebook, "Pears", "The pear is a fruit that ripens off the tree.")
    return notebook


async def guest(library: Library) -> Library:
    return library.as_actor(Actor(id=(await library.people.add("Ann", "ann@example.com")).id))


@proves("C5-SHARE-04", "C5-SHARE-05", "C5-SHARE-08", "C5-SHARE-13")
async def test_people_are_added_changed_and_removed_on_the_wire_over_mcp_and_in_the_library(library: Library) -> None:
    notebook = await orchard(library)
    await guest(library)
    await granted(library, notebook, Grant("Ann@Example.com", Permission.VIEWER), message="Look")
    await granted(
        library, notebook, Grant("bob@example.com", Permission.EDITOR), Grant("c@d.example", Permission.VIEWER)
    )
    status = await library.sharing.get_status(notebook)
    told = [(one.email, one.permission, one.pending, one.message) for one in status.users]
    assert told == [
        (OWNER, "owner", False, ""),
        ("ann@example.com", "viewer", False, "Look"),
        ("bob@example.com", "editor", True, ""),
        ("c@d.example", "viewer", True, ""),
    ]
    async with Client(door(library, Selection.of("sharing"), local=False).server) as client:
        changed = await client.call_tool(
            "update_share", {"notebook_id": "Orchard", "email": "bob@example.com", "permission": "viewer"}
        )
        assert not changed.is_error, changed.content
        await client.call_tool("unshare_notebook", {"notebook_id": notebook, "email": "c@d.example"})
        seen = await client.call_tool("get_share_status", {"notebook_id": notebook})
        assert [one["email"] for one in seen.structured_content["users"]] == [
            OWNER,
            "ann@example.com",
            "bob@example.com",
        ]
    await granted(library, notebook, Grant("ann@example.com", Permission.REMOVE))
    assert await people(library, notebook) == {OWNER: Permission.OWNER, "bob@example.com": Permission.VIEWER}
    await library.sharing.update_user(notebook, "bob@example.com", "editor")
    await library.sharing.add_user(notebook, "eve@example.com")
    await library.sharing.remove_user(notebook, "eve@example.com")
    assert await people(library, notebook) == {OWNER: Permission.OWNER, "bob@example.com": Permission.EDITOR}


@proves("C5-SHARE-09")
async def test_a_notebook_has_one_owner_and_what_is_wrong_changes_nothing(library: Library) -> None:
    notebook = await orchard(library)
    for wrong in (
        Grant("ann@example.com", Permission.OWNER),
        Grant("ann@example.com", Permission.UNKNOWN),
        Grant("no address", Permission.VIEWER),
    ):
        with pytest.raises(InvalidInput):
            await granted(library, notebook, Grant("bob@example.com", Permission.VIEWER), wrong)
    with pytest.raises(QuireError, match="keeps its owner"):
        await granted(library, notebook, Grant(OWNER, Permission.REMOVE))
    with pytest.raises(NotFound):
        await granted(library, notebook, Grant("bob@example.com", Permission.REMOVE))
    assert await people(library, notebook) == {OWNER: Permission.OWNER}


@proves("C5-SHARE-03", "C5-SHARE-11", "C5-SHARE-12")
@pytest.mark.parametrize("way", ["SHARE_NOTEBOOK", "SHARE_ARTIFACT", "library"])
async def test_a_link_opens_a_notebook_for_as_long_as_it_is_public(library: Library, way: str) -> None:
    notebook, ann = await orchard(library), await guest(library)

    async def open_to(access: Access) -> None:
        if way == "SHARE_NOTEBOOK":
            await call(library, way, shares=(Share(notebook, (), access, 0, ""),))
        elif way == "SHARE_ARTIFACT":
            await call(library, way, public=access, notebook_id=notebook, artifact_id="some-artifact")
        else:
            await library.sharing.set_public(notebook, access is Access.LINK)

    async def rows() -> list[str]:
        return [row.id for row in await call(ann, "LIST_NOTEBOOKS")]

    with pytest.raises(NotFound):
        await call(ann, "GET_NOTEBOOK", notebook_id=notebook)
    await open_to(Access.LINK)
    assert (await call(library, "GET_SHARE_STATUS", notebook_id=notebook)).public is True
    assert notebook not in await rows()
    row = await call(ann, "GET_NOTEBOOK", notebook_id=notebook)
    assert (row.title, row.role, row.shared, len(row.sources)) == ("Orchard", Permission.VIEWER, True, 1)
    assert notebook in await rows()
    await open_to(Access.RESTRICTED)
    assert (await call(library, "GET_SHARE_STATUS", notebook_id=notebook)).public is False
    assert notebook not in await rows()
    with pytest.raises(NotFound):
        await call(ann, "GET_NOTEBOOK", notebook_id=notebook)


@proves("C5-SHARE-06", "C5-SHARE-10")
async def test_viewers_of_the_chat_ask_and_see_no_sources_and_no_notes(library: Library) -> None:
    notebook, ann = await orchard(library), await guest(library)
    (source,) = await library.sources.list(notebook)
    await library.sharing.add_user(notebook, "ann@example.com")
    row = await call(library, "RENAME_NOTEBOOK", notebook_id=notebook, view_level=ViewLevel.CHAT_ONLY)
    assert row.title == "Orchard"
    assert (await library.sharing.get_status(notebook)).view_level == "chat"
    seen = await call(ann, "GET_NOTEBOOK", notebook_id=notebook)
    assert (seen.title, seen.sources, seen.role) == ("Orchard", (), Permission.VIEWER)
    assert [row.sources for row in await call(ann, "LIST_NOTEBOOKS") if row.id == notebook] == [()]
    for name in ("GET_NOTES_AND_MIND_MAPS", "LIST_LABELS", "GET_SHARE_STATUS"):
        with pytest.raises(NotAllowed):
            await call(ann, name, notebook_id=notebook)
    with pytest.raises(NotAllowed):
        await call(ann, "GET_SOURCE", source_id=source.id)
    assert "ripens" in (await ann.chat.ask(notebook, "Where does the pear ripen?")).text
    await call(library, "RENAME_NOTEBOOK", notebook_id=notebook, view_level=ViewLevel.FULL)
    assert len((await call(ann, "GET_NOTEBOOK", notebook_id=notebook)).sources) == 1


@proves("C5-SHARE-07")
async def test_only_the_owner_shares_on_the_wire_too(library: Library) -> None:
    notebook, ann = await orchard(library), await guest(library)
    await library.sharing.add_user(notebook, "ann@example.com", "editor")
    assert (await people(ann, notebook))["ann@example.com"] is Permission.EDITOR
    with pytest.raises(NotAllowed):
        await granted(ann, notebook, Grant("bob@example.com", Permission.VIEWER))
    for name, names in (
        ("SHARE_ARTIFACT", {"public": Access.LINK}),
        ("RENAME_NOTEBOOK", {"view_level": ViewLevel.CHAT_ONLY}),
    ):
        with pytest.raises(NotAllowed):
            await call(ann, name, notebook_id=notebook, **names)
