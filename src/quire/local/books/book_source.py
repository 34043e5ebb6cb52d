"""Books as sources: one text of all lessons and summaries, each under its path, read again whenever a file changes."""

from __future__ import annotations

from quire import text as text_engine
from quire.api.engine import Subject
from quire.domain.books import check_book_id, stored
from quire.domain.documents import Document, Mark
from quire.domain.errors import Conflict, InvalidInput, NotFound
from quire.domain.sharing import Role
from quire.domain.sources import Source
from quire.local.books.files import BookFiles
from quire.local.books.registry_sync import RegistrySync
from quire.local.books.source_updates import SCHEME, address
from quire.local.check_role import check_role
from quire.local.job_run import Run
from quire.local.scope import Scope
from quire.local.sources import LocalSources
from quire.ports.store import Row, Tx

MOST_CHARACTERS = 20_000_000
DEEPEST = 6


class BookSource:
    def __init__(self, files: BookFiles, registry: RegistrySync, sources: LocalSources) -> None:
        self._files = files
        self._registry = registry
        self._sources = sources

    async def add_to_notebook(self, scope: Scope, book_id: str, title: str | None) -> Source:
        check_book_id(book_id)
        await self._registry.sync()

        def work(tx: Tx) -> str:
            check_role(tx, scope.actor_id, Subject("book", book_id), Role.VIEWER)
            if any(row["notebook_id"] == scope.notebook_id for row in tx.all("sources_of_book", url=address(book_id))):
                raise Conflict(f"The book '{book_id}' is a source of this notebook already.", path=stored(book_id))
            book = tx.one("book_by_id", book_id=book_id)
            assert book is not None
            shown: str = book["title"]
            return shown

        shown = await scope.read(work)
        return await self._sources.add_book(scope, address(book_id), (title or "").strip() or shown)

    async def text(self, run: Run, source: Row) -> Document:
        """The text of a book for a source. Whoever may change the notebook must still be able to read the book."""
        book_id = str(source["url"]).removeprefix(SCHEME)
        await self._registry.sync()
        where = {"book_id": book_id, "notebook_id": source["notebook_id"], "role": int(Role.EDITOR)}
        if await run.read(lambda tx: tx.one("book_of_notebook", **where)) is None:
            raise NotFound("book", book_id)
        await self._files.settle_under(run, book_id, "")
        rows = await run.read(lambda tx: tx.all("files_under", book_id=book_id, prefix=""))
        parts: list[str] = []
        marks: list[Mark] = []
        warnings: list[str] = []
        size = 0
        for path in (row["path"] for row in rows if row["path"].endswith(".md")):
            try:
                lesson = await self._lesson(run, book_id, path)
            except (InvalidInput, NotFound) as error:
                warnings.append(error.message)
                continue
            if size + len(lesson.text) > MOST_CHARACTERS:
                warnings.append(f"Only the files before {path} were read: the book is too long.")
                break
            if not lesson.text.strip():
                continue
            marks.append(Mark(offset=size, kind="heading", label=path, level=1))
            for mark in lesson.marks:
                level = min(mark.level + 1, DEEPEST)
                marks.append(mark.model_copy(update={"offset": size + mark.offset, "level": level}))
            parts.append(lesson.text.rstrip("\n") + "\n\n")
            size += len(parts[-1])
        return Document(text="".join(parts), marks=marks, warnings=warnings)

    async def _lesson(self, run: Run, book_id: str, path: str) -> Document:
        read = await self._files.read(run, book_id, path)
        try:
            return text_engine.pasted(read.data.decode())
        except UnicodeDecodeError:
            raise InvalidInput(f"{stored(book_id, path)} is not UTF-8 text.") from None
