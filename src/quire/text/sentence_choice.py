"""Answers without a model: the sentences that answer a question, or none.

Every sentence of the best passages gets a score from a few signs; the best ones are quoted, with
their neighbours where those are nearly as good. Whether to answer at all is a second score.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from quire.text.asked import ASKING, Asked
from quire.text.candidates import Candidate, ScoredPassage, Signs, Terms, candidates
from quire.text.doubts import TRUST_WITH_VECTORS, TRUST_WORDS_ONLY, doubts
from quire.text.judging import Judge, to_judge, verdicts_on
from quire.text.question_tables import Kind
from quire.text.quoted_parts import LEAST_SHARE, Part, Span, quoted_parts
from quire.text.turns import COMES_NEXT
from quire.text.wanted import EXACT
from quire.text.words import query_tokens

Similarity = Callable[[list[str]], Sequence[float]]


class SentenceChoice(NamedTuple):
    """Parts, best first. Where it is `refused` they are only the nearest things there are.

    `more` has what comes next and adds nothing that is asked for; `sure` says that nothing speaks against high
    confidence.
    """

    parts: list[Part]
    confidence: float
    refused: bool
    more: Sequence[Part] = ()
    sure: bool = True


class Weighed(NamedTuple):
    """The sentences of some passages, each with a score."""

    passages: Sequence[ScoredPassage]
    terms: Mapping[str | None, Terms]
    found: list[Candidate]
    scores: list[float]


# So many passages are read, so many sentences compared by meaning, so many parts given at most.
PASSAGES, COMPARED, PARTS = 15, 24, 3
# So many of the passages are skimmed: those behind them seldom answer, and take as long to read.
SKIMMED = 8

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
    negation=2.5,
    broken=-2.0,
)
WITH_VECTORS = Signs(
    6.5, 3.4, 1.7, 0.5, 1.9, 1.1, 2.3, cosine=8.3, nearness=5.8, form=3.0, over=2.0, negation=2.5, broken=-2.0
)
BIAS_WORDS_ONLY, BIAS_WITH_VECTORS = -6.6, -1.6
# Below these there is no answer. At them about one answerable question in twenty is refused.
LEAST_WORDS_ONLY, LEAST_WITH_VECTORS = 0.39, 0.35

# Where a judge has read the most promising sentences, what it says counts beside their signs.
JUDGED = 12
OWN_SIGNS, VERDICT, UNREAD = 0.25, 1.0, 1.0
# That a sentence says what a thing is its form tells better than a judge.
DEFINES = 5.0
# A judge tells sentences further apart; what is offered beside the answer has at least this share of its trust.
JUDGED_SHARE = 1e-6
JUDGED_BIAS, JUDGED_SIGNS, JUDGED_VERDICT = -0.35, 0.05, 0.9

# What asks for two things in one is answered by two sentences, where both are judged to answer.
SEVERAL = re.compile(r"\b(?:and|or|vs|versus)\b|[+&]", re.IGNORECASE)
# How surely each is judged to: an item beside others, the second of two things, one more thing for a list.
TWO, ALSO, OTHER, ONE_MORE, UNSAID = 2, 0.5, 1.5, 1.0, -10.0
# What a list is told rather than its best item by.
FIRST = 0.5
LISTED: frozenset[Kind] = frozenset({"list", "steps"})

# What is asked for in one form and found in another is right less often: a sentence where a list is asked for, or a yes
# or no; a sentence about a thing where it is asked what the thing is.
OTHER_FORM: frozenset[Kind] = frozenset({"list", "documents", "overview", "yes-no", "definition", "comparison"})

# A second part is told where it has this share of the best one's trust; where a judge has read both, with less, and a
# short one with still less.
SECOND, JUDGED_SECOND, EITHER, SHORT = 0.8, 0.5, 0.1, 100
# What an example in a program's words shows is seldom the number, day or person that is asked for.
FENCED, EXAMPLE = re.compile(r"```|~~~"), 1.0
# Who writes so many words and asks nothing tells of a trouble.
TROUBLE = 5
# What a question for what comes next gives the sentence right behind the last answer.
NEXT = 6.0
# What a question that goes on from the last answer gives to what stands within so many characters of it.
BY_LAST, NEAR_LAST = 1.2, 300


def choose_sentences(
    asked: Asked,
    passages: Sequence[ScoredPassage],
    frequencies: Mapping[str, int],
    total: int,
    similarity: Similarity | None = None,
    judge: Judge | None = None,
    skim: Judge | None = None,
    parts: int = PARTS,
    told: Sequence[Span] = (),
    shown: Sequence[Span] = (),
    last: Sequence[Span] = (),
) -> SentenceChoice:
    """The sentences that answer, best first, and whether they do.

    `passages` are the best ones, best first; `frequencies` tell in how many of all `total` passages each
    of the question's words stands. `similarity`, where the vectors of a calibrated embedder are at hand (and
    the passages have their cosines), gives the cosines of sentences with the question. A `judge` reads a few sentences;
    which, is better known where all can be skimmed. What was `told` before is not
    told again; what is `shown` beside is told again only where it answers. `last` is what the last answer cited, where
    the question goes on from it: what stands by that is likelier meant.
    """
    passages, terms, found, own = weighed(asked, passages, frequencies, total, similarity, told)
    if not found:
        return SentenceChoice([], 0.0, True)
    trust, bias, least = TRUST_WORDS_ONLY, BIAS_WORDS_ONLY, LEAST_WORDS_ONLY
    if similarity:
        trust, bias, least = TRUST_WITH_VECTORS, BIAS_WITH_VECTORS, LEAST_WITH_VECTORS
    verdicts = _judged(asked, passages, found, own, judge, skim) if judge else {}
    scores = own
    if verdicts:
        unread = min(verdicts.values()) - UNREAD
        scores = [OWN_SIGNS * score + VERDICT * verdicts.get(at, unread) for at, score in enumerate(own)]
        if asked.kind == "definition":
            scores = [score + DEFINES * one.signs.form for score, one in zip(scores, found, strict=True)]
        scores = _whole_lists(asked, found, scores, verdicts)
    beside = [_stands_by(one, last) and _goes_on(asked, one, passages[one.at].language) for one in found]
    scores = [score + BY_LAST * near for score, near in zip(scores, beside, strict=True)]
    best = max(range(len(found)), key=lambda index: scores[index])
    passage = passages[found[best].at]
    doubt = doubts(asked, passages, found, best, own[best], terms[passage.language], beside=beside[best])
    belief = bias + _sum(trust, doubt)
    shown_by = asked.wanted in EXACT and FENCED.search(passage.text, found[best].start, found[best].end) is not None
    if best in verdicts:
        # A list answers as surely as its best item.
        said = _verdict_on(Part(found[best].at, found[best].start, found[best].end, 1.0), found, verdicts)
        belief = JUDGED_BIAS + JUDGED_SIGNS * belief + JUDGED_VERDICT * said
    belief -= EXAMPLE * shown_by
    confidence = 1 / (1 + math.exp(-belief))
    if told and COMES_NEXT.search(asked.question):
        scores = [score + NEXT * _comes_next(one, passages, told) for one, score in zip(found, scores, strict=True)]
    unreasoned = asked.wanted == "reason" and found[best].signs.kind < 1.0
    ranked = quoted_parts(
        passages,
        found,
        scores,
        parts,
        shown,
        goes_on=unreasoned or _wants_remedy(asked),
        lists=asked.kind == "list" and bool(verdicts),
        least=JUDGED_SHARE if verdicts else LEAST_SHARE,
    )
    enough = _enough(asked, ranked, [_verdict_on(part, found, verdicts) for part in ranked])
    formless = asked.kind in OTHER_FORM and not found[best].signs.form
    # What does not hold is told by few signs; and where a word of the question is said nowhere around, or nothing is
    # plainly of the type that is wanted, another thing may be told of what was asked for.
    sure = not (asked.negated or doubt.contradicted or doubt.unsaid or doubt.loose or formless)
    return SentenceChoice(ranked[:enough], confidence, confidence < least, ranked[enough:], sure)


def weighed(
    asked: Asked,
    passages: Sequence[ScoredPassage],
    frequencies: Mapping[str, int],
    total: int,
    similarity: Similarity | None,
    told: Sequence[Span] = (),
) -> Weighed:
    """What there is to choose from: every sentence that was not told yet, with what its signs come to."""
    passages = passages[:PASSAGES]
    terms = {
        language: Terms(asked.question, language, frequencies, total, asked.about)
        for language in {passage.language for passage in passages}
    }
    found = [candidate for candidate in candidates(asked, passages, terms) if not _was_told(candidate, told)]
    if not similarity or not found:
        return Weighed(passages, terms, found, [_sum(WORDS_ONLY, candidate.signs) for candidate in found])
    weights = WITH_VECTORS if all(passage.cosine is not None for passage in passages) else WORDS_ONLY
    found = _compared(passages, found, [_sum(weights, candidate.signs) for candidate in found], similarity)
    return Weighed(passages, terms, found, [_sum(WITH_VECTORS, candidate.signs) for candidate in found])


def _judged(
    asked: Asked,
    passages: Sequence[ScoredPassage],
    found: Sequence[Candidate],
    scores: Sequence[float],
    judge: Judge,
    skim: Judge | None,
) -> dict[int, float]:
    """What a judge says of the most promising sentences that it can read: by their signs and, where all can be skimmed,
    by what is seen so."""
    texts = [to_judge(passages[one.at], one.start, one.end) for one in found]
    promise = list(scores)
    if skim:
        near = [at for at, one in enumerate(found) if one.at < SKIMMED]
        seen: list[float | None] = [None] * len(found)
        for at, verdict in zip(near, verdicts_on([texts[at] for at in near], asked, skim), strict=True):
            seen[at] = verdict
        least = min((one for one in seen if one is not None), default=0.0) - UNREAD
        promise = [
            OWN_SIGNS * score + VERDICT * (least if one is None else one)
            for score, one in zip(scores, seen, strict=True)
        ]
    promising = sorted(range(len(found)), key=lambda at: -promise[at])[:JUDGED]
    verdicts = verdicts_on([texts[at] for at in promising], asked, judge)
    return {at: verdict for at, verdict in zip(promising, verdicts, strict=True) if verdict is not None}


def _whole_lists(
    asked: Asked, found: Sequence[Candidate], scores: list[float], verdicts: Mapping[int, float]
) -> list[float]:
    """The scores, where a list of which several items answer stands before its items; where a list or steps are asked
    for, one of which the best item answers."""
    if asked.wanted in EXACT:
        return scores
    raised, best = list(scores), max(range(len(scores)), key=lambda at: scores[at])
    for at, one in enumerate(found):
        if one.place is not None:
            continue
        items = [
            item
            for item, other in enumerate(found)
            if item != at and other.at == one.at and one.start <= other.start and other.end <= one.end
        ]
        listed = best in items and asked.kind in LISTED
        if listed or sum(verdicts.get(item, UNSAID) >= ALSO for item in items) >= TWO:
            raised[at] = max(raised[at], *(scores[item] for item in items)) + FIRST
    return raised


def _verdict_on(part: Part, found: Sequence[Candidate], verdicts: Mapping[int, float]) -> float:
    """What a judge says of the best sentence of a part."""
    inside = [
        verdict
        for at, verdict in verdicts.items()
        if found[at].at == part.passage and part.start <= found[at].start and found[at].end <= part.end
    ]
    return max(inside, default=UNSAID)


def _enough(asked: Asked, parts: Sequence[Part], verdicts: Sequence[float]) -> int:
    """How many of the parts are told, the best of which come first."""
    judged = verdicts[0] > UNSAID
    shares = [part.score / parts[0].score for part in parts]
    least = JUDGED_SECOND if judged else SECOND
    enough = next((at for at, share in enumerate(shares) if share < least), len(parts))
    if asked.kind == "list":
        return max(enough, _answering(verdicts, ONE_MORE))
    if SEVERAL.search(asked.question):
        enough = max(enough, min(TWO, _answering(verdicts, OTHER)))
    # Where it is hard to tell which of two answers, both are told.
    if enough == 1 < len(parts) and judged and shares[1] >= EITHER and _is_short(parts[1]):
        return TWO
    return enough


def _answering(verdicts: Sequence[float], least: float) -> int:
    """How many of the first parts are judged so surely to answer."""
    return next((at for at, verdict in enumerate(verdicts) if verdict < least), len(verdicts))


def _is_short(part: Part) -> bool:
    return part.end - part.start <= SHORT


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


def _stands_by(candidate: Candidate, last: Sequence[Span]) -> bool:
    """Whether a candidate stands by what the last answer cited, or in it."""
    return any(
        at == candidate.at and start - NEAR_LAST < candidate.end and candidate.start < end + NEAR_LAST
        for at, start, end in last
    )


def _goes_on(asked: Asked, candidate: Candidate, language: str | None) -> bool:
    """Whether a candidate has a word of the question itself, or that has only those which it took from the last one."""
    own = query_tokens(asked.question, [language])
    return not own or not set(own).isdisjoint(candidate.words)


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
    trouble = asked.kind == "fact" and "?" not in told and not ASKING.match(told) and len(told.split()) >= TROUBLE
    return asked.wanted == "manner" or asked.kind == "steps" or trouble
