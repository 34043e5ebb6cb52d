"""Scratch notebooks as resources: `notebook://{session}/{notebook}`, their cells, runs, templates and exports.

Reading never runs anything. A notebook of someone else's, or under another session, is not found.
"""

from __future__ import annotations

import base64
import builtins
from typing import Any
from urllib.parse import unquote

import mcp_types as types
from pydantic_core import to_json

from quire.api.library import Library
from quire.domain.cells import Cell, Output
from quire.domain.errors import InvalidInput, NotFound
from quire.domain.events import Event
from quire.domain.output_files import SVG, file_named, named
from quire.domain.scratch import (
    EXPORTS_ROOT,
    PATTERNS,
    Execution,
    ScratchNotebook,
    ScratchView,
    export_media_type,
)
from quire.entry.resources import Touched

PREFIX = "notebook://"
JSON, MARKDOWN = "application/json", "text/markdown"
Contents = builtins.list[types.TextResourceContents | types.BlobResourceContents]
TEMPLATES = {
    "notebook://{session}/{notebook}": ("notebook", "Scratch notebook", "A notebook as srcmd.", MARKDOWN),
    "notebook://{session}/{notebook}/{format}": (
        "notebook-format",
        "Scratch notebook in a format",
        "`srcmd`, `json`, or `cells` for all cells.",
        None,
    ),
    "notebook://{session}/{notebook}/cells/{cell}": ("cell", "Cell", "What stands in one cell.", None),
    "notebook://{session}/{notebook}/executions/{id}": ("execution", "Execution", "One run of a cell.", JSON),
    "notebook://{session}/{notebook}/executions/{id}/outputs/{file}": (
        "picture",
        "Picture",
        "What a run has drawn: `0.png`, by its place among the outputs.",
        None,
    ),
    "notebook://templates/{pattern}": ("template", "Template", "A notebook to start from.", MARKDOWN),
    "file:///notebooks/{session}/{+path}": ("export", "Exported file", "What export_scratch has written.", None),
}
MOST_TEXTS = 50
TEXT_LIMIT = 1_000_000
FORMATS = ("srcmd", "json", "cells")


class ScratchResources:
    """Texts are kept by the view that they were made of: an engine that gives the same one again says that nothing
    has changed."""

    def __init__(self) -> None:
        self._made: dict[str, tuple[ScratchView, types.TextResourceContents]] = {}

    async def list(self, library: Library, cursor: str | None) -> tuple[builtins.list[types.Resource], str | None]:
        notebooks = await library.scratch.list()
        found = [
            types.Resource(
                uri=f"{PREFIX}list",
                name="Active Notebooks",
                description=f"{len(notebooks)} active notebooks",
                mime_type=JSON,
            )
        ]
        for notebook in notebooks:
            found += self._listed(notebook)
            for path in await self._exported(library, notebook.session_id):
                uri = f"{EXPORTS_ROOT}/{notebook.session_id}/{path}"
                found.append(types.Resource(uri=uri, name=path, mime_type=export_media_type(path)))
        return found, None

    def templates(self) -> builtins.list[types.ResourceTemplate]:
        return [
            types.ResourceTemplate(uri_template=uri, name=name, title=title, description=about, mime_type=kind)
            for uri, (name, title, about, kind) in TEMPLATES.items()
        ]

    async def read(self, library: Library, uri: str) -> Contents | None:
        try:
            if uri.startswith(PREFIX):
                return [await self._notebook(library, uri)]
            if uri.startswith(f"{EXPORTS_ROOT}/"):
                return [await self._file(library, uri)]
        except InvalidInput:
            raise NotFound("resource", uri) from None
        return None

    async def complete(self, library: Library, template: str, argument: str, value: str) -> builtins.list[str] | None:
        if template not in TEMPLATES:
            return None
        if argument == "pattern":
            found: builtins.list[str] = builtins.list(PATTERNS)
        elif argument == "format":
            found = builtins.list(FORMATS)
        else:
            found = []
            for notebook in await library.scratch.list():
                if notebook.owner == library.context.actor.id:
                    found += await self._ids(library, notebook, argument)
        return [one for one in dict.fromkeys(found) if one.startswith(value)]

    async def touched(self, library: Library, event: Event) -> Touched:
        if not event.kind.startswith("scratch."):
            return Touched()
        session, notebook, *more = event.subject_id.split("/")
        base = f"{PREFIX}{session}/{notebook}"
        uris = {base, f"{base}/srcmd", f"{base}/json", f"{base}/cells", f"{PREFIX}list", f"{PREFIX}current"}
        if more:
            uris.add(f"{base}/{'/'.join(more)}")
        if event.kind == "scratch.exported":
            uris = {f"{EXPORTS_ROOT}/{session}/{path}" for path in await self._exported(library, session)}
        listed = event.kind in ("scratch.created", "scratch.deleted", "scratch.exported")
        gone = frozenset({base, f"{EXPORTS_ROOT}/{session}"}) if event.kind == "scratch.deleted" else frozenset()
        return Touched(frozenset(uris), listed, gone)

    async def _notebook(self, library: Library, uri: str) -> types.TextResourceContents | types.BlobResourceContents:
        match [unquote(part) for part in uri.removeprefix(PREFIX).split("/")]:
            case ["list"]:
                return self._text(uri, JSON, _json([_summary(one) for one in await library.scratch.list()]))
            case ["current"]:
                current = await library.scratch.current()
                return await self._whole(uri, library, current.session_id, current.id, "srcmd")
            case ["templates", pattern]:
                return self._text(uri, MARKDOWN, await library.scratch.template(pattern), {"pattern": pattern})
            case [session, id]:
                return await self._whole(uri, library, session, id, "srcmd")
            case [session, id, form] if form in FORMATS:
                return await self._whole(uri, library, session, id, form)
            case [session, id, "cells", cell_id]:
                cell = await library.scratch.view_cell(id, cell_id, session)
                return self._text(uri, cell.media_type, cell.source, _cell_meta(cell))
            case [session, id, "executions", execution_id]:
                execution = await library.scratch.view_execution(id, execution_id, session)
                return self._text(uri, JSON, _json(_execution(execution)), {"executionId": execution.id})
            case [session, id, "cells", cell_id, "outputs", name]:
                cell = await library.scratch.view_cell(id, cell_id, session)
                return self._picture(uri, cell.outputs, name)
            case [session, id, "executions", execution_id, "outputs", name]:
                execution = await library.scratch.view_execution(id, execution_id, session)
                return self._picture(uri, execution.outputs, name)
        raise NotFound("resource", uri)

    def _picture(
        self, uri: str, outputs: builtins.list[Output], name: str
    ) -> types.TextResourceContents | types.BlobResourceContents:
        file = file_named(outputs, name)
        if file is None or file.content is None:
            raise NotFound("resource", uri)
        if file.media_type == SVG:
            return self._text(uri, SVG, file.content.decode())
        blob = base64.b64encode(file.content).decode()
        return types.BlobResourceContents(uri=uri, mime_type=file.media_type, blob=blob)

    async def _file(self, library: Library, uri: str) -> types.TextResourceContents:
        session, _, path = unquote(uri.removeprefix(f"{EXPORTS_ROOT}/")).partition("/")
        text = await library.scratch.exported(session, path)
        return self._text(uri, export_media_type(path), text)

    async def _whole(self, uri: str, library: Library, session: str, id: str, form: str) -> types.TextResourceContents:
        view = await library.scratch.view(id, session)
        known = self._made.get(uri)
        if known is not None and known[0] is view:
            return known[1]
        notebook, sheet = view.notebook, view.sheet
        if form == "srcmd":
            made = await library.scratch.view_text(id, session)
            contents = self._text(uri, MARKDOWN, made.text, _meta(made.notebook))
        elif form == "json":
            whole = _summary(notebook) | sheet.model_dump(mode="json", exclude={"cells", "warnings"})
            contents = self._text(
                uri, JSON, _json(whole | {"cells": [_cell(one) for one in sheet.cells]}), _meta(notebook)
            )
        else:
            shown = [
                _cell(one.model_copy(update={"outputs": named(one.outputs, f"{notebook.uri}/cells/{one.id}")}))
                for one in sheet.cells
            ]
            contents = self._text(uri, JSON, _json(shown), _meta(notebook))
        if len(contents.text) < TEXT_LIMIT:
            if len(self._made) >= MOST_TEXTS:
                self._made.clear()
            self._made[uri] = (view, contents)
        return contents

    def _text(self, uri: str, kind: str, text: str, meta: dict[str, Any] | None = None) -> types.TextResourceContents:
        return types.TextResourceContents(uri=uri, mime_type=kind, text=text, _meta=meta)

    def _listed(self, notebook: ScratchNotebook) -> builtins.list[types.Resource]:
        pattern = notebook.pattern or "generic"
        shown = PATTERNS.get(pattern, notebook.title)
        return [
            types.Resource(
                uri=notebook.uri,
                name=f"{shown} Notebook",
                title=notebook.title,
                description=f"Ephemeral notebook for {pattern} reasoning pattern",
                mime_type=MARKDOWN,
                _meta=_meta(notebook),
            ),
            types.Resource(
                uri=f"{notebook.uri}/cells",
                name=f"{shown} Notebook Cells",
                description=f"{notebook.cell_count} cells",
                mime_type=JSON,
                _meta=_meta(notebook),
            ),
        ]

    async def _exported(self, library: Library, session: str) -> builtins.list[str]:
        try:
            return (await library.scratch.exports(session)).items
        except NotFound:
            return []

    async def _ids(self, library: Library, notebook: ScratchNotebook, argument: str) -> builtins.list[str]:
        if argument == "session":
            return [notebook.session_id]
        if argument == "notebook":
            return [notebook.id]
        if argument == "cell":
            return [cell.id for cell in (await library.scratch.get(notebook.id)).cells]
        if argument == "file":
            return []
        if argument == "id":
            return (await library.scratch.executions(notebook.id)).items
        return await self._exported(library, notebook.session_id)


def _json(data: Any) -> str:
    return to_json(data, indent=2).decode()


def _cell(cell: Cell) -> dict[str, Any]:
    facts: dict[str, Any] = {"id": cell.id, "type": cell.type, "source": cell.source, "status": cell.status}
    more = {
        "language": cell.language,
        "filename": cell.filename,
        "linked": cell.linked or None,
        "execution_count": cell.execution_count,
        "outputs": [output.model_dump(mode="json", exclude_defaults=True) for output in cell.outputs] or None,
        "metadata": cell.metadata or None,
        "attachments": cell.attachments,
    }
    return facts | {name: value for name, value in more.items() if value is not None}


def _summary(notebook: ScratchNotebook) -> dict[str, Any]:
    facts = {
        "id": notebook.id,
        "sessionId": notebook.session_id,
        "title": notebook.title,
        "cellCount": notebook.cell_count,
        "pattern": notebook.pattern,
        "createdAt": _time(notebook.created_at),
    }
    return {name: value for name, value in facts.items() if value is not None}


def _meta(notebook: ScratchNotebook) -> dict[str, Any]:
    facts = {
        "sessionId": notebook.session_id,
        "notebookId": notebook.id,
        "pattern": notebook.pattern,
        "cellCount": notebook.cell_count,
        "createdAt": _time(notebook.created_at),
        "lastModified": _time(notebook.updated_at),
        "lastExecuted": _time(notebook.last_executed) if notebook.last_executed else None,
        "totalExecutions": notebook.total_executions,
        "hasErrors": notebook.has_errors,
        "revision": notebook.revision,
    }
    return {name: value for name, value in facts.items() if value is not None}


def _cell_meta(cell: Cell) -> dict[str, Any]:
    facts = {
        "cellId": cell.id,
        "cellType": cell.type,
        "language": cell.language,
        "filename": cell.filename,
        "status": cell.status,
        "hasOutputs": bool(cell.outputs),
    }
    return {name: value for name, value in facts.items() if value is not None}


def _execution(execution: Execution) -> dict[str, Any]:
    shown = execution.model_copy(update={"outputs": named(execution.outputs, execution.uri)})
    return shown.model_dump(mode="json", exclude_defaults=True)


def _time(moment: Any) -> str:
    text: str = moment.isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")
