"""Writes down what became of a file, in the transaction that changes it."""

from __future__ import annotations

from typing import Any

from quire.domain.books import mime_of
from quire.local.books.audit_log import AuditLogs
from quire.local.books.file_heads import Head, Held
from quire.local.books.source_updates import follow
from quire.local.job_queue import JobQueue
from quire.local.scope import SystemScope
from quire.ports.books import Staged, Texts
from quire.ports.store import Tx

OUTSIDE = "outside"
KEPT_VERSIONS = 50


class FileRecords:
    def __init__(self, system: SystemScope, jobs: JobQueue, texts: Texts, logs: AuditLogs) -> None:
        self._logs = logs
        self._system = system
        self._jobs = jobs
        self._texts = texts

    def put(self, tx: Tx, held: Held, staged: Staged, operation: str, actor: str, at: int, **facts: Any) -> Head:
        """A file is now what was staged."""
        self._add(tx, held, staged, operation, actor, at, **facts)
        assert held.head is not None
        return held.head

    def delete(self, tx: Tx, held: Held, operation: str, actor: str, at: int, **facts: Any) -> None:
        self._add(tx, held, None, operation, actor, at, **facts)

    def _add(
        self,
        tx: Tx,
        held: Held,
        staged: Staged | None,
        operation: str,
        actor: str,
        at: int,
        *,
        data: bytes | None = None,
        original_name: str | None = None,
        mime: str | None = None,
        detail: dict[str, Any] | None = None,
    ) -> None:
        """Head, version, audit, indexes and event; the sources that are made of the book follow."""
        before = held.head
        ids = {"book_id": held.book_id, "path": held.path}
        if before is not None:
            revision = before.revision + 1
        else:
            last = tx.one("last_revision", **ids)
            revision = (last["revision"] if last else 0) + 1
        size = staged.size if staged else 0
        mime = mime or (before.mime if staged is None and before else mime_of(held.path))
        kept = {"revision": revision, "size": size, "actor": actor, "at": at}
        kept |= {"mime": mime, "original_name": original_name}
        sha256, ref = (staged.sha256, staged.ref) if staged else (None, None)
        tx.run("insert_book_version", sha256=sha256, ref=ref, operation=operation, **ids, **kept)
        if revision > KEPT_VERSIONS:
            tx.run("forget_book_versions", **ids, revision=revision - KEPT_VERSIONS)
        if staged is None:
            tx.run("delete_book_file", **ids)
            held.head = None
        else:
            facts = {"sha256": staged.sha256, "ref": staged.ref, "mark": staged.mark}
            tx.run("put_book_file", **ids, **kept, **facts)
            held.head = Head(
                path=held.path, size=size, revision=revision, mime=mime, modified_at=at, actor=actor,
                original_name=original_name, **facts,
            )  # fmt: skip
        held.log = held.log or self._logs.of(held.book)
        held.log.add(
            tx, operation, held.path, actor=actor, at=at, before=before.sha256 if before else None, after=sha256,
            size=size if staged else None, detail=detail,
        )  # fmt: skip
        if held.path.endswith(".md"):
            follow(tx, self._system, self._jobs, held.book_id)
            if sha256 and data is not None:
                self._texts.offer(sha256, data)
        verb = "deleted" if staged is None else "updated" if before else "created"
        self._system.event(tx, held.book["notebook_id"], f"content.{verb}", held.key)
