"""The judge of this machine: how surely a sentence answers a question, English.

A cross-encoder that was made for ranking passages (ms-marco-MiniLM-L-12-v2), with small changes to its weights that
were learnt for this (`training`): of each matrix the product of two narrow ones, added when it is loaded.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from importlib import resources
from typing import Any

from quire.adapters.arithmetic import arithmetic
from quire.adapters.embedders import batches, runtime_failures, session_of
from quire.adapters.loaded_once import LoadedOnce
from quire.adapters.model_files import ModelFolder
from quire.adapters.network_file import tensors
from quire.adapters.wordpiece import WordPiece
from quire.domain.errors import Upstream

GRAPH, LEARNT = "answer_judge.onnx", "answer_judge.npz"
LEFT, RIGHT = ".left", ".right"
QUANTIZED, SCALE = "_quantized", "_scale"
MOST = 127
# Pieces of a question, of a sentence and of what stands around it, at most.
QUESTION, SENTENCE, AROUND = 40, 96, 64


class AnswerJudge:
    name = "ms-marco-minilm-l12-quire"
    languages = frozenset({"en"})

    # Tokens at once: more together are no faster.
    BATCH = 512

    def __init__(self, files: ModelFolder, threads: int = 2) -> None:
        self._files = files
        self._threads = threads
        self._network = LoadedOnce(partial(_loaded, files))

    def judge(self, question: str, texts: Sequence[tuple[str, str]]) -> list[float]:
        """How surely each of some texts, with what stands around it, answers a question: above zero it rather does."""
        numpy = arithmetic()
        words, session = self._network()
        pairs = [pieces_of(words, question, text, around) for text, around in texts]
        numbered = [pieces for pieces, _ in pairs]
        found = numpy.zeros(len(texts), dtype=numpy.float32)

        def run(batch: list[int]) -> None:
            ids = numpy.zeros((len(batch), max(len(numbered[at]) for at in batch)), dtype=numpy.int64)
            kinds = numpy.zeros_like(ids)
            for row, at in enumerate(batch):
                ids[row, : len(numbered[at])] = numbered[at]
                kinds[row, pairs[at][1] : len(numbered[at])] = 1
            mask = (ids > 0).astype(numpy.int64)
            try:
                (logits,) = session.run(None, {"input_ids": ids, "attention_mask": mask, "token_type_ids": kinds})
            except runtime_failures() as error:
                raise Upstream("The judge of answers failed on this machine.") from error
            found[batch] = logits[:, 0]

        for _ in self._pool.map(run, batches(numbered, self.BATCH)):
            pass
        return [float(one) for one in found]

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self._threads, "quire-judge")

    def check(self) -> str:
        """Whether the weights are here and as they should be; raises Unsupported where not."""
        self._files.check("judge")
        return self.name


def _loaded(files: ModelFolder) -> tuple[WordPiece, Any]:
    vocabulary = files.read("judge", "vocab.txt").decode("utf-8").splitlines()
    numbers = taught(files.read("judge", "model.onnx"))
    graph = resources.files("quire.adapters").joinpath(GRAPH).read_bytes()
    return WordPiece({word: at for at, word in enumerate(vocabulary)}), session_of(graph, numbers)


def pieces_of(words: WordPiece, question: str, text: str, around: str) -> tuple[list[int], int]:
    """A question and a text with what stands around it as the network reads them, and where the question ends."""
    asked = words.ids(question, QUESTION)
    beside = words.ids(around, AROUND)[1:] if around.strip(" .") else []
    return [*asked, *words.ids(text, SENTENCE)[1:], *beside], len(asked)


def taught(content: bytes) -> dict[str, Any]:
    """The numbers of a network's file with what was learnt: sums for matrices (int8, a scale each), else new values."""
    numpy = arithmetic()
    learnt = numpy.load(io.BytesIO(resources.files("quire.adapters").joinpath(LEARNT).read_bytes()))
    found = {name: array for name, array in tensors(content).items() if array.dtype != numpy.int64}
    for name in learnt.files:
        if name.endswith(LEFT):
            tensor = name.removesuffix(LEFT)
            added = learnt[name].astype(numpy.float32) @ learnt[tensor + RIGHT].astype(numpy.float32)
            new = found[tensor + QUANTIZED] * found[tensor + SCALE] + added
            unit = numpy.float32(numpy.abs(new).max() / MOST)
            found[tensor + QUANTIZED] = numpy.rint(new / unit).astype(numpy.int8)
            found[tensor + SCALE] = numpy.full_like(found[tensor + SCALE], unit)
        elif not name.endswith(RIGHT):
            found[name] = learnt[name].astype(numpy.float32).reshape(found[name].shape)
    return found
