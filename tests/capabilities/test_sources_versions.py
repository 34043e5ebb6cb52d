"""Versions of a source: what an answer cites can be opened after the source has changed."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from quire.api.library import Library
from quire.domain.errors import NotFound
from quire.domain.files import Upload

pytestmark = pytest.mark.anyio


async def test_what_several_add_to_a_pasted_text_at_once_is_all_there(library: Library) -> None:
    notebook = await library.notebooks.create("Pears")
    source = await library.sources.add_text(notebook.id, "Pears", "Pears ripen off the tree.")
    said = [f"Sort number {number} is sweet." for number in range(3)]
    await asyncio.gather(*(library.sources.append_text(notebook.id, source.id, text) for text in said))
    text = await library.sources.get_fulltext(notebook.id, source.id)
    first, *rest = text.text.split("\n\n")
    assert (first, sorted(rest), text.version) == ("Pears ripen off the tree.", said, 4)
    assert (await library.sources.search(notebook.id, "sort number 2")).items
    assert (await library.sources.get(notebook.id, source.id)).title == "Pears"


QUESTION = "When does the library open?"


async def changed(library: Library, notebook_id: str, source_id: str, text: str) -> None:
    """Gives a source other bytes, as a page has that was written anew, and reads it again."""

    sha256, _ = await library.engine.files.put(Upload.of(text, "hours.txt"), 10_000)
    await library.engine.system.write(
        lambda tx: tx.run("set_source_file", id=source_id, blob=sha256, file_name="hours.txt")
    )
    await library.sources.refresh(notebook_id, source_id)


async def test_a_cited_version_stays_until_the_answer_goes(library: Library, tmp_path: Path) -> None:
    notebook = await library.notebooks.create("Town")
    source = await library.sources.add_file(notebook.id, Upload.of("The library opens at nine.", "hours.txt"))
    answer = await library.chat.ask(notebook.id, QUESTION)
    (citation,) = answer.citations
    await changed(library, notebook.id, source.id, "The library opens at ten.")
    assert (await library.sources.get(notebook.id, source.id)).version == 2
    assert "ten" in (await library.chat.ask(notebook.id, QUESTION)).text
    old = await library.sources.get_fulltext(notebook.id, source.id, version=citation.version)
    assert old.text[citation.start : citation.end] == citation.excerpt == "The library opens at nine."
    await library.engine.blob_sweeper.sweep()
    assert (await library.sources.get_fulltext(notebook.id, source.id, version=1)).text == old.text
    await library.chat.delete_conversation(answer.conversation_id)
    await library.engine.blob_sweeper.sweep()
    with pytest.raises(NotFound):
        await library.sources.get_fulltext(notebook.id, source.id, version=1)
    assert "ten" in (await library.sources.get_fulltext(notebook.id, source.id)).text


async def test_a_version_that_nothing_cites_goes_at_once(library: Library) -> None:
    notebook = await library.notebooks.create("Town")
    source = await library.sources.add_file(notebook.id, Upload.of("The library opens at nine.", "hours.txt"))
    await changed(library, notebook.id, source.id, "The library opens at ten.")
    with pytest.raises(NotFound):
        await library.sources.get_fulltext(notebook.id, source.id, version=1)
    found = await library.sources.search(notebook.id, "opens nine ten library")
    assert [hit.passage.text for hit in found] == ["The library opens at ten."]


async def test_reading_what_did_not_change_makes_no_version(library: Library) -> None:
    notebook = await library.notebooks.create("Town")
    source = await library.sources.add_file(notebook.id, Upload.of("The library opens at nine.", "hours.txt"))
    again = await library.sources.refresh(notebook.id, source.id)
    assert (again.state, again.version) == ("ready", 1)
    assert len(await library.sources.search(notebook.id, "library")) == 1
