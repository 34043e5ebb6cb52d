"""MCP over streamable HTTP, mounted at /mcp.

The SDK answers with JSON or with streams for a whole server, and JSON cannot carry progress or
sampling; so the choice is made here for each request: JSON, unless the client may have to hear
something first. In the 2026 era a stream may still turn out as JSON, and is what a client closes to
end a call; it costs a third more, so calls that are over soon do without.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from contextvars import ContextVar
from http import HTTPStatus
from typing import Any

from mcp.server.streamable_http import StreamableHTTPServerTransport
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types import INVALID_REQUEST
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from quire.entry.mcp import messages
from quire.entry.mcp.peer import CAPABILITIES
from quire.entry.mcp.server import McpServer
from quire.entry.settings import Settings

WANTS_MORE = (b'"progressToken"', b'/logLevel"')

_plain: ContextVar[bool] = ContextVar("quire_plain_reply", default=False)


class HttpDoor:
    """`asgi` answers requests while `run` is entered; `close` ends the streams that would hold up the end."""

    def __init__(self, door: McpServer, settings: Settings) -> None:
        self._door = door
        self._manager = _Sessions(app=door.server, json_response=False, max_request_body_size=settings.body_limit)

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        async with self._manager.run():
            try:
                yield
            finally:
                await self.close()

    async def close(self) -> None:
        await self._door.close()
        self._manager.end_streams()

    async def asgi(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":
            await self._manager.handle_request(scope, receive, send)
            return
        if not _says_json(scope):
            problem = messages.error(None, INVALID_REQUEST, "Send messages as application/json.")
            await _refused(problem, HTTPStatus.UNSUPPORTED_MEDIA_TYPE)(scope, receive, send)
            return
        body, replay = await _read(receive)
        message = messages.read(body)
        if message is None or isinstance(message, bytes):
            await _refused(message or messages.invalid(), HTTPStatus.BAD_REQUEST)(scope, receive, send)
            return
        token = _plain.set(self._brief(scope) and not any(word in body for word in WANTS_MORE))
        try:
            await self._manager.handle_request(scope, replay, send)
        finally:
            _plain.reset(token)

    def _brief(self, scope: Scope) -> bool:
        """A call of the 2026 era, whose headers name the tool."""
        headers = dict(scope["headers"])
        modern = headers.get(b"mcp-protocol-version", b"").decode("latin-1") in MODERN_PROTOCOL_VERSIONS
        return modern and self._door.is_short_call(headers.get(b"mcp-name", b"").decode("latin-1"))


class _Sessions(StreamableHTTPSessionManager):
    @property
    def json_response(self) -> bool:
        return _plain.get()

    @json_response.setter
    def json_response(self, value: bool) -> None:
        """Chosen for each request, whatever the SDK is told for all."""

    def _admit_session(self, requestor: Any) -> StreamableHTTPServerTransport | None:
        transport = super()._admit_session(requestor)
        if transport is not None:
            # The SDK makes its transport itself and takes no other class for it.
            transport.__class__ = _Transport
        return transport

    def end_streams(self) -> None:
        """What a session listens on; calls in hand go on."""
        for transport in self._server_instances.values():
            transport.close_standalone_sse_stream()


class _Transport(StreamableHTTPServerTransport):
    """A session, for the actor who opened it alone.

    Its own task sees the default (streams); a request's task sees what was chosen for it.
    """

    _interactive = False
    _owner: str | None = None

    @property
    def is_json_response_enabled(self) -> bool:
        return _plain.get()

    @is_json_response_enabled.setter
    def is_json_response_enabled(self, value: bool) -> None:
        raise AttributeError("chosen for each request")

    async def handle_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        caller = scope["quire.actor"].id
        if self._owner not in (None, caller):
            await self._create_error_response("Session not found", HTTPStatus.NOT_FOUND)(scope, receive, send)
            return
        if scope["method"] != "POST":
            await super().handle_request(scope, receive, send)
            return
        body, replay = await _read(receive)
        if self._owner is None:
            self._owner = caller
            self._interactive = _may_be_asked(body)
        if b'"logging/setLevel"' in body:
            self._interactive = True
        token = _plain.set(not self._interactive and b'"progressToken"' not in body)
        try:
            await super().handle_request(scope, replay, send)
        finally:
            _plain.reset(token)


def _says_json(scope: Scope) -> bool:
    kind = dict(scope["headers"]).get(b"content-type", b"").partition(b";")[0]
    return bool(kind.strip().lower() == b"application/json")


def _refused(problem: bytes, status: HTTPStatus) -> Response:
    return Response(problem, status, media_type="application/json")


def _may_be_asked(initialize: bytes) -> bool:
    """Whether the client said that it answers requests, which then come while it waits for a result."""
    with suppress(ValueError, RecursionError, TypeError, KeyError):
        capabilities = json.loads(initialize)["params"]["capabilities"]
        return any(name in capabilities for name in CAPABILITIES.values())
    return False


async def _read(receive: Receive) -> tuple[bytes, Receive]:
    """The body (its size is limited further out), and a `receive` that gives it once more."""
    parts: list[bytes] = []
    while True:
        message = await receive()
        parts.append(message.get("body", b""))
        if message["type"] == "http.disconnect" or not message.get("more_body", False):
            break
    body = b"".join(parts)
    given = False

    async def replay() -> Message:
        nonlocal given
        if not given and message["type"] != "http.disconnect":
            given = True
            return {"type": "http.request", "body": body, "more_body": False}
        return await receive()

    return body, replay
