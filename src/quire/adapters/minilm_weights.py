"""The numbers of the embedder's network, taken out of its file for a graph that uses them as they are."""

from __future__ import annotations

from typing import Any

from quire.adapters.arithmetic import arithmetic
from quire.adapters.network_file import tensors

GRAPH = "minilm.onnx"
WORDS = "inner.embeddings.word_embeddings.weight"
PLACES = "inner.embeddings.position_embeddings.weight"
QUANTIZED, SCALE = "_q", "_scale"
# So many numbers of a column have a scale; here all of a column have the same.
BLOCK = 128
ZERO = 128


def numbers(content: bytes) -> dict[str, Any]:
    """All large numbers of the network by name, its matrices in the order in which the runtime multiplies them."""
    numpy = arithmetic()
    found = {name: array for name, array in tensors(content).items() if array.ndim and array.dtype != numpy.int64}
    for name in [name.removesuffix(QUANTIZED) for name in found if name.endswith(QUANTIZED)]:
        if name in (WORDS, PLACES):
            continue
        rows, columns = found[name + QUANTIZED].shape
        upright = found[name + QUANTIZED].T.astype(numpy.int16) + ZERO
        found[name + QUANTIZED] = upright.astype(numpy.uint8).reshape(columns, rows // BLOCK, BLOCK)
        found[name + SCALE] = numpy.repeat(found[name + SCALE].reshape(-1), rows // BLOCK)
    return found
