"""The judge of passages of this machine: how surely each sentence of a passage answers a question, English.

all-mpnet-base-v2, made for comparing sentences, with small changes to its weights that were learnt for this
(`training`). It reads a question and some sentences of a passage together, so that what a sentence leaves unsaid is
there. A sentence counts by what it became, and by how like the question it became.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from importlib import resources
from typing import Any, NamedTuple

from quire.adapters.allocator import keep_no_large_blocks
from quire.adapters.arithmetic import arithmetic
from quire.adapters.embedders import batches, runtime_failures, session_of
from quire.adapters.loaded_once import LoadedOnce
from quire.adapters.model_files import ModelFolder
from quire.adapters.passage_judge_weights import BUCKETS, VOCABULARY, WEIGHTS, WIDTH, learnt, tensors
from quire.adapters.wordpiece import CLOSING, OPENING, WordPiece
from quire.domain.errors import Upstream

GRAPH = "passage_judge.onnx"
MODEL = "passage-judge"
BEGIN, NOTHING, END = 0, 1, 2
# Pieces of a question, of what stands over a passage and of a sentence, at most; and of all that is read together.
QUESTION, HEAD, SENTENCE, TOGETHER = 50, 18, 74, 200
# Words further apart than this are equally far.
FAR = 128
FIRST_PLACE = 2


class Window(NamedTuple):
    """What is read together: the numbers of its pieces, where the question's end, and which sentences it has, from
    `first` on, each with the places of its first and its last piece."""

    pieces: list[int]
    asked: int
    first: int
    sentences: list[tuple[int, int]]


class Known(NamedTuple):
    """What is loaded: the words, what runs the network, and the last steps, which are not in its graph."""

    words: WordPiece
    session: Any
    relative: Any
    head: Any
    likeness: tuple[float, float]
    bias: float


class PassageJudge:
    name = "mpnet-base-quire"
    languages = frozenset({"en"})

    # Pieces at once: more together are no faster.
    BATCH = 400

    def __init__(self, files: ModelFolder, threads: int = 2) -> None:
        self._files = files
        self._threads = threads
        self._network = LoadedOnce(partial(_loaded, files))

    def judge(self, question: str, passages: Sequence[tuple[str, Sequence[str]]]) -> list[list[float]]:
        """How surely each sentence of some passages, which come with what stands over them, answers a question."""
        known = self._network()
        found = [[0.0] * len(sentences) for _, sentences in passages]
        windows: list[Window] = []
        places: list[int] = []
        for at, (head, sentences) in enumerate(passages):
            for window in windows_of(known.words, question, head, sentences):
                windows.append(window)
                places.append(at)

        def run(batch: list[int]) -> list[tuple[int, list[float]]]:
            return list(zip(batch, _read(known, [windows[one] for one in batch]), strict=True))

        read = [
            one
            for several in self._pool.map(run, batches([window.pieces for window in windows], self.BATCH))
            for one in several
        ]
        # Of a sentence that ends one window and begins the next the first counts: what goes before it was read there.
        for one, scores in sorted(read, reverse=True):
            first = windows[one].first
            found[places[one]][first : first + len(scores)] = scores
        return found

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self._threads, "quire-passage-judge")

    def check(self) -> str:
        """Whether the weights are here and as they should be; raises Unsupported where not."""
        self._files.check(MODEL)
        return self.name


def _loaded(files: ModelFolder) -> Known:
    changes = learnt()
    numbers = tensors(files.read(MODEL, WEIGHTS), changes)
    relative = numbers.pop("relative").copy()
    graph = resources.files("quire.adapters").joinpath(GRAPH).read_bytes()
    session = session_of(graph, numbers, arena=False)
    # What a run takes is not kept for the next one: between questions nobody needs it.
    keep_no_large_blocks()
    return Known(
        words_of(files.read(MODEL, VOCABULARY)),
        session,
        relative,
        changes["head"],
        (float(changes["like"][0]), float(changes["like"][1])),
        float(changes["head.bias"]),
    )


def words_of(vocabulary: bytes) -> WordPiece:
    numbers = {word: at for at, word in enumerate(vocabulary.decode("utf-8").splitlines())}
    return WordPiece(numbers | {OPENING: BEGIN, CLOSING: END})


def windows_of(
    words: WordPiece, question: str, head: str, sentences: Sequence[str], together: int = TOGETHER
) -> Iterator[Window]:
    """A passage as it is read: as many sentences together as fit, those after them with the last one before."""
    asked = words.ids(question, QUESTION)
    opening = [*asked, END, *words.ids(head, HEAD)[1:]]
    numbered = [words.ids(sentence, SENTENCE)[1:] for sentence in sentences]
    at = 0
    while at < len(numbered):
        pieces, places, end = list(opening), [], at
        while end < len(numbered) and (end == at or len(pieces) + len(numbered[end]) <= together):
            places.append((len(pieces), len(pieces) + len(numbered[end]) - 1))
            pieces += numbered[end]
            end += 1
        yield Window(pieces, len(asked) - 1, at, places)
        if end == len(numbered):
            break
        at = end - 1 if end - at > 2 else end


def _read(known: Known, windows: Sequence[Window]) -> list[list[float]]:
    numpy = arithmetic()
    longest = max(len(window.pieces) for window in windows)
    ids = numpy.full((len(windows), longest), NOTHING, dtype=numpy.int64)
    for row, window in enumerate(windows):
        ids[row, : len(window.pieces)] = window.pieces
    bias = known.relative[distances(longest)].transpose(2, 0, 1)[None]
    inputs = {
        "ids": ids,
        "mask": (ids != NOTHING).astype(numpy.int32),
        "place": numpy.arange(FIRST_PLACE, FIRST_PLACE + longest, dtype=numpy.int64)[None],
        "bias": numpy.ascontiguousarray(bias),
    }
    try:
        (states,) = known.session.run(None, inputs)
    except runtime_failures() as error:
        raise Upstream("The judge of passages failed on this machine.") from error
    return [_scores(known, states[row], window) for row, window in enumerate(windows)]


def _scores(known: Known, states: Any, window: Window) -> list[float]:
    numpy = arithmetic()
    asked = _of_length_one(states[1 : window.asked].mean(axis=0))
    found = []
    for begin, end in window.sentences:
        mean = states[begin : end + 1].mean(axis=0)
        likeness = float(asked @ _of_length_one(mean))
        own = float(states[end] @ known.head[:WIDTH] + mean @ known.head[WIDTH:])
        found.append(own + known.bias + known.likeness[0] * likeness + known.likeness[1])
    return [float(numpy.clip(one, -30.0, 30.0)) for one in found]


def _of_length_one(vector: Any) -> Any:
    numpy = arithmetic()
    return vector / max(float(numpy.linalg.norm(vector)), 1e-9)


def distances(length: int) -> Any:
    """For each two places a number for how far apart they are, and on which side: near ones exactly, far ones less."""
    numpy = arithmetic()
    places = numpy.arange(length)
    before = places[:, None] - places[None, :]
    half, exact = BUCKETS // 2, BUCKETS // 4
    far = numpy.abs(before)
    steps = numpy.log(numpy.maximum(far, 1).astype(numpy.float32) / exact) / numpy.float32(numpy.log(FAR / exact))
    coarse = numpy.minimum(exact + (steps * (half - exact)).astype(numpy.int64), half - 1)
    return numpy.where(before < 0, half, 0) + numpy.where(far < exact, far, coarse)
