"""Steps: how something is done, in order: a counted list, or sentences that follow from each other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from quire.text.asked import Asked
from quire.text.check_citations import Draft
from quire.text.forms.cited import Quote, cited
from quire.text.forms.question_words import QuestionWords
from quire.text.makers import WritingTask
from quire.text.quotes import lines_of, quoted
from quire.text.sentences import Span, sentences
from quire.text.structure.parts import ItemList, Prose
from quire.text.structure.views import SourceView
from quire.text.words import tokens

LEAST_SHARE = 0.65
LONGEST = 4_000
SUPPORT = 0.9
LEADING = (":", "：", ":**", ":*")
# What instructions stand under.
INSTRUCTIONS = re.compile(
    r"\b(?:methods?|steps?|procedures?|instructions?|preparation|directions?|how to|usage|getting started|set-?up"
    r"|quick ?start|anleitung|zubereitung|vorgehen|schritte?|vorgehensweise|montage|étapes?|préparation|marche à suivre"
    r"|mode d['’]emploi|preparación|pasos|instrucciones|elaboración|инструкция|приготовление|шаги|порядок)\b"
    r"|步骤|做法|方法|操作|流程",
    re.IGNORECASE,
)
# What a sentence begins with that goes on from the one before.
GOES_ON = re.compile(
    r"\W*(?:to do (?:so|this|that)|for this|then|next|now|after(?:wards| that| this)|finally|lastly|once"
    r"|when (?:done|this)|second(?:ly)?|third(?:ly)?|dazu|dafür|dann|danach|anschließend|nun|jetzt|zuletzt|schließlich"
    r"|pour cela|pour ce faire|ensuite|puis|enfin|après|para ello|para eso|luego|después|a continuación|por último"
    r"|для этого|затем|потом|после|наконец)\b|\W*(?:然后|接着|随后|之后|最后|为此|再)",
    re.IGNORECASE,
)


class Way(NamedTuple):
    quote: Quote
    share: float
    counted: float
    rank: int


def steps(task: WritingTask, asked: Asked) -> Draft | None:
    """The steps whose lead-in, heading or own words are what is to be done."""
    if asked.kind != "steps" or asked.parts:
        return None
    found = [
        way
        for rank, view in enumerate(task.views)
        for way in _ways(view, QuestionWords(task, asked, view.language), rank)
        if way.share >= LEAST_SHARE
    ]
    if not found:
        return None
    best = max(found, key=lambda way: (round(way.share + way.counted, 2), -way.rank))
    return cited(task, [best.quote], SUPPORT * (0.6 + 0.4 * best.share))


def _ways(view: SourceView, words: QuestionWords, rank: int) -> Iterator[Way]:
    for part in view.parts:
        context = view.context(part)
        if isinstance(part, ItemList) and part.end - part.start <= LONGEST:
            heading = part.section.title if part.section else ""
            lead = view.said(part.lead) if part.lead else ""
            own = frozenset(words.own)
            called = words.among(tokens(f"{lead} . {heading}", view.language), meant=True) & own
            if not called and not (part.numbered and INSTRUCTIONS.search(f"{lead} {heading}")):
                continue
            items = words.among(tokens(view.text[part.start : part.end], view.language))
            matched = called | words.among(context, meant=True)
            if words.named - matched - items or not matched & own:
                continue
            share = words.share(matched) + 0.8 * words.share(items - matched)
            start = part.lead[0] if part.lead and lead.endswith(LEADING) else part.start
            quote = Quote(view, start, part.end, lines_of(view.text[start : part.end]))
            yield Way(quote, share, 0.2 if part.numbered else 0.0, rank)
        elif isinstance(part, Prose):
            yield from _told(view, part, context, words, rank)


def _told(view: SourceView, part: Prose, context: Sequence[str], words: QuestionWords, rank: int) -> Iterator[Way]:
    """A sentence that says what is to be done, with those that go on from it."""
    text = view.text[part.start : part.end]
    spans = sentences(text, view.language)
    around = words.among(context, meant=True)
    for at, span in enumerate(spans):
        last = at
        while last + 1 < len(spans) and GOES_ON.match(text[slice(*spans[last + 1])]):
            last += 1
        if last == at:
            continue
        matched = words.among(tokens(text[slice(*span)], view.language))
        if len(matched & frozenset(words.own)) < 1 or words.named - matched - around:
            continue
        start, end = _span(part, span, spans[last])
        share = words.share(matched) + 0.9 * words.share(around - matched)
        yield Way(Quote(view, start, end, quoted(view.text[start:end])), share, 0.0, rank)


def _span(part: Prose, first: Span, last: Span) -> Span:
    return part.start + first[0], part.start + last[1]
