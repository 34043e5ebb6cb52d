"""The judge of passages, with its real weights where they are here."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from quire.adapters.model_files import ModelFolder
from quire.adapters.passage_judge import (
    END,
    QUESTION,
    SENTENCE,
    TOGETHER,
    PassageJudge,
    distances,
    windows_of,
    words_of,
)
from quire.adapters.passage_judge_weights import BLOCK, in_blocks, in_eight_bits
from quire.domain.errors import Unsupported

numpy = pytest.importorskip("numpy", reason="numpy comes with the extra embedder")

here = pytest.mark.skipif(not ModelFolder().runs("passage-judge"), reason="the model passage-judge is not here")

NEWS = (
    "Rowing club. News",
    [
        "The spring regatta was rowed in the rain.",
        "It was won by the eight of Tollbridge, by a length.",
        "The summer regatta takes place on 12 July at the weir.",
    ],
)
RULES = (
    "Rowing club. Rules",
    [
        "Members pay 40 euros a year; students pay half.",
        "Boats must be back in the house before dark.",
        "Whoever breaks an oar tells the boatman.",
    ],
)


@pytest.fixture(scope="module")
def judge() -> PassageJudge:
    return PassageJudge(ModelFolder())


@here
@pytest.mark.parametrize(
    ("question", "passage", "answer"),
    [
        ("Who won the spring regatta?", 0, 1),
        ("When is the race in summer?", 0, 2),
        ("What does membership cost me per year?", 1, 0),
        ("Until when may I stay out on the water?", 1, 1),
        ("What do I do when something is damaged?", 1, 2),
    ],
)
def test_the_sentence_that_answers_is_told_from_others(
    judge: PassageJudge, question: str, passage: int, answer: int
) -> None:
    verdicts = judge.judge(question, [NEWS, RULES])
    assert [len(one) for one in verdicts] == [3, 3]
    best = max((verdict, at, place) for at, one in enumerate(verdicts) for place, verdict in enumerate(one))
    assert best[1:] == (passage, answer)
    assert best[0] > 0


@here
@pytest.mark.parametrize(
    "question", ["Who won the summer regatta?", "Who founded the club?", "How many boats are there?"]
)
def test_what_only_speaks_of_the_same_things_does_not_answer(judge: PassageJudge, question: str) -> None:
    assert max(max(one) for one in judge.judge(question, [(NEWS[0], NEWS[1][2:]), RULES])) < 0


@here
def test_verdicts_do_not_hang_on_what_is_judged_beside(judge: PassageJudge) -> None:
    together = judge.judge("What do students pay?", [NEWS, RULES])
    with ThreadPoolExecutor(4) as pool:
        alone = list(pool.map(lambda passage: judge.judge("What do students pay?", [passage])[0], [NEWS, RULES]))
    assert [*together[0], *together[1]] == pytest.approx([*alone[0], *alone[1]], abs=0.7)
    assert judge.judge("What do students pay?", []) == []
    assert judge.judge("What do students pay?", [("A title", [])]) == [[]]


@here
def test_long_texts_are_read_as_far_as_they_fit(judge: PassageJudge) -> None:
    ((*verdicts,),) = judge.judge("who " * 500, [("title " * 5000, ["word " * 5000, "", "word. " * 90] * 9)])
    assert len(verdicts) == 27
    assert all(math.isfinite(verdict) for verdict in verdicts)


def test_without_its_files_it_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(Unsupported, match="passage-judge") as raised:
        PassageJudge(ModelFolder(tmp_path)).judge("Who?", [NEWS])
    assert "quire models add passage-judge" in str(raised.value.hint)


def test_every_sentence_is_read_and_the_last_before_a_cut_twice() -> None:
    words = words_of("\n".join(["<s>", "<pad>", "</s>", "[UNK]", "[CLS]", "[SEP]", "a", "b", "who"]).encode())
    sentences = ["a " * length for length in (30, 40, 50, 60, 100, 3, 3, 3)]
    windows = list(windows_of(words, "who " * 100, "b", sentences))
    assert all(len(window.pieces) <= TOGETHER for window in windows)
    covered = [range(window.first, window.first + len(window.sentences)) for window in windows]
    assert {place for places in covered for place in places} == set(range(len(sentences)))
    assert [second.start for second in covered[1:]] == [
        first.stop - 1 if len(first) > 2 else first.stop for first in covered[:-1]
    ]
    for window in windows:
        assert window.asked == QUESTION - 1
        for begin, end in window.sentences:
            assert window.pieces[end] == END
            assert end - begin < SENTENCE
            assert END not in window.pieces[begin:end]


def test_distances_are_exact_near_by_and_told_apart_by_side() -> None:
    found = distances(200)
    assert found[10].tolist()[3:18] == [7, 6, 5, 4, 3, 2, 1, 0, 17, 18, 19, 20, 21, 22, 23]
    assert found[199, 0] == 15
    assert found[0, 199] == 31
    assert (numpy.diff(found[199]) <= 0).all()


def test_rounded_matrices_are_near_what_they_were() -> None:
    made = numpy.random.default_rng(1)
    matrix = made.normal(size=(2 * BLOCK, 5)).astype(numpy.float32)
    matrix[:, 3] *= 1000
    matrix[:, 4] = 0
    numbers, scale = in_eight_bits(matrix, 0)
    assert (numpy.abs(numbers * scale - matrix).max(axis=0) <= 0.501 * scale).all()
    blocks, scales = in_blocks(matrix)
    again = (blocks.astype(numpy.float32) - 128) * scales.reshape(5, 2, 1)
    assert numpy.abs(again.reshape(5, -1).T - matrix).max() <= 0.501 * scales.max()
    assert blocks.shape == (5, 2, BLOCK)
