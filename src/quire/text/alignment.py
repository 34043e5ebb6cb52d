"""Where the words of a claim stand in a text."""

from __future__ import annotations

from typing import NamedTuple

from quire.text import grammar_words as grammar
from quire.text.meanings import meanings_in, relation
from quire.text.statements import Statement, Word

CANDIDATES = 6
NEAR = 4
OTHER_SENTENCE = 8
OTHER_SIDE = 3
MUCH = 2.5


class Match(NamedTuple):
    """A word of a claim, and the word of the text that it is compared with."""

    own: Word
    other: Word
    opposite: bool


class Alignment:
    """For each content word of a claim the words that it may be compared with (`found`), and the one whose neighbours
    are the claim's own (`matches`)."""

    def __init__(self, own: Statement, other: Statement) -> None:
        self._own = own
        self._other = other
        self._language = own.language
        self._known = meanings_in(own.language)
        self._keys: dict[str, list[Word]] = {}
        self._groups: dict[str, list[Word]] = {}
        self._joins: dict[int, int] = {}
        joins = 0
        for word in other.words:
            self._keys.setdefault(word.key, []).append(word)
            joins += word.low in grammar.JOINS
            self._joins[word.at] = joins
            for group in self._known.groups.get(word.key, ()):
                self._groups.setdefault(group, []).append(word)
        self.found = {word.at: self._candidates(word) for word in own.content}
        self.matches = {word.at: self._match(word) for word in own.content}

    def _candidates(self, word: Word) -> list[Match]:
        if word.measure is not None:
            meets = [other for other in self._other.words if other.measure and word.measure.meets(other.measure)]
            return [Match(word, other, opposite=False) for other in meets[:CANDIDATES]]
        same = list(self._keys.get(word.key, ()))
        for group in self._known.groups.get(word.key, ()):
            same += self._groups.get(group, ())
        opposite = [one for group in self._known.others.get(word.key, ()) for one in self._groups.get(group, ())]
        if not same:
            for key, others in self._keys.items():
                if others[0].content and not others[0].measure:
                    related = relation(word.key, key, self._language)
                    (same if related == "same" else opposite if related == "opposite" else []).extend(others)
        if not same and word.name and word.low.isalpha() and 2 <= len(word.low) <= 6:
            same = self._initials(word)
        alike = {one.at for one in same}
        found = [Match(word, one, opposite=False) for one in {one.at: one for one in same}.values()]
        found += [Match(word, one, opposite=True) for one in opposite if one.at not in alike]
        return found[: 2 * CANDIDATES]

    def _initials(self, word: Word) -> list[Word]:
        """The first word of a name that these are the initials of."""
        words = [one for one in self._other.words if one.content]
        for at in range(len(words) - len(word.low) + 1):
            if "".join(one.low[0] for one in words[at : at + len(word.low)]) == word.low:
                return [words[at]]
        return []

    def _match(self, word: Word) -> Match | None:
        found = self.found[word.at]
        if len(found) < 2:
            return found[0] if found else None
        scored = [(self.nearness(word, match.other), match) for match in found]
        same = max(((score, match) for score, match in scored if not match.opposite), default=None, key=_first)
        opposite = max(((score, match) for score, match in scored if match.opposite), default=None, key=_first)
        if same is None or (opposite is not None and opposite[0] > MUCH * same[0]):
            return opposite[1] if opposite else None
        return same[1]

    def nearness(self, word: Word, other: Word) -> float:
        """How near the claim's neighbours of a word are to a place in the text."""
        total = 0.0
        for neighbour in self._own.content:
            apart = abs(neighbour.at - word.at)
            if neighbour is word or apart > 2 * NEAR or not self.found.get(neighbour.at):
                continue
            nearest = min(
                self._distance(word, other, neighbour, match.other) for match in self.found[neighbour.at][:CANDIDATES]
            )
            total += 1 / (1 + nearest) / apart
        return total

    def _distance(self, word: Word, other: Word, neighbour: Word, place: Word) -> int:
        apart = abs(place.at - other.at)
        if place.sentence != other.sentence:
            return apart + OTHER_SENTENCE
        turned = (neighbour.at < word.at) != (place.at < other.at)
        joined = self._joins[place.at] != self._joins[other.at]
        return apart + OTHER_SIDE * (turned + (place.clause != other.clause) + joined)


def _first(pair: tuple[float, Match]) -> float:
    return pair[0]
