"""Questions: what kind of thing they ask for."""

from __future__ import annotations

import pytest

from quire.text.questions import (
    asks_for_summary,
    asks_meaning,
    meaning_of,
    named_as,
    names,
    negated,
    own_words,
    summary_subject,
)


@pytest.mark.parametrize(
    ("question", "wanted", "named"),
    [
        ("What is this about?", True, ""),
        ("What is this notebook about?", True, ""),
        ("Summarise this.", True, ""),
        ("Please give me a short summary of the sources", True, ""),
        ("What are the main points?", True, ""),
        ("Summarize the Normans article", True, "Normans"),
        ("Worum geht es?", True, "es"),
        ("总结", True, ""),
        ("What is a harbour?", False, "harbour"),
        ("What did they think about the war?", False, ""),
    ],
)
def test_a_question_for_a_summary_is_known_and_what_it_names(question: str, wanted: bool, named: str) -> None:
    assert asks_for_summary(question) is wanted
    if wanted:
        assert summary_subject(question) == named


def test_a_question_for_the_meaning_of_a_thing_is_known() -> None:
    assert asks_meaning("What is a duck?")
    assert asks_meaning("Who were the Normans?")
    assert asks_meaning("Что такое фотосинтез?")
    assert asks_meaning("光合作用是什么？")
    assert not asks_meaning("When is it?")


@pytest.mark.parametrize(
    ("sentence", "subject", "said"),
    [
        ("A duck is a bird.", "A duck ", "kind"),
        ("The Normans (Latin: Normanni) were the people of it.", "The Normans   ", "kind"),
        ("Ducks are birds.", "Ducks ", "is"),
        ("Ducks are found there.", "Ducks ", "done"),
        ("The comb is also used to preen.", "The comb ", "done"),
        ("No such thing", "", "done"),
    ],
)
def test_a_sentence_tells_what_it_speaks_of(sentence: str, subject: str, said: str) -> None:
    assert meaning_of(sentence) == (subject, said)


@pytest.mark.parametrize(
    ("sentence", "thing", "how_far"),
    [
        ("A young hare is called a leveret.", "a leveret", 1.0),
        ("There is a comb, known as the **pecten**, along the bill.", "a pecten", 1.0),
        ("Lahars – mud flows of ash and water", "lahar", 1.0),
        ("Rollo, a Norse leader, settled there.", "Rollo", 0.7),
        ("The leveret sleeps.", "a leveret", 0.0),
        ("", "a leveret", 0.0),
    ],
)
def test_a_sentence_gives_a_thing_its_name(sentence: str, thing: str, how_far: float) -> None:
    assert named_as(sentence, thing) == how_far


def test_names_and_negations_are_found() -> None:
    assert names("Why did Francis Drake leave Plymouth?") == "Francis Drake Plymouth"
    assert negated("It did not sail.")
    assert negated("Er ist nicht da.")
    assert not negated("It sailed.")


@pytest.mark.parametrize("unit", ["how ", "(", "what is ", "A ", "n't ", "的", "1", "\u0301", "main "])
def test_a_very_long_question_is_understood_in_time(unit: str) -> None:
    question = unit * (10_000 // len(unit))
    assert named_as(question, "how") >= 0
    assert isinstance(asks_for_summary(question), bool)
    assert isinstance(summary_subject(question), str)
    assert len(meaning_of(question)[0]) <= 300
    assert own_words(question) is not None
