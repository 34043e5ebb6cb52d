"""Notebooks that nobody uses any more are let go, with their kernels and files."""

from __future__ import annotations

import asyncio

from quire.local.scope import SystemScope
from quire.local.scratch.ports import ScratchPorts
from quire.local.scratch.rows import LEASE, LOST, ScratchRows, dumped
from quire.local.workers import sweep
from quire.ports.store import Row, Tx

# Notebooks of a process that is gone are left alone for a while: another one may still be at work on them.
GONE_AFTER = 3600 * 1_000_000


class IdleScratch:
    def __init__(self, system: SystemScope, rows: ScratchRows, ports: ScratchPorts) -> None:
        self._system = system
        self._rows = rows
        self._ports = ports

    @sweep
    async def sweep(self) -> int:
        """Returns how many notebooks were let go."""
        kernels, exports = self._ports.kernels, self._ports.exports
        times = {
            "since": self._rows.since(),
            "boot": self._ports.boot or "",
            "recently": self._system.now() - GONE_AFTER,
        }
        idle = await self._system.read(lambda tx: tx.all("idle_scratches", **times))
        for row in idle:
            await self._system.write(lambda tx, row=row: self._delete(tx, row))  # type: ignore[misc]
        await self._system.write(self._end_lost)
        live = await self._system.read(lambda tx: tx.all("scratch_ids"))
        ids, sessions = {row["id"] for row in live}, {row["session_id"] for row in live}
        for scratch_id in kernels.alive() - ids:
            await kernels.stop(scratch_id)
        await kernels.sweep()
        for session in set(await asyncio.to_thread(exports.sessions)) - sessions:
            await asyncio.to_thread(exports.remove, session)
        return len(idle)

    def _end_lost(self, tx: Tx) -> None:
        """Cells whose process is gone do not run any more."""
        now = self._system.now()
        lost = {"outputs": dumped([LOST]), "now": now, "furthest": now + 2 * LEASE}
        for cell in tx.all("end_lost_scratch_cells", **lost):
            row = tx.one("scratch_to_change", id=cell["scratch_id"])
            if row is not None:
                self._rows.record_event(tx, "ran", row, "cells", cell["id"])

    def _delete(self, tx: Tx, row: Row) -> None:
        if tx.run("delete_scratch", id=row["id"]):
            self._rows.record_event(tx, "deleted", row)
