"""An answer quoted from sources in another language than the question's; it says which.

Words are of little help there: sentences are compared in a space that all languages share, and by the numbers and
names that they share with the question.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from quire.domain.passages import PassageHit
from quire.text.across import LONGEST, AcrossLanguages, quotable
from quire.text.asked import Asked, asked_of
from quire.text.candidates import ASKS, LETTER_HEAD
from quire.text.check_citations import Draft
from quire.text.forms.cited import Quote, cited
from quire.text.forms.faq import answered_questions
from quire.text.forms.sentences import scored
from quire.text.glosses import Glosser
from quire.text.headings import plain
from quire.text.judging import ENGLISH, Judge, to_judge, verdicts_on
from quire.text.makers import WritingTask
from quire.text.questions import own_words
from quire.text.quotes import draft_of_quotes, quoted
from quire.text.refusals import refusal
from quire.text.sentences import GREETING
from quire.text.value_types import is_of_type
from quire.text.wanted import EXACT, STRICT, offers
from quire.text.wording import source_language, wording
from quire.text.words import query_tokens, tokens

# So many passages are read, so many sentences of each compared.
PASSAGES, SENTENCES = 6, 30
PARTS = {"shorter": 1, "default": 2, "longer": 4}
SHARED = 4
# So many sentences are read by a judge; what it says counts beside their signs.
JUDGED = 12
OWN_SIGNS, UNREAD = 0.05, 1.0
JUDGED_BIAS, JUDGED_SIGNS, JUDGED_VERDICT = 0.2, 0.25, 0.9
# A second sentence with this share of the first one's trust is quoted too, one of another thing with less.
ALSO, OTHER = 0.3, 0.02


class Signs(NamedTuple):
    """What speaks for a sentence: cosines of it, of its passage, of the nearest sentence there and of its neighbours;
    whether it offers what is asked for, the words that it shares with the question, its length; how much of what the
    question says it says in its language, and how much more its heading and neighbours do."""

    cosine: float
    passage: float
    nearest: float
    offer: float
    shared: float
    length: float
    neighbour: float
    said: float
    around: float


# Begun from a softmax regression on XQuAD's Russian and Chinese questions over its English paragraphs, which had no
# `said` and `around`; then set by hand on 55 questions to benchmarks/people/dev and its like, put into other languages.
# A refit on those 55 was no better on notebooks held out. The trust is by hand, too.
WEIGHTS = Signs(16.0, 6.0, 4.0, 2.5, 3.7, 4.0, 1.4, said=12.0, around=4.0)
TRUST = Signs(9.6, 4.8, 0.0, 0.0, 2.4, 0.0, 0.0, said=6.0, around=2.4)
BIAS = -3.7
LEAST = 0.36
# Where something in the question's language answers, so much: that is likelier meant.
LEAST_BESIDE = 0.8
# A sentence without a number, a date or a person seldom answers where one is asked for; nor one from a passage that has
# not the question's own number: "version 3.0", "room 12".
WITHOUT, HALF, LACKING = 0.4, 0.6, 4.0
# A short question with a word that nothing says may be about another thing: so sure is its answer then. A number or a
# day is one of another thing.
FEW_WORDS, HARDLY_SAID, NEVER_SAID, UNSAID = 3, 0.25, 0.1, 0.49
# A question that a source answers is the one that is asked where it is so near, and so much nearer than others.
SAME_QUESTION, MARGIN = 0.6, 0.1
MOST_QUESTIONS = 24
NUMBERED = re.compile(r"\d+(?:[.,:]\d+)*")
# Seven of ten first sentences are right at best, so none is more than likely.
MOST_SUPPORT = 0.74


class Candidate(NamedTuple):
    """`verdict` is what a judge said of it, where it was read."""

    at: int
    start: int
    end: int
    signs: Signs
    score: float
    verdict: float | None = None


def in_another_language(task: WritingTask, asked: Asked, beside: Draft | None = None) -> Draft | None:
    """The sentences that answer, part by part; None where no passage that was found is in another language.

    What an answer in the question's own language stands `beside` must be surer.
    """
    across = task.across
    hits = task.hits[:PASSAGES]
    if across is None or not any(across.is_foreign(hit.passage) for hit in hits):
        return None
    if (same := _same_question(task, across, asked)) is not None:
        return same
    least = LEAST if beside is None or beside.refused else LEAST_BESIDE
    parts: list[Candidate] = []
    missing, supports, most = [], [], MOST_SUPPORT
    for part in asked.parts or (asked,):
        limit = PARTS[task.configuration.length]
        chosen, support, unsaid = _chosen(task, hits, _of_part(across, part, asked), part, limit)
        supports.append(support)
        most = min(most, UNSAID) if unsaid else most
        if support < least:
            missing.append(part.question)
        parts += [one for one in chosen if support >= least and not _overlaps(one, parts)]
    if not parts:
        headings = [hit.passage.place.heading for hit in hits if hit.passage.place.heading]
        told = refusal(task.question, [hit.passage.text for hit in hits], headings, task.spoken)
        return Draft(told, refused=True, support=max(supports))
    draft = draft_of_quotes(hits, [(one.at, one.start, one.end) for one in parts], min(most, *supports))
    languages = [hits[one.at].passage.language or "" for one in parts]
    spoken = task.language or across.language
    said = [wording(spoken).part_missing.format(question) for question in missing]
    said.append(source_language(languages, spoken))
    return replace(draft, text="\n\n".join([draft.text, *filter(None, said)]))


def _same_question(task: WritingTask, across: AcrossLanguages, asked: Asked) -> Draft | None:
    """The answer that stands in a source under the same question in another language."""
    if asked.parts:
        return None
    foreign = {hit.passage.source_id for hit in task.hits if across.is_foreign(hit.passage)}
    views = [view for view in task.views if view.passage.source_id in foreign]
    put = [(view, one) for view in views for one in answered_questions(view)][:MOST_QUESTIONS]
    if not put:
        return None
    cosines = across.cosines([plain(view.said(one.question).lstrip("# ")) for view, one in put])
    best, *others = sorted(range(len(put)), key=lambda at: -cosines[at])
    if cosines[best] < SAME_QUESTION or (others and cosines[best] - cosines[others[0]] < MARGIN):
        return None
    view, one = put[best]
    if asked.wanted in EXACT and not is_of_type(asked.wanted, view.said(one.answer)):
        return None
    draft = cited(task, [Quote(view, *one.answer, quoted(view.said(one.answer)))], MOST_SUPPORT)
    said = source_language([view.passage.language or ""], task.language or across.language)
    return replace(draft, text="\n\n".join(filter(None, [draft.text, said])))


def _of_part(across: AcrossLanguages, part: Asked, whole: Asked) -> AcrossLanguages:
    """The same for a part of a question, which may name what it is about only in another part."""
    if part is whole:
        return across
    both = across.vector + across.encoder.embed([part.question], "query")[0]
    return replace(across, vector=both / float(both @ both) ** 0.5)


def _chosen(
    task: WritingTask, hits: Sequence[PassageHit], across: AcrossLanguages, asked: Asked, limit: int
) -> tuple[list[Candidate], float, bool]:
    """The best sentences for a question, how likely they answer it, and whether it has a word that nothing says."""
    candidates, least_said = _candidates(hits, across, asked)
    unsaid = least_said < HARDLY_SAID
    found = sorted(candidates, key=lambda one: -one.score)
    if task.judge is not None:
        if task.skim is not None:
            own = {(one.at, one.start, one.end): one for one in found}
            seen = _judged(hits, asked, across.language, found, task.skim)
            found = [own[one.at, one.start, one.end] for one in seen]
        found = _judged(hits, asked, across.language, found[:JUDGED], task.judge)
    if not found:
        return [], 0.0, unsaid
    best = found[0]
    belief = _sum(TRUST, best.signs) + BIAS
    if best.verdict is not None:
        belief = JUDGED_BIAS + JUDGED_SIGNS * belief + JUDGED_VERDICT * best.verdict
    support = 1 / (1 + math.exp(-belief))
    if best.signs.offer == 0 and asked.wanted in STRICT:
        support *= WITHOUT
    if best.signs.offer == 0.5 and asked.wanted == "money":
        support *= HALF
    if not set(NUMBERED.findall(asked.question)) <= set(NUMBERED.findall(hits[best.at].passage.text)):
        support *= WITHOUT
    if least_said < NEVER_SAID and asked.wanted in EXACT:
        support *= WITHOUT
    # What compares two things is seldom told by one sentence.
    least = OTHER if _compares(across, asked) else ALSO
    also = [one for one in found[1:limit] if math.exp(one.score - best.score) >= least]
    return [best, *also], support, unsaid


def _compares(across: AcrossLanguages, asked: Asked) -> bool:
    """Whether a question compares two things, by its own words or by English ones for them."""
    if asked.kind == "comparison" or across.glossary is None or across.language == ENGLISH:
        return asked.kind == "comparison"
    (said,) = Glosser(across.glossary).glossed([(asked.question, across.language)])
    return asked_of(said).kind == "comparison"


def _judged(
    hits: Sequence[PassageHit], asked: Asked, language: str, promising: Sequence[Candidate], judge: Judge
) -> list[Candidate]:
    """Some sentences, best first, now that they were read."""
    passages = scored(hits)
    shown = [to_judge(passages[one.at], one.start, one.end) for one in promising]
    verdicts = verdicts_on(shown, asked, judge, language)
    if all(verdict is None for verdict in verdicts):
        return list(promising)
    unread = min(verdict for verdict in verdicts if verdict is not None) - UNREAD
    read = [
        one._replace(score=OWN_SIGNS * one.score + (unread if verdict is None else verdict), verdict=verdict)
        for one, verdict in zip(promising, verdicts, strict=True)
    ]
    return sorted(read, key=lambda one: -one.score)


def _candidates(hits: Sequence[PassageHit], across: AcrossLanguages, asked: Asked) -> tuple[list[Candidate], float]:
    """What can be quoted, and how far it says the word of a short question that it says least."""
    known = own_words(asked.question)
    spans: list[list[tuple[int, int]]] = []
    for hit in hits:
        spans.append(quotable(hit.passage)[:SENTENCES] if across.is_foreign(hit.passage) else [])
    texts = [hit.passage.text[start:end] for hit, some in zip(hits, spans, strict=True) for start, end in some]
    wholes = [f"{hit.passage.source_title}\n{hit.passage.text}" for hit in hits]
    cosines = across.cosines([*wholes, *(text[:LONGEST] for text in texts)])
    passages, rest = cosines[: len(hits)], iter(cosines[len(hits) :])
    heads = [(f"{hit.passage.source_title} {hit.passage.place.heading or ''}", hit.passage.language) for hit in hits]
    languages = [hit.passage.language for hit, some in zip(hits, spans, strict=True) for _ in some]
    said = across.said_by([*heads, *zip(texts, languages, strict=True)])
    number = len(hits)
    found = []
    for at, (hit, some) in enumerate(zip(hits, spans, strict=True)):
        own = [next(rest) for _ in some]
        words = set(query_tokens(asked.question, [hit.passage.language, across.language]))
        words.update(across.tokens_in(hit.passage.language or "en"))
        for place, (start, end) in enumerate(some):
            sentence = hit.passage.text[start:end]
            near = [number + step for step in (-1, 1) if 0 <= place + step < len(some)]
            shared = len(words.intersection(tokens(sentence, hit.passage.language)))
            signs = Signs(
                cosine=own[place],
                passage=passages[at],
                nearest=max(own),
                offer=offers(sentence, asked.wanted, known),
                shared=min(shared, SHARED) / SHARED,
                length=min(1.0, math.log1p(len(sentence)) / 6),
                neighbour=max([own[other] for other in (place - 1, place + 1) if 0 <= other < len(own)], default=0.0),
                said=said.share(number),
                around=said.share(number, at, *near) - said.share(number),
            )
            number += 1
            lacking = LACKING if asked.wanted in STRICT and not signs.offer else 0.0
            found.append(Candidate(at, start, end, signs, _sum(WEIGHTS, signs) - lacking))
    least_said = said.least_said() if said.words <= FEW_WORDS else 1.0
    return [one for one in found if _tells(hits[one.at].passage.text[one.start : one.end])], least_said


def _tells(sentence: str) -> bool:
    """Whether a sentence can answer: a question, a greeting and the head of a letter do not."""
    return not (ASKS.search(sentence) or LETTER_HEAD.match(sentence) or GREETING.match(sentence))


def _overlaps(one: Candidate, others: Sequence[Candidate]) -> bool:
    return any(one.at == other.at and one.start < other.end and other.start < one.end for other in others)


def _sum(weights: Signs, signs: Signs) -> float:
    return sum(weight * sign for weight, sign in zip(weights, signs, strict=True))
