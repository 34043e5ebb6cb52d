"""Where a citation says that it stands, and what a follow-up is about."""

from __future__ import annotations

import pytest

from quire.api.library import Library

pytestmark = pytest.mark.anyio

LEASE = """# Lease

The lease begins in May.

### Rent

The monthly rent is 940 euros.

### Notice

The landlord must give three months of notice.
"""


async def test_a_citation_names_the_heading_of_its_own_words(library: Library) -> None:
    notebook = await library.notebooks.create("Home")
    source = await library.sources.add(notebook.id, "text", text=LEASE, title="Lease")
    answer = await library.chat.ask(notebook.id, "What is the monthly rent?")
    first = answer.citations[0]
    assert "940" in first.excerpt
    assert first.place.heading == "Rent"
    text = (await library.sources.get_fulltext(notebook.id, source.id)).text
    assert text[first.start : first.end] == first.excerpt


async def test_a_short_new_question_is_not_drawn_to_the_one_before(library: Library) -> None:
    notebook = await library.notebooks.create("Home")
    await library.sources.add(notebook.id, "text", text=LEASE, title="Lease")
    await library.sources.add(notebook.id, "text", text="Solar panels lose output when dust lies on them.")
    first = await library.chat.ask(notebook.id, "What makes solar panels lose output?")
    assert "dust" in first.text
    second = await library.chat.ask(
        notebook.id, "How much notice must the landlord give?", conversation_id=first.conversation_id
    )
    assert "three months" in second.citations[0].excerpt
    assert "dust" not in second.citations[0].excerpt


async def test_a_question_that_leans_on_the_one_before_is_understood(library: Library) -> None:
    notebook = await library.notebooks.create("Insects")
    await library.sources.add(notebook.id, "text", text="Honey bees live in hives. Wasps live in paper nests.")
    first = await library.chat.ask(notebook.id, "Where do honey bees live?")
    assert "hives" in first.text
    second = await library.chat.ask(notebook.id, "And wasps?", conversation_id=first.conversation_id)
    assert "paper nests" in second.text
    assert second.conversation_id == first.conversation_id
    assert [turn.answer.question for turn in await library.chat.get_history(first.conversation_id)] == [
        "And wasps?",
        "Where do honey bees live?",
    ]
