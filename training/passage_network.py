"""The judge of passages in PyTorch: all-mpnet-base-v2 as it is fetched, and small changes to it.

As in `network.py`, each matrix of the upper layers stays as it is, and only the product of two narrow ones that is
added to it is learnt, with biases and scales. What stays as it is, is multiplied in eight bits, forwards and
backwards: three times as fast as in full numbers on a processor that has instructions for it. A sentence's score is
what its closing piece and the mean of its pieces came to, and how like that mean is to the mean of the question's
pieces. The network was made for comparing such means: it begins with that, and need not learn it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy
import torch
from torch import Tensor, nn
from torch.nn import functional

from quire.adapters.passage_judge import FIRST_PLACE, NOTHING, Window, distances
from quire.adapters.passage_judge_weights import (
    BEGINNING,
    BIAS,
    HEADS,
    INT8,
    LAYERS,
    LEFT,
    MATRICES,
    NORMS,
    PLACE_TABLE,
    RELATIVE,
    RIGHT,
    SCALE,
    WEIGHT,
    WIDTH,
    WORD_TABLE,
    kept,
)

# Layers below this one are left alone.
FIRST = 2
RANK = 16
SMALL = 1e-5
BATCH, LONGEST = 8, 256
# How much likeness counts at the beginning, and what is taken away for all.
LIKENESS = (10.0, -5.0)
MOST = 127


def numbers_of(file: Path) -> dict[str, Tensor]:
    """The numbers of the file that is kept, by their names, matrices in full."""
    content, at = file.read_bytes(), 0
    found: dict[str, Tensor] = {}
    for part in kept():
        array = numpy.frombuffer(content, part.kind, math.prod(part.shape), at).reshape(part.shape)
        at += array.nbytes
        found[part.name] = torch.tensor(array)
    return found


@torch.compile(dynamic=True)
def in_eight_bits(values: Tensor) -> tuple[Tensor, Tensor]:
    """Rows as int8, and the scale of each."""
    scale = values.abs().amax(1, keepdim=True).clamp(min=SMALL) / MOST
    return (values / scale).round().to(torch.int8), scale


@torch.compile(dynamic=True)
def in_eight_bits_by_columns(values: Tensor, columns: Tensor) -> tuple[Tensor, Tensor]:
    """The same, each column with its own scale first."""
    scaled = values * columns
    scale = scaled.abs().amax(1, keepdim=True).clamp(min=SMALL) / MOST
    return (scaled / scale).round().to(torch.int8), scale


@torch.compile(dynamic=True)
def in_full(found: Tensor, rows: Tensor, columns: Tensor) -> Tensor:
    return found.float() * rows * columns


@torch.compile(dynamic=True)
def in_full_by_rows(found: Tensor, rows: Tensor) -> Tensor:
    return found.float() * rows


class Fixed(torch.autograd.Function):
    """Rows times a matrix in eight bits, which is not learnt; `turned` is the same matrix, its columns as rows."""

    @staticmethod
    def forward(ctx: Any, values: Tensor, matrix: Tensor, turned: Tensor, columns: Tensor) -> Tensor:
        ctx.save_for_backward(turned, columns)
        rounded, rows = in_eight_bits(values)
        return in_full(torch._int_mm(rounded, matrix), rows, columns)

    @staticmethod
    def backward(ctx: Any, slope: Tensor) -> tuple[Tensor, None, None, None]:
        turned, columns = ctx.saved_tensors
        rounded, rows = in_eight_bits_by_columns(slope, columns)
        return in_full_by_rows(torch._int_mm(rounded, turned), rows), None, None, None


class Matrix(nn.Module):
    def __init__(self, numbers: dict[str, Tensor], name: str, rank: int) -> None:
        super().__init__()
        matrix = numbers[name + INT8]
        self.name, self.rank = name, rank
        self.register_buffer("matrix", matrix)
        self.register_buffer("turned", matrix.t().contiguous())
        self.register_buffer("columns", numbers[name + SCALE])
        self.bias = nn.Parameter(numbers[name + BIAS], requires_grad=rank > 0)
        if rank:
            self.left = nn.Parameter(torch.randn(matrix.shape[0], rank) / math.sqrt(matrix.shape[0]))
            self.right = nn.Parameter(torch.zeros(rank, matrix.shape[1]))

    def forward(self, values: Tensor) -> Tensor:
        rows = values.reshape(-1, values.shape[-1])
        found = Fixed.apply(rows, self.matrix, self.turned, self.columns) + self.bias
        if self.rank:
            found = found + (rows @ self.left) @ self.right
        return found.view(*values.shape[:-1], -1)

    def learnt(self) -> dict[str, nn.Parameter]:
        return {self.name + LEFT: self.left, self.name + RIGHT: self.right, self.name + BIAS: self.bias}


class Norm(nn.Module):
    def __init__(self, numbers: dict[str, Tensor], name: str, *, teachable: bool) -> None:
        super().__init__()
        self.name = name
        self.weight = nn.Parameter(numbers[name + WEIGHT], requires_grad=teachable)
        self.bias = nn.Parameter(numbers[name + BIAS], requires_grad=teachable)

    def forward(self, values: Tensor) -> Tensor:
        return functional.layer_norm(values, (WIDTH,), self.weight, self.bias, SMALL)

    def learnt(self) -> dict[str, nn.Parameter]:
        return {self.name + WEIGHT: self.weight, self.name + BIAS: self.bias}


class Layer(nn.Module):
    def __init__(self, numbers: dict[str, Tensor], number: int, rank: int) -> None:
        super().__init__()
        name = f"encoder.layer.{number}"
        self.matrices = nn.ModuleList(Matrix(numbers, f"{name}.{part}", rank) for part in MATRICES)
        self.norms = nn.ModuleList(Norm(numbers, f"{name}.{part}", teachable=rank > 0) for part in NORMS)

    def forward(self, values: Tensor, bias: Tensor) -> Tensor:
        query, key, value, mixed, wide, narrow = self.matrices
        first, second = self.norms
        texts, pieces, _ = values.shape

        def heads(found: Tensor) -> Tensor:
            return found.view(texts, pieces, HEADS, WIDTH // HEADS).transpose(1, 2)

        scores = heads(query(values)) @ heads(key(values)).transpose(-1, -2) * math.sqrt(HEADS / WIDTH) + bias
        seen = (torch.softmax(scores, -1) @ heads(value(values))).transpose(1, 2).reshape(texts, pieces, WIDTH)
        middle = first(mixed(seen) + values)
        found: Tensor = second(narrow(functional.gelu(wide(middle))) + middle)
        return found


class PassageNetwork(nn.Module):
    def __init__(self, file: Path, dropout: float = 0.1) -> None:
        super().__init__()
        numbers = numbers_of(file)
        self.register_buffer("words", numbers[WORD_TABLE + INT8].float() * numbers[WORD_TABLE + SCALE])
        self.register_buffer("places", numbers[PLACE_TABLE + WEIGHT])
        self.register_buffer("relative", numbers[RELATIVE + WEIGHT])
        self.register_buffer("distances", torch.tensor(distances(LONGEST)))
        self.begin = Norm(numbers, BEGINNING, teachable=False)
        self.layers = nn.ModuleList(Layer(numbers, at, RANK if at >= FIRST else 0) for at in range(LAYERS))
        self.head = nn.Parameter(0.01 * torch.randn(2 * WIDTH))
        self.bias = nn.Parameter(torch.zeros(()))
        self.likeness = nn.Parameter(torch.tensor(LIKENESS))
        self.dropout = dropout

    def states(self, ids: Tensor) -> Tensor:
        pieces = ids.shape[1]
        bias = self.relative[self.distances[:pieces, :pieces]].permute(2, 0, 1)[None].expand(len(ids), -1, -1, -1)
        bias = bias.masked_fill((ids == NOTHING)[:, None, None, :], -1e4)
        with torch.no_grad():
            values = self.begin(self.words[ids] + self.places[FIRST_PLACE : FIRST_PLACE + pieces])
            for layer in self.layers[:FIRST]:
                values = layer(values, bias)
        for layer in self.layers[FIRST:]:
            values = layer(values, bias)
        return values

    def scores(self, windows: Sequence[Window]) -> list[Tensor]:
        """A score for each sentence of each window; windows of like length are worked out together."""
        order = sorted(range(len(windows)), key=lambda at: len(windows[at].pieces))
        found: list[Tensor] = [torch.empty(0)] * len(windows)
        for begin in range(0, len(order), BATCH):
            batch = order[begin : begin + BATCH]
            ids = torch.full((len(batch), max(len(windows[at].pieces) for at in batch)), NOTHING)
            for row, at in enumerate(batch):
                ids[row, : len(windows[at].pieces)] = torch.tensor(windows[at].pieces)
            states = self.states(ids)
            for row, at in enumerate(batch):
                found[at] = self._scores(states[row], windows[at])
        return found

    def _scores(self, states: Tensor, window: Window) -> Tensor:
        asked = functional.normalize(states[1 : window.asked].mean(0), dim=-1)
        means = torch.stack([states[begin : end + 1].mean(0) for begin, end in window.sentences])
        pooled = torch.cat([states[[end for _, end in window.sentences]], means], -1)
        own = functional.dropout(pooled, self.dropout, self.training) @ self.head + self.bias
        return own + self.likeness[0] * (functional.normalize(means, dim=-1) @ asked) + self.likeness[1]

    def teachable(self) -> dict[str, nn.Parameter]:
        """What is learnt, by the names under which it is kept."""
        found: dict[str, nn.Parameter] = {"head": self.head, "head.bias": self.bias, "like": self.likeness}
        for module in self.modules():
            if isinstance(module, (Matrix, Norm)) and module.bias.requires_grad:
                found |= module.learnt()
        return found

    @torch.no_grad()
    def go_on_from(self, file: Path) -> None:
        before = numpy.load(file)
        for name, value in self.teachable().items():
            value.copy_(torch.tensor(before[name].astype(numpy.float32)))

    def learnt(self) -> dict[str, numpy.ndarray]:
        return {name: value.detach().numpy().astype(numpy.float16) for name, value in self.teachable().items()}
