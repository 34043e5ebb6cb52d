"""Everything Quire raises on purpose.

    QuireError
    ├── InvalidInput
    │   └── TooLarge
    ├── NotFound
    ├── Conflict
    │   └── NotReady
    ├── NotSignedIn
    ├── NotAllowed
    ├── LimitReached
    ├── TimedOut
    ├── Unsupported
    └── Upstream
        └── WireDrift

The class carries how each door answers (`code`, `status`, `exit_code`, `retriable`),
its docstring is the default message, and what the error is about is data.
"""

from __future__ import annotations

from typing import Any, ClassVar


class QuireError(Exception):
    """Something went wrong inside Quire."""

    code: ClassVar[str] = "internal"
    status: ClassVar[int] = 500
    exit_code: ClassVar[int] = 1
    retriable: ClassVar[bool] = False

    def __init__(self, message: str | None = None, *, hint: str | None = None, **details: Any) -> None:
        self.message = message or (self.__doc__ or "").strip()
        self.hint = hint
        self.details = details
        super().__init__(self.message)

    def body(self) -> dict[str, Any]:
        """The same error for every door that answers in JSON."""
        body: dict[str, Any] = {"code": self.code, "message": self.message, "retriable": self.retriable}
        if self.hint:
            body["hint"] = self.hint
        return body | self.details


class InvalidInput(QuireError):
    """The input is not valid."""

    code, status, exit_code = "invalid_input", 422, 2


class TooLarge(InvalidInput):
    """The input is too large."""

    code, status = "too_large", 413


class NotFound(QuireError):
    """There is no such thing, or it is not yours."""

    code, status, exit_code = "not_found", 404, 4

    def __init__(self, noun: str, id: str, *, hint: str | None = None) -> None:
        shown = id if len(id) <= 80 else id[:77] + "..."
        super().__init__(f"There is no {noun} '{shown}'.", hint=hint, noun=noun, id=shown)


class Conflict(QuireError):
    """It was changed by someone else meanwhile."""

    code, status, exit_code = "conflict", 409, 5


class NotReady(Conflict):
    """It is still being worked on."""

    code, retriable = "not_ready", True


class NotSignedIn(QuireError):
    """Sign in first."""

    code, status, exit_code = "not_signed_in", 401, 6


class NotAllowed(QuireError):
    """Your role does not allow this."""

    code, status, exit_code = "not_allowed", 403, 6


class LimitReached(QuireError):
    """Too many calls; wait a moment."""

    code, status, exit_code, retriable = "limit_reached", 429, 7, True


class TimedOut(QuireError):
    """It took longer than its time limit."""

    code, status, exit_code, retriable = "timed_out", 504, 10, True


class Unsupported(QuireError):
    """This installation cannot do that."""

    code, status, exit_code = "unsupported", 501, 8


class Upstream(QuireError):
    """A service that Quire depends on failed."""

    code, status, exit_code, retriable = "upstream", 502, 9, True


class WireDrift(Upstream):
    """A service answered in a shape that Quire does not know."""

    code, retriable = "wire_drift", False


def error_from(body: dict[str, Any]) -> QuireError:
    """The error that a body describes, of the class its code names."""
    kinds: list[type[QuireError]] = [QuireError]
    for kind in kinds:
        kinds.extend(kind.__subclasses__())
    details = {key: value for key, value in body.items() if key not in ("code", "message", "retriable", "hint")}
    for kind in kinds:
        if kind.code == body.get("code"):
            error = kind.__new__(kind)
            QuireError.__init__(error, body.get("message"), hint=body.get("hint"), **details)
            return error
    return QuireError(body.get("message"), hint=body.get("hint"), **details)
