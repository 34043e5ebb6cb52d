"""Answers in the sources' own sentences, through the library."""

from __future__ import annotations

import pytest

from quire.api.library import Library
from quire.domain.chat import Answer

pytestmark = pytest.mark.anyio

HARBOUR = """# Port Elm

Port Elm is a town on the west coast. Its harbour was built by fishermen in 1652.[3]

## How to moor a boat

1. Call the harbour master. The channel is 12.
2. Enter by the north wall.
3. Tie the boat to a red buoy.

## Fees

A night costs nine crowns. Children's boats pay nothing.
"""
MILLS = (
    "The mills of Oxley ground corn for four parishes. The last mill of Oxley burned in 1911. "
    "Its miller, Jane Reeve, moved to Port Elm."
)


@pytest.fixture
def store() -> str:
    return "memory"


@pytest.fixture
async def notebook_id(library: Library) -> str:
    notebook = await library.notebooks.create("The coast")
    await library.sources.add(notebook.id, "text", text=HARBOUR, title="Port Elm")
    await library.sources.add(notebook.id, "text", text=MILLS, title="Mills of Oxley")
    return notebook.id


async def assert_sound(library: Library, answer: Answer) -> None:
    """Every excerpt stands at its offsets, and the part of the answer that it supports is there."""
    for citation in answer.citations:
        whole = await library.sources.get_fulltext(None, citation.source_id)
        assert whole.text[citation.start : citation.end] == citation.excerpt
        assert citation.verified
        assert f"[{citation.number}]" in answer.text[citation.answer_end : citation.answer_end + 6]


async def test_a_fact_is_quoted_without_the_sources_own_marks(library: Library, notebook_id: str) -> None:
    answer = await library.chat.ask(notebook_id, "When was the harbour built?")
    assert "built by fishermen in 1652. " in answer.text
    assert "[3]" not in answer.text.split("[2]")[0]
    assert "1652.[3]" in answer.citations[0].excerpt
    assert answer.grounded
    assert 0 < answer.support <= 1
    await assert_sound(library, answer)


async def test_a_how_to_question_is_answered_with_all_steps(library: Library, notebook_id: str) -> None:
    answer = await library.chat.ask(notebook_id, "How do I moor a boat?")
    assert answer.text.startswith("1. Call the harbour master. The channel is 12.\n2. Enter by the north wall.\n3. Tie")
    await assert_sound(library, answer)


async def test_a_what_is_question_gets_the_sentence_that_says_so(library: Library, notebook_id: str) -> None:
    answer = await library.chat.ask(notebook_id, "What is Port Elm?")
    assert answer.text.startswith("Port Elm is a town on the west coast.")


@pytest.mark.parametrize("question", ["What is this about?", "Summarise the sources", "What are the main points?"])
async def test_a_summary_quotes_every_source(library: Library, notebook_id: str, question: str) -> None:
    answer = await library.chat.ask(notebook_id, question)
    assert {citation.source_title for citation in answer.citations} == {"Port Elm", "Mills of Oxley"}
    assert answer.grounded
    await assert_sound(library, answer)


async def test_a_summary_of_a_named_source_quotes_that_one_only(library: Library, notebook_id: str) -> None:
    answer = await library.chat.ask(notebook_id, "Summarize the mills document")
    assert {citation.source_title for citation in answer.citations} == {"Mills of Oxley"}


async def test_only_the_sources_that_were_chosen_are_summed_up(library: Library, notebook_id: str) -> None:
    first, _ = (await library.sources.list(notebook_id)).items
    answer = await library.chat.ask(notebook_id, "What is this about?", source_ids=[first.id])
    assert {citation.source_id for citation in answer.citations} == {first.id}


async def test_a_refusal_cites_nothing_and_says_what_there_is(library: Library, notebook_id: str) -> None:
    answer = await library.chat.ask(notebook_id, "Who painted the ceiling of the Sistine chapel in Rome?")
    assert not answer.grounded
    assert answer.citations == []
    assert answer.confidence == "low"
    assert answer.text.startswith("The sources of this notebook do not hold an answer to that.")


async def test_a_short_follow_up_is_understood_with_the_question_before_it(library: Library, notebook_id: str) -> None:
    first = await library.chat.ask(notebook_id, "Who was the miller of the last mill of Oxley?")
    assert "Jane Reeve" in first.text
    second = await library.chat.ask(notebook_id, "When did it burn?", conversation_id=first.conversation_id)
    assert "1911" in second.text


async def test_a_chat_that_should_be_short_gives_one_part(library: Library, notebook_id: str) -> None:
    await library.chat.configure(notebook_id, length="shorter")
    assert len((await library.chat.ask(notebook_id, "When was the harbour built?")).citations) == 1


MINUTES = """Tyres for the van: Dorn wants 640 euros for a set.

Coffee machine: the repair takes two weeks. Greta looks after it.

Lease of the hall: signed until 2027. The landlord keeps the key."""


@pytest.mark.parametrize("question", ["How many weeks without hot drinks?", "And for how long is it gone?"])
async def test_what_is_not_answered_by_itself_is_taken_to_go_on(library: Library, question: str) -> None:
    id = (await library.notebooks.create("Minutes")).id
    await library.sources.add_text(id, "Minutes", MINUTES)
    first = await library.chat.ask(id, "Who looks after the coffee machine?")
    assert not (await library.chat.ask(id, question)).grounded
    answer = await library.chat.ask(id, question, conversation_id=first.conversation_id)
    assert answer.grounded
    assert "two weeks" in answer.text
