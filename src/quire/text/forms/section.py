"""Sections: what the sources say under the heading that a question names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quire.domain.passages import Passage
from quire.text.asked import Asked
from quire.text.blocks import TextBlock, blocks
from quire.text.check_citations import Draft
from quire.text.makers import WritingTask
from quire.text.openings import plain_line
from quire.text.overview_questions import asks_what_is_said, overview_wish
from quire.text.quotes import draft_of_quotes
from quire.text.section_names import NUMBERING
from quire.text.words import query_tokens, tokens

SUPPORT = 0.85
# So much of a section is quoted: sentences to this length, lists and tables to the second.
LENGTH = {"shorter": 250, "default": 450, "longer": 900}
LIST_LENGTH = 900
# Of more sections than these only the first are quoted.
SECTIONS = 2
TELLING = ("sentence", "item", "lead", "code")


def section(task: WritingTask, asked: Asked) -> Draft | None:
    """For `What does the lease say about pets?` and for overviews of a subject that a heading names."""
    if asked.kind != "overview" and not asks_what_is_said(asked.question):
        return None
    wish = overview_wish(asked.question)
    topic = wish.topic or wish.name
    parts: list[tuple[int, int, int]] = []
    for at, hit in enumerate(task.hits):
        for start, end in _under(hit.passage, topic, LENGTH[task.configuration.length]):
            if len(parts) < SECTIONS:
                parts.append((at, start, end))
    return draft_of_quotes(task.hits, parts, SUPPORT) if parts else None


def _under(passage: Passage, topic: str, length: int) -> Iterator[tuple[int, int]]:
    """What stands in a passage under headings that are the topic's."""
    text, language = passage.text, passage.language
    words = frozenset(query_tokens(topic, [language]))
    heading = (passage.place.heading or "").rpartition(" > ")[2]
    parts = blocks(text, language)
    under: list[TextBlock] = []
    inside = not text.startswith("#") and _is_of(heading, words, language)
    for block in parts:
        written = text[block.start : block.end]
        if block.kind == "heading" and written.startswith("#"):
            if inside and under:
                yield _cut(under, length)
            under, inside = [], _is_of(plain_line(written), words, language)
        elif inside and block.kind in TELLING:
            under.append(block)
    if inside and under:
        yield _cut(under, length)


def _is_of(heading: str, words: frozenset[str], language: str | None) -> bool:
    """Whether a heading names what the words do, and little else."""
    named = set(tokens(NUMBERING.sub("", heading, count=1), language))
    return bool(named and words) and (words >= named or (words <= named and len(named) <= 2 * len(words)))


def _cut(under: Sequence[TextBlock], length: int) -> tuple[int, int]:
    start, end = under[0].start, under[0].end
    for block in under[1:]:
        if block.end - start > (length if block.kind == "sentence" else LIST_LENGTH):
            break
        end = block.end
    return start, end
