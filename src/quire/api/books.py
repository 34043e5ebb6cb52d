"""Books: a tree of files that many write at once."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Literal

from pydantic import AwareDatetime, Field

from quire.api.capability import capability
from quire.api.noun import Noun
from quire.domain.archives import BookArchive
from quire.domain.assets import Asset, AssetType, AssetUploaded, Base64, FileName, FileSize
from quire.domain.books import (
    CONTENT_LIMIT,
    TITLE_LIMIT,
    AuditEntry,
    AuditVerdict,
    Book,
    BookId,
    BookList,
    BookStatus,
    ChapterId,
    Content,
    ContentDeleted,
    ContentDiff,
    ContentEdited,
    ContentMoved,
    ContentPath,
    ContentVersion,
    ContentWritten,
    FileHash,
    Summary,
    SummaryText,
    SummaryWritten,
    Text,
)
from quire.domain.builds import BuildPlan, ManifestHash
from quire.domain.errors import Conflict
from quire.domain.files import Download, Upload
from quire.domain.notebooks import NotebookId
from quire.domain.overlays import Overlaid, Overlay, OverlayWritten
from quire.domain.pages import Page
from quire.domain.searching import (
    AllBooks,
    GlobPattern,
    LineFound,
    LinePattern,
    LinesFound,
    MaxResults,
    PathsFound,
    ResumeAt,
    Scanned,
)
from quire.domain.sharing import Role
from quire.domain.sources import Source, SourceTitle

MOST_PATHS = 1_000

Backend = Annotated[str, Field(max_length=50, description="A storage of this installation by name; fs is a folder.")]
Find = Annotated[str, Field(max_length=CONTENT_LIMIT, description="For replace: the text that stands there now.")]
HeadingText = Annotated[str, Field(max_length=1_000, description="For section: the heading, such as `## Setup`.")]
Limit = Annotated[int, Field(ge=1, le=1_000)]
Mode = Annotated[
    Literal["replace", "append", "section"],
    Field(description="replace: `find`, which must occur once, by `text`. append: `text` at the end. "
          "section: all under `heading` by `text`."),
]  # fmt: skip
NewPath = Annotated[
    str,
    Field(description="Where the file is to lie in the book; nothing may be there yet.", examples=["lessons/two.md"]),
]
Piece = Annotated[str, Field(max_length=CONTENT_LIMIT, description="The new text.")]
Revision = Annotated[int, Field(ge=1, le=2**62, description="A revision that the history lists.")]
Since = Annotated[
    str,
    Field(
        description="A manifest hash: only what has changed since then.",
        json_schema_extra={"pattern": "^[0-9a-fA-F]{64}$"},
    ),
]
Time = Annotated[AwareDatetime, Field(strict=False)]
Title = Annotated[str, Field(max_length=TITLE_LIMIT, description="The book's title.", examples=["My book"])]
Versions = Annotated[int, Field(ge=1, le=200)]
Word = Annotated[str, Field(max_length=300)]

MORE = "books_more"


class Books(Noun):
    """Folders of lessons that many write at once, with a history."""

    noun = "book"
    toolset = "books"

    @capability("list_books", "read", verb="list")
    async def list(self) -> BookList:
        """List the registered books."""

    @capability("create_book", "write", verb="create", errors=(Conflict,))
    async def create(self, book_id: BookId, title: Title, storage_backend: Backend | None = None) -> Book:
        """Register a new book; its files can be written from then on."""

    @capability("update_book", "write", of=("book", "book_id"), needs=Role.OWNER, verb="update", idempotent=True)
    async def update(
        self,
        book_id: BookId,
        title: Title | None = None,
        status: Annotated[BookStatus, Field(description="archived: can only be read. migrating: takes no changes.")]
        | None = None,
        require_hash: Annotated[bool, Field(description="Refuse changes to a file that come without its hash.")]
        | None = None,
        overlays: Annotated[bool, Field(description="Let readers keep copies of files of their own.")] | None = None,
    ) -> Book:
        """Change a book's title, its status, or its rules."""

    @capability("delete_book", "destroy", of=("book", "book_id"), needs=Role.OWNER, verb="delete-book")
    async def delete(self, book_id: BookId) -> Book:
        """Delete a book with all of its files and what they were. Its log is kept; its id can be given again."""

    @capability("read_content", "read", of=("book", "book_id"), verb="read")
    async def read_content(self, book_id: BookId, path: ContentPath, overlay: Overlaid = False) -> Content:
        """Read a file of a book, with its hash."""

    @capability("write_content", "write", of=("book", "book_id"), overwrites=True, verb="write", idempotent=True)
    async def write_content(
        self, book_id: BookId, path: ContentPath, content: Text, file_hash: FileHash | None = None
    ) -> ContentWritten:
        """Create or replace a file of a book; with `file_hash`, only if nobody changed it meanwhile."""

    @capability("delete_content", "destroy", of=("book", "book_id"), verb="delete", idempotent=True)
    async def delete_content(
        self, book_id: BookId, path: ContentPath, file_hash: FileHash | None = None
    ) -> ContentDeleted:
        """Delete a file of a book; one that is not there is no error."""

    @capability("edit_content", "write", of=("book", "book_id"), overwrites=True, verb="edit")
    async def edit_content(
        self,
        book_id: BookId,
        path: ContentPath,
        mode: Mode,
        text: Piece,
        find: Find | None = None,
        heading: HeadingText | None = None,
        file_hash: FileHash | None = None,
    ) -> ContentEdited:
        """Change a part of a file without sending all of it, and see the difference."""

    @capability("move_content", "write", of=("book", "book_id"), verb="move")
    async def move_content(
        self, book_id: BookId, path: ContentPath, new_path: NewPath, file_hash: FileHash | None = None
    ) -> ContentMoved:
        """Move or rename a file within its book; its bytes and hash stay as they are."""

    @capability("read_summary", "read", of=("book", "book_id"), verb="read-summary")
    async def read_summary(self, book_id: BookId, chapter_id: ChapterId) -> Summary:
        """Read the summary of a chapter, with its hash."""

    @capability(
        "write_summary", "write", of=("book", "book_id"), overwrites=True, verb="write-summary", idempotent=True
    )
    async def write_summary(
        self, book_id: BookId, chapter_id: ChapterId, content: SummaryText, file_hash: FileHash | None = None
    ) -> SummaryWritten:
        """Create or replace the summary of a chapter."""

    @capability("delete_summary", "destroy", of=("book", "book_id"), verb="delete-summary", idempotent=True)
    async def delete_summary(
        self, book_id: BookId, chapter_id: ChapterId, file_hash: FileHash | None = None
    ) -> ContentDeleted:
        """Delete the summary of a chapter; one that is not there is an error."""

    @capability("upload_asset", "write", of=("book", "book_id"), verb="upload-asset", timeout=120, overwrites=True)
    async def upload_asset(
        self,
        book_id: BookId,
        asset_type: AssetType,
        filename: FileName,
        binary_data: Base64 | None = None,
        file_size: FileSize | None = None,
        file_hash: FileHash | None = None,
    ) -> AssetUploaded:
        """Add an asset: below 10 MiB with its bytes; up to 100 MiB by its size, for an address to upload to."""

    @capability(
        "add_asset", "write", of=("book", "book_id"), overwrites=True, toolset=MORE, verb="add-asset", timeout=600
    )
    async def add_asset(
        self, book_id: BookId, asset_type: AssetType, file: Upload, file_hash: FileHash | None = None
    ) -> AssetUploaded:
        """Add a file to the assets of a book, up to 100 MiB."""

    @capability("get_asset", "read", of=("book", "book_id"), verb="get-asset")
    async def get_asset(self, book_id: BookId, asset_type: AssetType, filename: FileName) -> Asset:
        """Get what is known of an asset, and the address where it can be had."""

    @capability("download_asset", "read", of=("book", "book_id"), toolset=MORE, verb="download-asset", timeout=600)
    async def download_asset(self, book_id: BookId, asset_type: AssetType, filename: FileName) -> Download:
        """Get an asset's bytes, or an address that gives them out for an hour without a token."""

    @capability("list_assets", "read", of=("book", "book_id"), verb="list-assets")
    async def list_assets(
        self,
        book_id: BookId,
        asset_type: Annotated[AssetType, Field(description="Only of this type.")] | None = None,
        limit: Limit = 200,
        cursor: str | None = None,
    ) -> Page[Asset]:
        """List the assets of a book: their names, kinds, sizes and addresses."""

    @capability("delete_asset", "destroy", of=("book", "book_id"), verb="delete-asset", idempotent=True)
    async def delete_asset(
        self, book_id: BookId, asset_type: AssetType, filename: FileName, file_hash: FileHash | None = None
    ) -> ContentDeleted:
        """Delete an asset; one that is not there is no error. Its history is kept for a while."""

    @capability("get_content_history", "read", of=("book", "book_id"), toolset=MORE, verb="history")
    async def content_history(
        self, book_id: BookId, path: ContentPath, limit: Versions = 50, cursor: str | None = None
    ) -> Page[ContentVersion]:
        """List what a file was, newest first; a deleted file still has its history."""

    @capability("diff_content", "read", of=("book", "book_id"), toolset=MORE, verb="diff")
    async def diff_content(
        self, book_id: BookId, path: ContentPath, from_revision: Revision, to_revision: Revision | None = None
    ) -> ContentDiff:
        """Show the difference between two revisions of a file; the newest, when the second is left out."""

    @capability("restore_content", "write", of=("book", "book_id"), overwrites=True, toolset=MORE, verb="restore")
    async def restore_content(
        self, book_id: BookId, path: ContentPath, revision: Revision, file_hash: FileHash | None = None
    ) -> ContentWritten:
        """Make a file again what it was at a revision; that becomes its newest one."""

    @capability("query_book_audit", "read", of=("book", "book_id"), toolset=MORE, verb="audit")
    async def audit(
        self,
        book_id: BookId,
        path: Annotated[Word, Field(description="Only this file.")] = "",
        actor: Annotated[Word, Field(description="Only what this caller did; `outside` is another program.")] = "",
        operation: Annotated[Word, Field(description="Only this operation, such as write or delete.")] = "",
        since: Annotated[Time, Field(description="Only from this time on.")] | None = None,
        until: Annotated[Time, Field(description="Only before this time.")] | None = None,
        limit: Limit = 100,
        cursor: str | None = None,
    ) -> Page[AuditEntry]:
        """List what was done to a book, newest first."""

    @capability("verify_book_audit", "read", of=("book", "book_id"), toolset=MORE, verb="verify", timeout=600)
    async def verify_audit(self, book_id: BookId) -> AuditVerdict:
        """Check that each entry of a book's log follows from the one before, and that its files are as it says."""

    @capability("glob_search", "read", of=("book", "book_id"), verb="glob")
    async def glob_search(
        self,
        book_id: BookId,
        pattern: GlobPattern,
        all_books: AllBooks = False,
        limit: MaxResults = MOST_PATHS,
        cursor: ResumeAt | None = None,
        overlay: Overlaid = False,
    ) -> PathsFound:
        """Find files of a book by a glob such as lessons/**/*.md."""

    @capability("grep_search", "read", of=("book", "book_id"), verb="grep", timeout=120)
    async def grep_search(
        self,
        book_id: BookId,
        pattern: LinePattern,
        all_books: AllBooks = False,
        max_results: MaxResults = 100,
        cursor: ResumeAt | None = None,
        overlay: Overlaid = False,
    ) -> LinesFound:
        """Find lines of a book's Markdown files by a regular expression."""

    @capability("scan_book", "read", of=("book", "book_id"), toolset=MORE, verb="scan", timeout=120)
    def scan_book(
        self, book_id: BookId, pattern: LinePattern, all_books: AllBooks = False, overlay: Overlaid = False
    ) -> AsyncIterator[LineFound | Scanned]:
        """Find every line that a regular expression matches, each told as soon as it is found."""

    @capability("get_book_archive", "read", of=("book", "book_id"), verb="archive", timeout=600)
    async def get_book_archive(self, book_id: BookId, since: Since | None = None) -> BookArchive:
        """Make a ZIP of a whole book, with a manifest of hashes, and get an address for it that is good for an hour."""

    @capability("export_book", "read", of=("book", "book_id"), toolset=MORE, verb="export", timeout=600)
    async def export_book(self, book_id: BookId) -> Download:
        """Download a ZIP of a whole book, with a manifest of hashes."""

    @capability("plan_build", "read", of=("book", "book_id"), toolset=MORE, verb="plan", timeout=120)
    async def plan_build(
        self,
        book_id: BookId,
        manifest_hash: ManifestHash | None = None,
        limit: Annotated[int, Field(ge=1, le=10_000)] = 1_000,
        cursor: str | None = None,
    ) -> BuildPlan:
        """Tell which files of a book have changed since the state with a manifest hash, and the hash of today's."""

    @capability(
        "write_overlay",
        "write",
        of=("book", "book_id"),
        overwrites=True,
        toolset=MORE,
        needs=Role.VIEWER,
        verb="write-overlay",
        idempotent=True,
    )
    async def write_overlay(
        self, book_id: BookId, path: ContentPath, content: Text, file_hash: FileHash | None = None
    ) -> OverlayWritten:
        """Keep a copy of a file for yourself, which nobody else sees; the book's own file stays as it is."""

    @capability(
        "delete_overlay",
        "destroy",
        of=("book", "book_id"),
        toolset=MORE,
        needs=Role.VIEWER,
        verb="delete-overlay",
        idempotent=True,
    )
    async def delete_overlay(
        self, book_id: BookId, path: ContentPath, file_hash: FileHash | None = None
    ) -> ContentDeleted:
        """Delete your own copy of a file; the book's own is what you read from then on."""

    @capability("list_overlays", "read", of=("book", "book_id"), toolset=MORE, verb="list-overlays")
    async def list_overlays(self, book_id: BookId, limit: Limit = 200, cursor: str | None = None) -> Page[Overlay]:
        """List your own copies of a book's files, and whether the book's have changed since."""

    @capability(
        "add_book_source",
        "write",
        of=("notebook", "notebook_id"),
        toolset=MORE,
        verb="add-source",
        timeout=120,
        errors=(Conflict,),
    )
    async def add_to_notebook(
        self, book_id: BookId, notebook_id: NotebookId | None = None, title: SourceTitle | None = None
    ) -> Source:
        """Add a book to a notebook as a source, which stays in step with the book's files."""
