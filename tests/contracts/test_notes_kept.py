"""Contract 2: where notes live, for how long, and the process that `quire mcp` is."""

from __future__ import annotations

import os
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import mcp_types as types
import pytest
from mcp import StdioServerParameters

from contracts.desk import Desk, connected, each_once, joined, library_at, on_every_wire
from contracts.rows import proves
from quire.domain.files import Upload
from quire.local.notes import insert
from quire.ports.store import Tx
from warm_start import warm_python

TOOLSETS = "notes,notebooks"
pytestmark = pytest.mark.anyio


def eras(first: str, second: str) -> pytest.MarkDecorator:
    """Both, but the second only in the full round: a process for each of them takes its time."""
    return pytest.mark.parametrize("era", [first, pytest.param(second, marks=pytest.mark.long)])


@asynccontextmanager
async def quire_mcp(era: str, *arguments: str) -> AsyncIterator[Desk]:
    """The command itself, with the machine's own clock."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("QUIRE_")}
    python, *options = warm_python()
    args = [*options, "-m", "quire", "mcp", *arguments]
    server = StdioServerParameters(command=python, args=args, env=environment)
    async with connected(server, era) as client:
        yield Desk(client, lambda now: None)


@proves("C2-OPEN-19", "C2-OV-03", "C2-ADD-12")
@eras("2025", "2026")
async def test_notes_are_kept_across_restarts(era: str, tmp_path: Path) -> None:
    async with quire_mcp(era, "--home", str(tmp_path)) as desk:
        id = await desk.add("Meeting Ideas", "Discuss Q4 roadmap")
        shown = await desk.text("get_note", id=id)
    stamp = r"\d{4}-\d\d-\d\d \d\d:\d\d UTC"
    layout = rf"📝 Note {id}\n\nTitle: Meeting Ideas\nContent: Discuss Q4 roadmap\n\nCreated: {stamp}\nUpdated: Never"
    assert re.fullmatch(layout, shown)
    async with quire_mcp(era, "--home", str(tmp_path)) as desk:
        assert await desk.text("get_note", id=id) == shown


@proves("C2-OPEN-20", "C2-OV-03")
@eras("2026", "2025")
async def test_with_the_memory_store_notes_are_gone_with_the_process(era: str, tmp_path: Path) -> None:
    home = tmp_path / "home"
    async with quire_mcp(era, "--home", str(home), "--store", "memory") as desk:
        id = await desk.add("Meeting Ideas", "Discuss Q4 roadmap")
        assert f"[{id}] Meeting Ideas" in await desk.text("list_notes")
        assert f"[{id}] Meeting Ideas" in await desk.text("search_notes", query="roadmap")
        assert await desk.text("update_note", id=id, title="Plans") == f"Updated note 'Plans' (ID: {id}) ✅"
    async with quire_mcp(era, "--home", str(home), "--store", "memory") as desk:
        assert await desk.refusal("get_note", id=id) == f"Note with ID '{id}' not found ❌"
        assert await desk.text("list_notes") == "No notes found. Create your first note! 📝"
    assert not home.exists()


@proves("C2-OPEN-17")
async def test_notes_go_to_the_notebook_that_the_call_names(desk: Desk) -> None:
    notebook = (await desk.call("create_notebook", title="Plans")).data["id"]
    there = await desk.add("There", "roadmap", notebook_id=notebook)
    inbox = await desk.add("In the inbox", "roadmap")
    for tool, arguments in (("list_notes", {}), ("search_notes", {"query": "roadmap"})):
        answer = await desk.call(tool, **arguments, notebook_id=notebook)
        assert [note["id"] for note in answer.data["items"]] == [there]
        assert answer.data["items"][0]["notebook_id"] == notebook
        answer = await desk.call(tool, **arguments)
        assert [note["id"] for note in answer.data["items"]] == [inbox]
    assert (await desk.call("get_note", id=there)).data["notebook_id"] == notebook
    assert (
        await desk.text("update_note", id=there, title="Still there") == f"Updated note 'Still there' (ID: {there}) ✅"
    )
    assert await desk.text("delete_note", id=there) == f"Deleted note 'Still there' (ID: {there}) ✅"
    assert await desk.text("list_notes", notebook_id=notebook) == "No notes found. Create your first note! 📝"


@proves("C2-OPEN-18")
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [("add_note", {"title": "t", "content": "c"}), ("list_notes", {}), ("search_notes", {"query": "q"})],
)
@each_once
async def test_a_notebook_that_does_not_exist_is_told(desk: Desk, tool: str, arguments: dict[str, str]) -> None:
    assert await desk.refusal(tool, **arguments, notebook_id="nowhere") == "There is no notebook 'nowhere' ❌"


@proves("C2-OPEN-05")
async def test_an_id_is_drawn_again_when_it_is_or_was_taken(tmp_path: Path) -> None:
    async with library_at(tmp_path) as library:
        first = await library.notes.create(title="First", content="c")

        def again(tx: Tx) -> str:
            return insert(tx, first.notebook_id, first.id, "Second", "c", 0).short_id

        assert await library.engine.system.write(again) != first.short_id
        await library.notes.delete(None, first.id)
        assert await library.engine.system.write(again) != first.short_id
        assert {note.title for note in await library.notes.list()} == {"Second"}
        assert (await library.notes.list()).total == 2


@proves("C2-OPEN-22")
async def test_ten_thousand_notes_are_listed_and_searched_in_little_memory(tmp_path: Path) -> None:
    text = "".join(f"# Note {number}\n\nThe body of note {number}, in a few words.\n\n" for number in range(10_000))
    async with library_at(tmp_path) as library:
        await library.notes.import_(None, Upload.of(text, "notes.md"))
        newest = (await library.notes.list(limit=1))[0]
    async with quire_mcp("2026", "--home", str(tmp_path)) as desk:
        listed = await desk.text("list_notes")
        assert listed.startswith(f"📝 All Notes (10000 total)\n\n1. [{newest.short_id}] Note 9999\n")
        everywhere = await desk.call("search_notes", query="BODY OF")
        assert everywhere.text.startswith("Found 10000 note(s) matching 'BODY OF' 🔍\n\n1. ")
        assert len(everywhere.data["items"]) == 200
        few = await desk.call("search_notes", query="note 777")
        assert [note["title"] for note in few.data["items"]] == [
            *(f"Note {n}" for n in range(7779, 7769, -1)),
            "Note 777",
        ]
        assert _peak_megabytes(tmp_path) < 100


def _peak_megabytes(home: Path) -> float:
    """The most memory that the process serving `home` has had."""
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            if str(home) in (status.parent / "cmdline").read_text():
                return int(re.findall(r"VmHWM:\s+(\d+) kB", status.read_text())[0]) / 1024
        except (FileNotFoundError, ProcessLookupError):
            continue
    raise AssertionError("the server process was not found")


PROMPTS = {
    "quick_note": {"thought": "Call the printer about the 40-page issue"},
    "summarize_notes": {"style": "five bullet points"},
    "find_topic_notes": {"topic": "the Q4 roadmap"},
    "meeting_notes": {"meeting": "Budget round", "attendees": "Ada and Grace"},
    "code_review_note": {"subject": "auth/module.py"},
}


@on_every_wire
@proves("C2-OPEN-21")
async def test_the_five_prompts_are_offered_and_speak_of_the_tools(desk: Desk) -> None:
    listed = {prompt.name: prompt for prompt in (await desk.client.list_prompts()).prompts}
    assert set(PROMPTS) <= set(listed)
    for name, arguments in PROMPTS.items():
        assert listed[name].description
        assert {argument.name for argument in listed[name].arguments or []} == set(arguments)
        assert all(argument.description for argument in listed[name].arguments or [])
        result = await desk.client.get_prompt(name, arguments)
        (message,) = result.messages
        assert isinstance(message.content, types.TextContent)
        assert message.role == "user"
        for value in arguments.values():
            assert value in message.content.text
        assert re.search(r"\b(add_note|list_notes|search_notes)\b", message.content.text)
        assert "{" not in message.content.text


@proves("C2-OPEN-21")
@pytest.mark.parametrize("era", ["2025", "2026"])
async def test_optional_arguments_of_prompts_may_be_left_out(era: str, tmp_path: Path) -> None:
    async with library_at(tmp_path) as library, joined(library, era) as client:
        for name, arguments in (("summarize_notes", {}), ("meeting_notes", {"meeting": "Budget round"})):
            (message,) = (await client.get_prompt(name, arguments)).messages
            assert isinstance(message.content, types.TextContent)
            assert "{" not in message.content.text
