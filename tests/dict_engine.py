"""A second engine, tiny: notebooks and notes in a dict. It proves that doors take what any engine offers."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, ClassVar

from quire.adapters.machine import HmacSigner, SystemClock
from quire.api.context import Context
from quire.api.engine import PiecewiseUpload, Subject
from quire.api.library import Library
from quire.api.rates import Rates
from quire.domain.errors import NotAllowed, NotFound
from quire.domain.events import Event
from quire.domain.files import Download
from quire.domain.health import Check
from quire.domain.notebooks import Notebook
from quire.domain.notes import Note
from quire.domain.pages import Page
from quire.domain.sharing import Role, SignedIn
from quire.entry.settings import Settings

INBOX = "inbox"


@dataclass(frozen=True)
class DictScope:
    """The notebook of a call, once it has been looked up."""

    context: Context
    notebook: Notebook | None

    def confirm(self) -> None:
        """The notebook was looked up before the call began."""


@dataclass
class Drawer:
    """All that the engine keeps."""

    notebooks: dict[str, Notebook] = field(default_factory=dict)
    notes: dict[str, Note] = field(default_factory=dict)


class DictNotebooks:
    def __init__(self, drawer: Drawer) -> None:
        self._drawer = drawer

    async def list(self, scope: DictScope, limit: int, cursor: str | None) -> Page[Notebook]:
        found = [one for one in self._drawer.notebooks.values() if not one.inbox]
        return Page(items=found[:limit], total=len(found), truncated=len(found) > limit)

    async def create(self, scope: DictScope, title: str) -> Notebook:
        made = notebook(str(uuid.uuid4()), title)
        self._drawer.notebooks[made.id] = made
        return made

    async def get(self, scope: DictScope) -> Notebook:
        assert scope.notebook is not None
        return scope.notebook

    async def rename(self, scope: DictScope, title: str) -> Notebook:
        assert scope.notebook is not None
        renamed = scope.notebook.model_copy(update={"title": title})
        self._drawer.notebooks[renamed.id] = renamed
        return renamed

    async def delete(self, scope: DictScope) -> Notebook:
        assert scope.notebook is not None
        return self._drawer.notebooks.pop(scope.notebook.id)


class DictNotes:
    def __init__(self, drawer: Drawer) -> None:
        self._drawer = drawer

    async def create(self, scope: DictScope, title: str, content: str) -> Note:
        assert scope.notebook is not None
        id = str(uuid.uuid4())
        made = Note(
            id=id,
            short_id=id[:8],
            notebook_id=scope.notebook.id,
            title=title,
            content=content,
            created_at=datetime.now(UTC),
            revision=1,
        )
        self._drawer.notes[id] = made
        return made

    async def get(self, scope: DictScope, note_id: str) -> Note:
        return self._drawer.notes[named(self._drawer, note_id)]

    async def list(self, scope: DictScope, limit: int, cursor: str | None) -> Page[Note]:
        assert scope.notebook is not None
        found = [note for note in reversed(self._drawer.notes.values()) if note.notebook_id == scope.notebook.id]
        return Page(items=found[:limit], total=len(found), truncated=len(found) > limit)

    async def update(
        self, scope: DictScope, note_id: str, content: str | None, title: str | None, revision: int | None
    ) -> Note:
        old = self._drawer.notes[named(self._drawer, note_id)]
        given = {name: value for name, value in (("content", content), ("title", title)) if value is not None}
        changed = old.model_copy(update={**given, "revision": old.revision + 1, "updated_at": datetime.now(UTC)})
        self._drawer.notes[old.id] = changed
        return changed

    async def delete(self, scope: DictScope, note_id: str) -> Note:
        return self._drawer.notes.pop(named(self._drawer, note_id))


class Silence:
    """An engine in which nothing is told of."""

    async def last(self) -> int:
        return 0

    async def after(self, seq: int) -> AsyncIterator[list[Event]]:
        for batch in ():
            yield batch

    async def readable(self, actor_id: str) -> set[str]:
        return set()


class Nobody:
    async def by_token(self, token_hash: str) -> SignedIn | None:
        return None

    async def by_token_id(self, id: str) -> SignedIn | None:
        return None

    async def admitted(self, email: str, label: str, seconds: int, new_name: str | None) -> str | None:
        return None


class DictEngine:
    name: ClassVar[str] = "dict"
    nouns: ClassVar[Mapping[str, type]] = {"notebooks": DictNotebooks, "notes": DictNotes}

    def __init__(self) -> None:
        self.drawer = Drawer({INBOX: notebook(INBOX, "Inbox", inbox=True)})
        self.rates = Rates()
        self.signer = HmacSigner(b"0" * 32, SystemClock())
        self.events = Silence()
        self.people = Nobody()
        self._done_by = {"notebooks": DictNotebooks(self.drawer), "notes": DictNotes(self.drawer)}

    def seat(self, noun: str) -> DictEngine:
        return self

    def done_by(self, noun: str) -> Any:
        return self._done_by.get(noun)

    def scope(self, context: Context, subject: Subject | None, needs: Role) -> DictScope:
        if subject is None:
            return DictScope(context, None)
        id = subject.id or INBOX
        if subject.kind == "note":
            id = self.drawer.notes[named(self.drawer, id)].notebook_id
        if id not in self.drawer.notebooks or subject.within not in (None, id):
            raise NotFound(subject.kind, subject.id or INBOX)
        return DictScope(context, self.drawer.notebooks[id])

    async def linked(self, token: str) -> Download:
        raise NotAllowed("This link is not valid.")

    def upload(self, token: str, request_id: str) -> PiecewiseUpload:
        raise NotAllowed("This link is not valid.")

    def serve(self, workers: int) -> None:
        """There is no long work."""

    async def stop_serving(self) -> None:
        """There is none to stop."""

    async def check(self) -> None:
        """It cannot fail."""

    async def examine(self) -> list[Check]:
        return [Check(name="store", state="ok", detail="a dict")]

    async def close(self) -> None:
        """Nothing is open."""


def notebook(id: str, title: str, *, inbox: bool = False) -> Notebook:
    now = datetime.now(UTC)
    return Notebook(id=id, title=title, inbox=inbox, role=Role.OWNER, source_count=0, created_at=now, updated_at=now)


def named(drawer: Drawer, id: str) -> str:
    """The whole id of a note that was named by it, or by its beginning."""
    for note in drawer.notes.values():
        if id in (note.id, note.short_id):
            return note.id
    raise NotFound("note", id)


def builder(engine: DictEngine) -> Any:
    """What makes a library on this engine, as entry/bootstrap.py does on the local one."""

    def build(settings: Settings) -> Library:
        return Library(engine, Context(local=True))

    return build
