"""Lines by RE2, and the index of words: it may be behind, but what it rules out does not match."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from quire.adapters.search.lines import Lines, compiled
from quire.adapters.search.texts import TextSearch
from quire.domain.errors import InvalidInput
from quire.domain.searching import needed


@pytest.fixture
def texts(tmp_path: Path) -> Iterator[TextSearch]:
    search = TextSearch(tmp_path / "words.db")
    yield search
    search.close()


def perhaps(texts: TextSearch, pattern: str, hashes: list[str]) -> set[str]:
    """Those of the texts that the index does not rule out."""
    need = needed(pattern)
    if need is None:
        return set(hashes)
    may_hold = texts.perhaps(need)
    return {sha256 for sha256 in hashes if may_hold(sha256)}


def add(texts: TextSearch, *contents: str) -> list[str]:
    hashes = []
    for content in contents:
        data = content.encode()
        hashes.append(hashlib.sha256(data).hexdigest())
        texts.offer(hashes[-1], data)
    texts.settle()
    return hashes


@pytest.mark.parametrize(
    ("pattern", "data", "lines"),
    [
        ("b", b"abc\nxyz\nb", [(1, "abc"), (3, "b")]),
        ("b", b"", []),
        ("", b"one\n\ntwo\n", [(1, "one"), (2, ""), (3, "two")]),
        ("^$", b"one\n\ntwo\n", [(2, "")]),
        ("x*", b"a\nb", [(1, "a"), (2, "b")]),
        ("^b$", b"a\r\nb\r\nc", [(2, "b")]),
        (r"a\s+b", b"a\nb\na b\n", [(3, "a b")]),
        (r"(?s)a.b", b"a\nb\naxb\n", [(3, "axb")]),
        (r"a\nb", b"a\nb", []),
        (r"\Ab", b"a\nb\ncb", [(2, "b")]),
        (r"b\z", b"ab\nbc", [(1, "ab")]),
        ("(?i)É", "é\n".encode(), [(1, "é")]),
        ("x", b"\xff x \xff", [(1, "\ufffd x \ufffd")]),
        ("b.*b", b"b b b\nb", [(1, "b b b")]),
    ],
)
def test_lines_are_found_one_by_one(texts: TextSearch, pattern: str, data: bytes, lines: list[tuple[int, str]]) -> None:
    find = texts.lines(pattern)
    assert find(data, 100) == lines
    assert find.count(data, 100) == len(lines)


@pytest.mark.parametrize("pattern", ["a", r"\Aa"])
def test_lines_stop_at_the_limit(texts: TextSearch, pattern: str) -> None:
    find = texts.lines(pattern)
    data = b"a\n" * 10
    assert [number for number, _ in find(data, 3)] == [1, 2, 3]
    assert find.count(data, 3) == 3


@pytest.mark.parametrize("pattern", ["(", "a**", "[z-a]", r"(a)\1", "(?=a)", "(?:a{1,900}){1,900}", "*"])
def test_a_pattern_that_is_not_valid_is_refused(texts: TextSearch, pattern: str) -> None:
    with pytest.raises(InvalidInput) as error:
        texts.lines(pattern)
    assert error.value.details["field"] == "pattern"


@pytest.mark.parametrize("pattern", [r"(a+)+$", r"(a|a)*b", r"(.*a){20}", r"(x+x+)+y"])
def test_a_pattern_that_would_run_away_elsewhere_ends(texts: TextSearch, pattern: str) -> None:
    assert texts.lines(pattern)(b"a" * 50_000 + b"!" + b"x" * 50_000, 10) in (
        [],
        [(1, "a" * 50_000 + "!" + "x" * 50_000)],
    )


def test_the_index_rules_out_what_lacks_a_word(texts: TextSearch) -> None:
    one, two = add(texts, "OpenDAL is here", "nothing of that kind")
    assert perhaps(texts, "OpenDAL", [one, two]) == {one}
    assert perhaps(texts, "penda", [one, two]) == {one}
    assert perhaps(texts, "is here|kind", [one, two]) == {one, two}
    assert perhaps(texts, "absent", [one, two]) == set()
    assert perhaps(texts, r"\d", [one, two]) == {one, two}


def test_a_text_that_the_index_does_not_know_is_never_ruled_out(texts: TextSearch) -> None:
    (known,) = add(texts, "something")
    perhaps(texts, "something", [known])
    newer = hashlib.sha256(b"nothing").hexdigest()
    texts.offer(newer, b"nothing")
    assert perhaps(texts, "absent", [known, newer, "0" * 64]) == {newer, "0" * 64}


def test_what_waits_at_the_end_is_taken_up_for_a_moment(tmp_path: Path) -> None:
    for number in range(3):
        texts = TextSearch(tmp_path / "words.db")
        data = f"text {number}".encode()
        texts.offer(hashlib.sha256(data).hexdigest(), data)
        texts.close()
    assert sqlite3.connect(tmp_path / "words.db").execute("SELECT count(*) FROM text").fetchone() == (3,)


def test_words_that_nobody_has_listed_are_listed_for_the_next_search(tmp_path: Path) -> None:
    texts = TextSearch(tmp_path / "words.db")
    sha256 = hashlib.sha256(b"something").hexdigest()
    texts.offer(sha256, b"something")
    texts.close()
    later = TextSearch(tmp_path / "words.db")
    try:
        assert perhaps(later, "absent", [sha256]) == {sha256}
        later.settle()
        assert perhaps(later, "absent", [sha256]) == set()
    finally:
        later.close()


def test_texts_without_words_to_speak_of_are_always_read(texts: TextSearch) -> None:
    encoded, script = add(texts, "x" * 5_000, "\ua9b2\ua9a4" * 100)
    assert perhaps(texts, "absent", [encoded, script]) == {encoded, script}


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("图书馆", [0]),
        ("图书", [0, 1]),
        ("书", [0, 1]),
        ("书馆.*Quire", [0]),
        ("Quire的", [0]),
        ("หนังสือ", [2]),
        ("馆图", []),
    ],
)
def test_scripts_without_spaces_are_ruled_out_too(texts: TextSearch, pattern: str, found: list[int]) -> None:
    contents = ["我们的图书馆，和Quire的笔记。" * 50, "一本图书", "ฉันอ่านหนังสือ", "かな"]
    hashes = add(texts, *contents)
    assert perhaps(texts, pattern, hashes) == {hashes[number] for number in found}


def test_an_index_of_another_form_is_made_anew(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "words.db")
    connection.execute("CREATE TABLE text (id INTEGER PRIMARY KEY)")
    connection.execute("PRAGMA user_version = 1")
    connection.close()
    texts = TextSearch(tmp_path / "words.db")
    try:
        assert perhaps(texts, "absent", add(texts, "something")) == set()
    finally:
        texts.close()


def test_words_that_are_everywhere_are_not_asked_for(texts: TextSearch) -> None:
    hashes = add(texts, *(f"a common {number} word" for number in range(1_500)))
    assert perhaps(texts, "common 77 word", hashes) == {hashes[77]}
    assert perhaps(texts, "common|word|absent", hashes) == set(hashes)


def test_the_index_is_shared_between_processes_and_survives(tmp_path: Path, texts: TextSearch) -> None:
    (one,) = add(texts, "something")
    other = TextSearch(tmp_path / "words.db")
    try:
        assert perhaps(other, "absent", [one]) == set()
        (two,) = add(other, "more")
        assert perhaps(other, "absent", [one, two]) == set()
        assert perhaps(texts, "absent", [one, two]) == set()
    finally:
        other.close()


def test_an_index_that_begins_anew_rules_nothing_out_for_those_who_knew_the_old_one(tmp_path: Path) -> None:
    texts, other = TextSearch(tmp_path / "words.db"), TextSearch(tmp_path / "words.db")
    try:
        hashes = add(texts, *(f"text {number}" for number in range(60)))
        for search in (texts, other):
            assert perhaps(search, "text", hashes) == set(hashes)
        texts.tidy(-10_000)
        assert perhaps(other, "text", hashes) == set(hashes)
        assert perhaps(texts, "absent", hashes) == set(hashes)
        assert add(texts, "text 1") == [hashes[1]]
        assert perhaps(other, "absent", hashes) == set(hashes) - {hashes[1]}
    finally:
        texts.close()
        other.close()


def test_a_damaged_index_is_left_aside_and_made_again(tmp_path: Path) -> None:
    (tmp_path / "words.db").write_bytes(b"not a database" * 1000)
    texts = TextSearch(tmp_path / "words.db")
    try:
        assert perhaps(texts, "absent", ["0" * 64]) == {"0" * 64}
        add(texts, "lost")
        (kept,) = add(texts, "something")
        assert perhaps(texts, "absent", [kept]) == set()
        assert sqlite3.connect(tmp_path / "words.db").execute("SELECT count(*) FROM text").fetchone() == (1,)
    finally:
        texts.close()


LETTERS = some.text(some.sampled_from("abkKsſ\u212aéÉ图书，_-. \0\t"), max_size=12)
ATOMS = some.one_of(
    some.sampled_from(
        [
            "a",
            "k",
            "S",
            "ſ",
            "é",
            "图",
            "书",
            "图书",
            "ak-b",
            "_",
            r"\.",
            r"\w",
            r"\s",
            ".",
            "[ak]",
            r"\b",
            "^",
            "$",
            r"\t",
            r"\Qa.b\E",
            " ",
            "-",
        ]
    ),
)
QUANTIFIERS = some.sampled_from(["", "", "", "?", "*", "+", "{2}", "{0,1}", "+?"])


@some.composite
def patterns(draw: some.DrawFn, depth: int = 2) -> str:
    parts = []
    for _ in range(draw(some.integers(1, 5))):
        if depth and draw(some.booleans()):
            inner = "|".join(draw(patterns(depth=depth - 1)) for _ in range(draw(some.integers(1, 2))))
            parts.append(f"({draw(some.sampled_from(['', '?:', '?i:']))}{inner})" + draw(QUANTIFIERS))
        else:
            parts.append(draw(ATOMS) + draw(QUANTIFIERS))
    return draw(some.sampled_from(["", "", "(?i)"])) * (depth == 2) + "".join(parts)


@settings(max_examples=60, deadline=None)
@given(pattern=patterns(), contents=some.lists(LETTERS, min_size=1, max_size=5))
def test_what_the_index_rules_out_does_not_match(
    tmp_path_factory: pytest.TempPathFactory, pattern: str, contents: list[str]
) -> None:
    texts = TextSearch(tmp_path_factory.mktemp("index") / "words.db")
    try:
        try:
            find = texts.lines(pattern)
        except InvalidInput:
            return
        hashes = add(texts, *contents)
        left = perhaps(texts, pattern, hashes)
        for sha256, content in zip(hashes, contents, strict=True):
            assert sha256 in left or find(content.encode(), 1) == []
    finally:
        texts.close()


@settings(max_examples=150, deadline=None)
@given(pattern=patterns(), lines=some.lists(LETTERS, min_size=1, max_size=8))
def test_lines_are_those_that_match_by_themselves(pattern: str, lines: list[str]) -> None:
    try:
        find = Lines(pattern)
    except InvalidInput:
        return
    alone = compiled(pattern)
    expected = [(number, line) for number, line in enumerate(lines, 1) if alone.search(line.encode())]
    data = "\n".join([*lines, ""]).encode()
    assert find(data, 100) == expected
    assert find.count(data, 100) == len(expected)
