"""What must hold of spans that cut up a text."""

from __future__ import annotations

from itertools import pairwise

import pytest

from quire.text.sentences import Span

LARGE = 300_000
VERY_LARGE = 1_000_000

# What takes a square of its length is out of time at either size.
large_sizes = pytest.mark.parametrize("size", [LARGE, pytest.param(VERY_LARGE, marks=pytest.mark.long)])


def assert_exact(text: str, spans: list[Span]) -> None:
    for start, end in spans:
        assert start < end
        assert not text[start].isspace()
        assert not text[end - 1].isspace()
    for (_, before), (after, _) in pairwise([(0, 0), *spans, (len(text), len(text))]):
        assert before <= after
        assert not text[before:after].strip()
