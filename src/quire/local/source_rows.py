"""Sources as rows of the store, and what a row says."""

from __future__ import annotations

import json
from typing import Any

from quire.domain.errors import InvalidInput, NotFound, NotReady
from quire.domain.sources import Source
from quire.local.timestamps import moment, optional_moment
from quire.ports.store import Row, Tx


def source_of(row: Row) -> Source:
    state, error = row["state"], row["error"]
    if state == "processing" and row["job_state"] in ("failed", "cancelled"):
        state = "failed"
        error = json.loads(row["job_error"])["message"] if row["job_error"] else "Reading it was cancelled."
    return Source(
        id=row["id"],
        notebook_id=row["notebook_id"],
        title=row["title"],
        kind=row["kind"],
        url=row["url"],
        file_name=row["file_name"],
        state=state,
        error=error,
        version=row["version"],
        characters=row["characters"] or 0,
        passages=row["passages"] or 0,
        language=row["language"],
        warnings=json.loads(row["warnings"]) if row["warnings"] else [],
        created_at=moment(row["created_at"]),
        updated_at=moment(row["updated_at"]),
        checked_at=optional_moment(row["checked_at"]),
        stale=bool(row["stale"]),
        note_id=row["note_id"],
    )


def one_source(tx: Tx, source_id: str) -> Source:
    return source_of(source_row(tx, source_id))


def source_row(tx: Tx, source_id: str) -> Row:
    row = tx.one("source_by_id", id=source_id)
    if row is None:
        raise NotFound("source", source_id)
    return row


def hold_source(tx: Tx, notebook_id: str, source_id: str) -> None:
    """Keeps a source from being deleted until this transaction ends; one that was lies elsewhere, or nowhere."""
    row = tx.one("source_to_change", id=source_id)
    if row is None or row["notebook_id"] != notebook_id:
        raise NotFound("source", source_id)


def source_text(tx: Tx, source_id: str, version: int | None = None) -> Row:
    source = one_source(tx, source_id)
    row = tx.one("version_text", id=source_id, version=version or source.version)
    if row is None:
        if version is not None:
            raise NotFound("version", str(version))
        if source.state == "failed":
            raise InvalidInput(f"The source could not be read: {source.error}")
        raise NotReady("The source is still being read.", hint="wait_for_source waits for it.")
    return row


def original_of(tx: Tx, source_id: str) -> dict[str, Any]:
    """The facts of the file that a source was made of."""
    row = source_row(tx, source_id)
    kept = tx.one("blob_size", sha256=row["blob"]) if row["blob"] else None
    if kept is None:
        raise NotFound("original", source_id, hint="A pasted text has none; get_source_text reads it.")
    return {
        "name": row["file_name"] or row["title"],
        "media_type": row["media_type"] or "application/octet-stream",
        "size": kept["size"],
        "sha256": row["blob"],
    }
