"""What a client can read by URI, and which URIs an event touches."""

from __future__ import annotations

import builtins
from collections.abc import Set
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol
from urllib.parse import quote, unquote

import mcp_types as types

if TYPE_CHECKING:
    from quire.api.library import Library
    from quire.domain.events import Event
    from quire.domain.notes import Note

COMPLETIONS = 100


@dataclass(frozen=True)
class Touched:
    """What an event changed: resources that were updated, those below which all has gone, and whether the list is
    another."""

    uris: frozenset[str] = field(default_factory=frozenset)
    listed: bool = False
    gone: frozenset[str] = field(default_factory=frozenset)

    def and_also(self, other: Touched) -> Touched:
        return Touched(self.uris | other.uris, self.listed or other.listed, self.gone | other.gone)

    def among(self, wanted: Set[str]) -> set[str]:
        """Those of the wanted resources that were changed, or have gone with what they were a part of."""
        found = {uri for uri in wanted if uri in self.uris}
        if self.gone:
            above = tuple(f"{uri}/" for uri in self.gone)
            found |= {uri for uri in wanted if uri.startswith(above)}
        return found


class Resources(Protocol):
    """A family of resources. `read` gives None for a URI that is not of this family."""

    async def list(self, library: Library, cursor: str | None) -> tuple[builtins.list[types.Resource], str | None]: ...

    def templates(self) -> builtins.list[types.ResourceTemplate]: ...

    async def read(
        self, library: Library, uri: str
    ) -> builtins.list[types.TextResourceContents | types.BlobResourceContents] | None: ...

    async def complete(
        self, library: Library, template: str, argument: str, value: str
    ) -> builtins.list[str] | None: ...

    async def touched(self, library: Library, event: Event) -> Touched: ...


class NoteResources:
    """`note://{id}`: a note as Markdown, by its id or short id."""

    TEMPLATE = "note://{id}"
    PREFIX = "note://"

    async def list(self, library: Library, cursor: str | None) -> tuple[builtins.list[types.Resource], str | None]:
        page = await library.notes.list(cursor=cursor)
        return [self._resource(note) for note in page], page.cursor

    def templates(self) -> builtins.list[types.ResourceTemplate]:
        return [
            types.ResourceTemplate(
                uri_template=self.TEMPLATE,
                name="note",
                title="Note",
                description="A note by its id or short id.",
                mime_type="text/markdown",
            )
        ]

    async def read(
        self, library: Library, uri: str
    ) -> builtins.list[types.TextResourceContents | types.BlobResourceContents] | None:
        if not uri.startswith(self.PREFIX):
            return None
        note = await library.notes.get(None, unquote(uri.removeprefix(self.PREFIX)))
        return [types.TextResourceContents(uri=uri, mime_type="text/markdown", text=_markdown(note))]

    async def complete(self, library: Library, template: str, argument: str, value: str) -> builtins.list[str] | None:
        if template != self.TEMPLATE:
            return None
        page = await library.notes.list(limit=1000)
        return [note.short_id for note in page if note.short_id.startswith(value)]

    async def touched(self, library: Library, event: Event) -> Touched:
        if not event.kind.startswith("note."):
            return Touched()
        uris = frozenset({self.PREFIX + event.subject_id, self.PREFIX + event.subject_id[:8]})
        return Touched(uris, listed=event.kind != "note.updated")

    def _resource(self, note: Note) -> types.Resource:
        return types.Resource(
            uri=self.PREFIX + quote(note.short_id),
            name=note.short_id,
            title=note.title,
            mime_type="text/markdown",
            size=len(_markdown(note).encode()),
        )


def _markdown(note: Note) -> str:
    return f"# {note.title}\n\n{note.content}\n"
