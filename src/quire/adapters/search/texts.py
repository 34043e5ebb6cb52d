"""Text search on this machine."""

from __future__ import annotations

from collections.abc import Callable

from quire.adapters.search.lines import Lines, whole
from quire.adapters.search.words import WordIndex


class TextSearch(WordIndex):
    """The index of words, and RE2 for what it leaves to be read."""

    def lines(self, pattern: str) -> Lines:
        return Lines(pattern)

    def whole(self, pattern: str) -> Callable[[str], bool]:
        return whole(pattern)
