"""Questions that a text answers, and which of them are suggested."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain.documents import Place
from quire.domain.passages import Passage
from quire.text.question_making import questions_of
from quire.text.suggestions import Suggestion, about_questions, suggestions


def made(text: str, title: str = "Lease", language: str = "en", heading: str | None = None) -> list[str]:
    return [one.question for one in questions_of(text, title, heading, language)]


@pytest.mark.parametrize(
    ("language", "sentence", "question"),
    [
        ("en", "The monthly rent is 890 euros.", "How much is the monthly rent?"),
        ("en", "The course costs 75 euros.", "How much does the course cost?"),
        ("en", "The warranty lasts two years from the date of purchase.", "How long does the warranty last?"),
        ("en", "The tenancy begins on 1 April 2025.", "When does the tenancy begin?"),
        ("en", "The regatta takes place on 14 June.", "When does the regatta take place?"),
        ("en", "The harbour was built in 1703.", "When was the harbour built?"),
        ("en", "The station is located in the north of the town.", "Where is the station located?"),
        ("en", "The road is closed because the bridge fell.", "Why is the road closed?"),
        ("en", "To clean the filter, turn it to the left.", "How do I clean the filter?"),
        ("en", "If the light is red, the tank is empty.", "What happens if the light is red?"),
        ("en", "A duckling is a young duck in downy plumage.", "What is a duckling?"),
        ("en", "A male is called a drake and the female a hen.", "What is a drake?"),
        ("en", "Rollo was a Viking who ruled in Normandy.", "Who was Rollo?"),
        ("en", "The set consists of three parts.", "What does the set consist of?"),
        ("de", "Die Miete beträgt 890 Euro im Monat.", "Wie hoch ist die Miete?"),
        ("de", "Der Kurs beginnt am 5. Juli 2025.", "Wann beginnt der Kurs?"),
        ("de", "Um den Filter zu reinigen, drehen Sie ihn.", "Wie kann ich den Filter reinigen?"),
        ("de", "Die Taube ist ein Vogel aus der Familie der Tauben.", "Was ist die Taube?"),
        ("fr", "Le cours coûte 75 euros.", "Combien coûte le cours ?"),
        ("es", "El curso dura tres semanas.", "¿Cuánto dura el curso?"),
        ("ru", "Курс стоит 75 евро.", "Сколько стоит Курс?"),
        ("zh", "大学成立于1898年。", "大学是什么时候成立的？"),
    ],
)
def test_a_sentence_answers_the_question_that_is_made_of_it(language: str, sentence: str, question: str) -> None:
    text = f"{sentence} Курс, курс."
    assert [one for one in made(text, language=language) if one.casefold() == question.casefold()]


@pytest.mark.parametrize(
    "sentence",
    [
        "It is a young duck in downy plumage.",
        "This is a list of all the members.",
        "They were built in 1703.",
        "There is a car park under the ramparts.",
        "The public one under the ramparts costs 14 EUR a day.",
        "Ellis Turner is the estimator of the company.",
        "In 1703 the wall was built.",
        "What he found is the best of all answers.",
        "To be sure, ask again.",
    ],
)
def test_no_question_is_made_where_nothing_can_be_named(sentence: str) -> None:
    assert made(sentence) == []


def test_questions_that_a_text_asks_itself_come_as_they_are() -> None:
    text = (
        "## When should I come for a jab?\n\nSix weeks before.\n\n## And this?\n\nNo.\n\n## Shield or strato?\n\nBoth."
    )
    assert made(text, "FAQ") == ["When should I come for a jab?"]


def test_rows_are_asked_about_their_columns() -> None:
    table = "| Programme | Temperature | Use for |\n| - | - | - |\n| Eco | 50 °C | plates |\n| Auto | 60 °C | pots |"
    assert made(table) == [
        "What is the temperature of the Eco programme?",
        "What is the temperature of the Auto programme?",
    ]
    tasks = "| Task | Who |\n| - | - |\n| Order the roof | Marek |\n| Car park | Anna |"
    assert made(tasks)[0] == "Who is responsible for “Order the roof”?"
    people = (
        "| Index | First Name | Last Name | Country |\n| - | - | - | - |\n| 1 | Roy | Berry | Chad |\n| 2 | A | B | C |"
    )
    assert made(people)[0] == "What is the country of Roy Berry?"
    years = "| Year | Freshwater Ducks |\n| - | - |\n| 2019 | 120 |\n| 2020 | 135 |"
    assert made(years)[0] == "What does the table give as “Freshwater Ducks” for 2019?"
    plans = "|  | Hive | Swarm |\n| - | - | - |\n| Monthly fee | 0 | 49 |\n| Users | 1 | 5 |"
    assert made(plans)[0] == "What is the monthly fee of Hive?"
    assert made("| Domain: | Eukaryota |\n| Class: | Aves |") == []
    german = "| Gang | Dauer |\n| - | - |\n| Eco | 3 h |\n| Auto | 2 h |"
    assert made(german, language="de")[0] == "Was steht in der Tabelle bei „Eco“ unter „Dauer“?"


def test_headings_ask_what_a_source_says_under_them() -> None:
    text = "## 5 Pets\n\nSmall animals may be kept.\n\n## Overview\n\nAll of it.\n\n## Deposit\n\nThe deposit is small."
    assert made(text, "Lease") == ["What does “Lease” say about “Pets”?", "What does “Lease” say about deposit?"]
    assert made("Small animals may be kept.", heading="Lease > Pets") == ["What does “Lease” say about “Pets”?"]
    assert made("# How to moor a boat\n\n## How to moor a boat\n\nCall first.", "Boats") == ["How do I moor a boat?"]


def passage(id: int, text: str, source: str = "s", language: str = "en") -> Passage:
    place = Place(heading=None)
    return Passage(
        id=id,
        source_id=source,
        source_title=source,
        version=1,
        start=0,
        end=len(text),
        text=text,
        place=place,
        language=language,
    )


RENT = "The monthly rent is 890 euros. The deposit is 2,670 euros. The tenancy begins on 1 April 2025."
COURSE = "The course costs 75 euros. A drake is a male duck of any species."


def test_suggestions_vary_in_form_and_source_and_are_answered() -> None:
    tried: list[str] = []

    def answered(one: Suggestion) -> bool:
        tried.append(one.question)
        return "course" not in one.question

    found = suggestions([passage(1, RENT, "a"), passage(2, COURSE, "b")], [], [], answered)
    assert found == ["How much is the monthly rent?", "What is a drake?", "When does the tenancy begin?"]
    assert "How much does the course cost?" not in found
    assert suggestions([passage(1, RENT, "a")], [], [], lambda _: False) == []


def test_what_was_asked_or_told_is_not_suggested() -> None:
    passages = [passage(1, RENT, "a")]
    found = suggestions(passages, [("a", 0, 30)], ["When does the tenancy begin?"], lambda _: True)
    assert found == ["How much is the deposit?"]


def test_what_a_source_is_about_can_always_be_asked() -> None:
    passages = [passage(1, RENT, "Lease"), passage(2, RENT, "Vertrag", "de"), passage(3, RENT, "Lease")]
    always = list(about_questions(passages, ["What is “Lease” about?"], "none"))
    assert always[:2] == ["What is this notebook about?", "Worum geht es in „Vertrag“?"]
    assert next(about_questions(passages, [], "several")) == "What is “Lease” about?"
    assert next(about_questions(passages, [], "one")) == "Can you summarise “Lease”?"
    assert list(about_questions([passage(1, RENT, "The “Lease”")], [], "one")) == []


@given(st.text(max_size=400), st.sampled_from(["en", "de", "fr", "es", "ru", "zh", "ja", None]))
def test_questions_are_answered_by_spans_of_the_text(text: str, language: str | None) -> None:
    for one in questions_of(text, "x", None, language):
        assert text[one.start : one.end].strip()


@pytest.mark.parametrize("unit", ["a ", "The a ", "| a ", "To a b ", "If the a ", "# a\n", "A is ", "是", "甲是一种"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_long_text_of_one_thing_is_asked_in_time(unit: str, language: str) -> None:
    assert len(questions_of(unit * (50_000 // len(unit)), "x", None, language)) < 100
