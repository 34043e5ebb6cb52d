"""Documents: which sources speak of something, each with a place where it does."""

from __future__ import annotations

import re
from typing import NamedTuple

from quire.domain.passages import PassageHit
from quire.text.asked import Asked
from quire.text.blocks import blocks
from quire.text.check_citations import Claim, Draft
from quire.text.forms.question_words import QuestionWords
from quire.text.makers import WritingTask
from quire.text.question_tables import DOCUMENTS
from quire.text.quotes import quoted
from quire.text.words import tokens

HITS = 60
LEAST_SHARE = 0.8
SUPPORT = 0.9
# How it is said that a document speaks of something, where the question's form does not tell it already.
SPEAKING = re.compile(
    r"^\W*(?:mentions?|says?|talks?|speaks?|discuss(?:es)?|about|of|erwähn\w+|nenn\w+|behandel\w+|handeln|sprechen|enthalten"
    r"|(?:wird|werden|ist|sind)|von|über|mentionn\w+|parlent|traitent|contiennent|de|du|des|mencionan|hablan|tratan|contienen|se"
    r"|упомина\w+|говор\w+|рассказыва\w+|содерж\w+|о|об|про)(?=\W|$)|^(?:提到|谈到|说到|提及|包含|涉及|讲到|了|过)",
    re.IGNORECASE,
)


class Mention(NamedTuple):
    at: int
    start: int
    end: int
    share: float
    heading: bool


def documents(task: WritingTask, asked: Asked) -> Draft | None:
    """Every source that has a sentence with all that is asked for, and the best such sentence of each."""
    topic = topic_of(asked.question)
    if asked.kind != "documents" or asked.negated or not topic:
        return None
    hits = list(task.hits)
    if task.reader is not None:
        known = {hit.passage.id for hit in hits}
        hits += [hit for hit in task.reader.search(topic, HITS) if hit.passage.id not in known]
    best: dict[str, Mention] = {}
    for at, hit in enumerate(hits):
        found = _mention(task, asked, topic, hit, at)
        known_one = best.get(hit.passage.source_id)
        if found and (known_one is None or (not found.heading, found.share) > (not known_one.heading, known_one.share)):
            best[hit.passage.source_id] = found
    if not best:
        return None
    order = list(task.reader.titles()) if task.reader is not None else list(best)
    ordered = sorted(best.items(), key=lambda one: order.index(one[0]) if one[0] in order else len(order))
    text, claims = "", []
    for number, (_, mention) in enumerate(ordered, 1):
        passage = hits[mention.at].passage
        text += ("\n" if text else "") + f"{passage.source_title}: "
        begin = len(text)
        text += " ".join(quoted(passage.text[mention.start : mention.end]).split())
        start, end = passage.start + mention.start, passage.start + mention.end
        claims.append(Claim(begin, len(text), mention.at, start, end, verified=True))
        text += f" [{number}]"
    return Draft(text, tuple(claims), support=SUPPORT, added=tuple(hits[len(task.hits) :]))


def topic_of(question: str) -> str:
    """What documents are to speak of."""
    found = DOCUMENTS.search(question)
    rest = question[found.end() :] if found and found.end() < len(question) - 1 else question
    while said := SPEAKING.match(rest):
        rest = rest[said.end() :]
    return rest.strip(" ?!.。？¿")


def _mention(task: WritingTask, asked: Asked, topic: str, hit: PassageHit, at: int) -> Mention | None:
    """The sentence of a passage that has most of a topic, if it has enough; headings count where nothing else does."""
    passage = hit.passage
    words = QuestionWords(task, topic_asked(asked, topic), passage.language)
    own = frozenset(words.own)
    title = words.among(tokens(f"{passage.source_title} . {passage.place.heading or ''}", passage.language))
    best: Mention | None = None
    for block in blocks(passage.text, passage.language):
        found = words.among(tokens(passage.text[block.start : block.end], passage.language)) & own
        if not found or own - found - title or words.named - found:
            continue
        share = words.share(found)
        heading = block.kind == "heading"
        if best is None or (not heading, share) > (not best.heading, best.share):
            best = Mention(at, block.start, block.end, share, heading)
    return best if best and best.share >= LEAST_SHARE / 2 else None


def topic_asked(asked: Asked, topic: str) -> Asked:
    return Asked(topic, asked.kind, asked.wanted, topic, asked.language)
