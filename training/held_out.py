"""Notebooks of which nothing is learnt, and what is told of a judge that was put their questions."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import numpy

SHARE = 0.08


def is_held_out(notebook: str) -> bool:
    return int(hashlib.sha256(notebook.encode()).hexdigest(), 16) % 1000 < 1000 * SHARE


def told(first: Sequence[bool], best: Mapping[bool, Sequence[float]]) -> str:
    """How often the sentence with most of all is one that answers, and how well its score tells apart questions that
    are answered (True) and those that are not."""
    answered, not_answered = (numpy.array(best[known]) for known in (True, False))
    above = numpy.mean(answered[:, None] > not_answered[None])
    return f"held out: an answer first {numpy.mean(first):.3f}, AUROC of what is answered {above:.3f}"
