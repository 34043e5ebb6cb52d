"""Scratch notebooks on their way out: exported to files, kept in a notebook, swept when nobody uses them."""

from __future__ import annotations

import asyncio
import builtins
from typing import Annotated, Literal

from pydantic import Field

from quire.api.capability import capability
from quire.domain.cells import Cell, Sheet, suffix_of
from quire.domain.errors import NotFound
from quire.domain.notebooks import NotebookId
from quire.domain.scratch import Exported, Saved, ScratchFormat, ScratchId
from quire.local.notes import Notes
from quire.local.scratch.kept import Kept, cells_of, sheet_of
from quire.local.sources import Sources
from quire.ports.store import Row, Tx

FILES = {"srcmd": "notebook.src.md", "ipynb": "notebook.ipynb", "json": "notebook.json"}
MEDIA_TYPES = {"srcmd": "text/markdown", "ipynb": "application/x-ipynb+json", "json": "application/json"}
ROOT = "file:///notebooks"
# Notebooks of a process that is gone are left alone for a while: another one may still be at work on them.
GONE_AFTER = 3600 * 1_000_000


class Leaving(Kept):
    @capability("export_scratch", "write", of=("scratch", "notebook_id"), timeout=120, verb="export")
    async def export(self, notebook_id: ScratchId, format: ScratchFormat = "srcmd") -> Exported:
        """Write a scratch notebook as srcmd, Jupyter notebook or JSON, with a file for each cell beside it."""
        row = await self.seen(notebook_id)
        sheet = await self._whole(row)
        text = await asyncio.to_thread(self.bench.formats.encode, format, sheet)
        files = {FILES[format]: text}
        files |= {f"cells/{cell.id}.{suffix_of(cell)}": cell.source for cell in sheet.cells}
        session: str = row["session_id"]
        folder = await asyncio.to_thread(self.bench.exports.write, session, files)
        await self.write(lambda tx: self.told(tx, "exported", row))
        return Exported(
            notebook_id=notebook_id,
            format=format,
            media_type=MEDIA_TYPES[format],
            uri=f"{ROOT}/{session}/{FILES[format]}",
            path=f"{folder}/{FILES[format]}" if folder and self.context.local else None,
            files=[f"{ROOT}/{session}/{name}" for name in files],
            text=text,
        )

    @capability("save_scratch", "write", of=("scratch", "notebook_id"), timeout=180, verb="save")
    async def save(
        self,
        notebook_id: ScratchId,
        kind: Annotated[Literal["source", "note"], Field(description="What it becomes.")] = "source",
        into: Annotated[NotebookId, Field(description="The notebook it is kept in; the inbox when left out.")]
        | None = None,
    ) -> Saved:
        """Keep a scratch notebook in a notebook for good, with its outputs, so that answers can cite its cells."""
        row = await self.seen(notebook_id)
        sheet = await self._whole(row)
        text = readable(sheet)
        title: str = row["title"]
        if kind == "note":
            note = await Notes(self.parts, self.context).create(into, title, text)
            return Saved(notebook_id=note.notebook_id, kind="note", id=note.id, title=note.title)
        source = await Sources(self.parts, self.context).add(into, "text", text=text, title=title)
        return Saved(notebook_id=source.notebook_id, kind="source", id=source.id, title=source.title)

    async def exported(self, session_id: str, path: str) -> str:
        """A file that an export of one's own has left."""
        await self._owned(session_id)
        text = await asyncio.to_thread(self.bench.exports.read, session_id, path)
        if text is None:
            raise NotFound("file", path)
        return text

    async def exports(self, session_id: str) -> builtins.list[str]:
        """What the exports of a session have left, by path."""
        await self._owned(session_id)
        return await asyncio.to_thread(self.bench.exports.list, session_id)

    async def sweep(self) -> int:
        """Lets go of notebooks that nobody uses, of their kernels and files. Called by the workers."""
        times = {"since": self.since(), "boot": self.bench.boot or "", "recently": self.now() - GONE_AFTER}
        idle = await self.parts.store.read(lambda tx: tx.all("idle_scratches", **times))
        for row in idle:
            await self.parts.store.write(lambda tx, row=row: self._forget(tx, row))  # type: ignore[misc]
        live = await self.parts.store.read(lambda tx: tx.all("scratch_ids"))
        ids, sessions = {row["id"] for row in live}, {row["session_id"] for row in live}
        for notebook_id in self.bench.kernels.alive() - ids:
            await self.bench.kernels.stop(notebook_id)
        for session in set(await asyncio.to_thread(self.bench.exports.sessions)) - sessions:
            await asyncio.to_thread(self.bench.exports.remove, session)
        return len(idle)

    def _forget(self, tx: Tx, row: Row) -> None:
        if tx.run("delete_scratch", id=row["id"]):
            inbox = tx.one("role_in_inbox", person_id=row["person_id"])
            if inbox is not None:
                self.told(tx, "deleted", row, inbox=inbox["notebook_id"])

    async def _whole(self, row: Row) -> Sheet:
        return sheet_of(row, await self.read(lambda tx: cells_of(tx, row["id"])))

    async def _owned(self, session_id: str) -> None:
        found = await self.parts.store.read(
            lambda tx: tx.one("scratch_by_session", session_id=session_id, person_id=self.context.actor.id)
        )
        if found is None:
            raise NotFound("session", session_id)
        await self.parts.store.read(lambda tx: self.row(tx, found["id"]))


def readable(sheet: Sheet) -> str:
    """The notebook as Markdown, each cell under a heading of its own: what is read and cited later."""
    parts: list[str] = []
    for cell in sheet.cells:
        if cell.type == "title":
            parts.append(f"# {cell.source}")
        elif cell.type == "markdown":
            parts.append(cell.source)
        else:
            name = cell.filename or ("package.json" if cell.type == "package.json" else cell.id)
            fence = "````" if "```" in cell.source else "```"
            parts.append(f"### {name}\n\n{fence}{cell.language or ''}\n{cell.source}\n{fence}")
            if output := output_text(cell):
                parts.append(f"Output of {name}:\n\n{output}")
    return "\n\n".join(part for part in parts if part.strip()) + "\n"


def output_text(cell: Cell) -> str:
    """What a cell put out, as far as it is text."""
    parts = []
    for output in cell.outputs:
        if output.kind == "error":
            parts.append(f"{output.error_name}: {output.error_value}")
        else:
            plain = output.data.get("text/plain")
            parts.append(output.text or (plain if isinstance(plain, str) else ""))
    return "\n".join(part.strip("\n") for part in parts if part.strip())
