"""Teaches to tell wishes for overviews and for documents: `python training/learn_kinds.py [--out FILE]`.

Learnt from: `wordings/overview.txt` and `wordings/documents.txt` (a question a line, in documents a tab and its topic
behind it), `wordings/neither.txt`, which has questions in like words for something else, and the questions of `texts`.
`wordings/held-out` has the same by another hand: nothing is learnt from it, and how often it is told rightly is said.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path

import numpy
import torch

from quire.adapters.embedders import MiniLm
from quire.adapters.model_files import ModelFolder
from quire.adapters.question_kinds import LEARNT, LEAST, WISHES, shares
from quire.text.asked import asked_of
from written import notebooks

FOLDER = Path(__file__).parent / "wordings"
OUT = Path(__file__).parent.parent / "src" / "quire" / "adapters" / LEARNT
OTHERS, RARE, SHRINK, STEPS = 12_000, 3.0, 1e-5, 400
NEITHER = "neither"


def wordings(folder: Path, name: str) -> list[str]:
    lines = (folder / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [line.partition("\t")[0] for line in lines if line.strip()]


def learnt(vectors: numpy.ndarray, kinds: Sequence[int]) -> tuple[numpy.ndarray, numpy.ndarray]:
    given, wanted = torch.tensor(vectors), torch.tensor(kinds)
    weights = torch.zeros(given.shape[1], 1 + len(WISHES), requires_grad=True)
    bias = torch.zeros(1 + len(WISHES), requires_grad=True)
    counts = torch.tensor([1.0, *(RARE for _ in WISHES)])
    optimizer = torch.optim.LBFGS([weights, bias], max_iter=STEPS)

    def step() -> torch.Tensor:
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(given @ weights + bias, wanted, weight=counts)
        loss = loss + SHRINK * (weights**2).sum()
        loss.backward()
        return loss

    optimizer.step(step)
    return weights.detach().numpy(), bias.detach().numpy()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=OUT, help="where to write what was learnt")
    options = parser.parse_args()
    random.seed(1)
    embedder = MiniLm(ModelFolder())
    asked = [question.text for notebook in notebooks() for question in notebook.questions if not question.follows]
    others = random.sample(asked, 2 * OTHERS)
    names = (NEITHER, *WISHES)
    texts = [(text, kind) for kind, name in enumerate(names) for text in wordings(FOLDER, name)]
    texts += [(text, 0) for text in others[:OTHERS]]
    weights, bias = learnt(embedder.embed([text for text, _ in texts]), [kind for _, kind in texts])
    numpy.savez_compressed(options.out, weights=weights.astype(numpy.float16), bias=bias.astype(numpy.float16))

    def told(questions: Sequence[str], wish: str | None) -> str:
        found = shares(embedder.embed(list(questions)) @ weights + bias)[:, 1:]
        by_network = [WISHES[int(row.argmax())] if row.max() > LEAST else None for row in found]
        by_rule = [kind if (kind := asked_of(question).kind) in WISHES else None for question in questions]
        both = [rule or network for rule, network in zip(by_rule, by_network, strict=True)]
        return ", ".join(
            f"{numpy.mean([one == wish for one in several]):.3f} {by}"
            for by, several in (("by rules", by_rule), ("learnt", by_network), ("by both", both))
        )

    for name in names:
        print(
            f"{name:<10} told rightly: {told(wordings(FOLDER / 'held-out', name), None if name == NEITHER else name)}"
        )
    print(f"{'texts':<10} told rightly: {told(others[OTHERS : OTHERS + 3_000], None)}")


if __name__ == "__main__":
    main()
