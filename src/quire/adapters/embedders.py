"""The embedder of this machine: texts into vectors of length one.

Each has a `name` (vectors of different names never mix), `dimensions`, the `languages` it was made for
(None: any), the `weight` of its scores beside those of full text, and whether its cosines are
`calibrated`: known well enough to tell an answer from none. `embed` is synchronous. What a worker embeds gives
way to what a caller waits for.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cached_property, partial
from importlib import resources
from typing import TYPE_CHECKING, Any, Literal

from quire.adapters.arithmetic import NEEDS, arithmetic
from quire.adapters.loaded_once import LoadedOnce
from quire.adapters.minilm_weights import GRAPH, numbers
from quire.adapters.model_files import ModelFolder
from quire.adapters.turns import GiveWay
from quire.adapters.wordpiece import WordPiece
from quire.domain.errors import Unsupported, Upstream
from quire.ports.background import in_background

if TYPE_CHECKING:
    import numpy

    Vectors = numpy.ndarray[Any, numpy.dtype[numpy.float32]]

Kind = Literal["query", "passage"]


class MiniLm:
    """all-MiniLM-L6-v2 with int8 weights, on this machine's processor; English."""

    name = "minilm-l6-int8"
    dimensions = 384
    languages: frozenset[str] | None = frozenset({"en"})
    weight = 0.6
    calibrated = True
    local = True

    TOKENS = 256
    # Tokens at once: one full passage. More together are no faster, and each takes 60 MB.
    BATCH = 256

    def __init__(self, files: ModelFolder, threads: int = 2) -> None:
        self._files = files
        self._threads = threads
        self._network = LoadedOnce(partial(_loaded, files))
        self._order = GiveWay()

    def embed(self, texts: list[str], kind: Kind = "passage") -> Vectors:
        if in_background():
            return self._embedded(texts, self._for_workers)
        with self._order.for_a_caller():
            return self._embedded(texts, self._for_callers)

    def _embedded(self, texts: list[str], pool: ThreadPoolExecutor) -> Vectors:
        """Batches run side by side, each on one thread of its own: cheaper than many threads on one batch."""
        numpy = arithmetic()
        words, session = self._network()
        numbered = [words.ids(text, self.TOKENS) for text in texts]
        found = numpy.zeros((len(texts), self.dimensions), dtype=numpy.float32)

        def run(batch: list[int]) -> None:
            if pool is self._for_workers:
                self._order.let_callers_pass()
            ids = numpy.zeros((len(batch), max(len(numbered[at]) for at in batch)), dtype=numpy.int64)
            for row, at in enumerate(batch):
                ids[row, : len(numbered[at])] = numbered[at]
            mask = (ids > 0).astype(numpy.int64)
            inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": numpy.zeros_like(ids)}
            try:
                (states,) = session.run(None, inputs)
            except runtime_failures() as error:
                raise Upstream("The embedder failed on this machine.") from error
            found[batch] = (states * mask[:, :, None]).sum(axis=1)

        for _ in pool.map(run, batches(numbered, self.BATCH)):
            pass
        return of_length_one(found)

    @cached_property
    def _for_callers(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self._threads, "quire-embed")

    @cached_property
    def _for_workers(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self._threads, "quire-embed-later", _least_urgent)

    def check(self) -> str:
        """Whether the weights are here and as they should be; raises Unsupported where not."""
        self._files.check("minilm")
        return self.name


def _loaded(files: ModelFolder) -> tuple[WordPiece, Any]:
    given = numbers(files.read("minilm", "model.onnx"))
    vocabulary = json.loads(files.read("minilm", "tokenizer.json"))["model"]["vocab"]
    graph = resources.files("quire.adapters").joinpath(GRAPH).read_bytes()
    return WordPiece(vocabulary), session_of(graph, given)


def _least_urgent() -> None:
    """Lets this thread run when the others of the process do not need the processor."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)


def batches(numbered: Sequence[Sequence[int]], budget: int) -> Iterator[list[int]]:
    """Texts of like length together, so that little is padded."""
    batch: list[int] = []
    for at in sorted(range(len(numbered)), key=lambda at: len(numbered[at])):
        if batch and (len(batch) + 1) * len(numbered[at]) > budget:
            yield batch
            batch = []
        batch.append(at)
    if batch:
        yield batch


def of_length_one(vectors: Vectors) -> Vectors:
    numpy = arithmetic()
    lengths = numpy.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Vectors = (vectors / numpy.where(lengths > 0, lengths, 1)).astype(numpy.float32)
    return scaled


def runtime_failures() -> tuple[type[Exception], ...]:
    """What the runtime raises; its exceptions have no common ancestor of their own."""
    from onnxruntime.capi import onnxruntime_pybind11_state as state

    own = (getattr(state, name) for name in ("Fail", "InvalidArgument", "RuntimeException", "EPFail"))
    return (RuntimeError, MemoryError, *own)


def session_of(network: bytes, given: Mapping[str, Any] | None = None, *, arena: bool = True) -> Any:
    """What runs a network on one thread for each call; `given` are the tensors that its file only names.

    Without an arena what a run took is given back at its end."""
    try:
        import onnxruntime
    except ImportError as error:
        raise Unsupported("The embedder needs the package onnxruntime.", hint=NEEDS) from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    # All runs take from one store; a plan of what a run will need, kept for each size of input, takes twice as much.
    options.enable_mem_pattern = False
    options.enable_cpu_mem_arena = arena
    if given:
        numpy = arithmetic()
        values = [onnxruntime.OrtValue.ortvalue_from_numpy(numpy.asarray(one, order="C")) for one in given.values()]
        options.add_external_initializers(list(given), values)
    return onnxruntime.InferenceSession(network, options, providers=["CPUExecutionProvider"])
