"""Whole notebooks as files, and back: everything that was in one is in the other."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest

from quire.api.library import Library
from quire.domain.errors import NotFound
from quire.domain.files import Upload

pytestmark = pytest.mark.anyio

BEES = "# Bees\n\nBees make honey in the hive. The queen bee lays eggs.\n\n## Pollen\n\nWorker bees gather pollen."


async def filled(library: Library, *, report: bool = False) -> str:
    """A notebook with something of everything; a report takes a second to make."""
    notebook = (await library.notebooks.create("Bees & hives")).id
    await library.notebooks.set_emoji(notebook, "🐝")
    pasted = await library.sources.add(notebook, "text", text=BEES, title="Bees")
    file = await library.sources.add_file(notebook, Upload.of("Ships sail from the harbour at dawn.", "ships.txt"))
    broken = await library.sources.add_file(notebook, Upload.of(b"%PDF-1.7 nothing", "broken.pdf"))
    assert broken.state == "failed"
    label = await library.labels.create(notebook, "Insects", "🐞")
    await library.labels.add_sources(notebook, label.id, [pasted.id])
    await library.chat.configure(notebook, "custom", "Be brief.", "shorter")
    answer = await library.chat.ask(notebook, "Who lays eggs?")
    assert answer.citations
    await library.chat.ask(notebook, "Where do ships sail from?", conversation_id=answer.conversation_id)
    await library.sources.append_text(notebook, pasted.id, "Drones do not sting.")
    await library.chat.ask(notebook, "Do drones sting?")
    await library.chat.save_answer_as_note(notebook, answer.id, "Eggs")
    note = await library.notes.create(notebook, "Plan", "To read")
    await library.notes.update(notebook, note.id, content="# To read\n\nà la carte")
    await library.notes.create_with_attachment(notebook, "Kept", "Words", "[1, 2]", None)
    gone = await library.notes.create(notebook, "Gone", "")
    await library.notes.delete(notebook, gone.id)
    if report:
        assert (await library.artifacts.generate(notebook, "report", "What bees do")).state == "ready"
        await library.artifacts.generate(notebook, "mind_map", source_ids=[pasted.id])
    collection = await library.collections.create("Garden", "🌱")
    await library.collections.add_notebooks(collection.id, [notebook])
    assert file.state == "ready"
    return notebook


async def all_of(library: Library, notebook: str) -> dict[str, Any]:
    """What the library tells of a notebook."""
    sources = list(await library.sources.list(notebook))
    conversations = list(await library.chat.list_conversations(notebook))
    turns = [turn for one in conversations for turn in await library.chat.get_history(one.id)]
    notes = list(await library.notes.list(notebook))
    texts = [
        (await library.sources.get_fulltext(notebook, source.id)).model_dump() for source in sources if source.version
    ]
    return {
        "notebook": (await library.notebooks.get(notebook)).model_dump(),
        "sources": [source.model_dump() for source in sources],
        "texts": texts,
        "cited": [
            (await library.sources.get_fulltext(notebook, one.source_id, version=one.version)).text[one.start : one.end]
            == one.excerpt
            for turn in turns
            for one in turn.answer.citations
            if one.source_id in {source.id for source in sources}
        ],
        "labels": [label.model_dump() for label in await library.labels.list(notebook)],
        "chat": (await library.chat.get_configuration(notebook)).model_dump(),
        "conversations": [one.model_dump() for one in conversations],
        "turns": [turn.model_dump(exclude={"answer": {"citations": {"__all__": {"passage_id"}}}}) for turn in turns],
        "notes": [note.model_dump() for note in notes],
        "attachments": await library.notes.get_attachments(notebook, [note.id for note in notes]),
        "artifacts": [
            (one.model_dump(exclude={"job_id"}), (await library.artifacts.get_content(notebook, one.id)).model_dump())
            for one in await library.artifacts.list(notebook)
        ],
        "files": [
            await (await library.artifacts.download(notebook, one.id, format)).read()
            for one in await library.artifacts.list(notebook)
            for format in one.formats
        ],
        "deleted": await library.notes.list_deleted(notebook),
        "collections": [one.name for one in await library.collections.list() if notebook in one.notebook_ids],
        # In no order: a source that was renamed is ranked by the title it was read under, and anew after an import.
        "found": sorted(
            (hit.passage.source_id, hit.passage.start, hit.passage.text)
            for hit in await library.sources.search(notebook, "bees honey drones harbour")
        ),
    }


async def test_a_notebook_that_was_exported_deleted_and_imported_is_the_same(library: Library) -> None:
    notebook = await filled(library, report=True)
    before = await all_of(library, notebook)
    exported = await (await library.notebooks.export(notebook)).read()
    assert exported == await (await library.notebooks.export(notebook)).read()
    await library.notebooks.delete(notebook)
    made = await library.notebooks.import_(Upload.of(exported, "bees.quire"))
    assert made.id == notebook
    assert await all_of(library, notebook) == before
    assert all(before["cited"])
    assert await (await library.notebooks.export(notebook)).read() == exported


async def test_a_notebook_imported_beside_itself_is_a_copy_with_ids_of_its_own(library: Library) -> None:
    notebook = await filled(library, report=True)
    before = await all_of(library, notebook)
    exported = await (await library.notebooks.export(notebook)).read()
    made = await library.notebooks.import_(Upload.of(exported, "bees.quire"))
    assert made.id != notebook
    copy = await all_of(library, made.id)
    assert await all_of(library, notebook) == before
    assert copy["cited"] == before["cited"]
    ours, theirs = json.dumps(before, default=str), json.dumps(copy, default=str)
    assert copy["files"] == before["files"]
    assert copy["artifacts"][0][0]["id"] != before["artifacts"][0][0]["id"]
    assert set(copy["artifacts"][0][0]["source_ids"]) <= {one["id"] for one in copy["sources"]}
    for kind in ("sources", "labels", "notes", "conversations"):
        assert [one["id"] for one in copy[kind]] != [one["id"] for one in before[kind]]
        assert not any(one["id"] in theirs for one in before[kind])
        assert not any(one["id"] in ours for one in copy[kind])
    assert [one["text"] for one in copy["texts"]] == [one["text"] for one in before["texts"]]
    assert [one["content"] for one in copy["notes"]] == [one["content"] for one in before["notes"]]
    assert copy["labels"][0]["source_ids"] == [copy["sources"][0]["id"]]
    assert len(copy["attachments"]) == 1
    assert copy["collections"] == ["Garden"]


async def test_the_file_can_be_read_without_quire(library: Library) -> None:
    notebook = await filled(library)
    exported = await (await library.notebooks.export(notebook)).read()
    with zipfile.ZipFile(io.BytesIO(exported)) as archive:
        assert archive.testzip() is None
        texts = {name: archive.read(name).decode() for name in archive.namelist() if name.endswith(".md")}
        originals = [archive.read(name) for name in archive.namelist() if name.startswith("originals/")]
    assert b"Ships sail from the harbour at dawn." in originals
    assert any(text.startswith("# Bees\n") for name, text in texts.items() if name.startswith("sources/"))
    assert "# To read\n\nà la carte" in texts.values()
    (asked, _) = sorted(name for name in texts if name.startswith("conversations/"))
    assert "[^1-1]" in "".join(texts[name] for name in texts if name.startswith("conversations/"))
    assert "- [Plan](notes/" in texts["index.md"]
    assert asked in texts["index.md"]


async def test_what_is_exported_is_the_callers_own_and_what_they_may_read(library: Library, guest: Library) -> None:
    notebook = await filled(library)
    with pytest.raises(NotFound):
        await guest.notebooks.export(notebook)
    exported = await (await library.notebooks.export(notebook)).read()
    made = await guest.notebooks.import_(Upload.of(exported, "bees.quire"))
    assert made.id != notebook
    assert [one.id for one in await guest.chat.list_conversations(made.id)]
    with pytest.raises(NotFound):
        await library.notebooks.get(made.id)


async def test_a_folder_of_markdown_is_for_people(library: Library) -> None:
    notebook = await filled(library)
    await library.notes.create(notebook, "Plan", "Another of the same title")
    file = await library.notebooks.export(notebook, "markdown")
    assert (file.name, file.media_type) == ("bees-hives-markdown.zip", "application/zip")
    with zipfile.ZipFile(io.BytesIO(await file.read())) as archive:
        texts = {name: archive.read(name).decode() for name in archive.namelist()}
    assert set(texts) == {
        "index.md",
        "sources/bees.md",
        "sources/ships.txt.md",
        "notes/eggs.md",
        "notes/plan.md",
        "notes/plan-2.md",
        "notes/kept.md",
        "conversations/who-lays-eggs.md",
        "conversations/do-drones-sting.md",
    }
    head, _, text = texts["sources/bees.md"].partition("---\n\n")
    assert head.startswith('---\ntitle: "Bees"\nkind: "text"\n')
    assert 'labels: ["Insects"]\n' in head
    assert text.startswith("# Bees\n\nBees make honey")
    asked = texts["conversations/who-lays-eggs.md"]
    assert asked.startswith("## Who lays eggs?\n")
    assert "[^1-1]: [Bees](../sources/bees.md): “The queen bee lays eggs" in asked
    assert "- [Bees](sources/bees.md)" in texts["index.md"]
    assert "- broken.pdf" in texts["index.md"]
