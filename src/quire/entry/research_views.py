"""Runs of research as people like to read them."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from quire.domain.research import Finding, ListedResearch, ResearchRun
from quire.entry.terminal import Fit, clean, facts, minute, short

STATES = {
    "completed": "green",
    "failed": "red",
    "no_results": "yellow",
    "cancelled": "yellow",
    "in_progress": "cyan",
}


def show_research(out: Console, run: ResearchRun) -> None:
    facts(
        out,
        {
            "Research": Text(run.id, style="cyan"),
            "Query": Text(clean(run.query), style="bold"),
            "Kind": f"{run.mode}, {run.source}",
            "State": state(run),
            "Reason": run.reason and clean(run.reason),
            "Doing": clean(run.message) or None,
            "Read": f"{run.done:,} of {run.total:,} pages" if run.mode == "deep" and run.total else None,
            "Started": run.created_at,
        },
    )
    if run.mode == "deep" and run.steps:
        out.print()
        for step in run.steps:
            out.print(Text.assemble((f"{step.kind:9}", "dim"), clean(step.text)), soft_wrap=True)
    for finding in run.findings:
        out.print()
        _show_finding(out, finding)
    if run.report:
        out.print()
        out.print(Text(clean(run.report)), soft_wrap=True)
    for warning in run.warnings:
        out.print(Text(clean(warning), style="yellow"), soft_wrap=True)


def _show_finding(out: Console, finding: Finding) -> None:
    marks = [word for word, holds in (("cited", finding.cited), ("imported", finding.source_id)) if holds]
    told = f"  ({', '.join(marks)})" if marks else ""
    out.print(
        Text.assemble((f"{finding.number:>3}  ", "cyan"), (clean(finding.title), "bold"), (told, "dim")),
        soft_wrap=True,
    )
    where = finding.url or finding.file
    if where:
        out.print(Text(f"     {clean(where)}", style="dim"), soft_wrap=True)
    if finding.description:
        out.print(Text(f"     {' '.join(clean(finding.description).split())}"), soft_wrap=True)


def state(run: ListedResearch) -> Text:
    return Text(run.state.replace("_", " "), style=STATES[run.state])


COLUMNS: dict[str, Fit] = {
    "Id": "id",
    "Query": "cut",
    "Kind": "whole",
    "State": "whole",
    "Found": "whole",
    "Started (UTC)": "whole",
}


def row(run: ListedResearch) -> tuple[object, ...]:
    return short(run.id), run.query, f"{run.mode}, {run.source}", state(run), run.found, minute(run.created_at)
