"""Artifacts: made of sources, followed, edited, copied, shared, deleted; on every store."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path
from typing import Any

import pytest
from trials import on_one_store

from quire.adapters.artifact_files import FileMakers
from quire.api.library import Library
from quire.domain.artifacts import Artifact
from quire.domain.errors import Conflict, InvalidInput, NotFound, NotReady
from quire.ports.artifact_files import Progress
from variants import with_parts

pytestmark = pytest.mark.anyio

BEES = """# Honey bees

Honey bees are social insects that live in colonies of up to sixty thousand. The queen is the only bee that lays eggs.

## Foraging

Worker bees gather nectar and pollen within three kilometres of the hive. A forager visits about one hundred flowers on
a single flight. Scouts tell the others by a dance where flowers are.

## Honey

Honey is a food that bees make from nectar. Bees fan the nectar with their wings until it holds less than eighteen
percent water. A strong colony makes thirty kilograms of honey in a year.

| Month | Honey in kg |
| --- | --- |
| May | 8 |
| June | 14 |
| July | 9 |
"""
SHIPS = "The harbour holds forty ships in two basins. Sailors mend the sails of each ship before it leaves the harbour."


async def notebook(library: Library, *texts: str) -> str:
    id = (await library.notebooks.create("Bees")).id
    for text in texts or (BEES,):
        await library.sources.add(id, "text", text=text)
    return id


async def text_of(library: Library, artifact: Artifact, format: str | None = None) -> str:
    return (await (await library.artifacts.download(None, artifact.id, format)).read()).decode()


async def test_a_report_is_made_with_files_that_say_what_its_sources_say(library: Library) -> None:
    id = await notebook(library)
    made = await library.artifacts.generate(id, "report")
    assert (made.state, made.progress, made.maker, made.language) == ("ready", 1.0, "extractive", "en")
    assert made.formats[:2] == ["md", "html"]
    text = await text_of(library, made)
    assert "## Foraging" in text
    assert "A forager visits about one hundred flowers on a single flight." in text
    assert "| June | 14 |" in text
    content = await library.artifacts.get_content(id, made.id)
    source = (await library.sources.get_fulltext(id, made.source_ids[0])).text
    for section in content.content["sections"]:
        for block in section["blocks"]:
            for item in block["items"]:
                for grounds in item["statement"]["grounds"]:
                    assert source[grounds["start"] : grounds["end"]] == grounds["excerpt"]
    assert [one.id for one in await library.artifacts.list(id)] == [made.id]
    assert len(await library.artifacts.list(id, kind="quiz")) == 0


async def test_an_artifact_is_renamed_edited_shared_copied_and_deleted(library: Library) -> None:
    id = await notebook(library)
    made = await library.artifacts.generate(id, "report", title="Of bees")
    assert made.title == "Of bees"
    assert (await library.artifacts.rename(id, made.id, " All  about bees ")).title == "All about bees"
    content = (await library.artifacts.get_content(id, made.id)).content
    first = content["sections"][0]["blocks"][0]["items"][0]["statement"]
    first["text"] = "Honey bees are reptiles that live alone."
    edited = await library.artifacts.edit(id, made.id, json.dumps(content))
    assert (edited.id, edited.state) == (made.id, "ready")
    assert "reptiles" in await text_of(library, edited)
    assert "not borne out" in edited.warnings[0]
    changed = (await library.artifacts.get_content(id, made.id)).content
    assert changed["sections"][0]["blocks"][0]["items"][0]["statement"]["verified"] is False
    link = await library.artifacts.share(id, made.id, "html")
    linked = await library.engine.linked(link.url.rpartition("/")[2])
    assert (linked.name, linked.media_type) == ("All about bees.html", "text/html")
    copied = await library.artifacts.copy(None, made.id)
    assert copied.notebook_id != id
    assert await text_of(library, copied) == await text_of(library, edited)
    await library.artifacts.delete(id, made.id)
    with pytest.raises(NotFound):
        await library.artifacts.get(id, made.id)
    assert "reptiles" in await text_of(library, copied)


@on_one_store
async def test_a_draft_is_edited_before_its_files_are_made(library: Library) -> None:
    id = await notebook(library)
    draft = await library.artifacts.generate(id, "report", draft=True)
    assert (draft.state, draft.formats) == ("draft", [])
    with pytest.raises(NotReady):
        await library.artifacts.download(id, draft.id)
    content = (await library.artifacts.get_content(id, draft.id)).content
    done = await library.artifacts.edit(id, draft.id, json.dumps(content | {"title": "In my words"}))
    assert done.state == "ready"
    assert "# In my words" in await text_of(library, done)


@on_one_store
async def test_what_an_edit_leaves_out_stays_and_all_that_was_told_is_taken_back(library: Library) -> None:
    id = await notebook(library)
    made = await library.artifacts.generate(id, "report")
    told = await library.artifacts.get_content(id, made.id)
    await library.artifacts.edit(id, made.id, '{"title": "Of bees"}')
    renamed = (await library.artifacts.get_content(id, made.id)).content
    assert renamed == told.content | {"title": "Of bees"}
    assert renamed["sections"]
    await library.artifacts.edit(id, made.id, told.model_dump_json())
    assert (await library.artifacts.get_content(id, made.id)).content == told.content
    for refused, words in {"{": "is not JSON", "[" * 100_000: "is not JSON", "[]": "a JSON object"}.items():
        with pytest.raises(InvalidInput, match=words):
            await library.artifacts.edit(id, made.id, refused)


@on_one_store
async def test_an_edit_with_a_name_that_is_not_there_is_refused_with_those_that_are(library: Library) -> None:
    id = await notebook(library)
    made = await library.artifacts.generate(id, "report", draft=True)
    told = (await library.artifacts.get_content(id, made.id)).content
    told["sections"][0]["head"] = "Other"
    for given, words in {
        '{"titel": "Of bees"}': r"content: there is no 'titel'; there is: title, .*sections",
        '{"content": {"title": "Of bees"}, "more": 1}': r"content: there is no 'content'",
        json.dumps(told): r"content\.sections\.0: there is no 'head'; there is: heading",
    }.items():
        with pytest.raises(InvalidInput, match=words):
            await library.artifacts.edit(id, made.id, given)


@on_one_store
async def test_what_no_file_or_later_edit_could_hold_is_refused_in_words(library: Library) -> None:
    id = await notebook(library)
    made = await library.artifacts.generate(id, "mind_map", draft=True)
    well = '{"name": "x", "children": [' * 90 + "]}" * 90
    for given, words in {
        r'{"\ud800": 1}': "is not JSON",
        r'{"title": "\ud800"}': "is not JSON",
        r'{"title": "a\u0000b"}': "NUL",
        f'{{"root": {well}}}': "nested more than 100 deep",
    }.items():
        with pytest.raises(InvalidInput, match=words):
            await library.artifacts.edit(id, made.id, given)
    assert (await library.artifacts.rename(id, made.id, "Bees")).title == "Bees"


@on_one_store
async def test_each_artifact_has_a_title_of_its_own_by_its_kind_and_what_it_is_about(library: Library) -> None:
    id = await notebook(library, BEES, SHIPS)
    bees = next(one.id for one in await library.sources.list(id) if one.title == "Honey bees")

    async def title(kind: Any, **more: Any) -> str:
        return (await library.artifacts.generate(id, kind, draft=True, **more)).title

    assert await title("slide_deck") == "Slides: Bees"
    assert await title("infographic") == "Infographic: Bees"
    assert await title("report", format="blog_post") == "Blog post: Bees"
    assert await title("infographic") == "Infographic: Bees (2)"
    assert await title("quiz", source_ids=[bees]) == "Quiz: Honey bees"
    assert await title("report", instructions="foraging nectar pollen") == "Briefing: Honey bees"
    assert await title("report", title="Slides: Bees") == "Slides: Bees"


@on_one_store
async def test_there_is_one_title_wherever_it_is_changed(library: Library) -> None:
    id = await notebook(library)
    made = await library.artifacts.generate(id, "slide_deck", draft=True)

    async def titles() -> tuple[str, str, str]:
        content = (await library.artifacts.get_content(id, made.id)).content
        listed = (await library.artifacts.list(id)).items[0].title
        return listed, content["title"], content["slides"][0]["title"]

    assert await titles() == ("Slides: Honey bees", "Slides: Honey bees", "Honey bees")
    edited = await library.artifacts.edit(id, made.id, '{"title": "Of bees"}')
    assert edited.title == "Of bees"
    assert await titles() == ("Of bees", "Of bees", "Of bees")
    await library.artifacts.revise_slide(id, made.id, 0, "title: All about bees")
    assert await titles() == ("All about bees", "All about bees", "All about bees")
    await library.artifacts.rename(id, made.id, "Bees")
    assert await titles() == ("Bees", "Bees", "Bees")


@on_one_store
async def test_only_the_named_sources_and_labels_are_told_of(library: Library) -> None:
    id = await notebook(library, BEES, SHIPS)
    bees, ships = [source.id for source in await library.sources.list(id)]
    label = await library.labels.create(id, "At sea")
    await library.labels.add_sources(id, label.id, [ships])
    only_bees = await library.artifacts.generate(id, "report", source_ids=[bees])
    only_ships = await library.artifacts.generate(id, "report", label_ids=[label.id])
    assert (only_bees.source_ids, only_ships.source_ids) == ([bees], [ships])
    assert "harbour" not in await text_of(library, only_bees)
    assert "nectar" not in await text_of(library, only_ships)
    with pytest.raises(NotFound):
        await library.artifacts.generate(id, "report", source_ids=["nothing"])


@on_one_store
async def test_what_cannot_be_made_is_refused_in_words(library: Library) -> None:
    empty = (await library.notebooks.create("Empty")).id
    with pytest.raises(Conflict, match="no sources"):
        await library.artifacts.generate(empty, "report")
    id = await notebook(library)
    with pytest.raises(InvalidInput, match="difficulty: this kind has no such option; it has: format"):
        await library.artifacts.generate(id, "report", difficulty="hard")
    with pytest.raises(InvalidInput, match="format: "):
        await library.artifacts.generate(id, "report", format="debate")
    made = await library.artifacts.generate(id, "report")
    with pytest.raises(InvalidInput, match="it comes as md, html"):
        await library.artifacts.download(id, made.id, "mp3")
    with pytest.raises(Conflict, match="failed"):
        await library.artifacts.retry_failed(id, made.id)
    with pytest.raises(InvalidInput, match=r"content\.title"):
        await library.artifacts.edit(id, made.id, '{"title": 3}')


@on_one_store
async def test_an_artifact_waits_for_a_worker_and_is_cancelled_with_its_job(library: Library) -> None:
    id = await notebook(library)
    begun = await library.artifacts.generate_report(id, "study_guide")
    assert (begun.state, begun.options) == ("pending", {"format": "study_guide"})
    assert begun.job_id is not None
    await library.jobs.cancel(begun.job_id)
    stopped = await library.artifacts.poll_status(id, begun.id)
    assert (stopped.state, stopped.error) == ("failed", "It was cancelled.")
    again = await library.artifacts.retry_failed(id, begun.id)
    assert (again.id, again.state) == (begun.id, "ready")
    other = await library.artifacts.generate(id, "report", wait=False)
    assert (await library.artifacts.wait_for_completion(id, other.id)).state == "ready"


class HalfWay(FileMakers):
    """Makes the first file, and the second not before the test says so."""

    def __init__(self) -> None:
        super().__init__(lambda extra: True)
        self.made: list[str] = []
        self.reached, self.gate = threading.Event(), threading.Event()

    def make(self, kind: str, format: str, content: Any, path: Path, progress: Progress) -> None:
        self.made.append(format)
        if format != "md":
            self.reached.set()
            assert self.gate.wait(20)
        super().make(kind, format, content, path, progress)


@on_one_store
async def test_work_that_was_broken_off_goes_on_from_its_last_step(library: Library) -> None:
    id = await notebook(library)
    makers = HalfWay()
    slow = with_parts(library, artifact_files=makers)
    begun = await slow.artifacts.generate(id, "report", wait=False)
    assert begun.job_id is not None
    working = slow.engine.workers.begin(begun.job_id)
    assert await asyncio.to_thread(makers.reached.wait, 20)
    on_the_way = await slow.artifacts.get(id, begun.id)
    assert (on_the_way.state, on_the_way.formats) == ("in_progress", [])
    assert 0.5 < on_the_way.progress < 1
    outline = (await slow.artifacts.get_content(id, begun.id)).outline
    working.cancel()
    await asyncio.wait({working})
    makers.gate.set()
    assert (await slow.artifacts.wait_for_completion(id, begun.id)).state == "ready"
    assert makers.made.count("md") == 1
    assert (await slow.artifacts.get_content(id, begun.id)).outline == outline


@on_one_store
async def test_files_count_against_a_quota(library: Library) -> None:
    id = await notebook(library)
    small = with_parts(library, artifact_quota=100)
    with pytest.raises(Conflict, match="have reached"):
        await small.artifacts.generate(id, "report")
    failed = (await library.artifacts.list(id))[0]
    assert (failed.state, failed.formats) == ("failed", [])
    with pytest.raises(Conflict):
        await small.artifacts.generate(id, "report")


@on_one_store
async def test_a_format_whose_extra_is_missing_is_left_out_and_said(library: Library) -> None:
    id = await notebook(library)
    bare = with_parts(library, artifact_files=FileMakers(lambda extra: False))
    made = await bare.artifacts.generate(id, "report")
    assert "pdf" not in made.formats
    assert made.warnings == ["There is no docx, no pdf: quire extras add office studio"]


@on_one_store
async def test_suggested_reports_are_about_the_sources(library: Library) -> None:
    id = await notebook(library, BEES, SHIPS)
    found = await library.artifacts.suggest_reports(id)
    assert 2 <= len(found) <= 4
    assert any("honey" in one.prompt.casefold() or "bees" in one.prompt.casefold() for one in found)


@on_one_store
async def test_others_find_nothing(library: Library, guest: Library) -> None:
    id = await notebook(library)
    made = await library.artifacts.generate(id, "report")
    for call in (guest.artifacts.get(None, made.id), guest.artifacts.copy(None, made.id)):
        with pytest.raises(NotFound):
            await call


@on_one_store
async def test_labels_are_in_the_language_that_a_person_has_set(library: Library) -> None:
    id = await notebook(library)
    await library.settings.set_output_language("fr")
    french = await library.artifacts.generate(id, "report")
    assert (french.title, french.language) == ("Note de synthèse : Honey bees", "fr")
    assert "anglais" in french.warnings[0]
    assert (await library.artifacts.generate(id, "report", language="de")).title == "Briefing: Honey bees"
