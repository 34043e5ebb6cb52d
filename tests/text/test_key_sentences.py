"""Key sentences, quotes and what else can be asked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.text.key_sentences import Sentence, key_sentences, keywords, spread_sentences
from quire.text.quotes import quoted
from quire.text.refusals import refusal, topics

HARBOUR = (
    "# The harbour of Port Elm\n\n"
    "The harbour of Port Elm is the oldest harbour of the coast. It was built by fishermen. "
    "Storms damaged the harbour in 1703, and the town of Port Elm built a new wall. "
    "See also p. 12.\n\n"
    "```\nharbour harbour harbour harbour harbour\n```\n\n"
    "Ships of the coast still use the harbour of Port Elm today, since its wall keeps the storms out. and so on"
)


def test_key_sentences_come_in_reading_order_without_headings_and_code() -> None:
    chosen = key_sentences([HARBOUR], "en", 2)
    texts = [HARBOUR[sentence.start : sentence.end] for sentence in chosen]
    assert texts[0] == "The harbour of Port Elm is the oldest harbour of the coast."
    assert len(texts) == 2
    assert not any("#" in text or "```" in text for text in texts)
    assert [sentence.start for sentence in chosen] == sorted(sentence.start for sentence in chosen)


def test_a_sentence_that_repeats_another_is_not_taken_while_there_are_others() -> None:
    twice = "The harbour of Port Elm is the oldest harbour of the coast. " * 2
    other = "Storms damaged the wall of the town in the winter of that year."
    chosen = key_sentences([twice + other], "en", 2)
    assert (twice + other)[chosen[1].start : chosen[1].end] == other


def test_a_text_of_items_alone_is_told_by_its_items() -> None:
    text = "- flour\n- water\n- salt"
    assert [text[one.start : one.end] for one in key_sentences([text], "en", 5)] == ["- flour", "- water", "- salt"]
    assert key_sentences([""], "en", 5) == []
    assert key_sentences([], "en", 5) == []


def test_keywords_are_spelt_as_the_text_spells_them() -> None:
    assert keywords(HARBOUR, "en", 3)[:1] == ["harbour"]
    assert keywords("光合作用是光合作用", "zh", 2) == ["光合", "合作"]
    assert keywords("NASA flew. NASA flies. The NASA.", "en", 1) == ["NASA"]
    assert keywords("", "en", 3) == []


@given(st.lists(st.text(max_size=200), max_size=5), st.sampled_from(["en", "zh", None]))
def test_key_sentences_are_spans_of_the_texts(texts: list[str], language: str | None) -> None:
    for at, start, end in key_sentences(texts, language, 3):
        assert texts[at][start:end].strip()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("It was built\nin 1703.[12]  It [citation needed] stands.", "It was built in 1703. It stands."),
        ("3. Let it rise.", "Let it rise."),
        ("You need:\n- flour\n- water", "You need:\n- flour\n- water"),
        ("1. Mix.\n2.  Bake.", "1. Mix.\n2. Bake."),
        ("```\nx = [1]\n```", "```\nx = [1]\n```"),
        ("[a] A list of [b] things [2024 edition]", "A list of things [2024 edition]"),
    ],
)
def test_a_quote_reads_well(text: str, shown: str) -> None:
    assert quoted(text).strip() == shown


def test_topics_are_headings_and_names_that_were_not_asked_about() -> None:
    texts = ["The ship of Francis Drake left Plymouth. Later Francis Drake came back to Plymouth and to Plymouth."]
    assert topics("What did Francis do?", texts) == ["Plymouth"]
    assert topics("What is it?", texts, ["Voyages > The storm"], 2) == ["The storm", "Plymouth"]
    assert topics("What is it?", texts, ["Voyages > 2. Overview"], 1) == ["Plymouth"]
    assert topics("What is it?", ["He left in October and came back in March, to Plymouth."]) == ["Plymouth"]


def test_a_refusal_says_what_there_is_instead() -> None:
    texts = ["He went to Plymouth, and Plymouth was large."]
    assert refusal("Where is Mars?", texts).endswith("They do speak of Plymouth.")
    assert refusal("Where is Mars?", []).endswith("do not hold an answer to that.")
    assert refusal("Где Марс?", []).startswith("В источниках")


@pytest.mark.parametrize("unit", ["a", " ", "[", "A ", "[1]", "- a\n", "c:\n- d\n", "A b. ", "中", "\u0301"])
def test_a_long_text_of_one_thing_is_told_in_time(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    assert len(key_sentences([text], "en", 3)) <= 3
    assert len(keywords(text, "en", 3)) <= 3
    assert len(topics("what", [text])) <= 3
    assert isinstance(quoted(text), str)


def test_spread_sentences_come_from_every_part_of_a_text() -> None:
    text = "\n\n".join(
        f"The {one} of the harbour was old. Somebody told of the {one} in a word or two." for one in "ABCDEFGH"
    )
    found = spread_sentences([text], "en", lambda fit: fit // 4, lambda written: True)
    assert len(found) == 4
    assert [4 * one.start // len(text) for one in found] == [0, 1, 2, 3]
    assert spread_sentences([text], "en", lambda fit: 0, lambda written: True) == []
    assert spread_sentences([text], "en", lambda fit: fit, lambda written: "A" in written[:6]) == [Sentence(0, 0, 29)]


@given(st.lists(st.text(max_size=200), max_size=5), st.integers(0, 9))
def test_spread_sentences_are_spans_of_the_texts(texts: list[str], limit: int) -> None:
    found = spread_sentences(texts, "en", lambda fit: limit, lambda written: True)
    assert len(found) <= limit
    assert all(texts[at][start:end].strip() for at, start, end in found)
