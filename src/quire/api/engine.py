"""The seat of an engine: what does the declared things, and what doors need of it beside that."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

from pydantic import BaseModel

from quire.api.context import Context
from quire.api.rates import Rates
from quire.domain.sharing import Role, SignedIn
from quire.ports.machine import Signer

if TYPE_CHECKING:
    from quire.domain.events import Event
    from quire.domain.files import Download
    from quire.domain.health import Check


class Subject(NamedTuple):
    """What a call is about. `within` is the notebook that the caller says it is in; no id at all is the inbox."""

    kind: str
    id: str | None
    within: str | None = None


class Scope(Protocol):
    """What one call may use. An engine's own scope is the only way from a call to what the engine keeps."""

    @property
    def context(self) -> Context: ...

    def confirm(self) -> None:
        """Raises where the call has answered without its role having been checked."""
        ...


class Events(Protocol):
    """What happened, in order."""

    async def last(self) -> int:
        """The newest event's number."""
        ...

    def after(self, seq: int) -> AsyncIterator[list[Event]]:
        """All that happened after an event, and what happens from then on, until the engine is closed."""
        ...

    async def readable(self, actor_id: str) -> set[str]:
        """The notebooks whose events an actor may hear of."""
        ...


class People(Protocol):
    """Who may call."""

    async def by_token(self, token_hash: str) -> SignedIn | None:
        """Whose token has this hash, if it holds."""
        ...

    async def by_token_id(self, id: str) -> SignedIn | None: ...

    async def admitted(self, email: str, label: str, seconds: int, new_name: str | None) -> str | None:
        """A token for whoever has a verified address; with a `new_name` someone unknown is added by it."""
        ...


class PiecewiseUpload(Protocol):
    """An upload to a signed address, on behalf of whoever asked for the address."""

    size: int

    async def received(self) -> int:
        """How many bytes have come."""
        ...

    async def receive(self, start: int, chunks: AsyncIterator[bytes]) -> BaseModel | int:
        """Takes bytes from `start` on: what the upload came to once all are there, else how many are."""
        ...


class Engine(Protocol):
    """Does what is declared in this folder.

    `nouns` are the classes that do it, by the library's names for the nouns. A method that is not there is not
    offered. Each takes the call's scope first, and then the declared arguments without `notebook_id`, which the
    scope has resolved.
    """

    name: ClassVar[str]
    nouns: ClassVar[Mapping[str, type]]

    @property
    def rates(self) -> Rates: ...

    @property
    def signer(self) -> Signer: ...

    @property
    def events(self) -> Events: ...

    @property
    def people(self) -> People: ...

    def seat(self, noun: str) -> Engine:
        """The engine that does a noun: this one, unless it is made of several."""
        ...

    def done_by(self, noun: str) -> Any:
        """The object whose methods do the capabilities of a noun, or None."""
        ...

    def scope(self, context: Context, subject: Subject | None, needs: Role) -> Scope: ...

    async def linked(self, token: str) -> Download:
        """The file that a signed address leads to, as long as whoever made the address may have it."""
        ...

    def upload(self, token: str, request_id: str) -> PiecewiseUpload:
        """The upload that a signed address stands for."""
        ...

    def serve(self, workers: int) -> None:
        """Works on jobs that wait, and sweeps, until it is closed."""
        ...

    async def stop_serving(self) -> None: ...

    async def check(self) -> None:
        """Raises where the engine cannot answer calls."""
        ...

    async def examine(self) -> list[Check]:
        """How each part is, for `quire doctor`."""
        ...

    async def close(self) -> None: ...
