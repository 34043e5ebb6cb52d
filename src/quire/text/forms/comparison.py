"""Comparisons: what is said of both things, and of each that it does not say enough of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from quire.domain.passages import PassageHit
from quire.text.asked import Asked, asked_of
from quire.text.check_citations import Draft
from quire.text.forms.sentences import chosen_sentences, nearby
from quire.text.makers import WritingTask
from quire.text.questions import ARTICLE
from quire.text.quoted_parts import Part
from quire.text.quotes import draft_of_quotes
from quire.text.sentence_choice import PASSAGES
from quire.text.words import query_tokens, tokens

RANKED = 12
# So many of the sentences behind those that answer may tell of the other thing.
BESIDE = 2
TABLE = re.compile(r"^\|.*(?:\n\|.*)+", re.MULTILINE)
# Questions that want to know what each is like, not only which of both is more so.
DESCRIBES = re.compile(
    r"\bdiffer|\bcompar|\bversus\b|\bvs\b|unterschied|vergleich|différen|diferenci|разниц|отлич|区别|不同",
    re.IGNORECASE,
)


TABLE_SUPPORT = 0.8


def comparison(task: WritingTask, asked: Asked) -> Draft | None:
    if asked.kind != "comparison" or len(asked.things) != 2:
        return None
    hits = task.hits[:PASSAGES]
    whole = chosen_sentences(task, asked, parts=RANKED)
    table = next(_tables(hits, asked.things), None)
    if table is not None:
        return draft_of_quotes(hits, [table], max(whole.confidence, TABLE_SUPPORT))
    quotes = [] if whole.refused else [*whole.parts[:1]]
    support = whole.confidence
    describes = DESCRIBES.search(asked.question) is not None
    for thing in asked.things:
        said = _begins_with if describes else _speaks_of
        if any(said(hits, quote, thing) for quote in quotes):
            continue
        found = next((part for part in (*whole.parts, *whole.more) if said(hits, part, thing)), None)
        if found is None and not any(_speaks_of(hits, quote, thing) for quote in quotes):
            alone = chosen_sentences(task, _alone(asked, thing), parts=RANKED)
            found = next((part for part in alone.parts if _speaks_of(hits, part, thing) and not alone.refused), None)
            support = max(support, alone.confidence) if found else support
        if found is not None and found not in quotes:
            quotes.append(found)
    if len(quotes) == 1 and not describes:
        # One that names both may say how it is with one of them alone.
        others = (part for part in (*whole.parts, *whole.more)[: len(whole.parts) + BESIDE] if part not in quotes)
        quotes += [part for part in others if any(_speaks_of(hits, part, thing) for thing in asked.things)][:1]
    if not quotes or not all(any(_speaks_of(hits, quote, thing) for quote in quotes) for thing in asked.things):
        return None
    draft = draft_of_quotes(hits, [(part.passage, part.start, part.end) for part in quotes], support)
    return replace(
        draft, sure=False, more=nearby(hits, [part for part in (*whole.parts, *whole.more) if part not in quotes])
    )


def _alone(asked: Asked, thing: str) -> Asked:
    """The question about one of both things."""
    other = next(one for one in asked.things if one != thing) if len(set(asked.things)) > 1 else ""
    question = asked.question.replace(other, "") if other else asked.question
    return replace(asked_of(question), kind="fact", wanted=asked.wanted, things=(), parts=())


def _words(hits: Sequence[PassageHit], part: Part) -> list[str]:
    passage = hits[part.passage].passage
    return tokens(passage.text[part.start : part.end], passage.language)


def _speaks_of(hits: Sequence[PassageHit], part: Part, thing: str) -> bool:
    """Whether a part has most words of a thing's name."""
    wanted = query_tokens(thing, [hits[part.passage].passage.language])
    words = set(_words(hits, part))
    return 2 * sum(word in words for word in wanted) > len(wanted)


def _begins_with(hits: Sequence[PassageHit], part: Part, thing: str) -> bool:
    """Whether a part says something of a thing: one of its sentences begins with its name."""
    wanted = query_tokens(thing, [hits[part.passage].passage.language])
    return set(wanted) <= set(_words(hits, part)[: len(wanted) + 2])


def _tables(hits: Sequence[PassageHit], things: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Tables that have a column for each thing."""
    for at, hit in enumerate(hits):
        for table in TABLE.finditer(hit.passage.text):
            head = [cell.strip(" *`").casefold() for cell in table.group().partition("\n")[0].split("|")]
            if all(ARTICLE.sub("", thing).casefold() in head for thing in things):
                yield at, table.start(), table.end()
