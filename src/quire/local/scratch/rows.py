"""Scratch notebooks as rows: which of them still live, and how they are read and changed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from quire.domain.cells import Cell, Output, Sheet
from quire.domain.errors import Conflict, NotFound
from quire.domain.scratch import CellSummary, ScratchNotebook
from quire.local.scope import SystemScope
from quire.local.scratch.ports import ScratchPorts
from quire.local.timestamps import moment, optional_moment
from quire.ports.cells import Cleared, Updated
from quire.ports.store import Row, Tx

# For how long a cell that runs is taken to run, unless its process says so again.
LEASE = 60 * 1_000_000
LOST = Output(kind="error", error_name="Interrupted", error_value="The server ended while this cell was running.")
# A notebook that is only read is marked as used once in a while, not with every read.
MARK_EVERY = 60 * 1_000_000
MARKUP = ("text/html", "text/markdown", "image/svg+xml")
CODE = (
    *("application/javascript", "text/javascript", "application/ecmascript", "text/ecmascript"),
    *("application/xhtml+xml", "application/xml", "text/xml"),
)
# From here on cleaning takes longer than the event loop should wait.
LARGE = 4_096

Result = TypeVar("Result")


class ScratchRows:
    def __init__(self, system: SystemScope, ports: ScratchPorts) -> None:
        self._system = system
        self._ports = ports

    def since(self) -> int:
        """What was last used before this is gone."""
        return self._system.now() - self._ports.idle_seconds * 1_000_000

    def living(self, tx: Tx, scratch_id: str, session_id: str | None = None, query: str = "scratch_by_id") -> Row:
        """The notebook, if it still lives, and in the session where one is given. The caller's right to it is the
        scope's business."""
        row = tx.one(query, id=scratch_id)
        gone = row is not None and (row["used_at"] < self.since() or row["boot"] not in (None, self._ports.boot))
        if row is None or gone or session_id not in (None, row["session_id"]):
            raise NotFound("scratch", scratch_id)
        return row

    def to_change(self, tx: Tx, scratch_id: str, revision: int | None = None) -> Row:
        row = self.living(tx, scratch_id, query="scratch_to_change")
        if revision is not None and revision != row["revision"]:
            raise Conflict(
                f"The notebook is at revision {row['revision']}, not {revision}.",
                hint="Read it again and repeat the change.",
                revision=row["revision"],
            )
        return row

    def changed(self, tx: Tx, row: Row, *, last_cell: int | None = None, title: str | None = None) -> int:
        """Counts a change, and returns the new revision."""
        after = tx.one(
            "change_scratch",
            id=row["id"],
            last_cell=row["last_cell"] if last_cell is None else last_cell,
            title=row["title"] if title is None else title,
            at=self._system.now(),
        )
        return int(after["revision"]) if after else 0

    def cells(self, tx: Tx, scratch_id: str) -> list[Cell]:
        now = self._system.now()
        return [cell_of(row, now) for row in tx.all("cells_of_scratch", scratch_id=scratch_id)]

    def cell(self, tx: Tx, scratch_id: str, cell_id: str) -> Cell:
        row = tx.one("scratch_cell", scratch_id=scratch_id, id=cell_id)
        if row is None:
            raise NotFound("cell", cell_id)
        return cell_of(row, self._system.now())

    async def mark_used(self, row: Row) -> None:
        """Keeps a notebook alive that is only read."""
        now = self._system.now()
        if row["used_at"] < now - MARK_EVERY:
            await self._system.write(lambda tx: tx.run("use_scratch", id=row["id"], at=now))

    def record_event(self, tx: Tx, kind: str, row: Row, *more: str) -> None:
        """Records in its maker's inbox what happened to a notebook, by its address without the scheme."""
        inbox = tx.one("role_in_inbox", person_id=row["person_id"])
        if inbox is not None:
            subject = "/".join([row["session_id"], row["id"], *more])
            self._system.event(tx, inbox["notebook_id"], f"scratch.{kind}", subject)

    def shown(self, row: Row, cells: Sequence[Cell] = (), warnings: Sequence[str] = ()) -> ScratchNotebook:
        return ScratchNotebook(
            id=row["id"],
            session_id=row["session_id"],
            uri=uri_of(row),
            owner=row["person_id"],
            title=row["title"],
            language=row["language"],
            pattern=row["pattern"],
            cell_count=row["cell_count"],
            revision=row["revision"],
            created_at=moment(row["created_at"]),
            updated_at=moment(row["updated_at"]),
            last_executed=optional_moment(row["executed_at"]),
            total_executions=row["executions"],
            has_errors=row["failures"] > 0,
            expires_at=moment(row["used_at"] + self._ports.idle_seconds * 1_000_000),
            cells=[CellSummary.model_validate(cell, from_attributes=True) for cell in cells],
            warnings=list(warnings),
        )

    def sanitised(self, cell: Cell) -> Cell:
        """A cell as others may see it: no scripts in what it put out."""
        if not cell.outputs:
            return cell
        return cell.model_copy(update={"outputs": [self.clean(output) for output in cell.outputs]})

    async def all_sanitised(self, cells: Sequence[Cell]) -> list[Cell]:
        size = sum(markup_size(output) for cell in cells for output in cell.outputs)
        return await in_time(size, lambda: [self.sanitised(cell) for cell in cells])

    async def cleaned(self, event: Output | Updated | Cleared) -> Output | Updated | Cleared:
        """What a running cell put out or changed, as others may see it."""
        if isinstance(event, Cleared):
            return event
        output = event.output if isinstance(event, Updated) else event
        output = await in_time(markup_size(output), lambda: self.clean(output))
        return Updated(output) if isinstance(event, Updated) else output

    def clean(self, output: Output) -> Output:
        """Markup without anything that runs; kinds that are nothing but code, or cannot be cleaned, are left out."""
        if not output.data:
            return output
        data = {}
        for kind, value in output.data.items():
            plain = media_type(kind)
            if plain in MARKUP:
                lines = value if isinstance(value, list) else [value]
                text = self._ports.sanitised(plain, "".join(map(str, lines)))
                if text is not None:
                    data[plain] = text
            elif plain not in CODE:
                data[kind] = value
        return output.model_copy(update={"data": data})


def media_type(kind: str) -> str:
    """Without parameters, in one spelling."""
    return kind.partition(";")[0].strip().lower()


def markup_size(output: Output) -> int:
    return sum(len(str(value)) for kind, value in output.data.items() if media_type(kind) in MARKUP)


async def in_time(size: int, work: Callable[[], Result]) -> Result:
    """Off the event loop where it takes long."""
    return await asyncio.to_thread(work) if size > LARGE else work()


def uri_of(row: Row) -> str:
    return f"notebook://{row['session_id']}/{row['id']}"


def cell_of(row: Row, now: int) -> Cell:
    """The cell, as it is: one whose process is gone does not run any more, whatever its row says."""
    status, outputs = row["status"], row["outputs"]
    if status == "running" and not now <= (row["running_until"] or 0) <= now + 2 * LEASE:
        status, outputs = "failed", dumped([LOST])
    return Cell.model_construct(
        id=row["id"],
        type=row["type"],
        source=row["source"],
        language=row["language"],
        filename=row["filename"],
        linked=bool(row["linked"]),
        status=status,
        execution_count=row["execution_count"],
        outputs=[Output.model_validate(one) for one in json.loads(outputs)] if outputs != "[]" else [],
        metadata=json.loads(row["metadata"]),
        attachments=None if row["attachments"] is None else json.loads(row["attachments"]),
    )


def insert_cell(tx: Tx, scratch_id: str, place: int, cell: Cell) -> None:
    tx.run(
        "insert_scratch_cell",
        scratch_id=scratch_id,
        place=place,
        type=cell.type,
        metadata=json.dumps(cell.metadata),
        attachments=None if cell.attachments is None else json.dumps(cell.attachments),
        **columns(cell),
    )


def columns(cell: Cell) -> dict[str, Any]:
    return {
        "id": cell.id,
        "source": cell.source,
        "language": cell.language,
        "filename": cell.filename,
        "linked": int(cell.linked),
        "status": cell.status,
        "execution_count": cell.execution_count,
        "outputs": dumped(cell.outputs),
    }


def dumped(outputs: Sequence[Output]) -> str:
    return json.dumps([output.model_dump(mode="json", exclude_defaults=True) for output in outputs])


def sheet_of(row: Row, cells: list[Cell]) -> Sheet:
    return Sheet(
        language=row["language"],
        tsconfig=json.loads(row["tsconfig"]) if row["tsconfig"] else None,
        metadata=json.loads(row["metadata"]),
        cells=cells,
    )
