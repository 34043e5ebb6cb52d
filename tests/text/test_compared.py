"""Compared things: which two a question compares, what it asks of each, and what is told of both."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from quire.domain.chat import ChatConfiguration
from quire.domain.documents import Place
from quire.domain.passages import Passage, PassageHit
from quire.text.asked import asked_of
from quire.text.compared import alone
from quire.text.forms.comparison import comparison
from quire.text.judging import Shown
from quire.text.makers import WritingTask

LONG = "x" * 1_000


def hit(source: str, title: str, text: str, heading: str | None = None) -> PassageHit:
    passage = Passage(
        id=len(text),
        version=1,
        source_id=source,
        source_title=title,
        text=text,
        start=0,
        end=len(text),
        language="en",
        place=Place(heading=heading),
    )
    return PassageHit(passage=passage, score=1.0)


def task_of(question: str, hits: Sequence[PassageHit], liked: dict[str, float]) -> WritingTask:
    def judge(question: str, language: str | None, texts: Sequence[Shown]) -> list[float]:
        return [next((score for words, score in liked.items() if words in one.text), -6.0) for one in texts]

    return WritingTask(question, hits, [], ChatConfiguration(), {}, len(hits), judge=judge)


@pytest.mark.parametrize(
    ("question", "things"),
    [
        ("warranty hallam vs brightwater", ("hallam", "brightwater")),
        ("rate limit of v2 compared with v1?", ("v2", "v1")),
        ("tram or bus, which costs less", ("tram", "bus")),
        ("gas boiler or heat pumps, what would each have cost", ("gas boiler", "heat pumps")),
        ("notice, tenant vs landlord, whose is longer", ("tenant", "landlord")),
        ("Did he earn more at the mill or with the baker?", ("at the mill", "with the baker")),
        ("Is it the tablets or the drops that last longer?", ("the tablets", "the drops")),
        ("Is the tram or the bus cheaper?", ("the tram", "the bus")),
        ("How long does it take for the dentist and how long for the doctor?", ("the dentist", "the doctor")),
        ("Is our rating better or worse than last time?", ("our rating", "last time")),
        ("Was ist teurer, die Karte oder das Heft?", ("die Karte", "das Heft")),
        ("I lost my key or my card, what do I do?", ()),
    ],
)
def test_the_things_that_a_question_compares(question: str, things: tuple[str, ...]) -> None:
    asked = asked_of(question)
    assert asked.things == things
    assert (asked.kind == "comparison") == bool(things)


def test_which_of_two_named_days_is_more_asks_for_no_day() -> None:
    assert asked_of("Which day has more climbing, stage 1 or stage 3?").wanted == "thing"
    assert asked_of("Why is the tram dearer than the bus?").things == ()


@pytest.mark.parametrize(
    ("question", "each"),
    [
        ("warranty hallam vs brightwater", ("warranty hallam", "warranty brightwater")),
        ("Which is faster, the tram or the bus?", ("Which is faster, the tram?", "Which is faster, the bus?")),
        ("ketch vs yawl", ("What is ketch?", "What is yawl?")),
        (
            "How is the new bike shed different from the one proposed in May?",
            ("What is the new bike shed?", "What is the bike shed proposed in May?"),
        ),
    ],
)
def test_a_question_about_each_thing_alone(question: str, each: tuple[str, str]) -> None:
    assert alone(question) == each


def test_a_side_that_only_its_source_names_is_told() -> None:
    hits = [
        hit("a", "Offer of Hallam", "The warranty is three years on all parts. Paint is extra."),
        hit("b", "Offer of Brightwater", "The guarantee is two years on parts and labour. Paint is free."),
    ]
    question = "warranty hallam vs brightwater"
    draft = comparison(task_of(question, hits, {"years": 4.0}), asked_of(question))
    assert draft is not None
    assert "three years" in draft.text
    assert "two years" in draft.text
    assert "Paint" not in draft.text


def test_a_side_is_told_from_under_its_own_heading() -> None:
    hits = [
        hit("r", "Routes", "16 km and 910 m up, the longest day.", "Stage 2"),
        hit("r", "Routes", "13 km and 1,240 m up, by the stream.", "Stage 1"),
        hit("r", "Routes", "11 km and 1,020 m up, on the crest there.", "Stage 3"),
    ]
    question = "Which day has more climbing, stage 1 or stage 3?"
    draft = comparison(task_of(question, hits, {"910": 3.0, "1,240": 2.0, "1,020": 2.0}), asked_of(question))
    assert draft is not None
    assert "1,240" in draft.text
    assert "1,020" in draft.text
    assert "910" not in draft.text


def test_what_answers_for_one_thing_only_is_told_alone() -> None:
    hits = [hit("a", "Prices", "The tram costs 3 euros a ride."), hit("b", "Weather", "It rained all of Tuesday.")]
    question = "Which is cheaper, the tram or the bus?"
    draft = comparison(task_of(question, hits, {"tram": 4.0}), asked_of(question))
    assert draft is not None
    assert [claim.passage for claim in draft.claims] == [0]


@pytest.mark.parametrize(
    "question", [f"{LONG} or {LONG}, {LONG}", "a or " * 200, "is it " + "er " * 300, ", a or b " * 90]
)
def test_long_questions_are_read_at_once(question: str) -> None:
    asked_of(question[:1_000])
