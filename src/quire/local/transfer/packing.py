"""A notebook's file on its way: rows and texts in one transaction, then the originals, last what it says of itself."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterable
from typing import Any

from quire.domain.notebook_file.manifest import (
    EDITION,
    FORMAT,
    INDEX,
    MANIFEST,
    Manifest,
    Table,
    original_file,
    rows_file,
)
from quire.domain.notebook_file.readable import conversation_as_markdown, index_as_markdown
from quire.local.files import Files
from quire.local.transfer.conversations import conversations_with_answers
from quire.local.transfer.part import Part, Whose
from quire.local.transfer.zip_spool import ZipSpool, shrinks
from quire.ports.finish_anyway import finish_anyway
from quire.ports.store import Tx
from quire.ports.zip_stream import LARGE, PIECE

IN_MEMORY = 8 * 2**20

Listed = list[tuple[str, str | None]]


class Packing:
    """`read` is called in one transaction, `chunks` after it. Where `whole` is false, originals are left out."""

    def __init__(self, parts: Iterable[Part[Any]], whose: Whose, files: Files, *, whole: bool = True) -> None:
        self._parts = tuple(parts)
        self._whose = whose
        self._files = files
        self._whole = whole
        self.done = 0
        self.title = ""

    def read(self, tx: Tx) -> None:
        """Writes all rows and texts. From the beginning: a store may begin a transaction again."""
        self._zip = ZipSpool()
        self._tables: list[Table] = []
        self._blobs: dict[str, int] = {}
        self._listed: list[tuple[str, Listed]] = []
        self.done = 0
        for part in self._parts:
            self._part(tx, part)
        if any(part.name == "conversations" for part in self._parts):
            self._conversations(tx)
        self._zip.add(INDEX, index_as_markdown(self.title, self._listed).encode())
        self._zip.drain(0)

    async def chunks(self) -> AsyncIterator[bytes]:
        """The file's bytes, once."""
        async for chunk in self._zip.spooled():
            yield chunk
        for sha256 in sorted(self._blobs) if self._whole else ():
            async for chunk in self._original(sha256):
                yield chunk
            self.done += 1
        manifest = self._manifest()
        with self._zip.entry(MANIFEST) as write:
            write(manifest)
        for chunk in self._zip.end():
            yield chunk

    def _part(self, tx: Tx, part: Part[Any]) -> None:
        count = 0
        listed: Listed = []
        with tempfile.SpooledTemporaryFile(IN_MEMORY) as lines:
            for row in part.rows(tx, self._whose):
                if part.text is not None:
                    attribute, path_of = part.text
                    self._zip.add(path_of(row), getattr(row, attribute).encode())
                for sha256 in row.blobs():
                    size = tx.one("blob_size", sha256=sha256)
                    self._blobs[sha256] = size["size"] if size else 0
                if part.listed is not None:
                    listed.append(part.listed[1](row))
                if part.name == "notebook":
                    self.title = row.title
                lines.write(row.model_dump_json().encode() + b"\n")
                count += 1
                self.done += 1
            lines.seek(0)
            with self._zip.entry(rows_file(part.name)) as write:
                while chunk := lines.read(PIECE):
                    write(chunk)
                    self._zip.drain(PIECE)
        self._tables.append(Table(name=part.name, rows=count))
        if part.listed is not None:
            self._listed.append((part.listed[0], listed))

    def _conversations(self, tx: Tx) -> None:
        """For people: what the rows say already."""
        listed: Listed = []
        for id, answers in conversations_with_answers(tx, self._whose):
            links = {
                citation.source_id: f"../sources/{citation.source_id}/{citation.version}.md"
                for answer in answers
                for citation in answer.citations
            }
            self._zip.add(f"conversations/{id}.md", conversation_as_markdown(answers, links).encode())
            listed.append((answers[0].question, f"conversations/{id}.md"))
        self._listed.append(("Conversations", listed))

    async def _original(self, sha256: str) -> AsyncIterator[bytes]:
        upload = await self._files.upload(sha256, sha256)
        source = upload.chunks()
        first = await anext(source, b"")
        large = self._blobs[sha256] >= LARGE
        with self._zip.entry(original_file(sha256), shrinks=shrinks(first), large=large) as write:
            await finish_anyway(asyncio.to_thread(write, first))
            async for chunk in source:
                await finish_anyway(asyncio.to_thread(write, chunk))
                for piece in self._zip.waiting(PIECE):
                    yield piece
        for piece in self._zip.waiting(0):
            yield piece

    def _manifest(self) -> bytes:
        manifest = Manifest(
            format=FORMAT,
            version=EDITION,
            notebook_id=self._whose.notebook_id,
            title=self.title,
            tables=self._tables,
            files=list(self._zip.entries),
        )
        return manifest.model_dump_json(indent=1).encode()
