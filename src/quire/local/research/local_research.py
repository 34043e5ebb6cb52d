"""Research: start runs, follow them, import what they found."""

from __future__ import annotations

import asyncio
import builtins
import uuid
from collections.abc import Sequence
from contextlib import suppress

from quire import text as text_engine
from quire.domain.errors import Conflict, InvalidInput, NotReady, QuireError, TimedOut
from quire.domain.hygiene import one_line
from quire.domain.pages import Page, page, position
from quire.domain.research import (
    Budget,
    Corpus,
    Finding,
    ListedResearch,
    ResearchMode,
    ResearchRun,
    chosen_findings,
)
from quire.domain.sources import AddedSource
from quire.local.job_queue import JobQueue
from quire.local.job_run import FETCH
from quire.local.research.fast_research import MOST, settle
from quire.local.research.research_rows import one_research, research_row, run_of
from quire.local.research.searching import Searching
from quire.local.scope import Scope
from quire.local.search import Search
from quire.local.sources import LocalSources
from quire.ports.store import Tx

READ_AT_ONCE = 4
TOPICS = 4


class LocalResearch:
    def __init__(
        self, jobs: JobQueue, searching: Searching, sources: LocalSources, search: Search, budget: Budget
    ) -> None:
        self._jobs = jobs
        self._searching = searching
        self._sources = sources
        self._search = search
        self._budget = budget

    async def start(
        self,
        scope: Scope,
        query: str,
        source: Corpus,
        mode: ResearchMode,
        pages: int | None,
        seconds: int | None,
        rounds: int | None,
        wait: bool,
    ) -> ResearchRun:
        query = _given(query)
        await scope.check()
        self._searching.check(source)
        chosen = {"pages": pages, "seconds": seconds, "rounds": rounds}
        budget = self._budget.model_copy(update={name: value for name, value in chosen.items() if value is not None})
        id = str(uuid.uuid4())

        def work(tx: Tx) -> str:
            where = {"id": id, "notebook_id": scope.notebook_id}
            payload = {"research_id": id}
            job_id = self._jobs.add(tx, scope.notebook_id, scope.actor_id, f"{mode}_research", payload, turn=FETCH)
            what = {"query": query, "source": source, "mode": mode, "budget": budget.model_dump_json()}
            session = str(uuid.uuid4()) if mode == "deep" else None
            tx.run("insert_research", job_id=job_id, session_id=session, at=scope.now(), **where, **what)
            scope.event(tx, "research.created", id)
            return job_id

        job_id = await scope.write(work)
        self._jobs.workers.wake()
        if wait:
            await self._finished(scope, job_id)
        else:
            self._jobs.go_on()
        return await scope.read(lambda tx: one_research(tx, id))

    async def poll(self, scope: Scope, research_id: str) -> ResearchRun:
        return await scope.read(lambda tx: one_research(tx, research_id))

    async def list(self, scope: Scope, limit: int, cursor: str | None) -> Page[ListedResearch]:
        def work(tx: Tx) -> Page[ListedResearch]:
            where = {"notebook_id": scope.notebook_id}
            rows = tx.all("research_of", before=position(cursor), limit=limit + 1, **where)
            return page(rows, limit, tx.count("count_research", **where), run_of)

        return await scope.read(work)

    async def wait(self, scope: Scope, research_id: str, seconds: float) -> ResearchRun:
        job_id = await scope.read(lambda tx: research_row(tx, research_id)["job_id"])
        if job_id:
            try:
                async with asyncio.timeout(seconds):
                    await self._finished(scope, job_id)
            except TimeoutError:
                self._jobs.go_on()
                raise TimedOut("The research goes on.", hint="Wait again, or see get_research.") from None
        return await self.poll(scope, research_id)

    async def cancel(self, scope: Scope, research_id: str) -> ResearchRun:
        def work(tx: Tx) -> str | None:
            row = research_row(tx, research_id)
            if not tx.run("cancel_research", id=research_id, at=scope.now()):
                return None
            scope.event(tx, "research.updated", research_id)
            if row["job_id"]:
                self._jobs.cancel(tx, row["job_id"])
            job_id: str | None = row["job_id"]
            return job_id

        job_id = await scope.write(work)
        if job_id:
            self._jobs.workers.interrupt(job_id)
        return await self.poll(scope, research_id)

    async def discover(self, scope: Scope, query: str) -> ResearchRun:
        notebook_id = await scope.check()
        self._searching.check("web")
        if not query.strip():
            topics = (await text_engine.notebook_summary(self._search(scope), notebook_id)).topics
            query = " ".join(topics[:TOPICS])
            if not query:
                raise InvalidInput("query: is needed, since the notebook has no sources to go by.", field="query")
        query = _given(query)
        searched = await self._searching.search(query, "web", MOST)
        id = str(uuid.uuid4())

        def work(tx: Tx) -> ResearchRun:
            what = {"query": query, "source": "web", "mode": "fast", "budget": Budget().model_dump_json()}
            none = {"job_id": None, "session_id": None}
            tx.run("insert_research", id=id, notebook_id=notebook_id, at=scope.now(), **none, **what)
            settle(tx, id, searched, scope.now())
            scope.event(tx, "research.created", id)
            return one_research(tx, id)

        return await scope.write(work)

    async def import_sources(
        self, scope: Scope, research_id: str, numbers: builtins.list[int] | None, cited: bool, wait: bool
    ) -> Page[AddedSource]:
        """Each is told to be a source before its page is fetched; so one that cannot be read says why, and stays."""
        research = await self.poll(scope, research_id)
        if research.state == "in_progress":
            raise NotReady("The research is not over yet.", hint="wait_for_research waits for it.")
        if not research.findings:
            raise Conflict(f"There is nothing to import: {research.reason or 'nothing was found.'}")
        added = []
        for finding in chosen_findings(research.findings, numbers, cited):
            source = await self._imported(scope, research, finding)
            await scope.write(
                lambda tx, number=finding.number, source_id=source.id: tx.run(  # type: ignore[misc]
                    "set_finding_source", research_id=research_id, number=number, source_id=source_id
                )
            )
            added.append(source)
        if wait:
            await self._read(scope, [source.id for source in added])
            added = [
                AddedSource(**dict(await self._sources.get(scope, source.id)), added=source.added) for source in added
            ]
        else:
            self._jobs.go_on()
        return Page(items=added, total=len(added))

    async def _imported(self, scope: Scope, research: ResearchRun, finding: Finding) -> AddedSource:
        if finding.source_id is not None:
            return AddedSource(**dict(await self._sources.get(scope, finding.source_id)), added=False)
        if finding.kind == "report":
            return await self._sources.add(scope, "text", None, finding.report, finding.title, False, False)
        if finding.file is not None:
            return await self._sources.add_drive(scope, finding.file, None, False)
        return await self._sources.add(scope, "url", finding.url, None, finding.title, False, False)

    async def _read(self, scope: Scope, source_ids: Sequence[str]) -> None:
        places = asyncio.Semaphore(READ_AT_ONCE)
        done = 0

        async def one(source_id: str) -> None:
            nonlocal done
            async with places:
                with suppress(TimedOut):
                    await self._sources.wait(scope, source_id, 600)
            done += 1
            await scope.context.report(done, len(source_ids), "reading")

        await asyncio.gather(*(one(id) for id in source_ids))

    async def _finished(self, scope: Scope, job_id: str) -> None:
        """Whoever waits works on it, where nobody else does. That it failed is told by the run's state."""
        with suppress(QuireError):
            await self._jobs.finish(scope, job_id, ours=False)


def _given(query: str) -> str:
    query = one_line(query)
    if not query:
        raise InvalidInput("query: must not be empty.", field="query")
    return query
