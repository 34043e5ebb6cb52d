"""Writing office files in a process of its own, which is killed when it takes too much."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from quire.adapters.readers.limits import MIB
from quire.adapters.readers.process import environment, gone, kill, last_of, last_word
from quire.adapters.turns import Turns
from quire.domain.errors import QuireError, TooLarge, error_from
from quire.domain.sheets import Cell, Sheet
from quire.ports.background import in_background
from quire.ports.office import PLAIN, OfficeFacts

log = logging.getLogger("quire.office")

PROCESSES = 2


class OfficeLimits(NamedTuple):
    """What one file may cost."""

    characters: int = 20_000_000
    cells: int = 2_000_000
    seconds: float = 120
    memory: int = 2048 * MIB
    bytes: int = 256 * MIB


LIMITS = OfficeLimits()


class OfficeWriter:
    """DOCX by python-docx, XLSX by XlsxWriter; a few at once, those that a caller waits for first."""

    def __init__(self, limits: OfficeLimits = LIMITS) -> None:
        self._limits = limits
        self._processes = Turns(PROCESSES)

    async def document(self, text: str | Sequence[tuple[str, str]], facts: OfficeFacts = PLAIN) -> bytes:
        chapters = [("", text)] if isinstance(text, str) else list(text)
        self._fits(sum(len(one) for _, one in chapters) + sum(map(len, facts.footnotes.values())))
        return await self._written({"make": "document", "chapters": chapters, "facts": told(facts)}) or b""

    async def workbook(self, sheets: Sequence[Sheet], facts: OfficeFacts = PLAIN) -> bytes:
        cells = sum(len(row) for sheet in sheets for row in [sheet.header, *sheet.rows])
        if cells > self._limits.cells:
            raise TooLarge(f"The tables have {cells:,} cells; a workbook may have {self._limits.cells:,}.")
        plain = await asyncio.to_thread(lambda: [flat(sheet) for sheet in sheets])
        return await self._written({"make": "workbook", "sheets": plain, "facts": told(facts)}) or b""

    async def workbook_of_tables(self, texts: Sequence[tuple[str, str]], facts: OfficeFacts = PLAIN) -> bytes | None:
        self._fits(sum(len(text) for _, text in texts))
        return await self._written({"make": "workbook_of_tables", "texts": list(texts), "facts": told(facts)})

    def _fits(self, characters: int) -> None:
        if characters > self._limits.characters:
            raise TooLarge(
                f"The text has {characters:,} characters; an office file may have {self._limits.characters:,}.",
                hint="Export fewer notes at once.",
            )

    async def _written(self, job: dict[str, Any]) -> bytes | None:
        async with self._processes.taken():
            return await self._made({**job, "limits": self._limits._asdict(), "beside": in_background()})

    async def _made(self, job: dict[str, Any]) -> bytes | None:
        line = await asyncio.to_thread(lambda: json.dumps(job).encode() + b"\n")
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", "quire.adapters.office.child",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            cwd="/", env=environment(), start_new_session=True,
        )  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        errors = asyncio.create_task(last_of(process.stderr))
        try:
            async with asyncio.timeout(self._limits.seconds):
                process.stdin.write(line)
                await process.stdin.drain()
                header = json.loads(await process.stdout.readuntil(b"\n"))
                if "error" in header:
                    raise error_from(header["error"])
                if header["bytes"] is None:
                    return None
                if header["bytes"] > self._limits.bytes:
                    raise TooLarge(f"The file would be larger than {self._limits.bytes:,} bytes.")
                return await process.stdout.readexactly(header["bytes"])
        except TimeoutError:
            raise TooLarge(f"Writing the file took longer than {self._limits.seconds:g} seconds.") from None
        except (asyncio.IncompleteReadError, ConnectionError, ValueError):
            code = await last_word(process)
            log.error("writing an office file ended with %s: %s", code, await errors)
            if code < 0:
                raise TooLarge("Writing the file takes more time or memory than one file may have.") from None
            raise QuireError("The file could not be written.") from None
        finally:
            kill(process)
            await asyncio.shield(gone(process, errors))


def told(facts: OfficeFacts) -> dict[str, Any]:
    return {
        "title": facts.title,
        "language": facts.language,
        "created": facts.created.isoformat() if facts.created else None,
        "footnotes": dict(facts.footnotes),
    }


def flat(sheet: Sheet) -> dict[str, Any]:
    """A sheet as JSON; days and moments are marked as such."""
    return {
        "name": sheet.name,
        "header": list(sheet.header),
        "rows": [[_flat(cell) for cell in row] for row in sheet.rows],
        "percent": sorted(sheet.percent),
    }


def _flat(cell: Cell) -> Any:
    if isinstance(cell, datetime):
        return {"moment": cell.isoformat()}
    if isinstance(cell, date):
        return {"day": cell.isoformat()}
    return cell
