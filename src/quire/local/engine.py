"""The local engine: puts the parts together, and is all that doors see of them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, ClassVar

from quire.api.context import Context
from quire.api.engine import PiecewiseUpload, Subject
from quire.api.notes import Notes
from quire.api.sources import Sources
from quire.domain.errors import QuireError
from quire.domain.files import Download
from quire.domain.health import Check
from quire.domain.sharing import Role
from quire.local.artifact_making import ArtifactMaking
from quire.local.artifacts import LocalArtifacts
from quire.local.blob_sweeper import BlobSweeper
from quire.local.books.books import LocalBooks
from quire.local.books.storages import BookStorages
from quire.local.chat import LocalChat
from quire.local.collections import LocalCollections
from quire.local.event_hub import Hub
from quire.local.file_links import FileLinks
from quire.local.files import Files
from quire.local.freshness import SourceFreshness
from quire.local.health import LocalHealth
from quire.local.job_queue import JobQueue
from quire.local.job_run import LEASE, Finished
from quire.local.jobs import LocalJobs
from quire.local.labelling import Labelling
from quire.local.labels import LocalLabels
from quire.local.mind_maps import LocalMindMaps
from quire.local.note_exports import NoteExports
from quire.local.note_sources import NoteSources
from quire.local.notebooks import LocalNotebooks
from quire.local.notes import LocalNotes
from quire.local.parts import Parts
from quire.local.people import LocalPeople
from quire.local.person_removal import PersonRemoval
from quire.local.person_settings import LocalSettings
from quire.local.removal import Removal
from quire.local.research.deep_research import DeepResearch
from quire.local.research.fast_research import FastResearch
from quire.local.research.local_research import LocalResearch
from quire.local.research.page_reading import PageReading
from quire.local.research.report_writing import ReportWriting
from quire.local.research.searching import Searching
from quire.local.scope import Scope, SystemScope
from quire.local.scratch.editing import CellEditing
from quire.local.scratch.export import ScratchExport
from quire.local.scratch.idle import IdleScratch
from quire.local.scratch.life_cycle import LifeCycle
from quire.local.scratch.local_scratch import LocalScratch
from quire.local.scratch.reaper import KernelReaper
from quire.local.scratch.rows import ScratchRows
from quire.local.scratch.running import CellRunning
from quire.local.search import searching
from quire.local.sharing import LocalSharing
from quire.local.signing_in import SigningIn
from quire.local.source_jobs import SourceReading
from quire.local.source_vectors import SourceVectors
from quire.local.sources import LocalSources
from quire.local.transfer.copying import NotebookCopy
from quire.local.transfer.exporting import NotebookExport
from quire.local.transfer.importing import NotebookImport
from quire.local.transfer.source_copies import SourceCopies
from quire.local.transformations import LocalTransformations
from quire.local.wait_for_sources import SourcesAwaited
from quire.local.workers import Workers, sweep
from quire.ports.machine import Purpose

FILE_LIMIT = 16 * 1024**3
KEPT_EVENTS = 7 * 24 * 3600 * 1_000_000


class LocalEngine:
    """Everything over our own storage. Nothing is opened before it is first used."""

    name: ClassVar[str] = "local"
    nouns: ClassVar[Mapping[str, type]] = {
        "health": LocalHealth,
        "notebooks": LocalNotebooks,
        "sources": LocalSources,
        "labels": LocalLabels,
        "collections": LocalCollections,
        "research": LocalResearch,
        "chat": LocalChat,
        "notes": LocalNotes,
        "artifacts": LocalArtifacts,
        "mind_maps": LocalMindMaps,
        "books": LocalBooks,
        "scratch": LocalScratch,
        "transformations": LocalTransformations,
        "settings": LocalSettings,
        "jobs": LocalJobs,
        "sharing": LocalSharing,
        "people": LocalPeople,
    }

    def __init__(self, parts: Parts, lease: float = LEASE, *, lingers: bool = False) -> None:
        """`lingers` is for a process that stays after a call: from its first one on, it makes vectors beside them."""
        self.parts = parts
        self._lingers = lingers
        self.rates = parts.rates
        self.signer = parts.signer
        self.system = SystemScope(parts.store, parts.clock)
        self.people = SigningIn(self.system)
        self.events = Hub(self.system)
        self.links = FileLinks(self.system, parts.signer, parts.owners_token, parts.public_url)
        self.files = Files(self.system, parts.blobs, self.links)
        self.blob_sweeper = BlobSweeper(self.system, parts.blobs)
        self.workers = Workers(self.system, lease)
        self.jobs = JobQueue(self.system, self.events, self.workers, self.files)
        self._done_by = self._made()
        parts_with_work = [
            self,
            self.blob_sweeper,
            self.reading,
            self.source_vectors,
            self.removal,
            self.labelling,
            self.freshness,
            self.note_sources,
            self.fast_research,
            self.deep_research,
            self.artifact_making,
            self.exporting,
            self.importing,
            self.copying,
            self.source_copies,
            NoteExports(parts.office),
            self.idle_scratch,
            self.people,
            self.books.archives,
            self.books.sweeper,
        ]
        self.workers.take_on([*parts_with_work, *self._done_by.values()], self._kept)

    def seat(self, noun: str) -> LocalEngine:
        return self

    def done_by(self, noun: str) -> Any:
        return self._done_by.get(noun)

    def scope(self, context: Context, subject: Subject | None, needs: Role) -> Scope:
        if self._lingers:
            self.workers.linger(self.source_vectors.mend)
        return self.system.call(context, subject, needs)

    async def linked(self, token: str) -> Download:
        claims = await self.links.standing(token)
        return self.books.links.linked(claims) if "storage" in claims else self.files.linked(claims)

    def upload(self, token: str, request_id: str) -> PiecewiseUpload:
        return self.books.uploads.announced(self.signer.verify(Purpose.ASSET_UPLOAD, token), request_id)

    def serve(self, workers: int) -> None:
        self.workers.serve(workers)

    async def stop_serving(self) -> None:
        await self.workers.stop()

    async def check(self) -> None:
        await self.parts.store.check()

    async def examine(self) -> list[Check]:
        store = await _asked("store", self.parts.store.examine)
        if store.state == "problem":
            return [store]
        storages = self.parts.books.storages
        return [
            store,
            await _asked("files", self.files.check),
            *[await _asked(f"books {name}", partial(_checked, storages, name)) for name in storages.names],
            await _asked("jobs", self._waiting_jobs),
            await self._vectors(),
        ]

    async def _checked_rows(self, thorough: bool) -> str:
        store = self.parts.store
        return await (store.examine() if thorough else store.check())

    async def close(self) -> None:
        """Ends workers and kernels and closes the store; what was acknowledged is kept."""
        self._lingers = False
        try:
            await self.events.close()
            await self.workers.stop()
            await self.kernel_reaper.stop()
        finally:
            try:
                await self.parts.scratch.kernels.close()
            finally:
                await asyncio.to_thread(self.parts.books.texts.close)
                await self.parts.store.close()

    @sweep
    async def forget_events(self) -> None:
        before = self.system.now() - KEPT_EVENTS
        await self.system.write(lambda tx: tx.run("sweep_events", before=before))

    def _made(self) -> dict[str, Any]:
        parts = self.parts
        self.source_vectors = SourceVectors(
            self.system, self.jobs, parts.index, parts.vectors, parts.embedder, parts.multilingual
        )
        self.reading = SourceReading(
            self.system, self.files, self.jobs, parts.web, parts.reader, parts.index, self.source_vectors
        )
        search = searching(
            parts.index,
            parts.vectors,
            parts.embedder,
            parts.multilingual,
            parts.judge,
            parts.passage_judge,
            parts.glossary,
            parts.kinds,
        )
        awaited = SourcesAwaited(self.events, self.jobs)
        self.removal = Removal(self.system, self.jobs, parts.index)
        self.exporting = NotebookExport(self.system, self.files, self.jobs)
        self.importing = NotebookImport(
            self.system, self.files, self.jobs, parts.index, self.source_vectors, self.removal
        )
        self.copying = NotebookCopy(self.system, self.files, self.jobs, self.importing)
        self.source_copies = SourceCopies(self.system, self.jobs, self.reading)
        self.labelling = Labelling(self.jobs, parts.vectors, parts.embedder, parts.model_maker)
        self.note_sources = NoteSources(self.jobs, parts.index, self.source_vectors)
        self.freshness = SourceFreshness(self.system, self.files, self.jobs, self.reading)
        self.artifact_making = ArtifactMaking(
            self.files, self.events, search, parts.model_maker, parts.artifact_files, parts.artifact_quota
        )
        sources = LocalSources(
            self.files,
            self.jobs,
            self.reading,
            self.source_vectors,
            parts.index,
            search,
            self.removal,
            self.freshness,
            self.source_copies,
            parts.finders,
        )
        finding = Searching(parts.finders, parts.embedder)
        self.fast_research = FastResearch(finding)
        pages = PageReading(parts.finders, parts.reader, parts.index)
        self.deep_research = DeepResearch(
            self.system,
            finding,
            pages,
            search,
            ReportWriting(search, parts.model_maker),
            parts.model_maker.model if parts.model_maker else None,
            self.removal,
        )
        self.books = LocalBooks(
            parts.books, self.system, self.jobs, sources, self.removal, self.links, parts.signer, parts.public_url
        )
        self.reading.book_text = self.books.source.text
        scratch = self._scratch()
        leaving = PersonRemoval(self.system, self.removal, self.books, self.exporting)
        return {
            "health": LocalHealth(self._checked_rows, self.files.check, parts.embedder, parts.model_maker),
            "notebooks": LocalNotebooks(self.removal, search, self.exporting, self.importing, self.copying),
            "sources": sources,
            "labels": LocalLabels(self.labelling),
            "collections": LocalCollections(),
            "research": LocalResearch(self.jobs, finding, sources, search, parts.research_budget),
            "chat": LocalChat(search, awaited, self.source_vectors, parts.model_maker),
            "notes": LocalNotes(self.files, self.events, self.jobs, self.note_sources),
            "artifacts": LocalArtifacts(self.jobs, self.files, self.artifact_making, parts.artifact_files),
            "mind_maps": LocalMindMaps(self.artifact_making),
            "books": self.books,
            "scratch": scratch,
            "transformations": LocalTransformations(self.jobs, parts.model_maker),
            "settings": LocalSettings(parts.rates, parts.blobs.room, parts.upload_limit),
            "jobs": LocalJobs(self.jobs),
            "sharing": LocalSharing(parts.public_url),
            "people": LocalPeople(leaving, self.idle_scratch.sweep),
        }

    def _scratch(self) -> LocalScratch:
        ports = self.parts.scratch
        rows = ScratchRows(self.system, ports)
        self.idle_scratch = IdleScratch(self.system, rows, ports)
        self.kernel_reaper = KernelReaper(self.idle_scratch.sweep, ports.kernels.alive)
        return LocalScratch(
            rows,
            LifeCycle(rows, ports),
            CellEditing(rows),
            CellRunning(self.system, rows, ports, self.kernel_reaper),
            ScratchExport(ports.formats, ports.exports),
            ports.kernels,
            lambda context: Notes(self, self.done_by("notes"), context),
            lambda context: Sources(self, self.done_by("sources"), context),
        )

    async def _kept(self, finished: Finished) -> dict[str, Any] | None:
        """The facts of the file that a job made, once it is stored."""
        if finished.file is None:
            return None
        sha256, size = await self.files.put(finished.file, FILE_LIMIT)
        return {"name": finished.file.name, "media_type": finished.media_type, "size": size, "sha256": sha256}

    async def _vectors(self) -> Check:
        """How far passages can be found by what they mean; after a change of the embedder they are embedded anew."""
        try:
            passages, vectors, by = await self.source_vectors.made()
        except QuireError as error:
            return Check(name="vectors", state="problem", detail=error.message, hint=error.hint)
        if not by:
            return Check(
                name="vectors", state="note", detail="There is no embedder; passages are found by their words."
            )
        detail = f"{vectors:,} of {passages:,} passages have theirs, by {by}."
        if vectors == passages:
            return Check(name="vectors", state="ok", detail=detail)
        hint = (
            "quire serve and quire mcp make the others; until then those are found by their words. See quire job list."
        )
        return Check(name="vectors", state="note", detail=detail, hint=hint)

    async def _waiting_jobs(self) -> str:
        return f"{await self.system.read(lambda tx: tx.count('waiting_jobs')):,} waiting or running"


async def _checked(storages: BookStorages, name: str) -> str:
    return await asyncio.to_thread(lambda: storages.get(name).check())


async def _asked(name: str, question: Callable[[], Awaitable[str]]) -> Check:
    try:
        return Check(name=name, state="ok", detail=await question())
    except QuireError as error:
        return Check(name=name, state="problem", detail=error.message, hint=error.hint)
    except OSError as error:
        return Check(name=name, state="problem", detail=str(error))
