"""Books as sources: one text of all lessons and summaries, each under its path, read again whenever a file changes."""

from __future__ import annotations

from quire.api.capability import capability
from quire.domain.books import BookId, check_book_id, stored
from quire.domain.documents import Document, Mark
from quire.domain.errors import Conflict, InvalidInput, NotFound
from quire.domain.notebooks import NotebookId
from quire.domain.sharing import Role
from quire.domain.sources import Source, SourceTitle
from quire.local.books.changes import SCHEME, address
from quire.local.books.shelved import Shelved
from quire.local.service import admit
from quire.local.sources import Sources
from quire.ports.store import Row, Tx
from quire.text.indexing import pasted

KIND = "book"
MOST_CHARACTERS = 20_000_000
DEEPEST = 6


class Linking(Sources):
    async def link(self, book_id: str, title: str) -> Source:
        return await self._add(title, title, KIND, True, url=address(book_id))


class Sourcing(Shelved):
    @capability("add_book_source", "write", of=("notebook", "notebook_id"), verb="add-source", timeout=120)
    async def add_to_notebook(
        self, book_id: BookId, notebook_id: NotebookId | None = None, title: SourceTitle | None = None
    ) -> Source:
        """Add a book to a notebook as a source, which stays in step with the book's files."""
        check_book_id(book_id)
        await self.sync_registry()

        def work(tx: Tx) -> str:
            admit(tx, self.context.actor.id, "book", book_id, Role.VIEWER)
            if any(row["notebook_id"] == self.notebook_id for row in tx.all("sources_of_book", url=address(book_id))):
                raise Conflict(f"The book '{book_id}' is a source of this notebook already.", path=stored(book_id))
            book = tx.one("book_by_id", book_id=book_id)
            assert book is not None
            shown: str = book["title"]
            return shown

        shown = await self.read(work)
        linking = Linking(self.parts, self.context).bound(("notebook", notebook_id), Role.EDITOR)
        return await linking.link(book_id, (title or "").strip() or shown)

    async def document(self, source: Row) -> Document:
        """The text of a book for a source. Whoever may change the notebook must still be able to read the book."""
        book_id = str(source["url"]).removeprefix(SCHEME)
        await self.sync_registry()
        where = {"book_id": book_id, "notebook_id": source["notebook_id"], "role": int(Role.EDITOR)}
        if await self.parts.store.read(lambda tx: tx.one("book_of_notebook", **where)) is None:
            raise NotFound("book", book_id)
        await self.settle_under(book_id, "")
        rows = await self.parts.store.read(lambda tx: tx.all("files_under", book_id=book_id, prefix=""))
        parts: list[str] = []
        marks: list[Mark] = []
        warnings: list[str] = []
        size = 0
        for path in (row["path"] for row in rows if row["path"].endswith(".md")):
            try:
                lesson = await self._lesson(book_id, path)
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

    async def _lesson(self, book_id: str, path: str) -> Document:
        _, data, _ = await self.fetch(book_id, path)
        try:
            return pasted(data.decode())
        except UnicodeDecodeError:
            raise InvalidInput(f"{stored(book_id, path)} is not UTF-8 text.") from None
