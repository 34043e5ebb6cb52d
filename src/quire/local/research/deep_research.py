"""Deep research: plan questions, search, read pages, judge what they answer, look for what is open, write a report.

Every step commits with what it did, so that whoever goes on after a crash does what is left: questions nobody searched
for, pages nobody read. What is read lies in a notebook of the run's own that has no members, and goes when it is over.
"""

from __future__ import annotations

import asyncio
import json
import math
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from quire import text as text_engine
from quire.domain.chat import Answer
from quire.domain.errors import NotFound
from quire.domain.research import Budget
from quire.domain.sharing import OWNER_ID
from quire.local.job_run import Finished, Run
from quire.local.removal import Removal
from quire.local.research.page_reading import PageReading
from quire.local.research.report_writing import ReportWriting
from quire.local.research.research_rows import put_findings, put_step, research_row
from quire.local.research.searching import Searched, Searching
from quire.local.research.time_spent import TimeSpent
from quire.local.scope import SystemScope
from quire.local.search import Search
from quire.local.workers import job, sweep
from quire.ports.models import Model
from quire.ports.store import Row, Tx

if TYPE_CHECKING:
    from quire.text.research_plan import PlannedQuestion

EACH = 20
AT_ONCE = 4
# So many that cannot be read are tried for each page that may be.
TRIES = 2
SURE = 0.5
FURTHER = 2
MOST_FINDINGS = 40
NAMED = 3
# Pages that fit half as well as the best are as good as it, for a question that has no better.
GOOD = 0.5


@dataclass(frozen=True)
class Standing:
    """How far a run is."""

    row: Row
    budget: Budget
    questions: list[Row]
    pages: list[Row]
    warnings: list[str]

    @property
    def read(self) -> list[Row]:
        return [page for page in self.pages if page["state"] in ("read", "beside")]

    @property
    def about(self) -> list[Row]:
        """Those pages that were read and are about what is looked for."""
        return [page for page in self.pages if page["state"] == "read"]

    @property
    def tried(self) -> int:
        return sum(page["state"] != "found" for page in self.pages)

    @property
    def last_round(self) -> bool:
        return bool(self.row["round"] >= self.budget.rounds)

    @property
    def share(self) -> int:
        """How many pages may have been read when this round is over."""
        return math.ceil(self.budget.pages * min(1.0, float(self.row["round"]) / self.budget.rounds))


class DeepResearch:
    def __init__(
        self,
        system: SystemScope,
        searching: Searching,
        pages: PageReading,
        search: Search,
        writing: ReportWriting,
        model: Model | None,
        removal: Removal,
    ) -> None:
        self._system = system
        self._searching = searching
        self._pages = pages
        self._search = search
        self._writing = writing
        self._model = model
        self._removal = removal

    @job("deep_research")
    async def run_deep(self, run: Run) -> Finished:
        id = run.payload["research_id"]
        reading = await self._reading(run, id)
        standing = await self._standing(run, id)
        spent = TimeSpent(standing.row["spent"], standing.budget.seconds)
        if not standing.questions:
            await self._plan(run, standing)
        # What an attempt that died has written is not written again.
        while standing.row["state"] == "in_progress":
            standing = await self._standing(run, id)
            failure = await self._search_open(run, standing, spent)
            standing = await self._standing(run, id)
            if not standing.pages:
                await self._end_empty(run, standing, failure)
                break
            await self._read_share(run, standing, reading, spent)
            standing = await self._standing(run, id)
            if not await self._judge(run, standing, reading, spent):
                await self._write(run, standing, reading)
                break
        await self._removal.go_on(await run.write(lambda tx: self._forget(tx, reading, run.person_id)))
        return Finished({"research_id": id, "pages": len(standing.read), "rounds": standing.row["round"]})

    @sweep
    async def take_away_left_overs(self) -> None:
        """What was read for runs that were cancelled, have failed, or are gone."""

        def work(tx: Tx) -> None:
            for row in tx.all("left_over_readings"):
                self._forget(tx, row["notebook_id"], OWNER_ID)

        if await self._system.read(lambda tx: tx.all("left_over_readings")):
            await self._system.write(work)

    def _forget(self, tx: Tx, reading: str, person_id: str) -> str | None:
        tx.run("forget_research_reading", notebook_id=reading)
        try:
            return self._removal.notebook(tx, reading, person_id)
        except NotFound:
            return None

    async def _standing(self, run: Run, id: str) -> Standing:
        def work(tx: Tx) -> Standing:
            row = research_row(tx, id)
            return Standing(
                row,
                Budget(**json.loads(row["budget"])),
                tx.all("research_questions", research_id=id),
                tx.all("research_pages", research_id=id),
                json.loads(row["warnings"]),
            )

        return await run.read(work)

    async def _reading(self, run: Run, id: str) -> str:
        """The notebook that pages are read into."""
        known = await run.read(lambda tx: tx.one("research_reading", research_id=id))
        if known is not None:
            return str(known["notebook_id"])
        own = str(uuid.uuid4())

        def work(tx: Tx) -> None:
            tx.run("insert_notebook", id=own, title="", inbox_of=None, at=run.now())
            tx.run("insert_research_reading", notebook_id=own, research_id=id)

        await run.advance(0, None, "planning", "begun", work)
        return own

    async def _plan(self, run: Run, standing: Standing) -> None:
        query, id = standing.row["query"], standing.row["id"]
        summary = await text_engine.notebook_summary(self._search(run), run.notebook_id)
        if self._model is not None:
            planned = await text_engine.plan_by_model(self._model, query, summary.topics)
        else:
            planned = await asyncio.to_thread(text_engine.plan_by_rule, query, summary.topics)

        def work(tx: Tx) -> None:
            _put_questions(tx, id, planned, 1, 1)
            told = "; ".join(one.question for one in planned)
            put_step(tx, run, id, "planned", f"Planned {len(planned)} questions: {told}")

        await run.advance(0, standing.budget.pages, "planning", "planned", work)

    async def _search_open(self, run: Run, standing: Standing, spent: TimeSpent) -> Searched | None:
        """Asks finders what nobody has asked them yet; what the last of them came to, where it is nothing."""
        id, row = standing.row["id"], standing.row
        warnings = list(standing.warnings)
        nothing = None
        for question in standing.questions:
            if question["searched"] or (spent.is_over and standing.pages):
                continue
            message = f"searching: {question['search']}"
            await run.advance(len(standing.read), standing.budget.pages, message, run.place)
            searched = await self._searching.search(question["search"], row["source"], EACH, row["query"])
            nothing = nothing if searched.pages else searched
            known = warnings = list(dict.fromkeys([*warnings, *searched.warnings]))

            def work(tx: Tx, question: Row = question, searched: Searched = searched, known: list[str] = known) -> None:
                fresh = self._put_pages(tx, id, question["number"], searched)
                tx.run("set_question_searched", research_id=id, number=question["number"])
                told = f"Searched for '{question['search']}': found {len(searched.pages)}, {fresh} of them new."
                put_step(tx, run, id, "searched", told)
                self._keep(tx, run, row, spent, known)

            place = f"searched {row['round']}.{question['number']}"
            await run.advance(len(standing.read), standing.budget.pages, message, place, work)
        return nothing

    def _put_pages(self, tx: Tx, id: str, question: int, searched: Searched) -> int:
        number = len(tx.all("research_pages", research_id=id))
        fresh = 0
        for page in searched.pages:
            found = page.found
            fresh += tx.run(
                "insert_research_page",
                research_id=id,
                number=number + fresh + 1,
                question=question,
                address=text_engine.address_of(found),
                doi=found.doi,
                title=found.title,
                url=found.url,
                file=found.file,
                snippet=page.description,
                finder=found.finder,
                score=round(1_000 * page.score),
            )
        return fresh

    def _keep(self, tx: Tx, run: Run, row: Row, spent: TimeSpent, warnings: Sequence[str], more: int = 0) -> None:
        """Writes down the time, what went wrong, and with `more` that the next round begins."""
        kept = {"spent": spent.micros, "warnings": json.dumps(list(warnings)), "round": row["round"] + more}
        tx.run("go_on_with_research", id=row["id"], at=run.now(), **kept)

    async def _read_share(self, run: Run, standing: Standing, reading: str, spent: TimeSpent) -> None:
        """Reads what this round may, best first and a page for each question in turn, a few at once."""
        id, budget = standing.row["id"], standing.budget
        waiting = _in_turn([page for page in standing.pages if page["state"] == "found"])
        read, tried, under_way = len(standing.read), standing.tried, 0
        titles: list[str] = []

        async def reader() -> None:
            nonlocal read, tried, under_way
            while waiting and read + under_way < standing.share and not spent.is_over:
                if tried + under_way >= (1 + TRIES) * budget.pages:
                    return
                page = waiting.pop(0)
                under_way += 1
                good = await self._read_one(run, standing, reading, page, spent, read)
                read, tried, under_way = read + good, tried + 1, under_way - 1
                titles.extend([page["title"]] if good else [])

        try:
            async with asyncio.TaskGroup() as readers:
                for _ in range(AT_ONCE):
                    readers.create_task(reader())
        except BaseExceptionGroup as several:
            raise several.exceptions[0] from None
        if titles:
            named = "; ".join(titles[:NAMED]) + (" and others" if len(titles) > NAMED else "")
            told = f"Read {len(titles)} pages: {named}."

            def step(tx: Tx) -> None:
                put_step(tx, run, id, "read", told)

            await run.advance(read, budget.pages, "judging", f"read round {standing.row['round']}", step)

    async def _read_one(
        self, run: Run, standing: Standing, reading: str, page: Row, spent: TimeSpent, read: int
    ) -> bool:
        """Whether a page was read. Each is a step of its own: the place names it."""
        outcome = await self._pages.read(page, spent.left)
        good = False

        def work(tx: Tx) -> None:
            nonlocal good
            good = self._pages.put(tx, run, reading, standing.row, page, outcome)
            self._keep(tx, run, standing.row, spent, standing.warnings)

        message = f"reading: {page['title']}"
        await run.advance(read, standing.budget.pages, message, f"read {page['number']}", work)
        return good

    async def _judge(self, run: Run, standing: Standing, reading: str, spent: TimeSpent) -> bool:
        """Which questions the pages answer so far; True where another round has something to look for."""
        row, id = standing.row, standing.row["id"]
        about = [page["source_id"] for page in standing.about]
        answers = {
            question["number"]: await self._writing.judged(run, reading, question["question"], about)
            for question in standing.questions
        }
        answered = {number for number, answer in answers.items() if _answers(answer)}
        open_ones = [question for question in standing.questions if question["number"] not in answered]
        room = len(standing.read) < standing.budget.pages and not spent.is_over and not standing.last_round
        fresh = self._further(standing, answers) if room else []
        texts = [citation.excerpt for answer in answers.values() for citation in answer.citations]
        again = {question["number"]: text_engine.searched_again(question["search"], texts) for question in open_ones}
        left = any(page["state"] == "found" for page in standing.pages)
        goes_on = room and bool(fresh or any(open_ones) or left)

        def work(tx: Tx) -> None:
            for question in standing.questions:
                number = question["number"]
                tx.run("set_question_answered", research_id=id, number=number, answered=int(number in answered))
                if goes_on and number in again and again[number] != question["search"]:
                    tx.run("search_question_again", research_id=id, number=number, search=again[number])
            if goes_on:
                _put_questions(tx, id, fresh, len(standing.questions) + 1, row["round"] + 1)
            told = f"{len(answered)} of {len(standing.questions)} questions are answered after round {row['round']}."
            put_step(tx, run, id, "judged", told)
            self._keep(tx, run, row, spent, standing.warnings, int(goes_on))

        await run.advance(len(standing.read), standing.budget.pages, "judging", f"judged {row['round']}", work)
        return goes_on

    def _further(self, standing: Standing, answers: dict[int, Answer]) -> list[PlannedQuestion]:
        """Questions that what was read gives rise to."""
        known = {question["question"].casefold() for question in standing.questions}
        found = [question for answer in answers.values() for question in answer.follow_up_questions]
        good = [
            question
            for question in dict.fromkeys(found)
            if question.casefold() not in known and text_engine.goes_with(standing.row["query"], question)
        ]
        return [text_engine.PlannedQuestion(one, text_engine.searched(one)) for one in good[:FURTHER]]

    async def _write(self, run: Run, standing: Standing, reading: str) -> None:
        id, read = standing.row["id"], len(standing.read)
        message = "writing the report"
        await run.advance(read, standing.budget.pages, message, run.place)
        questions = [question["question"] for question in standing.questions]
        written = await self._writing.report(run, reading, standing.row["query"], questions, standing.pages)
        state, reason = ("completed", None) if written.report else ("no_results", _nothing_said(standing))

        def work(tx: Tx) -> None:
            kept = {"reason": reason, "summary": written.summary, "warnings": json.dumps(standing.warnings)}
            if tx.run("end_research", id=id, state=state, at=run.now(), **kept):
                put_findings(tx, id, written.findings)
            wrote = f"Wrote a report that cites {written.cited} of {read} pages." if written.report else str(reason)
            put_step(tx, run, id, "wrote", wrote)
            run.event(tx, "research.updated", id)

        await run.advance(read, read, message, "written", work)

    async def _end_empty(self, run: Run, standing: Standing, searched: Searched | None) -> None:
        id = standing.row["id"]
        failed = searched is not None and searched.failed
        reason = (searched.reason if searched else None) or "Nothing was found."

        def work(tx: Tx) -> None:
            kept: dict[str, Any] = {"summary": "", "warnings": json.dumps(standing.warnings), "reason": reason}
            tx.run("end_research", id=id, state="failed" if failed else "no_results", at=run.now(), **kept)
            run.event(tx, "research.updated", id)

        await run.advance(0, 0, "searching", "nothing", work)


def _put_questions(tx: Tx, id: str, planned: Sequence[PlannedQuestion], first: int, round: int) -> None:
    for number, one in enumerate(planned, first):
        what = {"question": one.question, "search": one.search}
        tx.run("insert_research_question", research_id=id, number=number, round=round, **what)


def _in_turn(pages: Sequence[Row]) -> list[Row]:
    """Of the good pages the best of each question, then the second of each, and so on; then the others."""
    ranked = sorted(pages, key=lambda page: (-page["score"], page["number"]))
    good = [page for page in ranked if page["score"] >= GOOD * ranked[0]["score"]]
    by_question: dict[int, list[Row]] = {}
    for page in good:
        by_question.setdefault(page["question"], []).append(page)
    rows = zip_longest(*(by_question[question] for question in sorted(by_question)))
    return [page for row in rows for page in row if page is not None] + ranked[len(good) :]


def _answers(answer: Answer) -> bool:
    return answer.grounded and answer.support >= SURE


def _nothing_said(standing: Standing) -> str:
    if standing.read:
        return f"{len(standing.read)} pages were read, and none says anything on this."
    reasons = list(dict.fromkeys(page["reason"] for page in standing.pages if page["reason"]))
    return f"None of {len(standing.pages)} pages could be read. {' '.join(reasons[:NAMED])}"
