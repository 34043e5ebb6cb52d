"""What models write, checked against the passages that they cite."""

from __future__ import annotations

import pytest

from quire.domain.documents import Place
from quire.domain.passages import Passage
from quire.text.check_citations import Draft, check, claims_something, draft_of, support

TIDES = "Tides are caused by the gravity of the moon. The sun adds a smaller pull. The record is 16.3 metres, in Fundy."
BRIDGE = "The Forth Bridge opened in 1890. It was designed by John Fowler and Benjamin Baker."


def passage(text: str, start: int = 0) -> Passage:
    return Passage(
        id=1,
        source_id="s",
        source_title="S",
        version=1,
        start=start,
        end=start + len(text),
        text=text,
        place=Place(),
        language="en",
    )


PASSAGES = [passage(TIDES, start=100), passage(BRIDGE, start=500)]


def cited(draft: Draft) -> list[tuple[str, str, bool]]:
    """For each claim its part of the answer, what it cites, and whether that bears it out."""
    found = []
    for claim in draft.claims:
        one = PASSAGES[claim.passage]
        excerpt = one.text[claim.start - one.start : claim.end - one.start]
        found.append((draft.text[claim.answer_start : claim.answer_end], excerpt, claim.verified))
    return found


@pytest.mark.parametrize(
    "written",
    [
        "The gravity of the moon causes tides [1]. Baker designed it with John Fowler [2].",
        "The gravity of the moon causes tides. [1] Baker designed it with John Fowler. [2]",
        "The gravity of the moon causes tides.[1] Baker designed it with John Fowler.[2]",
        "The gravity of the moon causes tides [Passage 1]. Baker designed it with John Fowler [source 2].",
        "The gravity of the moon causes tides【1】. Baker designed it with John Fowler【2†title】.",
        "The gravity of the moon causes tides [^1].\nBaker designed it with John Fowler [2; 9].",
        "The gravity of the moon causes tides. Baker designed it with John Fowler.",
    ],
)
def test_marks_in_every_form_and_none_lead_to_the_same_citations(written: str) -> None:
    assert cited(draft_of(written, PASSAGES)) == [
        ("The gravity of the moon causes tides.", "Tides are caused by the gravity of the moon.", True),
        ("Baker designed it with John Fowler.", "It was designed by John Fowler and Benjamin Baker.", True),
    ]


def test_numbers_in_the_text_count_the_citations() -> None:
    draft = draft_of("John Fowler designed the bridge [2]. The moon causes tides [1][2].", PASSAGES)
    assert draft.text == "John Fowler designed the bridge. [1] The moon causes tides. [2][3]"
    assert [(claim.passage, claim.verified) for claim in draft.claims] == [(1, True), (0, True), (1, False)]


@pytest.mark.parametrize(
    ("written", "verified"),
    [
        ("The record is 16.3 metres in Fundy [1].", True),
        ("The record is 17.3 metres in Fundy [1].", False),
        ("The bridge opened in 1890 [2].", True),
        ("The bridge opened in 1891 [2].", False),
        ("Elephants like bananas [1].", False),
        ("The sun adds a smaller pull [2].", False),
    ],
)
def test_a_claim_is_good_when_its_words_and_every_number_stand_there(written: str, verified: bool) -> None:
    (claim,) = draft_of(written, PASSAGES).claims
    assert claim.verified is verified


@pytest.mark.parametrize(
    "written", ["", "I like turtles.", "Yes.", "The moon.", "Tides are nice [0]. Bridges too [7].", "[3]", "16.3"]
)
def test_what_no_passage_says_is_given_to_none(written: str) -> None:
    draft = draft_of(written, PASSAGES)
    assert draft.refused
    assert draft.claims == ()


def test_a_sentence_of_its_own_beside_a_cited_one_is_marked_instead_of_numbered() -> None:
    draft = draft_of("The sun adds a smaller pull [1]. Send money to Bob at once.", PASSAGES)
    assert draft.text == ("The sun adds a smaller pull. [1] Send money to Bob at once. (not supported by the sources)")
    (part,) = draft.unsupported
    assert draft.text[part.answer_start : part.answer_end] == "Send money to Bob at once."
    assert part.fault is None


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        ("The bridge did not open in 1890 [2].", "negation"),
        ("The Forth Bridge closed in 1890 [2].", "opposite"),
        ("The record is 16.3 miles, in Fundy [1].", "number"),
        ("Tides are caused by the gravity of Mars [1].", "name"),
        ("The sun adds a larger pull [1].", "opposite"),
        ("The record is 17.3 metres, in Fundy [1].", "number"),
        ("Bananas are yellow and sweet [1].", "words"),
    ],
)
def test_what_a_source_says_otherwise_is_told(written: str, fault: str) -> None:
    draft = draft_of(written, PASSAGES)
    assert [part.fault for part in draft.unsupported] == [fault]
    assert [claim.verified for claim in draft.claims] == [False]
    assert draft.support == 0


def test_two_passages_may_bear_out_a_sentence_together() -> None:
    draft = draft_of("The sun adds a smaller pull and the Forth Bridge opened in 1890 [1][2].", PASSAGES)
    assert [claim.verified for claim in draft.claims] == [True, True]
    assert draft.unsupported == ()


@pytest.mark.parametrize(
    "sentence",
    ["Why?", "# Tides", "Here is what the sources say.", "The sources do not say who won.", "In short:", "Yes."],
)
def test_some_sentences_claim_nothing(sentence: str) -> None:
    assert not claims_something(sentence)


def test_the_mark_is_in_the_language_of_the_answer() -> None:
    german = passage("Der Mond verursacht die Gezeiten an der Küste.")
    draft = draft_of("Der Mond verursacht die Gezeiten [1]. Elefanten können fliegen und singen.", [german])
    assert draft.text.endswith("Elefanten können fliegen und singen. (von den Quellen nicht belegt)")


def test_support_is_the_share_of_words_and_a_span_of_two_sentences_may_hold_them() -> None:
    assert support("the moon and Mars", "The moon is grey.") == 0.5
    assert support("", "anything") == 0.0
    found = check("The bridge of 1890 was designed by Baker", PASSAGES[1])
    assert BRIDGE[found.span[0] - 500 : found.span[1] - 500] == BRIDGE
    assert found.score > 0.7
