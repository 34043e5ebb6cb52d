"""Searching books: what is found, the one dialect of globs, and what a regex cannot match without."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import Field

from quire.domain.books import Fact
from quire.domain.errors import InvalidInput
from quire.domain.pages import Page

PATTERN_LIMIT = 1_000
MOST_RESULTS = 1_000

GlobPattern = Annotated[
    str,
    Field(
        description="`**` for any folders, `*` and `?` inside one name; hidden files are found too.",
        examples=["lessons/**/*.md"],
        json_schema_extra={"minLength": 1, "maxLength": PATTERN_LIMIT},
    ),
]
LinePattern = Annotated[
    str,
    Field(
        description="A regular expression in RE2's syntax, for one line at a time.",
        examples=["OpenDAL"],
        json_schema_extra={"minLength": 1, "maxLength": PATTERN_LIMIT},
    ),
]
MaxResults = Annotated[int, Field(ge=1, le=MOST_RESULTS, description="How many lines to give at most.")]
AllBooks = Annotated[bool, Field(description="Search all books that you can read, not only this one.")]
ResumeAt = Annotated[str, Field(max_length=400, description="Where the page before ended: its cursor.")]


class LineFound(Fact):
    """A line of a Markdown file that the pattern matches."""

    file_path: str
    line_number: int
    matched_line: str


class PathsFound(Page[str]):
    """Stored paths, sorted."""


class LinesFound(Page[LineFound]):
    """Lines in the order of their files; of very many, `total` is only how many there are `at_least`."""

    at_least: bool = False


class Scanned(Fact):
    """The end of a stream of lines: how many there were, and in how many files."""

    lines: int
    files: int


def check_pattern(pattern: str) -> str:
    if not 1 <= len(pattern) <= PATTERN_LIMIT:
        raise InvalidInput(f"pattern: must have 1 to {PATTERN_LIMIT} characters.", field="pattern")
    return pattern


def glob_regex(pattern: str) -> str:
    """A glob as a regex for whole paths; `**` between slashes stands for any folders, none included."""
    check_pattern(pattern)
    if pattern.startswith("/"):
        raise InvalidInput("pattern: is relative to the book, without a leading slash.", field="pattern")
    segments = pattern.split("/")
    parts: list[str] = []
    for number, segment in enumerate(segments):
        last = number == len(segments) - 1
        if segment == "**":
            parts.append(".*" if last else "(?:.*/)?")
        else:
            parts.append(_inside(segment) + ("" if last else "/"))
    return "".join(parts)


def _inside(segment: str) -> str:
    wild = {"*": "[^/]*", "?": "[^/]"}
    return "".join(wild.get(character) or re.escape(character) for character in re.sub(r"\*+", "*", segment))


@dataclass(frozen=True)
class Word:
    """A piece of a word that must be there; `begins` and `ends` say where the word does.

    `exact` is how it is written, where that is certain too.
    """

    text: str
    begins: bool
    ends: bool
    exact: str = field(default="", compare=False)


@dataclass(frozen=True)
class Every:
    of: tuple[Need, ...]


@dataclass(frozen=True)
class Either:
    of: tuple[Need, ...]


Need = Word | Every | Either

# Words as the index has them. The two letters are those that a regex without case takes for ASCII ones.
TOKEN = re.compile(r"[0-9a-z_\x80-\U0010ffff]+")
FOLDED = {ord(upper): upper.lower() for upper in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"} | {0x17F: "s", 0x212A: "k"}

# Scripts that put no spaces between words: Thai to Tibetan, Burmese, Khmer, Chinese, Japanese, and their marks. A
# run of these is taken for words of two characters, each of which begins where the one before has its second.
UNSPACED = re.compile(
    "[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u2e80-\u31ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef"
    "\U00020000-\U0003ffff]+"
)

REPEAT = re.compile(r"\{(\d+)(?:,\d*)?\}")
FLAGS = re.compile(r"\?[a-zA-Z-]*[:)]")
NAMED = re.compile(r"\?P?<\w+>")
CLASS = re.compile(r"\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]", re.DOTALL)
PROPERTY = re.compile(r"[pP](?:\{[^}]*\}|.)")
CONTROL = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "a": "\a"}


def folded(text: str) -> str:
    return text.translate(FOLDED)


def needed(pattern: str) -> Need | None:
    """What every line that a regex matches holds; None where nothing is certain."""
    try:
        reader = _Reader(pattern)
        need = reader.alternatives()
        return need if reader.at == len(pattern) else None
    except (_Unclear, IndexError, RecursionError):
        return None


class _Unclear(Exception):
    """Something in a regex that is not worth understanding."""


class _Reader:
    """Reads a regex for what it needs. Whatever it does not follow makes it know less, never more."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.caseless = any("i" in flags.group() for flags in FLAGS.finditer(pattern))

    def alternatives(self) -> Need | None:
        branches = [self._branch()]
        while self._peek() == "|":
            self.at += 1
            branches.append(self._branch())
        if any(branch is None for branch in branches):
            return None
        known = tuple(branch for branch in branches if branch is not None)
        return known[0] if len(known) == 1 else Either(known)

    def _branch(self) -> Need | None:
        needs: list[Need] = []
        run = ""
        while (character := self._peek()) not in ("", "|", ")"):
            literal: str | None = None
            group: Need | None = None
            if character == "\\":
                literal = self._escape()
            elif character == "[":
                self._skip(CLASS)
            elif character == "(":
                group = self._group()
            else:
                self.at += 1
                literal = None if character in ".^$" else character
            if literal and self.caseless and not literal.isascii():
                literal = None
            least = self._least()
            if literal is not None and least is None:
                run += literal
                continue
            needs += _words(run + (literal if literal and least else ""), exact=not self.caseless)
            run = ""
            if group is not None and least != 0:
                needs.append(group)
        needs += _words(run, exact=not self.caseless)
        return (needs[0] if len(needs) == 1 else Every(tuple(needs))) if needs else None

    def _group(self) -> Need | None:
        self.at += 1
        if self._peek() == "?":
            found = NAMED.match(self.pattern, self.at) or FLAGS.match(self.pattern, self.at)
            if found is None:
                raise _Unclear
            self.at = found.end()
            if found.group().endswith(")"):
                return None
        need = self.alternatives()
        if self._peek() != ")":
            raise _Unclear
        self.at += 1
        return need

    def _escape(self) -> str | None:
        """The literal that an escape stands for; None for a class; empty where it has no width."""
        character = self.pattern[self.at + 1]
        if character == "Q":
            end = self.pattern.find("\\E", self.at)
            text = self.pattern[self.at + 2 : end if end >= 0 else len(self.pattern)]
            self.at = end + 2 if end >= 0 else len(self.pattern)
            # A repetition after it would be of its last character only.
            return None if self._peek() in ("*", "+", "?", "{") else text
        if character in "pP":
            self.at += 1
            self._skip(PROPERTY)
            return None
        self.at += 2
        if character in "bBAz":
            return ""
        if character in "dDwWsSC":
            return None
        if character in CONTROL:
            return CONTROL[character]
        if character.isalnum():
            raise _Unclear
        return character

    def _least(self) -> int | None:
        """How often at least what was just read must occur; None where it is not repeated."""
        least: int | None = None
        while True:
            character = self._peek()
            repeat = REPEAT.match(self.pattern, self.at) if character == "{" else None
            if character in ("*", "?") and character:
                self.at, this = self.at + 1, 0
            elif character == "+":
                self.at, this = self.at + 1, 1
            elif repeat:
                self.at, this = repeat.end(), int(repeat[1])
            else:
                return least
            # A question mark after a repetition only makes it lazy; taking it for "perhaps" knows less, not more.
            least = min(this, 1 if least is None else least)

    def _skip(self, what: re.Pattern[str]) -> None:
        found = what.match(self.pattern, self.at)
        if found is None:
            raise _Unclear
        self.at = found.end()

    def _peek(self) -> str:
        return self.pattern[self.at : self.at + 1]


def spaced(text: str) -> str:
    """A text in which all words stand apart, those of scripts without spaces too."""
    return UNSPACED.sub(lambda found: f" {' '.join(pairs(found.group()))} ", text)


def pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


def literals(need: Need | None) -> list[str]:
    """Texts of which every match holds one as it is written; none where that is not certain."""
    if isinstance(need, Word):
        return [need.exact] if len(need.exact.encode()) > 2 else []
    if isinstance(need, Every):
        known = [found for part in need.of if (found := literals(part))]
        return min(known, key=lambda found: (len(found), -min(map(len, found))), default=[])
    if isinstance(need, Either):
        branches = [literals(part) for part in need.of]
        return [text for branch in branches for text in branch] if all(branches) else []
    return []


def _words(run: str, *, exact: bool) -> list[Need]:
    text = folded(run)
    words: list[Need] = []

    def add(start: int, end: int, *, begins: bool, ends: bool) -> None:
        words.append(Word(text[start:end], begins, ends, run[start:end] if exact else ""))

    for found in TOKEN.finditer(text):
        at = found.start()
        for unspaced in UNSPACED.finditer(text, at, found.end()):
            if at < unspaced.start():
                add(at, unspaced.start(), begins=at > 0, ends=True)
            start, at = unspaced.span()
            # One alone may be the first or the second of a pair.
            if at - start == 1:
                add(start, at, begins=False, ends=False)
            for first in range(start, at - 1):
                add(first, first + 2, begins=True, ends=True)
        if at < found.end():
            add(at, found.end(), begins=at > 0, ends=found.end() < len(text))
    return words
