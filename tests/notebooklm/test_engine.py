"""The engine that drives NotebookLM: the library's own calls, done over the wire by Quire's own server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from at_google import at_google
from quire.api.library import Library
from quire.domain.errors import InvalidInput, NotFound, Unsupported
from quire.domain.files import Upload

pytestmark = pytest.mark.anyio

BEES = "A honey bee visits about 100 flowers on a flight. It flies up to five kilometres from its hive."


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    with at_google(tmp_path) as (made, _):
        async with made:
            yield made


async def test_notebooks_are_made_listed_changed_and_deleted(library: Library) -> None:
    made = await library.notebooks.create("Bees")
    assert made.id in [one.id for one in await library.notebooks.list()]
    assert (await library.notebooks.rename(made.id, "Honey bees")).title == "Honey bees"
    assert (await library.notebooks.set_emoji(made.id, "🐝")).emoji == "🐝"
    assert (await library.notebooks.get(made.id)).title == "Honey bees"
    assert (await library.notebooks.delete(made.id)).id == made.id
    with pytest.raises(NotFound):
        await library.notebooks.get(made.id)


async def test_a_source_is_added_read_found_and_deleted(library: Library) -> None:
    notebook = await library.notebooks.create("Bees")
    source = await library.sources.add_text(notebook.id, "Flights", BEES)
    assert (source.state, source.title) == ("ready", "Flights")
    assert (await library.sources.get_fulltext(notebook.id, source.id)).text == BEES
    hits = await library.sources.search(notebook.id, "kilometres")
    assert "five kilometres" in hits[0].passage.text
    assert (await library.sources.rename(None, source.id, "How far")).title == "How far"
    assert (await library.sources.get_guide(None, source.id)).summary
    await library.sources.delete(None, source.id)
    assert (await library.sources.list(notebook.id)).items == []


async def test_a_file_is_sent_as_it_is_read(library: Library) -> None:
    notebook = await library.notebooks.create("Bees")
    source = await library.sources.add_file(notebook.id, Upload.of(BEES, "bees.txt"))
    assert (source.state, source.notebook_id) == ("ready", notebook.id)
    assert (await library.sources.get_fulltext(None, source.id)).text.strip() == BEES


async def test_an_answer_comes_with_its_citations_and_without_a_confidence(library: Library) -> None:
    notebook = await library.notebooks.create("Bees")
    source = await library.sources.add_text(notebook.id, "Flights", BEES)
    answer = await library.chat.ask(notebook.id, "How many flowers does a honey bee visit on a flight?")
    assert answer.maker == "notebooklm"
    assert answer.confidence is None
    assert "100 flowers" in answer.citations[0].excerpt
    assert answer.citations[0].source_id == source.id
    assert (await library.sources.get_fulltext(None, source.id)).text[
        answer.citations[0].start : answer.citations[0].end
    ] == answer.citations[0].excerpt
    further = await library.chat.ask(notebook.id, "And how far does it fly?", conversation_id=answer.conversation_id)
    assert further.conversation_id == answer.conversation_id
    turns = await library.chat.get_history(answer.conversation_id)
    assert [turn.answer.question for turn in turns] == [further.question, answer.question]


async def test_an_answer_is_kept_as_a_note(library: Library) -> None:
    notebook = await library.notebooks.create("Bees")
    await library.sources.add_text(notebook.id, "Flights", BEES)
    answer = await library.chat.ask(notebook.id, "How far does a honey bee fly?")
    note = await library.chat.save_answer_as_note(notebook.id, answer.id, "Distances")
    assert [one.title for one in await library.notes.list(notebook.id)] == ["Distances"]
    assert note.notebook_id == notebook.id


async def test_notes_are_written_found_and_deleted_in_the_notebook_that_stands_for_the_inbox(library: Library) -> None:
    note = await library.notes.create(title="Shopping", content="Milk and bread")
    assert [one.id for one in await library.notebooks.list() if one.inbox] == [note.notebook_id]
    assert (await library.notes.get(None, note.short_id)).content == "Milk and bread"
    assert (await library.notes.update(None, note.id, content="Milk")).content == "Milk"
    assert [found.note.title for found in await library.notes.search(None, "MILK")] == ["Shopping"]
    await library.notes.delete(None, note.id)
    with pytest.raises(NotFound):
        await library.notes.get(None, note.id)


async def test_labels_and_collections_hold_what_they_are_given(library: Library) -> None:
    notebook = await library.notebooks.create("Bees")
    source = await library.sources.add_text(notebook.id, "Flights", BEES)
    label = await library.labels.create(notebook.id, "Flying", "🐝")
    assert (await library.labels.add_sources(None, label.id, [source.id])).source_ids == [source.id]
    assert (await library.labels.rename(None, label.id, "Far")).name == "Far"
    answer = await library.chat.ask(notebook.id, "How far does a honey bee fly from its hive?", label_ids=[label.id])
    assert answer.citations
    assert (await library.labels.delete(notebook.id, [label.id])).items == []
    collection = await library.collections.create("Animals")
    assert (await library.collections.add_notebooks(collection.id, [notebook.id])).notebook_ids == [notebook.id]


async def test_books_are_this_machines_own(library: Library) -> None:
    await library.books.create("bees", "Bees")
    assert [book.book_id for book in await library.books.list()] == ["bees"]


async def test_what_google_has_no_method_for_is_unsupported(library: Library) -> None:
    notebook = await library.notebooks.create("Bees")
    with pytest.raises(Unsupported):
        await library.notes.export(notebook.id)
    with pytest.raises(InvalidInput):
        await library.sources.add(notebook.id, "text", text=" ")
