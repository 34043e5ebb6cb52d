"""Contract 5: research, as a client of NotebookLM asks for it and as the library does it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from contracts.rows import proves
from quire.api.library import Library
from quire.domain.errors import NotFound
from quire.domain.sharing import Actor
from quire.entry.bootstrap import build
from quire.entry.settings import load
from quire.local.people import add_person
from quire.notebooklm.codes import DiscoveryMode, ResearchSource, ResearchState
from quire.notebooklm.envelope import RpcRequest
from quire.notebooklm.methods import BY_NAME
from quire.notebooklm.methods.research import Chosen, ChosenFile, Link, Report
from quire.notebooklm.methods.source_rows import DriveFile, NewSource
from quire.notebooklm.server import result_of
from quire.notebooklm.server.wire_call import WireCall
from research_corpus import Corpus, serving_corpus

pytestmark = pytest.mark.anyio

NOBODY = "00000000-0000-4000-8000-000000000000"


@pytest.fixture(scope="module")
def corpus() -> Iterator[Corpus]:
    with serving_corpus(40) as made:
        yield made


@pytest.fixture
async def library(tmp_path: Path, corpus: Corpus) -> AsyncIterator[Library]:
    (tmp_path / "drive").mkdir()
    (tmp_path / "drive" / "a glass.txt").write_text("Glass is blown with a pipe.")
    finding = {"finders": "searxng", "finder_urls": f"searxng={corpus.url}", "fetch_allow": "127.0.0.1"}
    settings = {"home": tmp_path, "store": "memory", "embedder": "none", "drive": str(tmp_path / "drive"), **finding}
    async with build(load(settings, {})) as made:
        yield made


async def call(library: Library, called: str, /, page: str = "/", **names: Any) -> Any:
    method = BY_NAME[called]
    request = RpcRequest(method.id, method.encode_request(names))
    return method.decode_response(await result_of(WireCall(library, page), request))


@proves("C5-RES-10", "C5-RES-11", "C5-RES-14")
async def test_a_fast_run_is_followed_and_imported_on_the_wire_and_in_the_library(library: Library) -> None:
    notebook = (await library.notebooks.create("Crafts")).id
    about = {"notebook_id": notebook}
    assert await call(library, "POLL_RESEARCH", **about) == ()
    begun = await call(library, "START_FAST_RESEARCH", query="glassblowing tools", **about)
    assert begun.report_id is None
    raw = await result_of(WireCall(library), RpcRequest(BY_NAME["POLL_RESEARCH"].id, [None, None, notebook]))
    assert raw[0][0][1][4] in (1, 2)  # type: ignore[index]
    ours = await library.research.wait(notebook, begun.id)
    (run,) = await call(library, "POLL_RESEARCH", **about)
    assert (run.id, run.query, run.source, run.mode, run.state) == (
        *(begun.id, "glassblowing tools", ResearchSource.WEB, DiscoveryMode.FAST, ResearchState.DONE),
    )
    assert [(one.url, one.title, one.hint, one.ordinal) for one in run.findings] == [
        (one.url, one.title, one.description, one.number) for one in ours.findings
    ]
    chosen = [Chosen(link=Link(one.url, one.title)) for one in run.findings[:2]]
    entries = {"run_id": run.id, "entries": (*chosen, Chosen(link=Link("https://other.example/page", "Other")))}
    added = await call(library, "IMPORT_RESEARCH", **entries, **about)
    again = await call(library, "IMPORT_RESEARCH", **entries, **about)
    assert [one.title for one in added] == [run.findings[0].title, run.findings[1].title, "Other"]
    assert [one.id for one in again] == [one.id for one in added]
    assert {one.id for one in added} == {one.id for one in await library.sources.list(notebook)}


@proves("C5-RES-12", "C5-RES-13")
async def test_a_deep_run_is_known_by_its_report_which_is_imported_as_an_entry(library: Library) -> None:
    notebook = (await library.notebooks.create("Crafts")).id
    about = {"notebook_id": notebook}
    begun = await call(library, "START_DEEP_RESEARCH", query="glassblowing", **about)
    assert begun.run_id == begun.report_id != begun.id
    with pytest.raises(NotFound):
        await library.research.poll(notebook, begun.id)
    await library.research.cancel(notebook, begun.run_id)
    made = await library.research.start(notebook, "glassblowing", mode="deep", pages=2, rounds=1, wait=True)
    runs = {run.id: run for run in await call(library, "POLL_RESEARCH", **about)}
    assert runs[begun.run_id].state == ResearchState.CANCELLED
    run = runs[made.id]
    assert (run.state, run.mode, run.report) == (ResearchState.DONE, DiscoveryMode.DEEP, made.report)
    assert (run.findings[0].kind, run.findings[0].url) == (5, None)
    entry = Chosen(report=Report(run.findings[0].title, run.report))
    (added,) = await call(library, "IMPORT_RESEARCH", run_id=run.id, entries=(entry,), **about)
    (again,) = await call(library, "IMPORT_RESEARCH", run_id=run.id, entries=(entry,), **about)
    assert added.id == again.id
    kept = await library.sources.get_fulltext(notebook, added.id)
    assert kept.text.split() == (made.report or "").split()


@proves("C5-RES-15")
async def test_cancelling_answers_with_nothing_in_any_case(library: Library) -> None:
    method = BY_NAME["CANCEL_RESEARCH"]

    async def cancelled(run_id: str, who: Library = library) -> object:
        return await result_of(WireCall(who), RpcRequest(method.id, method.encode_request({"run_id": run_id})))

    over = await library.research.start(None, "glassblowing", wait=True)
    await library.engine.system.write(lambda tx: add_person(tx, "guest", "A guest", None, 0))
    guest = library.as_actor(Actor(id="guest", name="A guest"))
    running = await library.research.start(None, "coopering", mode="deep")
    assert [await cancelled(NOBODY), await cancelled(over.id), await cancelled(running.id, guest)] == [[], [], []]
    assert (await library.research.poll(None, over.id)).state == "completed"
    assert (await library.research.poll(None, running.id)).state != "cancelled"
    assert await cancelled(running.id) == []
    assert (await library.research.poll(None, running.id)).state == "cancelled"


@proves("C5-RES-16")
async def test_discovering_answers_at_once_and_can_be_imported_from(library: Library) -> None:
    notebook = (await library.notebooks.create("Crafts")).id
    found = await call(library, "DISCOVER_SOURCES", query="glassblowing", notebook_id=notebook)
    assert found.findings
    assert found.summary
    (run,) = await call(library, "POLL_RESEARCH", notebook_id=notebook)
    assert (run.id, run.findings) == (found.run_id, found.findings)
    entry = Chosen(link=Link(found.findings[0].url, found.findings[0].title))
    (added,) = await call(library, "IMPORT_RESEARCH", run_id=run.id, entries=(entry,), notebook_id=notebook)
    assert added.title == found.findings[0].title


@proves("C5-RES-17")
async def test_files_of_the_folder_are_found_and_imported_by_their_ids(library: Library) -> None:
    notebook = (await library.notebooks.create("Crafts")).id
    about = {"notebook_id": notebook}
    begun = await call(library, "START_FAST_RESEARCH", query="glass", source=ResearchSource.DRIVE, **about)
    await library.research.wait(notebook, begun.id)
    (run,) = await call(library, "POLL_RESEARCH", **about)
    (finding,) = run.findings
    assert (run.source, finding.kind) == (ResearchSource.DRIVE, 2)
    id = (finding.url or "").partition("id=")[2]
    by_id, by_link = Chosen(file=ChosenFile(id, title="a glass")), Chosen(link=Link(finding.url, finding.title))
    (added,) = await call(library, "IMPORT_RESEARCH", run_id=run.id, entries=(by_id,), **about)
    (again,) = await call(library, "IMPORT_RESEARCH", run_id=run.id, entries=(by_link,), **about)
    assert added.id == again.id
    (row,) = await call(
        library, "ADD_SOURCE", sources=(NewSource(drive=DriveFile("a glass.txt", None, "Pipes")),), **about
    )
    assert (row.id, row.title) == (added.id, "Pipes")
    with pytest.raises(NotFound):
        await call(library, "ADD_SOURCE", sources=(NewSource(drive=DriveFile("none.txt")),), **about)
