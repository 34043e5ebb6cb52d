"""Documents: which sources speak of something, each with a place where it does."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from quire.domain.passages import PassageHit
from quire.text.asked import Asked
from quire.text.blocks import blocks
from quire.text.check_citations import Claim, Draft
from quire.text.document_questions import topic_of
from quire.text.forms.question_words import QuestionWords
from quire.text.makers import WritingTask
from quire.text.quotes import quoted
from quire.text.words import tokens

HITS = 60
# So much of a topic must stand in one sentence.
LEAST_SHARE = 0.4
SUPPORT, LESS_SURE = 0.9, 0.7


class Mention(NamedTuple):
    """A sentence of the `at`th hit. `whole` says that it has all of the topic, or a title with it."""

    at: int
    start: int
    end: int
    whole: bool
    heading: bool
    share: float
    exact: int

    @property
    def rank(self) -> tuple[bool, bool, float, int]:
        return self.whole, not self.heading, self.share, self.exact


def documents(task: WritingTask, asked: Asked) -> Draft | None:
    """Every source that has a sentence with all that is asked for, and the best such sentence of each.

    Where no source has one, those count that have all of it in one passage.
    """
    topic = topic_of(asked.question)
    if asked.kind != "documents" or asked.negated or not topic:
        return None
    hits = list(task.hits)
    if task.reader is not None:
        known = {hit.passage.id for hit in hits}
        hits += [hit for hit in task.reader.search(topic, HITS) if hit.passage.id not in known]
    best: dict[str, Mention] = {}
    about = replace(asked, question=topic)
    for at, hit in enumerate(hits):
        found = _mention(QuestionWords(task, about, hit.passage.language or asked.language), hit, at)
        known_one = best.get(hit.passage.source_id)
        if found and (known_one is None or found.rank > known_one.rank):
            best[hit.passage.source_id] = found
    name = len(topic.split()) > 1 and all(word[:1].isupper() for word in topic.split())
    # Who is named in full in one document may be named in parts in another.
    if not name and any(mention.whole for mention in best.values()):
        best = {source: mention for source, mention in best.items() if mention.whole}
    if not best:
        return None
    order = list(task.reader.titles()) if task.reader is not None else list(best)
    text, claims = "", []
    for number, source in enumerate(sorted(best, key=order.index), 1):
        mention = best[source]
        passage = hits[mention.at].passage
        text += ("\n" if text else "") + f"{passage.source_title}: "
        begin = len(text)
        text += " ".join(quoted(passage.text[mention.start : mention.end]).split())
        start, end = passage.start + mention.start, passage.start + mention.end
        claims.append(Claim(begin, len(text), mention.at, start, end, verified=True))
        text += f" [{number}]"
    sure = all(mention.whole for mention in best.values())
    return Draft(text, tuple(claims), support=SUPPORT if sure else LESS_SURE, added=tuple(hits[len(task.hits) :]))


def _mention(words: QuestionWords, hit: PassageHit, at: int) -> Mention | None:
    """The sentence of a passage that has most of a topic, where the passage has all of it."""
    passage, own = hit.passage, frozenset(words.own)
    title = words.among(tokens(f"{passage.source_title} . {passage.place.heading or ''}", passage.language))
    if own - words.among(tokens(passage.text, passage.language)) - title:
        return None
    best: Mention | None = None
    for block in blocks(passage.text, passage.language):
        said = tokens(passage.text[block.start : block.end], passage.language)
        found = words.among(said) & own
        share = words.share(found)
        if share < LEAST_SHARE:
            continue
        exact = len(own.intersection(said))
        mention = Mention(at, block.start, block.end, not own - found - title, block.kind == "heading", share, exact)
        if best is None or mention.rank > best.rank:
            best = mention
    return best
