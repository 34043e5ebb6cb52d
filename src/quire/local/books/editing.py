"""Changes to a part of a file, and to where it lies."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from quire.api.capability import capability
from quire.domain.books import (
    CONTENT_LIMIT,
    BookId,
    ContentEdited,
    ContentMoved,
    ContentPath,
    FileHash,
    check_hash,
    check_path,
    content_bytes,
    missing,
    stored,
)
from quire.domain.diffs import unified
from quire.domain.edits import appended, replaced, with_section
from quire.domain.errors import Conflict, InvalidInput, NotFound
from quire.local.books.content import content_of
from quire.local.books.heads import Check, Held, Put, conflict, expects, writable
from quire.local.books.shelved import Shelved
from quire.ports.books import Shelf, Staged
from quire.ports.store import Tx

Mode = Annotated[
    Literal["replace", "append", "section"],
    Field(description="replace: `find`, which must occur once, by `text`. append: `text` at the end. "
          "section: all under `heading` by `text`."),
]  # fmt: skip
Piece = Annotated[str, Field(max_length=CONTENT_LIMIT, description="The new text.")]
Find = Annotated[str, Field(max_length=CONTENT_LIMIT, description="For replace: the text that stands there now.")]
HeadingText = Annotated[str, Field(max_length=1_000, description="For section: the heading, such as `## Setup`.")]
NewPath = Annotated[str, Field(description="Where the file is to lie in the book; nothing may be there yet.")]

TRIES = 5


class Editing(Shelved):
    @capability("edit_content", "write", of=("book", "book_id"), verb="edit")
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
        check_path(path, writing=True)
        file_hash = check_hash(file_hash)
        expected = expects(file_hash)
        if (find is None) == (mode == "replace"):
            raise InvalidInput("find: is needed for replace, and only there.", field="find")
        if (heading is None) == (mode == "section"):
            raise InvalidInput("heading: is needed for section, and only there.", field="heading")

        def edited(old: str) -> str:
            if mode == "append":
                return appended(old, text)
            return replaced(old, find or "", text) if mode == "replace" else with_section(old, heading or "", text)

        for left in reversed(range(TRIES)):
            head, data, shelf = await self.fetch(book_id, path)
            before = content_of(book_id, head, data, shelf.name).content
            seen = expects(head.sha256)

            def check(held: Held, seen: Check = seen) -> None:
                expected(held)
                seen(held)

            try:
                after = edited(before) if file_hash in (None, head.sha256) else before
                put = await self.put(
                    book_id, path, content_bytes(after), check, operation="edit", detail={"mode": mode}
                )
            except (Conflict, NotFound):
                # Someone came between. Without a hash the caller wants the edit on whatever is there.
                if file_hash is not None or not left:
                    raise
                continue
            diff, cut = unified(before, after, put.key, (f"revision {head.revision}", f"revision {put.head.revision}"))
            return ContentEdited.model_construct(
                status="success",
                path=put.key,
                file_size=put.head.size,
                file_hash=put.head.sha256,
                revision=put.head.revision,
                diff=diff,
                diff_truncated=cut,
            )
        raise AssertionError

    @capability("move_content", "write", of=("book", "book_id"), verb="move")
    async def move_content(
        self, book_id: BookId, path: ContentPath, new_path: NewPath, file_hash: FileHash | None = None
    ) -> ContentMoved:
        """Move or rename a file within its book; its bytes and hash stay as they are."""
        check_path(path, writing=True)
        check_path(new_path, field="new_path", writing=True)
        if path == new_path:
            raise InvalidInput("new_path: is where the file lies already.", field="new_path")
        expected = expects(check_hash(file_hash))

        async def attempt(shelf: Shelf) -> Put:
            def work(tx: Tx) -> Put:
                source = self.hold(tx, book_id, path, shelf)
                writable(source.book)
                expected(source)
                before = source.head
                if before is None:
                    raise missing(source.key)
                target = self.hold(tx, book_id, new_path, shelf)
                if target.head is not None:
                    raise conflict(
                        target.key, target.head, f"There is a file at {target.key} already.", "Move it first."
                    )
                staged = Staged("", before.ref, before.sha256, before.size, before.mark)
                facts: dict[str, Any] = {"mime": before.mime, "original_name": before.original_name}
                actor, at = self.context.actor.id, self.now()
                self.record(tx, source, None, "move", actor, at, detail={"to": new_path})
                target.chain = source.chain
                head = self.record(tx, target, staged, "move", actor, at, detail={"from": path}, **facts)
                assert head is not None
                if shelf.local:
                    shelf.move(source.key, target.key)
                return Put(head, before, shelf.name, target.key)

            if not shelf.local:
                await self.confirm(shelf, book_id, path)
                await self.confirm(shelf, book_id, new_path)
            put = await self.write(work)
            if not shelf.local:
                await self.publish(shelf, book_id, new_path)
                await self.publish(shelf, book_id, path)
            return put

        put = await self.settled(book_id, attempt)
        return ContentMoved.model_construct(
            status="success",
            path=stored(book_id, path),
            new_path=put.key,
            file_size=put.head.size,
            file_hash=put.head.sha256,
            revision=put.head.revision,
        )
