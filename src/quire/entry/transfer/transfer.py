"""A notebook moved from one library into another, step by step, so that it can be stopped anywhere and gone on with."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable
from pathlib import Path

from quire.api.context import Report, unheard
from quire.api.library import Library
from quire.domain.chat import ChatConfiguration
from quire.domain.errors import NotFound, QuireError, Unsupported
from quire.domain.labels import Label
from quire.domain.notes import Note
from quire.domain.transfers import Moved, Pages, TransferReport
from quire.entry.transfer.contents import Contents, contents_of, every
from quire.entry.transfer.ledger import Ledger, NotRecorded
from quire.entry.transfer.made import ArtifactTransfer
from quire.entry.transfer.sources import SourceTransfer
from quire.entry.transfer.steps import Facts, Sleep, Steps
from quire.entry.transfer.talks import ConversationTransfer

PATIENCE = 900.0
FOLDER = "transfers"
PAGE = 1_000


async def transfer(
    origin: Library,
    target: Library,
    notebook_id: str,
    *,
    ledgers: Path,
    names: tuple[str, str] | None = None,
    pages: Pages = "address",
    files: Path | None = None,
    dry_run: bool = False,
    again: bool = False,
    report: Report = unheard,
    sleep: Sleep = asyncio.sleep,
) -> TransferReport:
    """Make in `target` a notebook with all that can be moved of one in `origin`, which stays as it is.

    `ledgers` is a folder that remembers what has been moved: stopped anywhere and called again, it goes on, and what
    was added to the notebook since comes along; `again` makes another copy instead. `names` tell the two libraries
    from others there, by default their engines' names. `pages` go by their address or by their text; files of
    artifacts are saved in the folder `files`, where one is given. With `dry_run` nothing is changed.
    """
    called = names or (origin.engine.name, target.engine.name)
    there = await contents_of(origin, notebook_id)
    made = TransferReport(
        origin=called[0], target=called[1], notebook_id=there.notebook.id, title=there.notebook.title, dry_run=dry_run
    )
    made.not_moved += there.untold
    made.files = str(files) if files and there.artifacts else None
    ledger = Ledger(ledgers, *called, there.notebook.id)
    steps = Steps(ledger, sleep)
    way = Transfer(origin, target, steps, pages, files, report)
    if dry_run:
        for plan in way.planned(there):
            (made.not_moved if plan.moved_as == "nothing" else made.moved).append(plan)
        return made
    try:
        with ledger:
            if again:
                ledger.forget()
            made.before = len(ledger.done)
            await way.run(there, made)
    except NotRecorded as error:
        raise Unsupported(str(error), hint="Run it again to go on where it stopped.") from None
    return made


class Transfer:
    """One way between two libraries."""

    def __init__(
        self, origin: Library, target: Library, steps: Steps, pages: Pages, files: Path | None, report: Report
    ) -> None:
        self._target = target
        self._steps = steps
        self._report = report
        self._sources = SourceTransfer(origin, target, steps, pages)
        self._conversations = ConversationTransfer(origin, target, steps)
        self._artifacts = ArtifactTransfer(origin, target, steps, files)
        self._finished = 0

    def planned(self, there: Contents) -> list[Moved]:
        return [
            _notebook(there),
            *([_settings(there)] if there.chat != ChatConfiguration() else []),
            *map(self._sources.planned, there.sources),
            *map(_label, there.labels),
            *map(_note, there.notes),
            *map(self._conversations.planned, there.conversations),
            *map(self._artifacts.planned, there.artifacts),
        ]

    async def run(self, there: Contents, made: TransferReport) -> None:
        id = made.new_id = await self._notebook(there)
        made.moved.append(_notebook(there).model_copy(update={"new_id": id}))
        if there.chat != ChatConfiguration():
            await self._try(made, _settings(there), self._settings(id, there))
        begun = []
        for source in there.sources:
            await self._tell(there, f"source '{source.title}'")
            try:
                await self._sources.move(id, source)
                begun.append(source)
            except QuireError as error:
                made.not_moved.append(self._steps.failed(error, self._sources.planned(source)))
        end = time.monotonic() + PATIENCE
        for number, source in enumerate(begun, 1):
            await self._report(self._finished, there.steps, f"waiting for source {number} of {len(begun)}")
            await self._try(made, self._sources.planned(source), self._sources.settle(id, source, end))
        for label in there.labels:
            await self._tell(there, f"label '{label.name}'")
            await self._try(made, _label(label), self._label(id, label))
        for note in there.notes:
            await self._tell(there, f"note '{note.title}'")
            await self._try(made, _note(note), self._note(id, note))
        for one in there.conversations:
            await self._tell(there, f"conversation '{one.question}'")
            await self._try(made, self._conversations.planned(one), self._conversations.move(id, one))
        for artifact in there.artifacts:
            await self._tell(there, f"artifact '{artifact.title}'")
            await self._try(made, self._artifacts.planned(artifact), self._artifacts.move(id, artifact))
        await self._report(there.steps, there.steps, "")

    async def _tell(self, there: Contents, what: str) -> None:
        self._finished += 1
        await self._report(self._finished, there.steps, what)

    async def _try(self, made: TransferReport, plan: Moved, step: Awaitable[Moved]) -> None:
        try:
            moved = await step
        except QuireError as error:
            moved = self._steps.failed(error, plan)
        (made.not_moved if moved.moved_as == "nothing" else made.moved).append(moved)

    async def _notebook(self, there: Contents) -> str:
        """The notebook that all comes into: the one of an earlier run, unless it has been deleted."""
        ledger = self._steps.ledger
        if "notebook" in ledger.done:
            try:
                await self._target.notebooks.get(ledger.done["notebook"]["id"])
            except NotFound:
                ledger.forget()
        before = [one.id for one in (await self._target.notebooks.list(limit=PAGE)).items]
        known = set(ledger.begun.get("notebook", {}).get("before", before))

        async def make() -> Facts:
            return {"id": (await self._target.notebooks.create(there.notebook.title)).id}

        async def find() -> Facts | None:
            new = [one for one in await self._target.notebooks.list(limit=PAGE) if one.id not in known]
            return next(({"id": one.id} for one in new if one.title == there.notebook.title), None)

        id: str = (await self._steps.once("notebook", make, find, before=before))["id"]
        if there.notebook.emoji and (await self._target.notebooks.get(id)).emoji != there.notebook.emoji:
            await self._target.notebooks.set_emoji(id, there.notebook.emoji)
        return id

    async def _settings(self, id: str, there: Contents) -> Moved:
        await self._target.chat.configure(id, **there.chat.model_dump())
        return _settings(there)

    async def _label(self, id: str, label: Label) -> Moved:
        """Sources that were put under it since an earlier run come under it too."""
        known = self._steps.ledger.ids("label")

        async def make() -> Facts:
            return {"id": (await self._target.labels.create(id, label.name, label.emoji or "")).id}

        async def find() -> Facts | None:
            found = [one async for one in every(self._target.labels.list, id) if one.id not in known]
            return next(({"id": one.id} for one in found if one.name == label.name), None)

        facts = await self._steps.once(f"label/{label.id}", make, find)
        moved = {one: self._steps.ledger.done.get(f"source/{one}", {}).get("id") for one in label.source_ids}
        under = [new for new in moved.values() if new]
        there = (await self._target.labels.get(id, facts["id"])).source_ids
        missing = [new for new in dict.fromkeys(under) if new not in there]
        for start in range(0, len(missing), PAGE):
            await self._target.labels.add_sources(id, facts["id"], missing[start : start + PAGE])
        lost = "" if all(moved.values()) else "Some of its sources were not moved."
        return _label(label).model_copy(update={"new_id": facts["id"], "lost": lost})

    async def _note(self, id: str, note: Note) -> Moved:
        ledger = self._steps.ledger
        known = ledger.ids("note") | ledger.ids("conversation") | ledger.ids("artifact")

        async def make() -> Facts:
            return {"id": (await self._target.notes.create(id, note.title, note.content)).id}

        async def find() -> Facts | None:
            """One whose maker was stopped may not have been filled yet."""
            async for one in every(self._target.notes.list, id):
                if one.id in known or (one.title != note.title and one.content):
                    continue
                if (one.title, one.content) != (note.title, note.content):
                    await self._target.notes.update(id, one.id, content=note.content, title=note.title)
                return {"id": one.id}
            return None

        facts = await self._steps.once(f"note/{note.id}", make, find)
        return _note(note).model_copy(update={"new_id": facts["id"]})


def _notebook(there: Contents) -> Moved:
    return Moved(kind="notebook", id=there.notebook.id, title=there.notebook.title, moved_as="itself")


def _settings(there: Contents) -> Moved:
    return Moved(kind="chat settings", id=there.notebook.id, title=there.chat.goal, moved_as="itself")


def _label(label: Label) -> Moved:
    return Moved(kind="label", id=label.id, title=label.name, moved_as="itself")


def _note(note: Note) -> Moved:
    return Moved(kind="note", id=note.id, title=note.title, moved_as="itself")
