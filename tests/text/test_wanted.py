"""Wanted: whether a text has the type of thing that a question wants."""

from __future__ import annotations

import pytest

from quire.text.question_tables import Wanted
from quire.text.questions import own_words
from quire.text.wanted import offers


@pytest.mark.parametrize(
    ("wanted", "text", "how_far"),
    [
        ("count", "Seven ships sailed.", 1.0),
        ("count", "The ships sailed.", 0.0),
        ("count", "2. Retrieve all ships", 0.0),
        ("count", "They sailed on 4 May 1588.", 0.0),
        ("count", "3.2 Ships sail at dawn.", 0.0),
        ("date", "They sailed in May 1588.", 1.0),
        ("person", "The race starts at Greenwich.", 0.0),
        ("date", "They may sail.", 0.0),
        ("date", "It is due on the third working day of each month.", 1.0),
        ("date", "They sailed after a few days.", 0.5),
        ("duration", "It takes 3 h 15 min.", 1.0),
        ("duration", "It takes several working days.", 1.0),
        ("duration", "It begins at 9:00.", 0.0),
        ("money", "It costs 75 euros.", 1.0),
        ("money", "Entry is free.", 1.0),
        ("money", "The bill came to 7480.", 0.5),
        ("money", "| Lunch | 2 |", 0.0),
        ("person", "It was led by Drake.", 1.0),
        ("person", "The race takes place on 14 June.", 0.0),
        ("person", "It is kept by the treasurer.", 0.5),
        ("place", "They live in Oslo.", 1.0),
        ("place", "They slept.", 0.0),
        ("reason", "It sank because it leaked.", 1.0),
        ("reason", "It sank.", 0.5),
        ("date", "It was made for the summer fair.", 0.0),
        ("date", "They sail in the summer.", 1.0),
        ("count", "Not found: xyz999", 0.0),
        ("count", "An 8-letter word.", 1.0),
        ("person", "It binds the DNA.", 0.0),
        ("permission", "Nobody may sleep here.", 1.0),
        ("permission", "Dogs need the consent of the owner.", 1.0),
        ("permission", "The hall is old.", 0.5),
        ("permission", "Hunde dürfen mit.", 1.0),
        ("origin", "It was named after a queen.", 1.0),
        ("origin", "It lies in the north.", 0.0),
        ("date", "Register within 30 days.", 1.0),
        ("date", "[12 Aug 2025, 09:15] Ida: morning all", 0.5),
        ("count", "[12 Aug 2025, 09:15] Ida: morning all", 0.0),
        ("count", "Man darf es zweimal wiederholen.", 1.0),
        ("contact", "Ring 030 555 01 22.", 1.0),
        ("contact", "Write to office@club.example.", 1.0),
        ("contact", "Bed 2, at four today.", 0.0),
        ("thing", "anything", 0.5),
    ],
)
def test_a_text_has_what_is_wanted_or_not(wanted: Wanted, text: str, how_far: float) -> None:
    assert offers(text, wanted, frozenset()) == how_far


def test_what_the_question_says_itself_is_no_answer() -> None:
    known = own_words("How many of the 12 ships sailed?")
    assert offers("Of 12 ships 7 sailed.", "count", known) == 1.0
    assert offers("The 12 ships sailed.", "count", known) == 0.0


def test_a_role_that_only_repeats_the_question_tells_nobody() -> None:
    assert offers("The organiser of the fair is ill.", "person", own_words("Who organises the fair?")) == 0.0
    assert offers("The teachers of the school do.", "person", own_words("Who organises the fair?")) == 0.5


def test_the_name_of_a_column_tells_what_a_number_is() -> None:
    assert offers("| Boat | 32 |", "money", frozenset(), "| Item | Amount EUR |") == 0.5
    assert offers("| Boat | 32 |", "money", frozenset(), "| Item | Places |") == 0.0


@pytest.mark.parametrize("unit", ["1 ", "a ", "one two ", "A", "| ", "9:", "\u0301"])
def test_a_very_long_text_is_looked_through_in_time(unit: str) -> None:
    text = unit * (20_000 // len(unit))
    for wanted in ("count", "date", "duration", "money", "person", "place", "reason"):
        assert 0 <= offers(text, wanted, frozenset()) <= 1  # type: ignore[arg-type]
