"""Topics: which texts are about the same, by their words and, where they have vectors, by meaning.

Each text is linked with those that are most like it, and the links are cut into groups that hold together better
than chance would have it (Louvain's method). Nothing is drawn by lot: the same texts give the same groups.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

Links = list[dict[int, float]]
Groups = list[list[int]]
Nearness = Mapping[int, float]

# So many of a text's words, those that tell most of it, are compared.
TELLING = 100
# A word of more texts than this links too many to tell anything.
COMMON, MOST_TEXTS = 0.25, 120
FEW_TEXTS = 20
NEIGHBOURS = 12
# What is less alike than this is not linked.
LEAST = 0.04
# Words that are as alike as this are as alike as they get; meanings, by how far they are above the mean.
ALIKE_WORDS, ALIKE_MEANING = 0.3, 2 / 3
MEANING = 0.5
# Of fewer texts the mean says nothing of what is not alike, and chance says little of what holds together.
FEW = 12
# How many groups there are, as times the square root of the number of texts.
FEWEST_GROUPS, MOST_GROUPS = 0.57, 1.1
# How finely links are cut where there are few texts, at first, at most, and by how much more where there are too few
# groups.
COARSE, FINE, FINEST, FINER = 0.8, 1.2, 12.0, 1.5
ROUNDS = 50


def topics(words: Sequence[Counter[str]], near: Sequence[Nearness] = ()) -> Groups:
    """Groups of texts by their numbers, each of two at least; a text that is like no other is in none.

    `near` has the nearest of each text in meaning, where that is known: from not at all (0) to as near as it gets (1).
    """
    links = linked(words, near)
    related = [number for number, found in enumerate(links) if found]
    fewest = max(1, round(FEWEST_GROUPS * math.sqrt(len(related))))
    fine = FINE if len(related) >= FEW else COARSE
    groups = cut(links, fine)
    while len(groups) < fewest and fine < FINEST:
        fine *= FINER
        groups = cut(links, fine)
    joined(groups, links, most=max(2, round(MOST_GROUPS * math.sqrt(len(related)))))
    return sorted([sorted(group) for group in groups], key=lambda group: (-len(group), group))


def weighed(words: Sequence[Counter[str]]) -> list[dict[str, float]]:
    """Each text's most telling words, as a vector of length one."""
    held = Counter(word for counted in words for word in counted)
    # What all have tells none from the others, which shows among few texts; but two have nothing else in common.
    least = math.log(2) if 2 < len(words) < FEW else 0.0
    made = []
    for counted in words:
        worth = {
            word: (1 + math.log(count)) * (math.log(1 + len(words) / held[word]) - least)
            for word, count in counted.items()
        }
        kept = dict(heapq.nlargest(TELLING, worth.items(), key=lambda item: (item[1], item[0])))
        length = math.sqrt(sum(value * value for value in kept.values())) or 1.0
        made.append({word: value / length for word, value in kept.items()})
    return made


def scaled(cosines: Mapping[int, float], mean: float) -> dict[int, float]:
    """How near texts are in meaning, where any two have this cosine on average."""
    scale = max(1e-6, (1 - mean) * ALIKE_MEANING)
    return {other: min(1.0, max(0.0, (cosine - mean) / scale)) for other, cosine in cosines.items()}


def linked(words: Sequence[Counter[str]], near: Sequence[Nearness] = ()) -> Links:
    """Each text with those that are most like it, and how much; a link stands with both of its ends."""
    links: Links = [{} for _ in words]
    meanings = near or [{} for _ in words]
    for number, (by_words, by_meaning) in enumerate(zip(_alike(weighed(words)), meanings, strict=True)):
        if by_meaning:
            alike = {
                other: (1 - MEANING) * min(1.0, by_words.get(other, 0.0) / ALIKE_WORDS)
                + MEANING * by_meaning.get(other, 0.0)
                for other in {*by_words, *by_meaning}
            }
        else:
            alike = by_words
        for other, value in heapq.nlargest(NEIGHBOURS, alike.items(), key=lambda item: (item[1], -item[0])):
            if value >= LEAST:
                links[number][other] = links[number].get(other, 0.0) + value
                links[other][number] = links[other].get(number, 0.0) + value
    return links


def _alike(weights: Sequence[Mapping[str, float]]) -> Iterator[dict[int, float]]:
    """Of each text the others that share telling words with it, with their cosine."""
    texts: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for number, weight in enumerate(weights):
        for word, value in weight.items():
            texts[word].append((number, value))
    most = min(MOST_TEXTS, max(FEW_TEXTS, int(COMMON * len(weights))))
    for number, weight in enumerate(weights):
        found: dict[int, float] = defaultdict(float)
        for word, value in weight.items():
            if len(texts[word]) <= most:
                for other, theirs in texts[word]:
                    found[other] += value * theirs
        found.pop(number, None)
        yield found


def cut(links: Links, fine: float) -> Groups:
    """Links cut into groups by Louvain's method; the finer, the more groups. What has no link is in no group."""
    groups: Groups = [[number] for number in range(len(links))]
    inside = [0.0] * len(links)
    while True:
        belongs, moved = _moved(links, inside, fine)
        if not moved:
            return [group for group in groups if len(group) > 1]
        places: dict[int, int] = {}
        for group in belongs:
            places.setdefault(group, len(places))
        merged: Groups = [[] for _ in places]
        kept = [0.0] * len(places)
        between: Links = [{} for _ in places]
        for number, near in enumerate(links):
            own = places[belongs[number]]
            merged[own] += groups[number]
            kept[own] += inside[number]
            for other, value in near.items():
                theirs = places[belongs[other]]
                if theirs == own:
                    kept[own] += value
                else:
                    between[own][theirs] = between[own].get(theirs, 0.0) + value
        groups, inside, links = merged, kept, between


def _moved(links: Links, inside: Sequence[float], fine: float) -> tuple[list[int], bool]:
    """Which group each belongs to once nobody gains by going to a neighbour's, and whether anybody went."""
    degrees = [sum(near.values()) + own for near, own in zip(links, inside, strict=True)]
    whole = sum(degrees) or 1.0
    belongs, totals = list(range(len(links))), degrees.copy()
    ever = False
    for _ in range(ROUNDS):
        moving = False
        for number, near in enumerate(links):
            was = belongs[number]
            to: dict[int, float] = {}
            for other, value in near.items():
                to[belongs[other]] = to.get(belongs[other], 0.0) + value
            totals[was] -= degrees[number]
            expected = fine * degrees[number] / whole
            best, gain = was, to.get(was, 0.0) - expected * totals[was]
            for group, value in to.items():
                worth = value - expected * totals[group]
                if worth > gain + 1e-12:
                    best, gain = group, worth
            totals[best] += degrees[number]
            if best != was:
                belongs[number] = best
                moving = ever = True
        if not moving:
            break
    return belongs, ever


def joined(groups: Groups, links: Links, most: int) -> None:
    """Joins the smallest group with the one it has most links with, for as long as there are too many."""
    apart: Groups = []
    while len(groups) > max(1, most - len(apart)):
        groups.sort(key=lambda group: (-len(group), min(group)))
        smallest = groups.pop()
        where = {number: place for place, group in enumerate(groups) for number in group}
        drawn: dict[int, float] = {}
        for number in smallest:
            for other, value in links[number].items():
                if other in where:
                    drawn[where[other]] = drawn.get(where[other], 0.0) + value
        if drawn:
            groups[max(drawn, key=lambda place: (drawn[place] / len(groups[place]), -place))] += smallest
        else:
            apart.append(smallest)
    groups += apart
