"""Whether a question wants an overview of all sources, or to know which of them speak of something, English.

People word these wishes in more ways than rules know. What was learnt (`training/learn_kinds.py`) is a few numbers for
the vector that the embedder makes of a question.
"""

from __future__ import annotations

import io
from importlib import resources
from typing import Any

from quire.adapters.arithmetic import arithmetic
from quire.adapters.loaded_once import LoadedOnce
from quire.ports.search import Embedder, Wish

LEARNT = "question_kinds.npz"
WISHES: tuple[Wish, ...] = ("overview", "documents")
# Above this a wish is surer than not. What is not wished for after all costs more than what is not understood.
LEAST = 0.7


class QuestionKinds:
    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._numbers = LoadedOnce(_loaded)

    def wish(self, question: str) -> Wish | None:
        vector = self._embedder.embed([question], "query")[0]
        weights, bias = self._numbers()
        return next(
            (wish for wish, share in zip(WISHES, shares(vector @ weights + bias)[1:], strict=True) if share > LEAST),
            None,
        )


def shares(scores: Any) -> Any:
    numpy = arithmetic()
    powers = numpy.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def _loaded() -> tuple[Any, Any]:
    numpy = arithmetic()
    found = numpy.load(io.BytesIO(resources.files("quire.adapters").joinpath(LEARNT).read_bytes()))
    return found["weights"].astype(numpy.float32), found["bias"].astype(numpy.float32)
