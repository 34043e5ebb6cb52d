"""Errors as HTTP answers them: one JSON form, whoever raised them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic_core import to_json
from starlette.responses import Response

from quire.domain.errors import LimitReached, NotSignedIn, QuireError, TimedOut


class Refused(Exception):
    """A request that HTTP itself refuses, before any capability is called."""

    def __init__(
        self, status: int, code: str, message: str, *, retriable: bool = False, headers: Mapping[str, str] = {}
    ) -> None:
        self.status = status
        self.headers = headers
        self._own = {"code": code, "retriable": retriable}
        super().__init__(message)

    def body(self) -> dict[str, Any]:
        return QuireError(str(self)).body() | self._own


class TooSlow(TimedOut):
    """The request did not arrive in time."""

    status = 408


class ContractError(Refused):
    """An error in the form of a contract that speaks of HTTP."""

    def __init__(self, status: int, message: str, body: dict[str, Any], headers: Mapping[str, str]) -> None:
        super().__init__(status, body["code"], message, headers=headers)
        self._body = body

    def body(self) -> dict[str, Any]:
        return self._body


def malformed(message: str, headers: Mapping[str, str] = {}) -> Refused:
    """A request that cannot be read."""
    return Refused(400, "malformed", message, headers=headers)


def stopping() -> Refused:
    return Refused(503, "stopping", "The server is stopping.", retriable=True, headers={"Retry-After": "5"})


def too_many_streams() -> Refused:
    message = "Too many clients listen already."
    return Refused(503, "too_many_streams", message, retriable=True, headers={"Retry-After": "10"})


def headers_of(error: QuireError | Refused) -> dict[str, str]:
    """What an error says in headers beside its body."""
    if isinstance(error, Refused):
        return dict(error.headers)
    if isinstance(error, LimitReached):
        return {"Retry-After": str(error.details.get("retry_after", 1))}
    if isinstance(error, NotSignedIn):
        return {"WWW-Authenticate": 'Bearer realm="quire"'}
    return {}


def json_answer(error: QuireError | Refused) -> Response:
    return json_response(error.body(), error.status, headers_of(error))


def json_response(data: Any, status: int = 200, headers: Mapping[str, str] = {}) -> Response:
    return json_bytes(to_json(data), status, headers)


def json_bytes(data: bytes, status: int = 200, headers: Mapping[str, str] = {}) -> Response:
    return Response(data, status, {"Cache-Control": "no-store", **headers}, "application/json")
