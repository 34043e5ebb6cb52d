"""Answers without a model: the right sentences, exact spans, and a refusal where there is nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.text.asked import asked_of
from quire.text.candidates import ScoredPassage, defining
from quire.text.sentence_choice import SentenceChoice, choose_sentences
from quire.text.turns import in_turns
from quire.text.words import tokens

BREAD = """# Sourdough bread

Sourdough is bread that is raised by wild yeast instead of baker's yeast. Bakers in Lyon sold it in 1650.

## Ingredients

- 500 g bread flour
- 350 g water

## Steps

1. Mix the flour and the water.
2. Let the dough rise for six hours. Fold it twice.
3. Bake the loaf at 240 °C.

## Storing

Keep the loaf on a board. Do not put bread into the refrigerator, since it goes stale faster there.

To see the log, run this:

```
bread --log
```
"""
DUCKS = "Ducks are birds that swim. The call duck is the smallest breed. Ducks eat grass, fish and insects."
SHIPS = "The fleet of Spain had 130 ships. Francis Drake led the English ships. They met in the summer of 1588."
TEXTS = [BREAD, DUCKS, SHIPS]


def ask(question: str, texts: list[str] = TEXTS, **options: int) -> tuple[SentenceChoice, list[str]]:
    passages = [ScoredPassage(text, 1 - at / 10, language="en") for at, text in enumerate(texts)]
    counts = Counter(word for text in texts for word in set(tokens(text, "en")))
    chosen = choose_sentences(asked_of(question), passages, counts, len(texts), **options)
    return chosen, [texts[part.passage][part.start : part.end] for part in chosen.parts]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("What do ducks eat?", "Ducks eat grass, fish and insects."),
        ("When did the fleets meet?", "They met in the summer of 1588."),
        ("Who led the English ships?", "Francis Drake led the English ships."),
        ("How many ships did the fleet of Spain have?", "The fleet of Spain had 130 ships."),
        ("What is sourdough?", "Sourdough is bread that is raised by wild yeast instead of baker's yeast."),
        ("Can I put bread into the refrigerator?", "Do not put bread into the refrigerator, since it goes stale"),
        ("Which ingredients are there?", "- 500 g bread flour\n- 350 g water"),
        ("What are the steps for bread?", "1. Mix the flour and the water.\n2. Let the dough rise for six hours."),
        ("How do I see the log?", "To see the log, run this:\n\n```\nbread --log\n```"),
    ],
)
def test_the_answer_stands_in_the_first_part(question: str, found: str) -> None:
    chosen, texts = ask(question)
    assert not chosen.refused
    assert found in texts[0]


@pytest.mark.parametrize(
    "question", ["Who painted the ceiling of the chapel?", "How tall is Mount Everest?", "Explain quantum computing"]
)
def test_what_the_passages_do_not_hold_is_refused(question: str) -> None:
    chosen, _ = ask(question)
    assert chosen.refused
    assert chosen.confidence < 0.39


def test_headings_are_never_quoted() -> None:
    for question in ("What is sourdough bread?", "How is sourdough bread stored?", "Which ingredients has bread?"):
        assert not any("#" in text for text in ask(question)[1])


def test_what_stands_twice_is_quoted_once() -> None:
    _, texts = ask("What do ducks eat?", [DUCKS, DUCKS + " ", SHIPS])
    assert len(texts) == len(set(texts))
    assert sum("Ducks eat grass" in text for text in texts) == 1


def test_no_more_parts_are_given_than_asked_for() -> None:
    assert len(ask("What do ducks eat?", parts=1)[1]) == 1


def test_nothing_to_read_is_a_refusal() -> None:
    assert ask("What do ducks eat?", []) == (SentenceChoice([], 0.0, True), [])
    assert ask("What do ducks eat?", [" "])[0].refused


def test_the_meaning_of_sentences_counts_where_it_can_be_compared() -> None:
    def similarity(texts: list[str]) -> list[float]:
        return [0.9 if "Drake" in text else 0.0 for text in texts]

    passages = [ScoredPassage(text, 1.0, language="en", cosine=0.7) for text in TEXTS]
    chosen = choose_sentences(asked_of("Which captain was in command?"), passages, {}, 3, similarity)
    part = chosen.parts[0]
    assert "Francis Drake" in TEXTS[part.passage][part.start : part.end]


def as_near(question: str, text: str, last: str = "") -> tuple[SentenceChoice, str]:
    """The choice among sentences that are all as near to the question; `last` is what was told before."""
    passages = [ScoredPassage(text, 1.0, language="en", cosine=0.4)]
    counts = Counter(set(tokens(text, "en")))
    spans = [(0, text.index(last), text.index(last) + len(last))] if last else []
    asked = in_turns(question, ["What about the fair?"]) if last else asked_of(question)
    chosen = choose_sentences(asked, passages, counts, 1, lambda texts: [0.6] * len(texts), last=spans)
    return chosen, text[chosen.parts[0].start : chosen.parts[0].end]


def test_what_does_not_hold_is_told_by_what_denies_it() -> None:
    chosen, told = as_near("What does the ticket not cover?", "The ticket covers the tram. Drinks are excluded.")
    assert told.endswith("Drinks are excluded.")
    assert not chosen.refused
    assert not chosen.sure


def test_a_year_that_stands_elsewhere_is_no_year_of_the_answer() -> None:
    text = "In 1911 forty houses burned. The mill was spared. The flood of 1954 came at night. Nobody slept."
    assert (
        as_near("How many houses burned in 1911?", text)[0].confidence
        > as_near("How many houses burned in 1954?", text)[0].confidence
    )


def test_a_small_number_may_be_spelt_out() -> None:
    text = "The three ledgers are kept in the safe. The mill was spared. Nobody slept."
    assert not as_near("Where are the 3 ledgers kept?", text)[0].refused


def test_what_asks_what_is_not_wants_a_denial() -> None:
    text = "The ticket covers the tram. It costs nine euros. The museum opens at ten."
    assert as_near("What does the ticket not cover?", text)[0].refused
    assert not as_near("What does the ticket cover?", text)[0].refused


def test_a_sentence_where_a_list_is_asked_for_is_not_sure() -> None:
    text = "The old lighthouse was painted in 1921 by the harbour office."
    assert as_near("Who painted the lighthouse?", text)[0].sure
    assert not as_near("List who painted the lighthouse.", text)[0].sure


def test_a_question_without_words_of_its_own_is_about_what_was_told_last() -> None:
    text = "The fair was put off. Ms Okoro decided it." + " It rained. The tents were wet." * 12 + " Mr Lund laughed."
    assert "Okoro" in as_near("Who was that?", text, "The fair was put off.")[1]


def test_a_quantity_is_told_by_its_unit() -> None:
    text = "The lift carries up to 630 kg. It was built by nine people."
    assert "630 kg" in as_near("What weight can the lift take?", text)[1]
    assert "630 kg" in as_near("How heavy may the load be?", text)[1]


def test_a_word_that_is_said_nowhere_leaves_an_answer_unsure() -> None:
    text = "The old lighthouse was painted in 1921 by the harbour office."
    assert as_near("When was the lighthouse painted?", text)[0].sure
    assert not as_near("When was the lighthouse sold?", text)[0].sure


def test_the_columns_of_a_table_name_what_its_rows_hold() -> None:
    rows = "| Buoy | Depth |\n| --- | --- |\n| Red | 12 m |\n| Green | 31 m |"
    bare = "Red: 12 m. Green: 31 m."
    assert (
        as_near("What depth has the Green buoy?", rows)[0].confidence
        > as_near("What depth has the Green buoy?", bare)[0].confidence
    )


def test_a_text_that_defines_the_thing_asked_for_is_known() -> None:
    assert defining("What is a duck?", "It swims. A duck is a bird.", "en")
    assert not defining("What is a duck?", "The call duck is a breed.", "en")
    assert not defining("Where is the duck?", "A duck is a bird.", "en")


PIECES = st.lists(
    st.sampled_from([DUCKS, "# Ducks\n\n", "- ducks\n", "Ducks eat.\n", "```\n", "鸭子吃草。", " ", "x"]), max_size=12
)


@given(
    st.lists(PIECES.map("".join), max_size=4), st.sampled_from(["What do ducks eat?", "How to eat?", "鸭子", "?", ""])
)
def test_parts_are_exact_spans_that_do_not_overlap(texts: list[str], question: str) -> None:
    chosen, _ = ask(question, texts)
    assert 0 <= chosen.confidence <= 1
    seen: dict[int, set[int]] = {}
    for part in chosen.parts:
        text = texts[part.passage][part.start : part.end]
        assert text
        assert text == text.strip()
        assert seen.setdefault(part.passage, set()).isdisjoint(range(part.start, part.end))
        seen[part.passage] |= set(range(part.start, part.end))


@pytest.mark.parametrize("unit", ["a", "[", "中", "a. ", "1. ", "- b\n", "```\n", "c:\n- d\n", "\u0301", "Aa "])
def test_passages_and_questions_of_one_thing_are_read_in_time(unit: str) -> None:
    texts = [unit * (1_200 // len(unit))] * 12
    chosen, _ = ask(unit * (10_000 // len(unit)), texts)
    assert 0 <= chosen.confidence <= 1


LETTER = """From: Ada Byron
Subject: Re: the lost parcel

Dear Ms Moor,
the parcel was lost because its label had come off. Send us a photo of it.

Yours, Ada
"""
NOTES = """1. Roof

The yard will mend it in May, because the rain comes in.

2. Winter fair
It will be held on 4 December in the old hall. Entries close a week before.

- Skates are lent at the door.
- Dogs stay outside. Ask the porter for water.
"""


@pytest.mark.parametrize(
    ("question", "text", "found"),
    [
        ("Why was the parcel lost?", LETTER, "the parcel was lost because its label had come off."),
        ("When is the winter fair?", NOTES, "It will be held on 4 December in the old hall."),
        ("Are skates lent?", NOTES, "- Skates are lent at the door."),
    ],
)
def test_one_sentence_is_quoted_without_heads_greetings_and_other_paragraphs(
    question: str, text: str, found: str
) -> None:
    _, texts = ask(question, [text])
    assert texts[0] == found


def test_what_to_do_about_a_trouble_stands_behind_it() -> None:
    text = "The lamp may flicker in damp rooms. Turning the bulb by hand stops that. Lamps are green."
    passages = [ScoredPassage(text, 0.8, language="en", cosine=0.5)]
    told = choose_sentences(asked_of("My lamp does flicker all night"), passages, {}, 9, near("flicker")).parts[0]
    assert text[told.start : told.end] == "The lamp may flicker in damp rooms. Turning the bulb by hand stops that."
    asked = choose_sentences(asked_of("Does the lamp flicker at night?"), passages, {}, 9, near("flicker")).parts[0]
    assert text[asked.start : asked.end] == "The lamp may flicker in damp rooms."


def near(*nearest: str) -> Callable[[list[str]], list[float]]:
    return lambda texts: [0.45 if any(one in text for one in nearest) else 0.1 for text in texts]


HALL = "Nobody may spend the night in the hall. The hall was built in 1921. Its roof is of slate."


def test_a_rule_in_other_words_answers_whether_one_may() -> None:
    passages = [ScoredPassage(HALL, 0.6, language="en", cosine=0.2)]
    chosen = choose_sentences(asked_of("Can I sleep in here?"), passages, {}, 20, near("Nobody may"))
    assert not chosen.refused
    assert HALL[: chosen.parts[0].end].startswith("Nobody may spend the night")
    other = choose_sentences(asked_of("Where can one sleep?"), passages, {}, 20, near("Nobody may"))
    assert other.confidence < chosen.confidence


def test_what_nothing_names_is_not_told_of_a_thing() -> None:
    passages = [ScoredPassage(HALL, 0.8, language="en", cosine=0.5)]
    known = {"hall": 2}
    built = choose_sentences(asked_of("Who built the hall?"), passages, known, 20, near("built"))
    named = choose_sentences(asked_of("How many chairs are in the hall?"), passages, known, 20, near("built"))
    assert built.refused
    assert named.refused
