"""What is added to the end of a pasted text."""

from __future__ import annotations

import asyncio
from functools import partial

from quire.domain.errors import Conflict, InvalidInput, NotFound, TooLarge
from quire.domain.sources import TEXT_LIMIT
from quire.local.pasted_text import prepared_text
from quire.local.scope import Scope
from quire.local.source_vectors import SourceVectors
from quire.local.source_versions import put_version
from quire.ports.search import Index
from quire.ports.store import Row, Tx
from quire.text import Prepared

TRIES = 5


async def append_text(scope: Scope, index: Index, vectors: SourceVectors, source_id: str, text: str) -> None:
    """A new version of a source; one that somebody else makes meanwhile is added to, too."""
    if not text.strip():
        raise InvalidInput("text: must not be empty.", field="text")
    for _ in range(TRIES):
        before = await scope.read(lambda tx: _pasted(tx, source_id))
        whole = f"{before['text'].rstrip()}\n\n{text}"
        if len(whole) > TEXT_LIMIT:
            raise TooLarge(
                f"text: the whole would be longer than {TEXT_LIMIT:,} characters.", field="text", limit=TEXT_LIMIT
            )
        prepared, given = await asyncio.to_thread(prepared_text, before["title"], whole)
        work = partial(_put, scope, index, vectors, source_id, before["version"], prepared, given)
        if await scope.write(work):
            return
    raise Conflict("Others add to this source all the time.", hint="Try again in a moment.")


def _put(
    scope: Scope, index: Index, vectors: SourceVectors, id: str, last: int, prepared: Prepared, given: str, tx: Tx
) -> bool:
    """Whether the version that was added to is still the last one."""
    tx.one("lock_notebook", id=scope.notebook_id)
    row = tx.one("source_by_id", id=id)
    if row is None:
        raise NotFound("source", id)
    if row["version"] != last:
        return False
    at = scope.now()
    put_version(tx, index, scope.notebook_id, id, last + 1, prepared, at)
    tx.run("settle_source", id=id, version=last + 1, title=row["title"], kind=row["kind"], at=at)
    tx.run("set_source_given", id=id, given=given)
    vectors.embed_later(tx, scope.notebook_id, scope.actor_id, id, prepared.language)
    scope.event(tx, "source.updated", id)
    return True


def _pasted(tx: Tx, source_id: str) -> Row:
    row = tx.one("source_by_id", id=source_id)
    if row is None:
        raise NotFound("source", source_id)
    if row["url"] is not None or row["blob"] is not None:
        raise InvalidInput("Only a pasted text can be added to.", field="source_id")
    text = tx.one("version_text", id=source_id, version=row["version"])
    if text is None:
        raise NotFound("source", source_id)
    return text
