"""Answers without a model: the sentences that answer a question, or none.

Every sentence of the best passages gets a score from a few signs; the best ones are quoted, with
their neighbours where those are nearly as good. Whether to answer at all is a second score.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from quire.text.asked import ASKING, Asked
from quire.text.candidates import Candidate, ScoredPassage, Signs, Terms, candidates, light
from quire.text.claim_check import Fault, fault_of
from quire.text.question_tables import Kind
from quire.text.questions import asked_for, denies, names
from quire.text.quoted_parts import Part, Span, quoted_parts
from quire.text.turns import COMES_NEXT
from quire.text.wanted import STRICT
from quire.text.words import is_piece, tokens

Similarity = Callable[[list[str]], Sequence[float]]


class SentenceChoice(NamedTuple):
    """Parts, best first. Where it is `refused` they are only the nearest things there are.

    `more` has what comes next and adds nothing that is asked for.
    """

    parts: list[Part]
    confidence: float
    refused: bool
    more: Sequence[Part] = ()


class Doubts(NamedTuple):
    """What speaks for and against there being an answer at all.

    `ahead` is how much nearer the best sentence is than most; `nameless` says that neither it nor what stands around
    it names what the question wants to know of something; `rule` that it says what may or must be, as is asked.
    """

    best: float
    negation: float
    numbers: float
    names: float
    unknown: float
    unmatched: float
    words: float
    matched: float
    kind: float
    half: float = 0.0
    opposed: float = 0.0
    nearness: float = 0.0
    contradicted: float = 0.0
    borne_out: float = 0.0
    ahead: float = 0.0
    nameless: float = 0.0
    rule: float = 0.0


# So many passages are read, so many sentences compared by meaning, so many parts given at most.
PASSAGES, COMPARED, PARTS = 15, 12, 3

# How the constants were found: softmax regression of "this sentence holds the answer" over all sentences
# of the ten best passages, then logistic regression of "there is an answer" against the same questions put
# to another article (weight 1) and SQuAD 2's unanswerable ones (weight .2). Data: half of SQuAD 2's
# development articles, XQuAD in English, Russian and Chinese; fitted on one set and checked on the others,
# where they lose less than a point. Those with vectors are for all-MiniLM-L6-v2's cosines, in English; whether
# there is an answer was fitted for them on that half and on two sets of questions as people ask them.
WORDS_ONLY = Signs(
    coverage=10.1,
    before=3.8,
    after=2.6,
    closeness=0.6,
    kind=2.0,
    length=0.2,
    score=2.7,
    form=3.0,
    over=2.0,
    negation=1.0,
    broken=-2.0,
)
WITH_VECTORS = Signs(
    6.5, 3.4, 1.7, 0.5, 1.9, 1.1, 2.3, cosine=8.3, nearness=5.8, form=3.0, over=2.0, negation=1.0, broken=-2.0
)
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
TRUST_WITH_VECTORS = Doubts(
    best=0.1,
    negation=-2.5,
    numbers=0.0,
    names=-1.7,
    unknown=-1.1,
    unmatched=0.0,
    words=0.0,
    matched=0.0,
    kind=-2.1,
    half=-0.9,
    opposed=-0.6,
    nearness=2.4,
    contradicted=-1.15,
    borne_out=0.55,
    ahead=0.4,
    nameless=-1.6,
    rule=0.8,
)
BIAS_WORDS_ONLY, BIAS_WITH_VECTORS = -6.6, -1.6
# Below these there is no answer. At them one answerable question in twenty is refused, with vectors one in thirty.
LEAST_WORDS_ONLY, LEAST_WITH_VECTORS = 0.39, 0.35

# What is asked for in one form and found in another is right less often: a sentence where a list is asked for, or a yes
# or no; a sentence about a thing where it is asked what the thing is.
UNSURE: Mapping[Kind, float] = {"list": 0.75, "documents": 0.75, "overview": 0.75, "yes-no": 0.76, "definition": 0.82}

# A piece of an unspaced script is less than a word.
PIECE_COUNT = 0.3
# A second part is told where it has this share of the best one's trust.
SECOND = 0.8
# Who writes so many words and asks nothing tells of a trouble.
TROUBLE = 5
# A thing that nothing names goes by another name as often as not.
NAMED_OTHERWISE = 0.5
# What a question for what comes next gives the sentence right behind the last answer.
NEXT = 6.0
# Where a question is taken for a claim, these say that the sentence speaks of something else.
CONTRADICTS: frozenset[Fault] = frozenset({"number", "date", "negation", "opposite", "quantity"})


def choose_sentences(
    asked: Asked,
    passages: Sequence[ScoredPassage],
    frequencies: Mapping[str, int],
    total: int,
    similarity: Similarity | None = None,
    parts: int = PARTS,
    told: Sequence[Span] = (),
    shown: Sequence[Span] = (),
) -> SentenceChoice:
    """The sentences that answer, best first, and whether they do.

    `passages` are the best ones, best first; `frequencies` tell in how many of all `total` passages each
    of the question's words stands. `similarity`, where the vectors of a calibrated embedder are at hand (and
    the passages have their cosines), gives the cosines of sentences with the question. What was `told` before is not
    told again; what is `shown` beside is told again only where it answers.
    """
    passages = passages[:PASSAGES]
    terms = {
        language: Terms(asked.question, language, frequencies, total, asked.about)
        for language in {passage.language for passage in passages}
    }
    found = [candidate for candidate in candidates(asked, passages, terms) if not _was_told(candidate, told)]
    if not found:
        return SentenceChoice([], 0.0, True)
    weights, trust, bias, least = WORDS_ONLY, TRUST_WORDS_ONLY, BIAS_WORDS_ONLY, LEAST_WORDS_ONLY
    scores = [_sum(weights, candidate.signs) for candidate in found]
    if similarity:
        weights, trust, bias, least = WITH_VECTORS, TRUST_WITH_VECTORS, BIAS_WITH_VECTORS, LEAST_WITH_VECTORS
        if all(passage.cosine is not None for passage in passages):
            scores = [_sum(weights, candidate.signs) for candidate in found]
        found = _compared(passages, found, scores, similarity)
        scores = [_sum(weights, candidate.signs) for candidate in found]
    best = max(range(len(found)), key=lambda index: scores[index])
    passage = passages[found[best].at]
    doubt = doubts(asked, passages, found, best, scores[best], terms[passage.language])
    confidence = 1 / (1 + math.exp(-bias - _sum(trust, doubt)))
    if told and COMES_NEXT.search(asked.question):
        scores = [score + NEXT * _comes_next(one, passages, told) for one, score in zip(found, scores, strict=True)]
    ranked = quoted_parts(passages, found, scores, parts, shown, goes_on=_wants_remedy(asked))
    enough = next((at for at, part in enumerate(ranked) if part.score < SECOND * ranked[0].score), len(ranked))
    unsure = UNSURE.get(asked.kind, 1.0) if not found[best].signs.form else 1.0
    return SentenceChoice(ranked[:enough], unsure * confidence, confidence < least, ranked[enough:])


def _sum(weights: Sequence[float], values: Sequence[float]) -> float:
    total: float = sum(map(operator.mul, weights, values))
    return total


def _compared(
    passages: Sequence[ScoredPassage], found: list[Candidate], scores: list[float], similarity: Similarity
) -> list[Candidate]:
    """The same sentences, the most promising ones with their nearness to the question.

    A passage that has no vector yet, or was not near, is compared along with them: one call takes less than two.
    """
    promising = sorted(range(len(found)), key=lambda index: -scores[index])[:COMPARED]
    texts = [passages[found[index].at].text[found[index].start : found[index].end] for index in promising]
    missing = [at for at, passage in enumerate(passages) if passage.cosine is None]
    cosines = similarity([*texts, *(f"{passages[at].title}\n{passages[at].text}" for at in missing)])
    nearness = dict(zip(promising, cosines, strict=False))
    likeness = {at: passage.cosine for at, passage in enumerate(passages)} | dict(
        zip(missing, cosines[len(texts) :], strict=True)
    )
    least = min(nearness.values())
    return [
        candidate._replace(
            signs=candidate.signs._replace(
                nearness=float(nearness.get(index, least)), cosine=float(likeness[candidate.at] or 0.0)
            )
        )
        for index, candidate in enumerate(found)
    ]


def _was_told(candidate: Candidate, told: Sequence[Span]) -> bool:
    """Whether a candidate is most of what was told, or holds it; one sentence of several told is not."""
    return any(
        at == candidate.at
        and start < candidate.end
        and candidate.start < end
        and 2 * (candidate.end - candidate.start) > end - start
        for at, start, end in told
    )


def _comes_next(candidate: Candidate, passages: Sequence[ScoredPassage], told: Sequence[Span]) -> bool:
    """Whether nothing stands between what was told and a candidate."""
    text = passages[candidate.at].text
    return any(
        at == candidate.at and end <= candidate.start and not text[max(0, end) : candidate.start].strip(" \n.")
        for at, _, end in told
    )


def _wants_remedy(asked: Asked) -> bool:
    """Whether it is asked what to do about something, or how it was done: that stands behind what names it."""
    told = asked.question
    trouble = "?" not in told and not ASKING.match(told) and len(told.split()) >= TROUBLE
    return asked.wanted == "manner" or asked.kind == "steps" or trouble


def doubts(
    asked: Asked, passages: Sequence[ScoredPassage], found: Sequence[Candidate], best: int, score: float, term: Terms
) -> Doubts:
    """Signs of the best sentence that tell whether it answers."""
    chosen = found[best]
    passage = passages[chosen.at]
    around = [word for other in found[max(0, best - 1) : best + 2] if other.at == chosen.at for word in other.words]
    title = tokens(passage.title, passage.language)
    near = term.matches(around + title)
    whole = term.matches([word for other in found if other.at == chosen.at for word in other.words] + title)
    own = term.matches(chosen.words)
    sentence = passage.text[chosen.start : chosen.end]
    fault = fault_of(asked.subject, sentence, f"{passage.title} {passage.heading}")
    count = {word: PIECE_COUNT if is_piece(word) else 1.0 for word in term.words}
    named = [word for word in tokens(names(asked.question), passage.language) if word in whole]
    of_it = asked_for(asked.question) if asked.kind != "list" else ""
    # A number, a day or a person is one of another thing; other things may go by other words that the notebook knows.
    wanted = [
        word
        for word in tokens(of_it, passage.language)
        if word in whole and word not in light() and (asked.wanted in STRICT or word in term.nowhere)
    ]
    surely = 1.0 if asked.wanted in STRICT else NAMED_OTHERWISE
    numbers = [word for word in term.words if any(letter.isdigit() for letter in word)]
    return Doubts(
        best=score,
        negation=float(asked.negated and not denies(sentence)),
        numbers=_missing(numbers, whole),
        names=_missing(named, whole),
        unknown=term.unknown,
        unmatched=sum(count[word] for word, match in near.items() if not match),
        words=math.log(1 + sum(count.values())),
        matched=sum(own.values()) / (len(own) or 1),
        kind=float(asked.wanted in STRICT and chosen.signs.kind <= 0),
        half=float(asked.wanted in STRICT and chosen.signs.kind == 0.5),
        opposed=float(
            not asked.negated and any(term.opposed(word, chosen.words) for word, match in near.items() if match < 1.0)
        ),
        nearness=chosen.signs.nearness,
        contradicted=float(fault in CONTRADICTS and not (asked.negated and fault in ("negation", "opposite"))),
        borne_out=float(fault is None),
        ahead=chosen.signs.nearness - sum(one.signs.nearness for one in found) / len(found),
        nameless=surely * _missing(wanted, term.matches([*around, *title, *tokens(passage.heading, passage.language)])),
        rule=float(asked.wanted == "permission" and chosen.signs.kind == 1.0),
    )


def _missing(words: Sequence[str], matches: Mapping[str, float]) -> float:
    return sum(not matches[word] for word in words) / (len(words) or 1)
