"""Files that rows refer to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from quire.api.context import Context
from quire.domain.errors import InvalidInput
from quire.domain.files import Download, Upload
from quire.local.file_links import FileLinks
from quire.local.scope import SystemScope
from quire.ports.blobs import Blobs
from quire.ports.store import Tx

MARKDOWN_LIMIT = 64 * 1024 * 1024
LINK_SECONDS = 3600


class Files:
    """Blobs and their rows; the addresses where `quire serve` gives them out."""

    def __init__(self, system: SystemScope, blobs: Blobs, links: FileLinks) -> None:
        self._system = system
        self._blobs = blobs
        self._links = links

    async def put(self, upload: Upload, limit: int) -> tuple[str, int]:
        """Stores an upload's bytes; the row that needs them must say so with `use` in its own transaction.

        The blob's own row is written (or made young again) before the bytes come to their place,
        and `BlobSweeper` deletes both in one transaction: so it never takes bytes that were just put.
        """

        async def known(sha256: str, size: int) -> None:
            at = self._system.now()
            await self._system.write(lambda tx: tx.run("insert_blob", sha256=sha256, size=size, at=at))

        return await self._blobs.put(upload.chunks(), limit, known)

    async def forget(self, sha256: str) -> None:
        """Takes away at once what was put and is not wanted, unless something needs it."""

        def work(tx: Tx) -> None:
            if tx.run("delete_blob", sha256=sha256, before=self._system.now() + 1):
                self._blobs.delete(sha256)

        await self._system.write(work)

    async def text(self, sha256: str) -> str:
        """A stored file as text."""
        data = b"".join([chunk async for chunk in self._blobs.get(sha256)])
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            raise InvalidInput("The file is not UTF-8 text.") from None
        if "\0" in text:
            raise InvalidInput("The file contains NUL characters.")
        return text

    async def upload(self, sha256: str, name: str) -> Upload:
        """A stored file as one on its way in."""
        await self._blobs.verify(sha256)
        path = self._blobs.path(sha256)
        return Upload(name, lambda: self._blobs.get(sha256), path=Path(path) if path else None)

    def download(self, facts: dict[str, Any], context: Context, **about: str) -> Download:
        """A stored file that can be read, with an address that is good for an hour."""
        path = self._blobs.path(facts["sha256"]) if context.local else None
        return self._readable(Download(**facts, url=self.link(facts, LINK_SECONDS, context, **about), path=path))

    def link(self, facts: dict[str, Any], seconds: int, context: Context, **about: str) -> str:
        """An address that is good for so long, for whoever has it; `about` is what the file belongs to."""
        return self._links.url({**facts, **about}, seconds, context)

    async def write(self, work: Callable[[Tx], None]) -> None:
        """Notes down a file that was made of what is there already."""
        await self._system.write(work)

    def linked(self, claims: dict[str, Any]) -> Download:
        """The file that the claims of a signed address name."""
        return self._readable(Download(**claims))

    def _readable(self, file: Download) -> Download:
        return file.opened_from(lambda start: self._blobs.get(file.sha256, start))

    async def check(self) -> str:
        return await self._blobs.check()


def use(tx: Tx, sha256: str, kind: str, subject_id: str) -> None:
    """Says that a row needs a stored file."""
    tx.run("use_blob", sha256=sha256, kind=kind, subject_id=subject_id)
