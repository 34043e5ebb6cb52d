"""Edits of a part of a text: the place is found or the edit refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain.edits import appended, headings, like, replaced, with_section
from quire.domain.errors import InvalidInput

TEXT = "# A\nintro\n\n## B\nbody\n\n```\n## not a heading\n```\n\n### C\ndeep\n\n## D ##\nlast"


def test_headings_in_code_do_not_count() -> None:
    assert [(one.level, one.text, one.line) for one in headings(TEXT)] == [
        (1, "A", 1), (2, "B", 4), (3, "C", 11), (2, "D", 14),
    ]  # fmt: skip


def test_underlined_headings_count() -> None:
    found = headings("Title\n=====\ntext\n\nSub\n---\nmore\n\n---\n")
    assert [(one.level, one.text, one.line) for one in found] == [(1, "Title", 1), (2, "Sub", 5)]


def test_a_section_ends_at_the_next_heading_of_its_level_or_above() -> None:
    assert with_section(TEXT, "B", "new") == "# A\nintro\n\n## B\n\nnew\n\n## D ##\nlast"
    assert with_section(TEXT, "### C", "new") == TEXT.replace("deep\n\n## D", "\nnew\n\n## D")
    assert with_section(TEXT, "## D", "new\n") == TEXT.replace("\nlast", "\n\nnew\n")
    assert with_section(TEXT, "A", "all") == "# A\n\nall\n"
    assert with_section("# A", "A", "x") == "# A\n\nx\n"
    assert with_section("# A\nx\n# B\n", "A", "") == "# A\n\n# B\n"


@pytest.mark.parametrize("heading", ["", "#", "## A", "C D", "not a heading", "## not a heading"])
def test_a_heading_that_is_not_there_is_refused(heading: str) -> None:
    with pytest.raises(InvalidInput, match="heading"):
        with_section(TEXT, heading, "x")


def test_a_heading_that_is_there_twice_is_refused_unless_its_level_tells() -> None:
    with pytest.raises(InvalidInput, match=r"occurs 2 times \(lines 1, 3\)"):
        with_section("# A\nx\n## A\ny\n", "A", "z")
    assert with_section("# A\nx\n## A\ny\n", "## A", "z") == "# A\nx\n## A\n\nz\n"


def test_a_replacement_needs_one_place() -> None:
    assert replaced("one two", "two", "2") == "one 2"
    assert replaced("aXa", "X", "") == "aa"
    with pytest.raises(InvalidInput, match="occurs 2 times"):
        replaced("aaa", "aa", "b")
    with pytest.raises(InvalidInput, match="does not occur"):
        replaced("one", "two", "x")
    with pytest.raises(InvalidInput, match="empty"):
        replaced("one", "", "x")
    with pytest.raises(InvalidInput, match=r"lines 1, .*\.\.\."):
        replaced("x\n" * 20, "x", "y")


def test_line_breaks_take_the_form_of_the_file() -> None:
    windows = "one\r\ntwo\r\n"
    assert replaced(windows, "one\ntwo", "1\n2") == "1\r\n2\r\n"
    assert appended(windows, "three\n") == "one\r\ntwo\r\nthree\r\n"
    assert with_section("# A\r\nx\r\n", "A", "y\nz") == "# A\r\n\r\ny\r\nz\r\n"
    assert replaced("one\ntwo\n", "one\r\ntwo", "1") == "1\n"
    mixed = "one\r\ntwo\n"
    assert like(mixed, "a\r\nb\n") == "a\r\nb\n"


def test_what_is_appended_begins_on_a_line_of_its_own() -> None:
    assert appended("", "x") == "x"
    assert appended("one", "x") == "one\nx"
    assert appended("one\n", "x") == "one\nx"


@given(st.text(st.sampled_from("# \nab`~=-\r"), max_size=60), st.text(st.sampled_from("ab\n"), max_size=10))
def test_a_section_can_be_replaced_again_and_again(text: str, body: str) -> None:
    """Whatever the text, the headings outside the section stay, and a second time changes nothing."""
    found = headings(text)
    names = [one.text for one in found]
    for one in found:
        if one.text and names.count(one.text) == 1:
            once = with_section(text, "#" * one.level + " " + one.text, body)
            assert once.startswith(text[: one.start])
            assert once.endswith(text[one.end :])
