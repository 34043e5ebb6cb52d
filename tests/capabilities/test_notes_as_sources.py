"""Notes that become sources, one or all."""

from __future__ import annotations

import pytest
from trials import on_one_store

from quire.api.library import Library
from quire.domain.errors import InvalidInput, NotFound

pytestmark = pytest.mark.anyio

BEES = "Bees make honey from the nectar of flowers."
WASPS = "Wasps build nests of paper."


async def test_a_note_becomes_a_source_that_answers_cite(library: Library) -> None:
    notebook = (await library.notebooks.create("Bees")).id
    note = await library.notes.create(notebook, "On bees", BEES)
    source = await library.notes.convert_to_source(notebook, note.short_id)
    assert (source.title, source.note_id, source.added, source.version) == ("On bees", note.id, True, 1)
    answer = await library.chat.ask(notebook, "What do bees make honey from?")
    assert [citation.source_id for citation in answer.citations] == [source.id]
    same = await library.notes.convert_to_source(notebook, note.id)
    assert (same.id, same.added, same.version) == (source.id, False, 1)
    await library.notes.update(notebook, note.id, content=f"{BEES} {WASPS}")
    assert (await library.sources.check_freshness(notebook, source.id)).fresh is False
    again = await library.notes.convert_to_source(notebook, note.id)
    assert (again.id, again.added, again.version) == (source.id, False, 2)
    old = await library.sources.get_fulltext(None, source.id, version=answer.citations[0].version)
    assert old.text == BEES
    assert (await library.sources.check_freshness(notebook, source.id)).fresh is True
    await library.notes.delete(notebook, note.id)
    assert (await library.sources.get(None, source.id)).note_id is None


async def test_all_notes_become_sources_and_no_twins(library: Library) -> None:
    notebook = (await library.notebooks.create("Bees")).id
    for title, content in (("Bees", BEES), ("Wasps", WASPS), ("Empty", " ")):
        await library.notes.create(notebook, title, content)
    first = await library.notes.convert_all_to_sources(notebook)
    assert first.result == {"notes": 3, "added": 2, "left_out": 1}
    second = await library.notes.convert_all_to_sources(notebook)
    assert second.result == {"notes": 3, "added": 0, "left_out": 1}
    assert [source.title for source in await library.sources.list(notebook)] == ["Bees", "Wasps"]


@on_one_store
async def test_what_is_empty_or_anothers_is_refused(library: Library, guest: Library) -> None:
    note = await library.notes.create(None, "Empty", "")
    with pytest.raises(InvalidInput, match="empty"):
        await library.notes.convert_to_source(None, note.id)
    with pytest.raises(NotFound):
        await guest.notes.convert_to_source(None, note.id)
