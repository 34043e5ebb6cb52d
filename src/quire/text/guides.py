"""Guides: what a source is about, in its own sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from quire.domain.notebooks import NotebookSummary
from quire.domain.sources import SourceGuide
from quire.text.follow_ups import follow_up_questions
from quire.text.key_sentences import key_sentences, keywords
from quire.text.quotes import quoted
from quire.text.sentences import sentences

SAMPLE = 100_000
SENTENCES = 4
KEYWORDS = 8


def guide_of(source_id: str, title: str, text: str, language: str | None) -> SourceGuide:
    """The sentences that hold most of what the text is about, in the order of the text, and its keywords."""
    text = text[:SAMPLE]
    chosen = key_sentences([text], language, SENTENCES)
    summary = " ".join(quoted(text[sentence.start : sentence.end]) for sentence in chosen)
    return SourceGuide(source_id=source_id, title=title, summary=summary, keywords=keywords(text, language, KEYWORDS))


def summary_of(guides: Sequence[SourceGuide]) -> NotebookSummary:
    """A notebook's guides as one: a sentence or two of each source, and the topics that most of them share."""
    share = max(1, SENTENCES // max(1, len(guides)))
    parts = []
    for guide in guides[: SENTENCES * 2]:
        spans = sentences(guide.summary)[:share]
        parts.append(" ".join(guide.summary[start:end] for start, end in spans))
    counts = Counter(word for guide in guides for word in guide.keywords)
    topics = [word for word, _ in counts.most_common(KEYWORDS)]
    questions = follow_up_questions("", [guide.summary for guide in guides])
    return NotebookSummary(
        summary="\n\n".join(filter(None, parts)), topics=topics, questions=questions, sources=len(guides)
    )
