"""What every service has: the library's parts, the caller's context, and checked transactions."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from quire.api.context import Context
from quire.api.rates import Rates
from quire.domain.errors import InvalidInput, NotAllowed, NotFound
from quire.domain.sharing import Role
from quire.ports.blobs import Blobs
from quire.ports.documents import Reader, WebPages
from quire.ports.machine import Clock, Signer
from quire.ports.search import Embedder, Index, Vectors
from quire.ports.store import Store, Tx

if TYPE_CHECKING:
    from quire.local.books.shelves import Shelves
    from quire.local.hub import Hub
    from quire.local.scratch.bench import Bench
    from quire.local.workers import Workers
    from quire.text.makers import Maker, ModelMaker

Result = TypeVar("Result")

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Parts:
    """What a library is made of; shared by all of its callers."""

    store: Store
    blobs: Blobs
    clock: Clock
    signer: Signer
    rates: Rates
    hub: Hub
    workers: Workers
    shelves: Shelves
    public_url: str
    index: Index
    vectors: Vectors
    reader: Reader
    web: WebPages
    embedder: Embedder | None
    model_maker: ModelMaker | None
    extractive_maker: Maker
    bench: Bench
    timeout: float = 0


class Service:
    """Bound to one caller. The guard binds a copy to one call, with what its role is checked on."""

    noun: ClassVar[str]
    toolset: ClassVar[str]

    def __init__(self, parts: Parts, context: Context) -> None:
        self.parts = parts
        self.context = context
        self.admitted = False
        self._subject: tuple[str, str | None] | None = None
        self._needs = Role.VIEWER
        self._notebook_id: str | None = None

    def bound(self, subject: tuple[str, str | None] | None, needs: Role) -> Self:
        """This service for one call."""
        one = type(self)(self.parts, self.context)
        one._subject, one._needs = subject, needs
        return one

    @property
    def notebook_id(self) -> str:
        """The notebook that the subject of this call is in; known inside its transactions."""
        if self._notebook_id is None:
            raise RuntimeError("the notebook is known once a transaction has begun")
        return self._notebook_id

    async def read(self, work: Callable[[Tx], Result]) -> Result:
        """A read transaction that first checks the caller's role."""
        return await self.parts.store.read(lambda tx: work(self._admit(tx)))

    async def write(self, work: Callable[[Tx], Result]) -> Result:
        """A write transaction that first checks the caller's role."""
        return await self.parts.store.write(lambda tx: work(self._admit(tx)))

    def event(self, tx: Tx, kind: str, subject_id: str, notebook_id: str | None = None) -> None:
        """Records what this transaction did."""
        tx.run(
            "insert_event",
            notebook_id=notebook_id or self.notebook_id,
            kind=kind,
            subject_id=subject_id,
            at=self.parts.clock.now(),
        )

    def now(self) -> int:
        return self.parts.clock.now()

    def _admit(self, tx: Tx) -> Tx:
        if self._subject is not None:
            kind, id = self._subject
            self._notebook_id = admit(tx, self.context.actor.id, kind, id, self._needs)
            self.admitted = True
        return tx


def admit(tx: Tx, actor_id: str, kind: str, id: str | None, needs: Role) -> str:
    """The notebook that `id` is in, if the actor has the role there. No access at all is *not found*."""
    if kind == "notebook" and id is None:
        row = tx.one("role_in_inbox", person_id=actor_id)
        shown = "inbox"
    else:
        row = tx.one(f"role_in_{kind}", id=id, person_id=actor_id)
        shown = id or ""
    if row is None:
        raise NotFound(kind, shown)
    if row["role"] < needs:
        raise NotAllowed(f"This needs the role {needs.name.lower()} in the notebook.")
    notebook_id: str = row["notebook_id"]
    return notebook_id


def moment(microseconds: int) -> datetime:
    """A stored time as a datetime."""
    return EPOCH + timedelta(0, 0, microseconds)


def optional_moment(microseconds: int | None) -> datetime | None:
    return None if microseconds is None else moment(microseconds)


LAST = 2**62
CURSOR = re.compile(r"[0-9a-f]{1,15}")


def position(cursor: str | None) -> int:
    """Where a page goes on; cursors are ours alone to read."""
    if cursor is None:
        return LAST
    if not CURSOR.fullmatch(cursor):
        raise InvalidInput("cursor: is not one that this list gave out.", field="cursor")
    return int(cursor, 16)


def cursor_at(row: Any) -> str:
    return f"{row['seq']:x}"
