"""Files of books as resources: listed, read, completed, and heard of when they change, in both eras."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp import Client, MCPError
from mcp.client.subscriptions import ResourceUpdated
from mcp_serving import connected, until

from quire.api.library import Library
from quire.entry.bootstrap import build
from quire.entry.settings import load

pytestmark = pytest.mark.anyio

LESSON = "book://my-book/lessons/part-1/one.md"
PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(100)


@pytest.fixture
async def library(home: Path) -> AsyncIterator[Library]:
    async with build(load({"home": home}, {})) as library:
        await library.books.create("my-book", "My book")
        await library.books.write_content("my-book", "lessons/part-1/one.md", "# One\r\n")
        await library.books.write_summary("my-book", "chapter-01", "A summary")
        await library.books.upload_asset("my-book", "images", "dot.png", base64.b64encode(PICTURE).decode())
        yield library


async def test_files_are_listed_after_the_notes(library: Library, home: Path, era: str) -> None:
    note = await library.notes.create(title="A note")
    async with connected("stdio", era, home) as client:
        listed = await client.list_resources()
        assert [str(one.uri) for one in listed.resources] == [
            f"note://{note.short_id}",
            "book://my-book/assets/images/dot.png",
            "book://my-book/book.yaml",
            "book://my-book/chapters/chapter-01/.summary.md",
            LESSON,
        ]
        assert listed.resources[-1].mime_type == "text/markdown"
        assert listed.next_cursor is None
        templates = (await client.list_resource_templates()).resource_templates
        assert "book://{book_id}/{+path}" in [one.uri_template for one in templates]


async def test_a_long_list_comes_in_pages(library: Library, home: Path, era: str) -> None:
    storage = library.engine.parts.books.storages.get("fs")
    folder = Path(str(storage.path("books/my-book/more")))
    folder.mkdir()
    for number in range(250):
        (folder / f"{number:03}.md").touch()
    async with connected("http", era, home) as client:
        first = await client.list_resources()
        assert first.next_cursor is not None
        second = await client.list_resources(cursor=first.next_cursor)
        assert second.next_cursor is None
        uris = [str(one.uri) for one in [*first.resources, *second.resources]]
        assert len(uris) == len(set(uris)) == 254


async def test_text_is_read_as_text_and_an_asset_as_bytes(library: Library, home: Path, era: str) -> None:
    content = await library.books.read_content("my-book", "lessons/part-1/one.md")
    async with connected("http", era, home) as client:
        (text,) = (await client.read_resource(LESSON)).contents
        assert isinstance(text, types.TextResourceContents)
        assert (text.text, text.mime_type) == ("# One\r\n", "text/markdown")
        assert text.meta == {"sha256": content.file_hash_sha256}
        (picture,) = (await client.read_resource("book://my-book/assets/images/dot.png")).contents
        assert isinstance(picture, types.BlobResourceContents)
        assert (base64.b64decode(picture.blob), picture.mime_type) == (PICTURE, "image/png")


@pytest.mark.parametrize(
    "uri",
    [
        "book://my-book/lessons/none.md",
        "book://other-book/lessons/part-1/one.md",
        "book://my-book/",
        "book://my-book",
        "book://my-book/../my-book/book.yaml",
        "book://my-book/%2e%2e/registry.yaml",
        "book://my-book/assets/images/none.png",
        "book://my-book/assets/strange/none.png",
    ],
)
async def test_what_is_not_there_is_not_found(library: Library, home: Path, uri: str) -> None:
    async with connected("http", "2026", home) as client:
        with pytest.raises(MCPError) as error:
            await client.read_resource(uri)
        assert (error.value.error.code, error.value.error.data) == (types.INVALID_PARAMS, {"uri": uri})


async def test_ids_and_paths_are_completed(library: Library, home: Path, era: str) -> None:
    template = types.ResourceTemplateReference(uri="book://{book_id}/{+path}")
    async with connected("http", era, home) as client:
        ids = await client.complete(template, {"name": "book_id", "value": "my"})
        assert ids.completion.values == ["my-book"]
        paths = await client.complete(template, {"name": "path", "value": "lessons/"})
        assert paths.completion.values == ["lessons/part-1/one.md"]


async def test_changes_are_heard_of(library: Library, home: Path, era: str) -> None:
    heard: list[str] = []

    async def take(message: Any) -> None:
        if isinstance(message, types.ResourceListChangedNotification):
            heard.append("list")
        elif isinstance(message, types.ResourceUpdatedNotification):
            heard.append(str(message.params.uri))

    async with connected("stdio", era, home, message_handler=take) as client, hearing(client, era, heard):
        await library.books.write_content("my-book", "lessons/part-1/one.md", "changed")
        await until(lambda: LESSON in heard, LESSON)
        assert "list" not in heard
        await library.books.write_content("my-book", "lessons/two.md", "new")
        await until(lambda: "list" in heard, "list")
        assert "book://my-book/lessons/two.md" not in heard


@asynccontextmanager
async def hearing(client: Client, era: str, heard: list[str]) -> AsyncIterator[None]:
    if era == "2025":
        request = types.SubscribeRequest(params=types.SubscribeRequestParams(uri=LESSON))
        await client.session.send_request(request, types.EmptyResult)
        yield
        return
    async with client.listen(resources_list_changed=True, resource_subscriptions=[LESSON]) as events:

        async def follow() -> None:
            async for event in events:
                heard.append(event.uri if isinstance(event, ResourceUpdated) else "list")

        following = asyncio.create_task(follow())
        try:
            yield
        finally:
            following.cancel()
