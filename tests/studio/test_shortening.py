"""Sentences made shorter, without saying anything else."""

from __future__ import annotations

import pytest

from quire.domain.grounding import Grounds, Statement
from quire.studio.shortening import shorter


def said(text: str) -> Statement:
    grounds = Grounds(source_id="s", source_title="S", version=1, start=0, end=len(text), excerpt=text)
    return Statement(text=text, grounds=[grounds])


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("Honey bees (Apis mellifera) live in colonies of many.", "Honey bees live in colonies of many."),
        ("However, the queen lays all eggs of the whole colony.", "The queen lays all eggs of the whole colony."),
        (
            "Ducks are smaller than swans and geese, which are members of the same family.",
            "Ducks are smaller than swans and geese.",
        ),
        ("Bees fly far, which not all beekeepers believe.", "Bees fly far, which not all beekeepers believe."),
        ("A plain sentence that has no part to leave out.", "A plain sentence that has no part to leave out."),
    ],
)
def test_only_whole_clauses_are_left_out(text: str, made: str) -> None:
    short = shorter(said(text), 30)
    assert short.text == made
    assert short.grounds[0].excerpt == text


def test_what_is_short_enough_stays_as_it_is() -> None:
    statement = said("Honey bees (Apis mellifera) live in colonies.")
    assert shorter(statement, 100) is statement
