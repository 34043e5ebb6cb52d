"""Runs of research as rows of the store."""

from __future__ import annotations

import json
from collections.abc import Sequence

from quire.domain.errors import NotFound
from quire.domain.research import Budget, Finding, ListedResearch, ResearchRun, ResearchState, ResearchStep, StepKind
from quire.local.job_run import Run
from quire.local.timestamps import moment
from quire.ports.store import Row, Tx


def research_row(tx: Tx, id: str) -> Row:
    row = tx.one("research_by_id", id=id)
    if row is None:
        raise NotFound("research", id)
    return row


def run_of(row: Row) -> ListedResearch:
    state, reason = _state(row)
    return ListedResearch(
        id=row["id"],
        notebook_id=row["notebook_id"],
        query=row["query"],
        source=row["source"],
        mode=row["mode"],
        state=state,
        reason=reason,
        message=(row["message"] or "") if state == "in_progress" else "",
        done=row["done"] or 0,
        total=row["total"],
        found=row["found"],
        created_at=moment(row["created_at"]),
        updated_at=moment(row["updated_at"]),
    )


def one_research(tx: Tx, id: str) -> ResearchRun:
    """A run with all that belongs to it."""
    row = research_row(tx, id)
    return ResearchRun(
        **dict(run_of(row)),
        summary=row["summary"],
        findings=[finding_of(finding) for finding in tx.all("findings_of", research_id=id)],
        steps=[
            ResearchStep(kind=step["kind"], text=step["text"], at=moment(step["at"]))
            for step in tx.all("research_steps", research_id=id)
        ],
        warnings=json.loads(row["warnings"]),
        budget=Budget(**json.loads(row["budget"])) if row["mode"] == "deep" else None,
        session_id=row["session_id"],
    )


def finding_of(row: Row) -> Finding:
    names = ("number", "kind", "title", "url", "file", "description", "finder", "report", "source_id")
    return Finding(cited=bool(row["cited"]), **{name: row[name] for name in names})


def put_findings(tx: Tx, research_id: str, findings: Sequence[Finding]) -> None:
    for finding in findings:
        values = finding.model_dump(exclude={"source_id"}) | {"cited": int(finding.cited)}
        tx.run("insert_finding", research_id=research_id, **values)


def put_step(tx: Tx, run: Run, research_id: str, kind: StepKind, text: str) -> None:
    tx.run("insert_research_step", research_id=research_id, kind=kind, text=text, at=run.now())


def _state(row: Row) -> tuple[ResearchState, str | None]:
    """A run whose job was cancelled or died is no longer in progress."""
    if row["state"] == "in_progress" and row["job_state"] == "cancelled":
        return "cancelled", "It was cancelled."
    if row["state"] == "in_progress" and (row["job_state"] in ("failed", "done") or row["job_state"] is None):
        error = json.loads(row["job_error"])["message"] if row["job_error"] else "Its work was lost."
        return "failed", error
    return row["state"], row["reason"]
