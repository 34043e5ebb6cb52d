"""What must hold of spans that cut up a text."""

from __future__ import annotations

from itertools import pairwise

from quire.text.sentences import Span

LARGE = 1_000_000


def assert_exact(text: str, spans: list[Span]) -> None:
    for start, end in spans:
        assert start < end
        assert not text[start].isspace()
        assert not text[end - 1].isspace()
    for (_, before), (after, _) in pairwise([(0, 0), *spans, (len(text), len(text))]):
        assert before <= after
        assert not text[before:after].strip()
