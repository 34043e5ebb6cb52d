"""The judge of answers, with its real weights where they are here."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from quire.adapters.answer_judge import AnswerJudge
from quire.adapters.model_files import ModelFolder
from quire.domain.errors import Unsupported

pytest.importorskip("numpy", reason="numpy comes with the extra embedder")

here = pytest.mark.skipif(not ModelFolder().runs("judge"), reason="the model judge is not here")

REGATTA = "Rowing club. News"
NOTES = [
    ("The summer regatta takes place on 12 July at the weir.", REGATTA),
    ("It was won by the eight of Tollbridge, by a length.", f"{REGATTA}. The spring regatta was rowed in the rain."),
    ("Members pay 40 euros a year; students pay half.", "Rowing club. Fees"),
    ("Boats must be back in the house before dark.", "Rowing club. Rules"),
]


@pytest.fixture(scope="module")
def judge() -> AnswerJudge:
    return AnswerJudge(ModelFolder())


@here
@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who won the spring regatta?", 1),
        ("When is the race in summer?", 0),
        ("What does membership cost me per year?", 2),
        ("Until when may I stay out on the water?", 3),
    ],
)
def test_the_sentence_that_answers_is_told_from_others(judge: AnswerJudge, question: str, answer: int) -> None:
    verdicts = judge.judge(question, NOTES)
    assert max(range(len(NOTES)), key=lambda at: verdicts[at]) == answer
    assert verdicts[answer] > max(other for at, other in enumerate(verdicts) if at != answer) + 3


@here
@pytest.mark.parametrize("question", ["Who won the summer regatta?", "Who founded the club?", "How many boats?"])
def test_what_only_speaks_of_the_same_things_does_not_answer(judge: AnswerJudge, question: str) -> None:
    assert max(judge.judge(question, [NOTES[0], *NOTES[2:]])) < 0


@here
def test_plain_answers_are_taken_for_such(judge: AnswerJudge) -> None:
    asked = ("Who won the spring regatta?", "When is the race in summer?", "What does membership cost me per year?")
    assert [max(judge.judge(question, NOTES)) > 0 for question in asked] == [True, True, True]


@here
def test_verdicts_do_not_hang_on_what_is_judged_beside(judge: AnswerJudge) -> None:
    together = judge.judge("What do students pay?", NOTES)
    with ThreadPoolExecutor(4) as pool:
        alone = list(pool.map(lambda text: judge.judge("What do students pay?", [text])[0], NOTES))
    assert together == pytest.approx(alone, abs=0.5)
    assert judge.judge("What do students pay?", []) == []


@here
def test_long_texts_are_read_as_far_as_they_fit(judge: AnswerJudge) -> None:
    (verdict,) = judge.judge("who " * 500, [("word " * 5000, "title " * 5000)])
    assert math.isfinite(verdict)


def test_without_its_files_it_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(Unsupported, match="judge") as raised:
        AnswerJudge(ModelFolder(tmp_path)).judge("Who?", NOTES)
    assert "quire models add judge" in str(raised.value.hint)
