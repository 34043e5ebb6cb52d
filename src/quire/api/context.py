"""Who calls, by when it must be done, and how to reach the caller meanwhile."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from quire.domain.sharing import LOCAL_OWNER, Actor
from quire.ports.models import Sampler

Report = Callable[[float, float | None, str], Awaitable[None]]


async def unheard(done: float, total: float | None, message: str) -> None:
    """Progress that nobody asked for."""


def new_request_id() -> str:
    return secrets.token_hex(8)


@dataclass(frozen=True, slots=True)
class Context:
    """Cancelling is asyncio's: a cancelled call is a cancelled task.

    `local` callers share this machine and its user, so that paths mean something to them.
    `connection` tells one client's calls from another's, where the door keeps a connection.
    A `read_only` caller changes nothing, and what is asked leaves no trace.
    `token_id` is the token that proved who calls; what it leaves behind for others ends with it.
    """

    actor: Actor = LOCAL_OWNER
    request_id: str = field(default_factory=new_request_id)
    deadline: float | None = None
    report: Report = unheard
    sampler: Sampler | None = None
    door: str = "python"
    local: bool = False
    connection: str = ""
    read_only: bool = False
    token_id: str = ""


class InputNeeded(Exception):
    """Raised by a sampler whose answer only comes with the next call (MCP 2026).

    It passes every layer untouched; the door returns `requests`, and the call is made
    again with the answers. So nothing may be written before the last model call.
    """

    def __init__(self, requests: dict[str, object]) -> None:
        self.requests = requests
        super().__init__(", ".join(requests))
