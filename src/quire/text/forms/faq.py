"""Questions that a source puts and answers itself, where they are the one that is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from quire.text.asked import Asked
from quire.text.check_citations import Draft
from quire.text.forms.cited import Quote, cited
from quire.text.forms.question_words import QuestionWords
from quire.text.headings import plain
from quire.text.makers import WritingTask
from quire.text.quotes import quoted
from quire.text.structure.lines import questions
from quire.text.structure.parts import Question
from quire.text.structure.views import SourceView
from quire.text.value_types import is_of_type
from quire.text.wanted import EXACT
from quire.text.words import query_tokens, tokens

# So much of what is asked must be in the question that is answered, with its answer, and of that one in what is asked.
LEAST_ASKED, LEAST_SHARE, LEAST_LIKENESS = 0.5, 0.7, 0.6
LONGEST = 1_200
SUPPORT, LESS_SURE = 0.95, 0.7
# Questions that are compared by meaning, how near the same in other words is, and how much nearer than the next.
MOST = 24
LEAST_COSINE, MARGIN = 0.57, 0.08


class Given(NamedTuple):
    quote: Quote
    share: float
    likeness: float


def faq(task: WritingTask, asked: Asked) -> Draft | None:
    """The answer that stands under the same question in a source, in the same words or in others."""
    if asked.kind in ("overview", "documents") or asked.parts:
        return None
    put = [(view, one) for view in task.views for one in answered_questions(view)][:MOST]
    words = {view.language: QuestionWords(task, asked, view.language) for view, _ in put}
    found = [given for view, one in put if (given := _in_words(view, one, words[view.language]))]
    if found:
        best = max(found, key=lambda given: round(given.share + given.likeness, 3))
        return cited(task, [best.quote], SUPPORT * (0.5 + 0.5 * best.share * best.likeness))
    near = _in_meaning(task, asked, put)
    return cited(task, [near], LESS_SURE) if near else None


def answered_questions(view: SourceView) -> Iterator[Question]:
    """The questions that a source puts, with answers short enough to be quoted."""
    if any(sign in view.text for sign in "?？؟"):
        yield from (one for one in questions(view.text, view.parts) if one.answer[1] - one.answer[0] <= LONGEST)


def _in_words(view: SourceView, one: Question, words: QuestionWords) -> Given | None:
    put = query_tokens(view.said(one.question), [view.language])
    likeness = sum(words.has(words.own, word, meant=True) for word in put) / (len(put) or 1)
    asked = words.share(words.among(put, meant=True))
    if likeness < LEAST_LIKENESS or asked < LEAST_ASKED:
        return None
    matched = words.among([*put, *tokens(view.said(one.answer), view.language)], meant=True)
    share = words.share(matched)
    if words.named - matched or (share < LEAST_SHARE and likeness < 1.0):
        return None
    return Given(_quote(view, one), share, likeness)


def _in_meaning(task: WritingTask, asked: Asked, put: Sequence[tuple[SourceView, Question]]) -> Quote | None:
    """The answer of the question that is by far the nearest, where it can be what is wanted."""
    if task.similarity is None or not put:
        return None
    cosines = task.similarity([plain(view.said(one.question).lstrip("# ")) for view, one in put])
    order = sorted(range(len(put)), key=lambda at: -cosines[at])
    best = order[0]
    if cosines[best] < LEAST_COSINE or (len(order) > 1 and cosines[best] - cosines[order[1]] < MARGIN):
        return None
    quote = _quote(*put[best])
    return quote if asked.wanted not in EXACT or is_of_type(asked.wanted, quote.shown) else None


def _quote(view: SourceView, one: Question) -> Quote:
    return Quote(view, *one.answer, quoted(view.said(one.answer)))
