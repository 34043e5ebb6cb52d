"""Notebooks that were read a moment ago, given out again without a transaction.

What a transaction found out, that the caller may read the notebook and what stands in it, holds for as long as
nobody commits anything. It is read again once in a while all the same, which keeps the notebook alive.
"""

from __future__ import annotations

from typing import NamedTuple

from quire.domain.cells import size_of
from quire.domain.scratch import ScratchView
from quire.local.scope import Admission, Scope

MOST_VIEWS = 50
SIZE_LIMIT = 1_000_000
MICROSECONDS = 30_000_000


class Known(NamedTuple):
    admission: Admission
    until: int
    view: ScratchView


class ViewCache:
    def __init__(self) -> None:
        self._known: dict[tuple[str, str], Known] = {}

    def get(self, scope: Scope) -> ScratchView | None:
        """The notebook of a call, if what was read for the same caller still holds."""
        known = self._known.get((scope.actor_id, scope.subject_id))
        if known is None or scope.now() >= known.until or not scope.admitted_again(known.admission):
            return None
        return known.view

    def put(self, scope: Scope, admission: Admission | None, view: ScratchView) -> None:
        cells = view.sheet.cells
        size = sum(len(cell.source) + sum(map(size_of, cell.outputs)) for cell in cells)
        if admission is None or size > SIZE_LIMIT:
            return
        if len(self._known) >= MOST_VIEWS:
            self._known.clear()
        self._known[scope.actor_id, scope.subject_id] = Known(admission, scope.now() + MICROSECONDS, view)
