"""The files of books as resources: `book://{book_id}/{path}`."""

from __future__ import annotations

import base64
import builtins
from urllib.parse import quote, unquote

import mcp_types as types

from quire.api.library import Library
from quire.domain.books import mime_of, stored
from quire.domain.errors import InvalidInput, NotFound, TooLarge
from quire.domain.events import Event
from quire.entry.resources import COMPLETIONS, Touched

PAGE = 200
BLOB_LIMIT = 10 * 1024 * 1024


class BookResources:
    """A lesson or a summary is its text, an asset its bytes; the hash comes with both."""

    TEMPLATE = "book://{book_id}/{+path}"
    PREFIX = "book://"

    async def list(self, library: Library, cursor: str | None) -> tuple[builtins.list[types.Resource], str | None]:
        books = await library.books.list()
        if not books.items:
            return [], None
        page = await library.books.glob_search(books[0].book_id, "**", all_books=True, limit=PAGE, cursor=cursor)
        return [self._resource(key) for key in page], page.cursor

    def templates(self) -> builtins.list[types.ResourceTemplate]:
        return [
            types.ResourceTemplate(
                uri_template=self.TEMPLATE,
                name="book",
                title="File of a book",
                description="A lesson, a summary or an asset by its path in a book.",
            )
        ]

    async def read(
        self, library: Library, uri: str
    ) -> builtins.list[types.TextResourceContents | types.BlobResourceContents] | None:
        if not uri.startswith(self.PREFIX):
            return None
        book_id, _, path = unquote(uri.removeprefix(self.PREFIX)).partition("/")
        try:
            return [await self._asset(library, uri, book_id, path) or await self._text(library, uri, book_id, path)]
        except TooLarge:
            raise
        except InvalidInput:
            raise NotFound("resource", uri) from None

    async def complete(self, library: Library, template: str, argument: str, value: str) -> builtins.list[str] | None:
        if template != self.TEMPLATE:
            return None
        books = await library.books.list()
        if argument == "book_id":
            return [book.book_id for book in books if book.book_id.startswith(value)]
        found: dict[str, None] = {}
        for book in books:
            root = stored(book.book_id) + "/"
            page = await library.books.glob_search(book.book_id, "**")
            found |= {path: None for key in page if (path := key.removeprefix(root)).startswith(value)}
            if len(found) >= COMPLETIONS:
                break
        return builtins.list(found)

    async def touched(self, library: Library, event: Event) -> Touched:
        if not event.kind.startswith("content."):
            return Touched()
        return Touched(frozenset({self._uri(event.subject_id)}), listed=event.kind != "content.updated")

    async def _text(self, library: Library, uri: str, book_id: str, path: str) -> types.TextResourceContents:
        content = await library.books.read_content(book_id, path)
        return types.TextResourceContents(
            uri=uri, mime_type=mime_of(path), text=content.content, _meta={"sha256": content.file_hash_sha256}
        )

    async def _asset(self, library: Library, uri: str, book_id: str, path: str) -> types.BlobResourceContents | None:
        """None where the path is not an asset's."""
        match path.split("/"):
            case ["assets", "images" | "slides" | "videos" | "audio" as asset_type, filename]:
                file = await library.books.download_asset(book_id, asset_type, filename)
            case _:
                return None
        if file.size > BLOB_LIMIT:
            raise TooLarge(
                f"The asset has {file.size:,} bytes; at most {BLOB_LIMIT:,} are sent this way.",
                hint="download_asset gives an address for it.",
            )
        blob = base64.b64encode(await file.read()).decode()
        return types.BlobResourceContents(uri=uri, mime_type=file.media_type, blob=blob, _meta={"sha256": file.sha256})

    def _resource(self, key: str) -> types.Resource:
        path = key.split("/", 2)[2]
        return types.Resource(uri=self._uri(key), name=path, mime_type=mime_of(path))

    def _uri(self, key: str) -> str:
        return self.PREFIX + quote(key.removeprefix("books/"))
