"""The only ways to the store: for a call, with its role checked in every transaction; and for the engine itself."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import NamedTuple, TypeVar

from quire.api.context import Context
from quire.api.engine import Subject
from quire.domain.sharing import Role
from quire.local.check_role import check_role
from quire.ports.machine import Clock
from quire.ports.store import Store, Tx

Result = TypeVar("Result")


class SystemScope:
    """What the engine does for itself: workers, sweeps, counting, looking up who calls. No role is checked."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def read(self, work: Callable[[Tx], Result]) -> Result:
        return await self._store.read(work)

    async def look_up(self, work: Callable[[Tx], Result]) -> Result:
        """As `read`, for a few rows by their keys."""
        return await self._store.look_up(work)

    async def write(self, work: Callable[[Tx], Result]) -> Result:
        return await self._store.write(work)

    def changes(self) -> AsyncIterator[None]:
        """Yields whenever someone may have committed, in this process or another."""
        return self._store.changes()

    def event(self, tx: Tx, notebook_id: str, kind: str, subject_id: str) -> None:
        """Records what this transaction did in a notebook."""
        tx.run("insert_event", notebook_id=notebook_id, kind=kind, subject_id=subject_id, at=self.now())

    def now(self) -> int:
        return self._clock.now()

    def lease_clock(self) -> int:
        """The time that all who share the store agree on, whatever their own clocks say."""
        return self._clock.now() + self._store.clock_ahead()

    def call(self, context: Context, subject: Subject | None, needs: Role) -> Scope:
        """The scope of one call."""
        return Scope(self._store, self._clock, context, subject, needs)


class Admission(NamedTuple):
    """That a caller had a role, at one version of the store. Only a scope gives one out, after it has checked."""

    version: int
    actor_id: str
    subject: Subject | None
    role: Role
    notebook_id: str


class Scope:
    """One call, on behalf of its caller: each transaction first checks the role that the call needs."""

    def __init__(self, store: Store, clock: Clock, context: Context, subject: Subject | None, needs: Role) -> None:
        self._store = store
        self._clock = clock
        self._subject = subject
        self._needs = needs
        self._notebook_id: str | None = None
        self.context = context

    @property
    def actor_id(self) -> str:
        return self.context.actor.id

    @property
    def subject_id(self) -> str:
        """The id of what the call is about, as the caller gave it."""
        if self._subject is None or self._subject.id is None:
            raise RuntimeError("this call is about nothing that has an id")
        return self._subject.id

    @property
    def notebook_id(self) -> str:
        """The notebook that the call's subject is in; known once a transaction has begun."""
        if self._notebook_id is None:
            raise RuntimeError("the notebook is known once a transaction has begun")
        return self._notebook_id

    async def read(self, work: Callable[[Tx], Result]) -> Result:
        return await self._store.read(lambda tx: work(self._admitted(tx)))

    async def look_up(self, work: Callable[[Tx], Result]) -> Result:
        """As `read`, for a few rows by their keys."""
        return await self._store.look_up(lambda tx: work(self._admitted(tx)))

    async def write(self, work: Callable[[Tx], Result]) -> Result:
        return await self._store.write(lambda tx: work(self._admitted(tx)))

    async def read_admitted(self, work: Callable[[Tx], Result]) -> tuple[Result, Admission | None]:
        """As `read`, with the admission that it rested on, where the store can tell until when that holds."""
        version = self._store.version()
        result = await self.read(work)
        if version is None:
            return result, None
        return result, Admission(version, self.actor_id, self._subject, self._needs, self.notebook_id)

    def admitted_again(self, admission: Admission) -> bool:
        """Whether an admission to the same, of the same caller, still holds, since nobody has committed anything.

        That is as good as checking the role again in a transaction, and counts as such.
        """
        version, actor_id, subject, role, notebook_id = admission
        if (actor_id, subject) != (self.actor_id, self._subject) or role < self._needs:
            return False
        if version != self._store.version():
            return False
        self._notebook_id = notebook_id
        return True

    def in_inbox(self) -> Scope:
        """The same call for what it keeps in the caller's inbox, though it is about no one notebook."""
        return Scope(self._store, self._clock, self.context, Subject("notebook", None), self._needs)

    async def check(self) -> str:
        """Checks the role before anything else is done, and gives the notebook's id."""
        return await self.read(lambda tx: self.notebook_id)

    def event(self, tx: Tx, kind: str, subject_id: str) -> None:
        """Records what this transaction did."""
        tx.run("insert_event", notebook_id=self.notebook_id, kind=kind, subject_id=subject_id, at=self.now())

    def now(self) -> int:
        return self._clock.now()

    def confirm(self) -> None:
        if self._subject is not None and self._notebook_id is None:
            raise RuntimeError(f"a call about a {self._subject.kind} answered without checking the caller's role")

    def _admitted(self, tx: Tx) -> Tx:
        if self._subject is not None:
            self._notebook_id = check_role(tx, self.actor_id, self._subject, self._needs)
        return tx
