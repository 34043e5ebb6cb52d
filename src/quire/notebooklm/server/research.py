"""Research, as NotebookLM's clients ask for it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import quote, unquote

from quire.domain import research as ours
from quire.domain.errors import InvalidInput, NotAllowed, NotFound
from quire.notebooklm.codes import DiscoveryMode, ResearchSource, ResearchState
from quire.notebooklm.methods.research import Chosen, Discovered, Finding, Imported, Run, Started
from quire.notebooklm.server.wire_call import Handler, WireCall

# Clients show all runs of a notebook, and ask again and again; the newest are enough.
SHOWN = 20
PAGE, FILE, REPORT = 1, 2, 5
# What clients take a file's id out of.
FILE_ADDRESS = "quire:drive?id="
STATES = {
    "in_progress": ResearchState.RUNNING,
    "completed": ResearchState.DONE,
    "no_results": ResearchState.NO_RESULTS,
    "cancelled": ResearchState.CANCELLED,
    "failed": ResearchState.FAILED,
}


async def start_fast(call: WireCall, names: Mapping[str, Any]) -> Started:
    return Started((await _started(call, names, "fast")).id)


async def start_deep(call: WireCall, names: Mapping[str, Any]) -> Started:
    """A deep run has two ids: that of its session, and the one that all other calls know it by."""
    made = await _started(call, names, "deep")
    return Started(made.session_id or made.id, made.id)


async def _started(call: WireCall, names: Mapping[str, Any], mode: ours.ResearchMode) -> ours.ResearchRun:
    corpus: ours.Corpus = "drive" if names.get("source") == ResearchSource.DRIVE else "web"
    return await call.library.research.start(call.notebook(names), names["query"], corpus, mode)


async def discover(call: WireCall, names: Mapping[str, Any]) -> Discovered:
    """Without a query the notebook's own topics are looked for, as clients call "curious"."""
    found = await call.library.research.discover(call.notebook(names), names.get("query") or "")
    return Discovered(tuple(map(_finding, found.findings)), found.summary or found.reason, found.id)


async def poll(call: WireCall, names: Mapping[str, Any]) -> tuple[Run, ...]:
    notebook_id = call.notebook(names)
    listed = await call.library.research.list(notebook_id, limit=SHOWN)
    return tuple([_run(await call.library.research.poll(notebook_id, one.id)) for one in listed])


async def import_findings(call: WireCall, names: Mapping[str, Any]) -> tuple[Imported, ...]:
    """What the run found, by its numbers; an address that it did not find is added as any other page."""
    notebook_id, run_id = call.notebook(names), names["run_id"]
    run = await call.library.research.poll(notebook_id, run_id)
    numbers: list[int] = []
    others: list[Chosen] = []
    for entry in names["entries"]:
        number = _number(run, entry)
        if number is None:
            others.append(entry)
        else:
            numbers.append(number)
    added: list[Any] = []
    if numbers:
        added += await call.library.research.import_sources(notebook_id, run_id, numbers, wait=False)
    for entry in others:
        with suppress(InvalidInput):
            added.append(await _added(call, notebook_id, entry))
    return tuple(Imported(source.id, source.title) for source in added)


async def _added(call: WireCall, notebook_id: str, entry: Chosen) -> Any:
    if entry.report is not None and entry.report.markdown:
        title, text = entry.report.title or None, entry.report.markdown
        return await call.library.sources.add(notebook_id, "text", text=text, title=title)
    if entry.link is not None and entry.link.url:
        title = entry.link.title or None
        return await call.library.sources.add(notebook_id, "url", url=entry.link.url, title=title, wait=False)
    raise InvalidInput("An entry does not say what to import.")


def _number(run: ours.ResearchRun, entry: Chosen) -> int | None:
    """The finding of a run that an entry means."""
    if entry.report is not None:
        return next((one.number for one in run.findings if one.kind == "report"), None)
    address = entry.link.url if entry.link is not None else FILE_ADDRESS + entry.file.id if entry.file else None
    if address and address.startswith(FILE_ADDRESS):
        path = unquote(address.removeprefix(FILE_ADDRESS))
        return next((one.number for one in run.findings if one.file == path), None)
    return next((one.number for one in run.findings if one.url is not None and one.url == address), None)


async def cancel(call: WireCall, names: Mapping[str, Any]) -> None:
    """Answered alike in any case, as at Google: what a client may not cancel goes on."""
    with suppress(NotFound, NotAllowed):
        await call.library.research.cancel(None, names["run_id"])


def _run(run: ours.ResearchRun) -> Run:
    return Run(
        id=run.id,
        notebook_id=run.notebook_id,
        query=run.query,
        source=ResearchSource.DRIVE if run.source == "drive" else ResearchSource.WEB,
        mode=DiscoveryMode.DEEP if run.mode == "deep" else DiscoveryMode.FAST,
        findings=tuple(map(_finding, run.findings)),
        summary=run.summary or run.reason,
        state=STATES[run.state],
        updated_at=run.updated_at,
        created_at=run.created_at,
    )


def _finding(finding: ours.Finding) -> Finding:
    kind = REPORT if finding.kind == "report" else FILE if finding.kind == "file" else PAGE
    url = finding.url if finding.file is None else FILE_ADDRESS + quote(finding.file)
    return Finding(url, finding.title, finding.description or None, kind, report=finding.report, ordinal=finding.number)


HANDLERS: dict[str, Handler] = {
    "START_FAST_RESEARCH": start_fast,
    "START_DEEP_RESEARCH": start_deep,
    "DISCOVER_SOURCES": discover,
    "POLL_RESEARCH": poll,
    "IMPORT_RESEARCH": import_findings,
    "CANCEL_RESEARCH": cancel,
}
