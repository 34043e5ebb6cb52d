"""Ranking: scores of words and of meaning become one."""

from __future__ import annotations

from typing import NamedTuple

import numpy
from hypothesis import given
from hypothesis import strategies as st

from quire.text.ranking import cosines, fuse, scaled, towards_best


class Word(NamedTuple):
    seq: int
    score: float
    pairs: float = 0.0


def test_without_vectors_words_count_in_full() -> None:
    assert fuse([Word(1, 4.0), Word(2, 2.0)], {}, 0.4) == [(1, 1.0), (2, 0.5)]


def test_meaning_adds_its_weight_and_finds_what_words_do_not() -> None:
    found = fuse([Word(1, 4.0), Word(2, 4.0)], {1: 0.4, 2: 0.8, 3: 0.5, 4: 0.2}, weight=0.4)
    assert [seq for seq, _ in found] == [2, 1, 3, 4]
    assert found[0] == (2, 1.0)


def test_a_passage_that_has_no_vector_yet_loses_nothing_by_it() -> None:
    found = dict(fuse([Word(1, 4.0), Word(2, 3.0), Word(3, 2.0)], {1: 0.8, 3: 0.2}, weight=0.6))
    assert found[2] == 0.75


def test_what_is_like_the_best_comes_nearer() -> None:
    """3 and 4 are as near to the query as each other; 3 is like what fits best."""
    vectors = {
        1: numpy.array([0.8, 0.6, 0.0]),
        2: numpy.array([0.8, 0.6, 0.0]),
        3: numpy.array([0.6, 0.8, 0.0]),
        4: numpy.array([0.6, 0.0, 0.8]),
    }
    query = numpy.array([1.0, 0.0, 0.0])
    near = cosines(query, vectors)
    assert near[3] == near[4]
    moved = cosines(towards_best(query, vectors, [(9, 1.0), (1, 0.9), (2, 0.8), (3, 0.1)][:3]), vectors)
    assert moved[3] > moved[4] >= near[4]
    assert (towards_best(query, vectors, [(9, 1.0)]) == query).all()
    assert (towards_best(query, {1: numpy.zeros(3)}, [(1, 1.0)]) == query).all()


def test_neighbouring_words_count_more() -> None:
    assert fuse([Word(1, 4.0), Word(2, 4.0, pairs=3.0)], {}, 0.4)[0][0] == 2


def test_of_equals_the_earlier_passage_comes_first() -> None:
    assert [seq for seq, _ in fuse([Word(9, 1.0), Word(3, 1.0)], {}, 0.4)] == [3, 9]


def test_nothing_found_is_nothing() -> None:
    assert fuse([], {}, 0.4) == []
    assert scaled({}) == {}


SCORES = st.dictionaries(st.integers(0, 50), st.floats(-5, 50), max_size=30)


@given(SCORES, st.dictionaries(st.integers(0, 50), st.floats(-1, 1), max_size=30), st.floats(0, 1))
def test_every_passage_is_ranked_once_with_a_score_from_0_to_1(
    words: dict[int, float], cosines: dict[int, float], weight: float
) -> None:
    found = fuse([Word(seq, score) for seq, score in words.items()], cosines, weight)
    numbers = [seq for seq, _ in found]
    assert len(numbers) == len(set(numbers))
    assert set(words) <= set(numbers) <= set(words) | set(cosines)
    assert all(-1e-9 <= score <= 1 + 1e-9 for _, score in found)
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)
