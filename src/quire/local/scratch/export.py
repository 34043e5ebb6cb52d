"""Scratch notebooks on their way out: as files in a format, and as Markdown to be kept."""

from __future__ import annotations

import asyncio
import builtins

from quire.domain.cells import Cell, Sheet, suffix_of
from quire.domain.errors import NotFound
from quire.domain.scratch import EXPORTS_ROOT, FORMAT_MEDIA_TYPES, Exported, ScratchFormat
from quire.local.scratch.sources_cell import HEAD
from quire.ports.cells import Exports, Formats

FILES = {"srcmd": "notebook.src.md", "ipynb": "notebook.ipynb", "json": "notebook.json"}


class ScratchExport:
    def __init__(self, formats: Formats, exports: Exports) -> None:
        self._formats = formats
        self._exports = exports

    async def write(
        self, scratch_id: str, session_id: str, sheet: Sheet, format: ScratchFormat, *, local: bool
    ) -> Exported:
        """Writes the notebook, with a file for each cell beside it; `local` callers are told where."""
        text = await asyncio.to_thread(self._formats.encode, format, sheet)
        files = {FILES[format]: text}
        files |= {f"cells/{cell.id}.{suffix_of(cell)}": cell.source for cell in sheet.cells}
        folder = await asyncio.to_thread(self._exports.write, session_id, files)
        return Exported(
            notebook_id=scratch_id,
            format=format,
            media_type=FORMAT_MEDIA_TYPES[format],
            uri=f"{EXPORTS_ROOT}/{session_id}/{FILES[format]}",
            path=f"{folder}/{FILES[format]}" if folder and local else None,
            files=[f"{EXPORTS_ROOT}/{session_id}/{name}" for name in files],
            text=text,
        )

    async def read(self, session_id: str, path: str) -> str:
        text = await asyncio.to_thread(self._exports.read, session_id, path)
        if text is None:
            raise NotFound("file", path)
        return text

    async def list(self, session_id: str) -> builtins.list[str]:
        return await asyncio.to_thread(self._exports.list, session_id)

    async def remove(self, session_id: str) -> None:
        await asyncio.to_thread(self._exports.remove, session_id)

    async def srcmd(self, sheet: Sheet) -> str:
        """The notebook as srcmd, whatever stands in it."""
        return await asyncio.to_thread(self._formats.encode, "srcmd", sheet, lenient=True)


def readable(sheet: Sheet) -> str:
    """The notebook as Markdown, each cell under a heading of its own: what is read and cited later."""
    parts: list[str] = []
    for cell in sheet.cells:
        if cell.type == "title":
            parts.append(f"# {cell.source}")
        elif cell.type == "markdown":
            parts.append(cell.source)
        elif cell.type == "code" and cell.source.startswith(HEAD):
            parts.append(f"### {cell.filename}\n\nThe texts of a notebook's sources, which are kept there.")
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
