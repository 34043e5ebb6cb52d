"""Unified diffs: applied to the old text they give the new one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain import diffs
from quire.domain.diffs import NO_NEWLINE, unified

LINES = st.lists(st.sampled_from(["a", "b", "c", "", "x y", "-m", "+p", "@@ -1 +1 @@", "\r"]), max_size=30)
TEXTS = st.tuples(LINES, st.booleans()).map(lambda given: "\n".join(given[0]) + ("\n" if given[1] else ""))


def lines_of(text: str) -> list[str]:
    parts = text.split("\n")
    return [part + "\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def applied(old: str, diff: str) -> str:
    """A patch program that believes nothing: every line that should stand there must."""
    source = lines_of(old)
    made: list[str] = []
    at = 0
    given_lines = lines_of(diff)[2:]
    for index, line in enumerate(given_lines):
        if line == NO_NEWLINE:
            continue
        ended = index + 1 < len(given_lines) and given_lines[index + 1] == NO_NEWLINE
        body = line[1:].removesuffix("\n") if ended else line[1:]
        if line.startswith("@@"):
            start, _, length = line.split(" ")[1][1:].partition(",")
            begin = int(start) - (length != "0")
            made += source[at:begin]
            at = begin
        elif line.startswith("+"):
            made.append(body)
        else:
            assert source[at] == body
            at += 1
            if line.startswith(" "):
                made.append(body)
    return "".join(made + source[at:])


@given(TEXTS, TEXTS)
def test_a_diff_leads_from_the_old_text_to_the_new(old: str, new: str) -> None:
    diff, cut = unified(old, new, "a.md")
    assert not cut
    assert applied(old, diff) == new if old != new else diff == ""


@given(TEXTS, TEXTS)
def test_a_block_too_large_to_compare_is_replaced_as_a_whole(old: str, new: str) -> None:
    pairs = diffs.PAIRS
    try:
        diffs.PAIRS = 0
        diff, _ = unified(old, new, "a.md")
    finally:
        diffs.PAIRS = pairs
    assert applied(old, diff) == new if old != new else diff == ""


def test_a_diff_names_the_file_and_both_sides() -> None:
    diff, _ = unified("a\nb\n", "a\nc", "a.md", ("one", "two"))
    assert diff == "--- a.md (one)\n+++ a.md (two)\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n" + NO_NEWLINE


def test_a_long_diff_is_cut_and_says_so() -> None:
    diff, cut = unified("", "x" * 100 + "\n" * 30_000, "a.md")
    assert cut
    assert len(diff) <= diffs.DIFF_LIMIT


@pytest.mark.parametrize("size", [50_000])
def test_large_texts_are_compared_quickly_where_little_changed(size: int) -> None:
    old = "".join(f"line {number}\n" for number in range(size))
    new = old.replace("line 777\n", "changed\n")
    diff, _ = unified(old, new, "a.md")
    assert diff.count("\n") == 2 + 1 + 3 + 2 + 3
