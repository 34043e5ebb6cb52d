"""Vectors of sources: made as jobs, by the encoders that know a source's language.

Passages in the embedder's languages have its vectors. Those in other languages have the multilingual encoder's; so have
all passages of a notebook that has some of these, since a question may then be in another language than a passage.
A notebook whose sources and questions are in the embedder's languages never has them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, NamedTuple

from quire import text as text_engine
from quire.domain.errors import QuireError
from quire.domain.sharing import OWNER_ID
from quire.local.job_queue import JobQueue
from quire.local.job_run import EMBED, Finished, Run
from quire.local.scope import Scope, SystemScope
from quire.local.workers import job, sweep
from quire.ports.search import Embedder, Index, Vectors
from quire.ports.store import Row, Tx

STEP = 32
# What is being embedded when a process is told to stop is embedded to its end.
BATCH = 8
# So long a question in another language waits for vectors that it is the first to need.
ACROSS_SECONDS = 30.0
PARTLY = "Not all sources could be compared with a question in another language yet."


class VectorsMade(NamedTuple):
    """Of the `passages` that should have a vector so many `vectors` are there; `by` names the encoders."""

    passages: int
    vectors: int
    by: str


class SourceVectors:
    def __init__(
        self,
        system: SystemScope,
        jobs: JobQueue,
        index: Index,
        vectors: Vectors,
        embedder: Embedder | None,
        multilingual: Embedder | None,
    ) -> None:
        self._system = system
        self._jobs = jobs
        self._index = index
        self._vectors = vectors
        self._embedder = embedder
        self._multilingual = multilingual
        self._encoders = {one.name: one for one in (embedder, multilingual) if one is not None}

    def embed_later(self, tx: Tx, notebook_id: str, person_id: str, source_id: str, language: str | None) -> str | None:
        """Queues a source's vectors, where there is an encoder that was made for its language, if that is known."""
        names = [encoder.name for encoder in self._wanted(tx, notebook_id, language)]
        return self._queued(tx, notebook_id, person_id, source_id, names) if names else None

    @job("embed_source")
    async def run_embed(self, run: Run) -> Finished:
        """Vectors for the passages that have none, a batch a step; the text can be found meanwhile."""
        names = run.payload.get("models") or list(self._encoders)[:1]
        done = 0
        for name in names:
            if name in self._encoders:
                done += await self._embedded(run, self._encoders[name])
        return Finished({"vectors": done})

    async def _embedded(self, run: Run, encoder: Embedder) -> int:
        where = {"source_id": run.payload["source_id"], "model": encoder.name}
        count = await run.read(lambda tx: tx.one("count_without_vector", **where))
        total = count["total"] if count else 0
        done = 0
        while True:
            rows = await run.read(lambda tx: tx.all("passages_without_vector", limit=STEP, **where))
            if not rows:
                return done
            texts = [f"{row['title']}\n{row['text']}" for row in rows]
            vectors: list[Any] = []
            for start in range(0, len(texts), BATCH):
                vectors += [*await asyncio.to_thread(encoder.embed, texts[start : start + BATCH], "passage")]
            done += len(rows)

            def work(tx: Tx, rows: list[Row] = rows, vectors: list[Any] = vectors) -> None:
                made = [(row["seq"], vector) for row, vector in zip(rows, vectors, strict=True)]
                self._vectors.add(tx, encoder.name, made)
                tx.run("next_generation", notebook_id=run.notebook_id)

            await run.advance(done, total, "learning meanings", None, work)
            await run.let_others_pass()

    @sweep
    async def mend(self) -> int:
        """Queues the vectors that are missing: a job failed, or an encoder is a new one. Returns how many jobs."""

        def lacking(tx: Tx) -> dict[str, Row]:
            return {
                row["id"]: row
                for encoder in self._encoders.values()
                for row in tx.all("unembedded_sources", model=encoder.name)
                if encoder in self._wanted(tx, row["notebook_id"], row["language"])
            }

        if not await self._system.read(lacking):
            return 0

        def work(tx: Tx) -> int:
            rows = lacking(tx).values()
            for row in rows:
                self.embed_later(tx, row["notebook_id"], OWNER_ID, row["id"], row["language"])
            return len(rows)

        queued = await self._system.write(work)
        self._jobs.workers.wake()
        return queued

    async def made(self) -> VectorsMade:
        """How far the vectors are that passages should have by their languages."""

        def work(tx: Tx) -> VectorsMade:
            passages = vectors = 0
            counted: set[str | None] = set()
            for encoder in self._encoders.values():
                rows = tx.all("vectors_by_language", model=encoder.name)
                wanted = [row for row in rows if _knows(encoder, row["language"]) and row["language"] not in counted]
                counted |= {row["language"] for row in wanted}
                passages += sum(row["passages"] for row in wanted)
                vectors += sum(row["vectors"] for row in wanted)
            return VectorsMade(passages, vectors, " and ".join(self._encoders))

        return await self._system.read(work)

    async def ready_for(self, scope: Scope, notebook_id: str, question: str) -> tuple[str, ...]:
        """Has vectors made that only a question in another language needs, and waits for them within reason.

        What is not there by then is made after the answer; the warning says that it is missing.
        """
        encoder = self._multilingual
        if encoder is None:
            return ()

        def missing(tx: Tx) -> list[str]:
            languages = self._index.languages(tx, [notebook_id])
            if text_engine.foreign_language(question, languages, encoder) is None:
                return []
            rows = tx.all("unembedded_in_notebook", notebook_id=notebook_id, model=encoder.name)
            return [row["id"] for row in rows if _knows(encoder, row["language"])]

        if not await scope.read(missing):
            return ()

        def work(tx: Tx) -> list[str]:
            waiting = [(row["id"], row["payload"]) for row in tx.all("embed_jobs_of", notebook_id=notebook_id)]
            return [
                next(
                    (id for id, payload in waiting if source_id in payload and encoder.name in payload),
                    None,
                )
                or self._queued(tx, notebook_id, scope.actor_id, source_id, [encoder.name])
                for source_id in missing(tx)
            ]

        try:
            jobs = await self._system.write(work)
            self._jobs.workers.wake()
            async with asyncio.timeout(_seconds(scope)):
                await self._ended(scope, jobs)
        except TimeoutError:
            self._jobs.go_on()
            return (PARTLY,)
        except QuireError:
            return (PARTLY,)
        return ()

    async def _ended(self, scope: Scope, jobs: Iterable[str]) -> None:
        for id in jobs:
            with suppress(QuireError):
                await self._jobs.finish(scope, id, ours=False)

    def _queued(self, tx: Tx, notebook_id: str, person_id: str, source_id: str, names: list[str]) -> str:
        payload = {"source_id": source_id, "models": names}
        return self._jobs.add(tx, notebook_id, person_id, "embed_source", payload, turn=EMBED)

    def _wanted(self, tx: Tx, notebook_id: str, language: str | None) -> list[Embedder]:
        """The encoders whose vectors a source of this language should have."""
        main, other = self._embedder, self._multilingual
        wanted = [main] if main is not None and _knows(main, language) else []
        if other is not None and _knows(other, language):
            model = {"notebook_id": notebook_id, "model": other.name}
            if not wanted or tx.one("has_vectors", **model) is not None:
                wanted.append(other)
        return wanted


def _knows(encoder: Embedder, language: str | None) -> bool:
    return language is None or encoder.languages is None or language in encoder.languages


def _seconds(scope: Scope) -> float:
    if scope.context.deadline is None:
        return ACROSS_SECONDS
    return min(ACROSS_SECONDS, (scope.context.deadline - asyncio.get_running_loop().time()) / 3)
