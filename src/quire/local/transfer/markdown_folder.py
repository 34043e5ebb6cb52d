"""A notebook as plain Markdown, for people and their other programs; it is not imported again."""

from __future__ import annotations

from collections.abc import AsyncIterator

from quire.domain.notebook_file.manifest import INDEX
from quire.domain.notebook_file.readable import (
    Names,
    conversation_as_markdown,
    front_matter,
    index_as_markdown,
)
from quire.local.timestamps import moment
from quire.local.transfer.conversations import conversations_with_answers
from quire.local.transfer.notebook import NOTEBOOK
from quire.local.transfer.notes import NOTES
from quire.local.transfer.part import Whose
from quire.local.transfer.sources import LABELS, SOURCES, version_in_force
from quire.local.transfer.zip_spool import ZipSpool
from quire.ports.store import Tx

Listed = list[tuple[str, str | None]]


class MarkdownFolder:
    """`read` is called in one transaction, `chunks` after it, as those of a packing."""

    def __init__(self, whose: Whose) -> None:
        self._whose = whose
        self.done = 0
        self.title = ""

    def read(self, tx: Tx) -> None:
        self._zip = ZipSpool()
        self._names = Names()
        self.done = 0
        (notebook,) = NOTEBOOK.rows(tx, self._whose)
        self.title = notebook.title
        sources, links = self._sources(tx)
        sections = [
            ("Sources", sources),
            ("Notes", self._notes(tx)),
            ("Conversations", self._conversations(tx, links)),
        ]
        self._zip.add(INDEX, index_as_markdown(self.title, sections).encode())
        self._zip.drain(0)

    async def chunks(self) -> AsyncIterator[bytes]:
        async for chunk in self._zip.spooled():
            yield chunk
        for chunk in self._zip.end():
            yield chunk

    def _sources(self, tx: Tx) -> tuple[Listed, dict[str, str]]:
        labels: dict[str, list[str]] = {}
        for label in LABELS.rows(tx, self._whose):
            for source_id in label.source_ids:
                labels.setdefault(source_id, []).append(label.name)
        listed: Listed = []
        links: dict[str, str] = {}
        for source in SOURCES.rows(tx, self._whose):
            if not source.version:
                listed.append((source.title, None))
                continue
            version = version_in_force(tx, source.id)
            path = self._names.given("sources", source.title)
            head = front_matter(
                {
                    "title": source.title,
                    "kind": source.kind,
                    "url": source.url,
                    "file": source.file_name,
                    "language": version.language,
                    "added": moment(source.created_at).isoformat(),
                    "labels": labels.get(source.id),
                }
            )
            self._zip.add(path, f"{head}\n{version.text}\n".encode())
            listed.append((source.title, path))
            links[source.id] = f"../{path}"
            self.done += 1
        return listed, links

    def _notes(self, tx: Tx) -> Listed:
        listed: Listed = []
        for note in NOTES.rows(tx, self._whose):
            path = self._names.given("notes", note.title)
            changed = moment(note.updated_at or note.created_at).isoformat()
            head = front_matter({"title": note.title, "id": note.short_id, "changed": changed})
            self._zip.add(path, f"{head}\n{note.content}\n".encode())
            listed.append((note.title, path))
            self.done += 1
        return listed

    def _conversations(self, tx: Tx, links: dict[str, str]) -> Listed:
        listed: Listed = []
        for _, answers in conversations_with_answers(tx, self._whose):
            path = self._names.given("conversations", answers[0].question)
            self._zip.add(path, conversation_as_markdown(answers, links).encode())
            listed.append((answers[0].question, path))
            self.done += 1
        return listed
