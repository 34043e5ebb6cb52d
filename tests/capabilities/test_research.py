"""Research: what is found, how it is ranked and told, how it becomes sources."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from trials import on_one_store

from pages import article, serving_pages
from quire.api.library import Library
from quire.domain.errors import Conflict, InvalidInput, NotAllowed, NotFound, Unsupported
from quire.domain.sharing import Actor, Role
from quire.entry.bootstrap import build
from quire.entry.settings import Settings, load
from quire.local.people import add_person
from research_corpus import Corpus, serving_corpus

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def corpus() -> Iterator[Corpus]:
    with serving_corpus(60) as made:
        yield made


def with_finders(settings: Settings, corpus: Corpus, **more: object) -> Settings:
    chosen = {"finders": "searxng", "finder_urls": f"searxng={corpus.url}", "fetch_allow": "127.0.0.1"}
    return load({**settings.model_dump(), **chosen, **more}, {})


@pytest.fixture
async def finding(settings: Settings, corpus: Corpus) -> AsyncIterator[Library]:
    async with build(with_finders(settings, corpus)) as library:
        yield library


async def test_a_fast_run_finds_ranks_and_describes(finding: Library) -> None:
    notebook = (await finding.notebooks.create("Crafts")).id
    begun = await finding.research.start(notebook, "glassblowing tools in Arnvale")
    assert (begun.state, begun.mode, begun.source) == ("in_progress", "fast", "web")
    run = await finding.research.wait(notebook, begun.id)
    assert run.state == "completed"
    assert run.findings[0].title == "The tools of glassblowing in Arnvale"
    assert [one.number for one in run.findings] == list(range(1, len(run.findings) + 1))
    assert 1 < len(run.findings) <= 10
    assert all(one.description and one.finder == "searxng" and one.kind == "page" for one in run.findings)
    assert [step.kind for step in run.steps] == ["searched"]
    (listed,) = await finding.research.list(notebook)
    assert (listed.id, listed.state, listed.found) == (run.id, "completed", len(run.findings))


async def test_what_was_found_becomes_sources_once(finding: Library) -> None:
    notebook = (await finding.notebooks.create("Crafts")).id
    run = await finding.research.start(notebook, "glassblowing tools in Arnvale", wait=True)
    added = await finding.research.import_sources(notebook, run.id, [1, 2, 1])
    assert [(one.title, one.state, one.added) for one in added] == [
        (one.title, "ready", True) for one in run.findings[:2]
    ]
    again = await finding.research.import_sources(notebook, run.id, [2, 3], wait=False)
    assert (again[0].id, again[0].added) == (added[1].id, False)
    assert (await finding.sources.list(notebook)).total == 3
    known = (await finding.research.poll(notebook, run.id)).findings
    assert [one.source_id for one in known[:2]] == [one.id for one in added]
    await finding.sources.delete(notebook, added[0].id)
    (anew,) = await finding.research.import_sources(notebook, run.id, [1], wait=False)
    assert anew.id != added[0].id
    with pytest.raises(NotFound, match="finding '99'"):
        await finding.research.import_sources(notebook, run.id, [99])


async def test_what_a_notebook_is_about_is_looked_for_where_nothing_is_named(finding: Library) -> None:
    notebook = (await finding.notebooks.create("Crafts")).id
    with pytest.raises(InvalidInput, match="no sources to go by"):
        await finding.research.discover(notebook)
    await finding.sources.add_text(notebook, "Glass", "Glassblowing needs heat. Glassblowing shapes glass with breath.")
    run = await finding.research.discover(notebook)
    assert run.state == "completed"
    assert "glassblowing" in run.query
    assert all("glassblowing" in one.title for one in run.findings[:2])
    assert (await finding.research.poll(notebook, run.id)).findings == run.findings


@on_one_store
async def test_nothing_found_is_told_and_is_no_failure(finding: Library) -> None:
    run = await finding.research.start(None, "xylophone quartets", wait=True)
    assert run.state == "no_results"
    assert "Other words" in (run.reason or "")
    with pytest.raises(Conflict, match="nothing to import"):
        await finding.research.import_sources(None, run.id)


@on_one_store
@pytest.mark.parametrize("mode", ["fast", "deep"])
async def test_with_no_network_a_run_fails_and_says_what_to_do(settings: Settings, corpus: Corpus, mode: str) -> None:
    gone = {"finder_urls": "searxng=http://127.0.0.1:9"}
    async with build(with_finders(settings, corpus, **gone)) as library:
        run = await library.research.start(None, "glassblowing", mode=mode, wait=True)  # type: ignore[arg-type]
        assert run.state == "failed"
        assert "searxng cannot be reached" in (run.reason or "")
        assert "finder_urls" in (run.reason or "")


@on_one_store
async def test_a_query_must_say_something_and_finders_must_be_there(library: Library, finding: Library) -> None:
    for query in ("", " \n "):
        with pytest.raises(InvalidInput, match="must not be empty"):
            await finding.research.start(None, query)
    with pytest.raises(Unsupported) as caught:
        await library.research.start(None, "glass", "drive")
    assert "drive" in (caught.value.hint or "")
    with pytest.raises(Unsupported):
        await library.sources.add_drive(None, "x.txt")


async def test_files_of_the_folder_are_found_and_added(settings: Settings, corpus: Corpus, tmp_path: Path) -> None:
    folder = tmp_path / "drive"
    (folder / "reports").mkdir(parents=True)
    (folder / "reports" / "glass.md").write_text("# Glass\n\nGlass is blown with a pipe.\n")
    (folder / "wood.txt").write_text("Wood is carved.")
    async with build(with_finders(settings, corpus, drive=str(folder))) as library:
        run = await library.research.start(None, "how glass is blown", "drive", wait=True)
        assert [(one.kind, one.file, one.url) for one in run.findings] == [("file", "reports/glass.md", None)]
        (added,) = await library.research.import_sources(None, run.id)
        assert (added.state, added.file_name) == ("ready", "glass.md")
        assert [hit.passage.source_id for hit in await library.sources.search(None, "pipe")] == [added.id]
        again = await library.sources.add_drive(None, "reports/glass.md")
        assert (again.id, again.added) == (added.id, False)
        deep = await library.research.start(None, "glass", "drive", "deep", pages=2, wait=True)
        assert "Glass is blown with a pipe." in (deep.report or "")
        assert "reports/glass.md" in (deep.report or "")


async def test_runs_are_seen_and_changed_by_those_who_may(finding: Library) -> None:
    now = finding.engine.parts.clock.now()
    system = finding.engine.system
    for name in ("viewer", "stranger"):
        await system.write(lambda tx, name=name: add_person(tx, name, name, None, now))
    notebook = (await finding.notebooks.create("Crafts")).id
    await system.write(
        lambda tx: tx.run("insert_member", notebook_id=notebook, person_id="viewer", role=int(Role.VIEWER))
    )
    run = await finding.research.start(notebook, "glassblowing", wait=True)
    viewer = finding.as_actor(Actor(id="viewer", name="viewer"))
    stranger = finding.as_actor(Actor(id="stranger", name="stranger"))
    assert (await viewer.research.poll(notebook, run.id)).findings == run.findings
    for denied in (viewer.research.start(notebook, "x"), viewer.research.import_sources(notebook, run.id)):
        with pytest.raises(NotAllowed):
            await denied
    with pytest.raises(NotFound):
        await stranger.research.poll(None, run.id)
    with pytest.raises(NotFound):
        await stranger.research.cancel(notebook, run.id)


async def test_a_run_goes_with_its_notebook(finding: Library) -> None:
    notebook = (await finding.notebooks.create("Crafts")).id
    run = await finding.research.start(notebook, "glassblowing", wait=True)
    await finding.notebooks.delete(notebook)
    with pytest.raises(NotFound):
        await finding.research.poll(None, run.id)


@on_one_store
async def test_the_same_page_from_several_finders_is_told_once(settings: Settings, corpus: Corpus) -> None:
    title = "Glassblowing by hand and breath in Murano"
    paper = {"title": [title], "URL": "https://doi.org/10.1000/Glass.1", "DOI": "10.1000/glass.1"}
    wiki = [
        {"index": 1, "title": title, "fullurl": "http://www.glass.example/a/?utm_source=x#top"},
        {"index": 2, "title": "Hand made", "fullurl": "https://glass.example/a"},
        {"index": 3, "title": "Hands", "fullurl": "https://glass.example/b", "extract": "A hand has five fingers."},
    ]
    with serving_pages() as pages:
        pages.put("/works", json.dumps({"message": {"items": [paper]}}), "application/json")
        pages.put("/w/api.php", json.dumps({"query": {"pages": wiki}}), "application/json")
        urls = f"crossref={pages.url},wikipedia={pages.url}"
        async with build(with_finders(settings, corpus, finders="crossref,wikipedia", finder_urls=urls)) as library:
            run = await library.research.start(None, "glassblowing by hand", wait=True)
    assert [one.title for one in run.findings] == [title, "Hands"]


@on_one_store
async def test_a_page_that_cannot_be_read_stays_and_says_why(settings: Settings, corpus: Corpus) -> None:
    with serving_pages() as pages:
        good = pages.put(
            "/good", article("Glass", "Glassblowing shapes molten glass with a long pipe and breath. " * 9)
        )
        results = [{"url": good, "title": "Glass"}, {"url": f"{pages.url}/gone", "title": "Glassblowing gone"}]
        pages.put("/search", json.dumps({"results": results}), "application/json")
        async with build(with_finders(settings, corpus, finder_urls=f"searxng={pages.url}")) as library:
            run = await library.research.start(None, "glass glassblowing", wait=True)
            added = {one.title: one for one in await library.research.import_sources(None, run.id)}
    assert added["Glass"].state == "ready"
    assert added["Glassblowing gone"].state == "failed"
    assert "404" in (added["Glassblowing gone"].error or "")
