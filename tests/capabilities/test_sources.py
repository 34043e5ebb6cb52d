"""Sources: added in every way, read, found, renamed, deleted; and what becomes of those that cannot be read."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from trials import on_one_store

from pages import Pages, article, serving_pages
from quire.adapters.memory import FixedClock
from quire.api.library import Library
from quire.domain.errors import InvalidInput, NotFound, NotReady, QuireError, TimedOut, TooLarge, Upstream
from quire.domain.files import Upload
from quire.domain.sources import TEXT_LIMIT, AddedSource, Source
from quire.entry.bootstrap import build
from quire.entry.settings import Settings
from quire.local.timestamps import moment

pytestmark = pytest.mark.anyio

BEES = "# Bees\n\nBees make honey from nectar.\n\n# Wasps\n\nWasps build their nests of paper."
MOON = article(
    "The far side of the Moon",
    "The far side of the Moon always faces away from the Earth, because the Moon turns once in each of its orbits.",
    "It was first seen in 1959, when the probe Luna 3 took 29 photographs of it and sent them by radio.",
)


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Pages may be fetched from loopback; meaning is for other tests."""
    return settings.model_copy(update={"fetch_allow": "127.0.0.1", "embedder": "none"})


@pytest.fixture
def pages() -> Iterator[Pages]:
    with serving_pages() as pages:
        yield pages


async def texts(library: Library, notebook_id: str, query: str, **more: Any) -> list[str]:
    return [hit.passage.text for hit in await library.sources.search(notebook_id, query, **more)]


async def test_a_source_is_found_by_the_words_of_its_new_title_and_not_by_the_old_ones(library: Library) -> None:
    notebook = await library.notebooks.create("Insects")
    source = await library.sources.add_text(notebook.id, "Entomology", BEES)
    assert await texts(library, notebook.id, "entomology")
    await library.sources.rename(notebook.id, source.id, "Hymenopterology")
    assert await texts(library, notebook.id, "entomology") == []
    assert await texts(library, notebook.id, "hymenopterology")
    assert len(await texts(library, notebook.id, "paper nests")) >= 1
    await library.sources.delete(notebook.id, source.id)
    assert await texts(library, notebook.id, "hymenopterology") == []


async def test_the_file_that_a_source_was_made_of_comes_back_byte_for_byte(library: Library) -> None:
    notebook = await library.notebooks.create("Insects")
    source = await library.sources.add_file(notebook.id, Upload.of(BEES, "bees.md"), title="Bees")
    file = await library.sources.download(notebook.id, source.id)
    assert (file.name.lower(), file.size, await file.read()) == ("bees.md", len(BEES), BEES.encode())
    pasted = await library.sources.add_text(notebook.id, "Pasted", "Wasps are no bees.")
    with pytest.raises(NotFound, match="original"):
        await library.sources.download(notebook.id, pasted.id)


async def test_a_text_can_be_found_at_once_with_its_place(library: Library) -> None:
    notebook = await library.notebooks.create("Insects")
    source = await library.sources.add_text(notebook.id, "On insects", BEES)
    assert (source.state, source.kind, source.title, source.version) == ("ready", "text", "On insects", 1)
    assert (source.characters, source.language) == (len(BEES), "en")
    hit = (await library.sources.search(notebook.id, "paper nests"))[0]
    assert hit.passage.place.heading == "Wasps"
    assert hit.passage.text == BEES[hit.passage.start : hit.passage.end]
    assert (await library.notebooks.get(notebook.id)).source_count == 1


async def test_a_notebook_is_newer_for_what_comes_and_goes(timed: Library, clock: FixedClock) -> None:
    notebook = await timed.notebooks.create("Insects")
    clock.microseconds += 60_000_000
    source = await timed.sources.add_text(notebook.id, "On insects", BEES)
    assert (await timed.notebooks.get(notebook.id)).updated_at == moment(clock.microseconds)
    clock.microseconds += 60_000_000
    await timed.sources.delete(notebook.id, source.id)
    assert (await timed.notebooks.get(notebook.id)).updated_at == moment(clock.microseconds)


async def test_the_same_bytes_are_the_source_that_is_there(library: Library, pages: Pages) -> None:
    notebook = await library.notebooks.create("Insects")
    url = pages.put("/moon", MOON)
    ways: list[Callable[[str], Awaitable[AddedSource]]] = [
        lambda title: library.sources.add_text(notebook.id, title, BEES),
        lambda title: library.sources.add_file(notebook.id, Upload.of(BEES, f"{title}.md")),
        lambda title: library.sources.add_url(notebook.id, url),
    ]
    for add in ways:
        first, second = await add("One"), await add("Two")
        assert (first.added, second.added) == (True, False)
        same = {"added": True, "title": first.title, "updated_at": first.updated_at}
        assert second.model_copy(update=same) == first
    assert [source.title for source in await library.sources.list(notebook.id)] == [
        *("Two", "Bees", "The far side of the Moon")
    ]
    assert (await library.sources.list(notebook.id)).total == 3
    other = await library.notebooks.create("Other")
    assert (await library.sources.add_text(other.id, "One", BEES)).added
    source, *_ = await library.sources.list(notebook.id)
    await library.sources.delete(notebook.id, source.id)
    assert (await ways[0]("One")).added


async def test_of_the_same_given_many_times_at_once_one_is_added(library: Library) -> None:
    notebook = await library.notebooks.create("Insects")
    for add in (
        lambda: library.sources.add_text(notebook.id, "Bees", BEES),
        lambda: library.sources.add_file(notebook.id, Upload.of(BEES, "bees.md")),
    ):
        given = await asyncio.gather(*(add() for _ in range(6)))
        assert sorted(one.added for one in given) == [False] * 5 + [True]
        assert {(one.id, one.state) for one in given} == {(given[0].id, "ready")}


@on_one_store
async def test_a_page_that_was_refreshed_is_recognised_by_what_it_is_now(library: Library, pages: Pages) -> None:
    notebook = await library.notebooks.create("Skies")
    url = pages.put("/moon", article("Old", "The Moon is far away from all of us here on the Earth, as we all know."))
    first = await library.sources.add_url(notebook.id, url)
    pages.put("/moon", MOON)
    await library.sources.refresh(notebook.id, first.id)
    again = await library.sources.add_url(notebook.id, url)
    assert (again.id, again.added) == (first.id, False)
    assert (await library.sources.add_url(notebook.id, pages.put("/again", MOON))).added


async def test_an_address_that_nobody_waits_for_is_the_source_that_is_there(library: Library, pages: Pages) -> None:
    notebook = await library.notebooks.create("Skies")
    url = pages.put("/moon", MOON)

    async def add() -> AddedSource:
        return await library.sources.add(notebook.id, "url", url=url, wait=False)

    first, *others = [await add(), *await asyncio.gather(add(), add())]
    assert first.added
    assert [(one.id, one.added) for one in others] == [(first.id, False)] * 2
    assert len(await library.jobs.list(notebook.id)) == 1
    await library.sources.wait(notebook.id, first.id)
    again = await add()
    assert (again.id, again.added, again.state) == (first.id, False, "ready")
    assert (await library.sources.list(notebook.id)).total == 1
    other = await library.notebooks.create("Other")
    assert (await library.sources.add(other.id, "url", url=url, wait=False)).added


@on_one_store
async def test_a_file_that_could_not_be_read_is_read_again_when_it_comes_again(library: Library) -> None:
    notebook = await library.notebooks.create("Insects")
    first, again = [
        await library.sources.add_file(notebook.id, Upload.of(b"%PDF-1.7 broken", "broken.pdf")) for _ in range(2)
    ]
    assert (first.state, first.added) == ("failed", True)
    assert (again.id, again.state, again.added) == (first.id, "failed", False)
    assert len(await library.jobs.list(notebook.id)) == 2


@on_one_store
async def test_a_file_is_read_by_its_kind_and_its_bytes_are_kept(library: Library) -> None:
    notebook = await library.notebooks.create("Insects")
    rows = json.dumps({"cells": [{"cell_type": "markdown", "metadata": {}, "source": ["# Ants\n", "They march."]}]})
    for name, content, kind, title in (
        ("bees.md", BEES, "markdown", "Bees"),
        ("legs.csv", "insect,legs\nbee,6\n", "csv", "legs.csv"),
        ("ants.ipynb", rows[:-1] + ', "metadata": {}, "nbformat": 4, "nbformat_minor": 5}', "ipynb", "Ants"),
        ("talk.srt", "1\n00:00:01,000 --> 00:00:04,000\nMoths fly at night.\n", "captions", "talk.srt"),
    ):
        source = await library.sources.add_file(notebook.id, Upload.of(content, name))
        assert (source.state, source.kind, source.title, source.file_name) == ("ready", kind, title, name)
    assert "Moths fly at night." in (await texts(library, notebook.id, "moths"))[0]
    talk = (await library.sources.search(notebook.id, "moths"))[0].passage
    assert talk.place.time == "00:00:01"
    blobs = await library.engine.system.read(lambda tx: tx.one("source_by_id", id=source.id))
    assert blobs is not None
    kept = b"".join([chunk async for chunk in library.engine.parts.blobs.get(blobs["blob"])])
    assert kept.decode() == "1\n00:00:01,000 --> 00:00:04,000\nMoths fly at night.\n"


async def test_a_title_that_is_given_wins_over_that_of_the_file(library: Library) -> None:
    source = await library.sources.add_file(None, Upload.of(BEES, "bees.md"), title=" Mine ")
    assert source.title == "Mine"
    assert (await library.sources.refresh(None, source.id)).title == "Mine"


@on_one_store
async def test_a_page_is_fetched_read_and_read_again_when_it_changed(library: Library, pages: Pages) -> None:
    notebook = await library.notebooks.create("Sky")
    url = pages.put("/moon", MOON)
    source = await library.sources.add_url(notebook.id, url)
    assert (source.state, source.kind, source.url) == ("ready", "url", url)
    assert source.title == "The far side of the Moon"
    pages.put("/moon", MOON.replace("29 photographs", "17 blurred pictures"))
    again = await library.sources.refresh(notebook.id, source.id)
    assert (again.version, again.state) == (2, "ready")
    found = await texts(library, notebook.id, "how many pictures did Luna 3 take")
    assert "17 blurred pictures" in found[0]
    assert "29 photographs" not in "".join(found)


@on_one_store
@pytest.mark.parametrize(
    ("add", "kind", "told"),
    [
        ({"source_type": "text", "text": " \n"}, InvalidInput, "must not be empty"),
        ({"source_type": "text", "text": "a" * (TEXT_LIMIT + 1)}, TooLarge, "longer than 500,000"),
        ({"source_type": "text"}, InvalidInput, "text: is required"),
        ({"source_type": "url"}, InvalidInput, "url: is required"),
        ({"source_type": "url", "url": "bees"}, InvalidInput, "full http or https"),
        ({"source_type": "url", "url": "http://10.0.0.1/"}, InvalidInput, "only public addresses"),
        ({"source_type": "url", "url": "http://127.0.0.1:1/"}, Upstream, "cannot be fetched"),
        ({"source_type": "file"}, InvalidInput, "source_type"),
    ],
)
async def test_what_is_refused_is_not_added(
    library: Library, add: dict[str, Any], kind: type[QuireError], told: str
) -> None:
    with pytest.raises(kind, match=told):
        await library.sources.add(None, **add)
    with pytest.raises(InvalidInput, match="The file is empty"):
        await library.sources.add_file(None, Upload.of(b"", "empty.txt"))
    assert (await library.sources.list(None)).total == 0


@on_one_store
@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("broken.pdf", b"%PDF-1.7 and then nothing", ""),
        ("photos.zip", b"PK\x03\x04 and then nothing", "archive"),
        ("old.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), ""),
        ("blank.txt", b" \n \n", "empty"),
        ("program", b"\x7fELF" + bytes(200), "cannot read"),
    ],
)
async def test_a_file_that_cannot_be_read_is_kept_with_the_reason_and_hides_no_other(
    library: Library, name: str, content: bytes, why: str
) -> None:
    notebook = await library.notebooks.create("Insects")
    failed = await library.sources.add_file(notebook.id, Upload.of(content, name))
    assert (failed.state, failed.version, failed.passages) == ("failed", 0, 0)
    assert failed.error
    assert why in failed.error
    good = await library.sources.add_text(notebook.id, "Bees", BEES)
    listed = await library.sources.list(notebook.id)
    assert [(source.id, source.state) for source in listed] == [(failed.id, "failed"), (good.id, "ready")]
    assert await texts(library, notebook.id, "honey")
    with pytest.raises(InvalidInput, match="could not be read"):
        await library.sources.get_fulltext(notebook.id, failed.id)
    assert (await library.sources.wait(notebook.id, failed.id)).state == "failed"


async def test_a_source_that_is_not_waited_for_is_processing_until_someone_reads_it(library: Library) -> None:
    notebook = await library.notebooks.create("Insects")
    source = await library.sources.add_file(notebook.id, Upload.of(BEES, "bees.md"), wait=False)
    assert (source.state, source.kind, source.title) == ("processing", "unknown", "bees.md")
    with pytest.raises(NotReady):
        await library.sources.get_fulltext(notebook.id, source.id)
    with pytest.raises(NotReady):
        await library.sources.refresh(notebook.id, source.id)
    assert await texts(library, notebook.id, "honey") == []
    read = await library.sources.wait(notebook.id, source.id)
    assert (read.state, read.title) == ("ready", "Bees")
    assert await texts(library, notebook.id, "honey")


@on_one_store
async def test_waiting_ends_in_time_and_the_reading_goes_on(library: Library, pages: Pages) -> None:
    url = pages.put("/moon", MOON)
    source = await library.sources.add_url(None, url)
    let_go = pages.hold("/moon")
    await library.sources.refresh(None, source.id, wait=False)
    with pytest.raises(TimedOut, match="still being read"):
        await library.sources.wait(None, source.id, 0.2)
    assert library.engine.workers.serving
    let_go.set()
    assert (await library.sources.wait(None, source.id, 60)).state == "ready"


async def test_a_name_that_was_given_meanwhile_stays(library: Library) -> None:
    source = await library.sources.add_file(None, Upload.of(BEES, "bees.md"), wait=False)
    renamed = await library.sources.rename(None, source.id, " My bees ")
    assert renamed.title == "My bees"
    assert (await library.sources.wait(None, source.id)).title == "My bees"
    with pytest.raises(InvalidInput, match="must not be empty"):
        await library.sources.rename(None, source.id, " ")


async def test_a_cancelled_reading_leaves_a_source_that_says_so(library: Library) -> None:
    source = await library.sources.add_file(None, Upload.of(BEES, "bees.md"), wait=False)
    (job,) = await library.jobs.list()
    await library.jobs.cancel(job.id)
    cancelled = await library.sources.get(None, source.id)
    assert (cancelled.state, cancelled.error) == ("failed", "Reading it was cancelled.")
    again = await library.sources.refresh(None, source.id)
    assert (again.state, again.error) == ("ready", None)


async def test_a_deleted_source_is_found_no_more_and_its_bytes_are_let_go(library: Library) -> None:
    notebook = await library.notebooks.create("Insects")
    bees = await library.sources.add_file(notebook.id, Upload.of(BEES, "bees.md"))
    ants = await library.sources.add_text(notebook.id, "Ants", "Ants live in hills, and keep no honey.")
    deleted = await library.sources.delete(notebook.id, bees.id)
    assert deleted.id == bees.id
    assert await texts(library, notebook.id, "honey") == ["Ants live in hills, and keep no honey."]
    assert [source.id for source in await library.sources.list(notebook.id)] == [ants.id]
    for call in (library.sources.get, library.sources.delete, library.sources.get_fulltext, library.sources.wait):
        with pytest.raises(NotFound):
            await call(notebook.id, bees.id)  # type: ignore[operator]


async def test_a_source_that_is_deleted_while_it_waits_to_be_read_stays_deleted(library: Library) -> None:
    source = await library.sources.add_file(None, Upload.of(BEES, "bees.md"), wait=False)
    await library.sources.delete(None, source.id)
    (job,) = await library.jobs.list()
    with pytest.raises(NotFound):
        await library.jobs.wait(job.id)
    assert (await library.sources.list(None)).total == 0


async def test_a_search_stays_in_its_notebook_and_in_the_sources_it_is_given(library: Library) -> None:
    first, second = await library.notebooks.create("One"), await library.notebooks.create("Two")
    bees = await library.sources.add_text(first.id, "Bees", "Bees make honey.")
    bears = await library.sources.add_text(first.id, "Bears", "Bears eat honey.")
    await library.sources.add_text(second.id, "Flies", "Flies are fond of honey too.")
    assert set(await texts(library, first.id, "honey")) == {"Bees make honey.", "Bears eat honey."}
    assert await texts(library, first.id, "honey", source_ids=[bears.id]) == ["Bears eat honey."]
    assert len(await texts(library, first.id, "honey", limit=1)) == 1
    await library.notebooks.delete(second.id)
    assert len(await texts(library, first.id, "honey")) == 2
    with pytest.raises(NotFound):
        await library.sources.search(second.id, "honey")
    assert bees.notebook_id == first.id


@pytest.mark.parametrize(
    "query", ['"', "honey AND", "NEAR(", "*", "a OR b)", "' ; --", "💩", "\\", "title:x", "^", "-honey"]
)
async def test_any_text_can_be_searched_for(library: Library, query: str) -> None:
    await library.sources.add_text(None, "Bees", "Bees make honey.")
    found = await library.sources.search(None, query)
    assert found.total == len(found.items)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Пчёлы делают мёд из нектара. Осы строят гнёзда.", "кто делает мед"),
        ("蜜蜂用花蜜酿造蜂蜜。黄蜂用纸筑巢。", "蜂蜜"),
        ("ミツバチは花の蜜から蜂蜜を作ります。", "蜂蜜"),
        ("ผึ้งทำน้ำผึ้งจากน้ำหวาน", "น้ำผึ้ง"),
        ("Die Bienen machen Honig; die Straße ist laut.", "STRASSE"),
        ("Les abeilles font du miel à l’été.", "abeille été"),
    ],
)
async def test_texts_of_any_language_are_found(library: Library, text: str, query: str) -> None:
    await library.sources.add_text(None, "Text", text)
    await library.sources.add_text(None, "Other", "Nothing of the kind is in here.")
    assert (await texts(library, (await library.sources.list(None))[0].notebook_id, query))[0] in text


async def test_a_long_text_is_read_in_parts_that_join(library: Library) -> None:
    text = "".join(f"Sentence {number} is about bees. " for number in range(2_000)).strip()
    source = await library.sources.add_text(None, "Long", text)
    assert source.passages > 10
    parts, start = [], 0
    while start < source.characters:
        part = await library.sources.get_fulltext(None, source.id, start=start, limit=9_999)
        assert (part.start, part.end, part.characters) == (start, start + len(part.text), len(text))
        parts.append(part.text)
        start = part.end
    assert "".join(parts) == text
    beyond = await library.sources.get_fulltext(None, source.id, start=len(text) + 5)
    assert beyond.text == ""
    with pytest.raises(NotFound):
        await library.sources.get_fulltext(None, source.id, version=7)


async def test_sources_are_listed_in_the_order_they_were_added_in_pages(library: Library) -> None:
    for number in range(7):
        await library.sources.add_text(None, f"Source {number}", f"Bees make {number} jars of honey.")
    titles: list[str] = []
    cursor = None
    while True:
        page = await library.sources.list(None, limit=3, cursor=cursor)
        assert page.total == 7
        titles += [source.title for source in page]
        cursor = page.cursor
        if not page.truncated:
            break
    assert titles == [f"Source {number}" for number in range(7)]
    for cursor in ("nowhere", "-", "9" * 400):
        with pytest.raises(InvalidInput, match="cursor"):
            await library.sources.list(None, cursor=cursor)


async def test_what_happens_to_sources_is_told_as_events(library: Library) -> None:
    source = await library.sources.add_file(None, Upload.of(BEES, "bees.md"))
    await library.sources.rename(None, source.id, "Mine")
    await library.sources.delete(None, source.id)
    events = await library.engine.system.read(lambda tx: tx.all("events_after", after=0, limit=1_000))
    told = [event["kind"] for event in events if event["subject_id"] == source.id]
    assert told == ["source.created", "source.updated", "source.updated", "source.deleted"]


async def test_many_are_added_at_once_and_all_are_there(library: Library) -> None:
    notebook = await library.notebooks.create("Crowd")

    async def add(number: int) -> Source:
        word = f"w{uuid.uuid4().hex}"
        if number % 2:
            return await library.sources.add_text(notebook.id, word, f"The word is {word}.")
        return await library.sources.add_file(notebook.id, Upload.of(f"The word is {word}.", f"{word}.txt"))

    added = await asyncio.gather(*(add(number) for number in range(12)))
    assert {source.state for source in added} == {"ready"}
    for source in added:
        word = source.title.removesuffix(".txt")
        assert (await library.sources.search(notebook.id, word))[0].passage.source_id == source.id


async def test_what_one_library_left_undone_another_finishes(shared_store: str, tmp_path: Any) -> None:
    settings = Settings.model_validate({"home": tmp_path, "store": shared_store, "embedder": "none"})
    async with build(settings) as first:
        source = await first.sources.add_file(None, Upload.of(BEES, "bees.md"), wait=False)
    async with build(settings) as second:
        assert (await second.sources.get(None, source.id)).state == "processing"
        assert (await second.sources.wait(None, source.id)).state == "ready"
