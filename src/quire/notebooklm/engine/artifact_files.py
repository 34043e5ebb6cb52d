"""What artifacts say, out of the rows and pages that NotebookLM tells it in."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from quire.domain.artifacts import Artifact
from quire.domain.data_tables import safe_cell
from quire.domain.errors import NotReady, WireDrift
from quire.notebooklm.codes import ExportKind
from quire.notebooklm.engine.caller import Caller
from quire.notebooklm.engine.hosts import host_of
from quire.notebooklm.entities import unescape
from quire.notebooklm.methods.studio import App
from quire.notebooklm.methods.studio import Artifact as Row

APP_DATA = re.compile(r"""data-app-data\s{0,8}=\s{0,8}(?:"(?P<data>[^"]*+)"|'(?P<other>[^']*+)')""")
EXPORTS = {"docx": ExportKind.DOCS, "xlsx": ExportKind.SHEETS}
DOCUMENTS_HOST = "docs.google.com"
PAGE_METHOD = "v9rmvd"


class ArtifactTexts:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    async def text(self, row: Row, artifact: Artifact, ending: str) -> str:
        """A file that is made of what NotebookLM says."""
        if ending == "md" and row.report is not None:
            return row.report.markdown or ""
        if ending == "csv" and row.table is not None:
            return table_csv(row.table.rows)
        app = await self._app(artifact)
        if ending == "html":
            if not app.html:
                raise NotReady("NotebookLM tells no page of this artifact.", hint="Download it as json.")
            return app.html
        return json.dumps(await asyncio.to_thread(_data, app), ensure_ascii=False, indent=2)

    async def content(self, row: Row, artifact: Artifact) -> dict[str, Any]:
        if row.report is not None:
            return {"title": artifact.title, "markdown": row.report.markdown or ""}
        if row.table is not None:
            heads, *rows = row.table.rows or [[]]
            return {"title": artifact.title, "columns": heads, "rows": [{"cells": cells} for cells in rows]}
        if row.slides is not None:
            slides = [{"description": one.alt or "", "text": one.text or ""} for one in row.slides.slides]
            return {"title": artifact.title, "slides": slides}
        if row.infographic is not None:
            pictures = [{"description": one.alt or "", "text": one.text or ""} for one in row.infographic.pictures]
            return {"title": artifact.title, "pictures": pictures}
        media = row.audio or row.video
        if media is not None:
            return {"title": artifact.title, "seconds": media.seconds}
        return await asyncio.to_thread(_data, await self._app(artifact))

    async def _app(self, artifact: Artifact) -> App:
        row: Row | None = await self._caller.call(
            "GET_INTERACTIVE_HTML",
            about=("artifact", artifact.id),
            notebook_id=artifact.notebook_id,
            artifact_id=artifact.id,
        )
        if row is None or row.app is None:
            raise NotReady("NotebookLM has nothing to show of this artifact yet.")
        return row.app


def exported_address(url: str, ending: str) -> str:
    """Where the file of an exported document is: Google's own documents are opened there, not downloaded."""
    if host_of(url) != DOCUMENTS_HOST:
        return url
    steps = urlsplit(url).path.split("/")
    if len(steps) < 4 or steps[2] != "d":
        raise WireDrift("Krh3pd $[0]: expected a document's address.", method="Krh3pd", path="$[0]")
    return f"https://{DOCUMENTS_HOST}{'/'.join(steps[:4])}/export?format={ending}"


def table_csv(rows: Sequence[Sequence[str]]) -> str:
    out = io.StringIO()
    csv.writer(out).writerows([safe_cell(cell) for cell in row] for row in rows)
    # Spreadsheets take a file for UTF-8 by this mark.
    return "\ufeff" + out.getvalue()


def exported_as(artifact: Artifact, ending: str) -> dict[str, Any]:
    """What asks Google for a document in the account's Drive."""
    return {
        "about": ("artifact", artifact.id),
        "notebook_id": artifact.notebook_id,
        "artifact_id": artifact.id,
        "title": artifact.title,
        "kind": EXPORTS[ending],
    }


def _data(app: App) -> dict[str, Any]:
    """The tree of a mind map, or what the page of a quiz or of cards carries."""
    told = app.tree or data_in(app.html or "")
    try:
        found = json.loads(told) if told else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise WireDrift(f"{PAGE_METHOD} $[0][9]: expected the data of an app.", method=PAGE_METHOD, path="$[0][9]")
    return found


def data_in(page: str) -> str | None:
    """The data that a page carries for its script."""
    found = APP_DATA.search(page)
    return unescape(found["data"] or found["other"]) if found else None
