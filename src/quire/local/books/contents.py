"""Lessons: read, write, edit, move, delete."""

from __future__ import annotations

import asyncio
from typing import Any

from quire.domain.books import (
    Content,
    ContentDeleted,
    ContentEdited,
    ContentMoved,
    ContentWritten,
    check_hash,
    check_path,
    check_summary,
    content_bytes,
    limit_of,
    stored,
)
from quire.domain.diffs import unified
from quire.domain.edits import appended, replaced, with_section
from quire.domain.errors import Conflict, InvalidInput, NotFound
from quire.local.books.file_heads import Check, FileRead, Held, Put, expects
from quire.local.books.files import BookFiles
from quire.local.books.overlays import own_copy
from quire.local.scope import Scope
from quire.local.timestamps import moment

TRIES = 5


class Contents:
    def __init__(self, files: BookFiles) -> None:
        self._files = files

    async def read_content(self, scope: Scope, book_id: str, path: str, overlay: bool) -> Content:
        await self._files.check_readable(scope, book_id, path)
        if overlay:
            await self._files.storage_of(scope, book_id)
            copy = await scope.read(lambda tx: own_copy(tx, book_id, scope.actor_id, path))
            if copy is not None:
                return copy
        return content_of(book_id, await self._files.fetch(scope, book_id, path))

    async def write_content(
        self, scope: Scope, book_id: str, path: str, content: str, file_hash: str | None
    ) -> ContentWritten:
        check_path(path, writing=True)
        data = content_bytes(content, limit_of(path))
        return written_of(await self._files.put(scope, book_id, path, data, expects(check_hash(file_hash))))

    async def delete_content(self, scope: Scope, book_id: str, path: str, file_hash: str | None) -> ContentDeleted:
        check_path(path, writing=True)
        before = await self._files.take_away(scope, book_id, path, expects(check_hash(file_hash)))
        message = "File deleted" if before else "There was no such file"
        return ContentDeleted.model_construct(path=stored(book_id, path), existed=before is not None, message=message)

    async def edit_content(
        self,
        scope: Scope,
        book_id: str,
        path: str,
        mode: str,
        text: str,
        find: str | None,
        heading: str | None,
        file_hash: str | None,
    ) -> ContentEdited:
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
            read = await self._files.fetch(scope, book_id, path)
            before = content_of(book_id, read).content
            seen = expects(read.head.sha256)

            def check(held: Held, seen: Check = seen) -> None:
                expected(held)
                seen(held)

            try:
                meant = file_hash in (None, read.head.sha256)
                after = await asyncio.to_thread(edited, before) if meant else before
                data = content_bytes(after, limit_of(path))
                put = await self._files.put(scope, book_id, path, data, check, operation="edit", detail={"mode": mode})
            except (Conflict, NotFound):
                # Someone came between. Without a hash the caller wants the edit on whatever is there.
                if file_hash is not None or not left:
                    raise
                continue
            labels = (f"revision {read.head.revision}", f"revision {put.head.revision}")
            diff, cut = await asyncio.to_thread(unified, before, after, put.key, labels)
            return ContentEdited.model_construct(**facts_of(put), path=put.key, diff=diff, diff_truncated=cut)
        raise AssertionError

    async def move_content(
        self, scope: Scope, book_id: str, path: str, new_path: str, file_hash: str | None
    ) -> ContentMoved:
        check_path(path, writing=True)
        check_path(new_path, field="new_path", writing=True)
        if path == new_path:
            raise InvalidInput("new_path: is where the file lies already.", field="new_path")
        expected = expects(check_hash(file_hash))

        def check(held: Held) -> None:
            expected(held)
            if held.head is not None:
                check_summary(new_path, held.head.size)

        put = await self._files.move(scope, book_id, path, new_path, check)
        return ContentMoved.model_construct(**facts_of(put), path=stored(book_id, path), new_path=put.key)


def content_of(book_id: str, read: FileRead) -> Content:
    head, data, storage, _ = read
    key = stored(book_id, head.path)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise InvalidInput(f"{key} is not UTF-8 text.", path=key) from None
    return Content(
        content=text,
        file_size=head.size,
        last_modified=moment(head.modified_at),
        storage_backend=storage.name,
        file_hash_sha256=head.sha256,
        path=key,
        revision=head.revision,
    )


def written_of(put: Put) -> ContentWritten:
    mode = "updated" if put.before else "created"
    return ContentWritten.model_construct(**facts_of(put), path=put.key, mode=mode)


def facts_of(put: Put) -> dict[str, Any]:
    """What every change tells of the file."""
    head = put.head
    return {"status": "success", "file_size": head.size, "file_hash": head.sha256, "revision": head.revision}
