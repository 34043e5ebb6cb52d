"""Guides: what a source is about, in its own sentences."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from quire.domain.follow_ups import follow_up_questions
from quire.domain.notebooks import NotebookSummary
from quire.domain.sentences import sentences
from quire.domain.sources import SourceGuide
from quire.domain.words import tokens

SAMPLE = 200_000
SENTENCES = 4
KEYWORDS = 8
SHORTEST, LONGEST = 40, 400


def guide_of(source_id: str, title: str, text: str, language: str | None) -> SourceGuide:
    """The sentences that hold most of what the text is about, in the order of the text, and its keywords."""
    text = text[:SAMPLE]
    counts = Counter(tokens(text, language))
    shown = _spellings(text, language, counts)
    spans = [span for span in sentences(text, language) if SHORTEST <= span[1] - span[0] <= LONGEST]
    scored = []
    for place, (start, end) in enumerate(spans):
        words = set(tokens(text[start:end], language))
        weight = sum(math.log(1 + counts[word]) for word in words) / math.sqrt(len(words) + 4)
        scored.append((weight / (1 + 0.02 * place), place))
    best = sorted(place for _, place in sorted(scored, reverse=True)[:SENTENCES])
    summary = " ".join(" ".join(text[start:end].split()) for start, end in (spans[place] for place in best))
    keywords = [shown[word] for word, _ in counts.most_common() if word in shown][:KEYWORDS]
    return SourceGuide(source_id=source_id, title=title, summary=summary, keywords=keywords)


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


def _spellings(text: str, language: str | None, counts: Counter[str]) -> dict[str, str]:
    """How the text itself spells its commonest words."""
    wanted = {word for word, _ in counts.most_common(KEYWORDS * 4) if len(word) > 2 and not word.isdigit()}
    found: dict[str, str] = {}
    for written in text.split():
        if len(found) == len(wanted):
            break
        bare = written.strip(".,;:!?()[]{}\"'“”«»*_#`")
        cut = tokens(bare, language)
        if len(cut) == 1 and cut[0] in wanted and cut[0] not in found:
            found[cut[0]] = bare.lower()
    return found
