"""Joins two states of what was learnt: `python training/joined.py BEFORE SINCE [--share N] [--out FILE]`.

What goes on from earlier weights learns what is new and loses a little of what was known. The mean of both, weighed by
the share of the later one, keeps most of either. Of each matrix both changes are summed and cut to the rank that they
had: that keeps .98 of them at least.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy

from quire.adapters.answer_judge import LEFT, RIGHT

OUT = Path(__file__).parent.parent / "src" / "quire" / "adapters" / "answer_judge.npz"
SHARE = 0.6
Numbers = numpy.ndarray


def summed(one: tuple[Numbers, Numbers], other: tuple[Numbers, Numbers], share: float) -> tuple[Numbers, Numbers]:
    """Two narrow matrices whose product is nearest to the mean of two such products."""
    rank = one[0].shape[1]
    left = numpy.concatenate([(1 - share) * one[0], share * other[0]], axis=1)
    right = numpy.concatenate([one[1], other[1]], axis=0)
    if rank == 1:
        return left @ right, numpy.ones((1, 1))
    basis, upper = numpy.linalg.qr(left)
    other_basis, other_upper = numpy.linalg.qr(right.T)
    turned, sizes, back = numpy.linalg.svd(upper @ other_upper.T)
    root = numpy.sqrt(sizes[:rank])
    return basis @ turned[:, :rank] * root, root[:, None] * (back[:rank] @ other_basis.T)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("before", type=Path)
    parser.add_argument("since", type=Path)
    parser.add_argument("--share", type=float, default=SHARE, help=f"of the later one (default: {SHARE})")
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    before, since = (
        {name: kept[name].astype(numpy.float32) for name in kept.files}
        for kept in (numpy.load(options.before), numpy.load(options.since))
    )
    found = {}
    for name in before:
        if name.endswith(LEFT):
            other = name.removesuffix(LEFT) + RIGHT
            found[name], found[other] = summed(
                (before[name], before[other]), (since[name], since[other]), options.share
            )
        elif not name.endswith(RIGHT):
            found[name] = (1 - options.share) * before[name] + options.share * since[name]
    numpy.savez_compressed(options.out, **{name: value.astype(numpy.float16) for name, value in found.items()})


if __name__ == "__main__":
    main()
