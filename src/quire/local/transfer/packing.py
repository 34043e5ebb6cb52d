"""A notebook's file on its way: rows and texts in one transaction, then the originals, last what it says of itself."""

from __future__ import annotations

import asyncio
import hashlib
import tempfile
import zipfile
import zlib
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import contextmanager
from typing import IO, Any

from quire.domain.chat import Answer
from quire.domain.notebook_file.manifest import (
    EDITION,
    FORMAT,
    INDEX,
    MANIFEST,
    Entry,
    Manifest,
    Table,
    original_file,
    rows_file,
)
from quire.domain.notebook_file.readable import index_as_markdown, turn_as_markdown
from quire.local.files import Files
from quire.local.transfer.part import Part, Whose, paged
from quire.local.zip_stream import LARGE, PIECE, Pipe, zip_entry
from quire.ports.finish_anyway import finish_anyway
from quire.ports.store import Tx

IN_MEMORY = 8 * 2**20
LEVEL = 6
# What shrinks more than so many times is not packed: a reader may take it for a bomb.
HARMLESS_RATIO = 50
SAMPLE = 64 * 1024


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
        self._pipe = Pipe()
        self._zip = zipfile.ZipFile(self._pipe, "w")
        self._spool = tempfile.TemporaryFile()  # noqa: SIM115
        self._entries: list[Entry] = []
        self._counts: list[Table] = []
        self._blobs: dict[str, int] = {}
        self._listed: list[tuple[str, list[tuple[str, str | None]]]] = []
        self.done = 0
        for part in self._parts:
            self._part(tx, part)
        self._conversations(tx)
        self._add(INDEX, index_as_markdown(self.title, self._listed).encode())
        self._drain(0)

    async def chunks(self) -> AsyncIterator[bytes]:
        """The file's bytes, once."""
        with self._spool as spool:
            spool.seek(0)
            while chunk := await asyncio.to_thread(spool.read, PIECE):
                yield chunk
        for sha256 in sorted(self._blobs) if self._whole else ():
            async for chunk in self._original(sha256):
                yield chunk
            self.done += 1
        self._zip.writestr(zip_entry(MANIFEST, zipfile.ZIP_DEFLATED), self._manifest())
        self._zip.close()
        for chunk in self._pipe.taken(0):
            yield chunk

    def _part(self, tx: Tx, part: Part[Any]) -> None:
        count = 0
        listed: list[tuple[str, str | None]] = []
        with tempfile.SpooledTemporaryFile(IN_MEMORY) as lines:
            for row in part.rows(tx, self._whose):
                if part.text is not None:
                    attribute, path_of = part.text
                    self._add(path_of(row), getattr(row, attribute).encode())
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
            with self._entry(rows_file(part.name), zipfile.ZIP_DEFLATED) as target:
                while chunk := lines.read(PIECE):
                    target(chunk)
                    self._drain(PIECE)
        self._counts.append(Table(name=part.name, rows=count))
        if part.listed is not None:
            self._listed.append((part.listed[0], listed))

    def _conversations(self, tx: Tx) -> None:
        """For people: what the rows say already."""
        if not any(part.name == "conversations" for part in self._parts):
            return
        of = {"notebook_id": self._whose.notebook_id, "person_id": self._whose.person_id}
        listed: list[tuple[str, str | None]] = []
        for row in paged(tx, "conversations_to_move", **of):
            turns = paged(tx, "turns_of_moved", conversation_id=row["id"])
            answers = [Answer.model_validate_json(turn["answer"]) for turn in turns]
            if answers:
                path = f"conversations/{row['id']}.md"
                links = {
                    citation.source_id: f"../sources/{citation.source_id}/{citation.version}.md"
                    for answer in answers
                    for citation in answer.citations
                }
                text = "".join(turn_as_markdown(number, answer, links) for number, answer in enumerate(answers, 1))
                self._add(path, text.encode())
                listed.append((answers[0].question, path))
        self._listed.append(("Conversations", listed))

    async def _original(self, sha256: str) -> AsyncIterator[bytes]:
        upload = await self._files.upload(sha256, sha256)
        source = upload.chunks()
        first = await anext(source, b"")
        method = zipfile.ZIP_DEFLATED if _shrinks(first) else zipfile.ZIP_STORED
        with self._entry(original_file(sha256), method, large=self._blobs[sha256] >= LARGE) as target:
            await finish_anyway(asyncio.to_thread(target, first))
            async for chunk in source:
                await finish_anyway(asyncio.to_thread(target, chunk))
                for piece in self._pipe.taken(PIECE):
                    yield piece
        for piece in self._pipe.taken(0):
            yield piece

    def _add(self, path: str, data: bytes) -> None:
        method = zipfile.ZIP_DEFLATED if _shrinks(data) else zipfile.ZIP_STORED
        with self._entry(path, method) as target:
            target(data)
        self._drain(PIECE)

    @contextmanager
    def _entry(self, path: str, method: int, *, large: bool = False) -> Iterator[Any]:
        digest, size = hashlib.sha256(), 0
        with self._zip.open(zip_entry(path, method, level=LEVEL), "w", force_zip64=large) as target:

            def write(data: bytes) -> None:
                nonlocal size
                digest.update(data)
                size += len(data)
                target.write(data)

            yield write
        self._entries.append(Entry(path=path, size=size, sha256=digest.hexdigest()))

    def _drain(self, least: int) -> None:
        for chunk in self._pipe.taken(least):
            self._spool.write(chunk)

    def _manifest(self) -> bytes:
        manifest = Manifest(
            format=FORMAT,
            version=EDITION,
            notebook_id=self._whose.notebook_id,
            title=self.title,
            tables=self._counts,
            files=self._entries,
        )
        return manifest.model_dump_json(indent=1).encode()

    _spool: IO[bytes]


def _shrinks(data: bytes) -> bool:
    """Whether packing is worth it, judged by the beginning."""
    sample = data[:SAMPLE]
    packed = len(zlib.compress(sample, 1))
    return packed < len(sample) * 0.95 and packed * HARMLESS_RATIO > len(sample)
