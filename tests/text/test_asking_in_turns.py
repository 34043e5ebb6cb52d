"""Turns: what a question takes from those before it."""

from __future__ import annotations

import pytest

from quire.text.judging import put_to_judge
from quire.text.turns import in_turns


@pytest.mark.parametrize(
    ("before", "question", "about"),
    [
        ("How long does the ferry take?", "And how much does it cost?", "the ferry take"),
        ("Who built the mill?", "When did they finish it?", "built the mill"),
        ("What time is breakfast?", "Where?", "time is breakfast"),
        ("What is the price for the small room?", "And for the large one?", "the price"),
        ("What was the ferritin?", "And the B12?", ""),
        ("Is the sauna open?", "Why not?", "the sauna open"),
        ("Is the sauna open?", "Since when?", "the sauna open"),
        ("Was the bridge repaired?", "By whom?", "the bridge repaired"),
        ("Wie lange dauert die Fahrt?", "Und was kostet sie?", "lange dauert die Fahrt"),
    ],
)
def test_a_question_that_goes_on_takes_its_subject_from_the_last(before: str, question: str, about: str) -> None:
    asked = in_turns(question, [before])
    assert asked.about == about
    assert asked.query.endswith(asked.question)


@pytest.mark.parametrize(
    "question",
    ["Who is the treasurer of the club?", "How many boats are there in the harbour?", "What is this notebook about?"],
)
def test_a_question_that_stands_alone_takes_nothing(question: str) -> None:
    assert in_turns(question, ["How long does the ferry take?"]).about == ""


def test_a_fragment_asks_the_same_of_another_thing() -> None:
    asked = in_turns("And for the large room?", ["How much does it cost for the small room?"])
    assert (asked.kind, asked.wanted, asked.instead) == ("fact", "money", True)
    assert in_turns("price for children", ["When does the ferry leave?"]).wanted == "money"
    assert not in_turns("And when does it leave?", ["How much does the ferry cost?"]).instead


def test_what_comes_next_is_another_answer() -> None:
    assert in_turns("And what happens later?", ["Until when can we cancel?"]).instead


def test_the_subject_is_carried_over_several_turns() -> None:
    asked = in_turns("And where?", ["How long does the ferry take?", "And how much does it cost?"])
    assert "ferry" in asked.about


def test_the_second_part_of_a_question_goes_on_from_the_first() -> None:
    asked = in_turns("How much is the rent and when do we pay it?", [])
    assert [part.about for part in asked.parts] == ["", "the rent"]


@pytest.mark.parametrize("unit", ["and who ", "it ", "for the ", "that is ", "这"])
def test_very_long_questions_are_understood_in_time(unit: str) -> None:
    long = unit * (10_000 // len(unit))
    assert in_turns(long, [long, long, long]).kind


def test_any_question_can_be_taken_to_go_on() -> None:
    before = ["Why did we take the dearer tyres?"]
    assert in_turns("How much were the two offers?", before).about == ""
    assert in_turns("How much were the two offers?", before, goes_on=True).about == "we take the dearer tyres"
    assert in_turns("How much were the two offers?", [], goes_on=True).about == ""


@pytest.mark.parametrize(
    ("before", "question", "whole"),
    [
        ("When is it open on Monday?", "And on Sunday?", "When is it open on Sunday?"),
        ("Is there any water along stage 2?", "and on stage 3", "Is there any water along stage 3?"),
        (
            "How much does it cost for the small room?",
            "And for the large room?",
            "How much does it cost for the large room?",
        ),
        ("How long is the warranty on bicycles?", "What about helmets?", ""),
        ("What must I do before I arrive?", "And before I leave?", ""),
        ("Is there any hut along stage 2?", "And water on stage 3?", ""),
        ("What do I have to pay?", "And to the landlord?", ""),
        ("Is there a fee for dogs on the ferry to Harwich?", "And for cats?", ""),
        ("Wie heißt die Straße mit Fußweg für Gäste?", "Und für Hunde?", "Wie heißt die Straße mit Fußweg für Hunde?"),
        ("How long is the warranty on bicycles?", "And who pays?", ""),
    ],
)
def test_a_fragment_is_put_to_a_judge_in_full_where_it_is_told_what_it_replaces(
    before: str, question: str, whole: str
) -> None:
    asked = in_turns(question, [before])
    assert asked.whole == whole
    assert put_to_judge(asked) == (whole or f"{asked.question} {before}")


def test_a_fragment_after_a_fragment_goes_on_from_what_that_was_in_full() -> None:
    asked = in_turns("And on Friday?", ["When is it open on Monday?", "And on Sunday?"])
    assert asked.whole == "When is it open on Friday?"
