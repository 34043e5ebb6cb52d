"""Reading rows."""

from __future__ import annotations

from typing import Any

from quire.ports.store import Tx


def total(tx: Tx, query: str, **where: Any) -> int:
    """The number that a query counts as `total`."""
    row = tx.one(query, **where)
    return 0 if row is None else int(row["total"])
