"""Questions that a source puts and answers itself, where they are the one that is asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from quire.text.asked import Asked
from quire.text.check_citations import Draft
from quire.text.forms.cited import Quote, cited
from quire.text.forms.question_words import QuestionWords
from quire.text.makers import WritingTask
from quire.text.quotes import quoted
from quire.text.structure.lines import questions
from quire.text.structure.views import SourceView, views_of
from quire.text.words import query_tokens

# So much of what is asked must be in the question that is answered, and of that one in what is asked.
LEAST_SHARE, LEAST_LIKENESS = 0.7, 0.6
LONGEST = 1_200
SUPPORT = 0.95


class Given(NamedTuple):
    quote: Quote
    share: float
    likeness: float


def faq(task: WritingTask, asked: Asked) -> Draft | None:
    """The answer that stands under the same question in a source."""
    if asked.kind in ("overview", "documents") or asked.parts:
        return None
    found = [given for view in views_of(task) for given in _given(view, QuestionWords(task, asked, view.language))]
    if not found:
        return None
    best = max(found, key=lambda given: round(given.share + given.likeness, 3))
    return cited(task, [best.quote], SUPPORT * (0.5 + 0.5 * best.share * best.likeness))


def _given(view: SourceView, words: QuestionWords) -> Iterator[Given]:
    if "?" not in view.text and "？" not in view.text:
        return
    for question, (start, end) in questions(view.text, view.parts):
        if end - start > LONGEST:
            continue
        put = query_tokens(view.said(question), [view.language])
        matched = words.among(put, meant=True)
        share = words.share(matched)
        likeness = sum(words.has(words.own, word, meant=True) for word in put) / (len(put) or 1)
        if share >= LEAST_SHARE and likeness >= LEAST_LIKENESS and not words.named - matched:
            yield Given(Quote(view, start, end, quoted(view.text[start:end])), share, likeness)
