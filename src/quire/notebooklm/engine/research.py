"""Research at Google: runs that look for sources, what they found, and what is taken from it."""

from __future__ import annotations

import asyncio
import builtins
from collections.abc import Iterable
from urllib.parse import parse_qs, urlsplit

from quire.domain.errors import Conflict, InvalidInput, NotFound, NotReady, Unsupported
from quire.domain.pages import Page, page_of_all
from quire.domain.research import (
    Corpus,
    Finding,
    FindingKind,
    ListedResearch,
    ResearchMode,
    ResearchRun,
    ResearchState,
    chosen_findings,
)
from quire.domain.sources import AddedSource, Source
from quire.notebooklm import codes
from quire.notebooklm.engine.caller import Caller
from quire.notebooklm.engine.polling import Polling
from quire.notebooklm.engine.probing import Since
from quire.notebooklm.engine.rows import BEGINNING
from quire.notebooklm.engine.scope import GoogleScope, Whereabouts
from quire.notebooklm.engine.sources import GoogleSources
from quire.notebooklm.methods import research as wire

STATES: dict[codes.ResearchState, ResearchState] = {
    codes.ResearchState.RUNNING: "in_progress",
    codes.ResearchState.DONE: "completed",
    codes.ResearchState.DONE_DEEP: "completed",
    codes.ResearchState.NO_RESULTS: "no_results",
    codes.ResearchState.CANCELLED: "cancelled",
    codes.ResearchState.UNSPECIFIED: "in_progress",
}
CORPORA = {"web": codes.ResearchSource.WEB, "drive": codes.ResearchSource.DRIVE}
FILE, REPORT = 2, 5
SEARCHING = "NotebookLM looks for sources"
Rows = tuple[wire.Run, ...]


class GoogleResearch:
    def __init__(
        self, caller: Caller, whereabouts: Whereabouts, sources: GoogleSources, polling: Polling, since: Since
    ) -> None:
        self._caller = caller
        self._whereabouts = whereabouts
        self._sources = sources
        self._polling = polling
        self._since = since

    async def start(
        self,
        scope: GoogleScope,
        query: str,
        source: Corpus,
        mode: ResearchMode,
        pages: int | None,
        seconds: int | None,
        rounds: int | None,
        wait: bool,
    ) -> ResearchRun:
        if not query.strip():
            raise InvalidInput("query: must not be empty.", field="query")
        if any(bound is not None for bound in (pages, seconds, rounds)):
            raise Unsupported("NotebookLM decides itself how much it reads.")
        if mode == "deep" and source == "drive":
            raise Unsupported("NotebookLM's deep research reads the web only.")
        notebook_id = await scope.notebook_id()
        asked = {"notebook_id": notebook_id, "query": query.strip(), "source": CORPORA[source]}
        start = self._since()

        async def made() -> wire.Started | None:
            for run in await self._listed(notebook_id):
                new = not self._whereabouts.knows("research", run.id) and start.before(run.created_at)
                if new and run.query == asked["query"]:
                    return wire.Started(run.id)
            return None

        name = "START_DEEP_RESEARCH" if mode == "deep" else "START_FAST_RESEARCH"
        begun: wire.Started = await self._caller.call(name, about=("notebook", notebook_id), probe=made, **asked)
        self._whereabouts.tell("research", begun.run_id, notebook_id)
        rows = [row for row in await self._rows(notebook_id) if row.id == begun.run_id]
        # One that has just begun may not be in the list yet.
        beginning = wire.Run(
            begun.run_id, notebook_id, query.strip(), CORPORA[source], state=codes.ResearchState.RUNNING
        )
        run = run_of(rows[0] if rows else beginning, notebook_id, mode=mode)
        run = run.model_copy(update={"session_id": begun.id if begun.report_id else None})
        return await self._awaited(scope, run, None) if wait else run

    async def poll(self, scope: GoogleScope, research_id: str) -> ResearchRun:
        return await self._one(await scope.notebook_id(), research_id)

    async def list(self, scope: GoogleScope, limit: int, cursor: str | None) -> Page[ListedResearch]:
        notebook_id = await scope.notebook_id()
        runs = [run_of(row, notebook_id) for row in await self._rows(notebook_id)]
        runs.sort(key=lambda run: run.created_at, reverse=True)
        return page_of_all(runs, limit, cursor, listed)

    async def wait(self, scope: GoogleScope, research_id: str, seconds: float) -> ResearchRun:
        return await self._awaited(scope, await self._one(await scope.notebook_id(), research_id), seconds)

    async def cancel(self, scope: GoogleScope, research_id: str) -> ResearchRun:
        notebook_id = await scope.notebook_id()
        run = await self._one(notebook_id, research_id)
        if run.state != "in_progress":
            return run
        await self._caller.call(
            "CANCEL_RESEARCH", about=("research", research_id), notebook_id=notebook_id, run_id=research_id
        )
        return await self._one(notebook_id, research_id)

    async def import_sources(
        self, scope: GoogleScope, research_id: str, numbers: builtins.list[int] | None, cited: bool, wait: bool
    ) -> Page[AddedSource]:
        """What is in the notebook already, by its address or as the report of this title, is not added again."""
        notebook_id = await scope.notebook_id()
        row = await self._row(notebook_id, research_id)
        run = run_of(row, notebook_id)
        if run.state == "in_progress":
            raise NotReady("The research is not over yet.", hint="wait_for_research waits for it.")
        if not run.findings:
            raise Conflict(f"There is nothing to import: {run.reason or 'nothing was found.'}")
        chosen = chosen_findings(run.findings, numbers, cited)
        before = {source.id: source for source in await self._sources.all(notebook_id)}
        there = {one.number: source for one in chosen if (source := _same(before.values(), one)) is not None}
        entries = [
            _entry(found)
            for one, found in zip(run.findings, row.findings, strict=True)
            if one in chosen and one.number not in there
        ]
        made: tuple[wire.Imported, ...] = ()
        if entries:
            made = await self._caller.call(
                "IMPORT_RESEARCH",
                about=("research", research_id),
                notebook_id=notebook_id,
                run_id=research_id,
                entries=entries,
            )
        now = {source.id: source for source in await self._sources.all(notebook_id)}
        added = [AddedSource(**dict(now[one.id])) for one in made if one.id in now]
        added += [AddedSource(**dict(source), added=False) for source in there.values()]
        if wait:
            added = [AddedSource(**{**dict(await self._read(scope, one)), "added": one.added}) for one in added]
        return Page(items=added, total=len(added))

    async def discover(self, scope: GoogleScope, query: str) -> ResearchRun:
        notebook_id = await scope.notebook_id()
        found: wire.Discovered = await self._caller.call(
            "DISCOVER_SOURCES",
            about=("notebook", notebook_id),
            notebook_id=notebook_id,
            query=query.strip(),
            mode=codes.DiscoveryMode.FAST if query.strip() else codes.DiscoveryMode.CURIOUS,
        )
        id = found.run_id or ""
        self._whereabouts.tell("research", id, notebook_id)
        state = codes.ResearchState.DONE if found.findings else codes.ResearchState.NO_RESULTS
        at = self._since().at
        return run_of(
            wire.Run(
                id,
                notebook_id,
                query.strip(),
                codes.ResearchSource.WEB,
                findings=found.findings,
                summary=found.summary,
                state=state,
                updated_at=at,
                created_at=at,
            ),
            notebook_id,
        )

    async def _read(self, scope: GoogleScope, source: Source) -> Source:
        return await self._sources.awaited(scope, source, None)

    async def _awaited(self, scope: GoogleScope, run: ResearchRun, seconds: float | None) -> ResearchRun:
        deadline = scope.context.deadline
        left = 3_600.0 if deadline is None else deadline - asyncio.get_running_loop().time()
        return await self._polling.until(
            scope,
            run,
            lambda one: one.state != "in_progress",
            lambda: self._one(run.notebook_id, run.id),
            doing=SEARCHING,
            seconds=seconds or left,
        )

    async def _one(self, notebook_id: str, research_id: str) -> ResearchRun:
        return run_of(await self._row(notebook_id, research_id), notebook_id)

    async def _row(self, notebook_id: str, research_id: str) -> wire.Run:
        for row in await self._rows(notebook_id):
            if row.id == research_id:
                return row
        raise NotFound("research", research_id)

    async def _rows(self, notebook_id: str) -> Rows:
        rows = await self._listed(notebook_id)
        for row in rows:
            self._whereabouts.tell("research", row.id, notebook_id)
        return rows

    async def _listed(self, notebook_id: str) -> Rows:
        rows: Rows = await self._caller.call("POLL_RESEARCH", about=("notebook", notebook_id), notebook_id=notebook_id)
        return rows


def run_of(row: wire.Run, notebook_id: str, mode: ResearchMode | None = None) -> ResearchRun:
    state = STATES.get(row.state, "failed") if row.state is not None else "in_progress"
    deep = row.mode is codes.DiscoveryMode.DEEP or row.report is not None
    findings = _findings(row)
    over_for_nothing = state in ("failed", "no_results")
    created = row.created_at or BEGINNING
    return ResearchRun(
        id=row.id,
        notebook_id=row.notebook_id or notebook_id,
        query=row.query,
        source="drive" if row.source is codes.ResearchSource.DRIVE else "web",
        mode=mode or ("deep" if deep else "fast"),
        state=state,
        reason=(row.summary or "NotebookLM does not say why.") if over_for_nothing else None,
        found=len(findings),
        created_at=created,
        updated_at=row.updated_at or created,
        summary="" if over_for_nothing else row.summary or "",
        findings=findings,
    )


def _findings(row: wire.Run) -> list[Finding]:
    """Their numbers are those of the wire where each has its own, else their places."""
    ordinals = [found.ordinal for found in row.findings]
    own = None not in ordinals and len(set(ordinals)) == len(ordinals)
    report = row.report or ""
    made = []
    for place, found in enumerate(row.findings, 1):
        kind: FindingKind = "report" if found.report else "file" if found.kind == FILE else "page"
        made.append(
            Finding(
                number=(found.ordinal or place) if own else place,
                kind=kind,
                title=found.title or found.url or "Untitled",
                url=found.url if kind == "page" else None,
                file=file_of(found.url or "") if kind == "file" else None,
                description=found.hint or "",
                finder="notebooklm",
                cited=kind == "report" or bool(found.url and found.url in report),
                report=found.report,
            )
        )
    return made


def file_of(url: str) -> str:
    """A file of Drive by its id, where its address names one."""
    try:
        return parse_qs(urlsplit(url).query).get("id", [url])[0]
    except ValueError:
        return url


def _entry(found: wire.Finding) -> wire.Chosen:
    if found.report:
        return wire.Chosen(report=wire.Report(found.title, found.report))
    return wire.Chosen(link=wire.Link(found.url, found.title))


def _same(sources: Iterable[Source], finding: Finding) -> Source | None:
    """What a finding has become already."""
    for source in sources:
        if finding.url is not None and source.url == finding.url:
            return source
        if finding.kind == "report" and source.kind in ("text", "markdown") and source.title == finding.title:
            return source
    return None


def listed(run: ResearchRun) -> ListedResearch:
    return ListedResearch.model_validate({name: getattr(run, name) for name in ListedResearch.model_fields})
