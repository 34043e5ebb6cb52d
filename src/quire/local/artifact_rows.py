"""Artifacts as rows of the store."""

from __future__ import annotations

import json
from typing import Any

from quire.domain.artifacts import Artifact, ArtifactState
from quire.domain.errors import NotFound
from quire.local.timestamps import moment
from quire.ports.store import Row, Tx

# What a job goes through before files are made, as parts of the whole.
CANCELLED = "It was cancelled."
STATES: dict[str | None, ArtifactState] = {"queued": "pending", "running": "in_progress", "done": "in_progress"}


def artifact_row(tx: Tx, id: str) -> Row:
    row = tx.one("artifact_by_id", id=id)
    if row is None:
        raise NotFound("artifact", id)
    return row


def artifact_of(row: Row) -> Artifact:
    """What is not settled yet is as its job is. Files are there whole or not at all, and outlive an edit that ended."""
    ended: ArtifactState = "ready" if row["formats"] != "[]" else "failed"
    state: ArtifactState = row["state"] if row["state"] != "making" else STATES.get(row["job_state"], ended)
    error = row["error"]
    if state == "failed" and error is None:
        told = json.loads(row["job_error"]) if row["job_error"] else None
        error = told["message"] if told else CANCELLED
    done, total = row["done"] or 0, row["total"] or 0
    making = state == "in_progress"
    return Artifact(
        id=row["id"],
        notebook_id=row["notebook_id"],
        kind=row["kind"],
        title=row["title"],
        state=state,
        progress=1.0 if state in ("ready", "draft") else round(min(1.0, done / total), 3) if making and total else 0.0,
        doing=(row["message"] or "") if making else "",
        options=json.loads(row["options"]),
        instructions=row["instructions"],
        language=row["language"],
        source_ids=json.loads(row["made_of"]) or json.loads(row["source_ids"] or "[]"),
        formats=json.loads(row["formats"]) if state == "ready" else [],
        maker=row["maker"],
        warnings=json.loads(row["warnings"]),
        error=error if state == "failed" else None,
        job_id=row["job_id"],
        created_at=moment(row["created_at"]),
        updated_at=moment(row["updated_at"]),
    )


def one_artifact(tx: Tx, id: str) -> Artifact:
    return artifact_of(artifact_row(tx, id))


def settings_of(row: Row) -> dict[str, Any]:
    options: dict[str, Any] = json.loads(row["options"])
    return options
