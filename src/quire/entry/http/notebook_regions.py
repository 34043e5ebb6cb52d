"""Regions of a notebook's page beside the questions: what was made of its sources, and its notes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from quire.api.library import Library
from quire.entry.http.note_views import shown_note
from quire.entry.http.studio_views import shown_artifact, shown_kinds, shown_languages

SHOWN = 50
NO_STUDIO: Mapping[str, Any] = {"there": False, "artifacts": [], "total": 0, "older": "", "kinds": []}
NO_NOTES: Mapping[str, Any] = {"items": [], "total": 0, "older": ""}


async def studio_of(
    library: Library, notebook_id: str, cursor: str | None, given: Mapping[str, str], *, may_write: bool
) -> dict[str, Any]:
    """The artifacts, newest first, and what the form that makes one offers; `given` is what was chosen there."""
    offered = {one.tool for one in library.capabilities}
    if "list_artifacts" not in offered:
        return dict(NO_STUDIO)
    page = await library.artifacts.list(notebook_id, limit=SHOWN, cursor=cursor)
    kinds = await library.artifacts.kinds() if may_write and "make_artifact" in offered else []
    return {
        "there": True,
        "artifacts": [shown_artifact(one) for one in page],
        "total": page.total,
        "older": page.cursor or "",
        "kinds": shown_kinds(kinds, given),
        "languages": shown_languages(given.get("language", "")),
        "instructions": given.get("instructions", ""),
    }


async def notes_of(library: Library, notebook_id: str, cursor: str | None) -> dict[str, Any]:
    page = await library.notes.list(notebook_id, limit=SHOWN, cursor=cursor)
    # Notes may be of a megabyte each.
    items = await asyncio.to_thread(lambda: [shown_note(note) for note in page])
    return {"items": items, "total": page.total, "older": page.cursor or ""}
