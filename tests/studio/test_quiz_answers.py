"""The wrong answers of a quiz are of the right one's kind, and do not give it away."""

from __future__ import annotations

from typing import Any

import pytest
from documents import OWLS, content, evidence, source

from quire.domain.quizzes import QuizQuestion
from quire.studio.name_kinds import name_kinds
from quire.studio.quizzes import Candidate, chosen_questions

MOON = """# Apollo 11

Apollo 11 was launched on 16 July 1969 from Kennedy Space Center in Florida. Neil Armstrong stepped onto the Moon on 20
July 1969. Michael Collins stayed in orbit aboard Columbia. Buzz Aldrin joined Neil Armstrong on the surface about 19
minutes later. The crew brought back 21.5 kilograms of lunar rock. The mission lasted 8 days and ended in the Pacific
Ocean. President Kennedy had set the goal in a speech at Rice University in 1962. The programme cost 25.4 billion
dollars in all.
"""
TEA = """# Tea

Green tea is steeped at 80 degrees for 2 minutes. Black tea is steeped at 95 degrees for 4 minutes. India produced 1.34
million tonnes of tea in 2021. China is the largest grower and harvested 3.1 million tonnes in 2021. Robert Fortune
carried tea plants from China to Darjeeling in 1848.

| No. | Country | Harvest | Share |
| --- | --- | --- | --- |
| 1 | China | 3,063,000 | 47 % |
| 2 | India | 1,343,000 | 21 % |
| 3 | Kenya | 537,000 | 8 % |
| 4 | Turkey | 281,000 | 4 % |
"""
PEOPLE = {"Neil Armstrong", "Michael Collins", "Buzz Aldrin", "President Kennedy"}
MIXED = evidence(source(MOON, "apollo_11.md"), source(TEA, "tea.md"), source(OWLS, "owls.pdf"))


def questions(difficulty: str) -> list[QuizQuestion]:
    made: list[QuizQuestion] = content("quiz", MIXED, quantity="more", difficulty=difficulty).questions
    return made


def value(text: str) -> float:
    return float(text.replace(",", "").rstrip(" %"))


def is_number(text: str) -> bool:
    return text.replace(",", "").replace(".", "").rstrip(" %").isdigit()


EVERY: dict[str, Any] = {one.question: one for level in ("easy", "medium", "hard") for one in questions(level)}


@pytest.mark.parametrize("asked", EVERY.values(), ids=list(EVERY))
def test_options_are_all_of_one_form_and_no_two_say_the_same(asked: QuizQuestion) -> None:
    numbers = [is_number(one) for one in asked.options]
    assert all(numbers) or not any(numbers)
    said = [value(one) if is_number(one) else one.casefold() for one in asked.options]
    assert len(set(said)) == len(said)
    if any(numbers) and "value of" not in asked.question:
        right = asked.options[asked.answer]
        assert all(0.2 <= value(one) / value(right) <= 5 for one in asked.options)
        assert len({len(one.partition(".")[2]) for one in asked.options}) == 1


def test_people_stand_beside_people_of_the_same_source() -> None:
    found = [one for one in EVERY.values() if one.options[one.answer] in PEOPLE]
    assert found
    assert all(set(one.options) == PEOPLE for one in found)


def test_whole_days_are_asked_for_and_no_number_of_a_name() -> None:
    rights = {one.options[one.answer] for one in EVERY.values()}
    assert rights & {"16 July 1969", "20 July 1969"}
    assert not rights & {"11", "16", "20", "July"}
    day = next(one for one in EVERY.values() if one.options[one.answer] == "16 July 1969")
    assert all(one.endswith("July 1969") for one in day.options)


def test_nobody_is_asked_about_a_file_or_for_the_number_of_a_row() -> None:
    whole = "\n".join(EVERY).casefold()
    for name in ("“apollo", "“tea", "“owls", ".md", ".pdf", "“no.”"):
        assert name not in whole
    assert "about “hearing”" in whole
    assert "value of “harvest”" in whole


def test_what_comes_from_another_topic_is_asked_only_when_there_is_nothing_else() -> None:
    first = [one for one in questions("easy")[:6] if "Robert Fortune" in one.options]
    assert first == []


@pytest.mark.parametrize(
    ("name", "before", "after", "kind"),
    [
        ("Augustin Fresnel", "The lens was invented by ", " in 1822.", "person"),
        ("Ada Lovelace", "", " wrote the first program.", "person"),
        ("Scotland", "The tower stands in ", " today.", "place"),
        ("Pacific Ocean", "It ended with a splash of the ", ".", "place"),
        ("Rice University", "A speech at ", " in 1962.", "body"),
        ("Canadian", "Hunters fear the ", " wolf.", "adjective"),
        ("Fresnel", "They speak of ", ".", "thing"),
    ],
)
def test_the_kind_of_a_name_is_read_from_its_words_and_those_around_it(
    name: str, before: str, after: str, kind: str
) -> None:
    assert name_kinds([(name, before, after)]) == {name: kind}


def test_a_quiz_with_enough_good_questions_is_not_filled_up_with_weaker_ones() -> None:
    made = content("quiz", MIXED, quantity="more").questions
    gap = made[0].model_copy(update={"question": "_____ is a bird.", "options": ["a", "b", "c", "d"]})
    proofs = [gap.explanation.model_copy(update={"text": str(number)}) for number in range(40)]

    def candidate(number: int, type: str, doubtful: int = 0) -> Candidate:
        own = {"question": f"{type} {number}", "explanation": proofs[number]}
        return Candidate(type=type, question=gap.model_copy(update=own), chapter=number % 3, doubtful=doubtful)

    good = [candidate(number, "number") for number in range(6)]
    weak = [candidate(number, "word") for number in range(6, 20)]
    unsure = [candidate(number, "name", 2) for number in range(20, 30)]
    order = ["number", "name", "word"]
    chosen = [one.question for one in chosen_questions([*weak, *unsure, *good], order, 12)]
    assert sorted(chosen) == [f"number {number}" for number in range(6)]
    few = [one.question for one in chosen_questions([*weak, *good[:2]], order, 12)]
    assert len(few) == 5
    assert set(few[:2]) == {"number 0", "number 1"}
