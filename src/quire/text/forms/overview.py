"""Overviews: the key sentences of each source, in reading order."""

from __future__ import annotations

from quire.text.asked import Asked
from quire.text.check_citations import Draft
from quire.text.key_sentences import key_sentences
from quire.text.makers import WritingTask
from quire.text.quotes import draft_of_quotes

SENTENCES = {"shorter": 3, "default": 6, "longer": 12}
SUPPORT = 0.9


def overview(task: WritingTask, asked: Asked) -> Draft | None:
    if not task.summary:
        return None
    by_source: dict[str, list[int]] = {}
    for at, hit in enumerate(task.hits):
        by_source.setdefault(hit.passage.source_id, []).append(at)
    share = max(1, SENTENCES[task.configuration.length] // max(1, len(by_source)))
    parts = []
    for places in by_source.values():
        passages = [task.hits[at].passage for at in places]
        for sentence in key_sentences([passage.text for passage in passages], passages[0].language, share):
            parts.append((places[sentence.at], sentence.start, sentence.end))
    return draft_of_quotes(task.hits, parts, SUPPORT, together=True) if parts else Draft("", refused=True)
