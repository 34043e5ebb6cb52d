"""Labels and collections through the command line, MCP and HTTP, called by their names."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from quire.entry.bootstrap import build
from quire.entry.cli import main
from quire.entry.mcp import door
from quire.entry.mcp.selection import Selection
from quire.entry.settings import load
from serving import served

TEXTS = {
    "Hives": "Bees keep honey in the hive. The hive has one queen bee.",
    "Combs": "Honey fills the combs of the hive; bees seal it with wax.",
    "Ports": "The harbour holds forty ships. Sailors mend each ship's sails.",
    "Sails": "Sailors hoist the sails when the ship leaves the harbour.",
}


@pytest.fixture
def run(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> Callable[..., Any]:
    (tmp_path / "quire.toml").write_text('embedder = "none"\n')

    def run(*line: str, fails: bool = False) -> Any:
        code = main(["--home", str(tmp_path), *line, "--json"])
        printed = capsysbinary.readouterr()
        assert (code != 0) == fails, printed.err
        return json.loads(printed.err if fails else printed.out)

    return run


def test_the_command_line_labels_asks_and_collects_by_name(run: Callable[..., Any], tmp_path: Path) -> None:
    notebook = run("notebook", "create", "Topics")["id"]
    for title, text in TEXTS.items():
        (tmp_path / f"{title}.txt").write_text(text)
    ids = {
        title: run("source", "add", str(tmp_path / f"{title}.txt"), "--title", title, "--notebook", "Topics")["id"]
        for title in TEXTS
    }
    run("label", "create", "To read", "--notebook", "Topics", "--emoji", "📚")
    assert run("label", "add", "To read", "Ports", "--notebook", "Topics")["source_ids"] == [ids["Ports"]]
    assert run("label", "update", "To read", "--name", "Later", "--notebook", "Topics")["name"] == "Later"
    found = run("source", "search", "hive harbour", "--notebook", "Topics", "--label-ids", "later")
    assert {hit["passage"]["source_id"] for hit in found["items"]} == {ids["Ports"]}
    asked = run("ask", "Topics", "How many ships does the harbour hold?", "--label", "Later")
    assert {citation["source_id"] for citation in asked["citations"]} == {ids["Ports"]}
    made = run("label", "generate", "Topics")["items"]
    assert [label["generated"] for label in made] == [False, True]
    run("label", "delete", "Later", "--notebook", "Topics", "--yes")
    run("collection", "create", "Shelf")
    assert run("collection", "add", "Shelf", "Topics")["notebook_ids"] == [notebook]
    assert [one["title"] for one in run("collection", "notebooks", "Shelf")["items"]] == ["Topics"]
    assert run("collection", "delete", "Shelf", "--yes")["items"] == []


@pytest.mark.anyio
async def test_mcp_filters_by_the_names_of_labels(tmp_path: Path) -> None:
    async with build(load({"home": tmp_path, "store": "memory", "embedder": "none"}, {})) as library:
        notebook = (await library.notebooks.create("Topics")).id
        ids = {title: (await library.sources.add_text(notebook, title, text)).id for title, text in TEXTS.items()}
        async with Client(door(library, Selection.of("all"), local=False).server) as client:

            async def call(tool: str, **arguments: Any) -> Any:
                result = await client.call_tool(tool, arguments)
                assert not result.is_error, result.content
                return result.structured_content

            labels = (await call("generate_labels", notebook_id="Topics", scope="all"))["items"]
            assert {frozenset(label["source_ids"]) for label in labels} == {
                frozenset([ids["Hives"], ids["Combs"]]),
                frozenset([ids["Ports"], ids["Sails"]]),
            }
            ships = next(label["name"] for label in labels if ids["Ports"] in label["source_ids"])
            found = await call("search_sources", notebook_id="Topics", query="hive harbour", label_ids=[ships])
            assert {hit["source_id"] for hit in found["passages"]} == {ids["Ports"], ids["Sails"]}
            told = await call("ask", notebook_id=notebook, question="Who mends the sails?", label_ids=[ships])
            assert {citation["source_id"] for citation in told["citations"]} <= {ids["Ports"], ids["Sails"]}
            made = await call("create_collection", name="Shelf")
            held = await call("add_notebooks_to_collection", collection_id="shelf", notebook_ids=["Topics"])
            assert (held["id"], held["notebook_ids"]) == (made["id"], [notebook])


def test_http_has_routes_for_labels_and_collections(tmp_path: Path) -> None:
    with served(tmp_path / "home") as server, server.client() as http:
        notebook = http.post("/api/notebook/create", json={"title": "Topics"}).json()["id"]
        source = http.post(
            "/api/source/add", json={"notebook_id": notebook, "source_type": "text", "text": TEXTS["Hives"]}
        ).json()["id"]
        label = http.post("/api/label/create", json={"notebook_id": notebook, "name": "Bees"}).json()["id"]
        http.post("/api/label/add", json={"label_id": label, "source_ids": [source]})
        listed = http.get("/api/label/list", params={"notebook_id": notebook}).json()["items"]
        assert [(one["name"], one["source_ids"]) for one in listed] == [("Bees", [source])]
        asked = {"notebook_id": notebook, "question": "Where is honey kept?", "label_ids": [label]}
        assert http.post("/api/chat/ask", json=asked).json()["citations"][0]["source_id"] == source
        http.post("/api/label/remove", json={"label_id": label, "source_ids": [source]})
        assert http.post("/api/chat/ask", json=asked).status_code == 409
        collection = http.post("/api/collection/create", json={"name": "Shelf"}).json()["id"]
        http.post("/api/collection/add", json={"collection_id": collection, "notebook_ids": [notebook]})
        (one,) = http.get("/api/collection/list").json()["items"]
        assert (one["name"], one["notebook_ids"]) == ("Shelf", [notebook])
