"""Artifacts, research, sharing and settings on the engine that drives NotebookLM, done by Quire's own server."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from at_google import at_google
from pages import serving_pages
from quire.api.library import Library
from quire.domain.errors import Conflict, InvalidInput, NotFound, NotReady, Unsupported
from quire.entry.settings import load
from through_proxy import Proxied

pytestmark = pytest.mark.anyio

BEES = "A honey bee visits about 100 flowers on a flight. It flies up to five kilometres from its hive."
PLUMS = "<!doctype html><title>Plums</title><article><p>Plums are drupes with one hard stone inside.</p></article>"


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[tuple[Library, Proxied]]:
    with at_google(tmp_path) as (library, place):
        async with library:
            yield library, place


async def filled(library: Library) -> str:
    notebook = await library.notebooks.create("Bees")
    await library.sources.add_text(notebook.id, "Flights", BEES)
    return notebook.id


async def test_a_report_is_made_fetched_renamed_copied_and_deleted(place: tuple[Library, Proxied]) -> None:
    library, _ = place
    notebook = await filled(library)
    made = await library.artifacts.generate(notebook, "report", "flowers", format="study_guide", title="  Bees  ")
    assert (made.state, made.title, made.formats) == ("ready", "Bees", ["md", "docx"])
    assert (made.instructions, made.options) == ("flowers", {"format": "study_guide"})
    assert await library.artifacts.get_prompt(None, made.id) == "flowers"
    assert b"100 flowers" in await (await library.artifacts.download(None, made.id)).read()
    exported = await library.artifacts.export(notebook, made.id)
    assert (exported.name, (await exported.read())[:2]) == ("Bees.docx", b"PK")
    assert (await library.artifacts.get_content(None, made.id)).content["markdown"].startswith("# ")
    with pytest.raises(InvalidInput, match="it comes as md, docx"):
        await library.artifacts.download(None, made.id, "pdf")
    with pytest.raises(Conflict, match="not public"):
        await library.artifacts.share(None, made.id)
    with pytest.raises(Conflict, match="has failed"):
        await library.artifacts.retry_failed(None, made.id)
    other = await library.notebooks.create("Other")
    copied = await library.artifacts.copy(other.id, made.id)
    assert (copied.notebook_id, copied.title) == (other.id, "Bees")
    assert (await library.artifacts.rename(None, copied.id, "Twin")).title == "Twin"
    assert (await library.artifacts.delete(None, made.id)).id == made.id
    with pytest.raises(NotFound):
        await library.artifacts.get(notebook, made.id)
    assert [one.title for one in await library.artifacts.list(other.id)] == ["Twin"]


@pytest.mark.long
async def test_a_quiz_and_a_mind_map_tell_their_data(place: tuple[Library, Proxied]) -> None:
    library, _ = place
    notebook = await filled(library)
    quiz = await library.artifacts.generate(notebook, "quiz", quantity="fewer", difficulty="easy")
    assert quiz.options == {"quantity": "fewer", "difficulty": "easy"}
    told = json.loads(await (await library.artifacts.download(None, quiz.id, "json")).read())
    assert told["quiz"][0]["answerOptions"]
    drawn = await library.mind_maps.generate(notebook)
    assert (await library.mind_maps.get_tree(notebook, drawn.id))["children"]
    noted = await library.mind_maps.generate(notebook, kind="note")
    assert {one.id: one.kind for one in await library.mind_maps.list(notebook)} == {
        drawn.id: "interactive",
        noted.id: "note",
    }


async def test_what_cannot_be_made_is_refused_before_it_is_asked_for(place: tuple[Library, Proxied]) -> None:
    library, there = place
    empty = await library.notebooks.create("Empty")
    with pytest.raises(Conflict, match="no sources"):
        await library.artifacts.generate(empty.id, "report")
    notebook = await filled(library)
    with pytest.raises(Unsupported, match="draft"):
        await library.artifacts.generate(notebook, "report", draft=True)
    with pytest.raises(InvalidInput, match="no such option"):
        await library.artifacts.generate(notebook, "quiz", length="long")
    with pytest.raises(InvalidInput, match="must be one of"):
        await library.artifacts.generate(notebook, "infographic", style="baroque")
    with pytest.raises(InvalidInput, match="format: must be one of"):
        await library.artifacts.generate(notebook, "slide_deck", format="debate")
    with pytest.raises(NotFound, match="source"):
        await library.artifacts.generate(notebook, "report", source_ids=["missing"])
    begun = await library.artifacts.generate(notebook, "report", wait=False)
    await library.artifacts.wait_for_completion(None, begun.id)
    assert there.server.run(there.server.library.artifacts.list(notebook)).total == 1


@pytest.mark.long
async def test_an_artifact_that_failed_says_so_and_is_made_again(place: tuple[Library, Proxied]) -> None:
    library, there = place
    notebook = await filled(library)
    begun = there.server.run(there.server.library.artifacts.generate(notebook, "report", wait=False))
    there.server.run(there.server.library.jobs.cancel(begun.job_id))
    failed = await library.artifacts.wait_for_completion(notebook, begun.id)
    assert (failed.state, failed.error, failed.formats) == ("failed", "NotebookLM could not make it.", [])
    with pytest.raises(NotReady):
        await library.artifacts.download(None, begun.id)
    assert (await library.artifacts.retry_failed(None, begun.id)).state == "ready"


@pytest.mark.long
async def test_research_finds_and_imports_once(tmp_path: Path) -> None:
    with serving_pages() as pages:
        found = {"url": pages.put("/plums.html", PLUMS), "title": "Plums", "content": "Plums are drupes."}
        pages.put("/search", json.dumps({"results": [found]}), "application/json")
        finder = found["url"].removesuffix("/plums.html")
        there = load(
            {"finders": "searxng", "finder_urls": f"searxng={finder}", "fetch_allow": "127.0.0.1", "home": tmp_path},
            {},
        )
        with at_google(tmp_path, there) as (library, _):
            async with library:
                notebook = (await library.notebooks.create("Fruit")).id
                run = await library.research.start(notebook, "plums", wait=True)
                assert (run.state, run.mode, [one.title for one in run.findings]) == ("completed", "fast", ["Plums"])
                assert [one.id for one in await library.research.list(notebook)] == [run.id]
                assert (await library.research.cancel(None, run.id)).state == "completed"
                (source,) = await library.research.import_sources(None, run.id)
                assert (source.url, source.state, source.added) == (found["url"], "ready", True)
                (again,) = await library.research.import_sources(None, run.id)
                assert (again.id, again.added) == (source.id, False)
                assert (await library.research.discover(notebook, "plums")).findings[0].url == found["url"]
                with pytest.raises(NotFound, match="finding '9'"):
                    await library.research.import_sources(None, run.id, numbers=[9])
                with pytest.raises(Unsupported):
                    await library.research.start(notebook, "plums", mode="deep", pages=3)
                with pytest.raises(NotFound):
                    await library.research.poll(None, "missing")


async def test_sharing_and_settings_are_the_accounts(place: tuple[Library, Proxied]) -> None:
    library, _ = place
    notebook = await filled(library)
    shared = await library.sharing.add_user(notebook, "Ann@Example.com", "editor", "Look")
    assert {one.email: one.permission for one in shared.users}["ann@example.com"] == "editor"
    shared = await library.sharing.update_user(notebook, "ann@example.com", "viewer")
    assert {one.email: one.permission for one in shared.users}["ann@example.com"] == "viewer"
    with pytest.raises(NotFound):
        await library.sharing.update_user(notebook, "bob@example.com", "viewer")
    assert len((await library.sharing.remove_user(notebook, "ann@example.com")).users) == 1
    assert (await library.sharing.set_public(notebook)).public
    assert (await library.sharing.set_view_level(notebook, "chat")).view_level == "chat"
    made = await library.artifacts.generate(notebook, "data_table")
    link = await library.artifacts.share(None, made.id)
    assert (link.url.partition("?")[2], link.expires_at) == (f"artifactId={made.id}", None)
    assert not (await library.sharing.set_public(notebook, False)).public
    assert (await library.settings.set_output_language("pt-BR")).code == "pt_BR"
    assert (await library.settings.get_output_language()).code == "pt_BR"
    assert (await library.settings.get_usage()).sources == 1
    assert (await library.notebooks.copy(notebook)).title == "Copy of Bees"
