"""Answers without a model: the sentences that answer a question, or none.

Every sentence of the best passages gets a score from a few signs; the best ones are quoted, with
their neighbours where those are nearly as good. Whether to answer at all is a second score.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from quire.domain.chunks import DENSE
from quire.domain.questions import asked, names, negated, offers, own_words
from quire.domain.sentences import sentences
from quire.domain.words import is_piece, language_code, language_of, query_tokens, tokens

Similarity = Callable[[list[str]], Sequence[float]]


class Reading(NamedTuple):
    """A passage to answer from: `score` is that of its rank (0 to 1), `cosine` its likeness to the question."""

    text: str
    score: float = 1.0
    title: str = ""
    language: str | None = None
    cosine: float = 0.0


class Part(NamedTuple):
    """Sentences of the `passage`th reading, from `start` to `end` in its text; `score` is their share of all trust."""

    passage: int
    start: int
    end: int
    score: float


class Chosen(NamedTuple):
    """Parts, best first. Where it is `refused` they are only the nearest things there are."""

    parts: list[Part]
    confidence: float
    refused: bool


class Signs(NamedTuple):
    """What speaks for a sentence, each about 0 to 1."""

    coverage: float
    before: float
    after: float
    closeness: float
    kind: float
    length: float
    score: float
    cosine: float = 0.0
    nearness: float = 0.0


class Doubts(NamedTuple):
    """What speaks for and against there being an answer at all."""

    best: float
    negation: float
    numbers: float
    names: float
    unknown: float
    unmatched: float
    words: float
    matched: float
    kind: float


# So many passages are read, so many sentences compared by meaning, so many parts given at most.
PASSAGES, COMPARED, PARTS = 12, 12, 3

# How the constants were found: softmax regression of "this sentence holds the answer" over all sentences
# of the ten best passages, then logistic regression of "there is an answer" against the same questions put
# to another article (weight 1) and SQuAD 2's unanswerable ones (weight .2). Data: half of SQuAD 2's
# development articles, XQuAD in English, Russian and Chinese; fitted on one set and checked on the others,
# where they lose less than a point. Those with vectors are for all-MiniLM-L6-v2's cosines, in English.
WORDS_ONLY = Signs(coverage=10.1, before=3.8, after=2.6, closeness=0.6, kind=2.0, length=0.2, score=2.7)
WITH_VECTORS = Signs(6.5, 3.4, 1.7, 0.5, 1.9, 1.1, 2.3, cosine=8.3, nearness=5.8)
TRUST_WORDS_ONLY = Doubts(
    best=0.0,
    negation=-3.2,
    numbers=-1.2,
    names=-2.0,
    unknown=-1.0,
    unmatched=-0.76,
    words=4.45,
    matched=4.7,
    kind=-0.83,
)
TRUST_WITH_VECTORS = Doubts(0.5, -3.2, -1.0, -1.7, 0.0, 0.0, 0.0, 0.0, 0.0)
BIAS_WORDS_ONLY, BIAS_WITH_VECTORS = -6.6, -5.9
# Below these there is no answer. At them one answerable question in twenty is refused, with vectors one in forty.
LEAST_WORDS_ONLY, LEAST_WITH_VECTORS = 0.38, 0.32

# A word's beginning counts nearly as the word itself; a piece of an unspaced script is less than a word.
PREFIX, PREFIX_MATCH = 5, 0.85
LIGHT_WEIGHT, PIECE_COUNT = 0.3, 0.3
# A neighbour with this share of the best sentence's trust is quoted with it, up to a length.
RUN_SHARE, RUN_LENGTH, DENSE_RUN_LENGTH = 0.1, 500, 200
LEAST_SHARE = 0.001
ALIKE = 0.8
MOST_TRIVIAL = 3


@cache
def _light() -> frozenset[str]:
    """Words that ask rather than tell: the answer seldom repeats them."""
    return frozenset(
        tokens(
            "many much name named type kind sort called known term word example one made make take took place happen"
            " happened long large according cause caused describe mean means use used go year date time person people"
            " group thing way list give gave given said refer considered specific particular main different total"
            " amount number percentage",
            "en",
        )
    )


class Terms:
    """A question's words in one language, each with the weight of its rarity among the passages."""

    def __init__(self, question: str, language: str | None, frequencies: Mapping[str, int], total: int) -> None:
        self.words = query_tokens(question, [language])
        self.weights = {}
        for word in self.words:
            found = min(frequencies.get(word, 0), total)
            rarity = math.log(1 + (total - found + 0.5) / (found + 0.5))
            self.weights[word] = rarity * (LIGHT_WEIGHT if word in _light() else 1.0)
        self.sum = sum(self.weights.values()) or 1.0
        self.unknown = sum(weight for word, weight in self.weights.items() if not frequencies.get(word)) / self.sum

    def matches(self, found: Iterable[str]) -> dict[str, float]:
        """How far each word is among those found: in full, by its beginning, or not at all."""
        exact = frozenset(found)
        beginnings = {word[:PREFIX] for word in exact if len(word) >= PREFIX}
        return {
            word: 1.0 if word in exact else PREFIX_MATCH if len(word) >= PREFIX and word[:PREFIX] in beginnings else 0.0
            for word in self.words
        }

    def share(self, matches: dict[str, float]) -> float:
        return sum(self.weights[word] * match for word, match in matches.items()) / self.sum


class Candidate(NamedTuple):
    """A sentence of the `at`th passage, with its words."""

    at: int
    start: int
    end: int
    words: list[str]
    signs: Signs


def answer(
    question: str,
    readings: Sequence[Reading],
    frequencies: Mapping[str, int],
    total: int,
    similarity: Similarity | None = None,
    parts: int = PARTS,
) -> Chosen:
    """The sentences that answer, best first, and whether they do.

    `readings` are the best passages, best first; `frequencies` tell in how many of all `total` passages each
    of the question's words stands. `similarity`, where the vectors of a calibrated embedder are at hand (and
    the readings have their cosines), gives the cosines of sentences with the question.
    """
    readings = readings[:PASSAGES]
    terms = {
        language: Terms(question, language, frequencies, total)
        for language in {reading.language for reading in readings}
    }
    found = candidates(question, readings, terms)
    if not found:
        return Chosen([], 0.0, True)
    weights, trust, bias, least = WORDS_ONLY, TRUST_WORDS_ONLY, BIAS_WORDS_ONLY, LEAST_WORDS_ONLY
    scores = [_sum(weights, candidate.signs) for candidate in found]
    if similarity:
        weights, trust, bias, least = WITH_VECTORS, TRUST_WITH_VECTORS, BIAS_WITH_VECTORS, LEAST_WITH_VECTORS
        found = _compared(readings, found, scores, similarity)
        scores = [_sum(weights, candidate.signs) for candidate in found]
    best = max(range(len(found)), key=lambda index: scores[index])
    reading = readings[found[best].at]
    doubt = doubts(question, readings, found, best, scores[best], terms[reading.language])
    confidence = 1 / (1 + math.exp(-bias - _sum(trust, doubt)))
    return Chosen(_parts(readings, found, scores, parts), confidence, confidence < least)


def _sum(weights: Sequence[float], values: Sequence[float]) -> float:
    return sum(weight * value for weight, value in zip(weights, values, strict=True))


def _compared(
    readings: Sequence[Reading], found: list[Candidate], scores: list[float], similarity: Similarity
) -> list[Candidate]:
    """The same sentences, the most promising ones with their nearness to the question."""
    promising = sorted(range(len(found)), key=lambda index: -scores[index])[:COMPARED]
    texts = [readings[found[index].at].text[found[index].start : found[index].end] for index in promising]
    nearness = dict(zip(promising, similarity(texts), strict=True))
    least = min(nearness.values())
    return [
        candidate._replace(signs=candidate.signs._replace(nearness=float(nearness.get(index, least))))
        for index, candidate in enumerate(found)
    ]


def _parts(readings: Sequence[Reading], found: list[Candidate], scores: list[float], limit: int) -> list[Part]:
    """The best sentences with those of their neighbours that are nearly as good; repetitions left out."""
    top = max(scores)
    shares = [math.exp(score - top) for score in scores]
    whole = sum(shares)
    used: set[int] = set()
    chosen: list[tuple[Part, frozenset[str]]] = []
    for seed in sorted(range(len(found)), key=lambda index: (-scores[index], index)):
        if seed in used:
            continue
        first, last = _run(readings, found, shares, seed, used)
        used.update(range(first, last + 1))
        share = sum(shares[first : last + 1]) / whole
        if chosen and share < LEAST_SHARE * chosen[0][0].score:
            break
        words = frozenset(word for candidate in found[first : last + 1] for word in candidate.words)
        if any(_alike(words, others) for _, others in chosen):
            continue
        chosen.append((Part(found[seed].at, found[first].start, found[last].end, share), words))
        if len(chosen) == limit:
            break
    return [part for part, _ in chosen]


def _run(
    readings: Sequence[Reading], found: list[Candidate], shares: list[float], seed: int, used: set[int]
) -> tuple[int, int]:
    """The sentence with up to two neighbours that are worth quoting along with it."""
    at = found[seed].at
    longest = DENSE_RUN_LENGTH if language_code(readings[at].language) in DENSE else RUN_LENGTH
    first = last = seed
    for _ in range(2):
        worth = [
            index
            for index in (first - 1, last + 1)
            if 0 <= index < len(found)
            and index not in used
            and found[index].at == at
            and shares[index] >= RUN_SHARE * shares[seed]
            and max(found[index].end, found[last].end) - min(found[index].start, found[first].start) <= longest
        ]
        if not worth:
            break
        taken = max(worth, key=lambda index: shares[index])
        first, last = min(first, taken), max(last, taken)
    return first, last


def _alike(words: frozenset[str], others: frozenset[str]) -> bool:
    either = len(words | others)
    return bool(either) and len(words & others) / either >= ALIKE


def candidates(question: str, readings: Sequence[Reading], terms: Mapping[str | None, Terms]) -> list[Candidate]:
    """Every sentence of the passages, in reading order, with its signs."""
    kind, known = asked(question), own_words(question)
    found = []
    for at, reading in enumerate(readings):
        term = terms[reading.language]
        spans = sentences(reading.text, reading.language)
        words = [tokens(reading.text[start:end], reading.language) for start, end in spans]
        matches = [term.matches(cut) for cut in words]
        for place, (start, end) in enumerate(spans):
            signs = Signs(
                coverage=term.share(matches[place]),
                before=_gain(term, matches, place, place - 1),
                after=_gain(term, matches, place, place + 1),
                closeness=_closeness(term, words[place]),
                kind=offers(reading.text[start:end], kind, known),
                length=min(1.0, math.log(1 + len(words[place])) / 4),
                score=reading.score,
                cosine=reading.cosine,
            )
            found.append(Candidate(at, start, end, words[place], signs))
    return found


def _gain(term: Terms, matches: list[dict[str, float]], place: int, other: int) -> float:
    """What a neighbour adds to a sentence's coverage: it may name what the sentence calls `it`."""
    if not 0 <= other < len(matches):
        return 0.0
    own = matches[place]
    return term.share({word: max(0.0, match - own[word]) for word, match in matches[other].items()})


def _closeness(term: Terms, words: list[str]) -> float:
    """How near to each other the question's words stand in a sentence."""
    places = [place for place, word in enumerate(words) if word in term.weights]
    if len(places) < 2:
        return 0.0
    return len({words[place] for place in places}) / (places[-1] - places[0] + 1)


def doubts(
    question: str, readings: Sequence[Reading], found: Sequence[Candidate], best: int, score: float, term: Terms
) -> Doubts:
    """Signs of the best sentence that tell whether it answers."""
    chosen = found[best]
    reading = readings[chosen.at]
    around = [word for other in found[max(0, best - 1) : best + 2] if other.at == chosen.at for word in other.words]
    title = tokens(reading.title, reading.language)
    near = term.matches(around + title)
    whole = term.matches([word for other in found if other.at == chosen.at for word in other.words] + title)
    own = term.matches(chosen.words)
    sentence = reading.text[chosen.start : chosen.end]
    count = {word: PIECE_COUNT if is_piece(word) else 1.0 for word in term.words}
    named = [word for word in tokens(names(question), reading.language) if word in whole]
    numbers = [word for word in term.words if any(letter.isdigit() for letter in word)]
    return Doubts(
        best=score,
        negation=float(negated(question) and not negated(sentence)),
        numbers=_missing(numbers, whole),
        names=_missing(named, whole),
        unknown=term.unknown,
        unmatched=sum(count[word] for word, match in near.items() if not match),
        words=math.log(1 + sum(count.values())),
        matched=sum(own.values()) / (len(own) or 1),
        kind=float(chosen.signs.kind == 0),
    )


def _missing(words: Sequence[str], matches: Mapping[str, float]) -> float:
    return sum(not matches[word] for word in words) / (len(words) or 1)


FOLLOW_UPS: dict[str, str] = {
    "en": "What do the sources say about {}?",
    "de": "Was sagen die Quellen über {}?",
    "fr": "Que disent les sources sur {} ?",
    "es": "¿Qué dicen las fuentes sobre {}?",
    "pt": "O que dizem as fontes sobre {}?",
    "it": "Che cosa dicono le fonti su {}?",
    "nl": "Wat zeggen de bronnen over {}?",
    "ru": "Что говорят источники о «{}»?",
}
_CAPITAL = r"[A-ZÀ-ÖØ-ÞΑ-ΩА-ЯЁ][\w'’-]+"
TOPIC = re.compile(rf"(?<=[\w,;] ){_CAPITAL}(?: (?:of |the |de |la |von |der |des )?{_CAPITAL}){{0,3}}")


def follow_up_questions(question: str, texts: Sequence[str], limit: int = 3) -> list[str]:
    """Questions that the texts can answer: about names that recur in them and that were not asked about."""
    language = language_of(question)
    template = FOLLOW_UPS.get(language or "en")
    if template is None:
        return []
    known = own_words(question)
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(
            topic for topic in TOPIC.findall(text) if known.isdisjoint(own_words(topic)) and len(topic) > MOST_TRIVIAL
        )
    topics: list[str] = []
    for topic, _ in counts.most_common():
        if not any(own_words(topic) & own_words(other) for other in topics):
            topics.append(topic)
    return [template.format(topic) for topic in topics[:limit]]
