"""Another engine in the seat: every door serves what it offers, and says of the rest that it is not there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import Client

from dict_engine import DictEngine, builder
from quire.api.library import Library
from quire.domain.errors import NotFound, Unsupported
from quire.entry.cli import main
from quire.entry.mcp import door, http_door
from quire.entry.mcp.selection import Selection
from quire.entry.reference import reference
from quire.entry.sync import SyncLibrary
from serving import Served, served

pytestmark = pytest.mark.anyio

OFFERED = {
    *("list_notebooks", "create_notebook", "get_notebook", "rename_notebook", "delete_notebook"),
    *("add_note", "get_note", "list_notes", "update_note", "delete_note"),
}


@pytest.fixture
def engine() -> DictEngine:
    return DictEngine()


@pytest.fixture
def library(engine: DictEngine) -> Library:
    return Library(engine)


@pytest.fixture
def server(engine: DictEngine, tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path / "home", http_door, build=builder(engine), toolsets="notebooks,notes") as running:
        yield running


@pytest.fixture
def http(server: Served) -> Iterator[httpx.Client]:
    with server.client() as client:
        yield client


async def test_python_calls_it_through_the_same_guard(library: Library) -> None:
    notebook = await library.notebooks.create("Bees")
    note = await library.notes.create(notebook.id, "Flights", "100 flowers")
    assert await library.notes.get(None, note.short_id) == note
    assert await library.notes.get(notebook.id, note.id) == note
    with pytest.raises(NotFound):
        await library.notes.get("inbox", note.id)
    with pytest.raises(Unsupported, match="export_notes is not there with the engine 'dict'"):
        await library.notes.export()
    with pytest.raises(Unsupported, match="ask is not there"):
        await library.chat.ask(notebook.id, "How many?")


async def test_it_offers_what_it_has_a_method_for(library: Library) -> None:
    assert {one.tool for one in library.capabilities} == OFFERED


def test_the_facade_without_await_has_its_capabilities_and_no_others(engine: DictEngine, tmp_path: Path) -> None:
    with SyncLibrary({"home": tmp_path}, builder(engine)) as library:
        notebook = library.notebooks.create("Bees")
        library.notes.create(notebook.id, "Flights", "100 flowers")
        assert [note.title for note in library.notes.list(notebook.id)] == ["Flights"]
        assert not hasattr(library.notes, "export")


async def test_mcp_lists_and_calls_its_tools_and_no_others(library: Library) -> None:
    server = door(library, Selection.of("all"), local=False).server
    async with Client(server) as client:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        assert tools == OFFERED
        added = await client.call_tool("add_note", {"title": "Flights", "content": "100 flowers"})
        assert "Added note 'Flights'" in added.content[0].text
        listed = await client.call_tool("list_notebooks", {})
        assert listed.structured_content == {"notebooks": [], "total": 0}


def test_http_has_routes_and_a_description_for_what_it_offers(http: httpx.Client) -> None:
    made = http.post("/api/notebook/create", json={"title": "Bees"}).json()
    note = http.post("/api/note/add", json={"notebook_id": made["id"], "title": "Flights", "content": "100"}).json()
    assert http.get("/api/note/get", params={"note_id": note["short_id"]}).json()["title"] == "Flights"
    assert http.get("/api/note/get", params={"note_id": "none"}).status_code == 404
    assert http.post("/api/note/export", json={}).status_code == 404
    paths = http.get("/api/openapi.json").json()["paths"]
    assert len(paths) == len(OFFERED)


def test_mcp_over_http_and_the_page_are_served(http: httpx.Client) -> None:
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2026-07-28"}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
    answer = http.post("/mcp", headers=headers, json=asked | {"params": {"_meta": meta}})
    assert answer.status_code in (200, 400)
    page = http.get("/")
    assert page.status_code == 200
    assert "Quire" in page.text


def test_the_command_line_has_commands_for_what_it_offers(
    engine: DictEngine, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    capabilities = Library.offered_by(DictEngine)

    def run(*line: str) -> tuple[int, Any]:
        code = main(["--home", str(tmp_path), *line, "--json"], capabilities=capabilities, build=builder(engine))
        printed = capsysbinary.readouterr()
        return code, json.loads(printed.out or printed.err)

    code, notebook = run("notebook", "create", "Bees")
    assert code == 0
    code, note = run("note", "add", "Flights", "100 flowers", "--notebook", "Bees")
    assert (code, note["notebook_id"]) == (0, notebook["id"])
    code, listed = run("note", "list", "--notebook", notebook["id"])
    assert (code, [one["title"] for one in listed["items"]]) == (0, ["Flights"])
    code, error = run("note", "export")
    assert (code, error["code"]) == (2, "invalid_input")


def test_the_reference_tells_of_what_it_offers() -> None:
    page = reference(Library.offered_by(DictEngine))
    assert "### add_note" in page
    assert "### ask" not in page
