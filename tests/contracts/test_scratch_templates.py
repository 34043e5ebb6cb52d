"""Contract 4's templates by the official client: what they are called, and one that reads a notebook's sources."""

from __future__ import annotations

import mcp_types as types
import pytest

from contracts.desk import Desk
from contracts.rows import proves
from quire.domain.scratch import PATTERNS

TOOLSETS = "scratch,notes,notebooks"
pytestmark = pytest.mark.anyio


@proves("C4-NB-01", "C4-TPL-03")
async def test_templates_are_named_as_people_name_them(desk: Desk) -> None:
    for pattern, title in PATTERNS.items():
        made = (await desk.call("create_scratch", pattern=title)).data
        assert (made["pattern"], made["title"]) == (pattern, title)
        listed = {one.uri: one for one in (await desk.client.list_resources()).resources}
        assert listed[made["uri"]].name == f"{title} Notebook"
        assert listed[f"{made['uri']}/cells"].name == f"{title} Notebook Cells"
        assert listed[made["uri"]].description == f"Ephemeral notebook for {pattern} reasoning pattern"
        await desk.text("delete_scratch", notebook_id=made["id"])
    missed = await desk.call("create_scratch", pattern="Tree of Thoughts")
    assert missed.data["code"] == "not_found"
    assert "mcts (Monte Carlo Tree Search)" in missed.data["hint"]
    tools = {tool.name: tool for tool in (await desk.client.list_tools()).tools}
    assert "ooda_loop (OODA Loop)" in tools["create_scratch"].input_schema["properties"]["pattern"]["description"]


@proves("C4-TPL-04", "C4-SEC-02")
async def test_a_template_is_made_with_the_sources_of_a_notebook(desk: Desk) -> None:
    notebook = (await desk.call("create_notebook", title="Templates of hives")).data
    text = 'A "strong" hive holds 50,000 bees. 🐝'
    await desk.call("add_source", notebook_id=notebook["id"], source_type="text", text=text, title="Hives")
    made = (await desk.call("create_scratch", pattern="compare_sources", sources_of="templates of HIVES")).data
    (cell,) = (one["id"] for one in made["cells"] if one["filename"] == "sources.py")
    (shown,) = (await desk.client.read_resource(f"{made['uri']}/cells/{cell}")).contents
    assert isinstance(shown, types.TextResourceContents)
    names: dict[str, list[dict[str, str]]] = {}
    exec(shown.text, names)
    assert [(source["title"], source["text"]) for source in names["SOURCES"]] == [("Hives", text)]
    assert (shown.meta or {})["hasOutputs"] is False
    missed = await desk.call("create_scratch", pattern="compare_sources", sources_of="Templates of hive")
    assert missed.data["code"] == "not_found"
    await desk.text("delete_scratch", notebook_id=made["id"])
    await desk.text("delete_notebook", notebook_id=notebook["id"])
