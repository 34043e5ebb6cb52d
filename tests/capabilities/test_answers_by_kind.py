"""Answers without a model: the form, the parts and the length of an answer go by what is asked."""

from __future__ import annotations

import pytest

from quire.api.library import Library
from quire.domain.chat import Answer

pytestmark = pytest.mark.anyio

RULES = """# Boathouse rules

The boathouse is open from 7:00 to 21:00. The key is kept by Mr Osei in the office.

A locker costs 40 euros a year. The fee is due on 1 March.

The race takes place on 14 June. Twelve clubs have entered.

Kayaks are narrow and fast. Canoes are broad and steady, and carry more than kayaks.

May I bring a guest? Guests may come along on Sundays, when the boat has room.
"""
TIMES = (
    "# Buses\n\n| Line | First bus | Fare |\n|---|---|---|\n| North | 6:10 | 3 euros |\n| South | 6:40 | 4 euros |\n"
)


@pytest.fixture
def store() -> str:
    return "memory"


@pytest.fixture
async def notebook(library: Library) -> str:
    made = await library.notebooks.create("Club")
    await library.sources.add_text(made.id, "Rules", RULES)
    await library.sources.add_text(made.id, "Times", TIMES)
    return made.id


async def ask(library: Library, notebook: str, question: str, after: Answer | None = None) -> Answer:
    return await library.chat.ask(notebook, question, conversation_id=after.conversation_id if after else None)


async def test_a_fact_is_one_quote_and_the_rest_is_offered_beside_it(library: Library, notebook: str) -> None:
    answer = await ask(library, notebook, "How much does a locker cost?")
    assert [citation.excerpt for citation in answer.citations] == ["A locker costs 40 euros a year."]
    assert answer.text == "A locker costs 40 euros a year. [1]"
    cited = {(citation.start, citation.end) for citation in answer.citations}
    for passage in answer.more:
        whole = await library.sources.get_fulltext(notebook, passage.source_id)
        assert whole.text[passage.start : passage.end] == passage.excerpt
        assert (passage.start, passage.end) not in cited


async def test_a_date_does_not_say_who_won(library: Library, notebook: str) -> None:
    answer = await ask(library, notebook, "Who won the race?")
    assert not answer.grounded
    assert (await ask(library, notebook, "When does the race take place?")).text.startswith(
        "The race takes place on 14"
    )


async def test_a_question_in_a_source_is_not_its_answer(library: Library, notebook: str) -> None:
    answer = await ask(library, notebook, "May I bring a guest?")
    assert answer.citations[0].excerpt.startswith("Guests may come along on Sundays")


async def test_both_parts_of_a_question_are_answered(library: Library, notebook: str) -> None:
    answer = await ask(library, notebook, "How much does a locker cost and when does the race take place?")
    assert [citation.number for citation in answer.citations] == [1, 2]
    for citation in answer.citations:
        assert answer.text[citation.answer_start : citation.answer_end] == citation.excerpt
        assert answer.text[citation.answer_end :].startswith(f" [{citation.number}]")
    assert "40 euros" in answer.citations[0].excerpt
    assert "14 June" in answer.citations[1].excerpt


async def test_a_part_that_the_sources_do_not_have_is_said_to_be_absent(library: Library, notebook: str) -> None:
    answer = await ask(library, notebook, "How much does a locker cost and who painted the Sistine chapel?")
    assert answer.grounded
    assert answer.text.endswith("The sources do not say: who painted the Sistine chapel?")
    assert answer.confidence != "high"
    neither = await ask(library, notebook, "Who wrote Hamlet and who painted the Sistine chapel?")
    assert not neither.grounded


async def test_a_comparison_speaks_of_both_things(library: Library, notebook: str) -> None:
    answer = await ask(library, notebook, "What is the difference between kayaks and canoes?")
    cited = " ".join(citation.excerpt for citation in answer.citations)
    assert "Kayaks are narrow" in cited
    assert "Canoes are broad" in cited


async def test_a_follow_up_is_about_what_was_asked_and_does_not_repeat_the_answer(
    library: Library, notebook: str
) -> None:
    first = await ask(library, notebook, "Who keeps the key?")
    assert "Mr Osei" in first.text
    second = await ask(library, notebook, "And where?", first)
    assert second.text == "in the office [1]"
    row = await ask(library, notebook, "How much is the fare of the line North?")
    other = await ask(library, notebook, "And South?", row)
    assert "4 euros" in other.text
    assert other.text != row.text
