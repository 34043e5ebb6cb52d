"""One call at Google: on whose behalf, and which notebook it is about."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

from quire.api.context import Context
from quire.api.engine import Subject
from quire.domain.errors import NotFound
from quire.notebooklm.codes import Permission
from quire.notebooklm.engine.caller import Caller
from quire.notebooklm.methods.notebooks import Notebook

MOST_KNOWN = 50_000
LONGEST_ID = 200
MOST_TURNS = 100
Look = Callable[[str, str], Awaitable[bool]]


class Whereabouts:
    """Which notebook things are in, as far as answers have told. Methods name a thing and its notebook together."""

    def __init__(self, caller: Caller, inbox: str) -> None:
        self._caller = caller
        self._known: dict[tuple[str, str], str] = {}
        self._inbox = inbox
        self._opening = asyncio.Lock()

    def tell(self, kind: str, id: str, notebook_id: str) -> None:
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known[kind, id] = notebook_id

    def knows(self, kind: str, id: str) -> bool:
        return (kind, id) in self._known

    def notebook_of(self, kind: str, id: str) -> str | None:
        """The notebook of a thing, as far as that is known here."""
        return self._known.get((kind, id))

    def forget(self, kind: str, id: str) -> None:
        self._known.pop((kind, id), None)

    async def notebooks(self) -> tuple[Notebook, ...]:
        """All notebooks with the rows of their sources, which are then known."""
        rows: tuple[Notebook, ...] = await self._caller.call("LIST_NOTEBOOKS")
        for row in rows:
            for source in row.sources:
                self.tell("source", source.id, row.id)
        return rows

    async def inbox(self, *, make: bool) -> str:
        """The notebook that stands for the inbox; made when it is first needed, if it may be."""
        async with self._opening:
            if ("inbox", self._inbox) not in self._known:
                rows = await self.notebooks()
                found = next((row.id for row in rows if self.is_inbox(row)), None)
                if found is None and not make:
                    raise NotFound("notebook", self._inbox, hint="Name a notebook: there is no inbox yet.")
                if found is None:
                    found = (await self._caller.call("CREATE_NOTEBOOK", title=self._inbox)).id
                self.tell("inbox", self._inbox, found)
            return self._known["inbox", self._inbox]

    def is_inbox(self, row: Notebook) -> bool:
        """Anybody can share a notebook of that name: one's own notes go into one's own."""
        return row.title == self._inbox and row.role in (None, Permission.OWNER)

    async def of(self, subject: Subject, *, make: bool) -> str:
        """The notebook of a subject; *not found* where it is in none of the caller's. An inbox is made if it may be."""
        for id in (subject.id, subject.within):
            if id is not None and not 0 < len(id) <= LONGEST_ID:
                raise NotFound(subject.kind, id)
        if subject.kind in ("notebook", "link"):
            return subject.id if subject.id is not None else await self.inbox(make=make)
        if subject.within is not None:
            return subject.within
        assert subject.id is not None
        found = self._known.get((subject.kind, subject.id))
        if found is None and await self._looked_for(subject.kind, subject.id):
            found = self._known.get((subject.kind, subject.id))
        if found is None:
            raise NotFound(subject.kind, subject.id, hint="Name its notebook.")
        return found

    async def _looked_for(self, kind: str, id: str) -> bool:
        rows = await self.notebooks()
        looks: dict[str, Look] = {
            "note": self._note_in,
            "label": self._label_in,
            "conversation": self._conversation_in,
            "answer": self._answer_in,
            "artifact": partial(self._row_in, "artifact", "LIST_ARTIFACTS"),
            "research": partial(self._row_in, "research", "POLL_RESEARCH"),
        }
        look = looks.get(kind)
        if look is None:
            return kind == "source"
        for row in rows:
            if await look(row.id, id):
                return True
        return False

    async def _note_in(self, notebook_id: str, id: str) -> bool:
        listed = await self._caller.call("GET_NOTES_AND_MIND_MAPS", notebook_id=notebook_id)
        for note in listed.notes:
            self.tell("note", note.id, notebook_id)
            if id in (note.id, note.id[:8]):
                self.tell("note", id, notebook_id)
                return True
        return False

    async def _label_in(self, notebook_id: str, id: str) -> bool:
        labels = await self._caller.call("LIST_LABELS", notebook_id=notebook_id)
        for label in labels:
            self.tell("label", label.id, notebook_id)
        return any(label.id == id for label in labels)

    async def _row_in(self, kind: str, method: str, notebook_id: str, id: str) -> bool:
        rows = await self._caller.call(method, notebook_id=notebook_id)
        for row in rows:
            self.tell(kind, row.id or "", notebook_id)
        return any(row.id == id for row in rows)

    async def _answer_in(self, notebook_id: str, id: str) -> bool:
        for conversation_id in await self._caller.call("GET_LAST_CONVERSATION_ID", notebook_id=notebook_id):
            asked = {"notebook_id": notebook_id, "conversation_id": conversation_id, "limit": MOST_TURNS}
            for turn in await self._caller.call("GET_CONVERSATION_TURNS", **asked):
                if turn.id and turn.id.startswith(id):
                    self.tell("answer", id, notebook_id)
                    return True
        return False

    async def _conversation_in(self, notebook_id: str, id: str) -> bool:
        found = await self._caller.call("GET_LAST_CONVERSATION_ID", notebook_id=notebook_id)
        for one in found:
            self.tell("conversation", one, notebook_id)
        return id in found


class GoogleScope:
    """Roles are Google's to check; a notebook that is not the account's own is not found there."""

    def __init__(self, context: Context, subject: Subject | None, whereabouts: Whereabouts) -> None:
        self.context = context
        self._subject = subject
        self._whereabouts = whereabouts

    @property
    def subject_id(self) -> str:
        if self._subject is None or self._subject.id is None:
            raise RuntimeError("this call is about nothing that has an id")
        return self._subject.id

    async def notebook_id(self) -> str:
        if self._subject is None:
            raise RuntimeError("this call is about no notebook")
        return await self._whereabouts.of(self._subject, make=not self.context.read_only)

    def confirm(self) -> None:
        """Google has checked."""
