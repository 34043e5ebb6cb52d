"""Lines by a regular expression, in time that grows with the text only: RE2 has no pattern that runs away."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from quire.domain.errors import InvalidInput
from quire.domain.searching import literals, needed

MEMORY = 32 * 1024 * 1024
MOST_LITERALS = 4
# What asks for the beginning or the end of the text means the line's, so lines are then searched one by one.
WHOLE_TEXT = re.compile(r"\\[Az]|\(\?[a-zA-Z]*-?[a-zA-Z]*m")


def compiled(pattern: str, *, before: str = "") -> Any:
    import re2  # type: ignore[import-untyped]

    options = re2.Options()
    options.never_nl = True
    options.never_capture = True
    options.log_errors = False
    options.max_mem = MEMORY
    try:
        return re2.compile(before + pattern, options)
    except re2.error as error:
        reason = error.args[0].decode("utf-8", "replace") if isinstance(error.args[0], bytes) else str(error)
        raise InvalidInput(
            f"pattern: is not a valid regular expression: {reason}.",
            hint="The syntax is RE2's: no look-around, no back-references.",
            field="pattern",
        ) from None


def whole(pattern: str) -> Callable[[str], bool]:
    """Whether a text is matched from its beginning to its end."""
    fullmatch = compiled(pattern).fullmatch
    return lambda text: fullmatch(text) is not None


class Lines:
    """Finds the lines of a text that a pattern matches."""

    def __init__(self, pattern: str) -> None:
        import re2

        self._one_by_one = bool(WHOLE_TEXT.search(pattern))
        # First alone, since what is added before could make sense of what has none.
        self._match = compiled(pattern)._regexp.Match
        if not self._one_by_one:
            self._match = compiled(pattern, before="(?m)")._regexp.Match
        self._anywhere = re2._re2.RE2.Anchor.UNANCHORED
        # RE2 is quick to find how a pattern begins, and slow with a choice or with what comes later.
        known = literals(needed(pattern))
        begins_so = len(known) == 1 and pattern.startswith(known[0])
        self._literals = [] if begins_so or len(known) > MOST_LITERALS else [text.encode() for text in known]

    def __call__(self, data: bytes, most: int) -> list[tuple[int, str]]:
        """Numbers and texts of at most so many lines."""
        if not self._worth_a_look(data):
            return []
        data = one_ending(data)
        found: list[tuple[int, str]] = []
        at, number = 0, 1
        for first, begin, end in self._matches(data, most):
            number += data.count(b"\n", at, first)
            found.append((number, data[begin:end].decode("utf-8", "replace")))
            at, number = end + 1, number + 1
        return found

    def count(self, data: bytes, most: int) -> int:
        """How many lines match, or `most`."""
        return sum(1 for _ in self._matches(one_ending(data), most)) if self._worth_a_look(data) else 0

    def _worth_a_look(self, data: bytes) -> bool:
        return not self._literals or any(literal in data for literal in self._literals)

    def _matches(self, data: bytes, most: int) -> Iterator[tuple[int, int, int]]:
        """Of each line that matches, where it does so, and where the line begins and ends."""
        end = len(data) - data.endswith(b"\n")
        if self._one_by_one:
            lines = self._each(data, end) if data else ()
            yield from islice(lines, most)
            return
        at = 0
        while most and at <= end and data:
            first = self._match(self._anywhere, data, at, len(data))[0][0]
            if first < 0 or first > end:
                return
            close = data.find(b"\n", first)
            close = len(data) if close < 0 else close
            yield first, data.rfind(b"\n", 0, first) + 1, close
            at, most = close + 1, most - 1

    def _each(self, data: bytes, end: int) -> Iterator[tuple[int, int, int]]:
        at = 0
        while at <= end:
            close = data.find(b"\n", at)
            close = len(data) if close < 0 else close
            line = data[at:close]
            if self._match(self._anywhere, line, 0, len(line))[0][0] >= 0:
                yield at, at, close
            at = close + 1


def one_ending(data: bytes) -> bytes:
    """With line feeds alone; one byte is found many times faster than two."""
    return data.replace(b"\r\n", b"\n") if b"\r" in data else data
