"""Sentences in another language than the question's: what a judge reads of them counts beside their signs."""

from __future__ import annotations

from collections.abc import Sequence

from quire.domain.documents import Place
from quire.domain.passages import Passage, PassageHit
from quire.text.asked import asked_of
from quire.text.forms.another_language import Candidate, Signs, _judged
from quire.text.judging import Judge, Page, Shown

GERMAN = "Der Pool liegt hinter dem Haus. Er ist von neun bis neunzehn Uhr offen. Handtücher gibt es am Empfang."
POOL, HOURS, TOWELS = GERMAN.index("Der"), GERMAN.index("Er ist"), GERMAN.index("Hand")


def hit() -> PassageHit:
    passage = Passage.model_construct(
        id="p", source_id="s", source_title="Hotel", text=GERMAN, start=0, end=len(GERMAN), language="de", place=Place()
    )
    return PassageHit.model_construct(passage=passage, score=1.0, similarity=None)


def candidates() -> list[Candidate]:
    signs = Signs(*[0.0] * len(Signs._fields))
    ends = {POOL: HOURS - 1, HOURS: TOWELS - 1, TOWELS: len(GERMAN)}
    return [
        Candidate(0, start, ends[start], signs, score) for start, score in [(POOL, 9.0), (HOURS, 8.0), (TOWELS, 2.0)]
    ]


def judged(judge: Judge) -> list[Candidate]:
    return _judged([hit()], asked_of("When is the pool open?"), "en", candidates(), judge)


def test_the_sentence_that_a_judge_takes_for_an_answer_comes_first() -> None:
    asked: list[tuple[str, str | None, Sequence[Shown]]] = []

    def judge(question: str, language: str | None, texts: Sequence[Shown]) -> list[float]:
        asked.append((question, language, texts))
        return [4.0 if "neunzehn" in text.text else -3.0 for text in texts]

    found = judged(judge)
    assert [one.start for one in found] == [HOURS, POOL, TOWELS]
    assert [one.verdict for one in found] == [4.0, -3.0, -3.0]
    ((question, language, texts),) = asked
    assert (question, language) == ("When is the pool open?", "en")
    pool, hours, towels = (
        "Der Pool liegt hinter dem Haus.",
        "Er ist von neun bis neunzehn Uhr offen.",
        "Handtücher gibt es am Empfang.",
    )
    assert texts[1] == Shown(hours, f"Hotel. {pool}", "de", Page("Hotel", (pool, hours, towels)), 1, 1)


def test_what_cannot_be_read_stands_behind_what_was() -> None:
    found = judged(lambda question, language, texts: [None, 1.0, None])
    assert found[0].start == HOURS
    assert [one.verdict for one in found[1:]] == [None, None]


def test_where_nothing_can_be_read_the_signs_decide() -> None:
    assert judged(lambda question, language, texts: [None] * len(texts)) == candidates()
