"""Compared things: where each of two things that a question compares is spoken of."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cached_property

from quire.domain.passages import PassageHit
from quire.text.forms.question_words import alike
from quire.text.forms.sentences import scored
from quire.text.judging import to_judge
from quire.text.quoted_parts import Part
from quire.text.structure.views import SourceView
from quire.text.words import language_code, query_tokens, tokens

# How surely a part is of a thing: it names it, what stands over or before it does, or its source alone.
SAID, OVER, IN_SOURCE = 2.0, 1.5, 1.0
# So much of a source may say which one it is.
OPENING = 200
# So many words more than a name tell something of it.
TELLING = 2
# Words that stand for a noun.
ONE = ("one", "ones")
# What begins another clause.
CLAUSE = re.compile(r"[.;:,|](?:\s|$)|\n|\s(?:while|whereas|but|und|aber|mais|pero|而)\s")


class Things:
    """Two things by their names, in the passages that were found."""

    def __init__(self, hits: Sequence[PassageHit], views: Sequence[SourceView], things: Sequence[str]) -> None:
        self._hits, self._views, self._things = hits, views, things
        self._known: dict[tuple[str | None, int], tuple[list[str], list[str]]] = {}
        self._sources: dict[str, tuple[bool, bool]] = {}

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of both names, in the languages of the passages."""
        languages = {hit.passage.language for hit in self._hits}
        return frozenset(word for thing in self._things for word in query_tokens(thing, languages))

    def somewhere(self, at: int) -> bool:
        """Whether any passage names a thing."""
        return any(self._in_source(hit)[at] for hit in self._hits)

    def in_text(self, place: int, at: int) -> bool:
        """Whether a passage itself names a thing."""
        return self._names(self._hits[place].passage.text, self._hits[place], at)

    def of_other_only(self, place: int, at: int) -> bool:
        """Whether a passage stands where only the other thing is named: in a heading, or where its source begins."""
        hit = self._hits[place]
        if self.in_text(place, at):
            return False
        heads = (hit.passage.place.heading or "", f"{hit.passage.source_title}\n{self._opening(hit)}")
        return any(self._names(head, hit, 1 - at) and not self._names(head, hit, at) for head in heads)

    def _opening(self, hit: PassageHit) -> str:
        source = hit.passage.source_id
        return next((view.text for view in self._views if view.passage.source_id == source), "")[:OPENING]

    def named(self, part: Part, at: int) -> float:
        """How surely a part is of a thing; below zero where it is of the other."""
        hit = self._hits[part.passage]
        text = hit.passage.text
        own = [self._names(text[part.start : part.end], hit, side) for side in (at, 1 - at)]
        if own[0]:
            return 0.0 if own[1] and self._only_names(text[part.start : part.end], hit) else SAID
        if own[1]:
            return -SAID
        before = text[: part.start].rpartition("\n\n")[2]
        shown = to_judge(scored([hit])[0], part.start, part.end)
        over = [self._names(f"{shown.around} {before} {shown.text}", hit, side) for side in (at, 1 - at)]
        if over[0] != over[1]:
            return OVER if over[0] else -OVER
        if self._of_a_third(hit.passage.place.heading or "", hit):
            return -OVER
        source = self._in_source(hit)
        if source[at] != source[1 - at]:
            return IN_SOURCE if source[at] else -IN_SOURCE
        return 0.0

    def _of_a_third(self, heading: str, hit: PassageHit) -> bool:
        """Whether a heading names neither of two things that are told by their numbers, but another: "Stage 2"."""
        names = [self._name(hit.passage.language, at) for at in (0, 1)]
        if not all(word.isdigit() or len(word) == 1 for own, _ in names for word in own):
            return False
        shared = frozenset(names[0][1]) & frozenset(names[1][1])
        words = frozenset(tokens(heading.rpartition(" > ")[2], hit.passage.language))
        return bool(shared) and shared <= words and not any(self._names(heading, hit, at) for at in (0, 1))

    def under_own_heading(self, part: Part, at: int) -> bool:
        """Whether a part stands under a heading that names one of the things alone."""
        hit = self._hits[part.passage]
        heading = hit.passage.place.heading or ""
        return self._names(heading, hit, at) and not self._names(heading, hit, 1 - at)

    def _only_names(self, text: str, hit: PassageHit) -> bool:
        """Whether a text says next to nothing of the things that it names: "Monday Quick, Tuesday Full"."""
        language = hit.passage.language
        clauses = [clause for clause in CLAUSE.split(text) if clause.strip()]
        naming = [clause for clause in clauses if any(self._names(clause, hit, at) for at in (0, 1))]
        return bool(naming) and all(
            len([word for word in tokens(clause, language) if word not in self.words]) < TELLING for clause in naming
        )

    def said(self, part: Part, at: int) -> bool:
        """Whether a part names a thing and not the other."""
        hit = self._hits[part.passage]
        text = hit.passage.text[part.start : part.end]
        return self._names(text, hit, at) and not self._names(text, hit, 1 - at)

    def aside(self, part: Part, at: int) -> bool:
        """Whether a part names both things, and this one in the other's clause only, behind it."""
        hit = self._hits[part.passage]
        clauses = CLAUSE.split(hit.passage.text[part.start : part.end])
        firsts = [clause for clause in clauses if self._names(clause, hit, at)]
        return bool(firsts) and all(
            self._names(clause, hit, 1 - at) and self._first(clause, hit) == 1 - at for clause in firsts
        )

    def _first(self, clause: str, hit: PassageHit) -> int:
        """Which of both things a text names first."""
        language = hit.passage.language
        words = tokens(clause, language)
        places = [
            min(
                (place for place, word in enumerate(words) if _has(self._name(language, at)[0], word, language)),
                default=0,
            )
            for at in (0, 1)
        ]
        return 0 if places[0] <= places[1] else 1

    def _in_source(self, hit: PassageHit) -> tuple[bool, bool]:
        source = hit.passage.source_id
        if source not in self._sources:
            texts = [one.passage.text for one in self._hits if one.passage.source_id == source]
            texts += [view.text for view in self._views if view.passage.source_id == source]
            lines = {line for text in texts for line in text.splitlines()}
            head = frozenset(tokens(f"{hit.passage.source_title}\n{self._opening(hit)}", hit.passage.language))
            self._sources[source] = (
                self._in_head(head, hit, 0) or any(self._names(line, hit, 0) for line in lines),
                self._in_head(head, hit, 1) or any(self._names(line, hit, 1) for line in lines),
            )
        return self._sources[source]

    def _in_head(self, head: frozenset[str], hit: PassageHit, at: int) -> bool:
        """Whether what a source begins with has a word that tells a thing's name from the other's."""
        own, _ = self._name(hit.passage.language, at)
        return any(len(word) > 1 and not word.isdigit() and _has(head, word, hit.passage.language) for word in own)

    def _names(self, text: str, hit: PassageHit, at: int) -> bool:
        """Whether a text has what tells a thing's name from the other's: most of its own words; what is short or a
        number only behind what stands before it in the name."""
        language = hit.passage.language
        own, name = self._name(language, at)
        said = tokens(text, language)
        if all(len(word) > 1 and not word.isdigit() for word in own):
            known = frozenset(said)
            return 2 * sum(_has(known, word, language) for word in own) > len(own)
        return any(said[place : place + len(name)] == name for place in range(len(said) - len(name) + 1))

    def _name(self, language: str | None, at: int) -> tuple[list[str], list[str]]:
        if (language, at) not in self._known:
            names = [query_tokens(thing, [language]) for thing in self._things]
            own = [word for word in names[at] if word not in names[1 - at] and word not in ONE]
            self._known[language, at] = own or names[at], names[at]
        return self._known[language, at]


def _has(known: Collection[str], word: str, language: str | None) -> bool:
    return word in known or any(alike(word, other, language_code(language) or "en", meant=True) for other in known)
