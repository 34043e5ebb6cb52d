"""Who let whom in to what."""

from __future__ import annotations

from quire.domain.pages import Page, page, position
from quire.domain.sharing import SharingEntry
from quire.local.scope import Scope
from quire.local.timestamps import moment
from quire.ports.store import Row, Tx


def logged(
    tx: Tx,
    scope: Scope,
    action: str,
    subject: str,
    *,
    notebook_id: str | None = None,
    title: str = "",
    detail: str = "",
) -> None:
    """Names are written down as they are now, since the log outlives what it speaks of."""
    actor = tx.one("person_called", called=scope.actor_id)
    tx.run(
        "insert_sharing_log",
        at=scope.now(),
        actor_id=scope.actor_id,
        actor=(actor["email"] or actor["name"]) if actor else scope.actor_id,
        action=action,
        subject=subject,
        notebook_id=notebook_id,
        title=title,
        detail=detail,
    )


def page_of_log(tx: Tx, notebook_id: str | None, limit: int, cursor: str | None) -> Page[SharingEntry]:
    """The entries about one notebook, or all."""
    where = {"notebook_id": notebook_id or ""}
    rows = tx.all("sharing_log_before", before=position(cursor), limit=limit + 1, **where)
    return page(rows, limit, tx.count("count_sharing_log", **where), _entry)


def _entry(row: Row) -> SharingEntry:
    names = ("actor", "action", "subject", "notebook_id", "title", "detail")
    return SharingEntry(at=moment(row["at"]), **{name: row[name] for name in names})
