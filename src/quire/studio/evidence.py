"""Evidence: what sources say, in chapters by source, section or topic, the best first.

Nothing is drawn by lot: the same sources give the same evidence.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from quire.studio.points import Point, ReadSource, SourceList, SourceTable, read_source, spoken_language
from quire.studio.source_text import SourceText
from quire.text.labelling import find_topics
from quire.text.topic_names import spoken

# So many characters are read, of all sources together and of one at least.
READ, READ_EACH = 2_000_000, 12_000
# More sources than this are told of by topic.
BY_SOURCE = 8
SPOKEN = 12_000
# A word that was told already counts so much when it is told again; what shares more words is a repetition.
AGAIN, SAME, FEWEST_SHARED = 0.3, 0.5, 3
LATER, OPENS, DEFINES, FOUND = 0.015, 0.25, 0.35, 1.5
LONG, LONG_COSTS = 240, 0.7
SHORT, SHORT_COSTS = 50, 0.8
PERSONAL_COSTS = 0.4


@dataclass(frozen=True)
class Hit:
    """A span of a source that a search for the instructions found, and how well it fits, up to 1."""

    source_id: str
    start: int
    end: int
    score: float


@dataclass(frozen=True)
class Chapter:
    """What belongs together: points in reading order, and chapters within."""

    title: str
    points: tuple[Point, ...]
    tables: tuple[SourceTable, ...] = ()
    lists: tuple[SourceList, ...] = ()
    parts: tuple[Chapter, ...] = ()

    def all_points(self) -> list[Point]:
        return [*self.points, *(point for part in self.parts for point in part.all_points())]

    def all_tables(self) -> list[SourceTable]:
        return [*self.tables, *(table for part in self.parts for table in part.all_tables())]

    def all_lists(self) -> list[SourceList]:
        return [*self.lists, *(one for part in self.parts for one in part.all_lists())]


@dataclass
class Evidence:
    """All that an artifact may be made of. `focus` are the spans that fit its instructions best."""

    sources: Sequence[SourceText]
    chapters: Sequence[Chapter]
    focus: Sequence[Hit] = ()
    language: str = "en"
    _weights: dict[str, float] = field(default_factory=dict)

    @property
    def points(self) -> list[Point]:
        return [point for chapter in self.chapters for point in chapter.all_points()]

    @property
    def tables(self) -> list[SourceTable]:
        return [table for chapter in self.chapters for table in chapter.all_tables()]

    @property
    def lists(self) -> list[SourceList]:
        return [one for chapter in self.chapters for one in chapter.all_lists()]

    def choice(self) -> Choice:
        """Chooses points for one artifact, none like another."""
        return Choice(self)

    def weights(self) -> dict[str, float]:
        """How much each word tells of the whole."""
        if not self._weights:
            counts = Counter(word for point in self.points for word in point.words)
            self._weights = {word: math.log(count) if count > 1 else 0.1 for word, count in counts.items()}
        return self._weights

    def fit(self, point: Point) -> float:
        """How well a point fits the instructions, from 0 to 1; 0 where nothing was found for them."""
        return max(
            (
                hit.score
                for hit in self.focus
                if hit.source_id == point.source.id and hit.start < point.end and point.start < hit.end
            ),
            default=0.0,
        )


class Choice:
    """Remembers what was chosen, so that nothing is told twice."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self._weights = dict(evidence.weights())
        self._told: list[frozenset[str]] = []

    def best(self, points: Sequence[Point], limit: int) -> list[Point]:
        """So many points that tell most and differ from all that was chosen before, in reading order."""
        chosen: list[tuple[int, Point]] = []
        rest = [(place, point) for place, point in enumerate(points) if not self.repeats(point.words)]
        while rest and len(chosen) < limit:
            place, point = max(rest, key=lambda one: (self._worth(one[1], one[0]), -one[0]))
            chosen.append((place, point))
            self.tell(point.words)
            rest = [(at, one) for at, one in rest if at != place and not alike(one.words, point.words)]
        return [point for _, point in sorted(chosen, key=lambda one: one[0])]

    def tell(self, words: frozenset[str]) -> None:
        self._told.append(words)
        for word in words:
            if word in self._weights:
                self._weights[word] *= AGAIN

    def repeats(self, words: frozenset[str]) -> bool:
        return any(alike(words, told) for told in self._told)

    def _worth(self, point: Point, place: int) -> float:
        whole = sum(self._weights.get(word, 0.1) for word in point.words) / math.sqrt(len(point.words) + 4)
        whole *= 1 + OPENS * point.opens + DEFINES * bool(point.defines)
        whole *= LONG_COSTS if len(point.text) > LONG else SHORT_COSTS if len(point.text) < SHORT else 1.0
        whole *= PERSONAL_COSTS if point.personal else 1.0
        return whole * (1 + FOUND * self._evidence.fit(point)) / (1 + LATER * place)


def alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two points say much the same."""
    return one == other or len(one & other) >= max(FEWEST_SHARED, SAME * min(len(one), len(other)))


def gathered(sources: Sequence[SourceText], focus: Sequence[Hit] = ()) -> Evidence:
    """The evidence of some sources. Not to be called on the event loop."""
    told = [source for source in sources if source.text.strip()]
    most = max(READ_EACH, READ // max(1, len(told)))
    read = [read_source(source, most) for source in told]
    language = spoken_language(told)
    if len(read) == 1:
        whole = sections(read[0])
        chapters = _split(whole)
    elif len(read) <= BY_SOURCE:
        chapters = [sections(one) for one in read]
    else:
        chapters = _by_topic(read)
    chapters = [chapter for chapter in chapters if chapter.all_points() or chapter.all_tables() or chapter.all_lists()]
    return Evidence(told, chapters, focus, language)


def sections(read: ReadSource) -> Chapter:
    """A source as a chapter, its sections as parts of it."""
    return _nested(read.source.name, read.points, read.tables, read.lists, 0)


def _nested(
    title: str,
    points: Sequence[Point],
    tables: Sequence[SourceTable],
    lists: Sequence[SourceList],
    depth: int,
) -> Chapter:
    """What stands under a heading, by the headings below it."""
    everything: list[Point | SourceTable | SourceList] = [*points, *tables, *lists]
    names = dict.fromkeys(one.path[depth] for one in everything if len(one.path) > depth)
    if len(names) == 1 and all(len(one.path) > depth for one in everything):
        # One heading over all of it is its title, and parts nothing.
        return _nested(title, points, tables, lists, depth + 1)
    parts = [
        _nested(
            name,
            [one for one in points if one.path[depth : depth + 1] == (name,)],
            [one for one in tables if one.path[depth : depth + 1] == (name,)],
            [one for one in lists if one.path[depth : depth + 1] == (name,)],
            depth + 1,
        )
        for name in names
    ]
    return Chapter(
        title,
        tuple(one for one in points if len(one.path) <= depth),
        tuple(one for one in tables if len(one.path) <= depth),
        tuple(one for one in lists if len(one.path) <= depth),
        tuple(parts),
    )


def _split(whole: Chapter) -> list[Chapter]:
    """A source's own sections as chapters; what stands before the first is a chapter of its title."""
    if not whole.parts:
        return [whole]
    opening = Chapter(whole.title, whole.points, whole.tables, whole.lists)
    return [opening, *whole.parts]


def _by_topic(read: Sequence[ReadSource]) -> list[Chapter]:
    """Sources that are about the same as one chapter; those like no other each as their own, after them."""
    texts = [spoken(one.source.name, one.source.text[:SPOKEN], one.source.language) for one in read]
    topics = find_topics(texts, [])
    chapters: list[Chapter] = []
    seen: set[int] = set()
    for topic in topics:
        seen.update(topic.members)
        parts = tuple(sections(read[member]) for member in topic.members)
        chapters.append(Chapter(topic.names[0] if topic.names else parts[0].title, (), parts=parts))
    return [*chapters, *(sections(one) for number, one in enumerate(read) if number not in seen)]
