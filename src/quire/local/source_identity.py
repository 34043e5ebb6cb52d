"""Sources that come again: recognised by what they were given as."""

from __future__ import annotations

from quire.local.scope import Scope
from quire.ports.store import Tx


def same_source(tx: Tx, scope: Scope, given: str | None, url: str | None = None, *, pasted: bool = False) -> str | None:
    """The source of this notebook that was given as the same bytes in the same way."""
    if given is None:
        return None
    row = tx.one("same_source", notebook_id=scope.notebook_id, given=given, url=url, pasted=int(pasted))
    return None if row is None else row["id"]


def same_address(tx: Tx, scope: Scope, url: str | None) -> str | None:
    """The source of this notebook that came from the same address, whatever its bytes are."""
    row = tx.one("same_address", notebook_id=scope.notebook_id, url=url)
    return None if row is None else row["id"]


def retitle(tx: Tx, scope: Scope, source_id: str, title: str | None) -> None:
    """Gives a source this title, if there is one."""
    if title and title.strip():
        tx.run("rename_source", id=source_id, title=title.strip(), at=scope.now())
        scope.event(tx, "source.updated", source_id)
