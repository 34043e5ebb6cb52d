"""Meanings: which words can stand for each other, and which say the opposite."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Literal

from quire.text.meaning_tables import CONVERSES, OPPOSITES, RIVALS
from quire.text.same_meanings import LIGHT, SAME
from quire.text.words import tokens

# A part of a word this long stands for it: what follows is its ending.
PREFIX = 5
SHORT = 7
MOSTLY = 0.75
NEGATING = ("un", "in", "im", "ir", "il", "dis", "non", "mis", "не")
JOINING = frozenset({"de", "nl", "sv", "da", "no", "fi"})
Relation = Literal["same", "opposite"]


@dataclass
class Meanings:
    """For each word's key the groups that it is in, those on the other side, and its rivals."""

    groups: dict[str, set[str]] = field(default_factory=dict)
    others: dict[str, set[str]] = field(default_factory=dict)
    converses: dict[str, set[str]] = field(default_factory=dict)
    rivals: dict[str, set[int]] = field(default_factory=dict)
    light: frozenset[str] = frozenset()


@lru_cache(50_000)
def key_of(word: str, language: str | None) -> str:
    """What stands for a word: its stem, or itself where it only carries grammar."""
    stems = tokens(word, language)
    return stems[0] if stems else word.casefold()


@cache
def meanings_in(language: str) -> Meanings:
    found = Meanings(light=frozenset(key_of(word, language) for word in LIGHT.get(language, "").split()))

    def put(table: dict[str, set[str]], words: str, *names: str) -> None:
        for word in words.split():
            for form in (word, *_compared(word)) if language == "en" else (word,):
                table.setdefault(key_of(form, language), set()).update(names)

    for number, group in enumerate(_entries(SAME, language)):
        put(found.groups, group, f"s{number}")
    for number, entry in enumerate(_entries(OPPOSITES, language)):
        one, _, other = entry.partition("|")
        for words, own, opposite in ((one, "a", "b"), (other, "b", "a")):
            put(found.groups, words, f"o{number}{own}")
            put(found.others, words, f"o{number}{opposite}")
    for number, entry in enumerate(_entries(CONVERSES, language)):
        one, _, other = entry.partition("|")
        for words, own, opposite in ((one, "a", "b"), (other, "b", "a")):
            put(found.groups, words, f"c{number}{own}")
            put(found.others, words, f"c{number}{opposite}")
            put(found.converses, words, f"c{number}{opposite}")
    for number, entry in enumerate(_entries(RIVALS, language)):
        for word in entry.split():
            found.rivals.setdefault(key_of(word, language), set()).add(number)
    return found


def _compared(word: str) -> tuple[str, ...]:
    """Forms of an English adjective by which things are compared."""
    if len(word) > SHORT:
        return ()
    base = word[:-1] + "i" if word.endswith("y") else word.removesuffix("e")
    return f"{base}er", f"{base}est", f"{base}{base[-1]}er", f"{base}{base[-1]}est"


def _entries(table: dict[str, str], language: str) -> Iterator[str]:
    return (entry for entry in table.get(language, "").replace("\n", " ").split(";") if entry.strip())


@lru_cache(50_000)
def relation(one: str, other: str, language: str) -> Relation | None:
    """How two keys are related, if they are."""
    if one == other:
        return "same"
    known = meanings_in(language)
    groups = known.groups.get(other, set())
    if known.groups.get(one, set()) & groups:
        return "same"
    if known.others.get(one, set()) & groups or _negates(one, other) or _negates(other, one):
        return "opposite"
    return "same" if _kin(one, other, language) else None


def converse(one: str, other: str, language: str) -> bool:
    """Whether both say the same with their sides exchanged."""
    known = meanings_in(language)
    return bool(known.converses.get(one, set()) & known.groups.get(other, set()))


def rivals(one: str, other: str, language: str) -> bool:
    """Whether they are two things of one kind."""
    known = meanings_in(language).rivals
    return one != other and bool(known.get(one, set()) & known.get(other, set()))


def _negates(one: str, other: str) -> bool:
    return len(other) > 3 and any(
        one.startswith(prefix) and len(one) - len(prefix) > 3 and _begins(one[len(prefix) :], other)
        for prefix in NEGATING
    )


def _begins(one: str, other: str) -> bool:
    return one.startswith(other) or other.startswith(one)


def _kin(one: str, other: str, language: str) -> bool:
    """Whether they begin alike, or the one is a part of the other where words are joined."""
    short, long = sorted((one, other), key=len)
    if len(short) < PREFIX or not short.isalpha() or not long.isalpha():
        return False
    if language in JOINING and (long.startswith(short) or long.endswith(short)):
        return True
    alike = 0
    while alike < len(short) and short[alike] == long[alike]:
        alike += 1
    return alike >= PREFIX and alike >= MOSTLY * len(long)
