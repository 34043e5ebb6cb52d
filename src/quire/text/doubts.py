"""Doubts: whether the best sentence answers at all."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from quire.text.asked import Asked
from quire.text.blocks import columns_over
from quire.text.candidates import Candidate, ScoredPassage, Terms, light
from quire.text.claim_check import Fault, fault_of
from quire.text.questions import asked_for, denies, names
from quire.text.value_types import measures
from quire.text.wanted import LOOSE, STRICT, TIME
from quire.text.words import is_piece, query_tokens, tokens


class Doubts(NamedTuple):
    """What speaks for and against there being an answer at all.

    `ahead` is how much nearer the best sentence is than most; `nameless` says that neither it nor what stands around
    it names what the question wants to know of something; `rule` that it says what may or must be, as is asked;
    `elsewhere` that a number of the question's own does not stand by it; `beside` that it stands by the last answer,
    from which the question goes on; `loose` that nothing in it is plainly the reason, place or name that is wanted;
    `unsaid` is the share of the question's own words that are said nowhere around it.
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
    elsewhere: float = 0.0
    beside: float = 0.0
    loose: float = 0.0
    unsaid: float = 0.0


TRUST_WORDS_ONLY = Doubts(
    best=0.0,
    negation=-8.0,
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
    negation=-4.0,
    numbers=0.0,
    names=-0.8,
    unknown=-1.1,
    unmatched=0.0,
    words=0.0,
    matched=0.0,
    kind=-1.9,
    half=-0.9,
    opposed=-0.9,
    nearness=2.4,
    contradicted=-1.15,
    borne_out=0.65,
    ahead=0.4,
    nameless=-1.4,
    rule=0.8,
    elsewhere=-0.7,
    beside=0.9,
)

# A piece of an unspaced script is less than a word.
PIECE_COUNT = 0.3
# Where what does not hold is asked for, a denial is a good sign, one beside the sentence a doubtful one; that there is
# none is far worse.
DENIED, DENIED_BESIDE = -0.175, 0.5
# A year, a long number, a code. Small numbers are spelt out as often as not, and centuries told by their years.
NUMBERED = re.compile(r"[^\W\d_]*\d{2,}")
# A thing that nothing names goes by another name as often as not.
NAMED_OTHERWISE = 0.5
# Where a question is taken for a claim, these say that the sentence speaks of something else.
CONTRADICTS: frozenset[Fault] = frozenset({"number", "date", "negation", "opposite", "quantity"})


def doubts(
    asked: Asked,
    passages: Sequence[ScoredPassage],
    found: Sequence[Candidate],
    best: int,
    score: float,
    term: Terms,
    *,
    beside: bool = False,
) -> Doubts:
    """Signs of the best sentence that tell whether it answers."""
    chosen = found[best]
    passage = passages[chosen.at]
    near_it = [other for other in found[max(0, best - 1) : best + 2] if other.at == chosen.at]
    around = [word for other in near_it for word in other.words]
    columns = columns_over(passage.text, chosen.start)
    title = tokens(f"{passage.title} {columns}", passage.language)
    near = term.matches(around + title)
    whole = term.matches([word for other in found if other.at == chosen.at for word in other.words] + title)
    own = term.matches(chosen.words)
    sentence = passage.text[chosen.start : chosen.end]
    fault = fault_of(asked.subject, sentence, f"{passage.title} {passage.heading} {columns}")
    count = {word: PIECE_COUNT if is_piece(word) else 1.0 for word in term.words}
    named = [word for word in tokens(_names(asked), passage.language) if word in whole]
    of_it = asked_for(asked.question) if asked.kind != "list" else ""
    # A number, a day or a person is one of another thing; other things may go by other words that the notebook knows.
    wanted = [
        word
        for word in tokens(of_it, passage.language)
        if word in whole
        and word not in light()
        and (asked.wanted in STRICT or (word in term.nowhere and not asked.negated))
        and not measures(word, sentence, passage.language)
    ]
    surely = 1.0 if asked.wanted in STRICT else NAMED_OTHERWISE
    about = term.matches([*around, *title, *tokens(passage.heading, passage.language)])
    own_words = [word for word in query_tokens(asked.question, [passage.language]) if word in about]
    numbers = [word for word in term.words if any(letter.isdigit() for letter in word)]
    lacking = asked.wanted in STRICT and chosen.signs.kind <= 0
    # What asks whether something holds, or what does not, is answered by a denial.
    either_way = asked.negated or asked.kind == "yes-no"
    return Doubts(
        best=score,
        negation=_undenied(sentence, [passage.text[one.start : one.end] for one in near_it]) if asked.negated else 0.0,
        numbers=_missing(numbers, whole),
        names=_missing(named, whole),
        unknown=term.unknown,
        unmatched=sum(count[word] for word, match in near.items() if not match),
        words=math.log(1 + sum(count.values())),
        matched=sum(own.values()) / (len(own) or 1),
        kind=float(lacking),
        half=float(asked.wanted in STRICT and chosen.signs.kind == 0.5),
        opposed=float(
            not asked.negated
            and asked.kind != "yes-no"
            and any(term.opposed(word, chosen.words) for word, match in near.items() if match < 1.0)
        ),
        nearness=chosen.signs.nearness,
        contradicted=float(
            fault in CONTRADICTS and not (either_way and fault in ("negation", "opposite", "number", "date"))
        ),
        borne_out=float(fault is None and not lacking),
        ahead=chosen.signs.nearness - sum(one.signs.nearness for one in found) / len(found),
        nameless=surely * _missing(wanted, about),
        rule=float(asked.wanted == "permission" and chosen.signs.kind == 1.0),
        elsewhere=_missing([word for word in own_words if NUMBERED.fullmatch(word)], about),
        beside=float(beside),
        loose=float(asked.wanted in LOOSE and chosen.signs.kind <= 0.5),
        unsaid=_missing([word for word in own_words if word not in light()], about),
    )


def _undenied(sentence: str, near: Sequence[str]) -> float:
    if denies(sentence):
        return DENIED
    return DENIED_BESIDE if any(map(denies, near)) else 1.0


def _names(asked: Asked) -> str:
    """What a question names. German has capitals for all nouns; and whether one may do a thing in May, rules say."""
    if asked.language == "de":
        return ""
    return TIME.sub("", names(asked.question)) if asked.kind == "yes-no" else names(asked.question)


def _missing(words: Sequence[str], matches: Mapping[str, float]) -> float:
    return sum(not matches[word] for word in words) / (len(words) or 1)
