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
    asked = in_turns("And the large room?", ["How much does it cost for the small room?"])
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
        ("sundays, which line comes more often?", "and on weekdays?", "on weekdays, which line comes more often?"),
        ("population of Ansel 1901", "what about 1851?", "population of Ansel 1851"),
        ("What must I do when it says E12?", "What about E30?", "What must I do when it says E30?"),
        ("What was the yield of S-204?", "And of the poplar?", "What was the yield of the poplar?"),
        ("When is it open between Monday and Friday?", "And on Sunday?", ""),
        ("What does a ticket cost for adults?", "And children?", "What does a ticket cost for children?"),
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


def test_what_is_asked_in_full_is_understood_as_such() -> None:
    asked = in_turns("And on weekdays?", ["Sundays, which one comes more often: the 7 or the 9?"])
    assert (asked.kind, asked.question, asked.instead) == ("comparison", asked.whole, False)
    assert len(asked.things) == 2


def test_what_goes_on_from_more_than_the_last_question_is_asked_with_that() -> None:
    asked = in_turns("And on Sunday?", ["How long does the ferry take?", "And how much is it on Monday?"])
    assert asked.whole == ""
    assert put_to_judge(asked) == "how much is it on Sunday? How long does the ferry take?"
    assert "ferry" in asked.query


def test_which_of_two_things_is_asked_with_both() -> None:
    before = ["Which oven is cheaper, the Brennert or the Hexley?"]
    asked = in_turns("and which one is quicker to heat up?", before)
    assert asked.question == "which oven is quicker to heat up: the Brennert or the Hexley?"
    assert put_to_judge(asked) == "which oven is quicker to heat up?"
    assert asked.kind == "comparison"
    assert in_turns("and which one is quicker, the gas or the electric one?", before).whole == ""
    assert in_turns("and which one is quicker?", ["What does the Brennert cost?"]).whole == ""


@pytest.mark.parametrize(
    ("question", "whole"),
    [
        ("Why did he leave the first one?", "Why did he leave the sawmill?"),
        ("Why did he leave the latter?", "Why did he leave the shipyard?"),
        ("What did he do in the first week there?", ""),
    ],
)
def test_the_first_and_the_second_of_two_things_are_named(question: str, whole: str) -> None:
    assert in_turns(question, ["Which paid him better, the sawmill or the shipyard?"]).whole == whole
    assert in_turns(question, ["Why did he leave?"]).whole == ""


def test_what_else_holds_when_wants_what_the_last_question_wanted() -> None:
    asked = in_turns("what about when it rains", ["How fast may one drive on the bridge?"])
    assert (asked.wanted, asked.instead) == (in_turns("How fast may one drive on the bridge?", []).wanted, True)


@pytest.mark.parametrize(
    ("question", "own"),
    [
        ("And if it is late?", "if it is late?"),
        ("¿Y si llueve?", "si llueve?"),
        ("So far how many were there?", "So far how many were there?"),
        ("E-mail of the keeper?", "E-mail of the keeper?"),
        ("and", "and"),
    ],
)
def test_what_leads_on_from_the_last_question_joins_no_two_things(question: str, own: str) -> None:
    assert in_turns(question, ["When is the rent due?"]).question == own
    assert in_turns(question, []).question == question.lstrip("¿")
