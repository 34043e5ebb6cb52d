"""Teaches the judge: `python training/learn.py CANDIDATES... [--minutes N] [--go-on FILE] [--out FILE]`.

Needs PyTorch, which Quire itself does not. Of each question a few sentences are drawn, those that answer and those that
only seem to; what is learnt is to give an answering one more than the others, and more than zero, and where none
answers, each of them less. Now and then the answer is taken away. On notebooks that are held out it is measured how
often the sentence with most of all is one that answers, and whether it tells apart what is answered and what is not.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy
import torch

from held_out import told
from network import Network, Pair
from quire.adapters.answer_judge import LEARNT, pieces_of
from quire.adapters.model_files import ModelFolder
from quire.adapters.wordpiece import WordPiece

OUT = Path(__file__).parent.parent / "src" / "quire" / "adapters" / LEARNT
QUESTIONS, SENTENCES, ANSWERS = 8, 6, 2
TAKEN_AWAY = 0.1
# How far the order of those that do not answer is shuffled before the first are drawn.
SHUFFLED = 7
RATE, RATE_OF_OTHERS, WARMING = 1e-3, 1e-4, 60
COMPARED, MEASURED = 12, 400
SAVED = 400


@dataclass(frozen=True)
class Asked:
    answered: bool
    pairs: list[Pair]
    answers: list[bool]
    ranks: list[int]


def read(files: Sequence[Path], words: WordPiece) -> tuple[list[Asked], list[Asked]]:
    """What is learnt from, and what is held out."""
    learnt: list[Asked] = []
    held: list[Asked] = []
    for line in chain.from_iterable(file.read_text(encoding="utf-8").splitlines() for file in files):
        row = json.loads(line)
        if row["texts"]:
            pairs = [pieces_of(words, row["question"], one["text"], one["around"]) for one in row["texts"]]
            answers, ranks = [one["answers"] for one in row["texts"]], [one["rank"] for one in row["texts"]]
            (held if row["held_out"] else learnt).append(Asked(row["answered"], pairs, answers, ranks))
    random.shuffle(held)
    return learnt, held


def drawn(one: Asked) -> tuple[list[Pair], int]:
    """Sentences to learn from, those that answer first, and how many those are."""
    right = [at for at, answers in enumerate(one.answers) if answers]
    wrong = [at for at, answers in enumerate(one.answers) if not answers]
    if random.random() < TAKEN_AWAY:
        right = []
    right = random.sample(right, min(ANSWERS, len(right)))
    wrong = sorted(wrong, key=lambda at: one.ranks[at] + random.random() * SHUFFLED)[: SENTENCES - len(right)]
    return [one.pairs[at] for at in [*right, *wrong]], len(right)


def loss_of(network: Network, batch: list[Asked]) -> torch.Tensor:
    chosen = [drawn(one) for one in batch]
    scores = network.scores([pair for pairs, _ in chosen for pair in pairs])
    total, at = torch.zeros(()), 0
    for pairs, right in chosen:
        own = scores[at : at + len(pairs)]
        at += len(pairs)
        total = total + torch.logsumexp(torch.cat([own, torch.zeros(1)]), 0)
        if right:
            total = total - torch.logsumexp(own[:right], 0)
    return total / len(batch)


@torch.no_grad()
def measured(network: Network, held: list[Asked]) -> str:
    network.eval()
    first: list[bool] = []
    best: dict[bool, list[float]] = {True: [], False: []}
    for one in held[:MEASURED]:
        usual = [at for at, rank in enumerate(one.ranks) if rank < COMPARED]
        scores = network.scores([one.pairs[at] for at in usual]).tolist()
        top = max(range(len(usual)), key=lambda at: scores[at])
        best[one.answered].append(scores[top])
        if one.answered:
            first.append(one.answers[usual[top]])
    network.train()
    return told(first, best)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("candidates", type=Path, nargs="+", help="what candidates.py wrote")
    parser.add_argument("--minutes", type=float, default=90, help="how long to learn (default: 90)")
    parser.add_argument("--go-on", type=Path, metavar="FILE", help="begin with what was learnt before")
    parser.add_argument("--out", type=Path, default=OUT, help="where to write what was learnt")
    options = parser.parse_args()
    random.seed(1)
    torch.manual_seed(1)
    files = ModelFolder()
    vocabulary = files.read("judge", "vocab.txt").decode("utf-8").splitlines()
    words = WordPiece({word: at for at, word in enumerate(vocabulary)})
    learnt, held = read(options.candidates, words)
    network = Network(files.root / "judge" / "model.onnx")
    if options.go_on:
        network.go_on_from(options.go_on)
    narrow = [value for name, value in network.named_parameters() if name.endswith(("left", "right"))]
    others = [
        value
        for name, value in network.named_parameters()
        if value.requires_grad and not name.endswith(("left", "right"))
    ]
    groups = [{"params": narrow, "usual": RATE}, {"params": others, "usual": RATE_OF_OTHERS}]
    optimizer = torch.optim.AdamW(groups, betas=(0.9, 0.98), weight_decay=0.01)
    print(f"{len(learnt)} questions to learn from, {len(held)} held out\n{measured(network, held)}", flush=True)
    began, steps, order, losses = time.monotonic(), 0, [], []
    while (gone := (time.monotonic() - began) / (60 * options.minutes)) < 1:
        if len(order) < QUESTIONS:
            order = random.sample(learnt, len(learnt))
        for group in optimizer.param_groups:
            group["lr"] = group["usual"] * min(1.0, (steps + 1) / WARMING) * (1 - gone)
        loss = loss_of(network, [order.pop() for _ in range(QUESTIONS)])
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_([*narrow, *others], 1.0)
        optimizer.step()
        losses.append(loss.item())
        steps += 1
        if steps % 100 == 0:
            print(f"{steps} steps, {gone:.0%} of the time, loss {numpy.mean(losses[-100:]):.3f}", flush=True)
        if steps % SAVED == 0:
            numpy.savez_compressed(options.out.with_suffix(".part.npz"), **network.learnt())
    print(measured(network, held))
    numpy.savez_compressed(options.out, **network.learnt())


if __name__ == "__main__":
    main()
