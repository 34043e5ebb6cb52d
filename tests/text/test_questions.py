"""Questions: what kind of thing they ask for."""

from __future__ import annotations

import pytest

from quire.text.questions import (
    asked_for,
    asks_meaning,
    asks_what_is_not,
    denies,
    meaning_of,
    named_as,
    names,
    negated,
    own_words,
)


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


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("How many stamps are in the album?", "stamps"),
        ("Which colour does the door have?", "colour"),
        ("What is the weight of the parcel?", "weight"),
        ("What is Ada's height?", "height"),
        ("Who painted the door?", "painted"),
        ("How much is the yearly fee for members?", "yearly fee"),
        ("Wie viele Türen hat das Haus?", "Türen"),
        ("What is the keeper's phone number?", "phone number"),
        ("Which wine goes with the fish?", "wine"),
        ("When does it open?", ""),
        ("Who is Ada?", ""),
        ("Who else painted the door?", "painted"),
        ("Who else did Ada paint?", ""),
        ("Who besides Ada painted the door?", ""),
        ("Who was in charge of the door?", ""),
    ],
)
def test_what_is_asked_of_a_thing_is_known(question: str, wanted: str) -> None:
    assert asked_for(question) == wanted


def test_a_question_for_exceptions_asks_what_does_not_hold() -> None:
    assert asks_what_is_not("Which guests are exempt from the tax?")
    assert asks_what_is_not("Welche Kosten sind ausgeschlossen?")
    assert not asks_what_is_not("Which guests pay the tax?")
    assert denies("The north gate is closed.")


def test_the_role_that_is_asked_for_is_known() -> None:
    assert asked_for("Who is the mayor's cousin?") == "cousin"
    assert asked_for("Who is the patron of the fair?") == "patron"


def test_an_item_gives_a_name_as_its_first_words_do() -> None:
    assert named_as("2. Lahars – mud that flows", "lahar") == 1.0


def test_names_and_negations_are_found() -> None:
    assert names("Why did Francis Drake leave Plymouth?") == "Francis Drake Plymouth"
    assert negated("It did not sail.")
    assert negated("Er ist nicht da.")
    assert not negated("It sailed.")


@pytest.mark.parametrize("unit", ["how ", "(", "what is ", "A ", "n't ", "的", "1", "\u0301", "main "])
def test_a_very_long_question_is_understood_in_time(unit: str) -> None:
    question = unit * (10_000 // len(unit))
    assert named_as(question, "how") >= 0
    assert len(meaning_of(question)[0]) <= 300
    assert own_words(question) is not None
