"""What pages that were read answer, and the report that is made of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, NamedTuple

from quire import text as text_engine
from quire.domain.chat import Answer, ChatConfiguration
from quire.domain.errors import QuireError
from quire.domain.research import Finding
from quire.local.job_run import Run
from quire.local.search import Search
from quire.ports.store import Row

if TYPE_CHECKING:
    from quire.text.makers import Makers, ModelMaker

MOST_FINDINGS = 40
LONGEST_TITLE = 200
# So long a model may write at all; the rest of the report is in the pages' own sentences.
WRITING_SECONDS = 300.0


class WrittenReport(NamedTuple):
    report: str | None
    summary: str
    cited: int
    findings: list[Finding]


class ReportWriting:
    def __init__(self, search: Search, model: ModelMaker | None) -> None:
        self._search = search
        self._model = model

    async def judged(self, run: Run, reading: str, question: str, source_ids: Sequence[str]) -> Answer:
        """What some pages answer in their own sentences."""
        return await self._answer(run, reading, question, source_ids, _makers(None))

    async def report(
        self, run: Run, reading: str, query: str, questions: Sequence[str], pages: Sequence[Row]
    ) -> WrittenReport:
        """The report, and what was found: the report itself, the pages that it cites, and others that were read."""
        about = {page["source_id"]: page for page in pages if page["state"] == "read"}
        makers = _makers(self._model, asyncio.get_running_loop().time() + WRITING_SECONDS)
        answers = [await self._answer(run, reading, question, list(about), makers) for question in questions]
        known = {id: text_engine.ReadPage(id, page["title"], page["url"] or page["file"]) for id, page in about.items()}
        read = sum(page["state"] in ("read", "beside") for page in pages)
        made = await asyncio.to_thread(text_engine.report_of, query, answers, known, read=read, found=len(pages))
        cited = made.cited if made else ()
        markdown, summary = (made.markdown, made.summary) if made else (None, "")
        return WrittenReport(markdown, summary, len(cited), _findings(query, markdown, list(about.values()), cited))

    async def _answer(self, run: Run, reading: str, question: str, source_ids: Sequence[str], makers: Makers) -> Answer:
        request = text_engine.AnswerRequest(
            question=question,
            notebook_ids=[reading],
            conversation_id="",
            source_ids=source_ids,
            history=(),
            configuration=ChatConfiguration(length="longer" if makers.model else "default"),
        )
        async with aclosing(text_engine.write_answer(self._search(run), makers, request)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Answer):
                    return piece
        raise QuireError("A question came to no answer.")


def _makers(model: ModelMaker | None, deadline: float | None = None) -> Makers:
    return text_engine.Makers(model, None, text_engine.ExtractiveMaker(), deadline)


def _findings(query: str, report: str | None, read: Sequence[Row], cited: Sequence[str]) -> list[Finding]:
    """The report, then the pages it cites, then the others that were read, best first."""
    order = {source_id: place for place, source_id in enumerate(cited)}
    pages = sorted(read, key=lambda page: (order.get(page["source_id"], len(order)), -page["score"], page["number"]))
    found = []
    if report is not None:
        found.append(Finding(number=1, kind="report", title=f"Report: {query}"[:LONGEST_TITLE], report=report))
    for page in pages[:MOST_FINDINGS]:
        found.append(
            Finding(
                number=len(found) + 1,
                kind="page" if page["file"] is None else "file",
                title=page["title"],
                url=page["url"],
                file=page["file"],
                description=page["snippet"],
                finder=page["finder"],
                cited=page["source_id"] in order,
            )
        )
    return found
