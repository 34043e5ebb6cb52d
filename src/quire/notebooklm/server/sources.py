"""Sources, as NotebookLM's clients ask for them."""

from __future__ import annotations

import html
import mimetypes
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from quire.api.library import Library
from quire.domain import sources as ours
from quire.domain.errors import InvalidInput, NotAllowed, NotFound, Unsupported
from quire.domain.source_kinds import known
from quire.notebooklm.codes import SourceKind, SourceState
from quire.notebooklm.documents import Block, Document, Paragraph, Run, utf16_length
from quire.notebooklm.methods.source_rows import (
    CopiedSource,
    Freshness,
    NewSource,
    Passage,
    Queued,
    QueuedSources,
    Source,
    SourceGuide,
    SourcePassages,
    SourceText,
)
from quire.notebooklm.server.artifact_rows import trusted_url
from quire.notebooklm.server.wire_call import Handler, WireCall

STATES = {"processing": SourceState.PROCESSING, "ready": SourceState.READY, "failed": SourceState.FAILED}
PAGE_SIZE = 1_000
TEXT_PIECE = 1_000_000
HTML_FORMAT = 3
MOST_HITS = 20
TAKEN = 0

# A source, one of its versions, and an offset in that version's text.
SourcePlace = tuple[str, int, int]


async def listed(library: Library, notebook_id: str) -> tuple[Source, ...]:
    """All sources of a notebook, as rows."""
    found: list[ours.Source] = []
    cursor: str | None = None
    while True:
        page = await library.sources.list(notebook_id, limit=PAGE_SIZE, cursor=cursor)
        found.extend(page.items)
        cursor = page.cursor
        if cursor is None:
            return tuple(row_of(source) for source in found)


async def add_sources(call: WireCall, names: Mapping[str, Any]) -> tuple[Source, ...]:
    """One entry is told as it goes; of several, those that cannot be added are left out, as Google does."""
    notebook_id = call.notebook(names)
    entries: tuple[NewSource, ...] = names["sources"]
    added = []
    for entry in entries:
        try:
            added.append(await _add(call, notebook_id, entry))
        except (InvalidInput, Unsupported):
            if len(entries) == 1:
                raise
    return tuple(row_of(source) for source in added)


async def queue_sources(call: WireCall, names: Mapping[str, Any]) -> QueuedSources:
    """Pages that are fetched and read after the answer."""
    notebook_id = call.notebook(names)
    added = [row_of(await _add(call, notebook_id, entry, wait=False)) for entry in names["sources"]]
    return QueuedSources(tuple(added), tuple(Queued(row, TAKEN) for row in added))


async def append_text(call: WireCall, names: Mapping[str, Any]) -> Source:
    """The header is for others to see, and no part of the text, as at Google."""
    return row_of(await call.library.sources.append_text(call.page_notebook(), names["source_id"], names["body"]))


async def _add(call: WireCall, notebook_id: str, entry: NewSource, *, wait: bool = True) -> ours.Source:
    url = entry.url or entry.video_url
    if url:
        return await call.library.sources.add(notebook_id, "url", url=url, wait=wait)
    if entry.pasted:
        title, content = entry.pasted.title or None, entry.pasted.content or ""
        return await call.library.sources.add(notebook_id, "text", text=content, title=title)
    if entry.drive:
        return await call.library.sources.add_drive(notebook_id, entry.drive.id, entry.drive.title or None, wait)
    if entry.play_book:
        raise Unsupported("Books of Google Play are not supported by Quire.")
    raise InvalidInput("An entry does not say what to add.")


async def register_file(call: WireCall, names: Mapping[str, Any]) -> tuple[Source, ...]:
    """A file that is going to be sent gets its id beforehand; the source begins with its bytes."""
    await call.library.notebooks.get(call.notebook(names))
    return tuple(Source(str(uuid.uuid4()), name, SourceKind.UNSPECIFIED) for name in names["names"])


async def delete_sources(call: WireCall, names: Mapping[str, Any]) -> None:
    for source_id in names["source_ids"]:
        await call.library.sources.delete(call.page_notebook(), source_id)


async def rename_source(call: WireCall, names: Mapping[str, Any]) -> Source:
    title = names.get("title") or ""
    return row_of(await call.library.sources.rename(call.page_notebook(), names["source_id"], title))


async def refresh_source(call: WireCall, names: Mapping[str, Any]) -> Source:
    return row_of(await call.library.sources.refresh(call.page_notebook(), names["source_id"], wait=False))


async def check_freshness(call: WireCall, names: Mapping[str, Any]) -> Freshness:
    found = await call.library.sources.check_freshness(call.page_notebook(), names["source_id"])
    return Freshness(found.fresh, found.source_id)


async def guide(call: WireCall, names: Mapping[str, Any]) -> SourceGuide:
    found = await call.library.sources.get_guide(call.page_notebook(), names["source_id"])
    return SourceGuide(found.summary, tuple(found.keywords))


async def read_source(call: WireCall, names: Mapping[str, Any]) -> SourceText:
    """The text as paragraphs that stand where citations say, and as HTML where that was asked for."""
    notebook_id, source_id = call.page_notebook(), names["source_id"]
    source = await call.library.sources.get(notebook_id, source_id)
    text = await whole_text(call.library, source_id)
    shown = _html(text) if names.get("format") == HTML_FORMAT else None
    return SourceText(await _with_original(call, source), document_of(text), shown)


async def _with_original(call: WireCall, source: ours.Source) -> Source:
    """The row of a source, and where the file is that somebody made it of."""
    row = row_of(source)
    if source.url or not source.file_name:
        return row
    try:
        file = await call.library.sources.download(source.notebook_id, source.id)
    except NotFound:
        return row
    told = mimetypes.guess_type(file.name)[0] or file.media_type
    return replace(row, download_url=trusted_url(file), content_type=told)


async def whole_text(library: Library, source_id: str, version: int | None = None, end: int | None = None) -> str:
    """A source's text, up to `end` where one is given."""
    pieces: list[str] = []
    at = 0
    while end is None or at < end:
        limit = TEXT_PIECE if end is None else min(TEXT_PIECE, end - at)
        piece = await library.sources.get_fulltext(None, source_id, start=at, limit=limit, version=version)
        pieces.append(piece.text)
        at = piece.end
        if at >= piece.characters:
            break
    return "".join(pieces)


async def utf16_places(library: Library, places: Iterable[SourcePlace]) -> dict[SourcePlace, int]:
    """Places in sources, each with its offset in UTF-16 units; where the text is gone, or not the caller's to
    read, with the offset in characters.

    Each version of a source is read once, however many places are in it.
    """
    wanted: dict[tuple[str, int], set[int]] = {}
    for source_id, version, offset in places:
        wanted.setdefault((source_id, version), set()).add(offset)
    found: dict[SourcePlace, int] = {}
    for (source_id, version), offsets in wanted.items():
        try:
            text = await whole_text(library, source_id, version, max(offsets))
        except (NotFound, NotAllowed):
            text = ""
        at = units = 0
        for offset in sorted(offsets):
            units += utf16_length(text[at:offset]) if text else offset - at
            at = offset
            found[source_id, version, offset] = units
    return found


def document_of(text: str) -> Document:
    """A paragraph for each line that is not blank; places count UTF-16 units of the whole text, line ends included."""
    blocks = []
    at = 0
    for line in text.split("\n"):
        end = at + utf16_length(line)
        if line.strip():
            blocks.append(Block(at, end, Paragraph(runs=(Run(at, end, line),), style=1)))
        at = end + 1
    return Document(blocks=tuple(blocks))


def _html(text: str) -> str:
    return "".join(f"<p>{html.escape(line)}</p>" for line in text.split("\n") if line.strip())


async def relevant(call: WireCall, names: Mapping[str, Any]) -> tuple[SourcePassages, ...]:
    """Passages that fit a query, by source; ranks run over all of them, from one."""
    chosen = list(names["source_ids"]) if names.get("source_ids") else None
    page = await call.library.sources.search(call.notebook(names), names["query"], source_ids=chosen, limit=MOST_HITS)
    places = [(hit.passage.source_id, hit.passage.version, hit.passage.start) for hit in page.items]
    starts = await utf16_places(call.library, places)
    grouped: dict[str, list[Passage]] = {}
    for rank, (hit, place) in enumerate(zip(page.items, places, strict=True), 1):
        start, text = starts[place], hit.passage.text
        row = Passage(text, rank, start, start + utf16_length(text))
        grouped.setdefault(hit.passage.source_id, []).append(row)
    return tuple(SourcePassages(source_id, tuple(passages)) for source_id, passages in grouped.items())


async def notebook_of(library: Library, source_ids: Iterable[str]) -> str | None:
    """The notebook that one of these sources is in."""
    for source_id in source_ids:
        try:
            return (await library.sources.get(None, source_id)).notebook_id
        except NotFound:
            continue
    return None


def row_of(source: ours.Source) -> Source:
    video = source.kind == "youtube"
    return Source(
        id=source.id,
        title=source.title,
        kind=SourceKind[known(source.kind).wire_code],
        state=STATES[source.state],
        characters=source.characters or None,
        created_at=source.created_at,
        modified_at=source.updated_at,
        revision=f"{source.id}-{source.version}",
        revised_at=source.updated_at,
        page_url=None if video else source.url,
        video_url=source.url if video else None,
    )


async def copy_sources(call: WireCall, names: Mapping[str, Any]) -> tuple[CopiedSource, ...]:
    """Clients name only where to; where each source is, its id tells."""
    found = [await call.library.sources.get(None, id) for id in names["source_ids"]]
    copied = {}
    for notebook_id in dict.fromkeys(source.notebook_id for source in found):
        ids = [source.id for source in found if source.notebook_id == notebook_id]
        for one in await call.library.sources.copy(notebook_id, ids, call.notebook(names)):
            copied[one.original_id] = CopiedSource(one.original_id, row_of(one.source))
    return tuple(copied[source.id] for source in found)


HANDLERS: dict[str, Handler] = {
    "ADD_SOURCE": add_sources,
    "ADD_SOURCES_ASYNC": queue_sources,
    "APPEND_SOURCE": append_text,
    "COPY_SOURCES": copy_sources,
    "ADD_SOURCE_FILE": register_file,
    "DELETE_SOURCE": delete_sources,
    "UPDATE_SOURCE": rename_source,
    "REFRESH_SOURCE": refresh_source,
    "CHECK_SOURCE_FRESHNESS": check_freshness,
    "GET_SOURCE_GUIDE": guide,
    "GET_SOURCE": read_source,
    "RETRIEVE_RELEVANT_CHUNKS": relevant,
}
