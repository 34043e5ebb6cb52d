"""Unified diffs of texts, bounded in time and size."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher

DIFF_LIMIT = 20_000
# Beyond so many pairs of lines a block that differs is shown as replaced, since finding more takes too long.
PAIRS = 4_000_000
CONTEXT = 3
NO_NEWLINE = "\\ No newline at end of file\n"

Opcode = tuple[str, int, int, int, int]


def unified(before: str, after: str, name: str, labels: tuple[str, str] = ("before", "after")) -> tuple[str, bool]:
    """The diff, and whether it was cut. A file that is not there is an empty text."""
    if before == after:
        return "", False
    old, new = _lines(before), _lines(after)
    text = [f"--- {name} ({labels[0]})\n", f"+++ {name} ({labels[1]})\n"]
    size = sum(map(len, text))
    for line in _hunks(old, new):
        if not line.endswith("\n"):
            line += "\n" + NO_NEWLINE
        size += len(line)
        if size > DIFF_LIMIT:
            return "".join(text), True
        text.append(line)
    return "".join(text), False


def _hunks(old: list[str], new: list[str]) -> Iterator[str]:
    matcher = SequenceMatcher(None, old, new)
    matcher.opcodes = _opcodes(old, new)  # type: ignore[attr-defined]
    for group in matcher.get_grouped_opcodes(CONTEXT):
        _, old_start, _, new_start, _ = group[0]
        _, _, old_end, _, new_end = group[-1]
        yield f"@@ -{_range(old_start, old_end)} +{_range(new_start, new_end)} @@\n"
        for kind, i, j, k, m in group:
            if kind == "equal":
                yield from (f" {line}" for line in old[i:j])
            else:
                yield from (f"-{line}" for line in old[i:j])
                yield from (f"+{line}" for line in new[k:m])


def _opcodes(old: list[str], new: list[str]) -> list[Opcode]:
    """What became what. Only the lines between the first and the last that differ are compared."""
    shorter = min(len(old), len(new))
    start = next((index for index in range(shorter) if old[index] != new[index]), shorter)
    end = next((index for index in range(shorter - start) if old[-1 - index] != new[-1 - index]), shorter - start)
    left, right = old[start : len(old) - end], new[start : len(new) - end]
    core: list[Opcode] = [("replace", 0, len(left), 0, len(right))]
    if len(left) * len(right) <= PAIRS:
        core = SequenceMatcher(None, left, right).get_opcodes()  # type: ignore[assignment]
    moved = [(kind, i + start, j + start, k + start, m + start) for kind, i, j, k, m in core]
    same_before: list[Opcode] = [("equal", 0, start, 0, start)] if start else []
    same_after: list[Opcode] = [("equal", len(old) - end, len(old), len(new) - end, len(new))] if end else []
    return [*same_before, *moved, *same_after]


def _lines(text: str) -> list[str]:
    """Lines with their ends; only line feeds count, so that nothing else in a text can break the form."""
    parts = text.split("\n")
    lines = [part + "\n" for part in parts[:-1]]
    return [*lines, parts[-1]] if parts[-1] else lines


def _range(start: int, end: int) -> str:
    length = end - start
    if length == 1:
        return f"{start + 1}"
    return f"{start + 1 if length else start},{length}"
