"""Sources at Google."""

from __future__ import annotations

import builtins
import mimetypes
import re
from collections.abc import Iterable

from quire.domain.documents import Place
from quire.domain.errors import Conflict, InvalidInput, NotFound, TooLarge, Unsupported
from quire.domain.files import Download, Upload
from quire.domain.headings import first_words
from quire.domain.pages import Page, page_of_all
from quire.domain.passages import Passage, PassageHit
from quire.domain.sources import (
    TEXT_LIMIT,
    AddedSource,
    CopiedSource,
    Freshness,
    RefreshedSource,
    Source,
    SourceGuide,
    SourceText,
)
from quire.domain.videos import video_id
from quire.notebooklm.documents import Block
from quire.notebooklm.engine.caller import Caller
from quire.notebooklm.engine.downloads import PLAIN, Downloads
from quire.notebooklm.engine.notebooks import GoogleNotebooks
from quire.notebooklm.engine.polling import Polling
from quire.notebooklm.engine.probing import Since, once_made
from quire.notebooklm.engine.rows import source_of
from quire.notebooklm.engine.scope import GoogleScope, Whereabouts
from quire.notebooklm.engine.uploads import Uploads
from quire.notebooklm.entities import unescape
from quire.notebooklm.methods import source_rows as wire

TEXT_CODE = 2
PLAIN_FORMAT, HTML_FORMAT = 2, 3
MOST_SECONDS = 110.0
# Files of Drive are documents of Google's unless their source's row says something else.
DRIVE_DOCUMENT = "application/vnd.google-apps.document"
TAG = re.compile(r"<[^<>]{0,10000}>")
MOST_BLANK = 100


class GoogleSources:
    def __init__(
        self,
        caller: Caller,
        whereabouts: Whereabouts,
        notebooks: GoogleNotebooks,
        uploads: Uploads,
        downloads: Downloads,
        polling: Polling,
        since: Since,
    ) -> None:
        self._caller = caller
        self._whereabouts = whereabouts
        self._notebooks = notebooks
        self._uploads = uploads
        self._downloads = downloads
        self._polling = polling
        self._since = since

    async def list(self, scope: GoogleScope, limit: int, cursor: str | None) -> Page[Source]:
        row = await self._notebooks.row(await scope.notebook_id())
        return page_of_all(row.sources, limit, cursor, lambda source: source_of(source, row.id))

    async def add(
        self,
        scope: GoogleScope,
        source_type: str,
        url: str | None,
        text: str | None,
        title: str | None,
        wait: bool,
        whole: bool,
    ) -> AddedSource:
        if whole:
            raise Unsupported("NotebookLM decides itself what it reads of a page.")
        notebook_id = await scope.notebook_id()
        if source_type == "url":
            if not url:
                raise InvalidInput("url: is required when source_type is 'url'.", field="url")
            video = video_id(url) is not None
            entry = wire.NewSource(video_url=url) if video else wire.NewSource(url=url)
        else:
            if text is None:
                raise InvalidInput("text: is required when source_type is 'text'.", field="text")
            if not text.strip():
                raise InvalidInput("text: must not be empty.", field="text")
            if len(text) > TEXT_LIMIT:
                raise TooLarge(f"text: is longer than {TEXT_LIMIT:,} characters.", field="text", limit=TEXT_LIMIT)
            name = (title or "").strip() or first_words(text)
            entry = wire.NewSource(pasted=wire.PastedText(name, text), text_code=TEXT_CODE)
        made = await self._added(notebook_id, entry)
        source: Source = made
        with once_made("source", source_id=made.id):
            if title and source_type == "url":
                source = await self._renamed(notebook_id, source.id, title)
            if wait:
                source = await self.awaited(scope, source, None)
        return AddedSource(**{**dict(source), "added": made.added})

    async def add_file(
        self, scope: GoogleScope, file: Upload, title: str | None, wait: bool, source_id: str | None, whole: bool
    ) -> AddedSource:
        if source_id is not None or whole:
            raise Unsupported("NotebookLM gives its sources ids of its own, and reads pages as it likes.")
        notebook_id = await scope.notebook_id()
        source_id = await self._uploads.send(notebook_id, file)
        self._whereabouts.tell("source", source_id, notebook_id)
        with once_made("source", source_id=source_id):
            source = await self._one(notebook_id, source_id)
            if title:
                source = await self._renamed(notebook_id, source_id, title)
            if wait:
                source = await self.awaited(scope, source, None)
        return AddedSource(**source.model_dump())

    async def add_drive(self, scope: GoogleScope, file: str, title: str | None, wait: bool) -> AddedSource:
        """A file of Google Drive, by its id."""
        notebook_id = await scope.notebook_id()
        entry = wire.NewSource(drive=wire.DriveFile(file, DRIVE_DOCUMENT, title or file))
        source = await self._added(notebook_id, entry)
        return AddedSource(**dict(await self.awaited(scope, source, None) if wait else source))

    async def append_text(self, scope: GoogleScope, source_id: str, text: str) -> Source:
        notebook_id = await scope.notebook_id()
        await self._caller.call(
            "APPEND_SOURCE",
            about=("source", source_id),
            notebook_id=notebook_id,
            source_id=source_id,
            header="",
            body=text,
        )
        return await self._one(notebook_id, source_id)

    async def get(self, scope: GoogleScope, source_id: str) -> Source:
        return await self._one(await scope.notebook_id(), source_id)

    async def rename(self, scope: GoogleScope, source_id: str, title: str) -> Source:
        return await self._renamed(await scope.notebook_id(), source_id, title)

    async def copy(
        self, scope: GoogleScope, source_ids: builtins.list[str], into: str, wait: bool
    ) -> Page[CopiedSource]:
        notebook_id = await scope.notebook_id()
        there = {source.id for source in await self.all(notebook_id)}
        for source_id in source_ids:
            if source_id not in there:
                raise NotFound("source", source_id)
        rows: tuple[wire.CopiedSource, ...] = await self._caller.call(
            "COPY_SOURCES", about=("notebook", into), notebook_id=into, source_ids=source_ids
        )
        copies = []
        for row in rows:
            self._whereabouts.tell("source", row.source.id, into)
            source = source_of(row.source, into)
            source = await self.awaited(scope, source, None) if wait else source
            copies.append(CopiedSource(original_id=row.original_id, source=source))
        return Page(items=copies, total=len(copies))

    async def delete(self, scope: GoogleScope, source_id: str) -> Source:
        notebook_id = await scope.notebook_id()
        source = await self._one(notebook_id, source_id)
        await self._caller.call(
            "DELETE_SOURCE", about=("source", source_id), notebook_id=notebook_id, source_ids=[source_id]
        )
        self._whereabouts.forget("source", source_id)
        return source

    async def get_fulltext(
        self, scope: GoogleScope, source_id: str, start: int, limit: int, version: int | None
    ) -> SourceText:
        if version not in (None, 1):
            raise NotFound("version", str(version), hint="NotebookLM keeps the newest text only.")
        notebook_id = await scope.notebook_id()
        text, title = await self.text(notebook_id, source_id)
        end = min(len(text), start + limit)
        return SourceText(
            source_id=source_id,
            title=title,
            version=1,
            characters=len(text),
            start=min(start, len(text)),
            end=end,
            text=text[start:end],
        )

    async def download(self, scope: GoogleScope, source_id: str) -> Download:
        row = (await self._read(await scope.notebook_id(), source_id)).source
        if row is None or not row.download_url:
            raise NotFound(
                "original", source_id, hint="Google gives out no file of it; get_source_text reads its text."
            )
        name = row.title or source_id
        if "." not in name:
            told = row.content_type or row.media_type or PLAIN
            name += mimetypes.guess_extension(told) or "" if told != PLAIN else ""
        return await self._downloads.fetched(row.download_url, name, local=scope.context.local)

    async def _read(self, notebook_id: str, source_id: str) -> wire.SourceText:
        found: wire.SourceText = await self._caller.call(
            "GET_SOURCE",
            about=("source", source_id),
            notebook_id=notebook_id,
            source_id=source_id,
            format=PLAIN_FORMAT,
        )
        return found

    async def text(self, notebook_id: str, source_id: str) -> tuple[str, str]:
        """The whole text of a source and its title. Lines stand where NotebookLM's own offsets say."""
        found = await self._read(notebook_id, source_id)
        title = (found.source.title if found.source else None) or ""
        if found.document is not None and found.document.blocks:
            return "".join(laid_out(found.document.blocks)), title
        return unescape(TAG.sub("", (found.html or "").replace("</p>", "\n"))), title

    async def get_guide(self, scope: GoogleScope, source_id: str) -> SourceGuide:
        notebook_id = await scope.notebook_id()
        source = await self._one(notebook_id, source_id)
        guide: wire.SourceGuide = await self._caller.call(
            "GET_SOURCE_GUIDE", about=("source", source_id), notebook_id=notebook_id, source_id=source_id
        )
        return SourceGuide(
            source_id=source_id, title=source.title, summary=guide.summary, keywords=list(guide.keywords)
        )

    async def wait(self, scope: GoogleScope, source_id: str, seconds: float) -> Source:
        notebook_id = await scope.notebook_id()
        return await self.awaited(scope, await self._one(notebook_id, source_id), seconds)

    async def search(
        self,
        scope: GoogleScope,
        query: str,
        source_ids: builtins.list[str] | None,
        limit: int,
        label_ids: builtins.list[str] | None,
    ) -> Page[PassageHit]:
        notebook_id = await scope.notebook_id()
        row = await self._notebooks.row(notebook_id)
        titles = {source.id: source.title or "" for source in row.sources}
        chosen = await self.chosen(notebook_id, source_ids, label_ids)
        if chosen is not None and not chosen:
            return Page(items=[], total=0)
        found: tuple[wire.SourcePassages, ...] = await self._caller.call(
            "RETRIEVE_RELEVANT_CHUNKS",
            about=("notebook", notebook_id),
            notebook_id=notebook_id,
            query=query,
            source_ids=chosen,
        )
        hits = [(passage, group.source_id) for group in found for passage in group.passages]
        hits.sort(key=lambda hit: hit[0].rank or len(hits))
        items = [
            PassageHit(
                passage=Passage(
                    id=number,
                    source_id=source_id,
                    source_title=titles.get(source_id, ""),
                    version=1,
                    start=passage.start or 0,
                    end=passage.end or len(passage.text),
                    text=passage.text,
                    place=Place(),
                ),
                score=1 / number,
            )
            for number, (passage, source_id) in enumerate(hits[:limit], 1)
        ]
        return Page(items=items, total=len(hits), truncated=len(hits) > limit)

    async def refresh(self, scope: GoogleScope, source_id: str, wait: bool, whole: bool | None) -> RefreshedSource:
        if whole:
            raise Unsupported("NotebookLM decides itself what it reads of a page.")
        notebook_id = await scope.notebook_id()
        before = await self._row(notebook_id, source_id)
        await self._caller.call(
            "REFRESH_SOURCE", about=("source", source_id), notebook_id=notebook_id, source_id=source_id
        )
        source = await self._one(notebook_id, source_id)
        if wait:
            source = await self.awaited(scope, source, None)
        after = await self._row(notebook_id, source_id)
        changed = None if source.state == "processing" else after.revision != before.revision
        return RefreshedSource(**dict(source), changed=changed)

    async def check_freshness(self, scope: GoogleScope, source_id: str) -> Freshness:
        notebook_id = await scope.notebook_id()
        source = await self._one(notebook_id, source_id)
        found: wire.Freshness = await self._caller.call(
            "CHECK_SOURCE_FRESHNESS", about=("source", source_id), notebook_id=notebook_id, source_id=source_id
        )
        why = "NotebookLM finds it unchanged." if found.fresh else "NotebookLM finds that it has changed."
        return Freshness(
            source_id=source_id, title=source.title, fresh=found.fresh, why=why, checked_at=self._since().at
        )

    async def chosen(
        self, notebook_id: str, source_ids: builtins.list[str] | None, label_ids: builtins.list[str] | None
    ) -> builtins.list[str] | None:
        """The sources that are meant: those named, and those under the labels; None where neither was given."""
        if not label_ids:
            return source_ids
        labels = await self._caller.call("LIST_LABELS", about=("notebook", notebook_id), notebook_id=notebook_id)
        members = {label.id: label.members for label in labels}
        for label_id in label_ids:
            if label_id not in members:
                raise NotFound("label", label_id)
        found = [*(source_ids or ()), *(source for label_id in label_ids for source in members[label_id])]
        if not found:
            hint = "list_labels shows them."
            raise Conflict("There are no sources under this label.", hint=hint, reason="no_sources")
        return builtins.list(dict.fromkeys(found))

    async def _added(self, notebook_id: str, entry: wire.NewSource) -> AddedSource:
        start = self._since()
        title = entry.pasted.title if entry.pasted else None

        async def made() -> tuple[wire.Source, ...] | None:
            row = await self._notebooks.row(notebook_id)
            for source in reversed(row.sources):
                same = source.title == title if title else source.url in (entry.url, entry.video_url)
                if entry.drive is not None:
                    same = entry.drive.id in (source.drive_id, source.document_id)
                if same and start.before(source.created_at):
                    return (source,)
            return None

        rows: tuple[wire.Source, ...] = await self._caller.call(
            "ADD_SOURCE", about=("notebook", notebook_id), probe=made, notebook_id=notebook_id, sources=[entry]
        )
        if not rows:
            raise InvalidInput("NotebookLM did not take the source.", outcome="rejected")
        # A source that was known before is one that was there already.
        new = not self._whereabouts.knows("source", rows[0].id)
        self._whereabouts.tell("source", rows[0].id, notebook_id)
        return AddedSource(**dict(source_of(rows[0], notebook_id)), added=new)

    async def _one(self, notebook_id: str, source_id: str) -> Source:
        return source_of(await self._row(notebook_id, source_id), notebook_id)

    async def _row(self, notebook_id: str, source_id: str) -> wire.Source:
        for source in (await self._notebooks.row(notebook_id)).sources:
            if source.id == source_id:
                return source
        raise NotFound("source", source_id)

    async def _renamed(self, notebook_id: str, source_id: str, title: str) -> Source:
        await self._caller.call(
            "UPDATE_SOURCE", about=("source", source_id), notebook_id=notebook_id, source_id=source_id, title=title
        )
        return await self._one(notebook_id, source_id)

    async def all(self, notebook_id: str) -> builtins.list[Source]:
        return [source_of(source, notebook_id) for source in (await self._notebooks.row(notebook_id)).sources]

    async def awaited(self, scope: GoogleScope, source: Source, seconds: float | None) -> Source:
        """A source once it has been read; without `seconds` as far as it has come when the call's time is up."""
        return await self._polling.until(
            scope,
            source,
            lambda one: one.state != "processing",
            lambda: self._one(source.notebook_id, source.id),
            doing="NotebookLM reads the source",
            seconds=seconds or MOST_SECONDS,
            patient=seconds is not None,
        )


def laid_out(blocks: Iterable[Block]) -> list[str]:
    """Blocks as lines; what lies between two of them by their offsets is white space."""
    pieces: list[str] = []
    at = 0
    for block in blocks:
        if pieces:
            pieces.append("\n" * max(1, min(block.start - at, MOST_BLANK)))
        pieces.append(block.text.rstrip("\n"))
        at = block.end
    return pieces
