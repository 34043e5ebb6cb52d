"""Claims that take a word from one side of a contrast and the rest from the other.

"Sales rose in spring and dropped in autumn" has the words of "Sales rose in autumn", and says the opposite.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quire.text import grammar_words as grammar
from quire.text.alignment import Alignment, Match
from quire.text.meanings import relation
from quire.text.statements import Statement, Word

JOINS = grammar.JOINS | {"before", "after"}
# A clause, and how many of these stand before it.
Segment = tuple[int, int]
# So many words of a claim, and for each so many opposites, are looked at: a text of nothing else takes no longer.
LOOKED_AT, NEAREST = 40, 3
COMPARED = frozenset(["more", "less", "fewer", "most", "least"])


class Contrasts:
    def __init__(self, own: Statement, other: Statement, aligned: Alignment) -> None:
        self._own, self._other = own, other
        self._found, self._matches = aligned.found, aligned.matches
        self._parts, self._segments = _segments(own.words), _segments(other.words)

    def crossed(self) -> bool:
        """Whether a word of the claim has its opposite where most of what the claim says of it stands."""
        plain = [match for match in self._matches.values() if match is not None and not match.opposite][:LOOKED_AT]
        return any(self._is_turned(match) for match in plain if match.own.measure is None) or any(
            all(self._is_turned(Match(word, place, opposite=False)) for place in places[:NEAREST])
            for word in self._own.words[:LOOKED_AT]
            if word.low in COMPARED and not word.content
            if (places := [other for other in self._other.words if other.low == word.low])
        )

    def _is_turned(self, match: Match) -> bool:
        opposites = sorted(self._opposites(match), key=lambda word: abs(word.at - match.other.at))
        return any(self._is_crossed(match, opposite) for opposite in opposites[:NEAREST])

    def _opposites(self, match: Match) -> Iterator[Word]:
        """Words of the same sentence that say the opposite, in another part of it."""
        for word in self._other.words:
            if word.sentence != match.other.sentence or word.measure:
                continue
            if not word.content and word.low not in COMPARED:
                continue
            if self._segments[word.at] == self._segments[match.other.at]:
                continue
            if (
                word.negated == match.other.negated
                and relation(match.own.key, word.key, self._own.language) == "opposite"
            ):
                yield word

    def _is_crossed(self, match: Match, opposite: Word) -> bool:
        here, there = self._segments[match.other.at], self._segments[opposite.at]
        part = self._parts[match.own.at]
        beside = [word for word in self._own.content if self._parts[word.at] == part and word.at != match.own.at]
        beside = beside[:LOOKED_AT]
        shared = self._shared(match.other, opposite)
        places = {
            word.at: {
                self._segments[one.other.at]
                for one in self._found[word.at]
                if not one.opposite and one.other.at not in shared
            }
            for word in beside
        }
        with_it = [word for word in beside if here in places[word.at] and there not in places[word.at]]
        against = [word for word in beside if there in places[word.at] and here not in places[word.at]]
        if len(against) != len(with_it):
            return len(against) > len(with_it)
        # Of what both halves share one may be silent about the rest, but not about who does it.
        first = min((word.at for word in [*with_it, *against]), default=None)
        return first is not None and first < match.own.at and any(word.at == first for word in against)

    def _shared(self, one: Word, other: Word) -> set[int]:
        """Where the half that comes first names who does both: `the red team won the first and lost the second`."""
        first, second = sorted((one, other), key=lambda word: word.at)
        here, there = self._segments[first.at], self._segments[second.at]
        if here[0] != there[0]:
            return set()
        own = [word for word in self._other.words if self._segments[word.at] == there and word.at < second.at]
        if any(word.content for word in own):
            return set()
        return {word.at for word in self._other.words if self._segments[word.at] == here and word.at < first.at}

    def gapped(self) -> bool:
        """Whether the claim gives to the one what the text gives to another, in a clause that leaves out the verb.

        "The tenant pays for light, the landlord for repairs."
        """
        matched = {one.other.at for one in self._matches.values() if one is not None}
        for word in self._own.content:
            if not word.role or not self._found[word.at]:
                continue
            places = [one.other for one in self._found[word.at]]
            clauses = {place.clause for place in places}
            if len(clauses) != 1 or places[0].role != word.role:
                continue
            held = [one for one in self._other.words if one.clause == places[0].clause]
            verbs = [one for one in self._matches.values() if one and one.own.verb and one.own.clause == word.clause]
            elsewhere = any(
                one.other.sentence == places[0].sentence and one.other.clause != places[0].clause for one in verbs
            )
            if not elsewhere or any(one.verb or one.low in grammar.AUXILIARIES for one in held):
                continue
            doers = [one for one in held if one.content and not one.role and one.at < places[0].at]
            if doers and not any(one.at in matched for one in doers):
                return True
        return False


def _segments(words: Sequence[Word]) -> dict[int, Segment]:
    found: dict[int, Segment] = {}
    joins = 0
    for word in words:
        joins += word.low in JOINS
        found[word.at] = (word.clause, joins)
    return found
