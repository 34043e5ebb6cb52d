"""Notebooks moved from one library into another: whole, once, and whatever stops it on the way."""

from __future__ import annotations

import asyncio
import json
import stat
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, cast

import pytest

import quire
from moved_notebook import BEES, Killed, Mortal, filled, told
from pages import serving_pages
from quire import (
    Conflict,
    InvalidInput,
    Library,
    NotFound,
    NotSignedIn,
    QuireError,
    Unsupported,
    Upload,
    Upstream,
    transfer,
)
from quire.api.chat import A_TURN
from quire.entry.transfer.ledger import Ledger

pytestmark = pytest.mark.anyio


async def at_once(seconds: float) -> None:
    """Nobody waits here."""


@pytest.fixture
async def origin(tmp_path: Path) -> AsyncIterator[Library]:
    async with quire.open(home=tmp_path / "origin", embedder="none", fetch_allow="127.0.0.1") as library:
        yield library


@pytest.fixture
async def target(tmp_path: Path) -> AsyncIterator[Library]:
    async with quire.open(home=tmp_path / "target", embedder="none", fetch_allow="127.0.0.1") as library:
        yield library


async def test_all_of_a_notebook_comes_over_and_it_stays_where_it_was(
    origin: Library, target: Library, tmp_path: Path
) -> None:
    notebook = await filled(origin)
    before = await told(origin, notebook)
    heard: list[tuple[float, float | None, str]] = []

    async def report(done: float, total: float | None, message: str) -> None:
        heard.append((done, total, message))

    made = await transfer(origin, target, notebook, ledgers=tmp_path / "ledgers", report=report)
    assert made.not_moved == []
    assert made.new_id is not None
    assert await told(target, made.new_id) == before
    assert await told(origin, notebook) == before
    assert {one.title: one.moved_as for one in made.moved if one.kind == "source"} == {"Flights": "text", "Wax": "file"}
    copied = {one.title: one.new_id for one in made.moved if one.kind == "source"}
    assert copied["Wax"] is not None
    file = await target.sources.download(made.new_id, copied["Wax"])
    assert (file.name, await file.read()) == ("wax.txt", (await _original(origin, notebook, "Wax")))
    assert heard[-1][0] == heard[-1][1]
    assert "source 'Flights'" in [message for _, _, message in heard]


async def _original(library: Library, notebook: str, title: str) -> bytes:
    (found,) = [one.id for one in await library.sources.list(notebook) if one.title == title]
    return await (await library.sources.download(notebook, found)).read()


async def test_citations_of_a_moved_conversation_are_checked_in_the_sources_there(
    origin: Library, target: Library, tmp_path: Path
) -> None:
    made = await transfer(origin, target, await filled(origin), ledgers=tmp_path / "ledgers")
    (talk,) = (await target.chat.list_conversations(made.new_id)).items
    for turn in await target.chat.get_history(talk.id):
        for cited in turn.answer.citations:
            text = (await target.sources.get_fulltext(made.new_id, cited.source_id)).text
            assert text[cited.start : cited.end] == cited.excerpt
            assert cited.verified
            assert cited.passage_id > 0


async def test_a_second_run_moves_only_what_was_added_since(origin: Library, target: Library, tmp_path: Path) -> None:
    notebook = await filled(origin)
    first = await transfer(origin, target, notebook, ledgers=tmp_path / "ledgers")
    await origin.notes.create(notebook, "Third", "three")
    source = await origin.sources.add_text(notebook, "Late", "Drones have no sting.")
    label = next(one for one in await origin.labels.list(notebook) if one.name == "Empty")
    await origin.labels.add_sources(notebook, label.id, [source.id])
    second = await transfer(origin, target, notebook, ledgers=tmp_path / "ledgers")
    assert second.new_id == first.new_id
    assert second.before > 0
    assert await told(target, first.new_id or "") == await told(origin, notebook)
    third = await transfer(origin, target, notebook, ledgers=tmp_path / "ledgers", again=True)
    assert third.new_id != first.new_id
    assert (await target.notebooks.list()).total == 2 + 1


@pytest.mark.parametrize(
    ("after", "every"),
    [(True, 5), pytest.param(True, 1, marks=pytest.mark.long), pytest.param(False, 1, marks=pytest.mark.long)],
)
async def test_killed_at_any_call_nothing_is_doubled_and_nothing_lost(
    origin: Library, target: Library, tmp_path: Path, after: bool, every: int
) -> None:
    notebook = await filled(origin)
    wanted = await told(origin, notebook)
    mortal = Mortal(target)
    await transfer(origin, cast(Library, mortal), notebook, ledgers=tmp_path / "whole")
    assert mortal.calls > 15
    for number in range(0, mortal.calls, every):
        there = {one.id for one in await target.notebooks.list(limit=1_000)}
        ledgers = tmp_path / f"{number}"
        dying = cast(Library, Mortal(target, number, after=after))
        with pytest.raises(Killed):
            await transfer(origin, dying, notebook, ledgers=ledgers, sleep=at_once)
        made = await transfer(origin, target, notebook, ledgers=ledgers, sleep=at_once)
        assert made.not_moved == []
        assert await told(target, made.new_id or "") == wanted, number
        assert {one.id for one in await target.notebooks.list(limit=1_000)} - there == {made.new_id}
        await target.notebooks.delete(made.new_id or "")


async def test_a_dry_run_changes_nothing_and_tells_all(origin: Library, target: Library, tmp_path: Path) -> None:
    notebook = await filled(origin, artifacts=True)
    await origin.sources.add_file(notebook, Upload.of(b"\x00\x01\x02", "broken.bin"))
    made = await transfer(origin, target, notebook, ledgers=tmp_path / "ledgers", dry_run=True)
    assert made.new_id is None
    assert (await target.notebooks.list()).total == 1
    assert not (tmp_path / "ledgers").exists()
    assert {one.kind for one in made.moved} == {
        *("notebook", "chat settings", "source", "note", "label", "conversation", "artifact")
    }


async def test_artifacts_come_as_notes_and_their_files_are_saved(
    origin: Library, target: Library, tmp_path: Path
) -> None:
    notebook = await filled(origin, artifacts=True)
    files = tmp_path / "files"
    made = await transfer(origin, target, notebook, ledgers=tmp_path / "ledgers", files=files)
    (report,) = [one for one in made.moved if one.kind == "artifact"]
    assert (report.moved_as, bool(report.lost)) == ("note", True)
    note = await target.notes.get(made.new_id, report.new_id or "")
    assert note.title == "A report"
    assert "100 flowers" in note.content
    assert {"a-report"} == {one.name.rpartition("-")[0] for one in files.iterdir()}
    assert "md" in {one.suffix.removeprefix(".") for one in files.iterdir()}


async def test_pages_come_by_their_address_or_their_text(origin: Library, target: Library, tmp_path: Path) -> None:
    with serving_pages() as pages:
        notebook = (await origin.notebooks.create("Pages")).id
        await origin.sources.add_url(notebook, pages.put("/there", f"<title>There</title><p>{BEES}</p>"))
        for way in ("address", "text"):
            made = await transfer(origin, target, notebook, ledgers=tmp_path / way, pages=way)  # type: ignore[arg-type]
            assert [one.moved_as for one in made.moved if one.kind == "source"] == [way]
            assert [one.state for one in await target.sources.list(made.new_id)] == ["ready"]


@pytest.mark.long
async def test_a_page_that_is_gone_comes_by_its_text(origin: Library, target: Library, tmp_path: Path) -> None:
    """Long, since whoever fetches a page tries again before giving up."""
    with serving_pages() as pages:
        notebook = (await origin.notebooks.create("Pages")).id
        await origin.sources.add_url(notebook, pages.put("/gone", f"<title>Gone</title><p>{BEES}</p>"))
        del pages.served["/gone"]
        made = await transfer(origin, target, notebook, ledgers=tmp_path / "ledgers")
        (gone,) = [one for one in made.moved if one.kind == "source"]
        assert (gone.moved_as, bool(gone.lost)) == ("text", True)
        assert [one.state for one in await target.sources.list(made.new_id)] == ["ready"]


async def test_what_cannot_be_moved_is_told_and_the_rest_comes(
    origin: Library, target: Library, tmp_path: Path
) -> None:
    notebook = (await origin.notebooks.create("Odd")).id
    await origin.sources.add_text(notebook, "Twin", BEES)
    await origin.sources.add_file(notebook, Upload.of(b"%PDF-1.7 broken", "broken.pdf"))
    made = await transfer(origin, target, notebook, ledgers=tmp_path / "ledgers")
    broken = next(one for one in [*made.moved, *made.not_moved] if one.title == "broken.pdf")
    assert broken.lost
    assert next(one for one in made.moved if one.title == "Twin").new_id


class Failing(Mortal):
    """A library whose sources cannot be added, for a reason."""

    def __init__(self, library: Library, error: QuireError) -> None:
        super().__init__(library)
        self._error = error

    def __getattr__(self, name: str) -> Any:
        found = super().__getattr__(name)
        return _FailingSources(found, self._error) if name == "sources" else found


class _FailingSources:
    def __init__(self, noun: Any, error: QuireError) -> None:
        self._noun = noun
        self._error = error

    def __getattr__(self, name: str) -> Any:
        return self._refuse if name.startswith("add") else getattr(self._noun, name)

    async def _refuse(self, *arguments: Any, **named: Any) -> None:
        raise self._error


@pytest.mark.parametrize("error", [InvalidInput("No."), Upstream("Away.", outcome="unknown")])
async def test_a_source_that_is_refused_is_told_and_comes_with_the_next_run(
    origin: Library, target: Library, tmp_path: Path, error: QuireError
) -> None:
    notebook = await filled(origin)
    failing = cast(Library, Failing(target, error))
    made = await transfer(origin, failing, notebook, ledgers=tmp_path / "ledgers", sleep=at_once)
    assert [(one.title, one.lost) for one in made.not_moved] == [("Flights", error.message), ("Wax", error.message)]
    assert next(one for one in made.moved if one.title == "Flying").lost
    again = await transfer(origin, target, notebook, ledgers=tmp_path / "ledgers", sleep=at_once)
    assert again.not_moved == []
    assert [one.title for one in again.lossy] == ["How many flowers does a honey bee visit on a flight?"]
    came, wanted = await told(target, made.new_id or ""), await told(origin, notebook)
    assert came | {"conversations": []} == wanted | {"conversations": []}


async def test_a_session_that_has_ended_stops_it_with_a_hint(origin: Library, target: Library, tmp_path: Path) -> None:
    failing = cast(Library, Failing(target, NotSignedIn("Sign in.", hint="quire login")))
    with pytest.raises(NotSignedIn) as stopped:
        await transfer(origin, failing, await filled(origin), ledgers=tmp_path / "ledgers")
    assert stopped.value.hint == "quire login Run it again to go on where it stopped."


async def test_a_move_that_is_cancelled_goes_on_later(origin: Library, target: Library, tmp_path: Path) -> None:
    notebook = await filled(origin)
    reached = asyncio.Event()

    async def report(done: float, total: float | None, message: str) -> None:
        if message.startswith("note"):
            reached.set()
            await asyncio.Event().wait()

    moving = asyncio.create_task(transfer(origin, target, notebook, ledgers=tmp_path / "ledgers", report=report))
    await reached.wait()
    with pytest.raises(Conflict):
        await transfer(origin, target, notebook, ledgers=tmp_path / "ledgers")
    moving.cancel()
    await asyncio.wait({moving})
    made = await transfer(origin, target, notebook, ledgers=tmp_path / "ledgers")
    assert await told(target, made.new_id or "") == await told(origin, notebook)


async def test_a_turn_from_elsewhere_is_kept_once_and_nothing_odd_is(target: Library) -> None:
    notebook = (await target.notebooks.create("Bees")).id
    turn = json.loads(A_TURN)
    cited = {
        "number": 1,
        "source_id": "nowhere",
        "source_title": "",
        "version": 1,
        "passage_id": 1,
        "start": 0,
        "end": 1,
    }
    cited |= {"excerpt": "x", "place": {}, "answer_start": 0, "answer_end": 1, "verified": True}
    turn["answer"]["citations"] = [cited]
    for _ in range(2):
        kept = await target.chat.keep_turn(notebook, json.dumps(turn))
        assert kept.answer.citations == [], "a source that is not there is not cited"
    (talk,) = (await target.chat.list_conversations(notebook)).items
    assert (talk.turns, talk.question) == (1, "Who makes honey?")
    for wrong in ("", "[]", "[" * 100_000, A_TURN.replace("2026-01", "-001"), A_TURN.replace("-8000-", "-80zz-")):
        with pytest.raises(InvalidInput):
            await target.chat.keep_turn(notebook, wrong)
    other = (await target.notebooks.create("Other")).id
    with pytest.raises(NotFound):
        await target.chat.keep_turn(other, json.dumps(turn))
    turn["answer"]["conversation_id"] = "00000000-0000-4000-8000-000000000009"
    with pytest.raises(Conflict):
        await target.chat.keep_turn(notebook, json.dumps(turn))


def test_a_record_survives_a_torn_line_and_is_its_owners_alone(tmp_path: Path) -> None:
    with Ledger(tmp_path, "a", "b", "c") as ledger:
        ledger.begin("note/1")
        ledger.end("note/1", id="x")
        ledger.begin("note/2", before=["y"])
    (file,) = tmp_path.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.write_bytes(file.read_bytes() + b'{"done": "note/2", "i')
    with Ledger(tmp_path, "a", "b", "c") as ledger:
        assert (ledger.done, ledger.begun) == ({"note/1": {"id": "x"}}, {"note/2": {"before": ["y"]}})
        ledger.end("note/2", id="z")
    with Ledger(tmp_path, "a", "b", "c") as ledger:
        assert ledger.ids("note") == {"x", "z"}


@pytest.mark.parametrize("text", ["nonsense\n", '{"origin": 1}\n', '{"origin":"a","target":"b","notebook":"c"}\n[]\n'])
def test_a_record_that_is_not_ours_is_refused(tmp_path: Path, text: str) -> None:
    with Ledger(tmp_path, "a", "b", "c"):
        pass
    (file,) = tmp_path.iterdir()
    file.write_text(text)
    with pytest.raises(Unsupported, match="damaged"), Ledger(tmp_path, "a", "b", "c"):
        pass


def test_a_record_holds_no_text_of_the_notebook(tmp_path: Path) -> None:
    async def moved() -> None:
        async with (
            quire.open(home=tmp_path / "one", embedder="none") as one,
            quire.open(home=tmp_path / "two", embedder="none") as two,
        ):
            await transfer(one, two, await filled(one), ledgers=tmp_path / "ledgers")

    asyncio.run(moved())
    (file,) = (tmp_path / "ledgers").iterdir()
    assert "flowers" not in file.read_text()
    assert all(json.loads(line) for line in file.read_text().splitlines())
