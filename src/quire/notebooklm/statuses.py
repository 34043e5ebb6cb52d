"""Statuses of the wire as errors of ours, and the other way round."""

from __future__ import annotations

from quire.domain.errors import (
    Conflict,
    InvalidInput,
    LimitReached,
    NotAllowed,
    NotFound,
    NotReady,
    NotSignedIn,
    QuireError,
    TimedOut,
    TooLarge,
    Unsupported,
    Upstream,
)
from quire.notebooklm.codes import Status
from quire.notebooklm.envelope import StatusLine

TO_ERROR: dict[int, type[QuireError]] = {
    Status.INVALID_ARGUMENT: InvalidInput,
    Status.DEADLINE_EXCEEDED: TimedOut,
    Status.ALREADY_EXISTS: Conflict,
    Status.PERMISSION_DENIED: NotAllowed,
    Status.RESOURCE_EXHAUSTED: LimitReached,
    Status.FAILED_PRECONDITION: NotReady,
    Status.ABORTED: Conflict,
    Status.OUT_OF_RANGE: InvalidInput,
    Status.UNIMPLEMENTED: Unsupported,
    Status.UNAUTHENTICATED: NotSignedIn,
    400: InvalidInput,
    401: NotSignedIn,
    403: NotAllowed,
    429: LimitReached,
}
# The first that fits counts, so what is special comes before what is general.
FROM_ERROR: tuple[tuple[type[QuireError], Status], ...] = (
    (TooLarge, Status.INVALID_ARGUMENT),
    (InvalidInput, Status.INVALID_ARGUMENT),
    (NotFound, Status.NOT_FOUND),
    (NotReady, Status.FAILED_PRECONDITION),
    (Conflict, Status.FAILED_PRECONDITION),
    (NotSignedIn, Status.UNAUTHENTICATED),
    (NotAllowed, Status.PERMISSION_DENIED),
    (LimitReached, Status.RESOURCE_EXHAUSTED),
    (TimedOut, Status.DEADLINE_EXCEEDED),
    (Unsupported, Status.UNIMPLEMENTED),
    (Upstream, Status.UNAVAILABLE),
)


def error_of(status: StatusLine, method: str, noun: str = "thing", id: str = "") -> QuireError:
    """The error that a status stands for."""
    if status.displayable:
        return LimitReached(status.message or "NotebookLM refused: a limit is reached.", method=method)
    if status.code in (Status.NOT_FOUND, 404):
        return NotFound(noun, id)
    kind = TO_ERROR.get(status.code, Upstream)
    return kind(
        status.message or f"NotebookLM answered {name_of(status.code)}.", method=method, status_code=status.code
    )


def status_of(error: QuireError) -> StatusLine:
    """The status that an error is answered with. A limit is told so that clients take it for one."""
    for kind, status in FROM_ERROR:
        if isinstance(error, kind):
            return StatusLine(int(status), error.message, displayable=isinstance(error, LimitReached))
    return StatusLine(int(Status.INTERNAL), error.message)


def name_of(code: int) -> str:
    try:
        return Status(code).name
    except ValueError:
        return str(code)
