"""Questions: what kind of thing they ask for."""

from __future__ import annotations

import pytest

from quire.text.questions import (
    asks_meaning,
    kind_asked_for,
    meaning_of,
    names,
    negated,
    offers,
    own_words,
)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How many ships sailed?", "number"),
        ("When did it begin?", "time"),
        ("In what year was it?", "time"),
        ("Who led them?", "name"),
        ("Where is it?", "name"),
        ("Wie viele Schiffe?", "number"),
        ("Quand est-il né ?", "time"),
        ("Кто это сделал?", "name"),
        ("它是哪一年建立的？", "time"),
        ("How do I bake bread?", "steps"),
        ("How to bake bread", "steps"),
        ("How did it end?", "other"),
        ("What is it?", "other"),
        ("", "other"),
    ],
)
def test_the_kind_of_thing_asked_for_is_told(question: str, kind: str) -> None:
    assert kind_asked_for(question) == kind


def test_a_sentence_offers_only_what_the_question_did_not_say_itself() -> None:
    known = own_words("How many of the 12 ships sailed?")
    assert offers("Of 12 ships 7 sailed.", "number", known) == 1
    assert offers("The 12 ships sailed.", "number", known) == 0
    assert offers("They sailed in May 1588.", "time", known) == 1
    assert offers("They sailed.", "time", known) == 0
    assert offers("It was led by Drake.", "name", known) == 1
    assert offers("it was led by nobody.", "name", known) == 0
    assert offers("anything", "other", known) == 0.5


def test_a_question_for_the_meaning_of_a_thing_is_known() -> None:
    assert asks_meaning("What is a duck?")
    assert asks_meaning("Who were the Normans?")
    assert asks_meaning("Что такое фотосинтез?")
    assert asks_meaning("光合作用是什么？")
    assert not asks_meaning("When is it?")


@pytest.mark.parametrize(
    ("sentence", "subject", "of_a_kind"),
    [
        ("A duck is a bird.", "A duck ", True),
        ("The Normans (Latin: Normanni) were the people of it.", "The Normans   ", True),
        ("Ducks are found there.", "Ducks ", False),
        ("No such thing", "", False),
    ],
)
def test_a_sentence_tells_what_it_speaks_of(sentence: str, subject: str, of_a_kind: bool) -> None:
    assert meaning_of(sentence) == (subject, of_a_kind)


def test_names_and_negations_are_found() -> None:
    assert names("Why did Francis Drake leave Plymouth?") == "Francis Drake Plymouth"
    assert negated("It did not sail.")
    assert negated("Er ist nicht da.")
    assert not negated("It sailed.")


@pytest.mark.parametrize("unit", ["how ", "(", "what is ", "A ", "n't ", "的", "1", "\u0301", "main "])
def test_a_very_long_question_is_understood_in_time(unit: str) -> None:
    question = unit * (10_000 // len(unit))
    assert kind_asked_for(question) in ("number", "time", "name", "steps", "other")
    assert len(meaning_of(question)[0]) <= 300
    assert own_words(question) is not None
