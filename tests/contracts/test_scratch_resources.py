"""Contract 4 by the official client, in both eras and over both wires."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp import MCPError
from mcp.client.subscriptions import ResourceUpdated

from contracts.desk import Desk, each_once, joined, library_at
from contracts.rows import proves
from quire.domain.sharing import Actor
from quire.local.people import add_person

TOOLSETS = "scratch,notes,notebooks"
pytestmark = pytest.mark.anyio

CODE = "class TreeNode {}"
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


async def made(desk: Desk, **arguments: Any) -> dict[str, Any]:
    answer = await desk.call("create_scratch", **arguments)
    assert not answer.is_error, answer.text
    return answer.data


async def added(desk: Desk, notebook: dict[str, Any], **arguments: Any) -> dict[str, Any]:
    answer = await desk.call("add_cell", notebook_id=notebook["id"], **arguments)
    assert not answer.is_error, answer.text
    return answer.data


async def read(desk: Desk, uri: str) -> types.TextResourceContents:
    (contents,) = (await desk.client.read_resource(uri)).contents
    assert isinstance(contents, types.TextResourceContents)
    assert contents.uri == uri
    return contents


async def data(desk: Desk, uri: str) -> Any:
    contents = await read(desk, uri)
    assert contents.mime_type == "application/json"
    return json.loads(contents.text)


async def clear(desk: Desk) -> None:
    for notebook in (await desk.call("list_scratch")).data["items"]:
        await desk.text("delete_scratch", notebook_id=notebook["id"])


@pytest.fixture
async def desk(desk: Desk) -> Desk:
    await clear(desk)
    return desk


@proves("C4-URI-01", "C4-URI-02", "C4-URI-03", "C4-NB-01", "C4-NB-03", "C4-TOOL-01")
async def test_a_notebook_is_read_in_its_forms(desk: Desk) -> None:
    notebook = await made(desk, title="Tree of Thought Reasoning")
    await added(desk, notebook, type="markdown", source="## Problem Statement")
    await added(desk, notebook, type="code", source=CODE, filename="tree-node.js")
    uri = notebook["uri"]
    assert uri == f"notebook://{notebook['session_id']}/{notebook['id']}"
    shown = await read(desk, uri)
    assert shown.mime_type == "text/markdown"
    assert "# Tree of Thought Reasoning\n\n## Problem Statement\n" in shown.text
    assert f"###### tree-node.js\n\n```javascript\n{CODE}\n```" in shown.text
    assert (await read(desk, f"{uri}/srcmd")).text == shown.text
    assert (await read(desk, "notebook://current")).text == shown.text
    whole = await data(desk, f"{uri}/json")
    assert (whole["id"], whole["sessionId"], whole["title"]) == (
        notebook["id"],
        notebook["session_id"],
        "Tree of Thought Reasoning",
    )
    assert whole["cells"] == await data(desk, f"{uri}/cells")
    newer = await made(desk, title="Newer")
    assert "# Newer" in (await read(desk, "notebook://current")).text
    assert newer["session_id"] != notebook["session_id"]


@proves("C4-LIST-01", "C4-LIST-02", "C4-REG-01", "C4-REG-02", "C4-DISC-01", "C4-NB-02")
async def test_notebooks_are_found_by_every_list(desk: Desk) -> None:
    assert await data(desk, "notebook://list") == []
    desk.at("2026-01-15 10:30")
    notebook = await made(desk, pattern="tree_of_thought")
    (row,) = await data(desk, "notebook://list")
    assert {name: row[name] for name in ("id", "sessionId", "pattern", "createdAt", "cellCount")} == {
        "id": notebook["id"],
        "sessionId": notebook["session_id"],
        "pattern": "tree_of_thought",
        "createdAt": "2026-01-15T10:30:00.000Z",
        "cellCount": notebook["cell_count"],
    }
    listed = {one.uri: one for one in (await desk.client.list_resources()).resources if "notebook:" in one.uri}
    assert set(listed) == {"notebook://list", notebook["uri"], f"{notebook['uri']}/cells"}
    first = listed["notebook://list"]
    assert (first.name, first.description, first.mime_type) == (
        "Active Notebooks",
        "1 active notebooks",
        "application/json",
    )
    entry = listed[notebook["uri"]]
    assert (entry.name, entry.mime_type) == ("Tree of Thought Notebook", "text/markdown")
    assert entry.meta == (await read(desk, notebook["uri"])).meta
    assert listed[f"{notebook['uri']}/cells"].description == f"{notebook['cell_count']} cells"


@proves("C4-NB-02", "C4-META-01")
async def test_the_metadata_of_a_notebook_is_tracked(desk: Desk) -> None:
    desk.at("2026-01-15 10:30")
    notebook = await made(desk, title="T")
    before = (await read(desk, notebook["uri"])).meta
    assert before == {
        "sessionId": notebook["session_id"],
        "notebookId": notebook["id"],
        "cellCount": 1,
        "createdAt": "2026-01-15T10:30:00.000Z",
        "lastModified": "2026-01-15T10:30:00.000Z",
        "totalExecutions": 0,
        "hasErrors": False,
        "revision": 1,
    }
    desk.at("2026-01-15 10:45")
    await added(desk, notebook, type="markdown", source="x")
    after = (await read(desk, f"{notebook['uri']}/cells")).meta
    assert after == before | {"cellCount": 2, "lastModified": "2026-01-15T10:45:00.000Z", "revision": 2}


@proves("C4-CELLS-01", "C4-CELL-01", "C4-CELL-02")
async def test_cells_are_read_together_and_one_by_one(desk: Desk) -> None:
    notebook = await made(desk, title="T")
    code = (await added(desk, notebook, type="code", source=CODE, filename="tree-node.js"))["cell"]
    await added(desk, notebook, type="code", source="x = 1")
    text = (await added(desk, notebook, type="markdown", source="# One"))["cell"]
    cells = await data(desk, f"{notebook['uri']}/cells")
    assert [(cell["id"], cell["type"], cell["source"]) for cell in cells] == [
        ("cell-1", "title", "T"),
        ("cell-2", "code", CODE),
        ("cell-3", "code", "x = 1"),
        ("cell-4", "markdown", "# One"),
    ]
    one = await read(desk, f"{notebook['uri']}/cells/{code['id']}")
    assert (one.text, one.mime_type) == (CODE, "application/javascript")
    assert one.meta == {
        "cellId": code["id"],
        "cellType": "code",
        "language": "javascript",
        "filename": "tree-node.js",
        "status": "idle",
        "hasOutputs": False,
    }
    assert (await read(desk, f"{notebook['uri']}/cells/cell-3")).mime_type == "text/x-python"
    assert (await read(desk, f"{notebook['uri']}/cells/{text['id']}")).mime_type == "text/markdown"
    assert "# One" in (await read(desk, notebook["uri"])).text


@proves("C4-ERR-01", "C4-URI-04", "C4-SEC-01")
async def test_what_is_not_there_is_invalid_params_with_its_address(desk: Desk) -> None:
    mine, other = await made(desk, title="a"), await made(desk, title="b")
    uri = mine["uri"]
    encoded = uri.replace("nb-", "%6Eb-")
    assert (await read(desk, encoded)).text == (await read(desk, uri)).text
    for wrong in (
        "notebook://",
        "notebook://nothing",
        "notebook://list/more",
        "notebook://current/more",
        "notebook://templates",
        "notebook://templates/no_such",
        "notebook://templates/../../secret",
        f"notebook://{other['session_id']}/{mine['id']}",
        f"notebook://{mine['session_id']}/nb-0000000000000000",
        f"{uri}/",
        f"{uri}/html",
        f"{uri}/cells/none",
        f"{uri}/cells/%2e%2e",
        f"{uri}/cells/cell-1/more",
        f"{uri}/executions/none",
        f"{uri}/executions",
        f"{uri}/srcmd/more",
        f"file:///notebooks/{mine['session_id']}/notebook.src.md",
        "file:///notebooks/../../etc/passwd",
        "file:///etc/passwd",
    ):
        with pytest.raises(MCPError) as refused:
            await desk.client.read_resource(wrong)
        assert (refused.value.error.code, refused.value.error.data) == (types.INVALID_PARAMS, {"uri": wrong}), wrong


@proves("C4-SEC-01")
async def test_another_actor_finds_nothing(tmp_path: Any) -> None:
    async with library_at(tmp_path) as library, joined(library, "2026") as client:
        desk = Desk(client, lambda now: None)
        notebook = await made(desk, title="secret")
        now = library.engine.parts.clock.now()
        await library.engine.system.write(lambda tx: add_person(tx, "guest", "A guest", None, now))
        async with joined(library.as_actor(Actor(id="guest")), "2026") as other:
            theirs = Desk(other, lambda now: None)
            assert await data(theirs, "notebook://list") == []
            for uri in (notebook["uri"], f"{notebook['uri']}/cells", "notebook://current"):
                with pytest.raises(MCPError) as refused:
                    await theirs.client.read_resource(uri)
                assert refused.value.error.code == types.INVALID_PARAMS
            for tool in ("get_scratch", "run_all", "export_scratch"):
                answer = await theirs.call(tool, notebook_id=notebook["id"])
                assert answer.data["code"] == "not_found"


@proves("C4-SEC-03")
async def test_a_notebook_disappears_when_nobody_uses_it(desk: Desk) -> None:
    desk.at("2026-01-15 10:00")
    notebook = await made(desk, title="T")
    desk.at("2026-01-15 10:29")
    await read(desk, notebook["uri"])
    desk.at("2026-01-15 10:58")
    await read(desk, notebook["uri"])
    desk.at("2026-01-15 11:29")
    with pytest.raises(MCPError):
        await desk.client.read_resource(notebook["uri"])
    assert await data(desk, "notebook://list") == []
    assert (await desk.call("get_scratch", notebook_id=notebook["id"])).is_error


@proves("C4-TPL-01", "C4-TPL-02")
async def test_templates_are_read_and_ids_are_completed(desk: Desk) -> None:
    notebook = await made(desk, title="T")
    listed = [one.uri_template for one in (await desk.client.list_resource_templates()).resource_templates]
    template = "notebook://{session}/{notebook}/cells/{cell}"
    assert template in listed
    assert "notebook://templates/{pattern}" in listed

    async def completed(uri: str, name: str, value: str) -> list[str]:
        reference = types.ResourceTemplateReference(uri=uri)
        return list((await desk.client.complete(reference, {"name": name, "value": value})).completion.values)

    assert await completed(template, "session", "session-") == [notebook["session_id"]]
    assert await completed(template, "notebook", notebook["id"][:5]) == [notebook["id"]]
    assert await completed(template, "cell", "cell") == ["cell-1"]
    assert await completed("notebook://templates/{pattern}", "pattern", "m") == ["mcts"]
    assert await completed("notebook://{session}/{notebook}/{format}", "format", "s") == ["srcmd"]
    text = (await read(desk, "notebook://templates/beam_search")).text
    assert "# Beam Search" in text
    from_text = await desk.call("import_scratch", format="srcmd", text=text)
    assert from_text.data["cell_count"] == (await made(desk, pattern="beam_search"))["cell_count"]


@proves("C4-FILE-01", "C4-TOOL-03")
async def test_an_export_leaves_files_that_can_be_read(desk: Desk) -> None:
    notebook = await made(desk, title="T")
    await added(desk, notebook, type="code", source=CODE, filename="tree-node.js")
    out = (await desk.call("export_scratch", notebook_id=notebook["id"], format="srcmd")).data
    root = f"file:///notebooks/{notebook['session_id']}"
    assert out["uri"] == f"{root}/notebook.src.md"
    shown = await read(desk, out["uri"])
    assert (shown.text, shown.mime_type) == (out["text"], "text/markdown")
    assert (await read(desk, f"{root}/cells/cell-2.js")).text == CODE
    assert out["uri"] in [one.uri for one in (await desk.client.list_resources()).resources]
    for format in ("srcmd", "ipynb", "json"):
        out = (await desk.call("export_scratch", notebook_id=notebook["id"], format=format)).data
        again = (await desk.call("import_scratch", format=format, text=out["text"])).data
        cells = await data(desk, f"{again['uri']}/cells")
        assert [(cell["type"], cell["source"], cell.get("filename")) for cell in cells] == [
            ("title", "T", None),
            ("code", CODE, "tree-node.js"),
        ]
    bad = await desk.call("import_scratch", format="srcmd", text="# no metadata")
    assert bad.data["code"] == "invalid_input"


@proves("C4-TOOL-01", "C4-TOOL-05", "C4-TOOL-06")
async def test_cells_are_edited_by_tools_under_one_conflict_rule(desk: Desk) -> None:
    notebook = await made(desk)
    id = notebook["id"]
    first = await added(desk, notebook, type="markdown", source="one", revision=1)
    await added(desk, notebook, type="markdown", source="two", index=0)
    stale = await desk.call("update_cell", notebook_id=id, cell_id=first["cell"]["id"], source="x", revision=1)
    assert (stale.is_error, stale.data["code"], stale.data["revision"]) == (True, "conflict", 3)
    await desk.text("update_cell", notebook_id=id, cell_id=first["cell"]["id"], source="uno", revision=3)
    await desk.text("move_cell", notebook_id=id, cell_id=first["cell"]["id"], index=0)
    await desk.text("delete_cell", notebook_id=id, cell_id="cell-1")
    cells = await data(desk, f"{notebook['uri']}/cells")
    assert [cell["source"] for cell in cells] == ["uno", "two"]
    full = {"cells": [{"type": "markdown"}] * 200}
    large = (await desk.call("import_scratch", format="json", text=json.dumps(full))).data
    refused = await desk.call("add_cell", notebook_id=large["id"], type="markdown", source="x")
    assert refused.data["code"] == "limit_reached"


@proves("C4-TOOL-04")
async def test_a_notebook_is_kept_for_good(desk: Desk) -> None:
    notebook = await made(desk, title="Kept")
    await added(desk, notebook, type="markdown", source="Bees make honey.")
    note = (await desk.call("save_scratch", notebook_id=notebook["id"], kind="note")).data
    assert "Bees make honey." in await desk.text("get_note", id=note["id"])
    target = (await desk.call("create_notebook", title="Target")).data["id"]
    source = (await desk.call("save_scratch", notebook_id=notebook["id"], into=target)).data
    assert (source["kind"], source["notebook_id"]) == ("source", target)


@pytest.mark.parametrize("desk", ["stdio_2025", "text_2026"], indirect=True)
@proves("C4-TOOL-02", "C4-EXEC-01", "C4-META-01", "C4-SEC-02", "C4-SEC-04", "C4-CELL-02")
async def test_cells_run_and_their_runs_are_resources(desk: Desk) -> None:
    notebook = await made(desk, title="T")
    html = "from IPython.display import HTML\nHTML('<b>ok</b><script>bad()</script>')"
    for source in ("x = 20\nprint(x)", html, "x + 1 / 0", "never = 1"):
        await added(desk, notebook, type="code", source=source)
    assert (await read(desk, notebook["uri"])).meta["totalExecutions"] == 0  # type: ignore[index]
    run = (await desk.call("run_all", notebook_id=notebook["id"], timeout=60)).data
    assert (run["status"], len(run["executions"]), run["skipped"]) == ("failed", 3, 1)
    meta = (await read(desk, notebook["uri"])).meta
    assert meta is not None
    assert (meta["totalExecutions"], meta["hasErrors"], "lastExecuted" in meta) == (3, True, True)
    cells = await data(desk, f"{notebook['uri']}/cells")
    assert cells[1]["outputs"] == [{"kind": "stream", "name": "stdout", "text": "20\n"}]
    assert cells[2]["outputs"][0]["data"]["text/html"] == "<b>ok</b>"
    assert cells[3]["outputs"][0]["error_name"] == "ZeroDivisionError"
    assert [cell["status"] for cell in cells] == ["idle", "idle", "idle", "failed", "idle"]
    one = await read(desk, f"{notebook['uri']}/cells/cell-4")
    assert one.meta is not None
    assert (one.meta["status"], one.meta["hasOutputs"]) == ("failed", True)
    first = run["executions"][0]
    execution = await data(desk, f"{notebook['uri']}/executions/{first['id']}")
    assert (execution["status"], execution["cell_id"]) == ("ok", "cell-2")
    assert execution["outputs"] == cells[1]["outputs"]
    again = (await desk.call("run_cell", notebook_id=notebook["id"], cell_id="cell-2")).data
    assert (again["status"], again["execution_count"]) == ("ok", 4)
    await desk.text("delete_scratch", notebook_id=notebook["id"])


DRAWING = f"""
import base64
from IPython.display import clear_output, display, update_display
display('gone')
clear_output()
display('first', display_id='d')
update_display('second', display_id='d')
png = base64.b64decode({PNG!r})
display({{'image/png': png, 'text/plain': 'a picture'}}, raw=True)
display({{'image/png': 'bm8gcGljdHVyZQ==', 'image/gif': [1]}}, raw=True)
display({{'image/svg+xml': '<svg xmlns="http://www.w3.org/2000/svg"><script>x()</script><g/></svg>'}}, raw=True)
"""


@each_once
@proves("C4-EXEC-02", "C4-EXEC-03", "C4-SEC-04")
async def test_pictures_reach_a_model_as_images_and_once(desk: Desk) -> None:
    notebook = await made(desk, title="T")
    cell = (await added(desk, notebook, type="code", source=DRAWING))["cell"]
    told: list[str] = []

    async def hear(done: float, total: float | None, message: str | None) -> None:
        told.append(message or "")

    arguments = {"notebook_id": notebook["id"], "cell_id": cell["id"]}
    result = await desk.client.call_tool("run_cell", arguments, progress_callback=hear)
    assert isinstance(result, types.CallToolResult)
    text, image, link = result.content
    assert isinstance(text, types.TextContent)
    assert isinstance(image, types.ImageContent)
    assert (image.data, image.mime_type) == (PNG, "image/png")
    assert isinstance(link, types.ResourceLink)
    assert link.mime_type == "image/svg+xml"
    run = result.structured_content
    assert run is not None
    assert json.loads(text.text) == run
    assert PNG not in text.text
    assert not [one for one in told if PNG in one or "<svg" in one]
    cleared = [json.loads(one) for one in told]
    assert cleared[1] == {"cell_id": cell["id"], "cleared": True}
    assert (cleared[3]["updated"], cleared[3]["output"]["display_id"]) == (True, "d")
    first, png, wrong, svg = run["outputs"]
    assert first["data"] == {"text/plain": "'second'"}
    uri = f"{run['uri']}/outputs/1.png"
    assert png["data"] == {"image/png": {"size": 70, "uri": uri}, "text/plain": "a picture"}
    assert wrong["data"] == {"image/png": {"size": 0}, "image/gif": {"size": 0}}
    assert link.uri == svg["data"]["image/svg+xml"]["uri"] == f"{run['uri']}/outputs/3.svg"
    execution = await data(desk, run["uri"])
    assert execution["outputs"][1]["data"] == png["data"]
    (cells,) = [one for one in await data(desk, f"{notebook['uri']}/cells") if one["id"] == cell["id"]]
    of_cell = f"{notebook['uri']}/cells/{cell['id']}/outputs"
    assert cells["outputs"][1]["data"]["image/png"]["uri"] == f"{of_cell}/1.png"
    for address in (uri, f"{of_cell}/1.png"):
        (contents,) = (await desk.client.read_resource(address)).contents
        assert isinstance(contents, types.BlobResourceContents)
        assert (contents.blob, contents.mime_type, contents.uri) == (PNG, "image/png", address)
    drawn = await read(desk, link.uri)
    assert (drawn.mime_type, "script" in drawn.text, "<g/>" in drawn.text) == ("image/svg+xml", False, True)
    for absent in ("0.png", "1.gif", "2.png", "9.png", "1.png/x", "x", "-1.png"):
        with pytest.raises(MCPError):
            await desk.client.read_resource(f"{run['uri']}/outputs/{absent}")
    whole = await data(desk, f"{notebook['uri']}/json")
    assert whole["cells"][1]["outputs"][1]["data"]["image/png"].strip() == PNG
    await desk.text("delete_scratch", notebook_id=notebook["id"])


@proves("C4-URI-05")
async def test_there_is_no_current_notebook_but_the_sessions_own(tmp_path: Any) -> None:
    async with library_at(tmp_path) as library:
        await library.scratch.create(title="of no session")
        for era in ("2025", "2026"):
            async with joined(library, era, toolsets=TOOLSETS) as one, joined(library, era, toolsets=TOOLSETS) as two:
                first, second = Desk(one, lambda now: None), Desk(two, lambda now: None)
                for desk in (first, second):
                    with pytest.raises(MCPError) as refused:
                        await desk.client.read_resource("notebook://current")
                    assert refused.value.error.code == types.INVALID_PARAMS
                    assert refused.value.error.data == {"uri": "notebook://current"}
                await made(first, title="mine")
                assert "# mine" in (await read(first, "notebook://current")).text
                with pytest.raises(MCPError):
                    await second.client.read_resource("notebook://current")


@proves("C4-TOOL-07")
async def test_what_json_gives_is_imported_as_the_same_notebook(desk: Desk, tmp_path: Path) -> None:
    notebook = await made(desk, pattern="mcts")
    outputs = [{"kind": "display", "data": {"image/png": PNG}, "display_id": "d", "metadata": {"image/png": {"w": 1}}}]
    cells = [
        {"type": "title", "source": "T"},
        {"id": "a", "type": "code", "source": "1", "filename": "a.ts", "execution_count": 3, "outputs": outputs},
        {"type": "markdown", "source": "x", "attachments": {"a.png": {"image/png": PNG}}, "metadata": {"k": [1]}},
    ]
    text = json.dumps({"language": "typescript", "tsconfig": {"a": 1}, "metadata": {"m": 2}, "cells": cells})
    other = (await desk.call("import_scratch", format="json", text=text)).data
    for one in (notebook, other):
        given = await read(desk, f"{one['uri']}/json")
        again = await desk.call("import_scratch", format="json", text=given.text)
        assert not again.is_error, again.text
        file = tmp_path / "notebook.json"
        file.write_text(given.text)
        by_path = await desk.call("import_scratch", format="json", path=str(file))
        facts = {"id": 0, "sessionId": 0, "createdAt": 0, "pattern": 0}
        for answer in (again, by_path):
            whole = await data(desk, f"{answer.data['uri']}/json")
            assert whole | facts == json.loads(given.text) | facts
    wrong = json.dumps(json.loads(given.text) | {"more": 1})
    assert (await desk.call("import_scratch", format="json", text=wrong)).data["code"] == "invalid_input"


@proves("C4-ERR-02", "C4-ERR-01")
async def test_an_unknown_id_is_not_found_however_long(desk: Desk) -> None:
    notebook = await made(desk, title="T")
    for id in ("x" * 65, "nb-" + "0" * 100_000, "no such!", "../x"):
        for tool, arguments in {
            "get_scratch": {"notebook_id": id},
            "run_all": {"notebook_id": id},
            "run_cell": {"notebook_id": notebook["id"], "cell_id": id},
            "delete_cell": {"notebook_id": notebook["id"], "cell_id": id},
        }.items():
            answer = await desk.call(tool, **arguments)
            assert (answer.is_error, answer.data["code"]) == (True, "not_found"), (tool, id[:9])
            assert len(answer.text) < 1_000
    for uri in (f"notebook://{notebook['session_id']}/nb-{'0' * 70}", f"notebook://{'s' * 70}/{notebook['id']}"):
        with pytest.raises(MCPError) as refused:
            await desk.client.read_resource(uri)
        assert refused.value.error.code == types.INVALID_PARAMS


@proves("C4-FILE-02")
async def test_files_keep_their_media_types(desk: Desk) -> None:
    notebook = await made(desk, title="T")
    for name in ("a.js", "b.py", "c.ts", "d.css", "e.zzz"):
        await added(desk, notebook, type="code", source="1", filename=name)
    await added(desk, notebook, type="package.json", source="{}")
    root = f"file:///notebooks/{notebook['session_id']}"
    expected = {
        "cells/cell-1.md": "text/markdown",
        "cells/cell-2.js": "application/javascript",
        "cells/cell-3.py": "text/x-python",
        "cells/cell-4.ts": "application/typescript",
        "cells/cell-5.css": "text/css",
        "cells/cell-6.zzz": "text/plain",
        "cells/cell-7.json": "application/json",
        "notebook.ipynb": "application/x-ipynb+json",
    }
    await desk.text("export_scratch", notebook_id=notebook["id"], format="ipynb")
    listed = {one.uri: one.mime_type for one in (await desk.client.list_resources()).resources}
    for path, kind in expected.items():
        assert (await read(desk, f"{root}/{path}")).mime_type == kind, path
        assert listed[f"{root}/{path}"] == kind, path


@proves("C4-SUB-03")
async def test_subscribers_of_a_cell_hear_of_its_end(desk: Desk) -> None:
    watched = await made(desk, title="watched")
    source = "await new Promise(() => {})"
    cell = (await added(desk, watched, type="code", source=source, filename="a.js"))["cell"]
    uri = f"{watched['uri']}/cells/{cell['id']}"

    async def runs() -> bool:
        meta = (await read(desk, uri)).meta
        return meta is not None and meta["status"] == "running"

    async with hearing(desk, uri) as heard:
        running = asyncio.create_task(desk.call("run_cell", notebook_id=watched["id"], cell_id=cell["id"]))
        while not (await runs() and uri in heard):
            assert not running.done(), await running
            await asyncio.sleep(0.01)
        heard.clear()
        # Its kernel may be about to begin.
        while not running.done():
            await desk.text("interrupt_scratch", notebook_id=watched["id"])
            await asyncio.wait({running}, timeout=0.05)
        assert (await running).data["status"] == "interrupted"
        await until(lambda: uri in heard)
        heard.clear()
        await desk.text("delete_scratch", notebook_id=watched["id"])
        await until(lambda: uri in heard)


@proves("C4-SUB-01", "C4-SUB-02")
async def test_changes_are_heard_of(desk: Desk, request: pytest.FixtureRequest) -> None:
    watched, other = await made(desk, title="watched"), await made(desk, title="other")
    uri = watched["uri"]
    async with hearing(desk, uri) as heard:
        await added(desk, watched, type="markdown", source="x")
        await until(lambda: uri in heard)
        heard.clear()
        await made(desk, title="third")
        await until(lambda: "list" in heard)
        await added(desk, other, type="markdown", source="x")
        await desk.text("delete_scratch", notebook_id=watched["id"])
        await until(lambda: uri in heard)
        assert other["uri"] not in heard


@asynccontextmanager
async def hearing(desk: Desk, uri: str) -> AsyncIterator[list[str]]:
    """What the client hears of a notebook and of the list, in the way of its era."""
    heard: list[str] = []
    client = desk.client
    if client.protocol_version == "2025-11-25":

        async def take(message: Any) -> None:
            if isinstance(message, types.ResourceListChangedNotification):
                heard.append("list")
            elif isinstance(message, types.ResourceUpdatedNotification):
                heard.append(str(message.params.uri))

        client.session._message_handler = take
        request = types.SubscribeRequest(params=types.SubscribeRequestParams(uri=uri))
        await client.session.send_request(request, types.EmptyResult)
        yield heard
        return
    async with client.listen(resources_list_changed=True, resource_subscriptions=[uri]) as events:

        async def follow() -> None:
            async for event in events:
                heard.append(event.uri if isinstance(event, ResourceUpdated) else "list")

        following = asyncio.create_task(follow())
        try:
            yield heard
        finally:
            following.cancel()


async def until(condition: Callable[[], bool]) -> None:
    for _ in range(2_000):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it was never heard")
