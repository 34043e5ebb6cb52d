"""Globs in one dialect, and what a regex cannot match without."""

from __future__ import annotations

import pytest

from quire.adapters.search.lines import whole
from quire.domain.errors import InvalidInput
from quire.domain.searching import Either, Every, Word, glob_regex, needed

PATHS = [
    "book.yaml",
    "chapters/chapter-01/.summary.md",
    "lessons/a.md",
    "lessons/part-1/b.md",
    "lessons/part-1/deep/c.md",
    "lessons/part-1/deep/c.mdx",
    "top.md",
]


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("**/*.md", [1, 2, 3, 4, 6]),
        ("*.md", [6]),
        ("*", [0, 6]),
        ("**", [0, 1, 2, 3, 4, 5, 6]),
        ("lessons/**/*.md", [2, 3, 4]),
        ("lessons/*.md", [2]),
        ("lessons/*/*.md", [3]),
        ("lessons/**", [2, 3, 4, 5]),
        ("chapters/chapter-01/*", [1]),
        ("**/.summary.md", [1]),
        ("lessons/?.md", [2]),
        ("lessons/part-?/**/c.*", [4, 5]),
        ("**/deep/**", [4, 5]),
        ("less**/a.md", [2]),
        ("lessons/part-1", []),
        ("[lt]op.md", []),
        ("top.m.", []),
        ("TOP.md", []),
    ],
)
def test_a_glob_finds_what_its_dialect_says(pattern: str, found: list[int]) -> None:
    matches = whole(glob_regex(pattern))
    assert [path for path in PATHS if matches(path)] == [PATHS[number] for number in found]


@pytest.mark.parametrize("pattern", ["", "/lessons/*.md", "x" * 1001])
def test_a_glob_that_cannot_be_meant_is_refused(pattern: str) -> None:
    with pytest.raises(InvalidInput) as error:
        glob_regex(pattern)
    assert error.value.details["field"] == "pattern"


def word(text: str, begins: bool = False, ends: bool = False) -> Word:
    return Word(text, begins, ends)


@pytest.mark.parametrize(
    ("pattern", "need"),
    [
        ("OpenDAL", word("opendal")),
        ("Open DAL", Every((word("open", ends=True), word("dal", begins=True)))),
        ("a-b_c-d", Every((word("a", ends=True), word("b_c", True, True), word("d", begins=True)))),
        ("one|two", Either((word("one"), word("two")))),
        ("one|.*", None),
        (r"colou?r", Every((word("colo"), word("r")))),
        (r"ab+c", Every((word("ab"), word("c")))),
        (r"ab{0,2}c", Every((word("a"), word("c")))),
        (r"x{,2}y", Every((word("x", ends=True), word("2", True, True), word("y", begins=True)))),
        (r"(?:left|right)side", Every((Either((word("left"), word("right"))), word("side")))),
        (r"(?:left)?side", word("side")),
        (r"[Oo]penDAL\s+v\d", Every((word("pendal"), word("v")))),
        (r"[]a]bc[[:alpha:]x]d", Every((word("bc"), word("d")))),
        (r"\bword\b", word("word")),
        (r"1\.5", Every((word("1", ends=True), word("5", begins=True)))),
        (r"\Qa.b\E", Every((word("a", ends=True), word("b", begins=True)))),
        (r"(?i)Straße", Every((word("stra"), word("e")))),
        (r"Straße", word("straße")),
        (r"(?i)taſK", Every((word("ta"), word("k")))),
        (r"taſK", word("task")),
        (r"\x41bc", None),
        (r"\d+", None),
        (r".*", None),
        (r"(?P<name>abc)d", Every((word("abc"), word("d")))),
    ],
)
def test_a_regex_is_read_for_the_words_it_needs(pattern: str, need: object) -> None:
    assert needed(pattern) == need
