"""The network that is taught, in PyTorch: the judge's weights as they are fetched, and small changes to them.

Each matrix of the upper layers stays as it is; the product of two narrow ones (`left`, `right`) is added to it, and
only those are learnt, with biases and scales. Names are those of the network's file, so that what was learnt can be
put back into it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy
import torch
from torch import Tensor, nn
from torch.nn import functional

from quire.adapters.network_file import tensors

LAYERS, HEADS, WIDTH = 12, 12, 384
# Layers below this one are left alone.
FIRST = 2
RANK = 16
# The matrices of a layer: where its number stands in the file, its bias's name, its shape.
MATRICES = {
    "query": (0, "attention.self.query", (WIDTH, WIDTH)),
    "key": (10, "attention.self.key", (WIDTH, WIDTH)),
    "value": (11, "attention.self.value", (WIDTH, WIDTH)),
    "mixed": (13, "attention.output.dense", (WIDTH, WIDTH)),
    "wide": (14, "intermediate.dense", (WIDTH, 4 * WIDTH)),
    "narrow": (15, "output.dense", (4 * WIDTH, WIDTH)),
}
FIRST_MATRIX, STEP = 1662, 16
POOLER, CLASSIFIER = "bert.pooler.dense", "classifier"
# A pair: the numbers of its pieces, and how many of them are the question's.
Pair = tuple[Sequence[int], int]
SMALL = 1e-12
BATCH = 16
# The classifier begins with less trust than it had as a ranker.
BEGIN = 0.4


class File:
    """The numbers of the network's file."""

    def __init__(self, path: Path) -> None:
        self._tensors = tensors(path.read_bytes())

    def floats(self, name: str) -> Tensor:
        return torch.tensor(self._tensors[name].reshape(-1).copy())

    def matrix(self, name: str, shape: tuple[int, int], *, zero: int = 0) -> Tensor:
        numbers = self._tensors[f"{name}_quantized"].reshape(shape)
        return torch.tensor((numbers.astype(numpy.float32) - zero) * self.floats(f"{name}_scale").numpy())


class Matrix(nn.Module):
    def __init__(self, file: File, name: str, bias: str, shape: tuple[int, int], rank: int) -> None:
        super().__init__()
        self.name, self.bias_name, self.rank = name, bias, rank
        self.register_buffer("fixed", file.matrix(name, shape).t().contiguous().to(torch.bfloat16))
        self.bias = nn.Parameter(file.floats(bias), requires_grad=rank > 0)
        if rank:
            self.left = nn.Parameter(torch.randn(shape[0], rank) / math.sqrt(shape[0]))
            self.right = nn.Parameter(torch.zeros(rank, shape[1]))

    def forward(self, values: Tensor) -> Tensor:
        found = functional.linear(values, self.fixed, self.bias.to(values.dtype))
        if not self.rank:
            return found
        return found + (values @ self.left.to(values.dtype)) @ self.right.to(values.dtype)

    def learnt(self) -> dict[str, Tensor]:
        return {f"{self.name}.left": self.left, f"{self.name}.right": self.right, self.bias_name: self.bias}


class Norm(nn.Module):
    def __init__(self, file: File, name: str, *, teachable: bool) -> None:
        super().__init__()
        self.name = name
        self.weight = nn.Parameter(file.floats(f"{name}.weight"), requires_grad=teachable)
        self.bias = nn.Parameter(file.floats(f"{name}.bias"), requires_grad=teachable)

    def forward(self, values: Tensor) -> Tensor:
        scaled = functional.layer_norm(values.float(), (WIDTH,), self.weight, self.bias, SMALL)
        return scaled.to(torch.bfloat16)

    def learnt(self) -> dict[str, Tensor]:
        return {f"{self.name}.weight": self.weight, f"{self.name}.bias": self.bias}


class Layer(nn.Module):
    def __init__(self, file: File, number: int, rank: int) -> None:
        super().__init__()
        name = f"bert.encoder.layer.{number}"
        for part, (offset, bias, shape) in MATRICES.items():
            tensor = f"onnx::MatMul_{FIRST_MATRIX + STEP * number + offset}"
            self.add_module(part, Matrix(file, tensor, f"{name}.{bias}.bias", shape, rank))
        self.first = Norm(file, f"{name}.attention.output.LayerNorm", teachable=rank > 0)
        self.second = Norm(file, f"{name}.output.LayerNorm", teachable=rank > 0)

    def forward(self, values: Tensor, mask: Tensor, *, last: bool) -> Tensor:
        """The values after this layer; after the last one only those of the first piece are needed."""
        texts = values.shape[0]
        own = values[:, :1] if last else values

        def heads(found: Tensor) -> Tensor:
            return found.view(texts, -1, HEADS, WIDTH // HEADS).transpose(1, 2)

        query, key, value = heads(self.query(own)), heads(self.key(values)), heads(self.value(values))
        weights = torch.softmax(query @ key.transpose(-1, -2) * math.sqrt(HEADS / WIDTH) + mask, -1)
        mixed = (weights @ value).transpose(1, 2).reshape(texts, own.shape[1], WIDTH)
        middle = self.first(self.mixed(mixed) + own)
        found: Tensor = self.second(self.narrow(functional.gelu(self.wide(middle))) + middle)
        return found


class Network(nn.Module):
    def __init__(self, path: Path, dropout: float = 0.1) -> None:
        super().__init__()
        file = File(path)
        words = "bert.embeddings.word_embeddings.weight"
        self.register_buffer("words", _embedding(file, words, 86))
        self.register_buffer("positions", _embedding(file, "bert.embeddings.position_embeddings.weight", 34))
        self.register_buffer("kinds", _embedding(file, "bert.embeddings.token_type_embeddings.weight", 62))
        self.begin = Norm(file, "bert.embeddings.LayerNorm", teachable=False)
        self.layers = nn.ModuleList(Layer(file, at, RANK if at >= FIRST else 0) for at in range(LAYERS))
        self.pooler = Matrix(file, f"{POOLER}.weight", f"{POOLER}.bias", (WIDTH, WIDTH), RANK)
        self.last_fixed = file.matrix(f"{CLASSIFIER}.weight", (WIDTH, 1))
        self.last = nn.Parameter(self.last_fixed * BEGIN)
        self.bias = nn.Parameter(file.floats(f"{CLASSIFIER}.bias") * BEGIN)
        self.dropout = dropout

    def forward(self, ids: Tensor, kinds: Tensor) -> Tensor:
        mask = torch.zeros(ids.shape[0], 1, 1, ids.shape[1], dtype=torch.bfloat16)
        mask = mask.masked_fill((ids == 0)[:, None, None, :], -1e4)
        with torch.no_grad():
            values = self.begin(self.words[ids] + self.positions[: ids.shape[1]] + self.kinds[kinds])
            for layer in self.layers[:FIRST]:
                values = layer(values, mask, last=False)
        for at, layer in enumerate(self.layers[FIRST:], FIRST):
            values = layer(values, mask, last=at == LAYERS - 1)
        pooled = torch.tanh(self.pooler(values[:, 0]).float())
        found: Tensor = (functional.dropout(pooled, self.dropout, self.training) @ self.last + self.bias)[:, 0]
        return found

    def scores(self, pairs: Sequence[Pair]) -> Tensor:
        """One number a pair, those of like length worked out together."""
        order = sorted(range(len(pairs)), key=lambda at: len(pairs[at][0]))
        found = []
        for begin in range(0, len(order), BATCH):
            batch = [pairs[at] for at in order[begin : begin + BATCH]]
            ids = torch.zeros(len(batch), max(len(pieces) for pieces, _ in batch), dtype=torch.long)
            kinds = torch.zeros_like(ids)
            for at, (pieces, asked) in enumerate(batch):
                ids[at, : len(pieces)] = torch.tensor(pieces)
                kinds[at, asked : len(pieces)] = 1
            found.append(self(ids, kinds))
        back = torch.empty(len(pairs), dtype=torch.long)
        back[torch.tensor(order)] = torch.arange(len(pairs))
        return torch.cat(found)[back]

    @torch.no_grad()
    def go_on_from(self, file: Path) -> None:
        """Takes up what was learnt before."""
        before = numpy.load(file)
        for name, value in self._teachable().items():
            value.copy_(torch.tensor(before[name].astype(numpy.float32)))
        self.last.copy_(self.last_fixed + torch.tensor(before[f"{CLASSIFIER}.weight.left"].astype(numpy.float32)))
        self.bias.copy_(torch.tensor(before[f"{CLASSIFIER}.bias"].astype(numpy.float32)))

    def _teachable(self) -> dict[str, Tensor]:
        """What is learnt of all layers, by the names of the network's file."""
        found: dict[str, Tensor] = {}
        for module in self.modules():
            if isinstance(module, (Matrix, Norm)) and next(module.parameters()).requires_grad:
                found |= module.learnt()
        return found

    def learnt(self) -> dict[str, numpy.ndarray]:
        """All that was learnt, by the names of the network's file."""
        found = self._teachable()
        found |= {
            f"{CLASSIFIER}.weight.left": self.last - self.last_fixed,
            f"{CLASSIFIER}.weight.right": torch.ones(1, 1),
            f"{CLASSIFIER}.bias": self.bias,
        }
        return {name: value.detach().numpy().astype(numpy.float16) for name, value in found.items()}


def _embedding(file: File, name: str, zero: int) -> Tensor:
    numbers = file.matrix(name, (-1, WIDTH), zero=zero)
    return numbers.to(torch.bfloat16).float()
