"""Sources: add, read, find in, rename, refresh, delete."""

from __future__ import annotations

import builtins
from typing import Annotated, Literal

from pydantic import Field

from quire.api.capability import capability, shorthand
from quire.api.noun import Noun
from quire.domain.across import LibraryHits, NotebookIds
from quire.domain.errors import NotReady, Unsupported
from quire.domain.files import Download, Upload
from quire.domain.jobs import Job
from quire.domain.labels import LabelIds
from quire.domain.notebooks import InNotebook, NotebookId
from quire.domain.pages import Page
from quire.domain.passages import PassageHit
from quire.domain.sharing import Role
from quire.domain.sources import (
    URL_LIMIT,
    AddedSource,
    CopiedSource,
    Freshness,
    RefreshedSource,
    Source,
    SourceGuide,
    SourceId,
    SourceText,
    SourceTitle,
)

Limit = Annotated[int, Field(ge=1, le=1_000)]
Whole = Annotated[bool, Field(description="All of a web page, not only its article.")]
UUID = r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"


class Sources(Noun):
    """What answers rest on: files, web pages, texts."""

    noun = "source"
    toolset = "notebooks"

    @capability("list_sources", "read", of=("notebook", "notebook_id"), listed=True)
    async def list(self, notebook_id: NotebookId | None, limit: Limit = 200, cursor: str | None = None) -> Page[Source]:
        """List the sources of a notebook in the order they were added, with the state of each."""

    @capability("add_source", "write", of=("notebook", "notebook_id"), timeout=120, listed=True, open_world=True)
    async def add(
        self,
        notebook_id: NotebookId | None,
        source_type: Annotated[Literal["url", "text"], Field(description="What is added.")],
        url: Annotated[str, Field(max_length=URL_LIMIT, description="The page's address, for `url`.")] | None = None,
        text: Annotated[str, Field(description="The text itself, for `text`; Markdown is welcome.")] | None = None,
        title: SourceTitle | None = None,
        wait: Annotated[bool, Field(description="False leaves a page to be fetched and read later.")] = True,
        whole: Whole = False,
    ) -> AddedSource:
        """Add a web page by its URL, or a text, to a notebook. The same again gives the source that is there."""

    @shorthand
    async def add_url(self, notebook_id: str | None, url: str) -> AddedSource:
        """Add a web page."""
        return await self.add(notebook_id, "url", url=url)

    @shorthand
    async def add_text(self, notebook_id: str | None, title: str, content: str) -> AddedSource:
        """Add a text."""
        return await self.add(notebook_id, "text", text=content, title=title)

    @capability("upload_source", "write", of=("notebook", "notebook_id"), timeout=3600, listed=True)
    async def add_file(
        self,
        notebook_id: NotebookId | None,
        file: Upload,
        title: SourceTitle | None = None,
        wait: bool = True,
        source_id: Annotated[str, Field(pattern=UUID, description="The id it gets, a UUID.")] | None = None,
        whole: Whole = False,
    ) -> AddedSource:
        """Add a file: PDF, Office, OpenDocument, EPUB, web page, Markdown, mail, subtitles, image, sound and more.

        A file that the notebook has already is not added again, unless it is to get an id of its own.
        """

    @capability(
        "add_drive_source",
        "write",
        of=("notebook", "notebook_id"),
        timeout=3600,
        verb="add-drive",
        toolset="research",
        errors=(Unsupported,),
    )
    async def add_drive(
        self,
        notebook_id: NotebookId | None,
        file: Annotated[str, Field(max_length=1_000, description="Its path in the folder of the setting `drive`.")],
        title: SourceTitle | None = None,
        wait: bool = True,
    ) -> AddedSource:
        """Add a file of the folder that research finds files in."""

    @capability("append_source_text", "write", of=("source", "source_id"), timeout=120, published=False)
    async def append_text(
        self,
        notebook_id: InNotebook | None,
        source_id: SourceId,
        text: Annotated[str, Field(description="What comes after the text that is there.")],
    ) -> Source:
        """Add to the end of a pasted text."""

    @capability("get_source", "read", of=("source", "source_id"))
    async def get(self, notebook_id: InNotebook | None, source_id: SourceId) -> Source:
        """Get one source and its state."""

    @capability("rename_source", "write", of=("source", "source_id"), idempotent=True)
    async def rename(self, notebook_id: InNotebook | None, source_id: SourceId, title: SourceTitle) -> Source:
        """Give a source another title."""

    @capability(
        "copy_sources", "write", of=("notebook", "notebook_id"), needs=Role.VIEWER, timeout=600, toolset="transfer"
    )
    async def copy(
        self,
        notebook_id: NotebookId | None,
        source_ids: Annotated[builtins.list[str], Field(min_length=1, max_length=1_000, description="Ids of sources.")],
        into: Annotated[str, Field(description="The notebook that gets them.")],
        wait: bool = True,
    ) -> Page[CopiedSource]:
        """Copy sources of a notebook into another, with their originals."""

    @capability("delete_source", "destroy", of=("source", "source_id"), listed=True)
    async def delete(self, notebook_id: InNotebook | None, source_id: SourceId) -> Source:
        """Delete a source. Answers that cited it keep their excerpts."""

    @capability("get_source_text", "read", of=("source", "source_id"), listed=True, verb="text")
    async def get_fulltext(
        self,
        notebook_id: InNotebook | None,
        source_id: SourceId,
        start: Annotated[int, Field(ge=0)] = 0,
        limit: Annotated[int, Field(ge=1, le=1_000_000)] = 100_000,
        version: Annotated[int, Field(ge=1, description="An earlier version, as cited.")] | None = None,
    ) -> SourceText:
        """Read a source's text, or the part of it that begins at `start`."""

    @capability("download_source", "read", of=("source", "source_id"), timeout=600, toolset="transfer")
    async def download(self, notebook_id: InNotebook | None, source_id: SourceId) -> Download:
        """Get the file that a source was made of, byte for byte. A pasted text has none."""

    @capability("get_source_guide", "read", of=("source", "source_id"), verb="guide")
    async def get_guide(self, notebook_id: InNotebook | None, source_id: SourceId) -> SourceGuide:
        """What a source is about: a short summary in its own sentences, and keywords."""

    @capability("wait_for_source", "read", of=("source", "source_id"), timeout=3600, verb="wait")
    async def wait(
        self,
        notebook_id: InNotebook | None,
        source_id: SourceId,
        seconds: Annotated[float, Field(gt=0, le=3_600, strict=False)] = 120.0,
    ) -> Source:
        """Wait until a source has been read, and say how it went."""

    @capability("search_sources", "read", of=("notebook", "notebook_id"), listed=True)
    async def search(
        self,
        notebook_id: NotebookId | None,
        query: Annotated[str, Field(min_length=1, max_length=10_000, examples=["how bees find honey"])],
        source_ids: Annotated[builtins.list[str], Field(max_length=1_000, description="Only in these sources.")]
        | None = None,
        limit: Annotated[int, Field(ge=1, le=100)] = 10,
        label_ids: LabelIds | None = None,
    ) -> Page[PassageHit]:
        """Find the passages of a notebook's sources that fit a query best, by words and by meaning."""

    @capability("search_across", "read", verb="search-across", toolset="across", timeout=60)
    async def search_across(
        self,
        query: Annotated[str, Field(min_length=1, max_length=10_000, examples=["how bees find honey"])],
        notebook_ids: NotebookIds | None = None,
        limit: Annotated[int, Field(ge=1, le=100)] = 10,
    ) -> LibraryHits:
        """Find the passages that fit a query best in several notebooks, or in all that you may read."""

    @capability(
        "refresh_source",
        "write",
        of=("source", "source_id"),
        timeout=120,
        errors=(NotReady,),
        open_world=True,
        toolset="sources_more",
    )
    async def refresh(
        self, notebook_id: InNotebook | None, source_id: SourceId, wait: bool = True, whole: Whole | None = None
    ) -> RefreshedSource:
        """Read a source's web page or file again.

        What did not change keeps its place in the index, and answers keep the text that they cite.
        """

    @capability(
        "check_source",
        "write",
        of=("source", "source_id"),
        needs=Role.VIEWER,
        timeout=120,
        errors=(NotReady,),
        open_world=True,
        remembers=True,
        toolset="sources_more",
    )
    async def check_freshness(self, notebook_id: InNotebook | None, source_id: SourceId) -> Freshness:
        """Compare a source with what it came from: a web page, file, note or book. Nothing but that is kept."""

    @capability(
        "refresh_stale_sources",
        "write",
        of=("notebook", "notebook_id"),
        timeout=3600,
        verb="refresh-stale",
        open_world=True,
        toolset="sources_more",
    )
    async def refresh_stale(
        self,
        notebook_id: NotebookId | None = None,
        only_check: Annotated[bool, Field(description="Tell which are stale, and read none again.")] = False,
        wait: bool = True,
    ) -> Job:
        """Compare all sources of a notebook with what they came from, and read those again that have changed.

        Runs as a job; its result tells how many are fresh, and names those that are stale or cannot be reached.
        """
