"""Artifacts on the move: what they say as a note, where they come as Markdown, and their files on disk."""

from __future__ import annotations

import asyncio
import hashlib
import os
from pathlib import Path

from quire.api.library import Library
from quire.domain.artifacts import Artifact
from quire.domain.errors import InvalidInput, NotAllowed, NotFound, NotReady, Unsupported, WireDrift
from quire.domain.files import Download
from quire.domain.notebook_file.readable import slug
from quire.domain.notes import CONTENT_LIMIT
from quire.domain.transfers import Moved, MovedAs
from quire.entry.transfer.contents import every
from quire.entry.transfer.steps import Facts, Steps

TEXT = "md"
AS_NOTE = "The other library takes no artifacts of others: what it says is a note there."
AS_FILES = "The other library takes no artifacts of others: its files are kept on disk."
NO_WAY = "It has no text that could be a note, and no folder was named for files."


class ArtifactTransfer:
    """`folder` is where files are saved; None saves none."""

    def __init__(self, origin: Library, target: Library, steps: Steps, folder: Path | None) -> None:
        self._origin = origin
        self._target = target
        self._steps = steps
        self._folder = folder

    def planned(self, artifact: Artifact) -> Moved:
        how: MovedAs = "note" if TEXT in artifact.formats else "files on disk" if self._folder else "nothing"
        lost = {"note": AS_NOTE, "files on disk": AS_FILES, "nothing": NO_WAY}[how]
        if artifact.state != "ready":
            how, lost = "nothing", "It is not ready."
        return Moved(kind="artifact", id=artifact.id, title=artifact.title, moved_as=how, lost=lost)

    async def move(self, notebook_id: str, artifact: Artifact) -> Moved:
        plan = self.planned(artifact)
        if plan.moved_as == "nothing":
            return plan
        missing = await self._saved(artifact) if self._folder else []
        lost = " ".join([plan.lost, *missing])
        if plan.moved_as == "note":
            facts = await self._as_note(notebook_id, artifact, lost)
        else:
            facts = {"id": None, "how": "files on disk", "lost": lost}
            self._steps.ledger.end(f"artifact/{artifact.id}", **facts)
        return plan.model_copy(update={"new_id": facts["id"], "lost": facts["lost"], "moved_as": facts["how"]})

    async def _as_note(self, notebook_id: str, artifact: Artifact, lost: str) -> Facts:
        async def content() -> str:
            file = await self._origin.artifacts.download(artifact.notebook_id, artifact.id, TEXT)
            return (await file.read()).decode("utf-8", errors="replace")[:CONTENT_LIMIT]

        async def make() -> Facts:
            note = await self._target.notes.create(notebook_id, artifact.title, await content())
            return {"id": note.id, "how": "note", "lost": lost}

        async def find() -> Facts | None:
            ledger = self._steps.ledger
            known = ledger.ids("note") | ledger.ids("conversation") | ledger.ids("artifact")
            async for note in every(self._target.notes.list, notebook_id):
                if note.title == artifact.title and note.id not in known:
                    await self._target.notes.update(notebook_id, note.id, content=await content())
                    return {"id": note.id, "how": "note", "lost": lost}
            return None

        return await self._steps.once(f"artifact/{artifact.id}", make, find)

    async def _saved(self, artifact: Artifact) -> list[str]:
        """Saves every file that is not there yet; tells of those that could not be had."""
        assert self._folder is not None
        missing = []
        told_apart = hashlib.sha256(artifact.id.encode()).hexdigest()[:12]
        for format in artifact.formats:
            name = f"{slug(artifact.title)}-{told_apart}.{slug(format)}"
            place = self._folder / name
            if not place.exists():
                try:
                    await _save(await self._origin.artifacts.download(artifact.notebook_id, artifact.id, format), place)
                except (InvalidInput, NotAllowed, NotFound, NotReady, Unsupported, WireDrift) as error:
                    missing.append(f"Not as {format}: {error.message}")
        if len(missing) == len(artifact.formats) and TEXT not in artifact.formats:
            raise Unsupported(" ".join(missing) or "It has no files.")
        return missing


async def _save(file: Download, place: Path) -> None:
    """Beside its place first: a file that is there is whole."""
    try:
        await asyncio.to_thread(place.parent.mkdir, parents=True, exist_ok=True, mode=0o700)
        part = place.with_name(f".{place.name}.part")
        await file.save(part)
        await asyncio.to_thread(os.replace, part, place)
    except OSError as error:
        raise Unsupported(f"{place} cannot be written: {error.strerror}.") from None
