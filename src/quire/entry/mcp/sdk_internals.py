"""All that leans on private parts of the MCP SDK; tests/entry/mcp/test_sdk_internals.py names each of them.

The SDK answers with JSON or with streams for a whole server, and makes its transports itself. It hands a
call a session object of its own and keeps the connection behind it, on which state lasts, to itself. It makes
an OpenTelemetry span of every request, whether anyone records spans or not.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from mcp.server._otel import OpenTelemetryMiddleware
from mcp.server.connection import Connection
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http import StreamableHTTPServerTransport
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from opentelemetry import trace
from starlette.types import Receive, Scope, Send

_plain: ContextVar[bool] = ContextVar("quire_plain_reply", default=False)


def connection_of(context: ServerRequestContext[Any, Any]) -> Connection:
    """The connection that a call came by; in the 2026 era it is the call's own."""
    return context.session._connection


def without_unrecorded_spans(server: Server[Any], provider: trace.TracerProvider | None = None) -> None:
    """A tenth of a short call went into spans that no tracer provider takes; where one is set, all stays as it was."""
    if isinstance(provider or trace.get_tracer_provider(), trace.ProxyTracerProvider):
        server.middleware[:] = [one for one in server.middleware if not isinstance(one, OpenTelemetryMiddleware)]


class Session(StreamableHTTPServerTransport):
    """A session of the 2025 era; `interactive` is whether its client may hear more than results.

    Its own task sees the default (streams); a request's task sees what was chosen for it.
    """

    interactive = False
    chosen: Callable[[Scope, Session | None], bool]

    @property
    def is_json_response_enabled(self) -> bool:
        return _plain.get()

    @is_json_response_enabled.setter
    def is_json_response_enabled(self, value: bool) -> None:
        raise AttributeError("chosen for each request")

    async def handle_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        token = _plain.set(self.chosen(scope, self))
        try:
            await super().handle_request(scope, receive, send)
        finally:
            _plain.reset(token)


class Sessions(StreamableHTTPSessionManager):
    """Answers each request as `plain` chooses: with JSON, or with a stream. There is no session in the 2026 era."""

    def __init__(self, app: Server[Any], plain: Callable[[Scope, Session | None], bool], body_limit: int) -> None:
        super().__init__(app, max_request_body_size=body_limit)
        self._chosen = plain

    @property
    def json_response(self) -> bool:
        return _plain.get()

    @json_response.setter
    def json_response(self, value: bool) -> None:
        """Chosen for each request, whatever the SDK is told for all."""

    async def handle_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        token = _plain.set(self._chosen(scope, None))
        try:
            await super().handle_request(scope, receive, send)
        finally:
            _plain.reset(token)

    def end_streams(self) -> None:
        """What sessions listen on; calls in hand go on."""
        for transport in self._server_instances.values():
            transport.close_standalone_sse_stream()

    def _admit_session(self, requestor: Any) -> StreamableHTTPServerTransport | None:
        transport = super()._admit_session(requestor)
        if transport is not None:
            transport.__class__ = Session
            assert isinstance(transport, Session)
            transport.chosen = self._chosen
        return transport
