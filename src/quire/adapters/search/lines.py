"""Lines by a regular expression, in time that grows with the text only: RE2 has no pattern that runs away."""

from __future__ import annotations

import re
from collections.abc import Callable
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

    def __call__(self, data: bytes, most: int, after: int = 0) -> list[tuple[int, str]]:
        """Numbers and texts of at most so many lines, of those beyond a number."""
        if self._literals and not any(literal in data for literal in self._literals):
            return []
        # One byte is found many times faster than two.
        if b"\r" in data:
            data = data.replace(b"\r\n", b"\n")
        if self._one_by_one:
            return self._each(data, most, after)
        found: list[tuple[int, str]] = []
        at, number, end = 0, 1, len(data)
        while at < end and len(found) < most:
            first = self._match(self._anywhere, data, at, end)[0][0]
            if first < 0 or (first == end and data.endswith(b"\n")):
                break
            number += data.count(b"\n", at, first)
            begin = data.rfind(b"\n", 0, first) + 1
            close = data.find(b"\n", first)
            close = end if close < 0 else close
            if number > after:
                found.append((number, data[begin:close].decode("utf-8", "replace")))
            at, number = close + 1, number + 1
        return found

    def _each(self, data: bytes, most: int, after: int) -> list[tuple[int, str]]:
        found: list[tuple[int, str]] = []
        for number, line in enumerate(data.removesuffix(b"\n").split(b"\n") if data else (), 1):
            if number > after and self._match(self._anywhere, line, 0, len(line))[0][0] >= 0:
                found.append((number, line.decode("utf-8", "replace")))
                if len(found) == most:
                    break
        return found
