"""Transformations: built-in ones without a model, a person's own with one; results are notes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from trials import on_one_store

from loopback import loopback, page
from quire.api.library import Library
from quire.domain.errors import Conflict, InvalidInput, NotFound, Unsupported
from quire.entry.bootstrap import build
from quire.entry.settings import load
from quire.text.transforming import PART, SourceToTransform, transformed

pytestmark = pytest.mark.anyio

HIVES = """# Hives

A hive is a house of bees. The queen lays 2,000 eggs a day, and a hive holds 50 kg of honey.

## History

The World Bee Organization (WBO) was founded on 4 May 1927. In 1950 it had 12.5% of all keepers and $3 million.
"""
WASPS = "Wasps build nests of paper, which they chew from the wood of fences. A nest lasts one summer."


async def filled(library: Library) -> tuple[str, list[str]]:
    notebook = (await library.notebooks.create("Insects")).id
    texts = {"Hives": HIVES, "Wasps": WASPS}
    return notebook, [(await library.sources.add_text(notebook, title, text)).id for title, text in texts.items()]


async def test_a_built_in_transformation_makes_a_note_of_each_source(library: Library) -> None:
    notebook, (hives, wasps) = await filled(library)
    job = await library.transformations.run(notebook, "dates-and-numbers")
    assert job.result is not None
    assert (job.result["notes"], job.result["sources"]) == (1, 2)
    assert job.result["left_out"] == ["Wasps: There is nothing of the kind in it."]
    (result,) = await library.transformations.results(notebook)
    assert (result.source_id, result.transformation_id, result.current) == (hives, "dates-and-numbers", True)
    note = await library.notes.get(notebook, result.note_id)
    assert note.title == "Dates and numbers: Hives"
    assert "| 4 May 1927 | Date | The World Bee Organization (WBO) was founded on 4 May 1927. |" in note.content
    for row in (
        "| 1950 | Date |",
        "| 12.5% | Share |",
        "| $3 million | Amount |",
        "| 2,000 | Number |",
        "| 50 kg | Number |",
    ):
        assert row in note.content
    only = await library.transformations.run(notebook, "Key sentences", source_ids=[wasps])
    assert only.result is not None
    assert only.result["notes"] == 1


async def test_running_again_updates_the_same_note_but_none_that_was_changed_by_hand(library: Library) -> None:
    notebook, (hives, _) = await filled(library)
    await library.transformations.run(notebook, "outline", source_ids=[hives])
    (first,) = await library.transformations.results(notebook)
    await library.transformations.run(notebook, "outline", source_ids=[hives])
    assert [one.note_id for one in await library.transformations.results(notebook)] == [first.note_id]
    assert (await library.notes.get(notebook, first.note_id)).revision == 1
    await library.sources.append_text(notebook, hives, "## Winter\n\nBees sleep little.")
    (stale,) = await library.transformations.results(notebook)
    assert stale.current is False
    await library.transformations.run(notebook, "outline", source_ids=[hives])
    again = await library.notes.get(notebook, first.note_id)
    assert again.revision == 2
    assert "**Winter**: Bees sleep little." in again.content
    await library.notes.update(notebook, first.note_id, content="Mine")
    await library.transformations.run(notebook, "outline", source_ids=[hives])
    assert (await library.notes.get(notebook, first.note_id)).content == "Mine"
    assert (await library.transformations.results(notebook)).total == 2
    await library.transformations.run(notebook, "outline", source_ids=[hives], new_notes=True)
    assert (await library.transformations.results(notebook)).total == 3


async def test_a_prompt_needs_a_model_and_says_so(library: Library) -> None:
    notebook, _ = await filled(library)
    own = await library.transformations.create("Plain words", "Say it in plain words.")
    with pytest.raises(Unsupported, match="needs a language model"):
        await library.transformations.run(notebook, own.id)
    assert (await library.transformations.results(notebook)).total == 0


async def test_each_person_has_their_own(library: Library, guest: Library) -> None:
    own = await library.transformations.create("Plain words", "Say it in plain words.")
    listed = await library.transformations.list()
    assert [one.id for one in listed][-1] == own.id
    assert [one.id for one in await guest.transformations.list()] == [one.id for one in listed if one.built_in]
    changed = await library.transformations.update(own.id, prompt="Say it in rhymes.")
    assert (changed.name, changed.prompt) == ("Plain words", "Say it in rhymes.")
    with pytest.raises(NotFound):
        await guest.transformations.update(own.id, name="Mine")
    with pytest.raises(NotFound):
        await guest.transformations.run(None, own.id)
    with pytest.raises(Conflict):
        await library.transformations.create("glossary", "x")
    with pytest.raises(InvalidInput):
        await library.transformations.create("Empty", "  ")
    await library.transformations.delete(own.id)
    assert (await library.transformations.list()).total == len(listed.items) - 1


@on_one_store
async def test_a_model_writes_each_note_in_the_language_that_was_set(library: Library, tmp_path: Path) -> None:
    said = {"choices": [{"delta": {"content": "<think>hm</think>Bienen. [hier](https://evil.example/x)"}}]}
    async with loopback() as server:
        server.paths["/v1/chat/completions"] = page(
            f"data: {json.dumps(said)}\n\ndata: [DONE]\n\n".encode(), media_type="text/event-stream"
        )
        settings = {"home": tmp_path / "other", "embedder": "none", "model": "tiny", "model_url": server.url("/v1")}
        async with build(load(settings, {})) as modelled:
            notebook, _ = await filled(modelled)
            await modelled.settings.set_output_language("de")
            own = await modelled.transformations.create("Plain words", "Say it in plain words.")
            job = await modelled.transformations.run(notebook, own.id)
            assert job.result == {"notes": 2, "sources": 2, "left_out": []}
            notes = await modelled.notes.list(notebook)
            assert {note.title for note in notes} == {"Plain words: Hives", "Plain words: Wasps"}
            assert {note.content for note in notes} == {"Bienen. hier"}
            system, user = (one["content"] for one in json.loads(server.seen[0].body)["messages"])
            assert "Deutsch (de)" in system
            assert user.startswith("Say it in plain words.")
            assert HIVES.strip().splitlines()[2] in user


def test_a_glossary_has_terms_and_abbreviations() -> None:
    text = transformed("glossary", SourceToTransform("Hives", HIVES, "en", ()))
    assert "| hive | A hive is a house of bees. |" in text
    assert "| WBO | World Bee Organization |" in text


@pytest.mark.parametrize("name", ["key-sentences", "outline", "dates-and-numbers", "glossary"])
def test_hostile_texts_are_transformed_in_time(name: str) -> None:
    for text in ("1," * PART, "A " * PART, "Aa " * PART, "a is " * PART, "1 2" * PART, "| " * PART, "May " * PART):
        transformed(name, SourceToTransform("Hostile", text, "en", ()))
