"""The long work on sources: fetching and reading them, and giving their passages vectors."""

from __future__ import annotations

import asyncio
from typing import Any

from quire.domain.documents import Document
from quire.domain.errors import InvalidInput, NotFound, QuireError
from quire.domain.files import Upload
from quire.domain.sources import kind_of
from quire.local.files import put_blob, use_blob
from quire.local.jobs import queue
from quire.local.service import Service
from quire.local.source_versions import put_version
from quire.local.workers import Finished, Run, job
from quire.ports.store import Row, Tx
from quire.text.indexing import Prepared

EMBED_BATCH = 32
FILE_LIMIT = 2 * 1024**3


class SourceJobs(Service):
    noun = "source"
    toolset = "notebooks"

    @job("read_source")
    async def run_read(self, run: Run) -> Finished:
        """Fetches where asked, reads in a child process, and makes the text searchable in one step."""
        source_id = run.payload["source_id"]
        try:
            row = await self._source(source_id)
            if run.payload["fetch"] and row["url"] and row["kind"] != "book":
                await run.advance(0, None, "fetching", None)
                await self._fetch(row)
                row = await self._source(source_id)
            await run.advance(0, None, "reading", None)
            document, read_as = await self._document(row)
            kind = kind_of(read_as, row["url"])
            named = run.payload["titled"] or row["title"] not in (row["file_name"], row["url"])
            title = row["title"] if named or not document.title else document.title
            prepared = await asyncio.to_thread(Prepared, document, title[:1_000])
            if not prepared.passages:
                raise InvalidInput("There is no readable text in it.")
        except QuireError as error:
            if error.retriable and run.attempts < 3:
                raise
            await self._failed(run, source_id, error)
            raise

        embedding = None

        def work(tx: Tx) -> None:
            nonlocal embedding
            current = tx.one("source_by_id", id=source_id)
            if current is None:
                raise NotFound("source", source_id)
            at = self.now()
            # Whoever renamed it meanwhile knows better.
            title = prepared.title if current["title"] == row["title"] else current["title"]
            if current["hash"] != prepared.hash:
                version = current["version"] + 1
                put_version(tx, self.parts.index, run.notebook_id, source_id, version, prepared, at)
            else:
                version = current["version"]
            tx.run("settle_source", id=source_id, version=version, title=title, kind=kind, at=at)
            embedding = embed_later(self, tx, source_id, run.notebook_id, prepared.language)
            self.event(tx, "source.updated", source_id, run.notebook_id)

        await run.advance(1, 1, "reading", "read", work)
        self.parts.workers.wake()
        return Finished({"source_id": source_id, "passages": len(prepared.passages), "embedding": embedding})

    @job("embed_source")
    async def run_embed(self, run: Run) -> Finished:
        """Vectors for the passages that have none, a batch a step; the text can be found meanwhile."""
        embedder = self.parts.embedder
        if embedder is None:
            return Finished({"vectors": 0})
        where = {"source_id": run.payload["source_id"], "model": embedder.name}
        count = await self.parts.store.read(lambda tx: tx.one("count_without_vector", **where))
        total = count["total"] if count else 0
        done = 0
        while True:
            rows = await self.parts.store.read(lambda tx: tx.all("passages_without_vector", limit=EMBED_BATCH, **where))
            if not rows:
                return Finished({"vectors": done})
            texts = [f"{row['title']}\n{row['text']}" for row in rows]
            vectors = await asyncio.to_thread(embedder.embed, texts, "passage")
            done += len(rows)

            def work(tx: Tx, rows: list[Row] = rows, vectors: Any = vectors) -> None:
                made = [(row["seq"], vector) for row, vector in zip(rows, vectors, strict=True)]
                self.parts.vectors.add(tx, embedder.name, made)
                tx.run("next_generation", notebook_id=run.notebook_id)

            await run.advance(done, total, "learning meanings", None, work)

    async def mend(self) -> int:
        """Queues the vectors that are missing: a job failed, or the embedder is a new one. Returns how many jobs."""
        embedder = self.parts.embedder
        if embedder is None:
            return 0

        def work(tx: Tx) -> int:
            rows = tx.all("unembedded_sources", model=embedder.name)
            return sum(
                embed_later(self, tx, row["id"], row["notebook_id"], row["language"]) is not None for row in rows
            )

        queued = await self.parts.store.write(work)
        self.parts.workers.wake()
        return queued

    async def _source(self, source_id: str) -> Row:
        row = await self.parts.store.read(lambda tx: tx.one("source_by_id", id=source_id))
        if row is None:
            raise NotFound("source", source_id)
        return row

    async def _fetch(self, row: Row) -> None:
        page = await self.parts.web.fetch(row["url"])
        blob, _ = await put_blob(self.parts, page.file, FILE_LIMIT)

        def work(tx: Tx) -> None:
            tx.run("set_source_file", id=row["id"], blob=blob, file_name=page.file.name)
            tx.run("release_blobs", kind="source", subject_id=row["id"])
            use_blob(tx, blob, "source", row["id"])

        await self.parts.store.write(work)

    async def _document(self, row: Row) -> tuple[Document, str]:
        if row["kind"] == "book":
            from quire.local.books import Books

            return await Books(self.parts, self.context).document(row), "book"
        file = Upload(row["file_name"] or "source", lambda: self.parts.blobs.get(row["blob"]))
        return await self.parts.reader.read(file, url=row["url"])

    async def _failed(self, run: Run, source_id: str, error: QuireError) -> None:
        def work(tx: Tx) -> None:
            if tx.run("set_source_state", id=source_id, state="failed", error=error.message, at=self.now()):
                self.event(tx, "source.updated", source_id, run.notebook_id)

        await self.parts.store.write(work)


def embed_later(service: Service, tx: Tx, source_id: str, notebook_id: str, language: str | None) -> str | None:
    """Queues the vectors of a source, where there is an embedder that was made for its language, if that is known."""
    embedder = service.parts.embedder
    if embedder is None or not (language is None or embedder.languages is None or language in embedder.languages):
        return None
    return queue(tx, service, "embed_source", {"source_id": source_id}, notebook_id=notebook_id)
