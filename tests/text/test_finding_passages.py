"""Search: what is asked of full text and of vectors, and that both judge the same passages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy
import pytest

from quire.domain.documents import Place
from quire.domain.passages import Passage
from quire.ports.search import WordHit
from quire.text.search import FoundPassages, SearchPorts, find_across, find_passages

pytestmark = pytest.mark.anyio

VECTORS = {1: numpy.array([0.6, 0.8]), 2: numpy.array([0.0, 1.0]), 9: numpy.array([0.8, 0.6])}


class Ports:
    """Passage 9 is found by its words alone and 1 and 2 by meaning; 8 has no vector."""

    def __init__(self) -> None:
        self.asked: list[tuple[list[str], list[int]]] = []

    def match(
        self, tx: Any, notebook: Any, words: list[str], *, limit: int, also: list[int], **_: Any
    ) -> list[WordHit]:
        self.asked.append((words, sorted(also)))
        return [WordHit(9, 4.0, 0.0), WordHit(8, 3.0, 0.0), *(WordHit(seq, 1.0, 0.0) for seq in also)]

    match_across = match

    def languages(self, tx: Any, notebook_ids: Sequence[str]) -> list[str]:
        return ["en"]

    def nearest(self, *_: Any, **__: Any) -> dict[int, float]:
        return {1: 0.6, 2: 0.0}

    nearest_across = nearest

    def of(self, tx: Any, model: str, seqs: Sequence[int]) -> dict[int, Any]:
        return {seq: VECTORS[seq] for seq in seqs if seq in VECTORS}

    def by_number(self, tx: Any, numbers: Sequence[int]) -> dict[int, Passage]:
        return {
            number: Passage(
                id=number, source_id="s", source_title="", version=1, start=number, end=number, text="", place=Place()
            )
            for number in numbers
        }


class Embedder:
    name, dimensions, languages, weight, calibrated, local = "m", 2, frozenset({"en"}), 0.6, True, True

    def embed(self, texts: list[str], kind: str) -> Any:
        return numpy.array([[1.0, 0.0]] * len(texts))

    def check(self) -> str:
        return self.name


async def read(work: Callable[[Any], Any]) -> Any:
    return work(None)


async def one(ports: SearchPorts, query: str) -> FoundPassages:
    return await find_passages(ports, "one", query)


async def several(ports: SearchPorts, query: str) -> FoundPassages:
    return await find_across(ports, ["one", "two"], query)


@pytest.mark.parametrize("find", [one, several])
async def test_words_and_meaning_judge_the_same_passages(find: Callable[..., Any]) -> None:
    made: Any = Ports()
    found = await find(SearchPorts(read, made, made, made, Embedder()), "flow of heat and heat")
    assert made.asked == [(["flow", "heat", "heat"], [1, 2])]
    hits = {hit.passage.start: hit for hit in found.hits}
    assert next(iter(hits)) == 9
    assert {seq: hit.similarity for seq, hit in hits.items()} == {9: 0.8, 8: None, 1: 0.6, 2: 0.0}
    assert hits[8].score == pytest.approx(0.75)
    assert hits[2].score == pytest.approx(0.4 * 0.25)
    # Nearer than by its own cosine, which is three quarters of the way from the least to the best.
    assert hits[1].score > 0.4 * 0.25 + 0.6 * 0.75
