"""Documents: which sources speak of something, each with a place where it does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from quire.domain.passages import PassageHit
from quire.text.asked import Asked
from quire.text.blocks import blocks
from quire.text.check_citations import Claim, Draft
from quire.text.document_questions import either, topics_of, wants_names_only
from quire.text.forms.topic_words import ENGLISH, OwnWords, TopicWords, topic_in
from quire.text.makers import WritingTask
from quire.text.quotes import quoted
from quire.text.words import language_code, tokens

HITS = 60
# So much of a topic must stand in one sentence.
LEAST_SHARE = 0.4
# Of a longer sentence a clause is quoted where that has as much.
LONG = 120
SEMICOLON = re.compile(r"; ")
SUPPORT, LESS_SURE = 0.9, 0.7


class Mention(NamedTuple):
    """A sentence of the `at`th hit. `whole` says that it has all of the topic, or a title with it, `plain`
    that it is neither a heading nor a row. Of two that have as much of it the shorter one is more about it."""

    at: int
    start: int
    end: int
    whole: bool
    plain: bool
    share: float
    exact: int

    @property
    def rank(self) -> tuple[bool, bool, float, int, int]:
        return self.whole, self.plain, self.share, self.exact, self.start - self.end


def documents(task: WritingTask, asked: Asked) -> Draft | None:
    """Every source that has a sentence with all that is asked for, and the best such sentence of each.

    Where no source has one, those count that have all of it in one passage.
    """
    topics = topics_of(asked.question)
    if asked.kind != "documents" or asked.negated or not topics:
        return None
    hits = list(task.hits)
    if task.reader is not None:
        known = {hit.passage.id for hit in hits}
        hits += [hit for hit in task.reader.search(topics[0], HITS) if hit.passage.id not in known]
    mentioned = ((topic, found) for topic in topics if (found := _any_mentioned(task, asked, topic, hits)))
    topic, best = next(mentioned, ("", {}))
    if not best:
        return None
    order = list(task.reader.titles()) if task.reader is not None else [hit.passage.source_id for hit in hits]
    bare = wants_names_only(asked.question)
    text, claims = "", []
    for number, source in enumerate(sorted(best, key=order.index), 1):
        mention = best[source]
        passage = hits[mention.at].passage
        text += "\n" if text else ""
        begin = len(text)
        text += passage.source_title
        if not bare:
            text += ": "
            begin = len(text)
            text += " ".join(quoted(passage.text[mention.start : mention.end]).split())
        start, end = passage.start + mention.start, passage.start + mention.end
        claims.append(Claim(begin, len(text), mention.at, start, end, verified=True))
        text += f" [{number}]"
    sure = topic == topics[0] and all(mention.whole for mention in best.values())
    return Draft(text, tuple(claims), support=SUPPORT if sure else LESS_SURE, added=tuple(hits[len(task.hits) :]))


def _any_mentioned(task: WritingTask, asked: Asked, topic: str, hits: Sequence[PassageHit]) -> dict[str, Mention]:
    """For each source that speaks of a topic, or of one of two, the best sentence that does."""
    best: dict[str, Mention] = {}
    for one in either(topic):
        for source, mention in _mentioned(task, asked, one, hits).items():
            if source not in best or mention.rank > best[source].rank:
                best[source] = mention
    return best


def _mentioned(task: WritingTask, asked: Asked, topic: str, hits: Sequence[PassageHit]) -> dict[str, Mention]:
    """For each source that speaks of a topic the best sentence that does."""
    best: dict[str, Mention] = {}
    about = replace(asked, question=topic)
    own = language_code(asked.language) or ENGLISH
    for at, hit in enumerate(hits):
        language = language_code(hit.passage.language) or own
        words = OwnWords(task, about, language) if language == own else topic_in(topic, own, language, task)
        found = _mention(words, hit, at)
        known = best.get(hit.passage.source_id)
        if found and (known is None or found.rank > known.rank):
            best[hit.passage.source_id] = found
    name = len(topic.split()) > 1 and all(word[:1].isupper() for word in topic.split())
    # Who is named in full in one document may be named in parts in another.
    if not name and any(mention.whole for mention in best.values()):
        best = {source: mention for source, mention in best.items() if mention.whole}
    return best


def _mention(words: OwnWords | TopicWords, hit: PassageHit, at: int) -> Mention | None:
    """The sentence of a passage that has most of a topic, where the passage has all of it."""
    passage, own = hit.passage, frozenset(words.own)
    title = words.among(tokens(f"{passage.source_title} . {passage.place.heading or ''}", passage.language))
    if own - words.among(tokens(passage.text, passage.language)) - title:
        return None
    best: Mention | None = None
    for block in blocks(passage.text, passage.language):
        row = passage.text.startswith("|", block.start)
        for start, end in _clauses(passage.text, block.start, block.end):
            said = tokens(passage.text[start:end], passage.language)
            found = words.among(said) & own
            share = words.share(found)
            if share < LEAST_SHARE:
                continue
            exact = len(own.intersection(said))
            plain = block.kind != "heading" and not row
            mention = Mention(at, start, end, not own - found - title, plain, share, exact)
            if best is None or mention.rank > best.rank:
                best = mention
    return best


def _clauses(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """A sentence, and of a long one what stands between its semicolons."""
    if end - start <= LONG:
        return [(start, end)]
    ends = [at.start() for at in SEMICOLON.finditer(text, start, end)]
    begins = [start, *(at.end() for at in SEMICOLON.finditer(text, start, end))]
    return [(start, end), *zip(begins, [*ends, end], strict=True)] if ends else [(start, end)]
