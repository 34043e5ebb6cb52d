"""Research through the command line, MCP and HTTP."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from quire.entry.bootstrap import build
from quire.entry.cli import main
from quire.entry.mcp import door
from quire.entry.mcp.selection import Selection
from quire.entry.settings import load
from research_corpus import Corpus, serving_corpus
from serving import served, until


@pytest.fixture(scope="module")
def corpus() -> Iterator[Corpus]:
    with serving_corpus(40) as made:
        yield made


def finding(corpus: Corpus) -> dict[str, str]:
    return {
        "embedder": "none",
        "finders": "searxng",
        "finder_urls": f"searxng={corpus.url}",
        "fetch_allow": "127.0.0.1",
    }


@pytest.fixture
def run(tmp_path: Path, corpus: Corpus, capsysbinary: pytest.CaptureFixture[bytes]) -> Callable[..., Any]:
    settings = finding(corpus)
    (tmp_path / "quire.toml").write_text("".join(f'{name} = "{value}"\n' for name, value in settings.items()))

    def run(*line: str, ends: int = 0, shown: bool = False) -> Any:
        code = main(["--home", str(tmp_path), *line, *([] if shown else ["--json"])])
        printed = capsysbinary.readouterr()
        assert code == ends, printed.err
        if shown:
            return printed.out.decode()
        return json.loads(printed.err if ends else printed.out)

    return run


def test_the_command_line_stays_with_a_run_and_imports_from_it(run: Callable[..., Any]) -> None:
    run("notebook", "create", "Crafts")
    made = run("research", "start", "glassblowing tools", "--notebook", "Crafts")
    assert made["state"] == "completed"
    (listed,) = run("research", "list", "Crafts")["items"]
    assert listed["id"] == made["id"]
    assert run("research", "status", made["id"][:8])["findings"] == made["findings"]
    added = run("research", "import", "glassblowing tools", "--numbers", "1")["items"]
    assert [one["state"] for one in added] == ["ready"]
    shown = run("research", "status", made["id"][:8], shown=True)
    assert "The tools of glassblowing in Arnvale" in shown
    assert "imported" in shown
    assert "completed" in run("research", "list", "Crafts", shown=True)


def test_a_run_that_was_left_goes_on_when_somebody_waits_for_it(run: Callable[..., Any]) -> None:
    begun = run("research", "start", "glassblowing", "--mode", "deep", "--pages", "2", "--rounds", "1", "--no-wait")
    assert begun["state"] == "in_progress"
    ended = run("research", "wait", begun["id"][:8])
    assert ended["state"] == "completed"
    report = ended["findings"][0]["report"]
    assert "## Sources" in report
    shown = run("research", "status", begun["id"][:8], shown=True)
    assert "planned" in shown
    assert "[1]" in shown
    assert run("research", "cancel", begun["id"][:8])["state"] == "completed"


def test_a_run_that_fails_ends_the_command_with_its_reason(run: Callable[..., Any], tmp_path: Path) -> None:
    with (tmp_path / "quire.toml").open("a") as file:
        file.write('drive = "/nowhere/at/all"\n')
    failed = run("research", "start", "glass", "--source", "drive", ends=9)
    assert "cannot be opened" in failed["message"]


@pytest.mark.anyio
async def test_mcp_starts_follows_and_imports(tmp_path: Path, corpus: Corpus) -> None:
    chosen = Selection.of("", "import_research,wait_for_research")
    async with (
        build(load({"home": tmp_path, "store": "memory", **finding(corpus)}, {})) as library,
        Client(door(library, chosen, local=False).server) as client,
    ):

        async def call(tool: str, **arguments: Any) -> Any:
            result = await client.call_tool(tool, arguments)
            assert not result.is_error, result.content
            return result.structured_content

        assert {"start_research", "get_research"} <= {tool.name for tool in (await client.list_tools()).tools}
        await call("create_notebook", title="Crafts")
        begun = await call("start_research", notebook_id="Crafts", query="glassblowing")
        await call("wait_for_research", research_id=begun["id"])
        told = await call("get_research", research_id=begun["id"][:8])
        assert told["state"] == "completed"
        added = await call("import_research", research_id=begun["id"], numbers=[1], wait=False)
        assert [one["title"] for one in added["items"]] == [told["findings"][0]["title"]]


def test_http_has_routes_for_research_and_its_workers_run_it(tmp_path: Path, corpus: Corpus) -> None:
    with served(tmp_path / "home", **finding(corpus)) as server, server.client() as http:
        notebook = http.post("/api/notebook/create", json={"title": "Crafts"}).json()["id"]
        begun = http.post("/api/research/start", json={"notebook_id": notebook, "query": "glassblowing"}).json()
        id = {"research_id": begun["id"]}
        until(lambda: http.get("/api/research/status", params=id).json()["state"] == "completed")
        listed = http.get("/api/research/list", params={"notebook_id": notebook}).json()["items"]
        assert [one["id"] for one in listed] == [begun["id"]]
        added = http.post("/api/research/import", json=id | {"numbers": [1], "wait": False}).json()["items"]
        assert added[0]["added"] is True
        bad = http.post("/api/research/start", json={"notebook_id": notebook, "query": " "})
        assert bad.status_code == 422
