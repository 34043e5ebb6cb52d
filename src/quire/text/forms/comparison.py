"""Comparisons: what is said of one thing and what of the other, each looked for by itself and both together."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

from quire.domain.passages import PassageHit
from quire.text.asked import Asked, asked_of
from quire.text.check_citations import Draft
from quire.text.compared import alone
from quire.text.forms.compared_things import IN_SOURCE, OVER, Things
from quire.text.forms.sentences import chosen_sentences, nearby
from quire.text.makers import WritingTask
from quire.text.question_tables import Kind
from quire.text.questions import ARTICLE
from quire.text.quoted_parts import Part
from quire.text.quotes import draft_of_quotes
from quire.text.sentence_choice import PASSAGES, SentenceChoice
from quire.text.words import tokens

RANKED = 12
TABLE = re.compile(r"^\|.*(?:\n\|.*)+", re.MULTILINE)
TABLE_SUPPORT = 0.8
# So many passages are looked for where none of those found names a thing.
FURTHER = 3
# What a sentence that was not among the best is taken to have of the best one's trust, as a logarithm.
UNRANKED = -6.0
# What counts beside how surely a sentence answers alone: that it answers the whole question, that it speaks of the
# thing, that it is like what is said of the other, that both stand under headings of their own.
IN_WHOLE, NAMED, ALIKE, OWN_HEADINGS = 0.75, 1.5, 3.0, 1.0
# So much alike to what is said of one thing, a sentence is told of the other though nothing else speaks for it.
TWINS = 0.3
FIGURE = re.compile(r"\d")


def comparison(task: WritingTask, asked: Asked) -> Draft | None:
    if asked.kind != "comparison" or len(asked.things) != 2:
        return None
    hits = task.hits[:PASSAGES]
    whole = chosen_sentences(task, asked, parts=RANKED)
    table = next(_tables(hits, asked.things), None)
    if table is not None:
        return draft_of_quotes(hits, [table], max(whole.confidence, TABLE_SUPPORT))
    return _Sides(task, asked, whole).draft()


@dataclass(frozen=True)
class _Side:
    """What answers the question about one thing alone."""

    at: int
    choice: SentenceChoice

    @cached_property
    def parts(self) -> list[Part]:
        return [*self.choice.parts, *self.choice.more]


class _Sides:
    def __init__(self, task: WritingTask, asked: Asked, whole: SentenceChoice) -> None:
        self._task, self._asked, self._whole = task, asked, whole
        self._told = [*whole.parts, *whole.more]
        self._alone = alone(asked.question)
        self._bare = all(asked_of(question).kind == "definition" for question in self._alone)
        self._hits = [*task.hits, *self._further(Things(task.hits, task.views, asked.things))]
        self._things = Things(self._hits, task.views, asked.things)
        added = range(len(task.hits), len(self._hits))
        self._pool = [*range(min(PASSAGES - len(added), len(task.hits))), *added]

    def draft(self) -> Draft | None:
        sides = [self._side(at) for at in (0, 1)]
        pair = self._best(*sides)
        if pair is None:
            return None
        quotes, support = self._quotes(sides, pair)
        if not quotes:
            return None
        draft = draft_of_quotes(self._hits, [(part.passage, part.start, part.end) for part in quotes], support)
        others = [part for part in self._told if not any(_overlap(part, quote) for quote in quotes)]
        added = tuple(self._hits[len(self._task.hits) :])
        return replace(draft, sure=False, more=nearby(self._hits, others), added=added)

    def _further(self, things: Things) -> list[PassageHit]:
        """Passages that name a thing which none of those found does."""
        if self._task.reader is None:
            return []
        known = {hit.passage.id for hit in self._task.hits}
        found: dict[int, PassageHit] = {}
        for at, question in enumerate(self._alone):
            if not things.somewhere(at):
                hits = self._task.reader.search(question, FURTHER + len(known))
                fresh = [hit for hit in hits if hit.passage.id not in known]
                found |= {hit.passage.id: hit for hit in fresh[:FURTHER]}
        return list(found.values())

    def _side(self, at: int) -> _Side:
        """What is said of a thing where it may be spoken of."""
        pool = self._pool
        if self._alone[at] != self._asked.question:
            pool = [place for place in pool if not self._things.of_other_only(place, at)] or pool
            # Not all of many passages are read.
            pool = sorted(pool, key=lambda place: not self._things.in_text(place, at))
        asked = asked_of(self._alone[at])
        kind: Kind = "definition" if asked.kind == "definition" else "fact"
        wanted = "thing" if kind == "definition" else self._asked.wanted
        asked = replace(asked, kind=kind, wanted=wanted, things=(), parts=())
        choice = chosen_sentences(replace(self._task, hits=[self._hits[place] for place in pool]), asked, parts=RANKED)
        parts = [part._replace(passage=pool[part.passage]) for part in choice.parts]
        more = [part._replace(passage=pool[part.passage]) for part in choice.more]
        return _Side(at, choice._replace(parts=parts, more=more))

    def _best(self, one: _Side, other: _Side) -> tuple[Part, Part] | None:
        def of_side(part: Part, side: _Side) -> float:
            return (
                _trust(part, side.parts)
                + IN_WHOLE * _trust(part, self._told)
                + NAMED * self._things.named(part, side.at)
            )

        ones = [(part, of_side(part, one)) for part in self._candidates(one)]
        others = [(part, of_side(part, other)) for part in self._candidates(other)]
        best = max(
            product(ones, others),
            key=lambda pair: pair[0][1] + pair[1][1] + self._together(pair[0][0], pair[1][0]),
            default=None,
        )
        return (best[0][0], best[1][0]) if best else None

    def _candidates(self, side: _Side) -> list[Part]:
        fresh = [part for part in self._told if not any(_overlap(part, own) for own in side.parts)]
        return [*side.parts, *fresh]

    def _together(self, one: Part, other: Part) -> float:
        """What two parts gain by each other: they say the same of both things, or each stands under its own heading."""
        apart = self._things.under_own_heading(one, 0) and self._things.under_own_heading(other, 1)
        return ALIKE * self._alike(one, other) + OWN_HEADINGS * apart

    def _alike(self, one: Part, other: Part) -> float:
        """How far two parts say the same of different things."""
        if _overlap(one, other):
            return 0.0
        shapes = [self._shape(part) for part in (one, other)]
        return len(shapes[0] & shapes[1]) / (len(shapes[0] | shapes[1]) or 1)

    def _shape(self, part: Part) -> frozenset[str]:
        passage = self._hits[part.passage].passage
        words = tokens(passage.text[part.start : part.end], passage.language)
        return frozenset(FIGURE.sub("0", word) for word in words) - self._things.words

    def _quotes(self, sides: Sequence[_Side], pair: tuple[Part, Part]) -> tuple[list[Part], float]:
        refused = self._whole.refused
        if refused and any(side.choice.refused for side in sides):
            return [], 0.0
        support = min(side.choice.confidence for side in sides) if refused else self._whole.confidence
        if _overlap(*pair):
            one, other = pair
            both = one._replace(start=min(one.start, other.start), end=max(one.end, other.end))
            return [both, *self._named_aside(sides, both)], support
        twins = self._alike(*pair) >= TWINS
        told = [part for side, part in zip(sides, pair, strict=True) if twins or self._is_told(side, part)]
        return sorted(told, key=lambda part: -_trust(part, self._told)), support

    def _is_told(self, side: _Side, part: Part) -> bool:
        """Whether a part is told of a thing: it answers, or speaks of it in an answer to the whole question."""
        if not side.choice.refused:
            return True
        # A question that only compares leaves nothing to ask of one thing alone but what it is.
        ranked = self._bare or _trust(part, self._told) > UNRANKED
        return self._things.named(part, side.at) >= (IN_SOURCE if ranked else OVER)

    def _named_aside(self, sides: Sequence[_Side], both: Part) -> list[Part]:
        """What is said of a thing that a part names only beside the other: "The treasurer may not be the steward"."""
        for side in sides:
            if self._things.aside(both, side.at):
                own = [part for part in side.parts if not _overlap(part, both) and self._things.said(part, side.at)]
                return own[:1]
        return []


def _trust(part: Part, ranked: Sequence[Part]) -> float:
    """How much less than the best a part is trusted."""
    best = max((one.score for one in ranked), default=1.0)
    own = max((one.score for one in ranked if _overlap(one, part)), default=0.0)
    return max(UNRANKED, math.log(own / best)) if own > 0 else UNRANKED


def _overlap(one: Part, other: Part) -> bool:
    return one.passage == other.passage and one.start < other.end and other.start < one.end


def _tables(hits: Sequence[PassageHit], things: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Tables that have a column for each thing."""
    for at, hit in enumerate(hits):
        for table in TABLE.finditer(hit.passage.text):
            head = [cell.strip(" *`").casefold() for cell in table.group().partition("\n")[0].split("|")]
            if all(ARTICLE.sub("", thing).casefold() in head for thing in things):
                yield at, table.start(), table.end()
