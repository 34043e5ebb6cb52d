"""All that is in a notebook, as far as its library tells."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from quire.api.library import Library
from quire.domain.artifacts import Artifact
from quire.domain.chat import Answer, ChatConfiguration, Conversation, Turn
from quire.domain.errors import Unsupported
from quire.domain.labels import Label
from quire.domain.notebooks import Notebook
from quire.domain.notes import Note
from quire.domain.pages import Page
from quire.domain.sources import Source
from quire.domain.transfers import Moved, ThingKind

PAGE = 1_000
TEXT_PIECE = 1_000_000
LONGEST_TITLE, LONGEST_NAME, LONGEST_EMOJI = 1_000, 200, 32


@dataclass
class Contents:
    """Each list oldest first; `untold` are kinds that the library cannot list."""

    notebook: Notebook
    sources: list[Source] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    conversations: list[Conversation] = field(default_factory=list)
    artifacts: list[Artifact] = field(default_factory=list)
    chat: ChatConfiguration = field(default_factory=ChatConfiguration)
    untold: list[Moved] = field(default_factory=list)

    @property
    def steps(self) -> int:
        made = len(self.conversations) + len(self.artifacts)
        return 1 + len(self.sources) + len(self.notes) + len(self.labels) + made


async def contents_of(library: Library, notebook_id: str) -> Contents:
    notebook = await library.notebooks.get(notebook_id)
    emoji = notebook.emoji if len(notebook.emoji or "") <= LONGEST_EMOJI else None
    found = Contents(notebook.model_copy(update={"title": notebook.title[:LONGEST_TITLE], "emoji": emoji}))
    id = found.notebook.id

    async def listed(kind: ThingKind, list_: Callable[..., Awaitable[Page[Any]]]) -> list[Any]:
        try:
            return [_named(one) async for one in every(list_, id)]
        except Unsupported:
            lost = "The library that it is in does not list them."
            found.untold.append(Moved(kind=kind, id="", title=f"all {kind}s", moved_as="nothing", lost=lost))
            return []

    found.sources = await listed("source", library.sources.list)
    found.notes = (await listed("note", library.notes.list))[::-1]
    found.labels = await listed("label", library.labels.list)
    found.conversations = (await listed("conversation", library.chat.list_conversations))[::-1]
    found.artifacts = (await listed("artifact", library.artifacts.list))[::-1]
    found.chat = await library.chat.get_configuration(id)
    return found


def _named(thing: Any) -> Any:
    """A thing by a name that is no longer than libraries take one."""
    for field_, longest in (("title", LONGEST_TITLE), ("name", LONGEST_NAME)):
        name = getattr(thing, field_, "")
        if len(name) > longest:
            thing = thing.model_copy(update={field_: name[:longest]})
    return thing


async def every(listed: Callable[..., Awaitable[Page[Any]]], of: str) -> AsyncIterator[Any]:
    """All that a list holds, page by page."""
    cursor = None
    while True:
        page = await listed(of, limit=PAGE, cursor=cursor)
        for one in page:
            yield one
        cursor = page.cursor
        if cursor is None:
            return


async def text_of(library: Library, source: Source) -> str:
    """The whole text of a source."""
    pieces: list[str] = []
    at = 0
    while True:
        piece = await library.sources.get_fulltext(source.notebook_id, source.id, start=at, limit=TEXT_PIECE)
        pieces.append(piece.text)
        at = piece.end
        if at >= piece.characters or not piece.text:
            return "".join(pieces)


async def turns_of(library: Library, conversation_id: str) -> list[Turn]:
    """Oldest first."""
    return [turn async for turn in every(library.chat.get_history, conversation_id)][::-1]


def answers(turns: list[Turn]) -> list[Answer]:
    return [turn.answer for turn in turns]
