"""Cited texts: an answer put together of spans of sources, each shown in its own way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from quire.domain.passages import PassageHit
from quire.text.check_citations import Claim, Draft
from quire.text.makers import WritingTask
from quire.text.structure.views import SourceView


class Quote(NamedTuple):
    """A span of a source's view, and how it is shown."""

    view: SourceView
    start: int
    end: int
    shown: str


def cited(task: WritingTask, quotes: Sequence[Quote], support: float, *, opening: str = "") -> Draft:
    """The quotes one under the other, each followed by its number."""
    added: list[PassageHit] = []
    claims = []
    text = f"{opening}\n" if opening else ""
    for number, quote in enumerate(quotes, 1):
        passage = quote.view.passage
        start, end = passage.start + quote.start, passage.start + quote.end
        text += "\n" if number > 1 else ""
        begin = len(text)
        text += quote.shown
        claims.append(Claim(begin, len(text), _place(task, quote, start, end, added), start, end, verified=True))
        text += f"\n[{number}]" if "\n" in quote.shown else f" [{number}]"
    return Draft(text, tuple(claims), support=support, added=tuple(added))


def _place(task: WritingTask, quote: Quote, start: int, end: int, added: list[PassageHit]) -> int:
    """The number of the hit that has a span; where none has, the span itself is added."""
    own = [at for at in quote.view.hits if task.hits[at].passage.start <= start]
    for at in own:
        if end <= task.hits[at].passage.end:
            return at
    near = task.hits[max(own, key=lambda at: task.hits[at].passage.start) if own else quote.view.hits[0]]
    update = {"start": start, "end": end, "text": quote.view.text[quote.start : quote.end]}
    added.append(near.model_copy(update={"passage": near.passage.model_copy(update=update)}))
    return len(task.hits) + len(added) - 1
