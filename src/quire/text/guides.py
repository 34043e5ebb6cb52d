"""Guides: what a source is about and what a notebook is, in the sources' own words."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Sequence

from quire.domain.chat import ChatConfiguration
from quire.domain.documents import Mark
from quire.domain.notebooks import NotebookSummary
from quire.domain.sources import SourceGuide
from quire.text.asked import asked_of
from quire.text.extractive_maker import written
from quire.text.key_sentences import keywords
from quire.text.makers import WritingTask
from quire.text.overview_questions import OverviewWish
from quire.text.question_patterns import WHOLE_QUESTIONS
from quire.text.search import SearchPorts
from quire.text.source_intros import SourceIntros, source_intros
from quire.text.source_reader import SourceReader
from quire.text.suggesting import suggested
from quire.text.told_sources import ToldSource
from quire.text.words import language_code

SAMPLE = 100_000
SENTENCES = 4
KEYWORDS = 8
MARK = re.compile(r" \[\d+\]")


def guide_of(
    source_id: str, title: str, text: str, language: str | None, kind: str, marks: Sequence[Mark]
) -> SourceGuide:
    """What tells of a source: its heading, the sentences that hold most of it, in its words; and its keywords."""
    text = text[:SAMPLE]
    source = ToldSource(title, [text], language, kind, lambda: marks)
    parts = [source.shown(span) for span in source.spans(SENTENCES)]
    summary = " ".join(part if part.endswith((".", "!", "?", "。")) else f"{part}." for part in parts)
    return SourceGuide(source_id=source_id, title=title, summary=summary, keywords=keywords(text, language, KEYWORDS))


async def notebook_summary(ports: SearchPorts, notebook_id: str, language: str | None = None) -> NotebookSummary:
    """What a notebook's sources are: the overview that its chat would give, and questions to begin with."""
    wish = OverviewWish("", "", "kind")
    intros = await ports.read(lambda tx: source_intros(tx, ports.passages, [notebook_id], wish, None))
    if intros is None:
        return NotebookSummary(summary="", topics=[], questions=[], sources=0)
    reader = SourceReader(ports, [notebook_id], None, asyncio.get_running_loop())
    return await asyncio.to_thread(_summary, intros, reader, language)


def _summary(intros: SourceIntros, reader: SourceReader, language: str | None) -> NotebookSummary:
    languages = Counter(language_code(hit.passage.language) or "en" for hit in intros.hits)
    question = WHOLE_QUESTIONS.get(languages.most_common(1)[0][0], WHOLE_QUESTIONS["en"])
    asked = asked_of(question)
    task = WritingTask(
        question=question,
        hits=intros.hits,
        history=(),
        configuration=ChatConfiguration(),
        frequencies={},
        total=0,
        intros=intros,
        asked=asked,
        reader=reader,
        language=language,
    )
    draft = written(task, asked)
    texts: dict[tuple[str, str | None], str] = {}
    for passage in task.passages:
        key = (passage.source_id, passage.language)
        texts[key] = texts.get(key, "") + "\n" + passage.text
    words = Counter(word for (_, spoken), text in texts.items() for word in keywords(text, spoken, KEYWORDS))
    return NotebookSummary(
        summary=MARK.sub("", draft.text),
        topics=[word for word, _ in words.most_common(KEYWORDS)],
        questions=suggested(task, draft, intros.hits),
        sources=len(intros.heads),
    )
