"""Chat: answers from the sources' own sentences, conversations, and how a notebook's chat is set up."""

from __future__ import annotations

import asyncio
import uuid
from functools import partial
from typing import Any

import pytest
from trials import on_one_store

from quire.api.library import Library
from quire.domain.chat import Answer
from quire.domain.errors import Conflict, InvalidInput, NotFound, TooLarge
from quire.domain.files import Upload
from quire.domain.notebooks import Notebook
from quire.entry.settings import Settings

pytestmark = pytest.mark.anyio

BEES = """# Bees

Bees make honey from nectar. A strong hive holds 50,000 bees in summer.

# Wasps

Wasps build their nests of paper. The German wasp lives in the ground."""
HIVE = "How many bees does a strong hive hold?"
ELSEWHERE = "Which composer wrote the opera Fidelio in Vienna?"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Meaning is for other tests."""
    return settings.model_copy(update={"embedder": "none"})


@pytest.fixture
async def notebook(library: Library) -> Notebook:
    notebook = await library.notebooks.create("Insects")
    await library.sources.add_text(notebook.id, "On insects", BEES)
    return notebook


async def asked(library: Library, notebook: Notebook, question: str = HIVE, **more: Any) -> Answer:
    return await library.chat.ask(notebook.id, question, **more)


async def test_an_answer_quotes_and_cites_what_it_rests_on(library: Library, notebook: Notebook) -> None:
    answer = await asked(library, notebook)
    assert answer.text.startswith("A strong hive holds 50,000 bees in summer. [1]")
    assert (answer.grounded, answer.maker, answer.question) == (True, "extractive", HIVE)
    first = answer.citations[0]
    assert (first.number, first.source_title, first.place.heading, first.verified) == (1, "On insects", "Bees", True)
    assert BEES[first.start : first.end] == first.excerpt
    assert answer.text[first.answer_start : first.answer_end] == first.excerpt


async def test_what_the_sources_do_not_hold_is_not_answered(library: Library, notebook: Notebook) -> None:
    answer = await asked(library, notebook, ELSEWHERE)
    assert (answer.grounded, answer.citations, answer.confidence) == (False, [], "low")
    assert "do not hold an answer" in answer.text


async def test_only_the_sources_that_are_named_are_asked(library: Library, notebook: Notebook) -> None:
    other = await library.sources.add_text(notebook.id, "A guess", "A hive may hold 99 bees, says my uncle.")
    answer = await asked(library, notebook, "How many bees may a hive hold?", source_ids=[other.id])
    assert {citation.source_id for citation in answer.citations} == {other.id}
    with pytest.raises(NotFound):
        await asked(library, notebook, source_ids=[other.id, "nowhere"])


async def test_an_empty_or_unread_notebook_says_so(library: Library) -> None:
    notebook = await library.notebooks.create("Empty")
    with pytest.raises(Conflict, match="has no sources"):
        await asked(library, notebook)
    await library.sources.add_file(notebook.id, Upload.of(b"%PDF-1.7 and then nothing", "broken.pdf"))
    with pytest.raises(Conflict, match="None of the sources could be read"):
        await asked(library, notebook)


async def test_sources_that_are_still_to_be_read_are_waited_for(library: Library) -> None:
    notebook = await library.notebooks.create("Insects")
    await library.sources.add_file(notebook.id, Upload.of(BEES, "bees.md"), wait=False)
    assert "50,000" in (await asked(library, notebook)).text


@on_one_store
@pytest.mark.parametrize(("question", "kind"), [("", InvalidInput), (" \n", InvalidInput), ("a" * 10_001, TooLarge)])
async def test_a_question_has_bounds(
    library: Library, notebook: Notebook, question: str, kind: type[Exception]
) -> None:
    with pytest.raises(kind):
        await asked(library, notebook, question)
    assert (await library.chat.list_conversations(notebook.id)).total == 0


async def test_a_stream_ends_with_the_answer(library: Library, notebook: Notebook) -> None:
    events = [event async for event in library.chat.ask_stream(notebook.id, HIVE)]
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert "50,000" in answer.text
    (turn,) = await library.chat.get_history(answer.conversation_id)
    assert turn.answer == answer


async def test_a_conversation_keeps_its_turns_and_a_follow_up_leans_on_them(
    library: Library, notebook: Notebook
) -> None:
    first = await asked(library, notebook, "What do wasps build their nests of?")
    again = await asked(library, notebook, "And where do they live?", conversation_id=first.conversation_id)
    assert again.conversation_id == first.conversation_id
    assert "in the ground" in again.text
    turns = await library.chat.get_history(first.conversation_id)
    assert [turn.answer.id for turn in turns] == [again.id, first.id]
    other = await asked(library, notebook)
    listed = await library.chat.list_conversations(notebook.id)
    assert [(one.id, one.turns) for one in listed] == [(other.conversation_id, 1), (first.conversation_id, 2)]
    page = await library.chat.get_history(first.conversation_id, limit=1)
    rest = await library.chat.get_history(first.conversation_id, limit=1, cursor=page.cursor)
    assert ([turn.answer.id for turn in rest], rest.total, rest.truncated) == ([first.id], 2, False)


async def test_a_deleted_conversation_is_gone(library: Library, notebook: Notebook) -> None:
    answer = await asked(library, notebook)
    await library.chat.delete_conversation(answer.conversation_id)
    assert (await library.chat.list_conversations(notebook.id)).total == 0
    for call in (
        library.chat.get_history(answer.conversation_id),
        library.chat.delete_conversation(answer.conversation_id),
        library.chat.save_answer_as_note(notebook.id, answer.id),
        asked(library, notebook, conversation_id=answer.conversation_id),
    ):
        with pytest.raises(NotFound):
            await call


async def test_a_conversation_belongs_to_its_notebook(library: Library, notebook: Notebook) -> None:
    other = await library.notebooks.create("Other")
    await library.sources.add_text(other.id, "On insects", BEES)
    answer = await asked(library, notebook)
    with pytest.raises(NotFound):
        await asked(library, other, conversation_id=answer.conversation_id)
    with pytest.raises(NotFound):
        await library.chat.save_answer_as_note(other.id, answer.id)


async def test_an_answer_is_kept_as_a_note_with_its_citations(library: Library, notebook: Notebook) -> None:
    answer = await asked(library, notebook)
    note = await library.chat.save_answer_as_note(notebook.id, answer.id)
    assert (note.title, note.notebook_id) == (HIVE, notebook.id)
    assert note.content.startswith(answer.text)
    assert "[1] On insects, Bees: “A strong hive holds 50,000 bees in summer.”" in note.content


async def test_an_answer_that_is_saved_again_is_the_note_that_is_there(library: Library, notebook: Notebook) -> None:
    answer = await asked(library, notebook)
    save = partial(library.chat.save_answer_as_note, notebook.id, answer.id)
    first, second = await asyncio.gather(save(), save())
    assert first == second
    named = await save(" Mine ")
    assert (named.id, named.title, named.revision) == (first.id, "Mine", 2)
    assert await save() == named
    await library.notes.update(None, named.id, "My own words")
    assert (await save("Mine")).content == "My own words"
    assert (await library.notes.list(notebook.id)).total == 1
    await library.notes.delete(None, named.id)
    assert (await save()).id != named.id


async def test_an_answer_is_found_by_how_its_id_begins_and_is_one_note_with_or_without_an_attachment(
    library: Library, guest: Library, notebook: Notebook
) -> None:
    answer = await asked(library, notebook)
    assert await library.chat.get_answer(notebook.id, answer.id[:33]) == answer
    attach = partial(library.notes.create_with_attachment, notebook.id, "Kept", answer.text)
    notes = [
        await attach("wire", answer.id),
        await library.chat.save_answer_as_note(notebook.id, answer.id),
        await attach("other wire", answer.id),
    ]
    assert {note.id for note in notes} == {notes[0].id}
    assert (await attach("other wire")).id != notes[0].id
    other = await library.notebooks.create("Other")
    for call in (
        library.chat.get_answer(other.id, answer.id[:33]),
        library.chat.get_answer(notebook.id, "0" * 33),
        library.chat.get_answer(notebook.id, answer.id[:31]),
        library.chat.get_answer(notebook.id, "0" * 100_000),
        guest.chat.get_answer(notebook.id, answer.id[:33]),
        library.notes.create_with_attachment(other.id, "Kept", answer.text, "x", answer.id),
    ):
        with pytest.raises(NotFound):
            await call


async def test_a_conversation_is_opened_once_and_told_of_when_something_was_asked(
    library: Library, guest: Library, notebook: Notebook
) -> None:
    opened = await library.chat.open_conversation(notebook.id)
    assert (await library.chat.open_conversation(notebook.id), opened.turns) == (opened, 0)
    assert (await library.chat.list_conversations(notebook.id)).total == 0
    answer = await asked(library, notebook, conversation_id=opened.id)
    assert answer.conversation_id == opened.id
    given = str(uuid.uuid4())
    begun = [await library.chat.open_conversation(notebook.id, given) for _ in range(2)]
    assert [one.id for one in begun] == [given, given]
    assert (await library.chat.open_conversation(notebook.id)).id == opened.id
    assert [one.id for one in await library.chat.list_conversations(notebook.id)] == [opened.id]
    other = await library.notebooks.create("Other")
    with pytest.raises(NotFound):
        await library.chat.open_conversation(other.id, given)
    theirs = await guest.notebooks.create("Theirs")
    with pytest.raises(NotFound):
        await guest.chat.open_conversation(theirs.id, given)
    with pytest.raises(InvalidInput):
        await library.chat.open_conversation(notebook.id, "no uuid")


async def test_how_a_chat_answers_is_kept_for_its_notebook(library: Library, notebook: Notebook) -> None:
    assert (await library.chat.get_configuration(notebook.id)).goal == "default"
    made = await library.chat.configure(notebook.id, goal="custom", instructions="In rhymes.", length="shorter")
    assert await library.chat.get_configuration(notebook.id) == made
    other = await library.notebooks.create("Other")
    assert (await library.chat.get_configuration(other.id)).length == "default"
    with pytest.raises(InvalidInput):
        await library.chat.configure(notebook.id, goal="poem")  # type: ignore[arg-type]


async def test_an_answer_keeps_its_excerpts_when_the_source_goes(library: Library, notebook: Notebook) -> None:
    answer = await asked(library, notebook)
    (source,) = await library.sources.list(notebook.id)
    await library.sources.delete(notebook.id, source.id)
    (turn,) = await library.chat.get_history(answer.conversation_id)
    assert turn.answer.citations == answer.citations
    with pytest.raises(Conflict, match="has no sources"):
        await asked(library, notebook)


async def test_a_notebook_takes_its_conversations_with_it(library: Library, notebook: Notebook) -> None:
    answer = await asked(library, notebook)
    await library.notebooks.delete(notebook.id)
    with pytest.raises(NotFound):
        await library.chat.get_history(answer.conversation_id)


async def test_many_questions_at_once_get_each_their_own_answer(library: Library, notebook: Notebook) -> None:
    questions = [HIVE, "What do wasps build their nests of?", "Where does the German wasp live?"] * 3
    answers = await asyncio.gather(*(asked(library, notebook, question) for question in questions))
    told = {HIVE: "50,000", questions[1]: "paper", questions[2]: "ground"}
    assert all(told[answer.question] in answer.text for answer in answers)
    assert len({answer.conversation_id for answer in answers}) == len(questions)
