"""MCP over streamable HTTP, mounted at /mcp.

JSON cannot carry progress or sampling, and a stream costs a third more; so each request is answered with
JSON, unless the client may have to hear something first. In the 2026 era a stream may still turn out as
JSON, and is what a client closes to end a call; only calls that are over soon do without.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import lru_cache
from http import HTTPStatus
from typing import Any

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp_types import INVALID_REQUEST, LOG_LEVEL_META_KEY
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from quire.entry.mcp import messages
from quire.entry.mcp.client_requests import CAPABILITIES
from quire.entry.mcp.sdk_internals import Session, Sessions
from quire.entry.mcp.server import McpServer
from quire.entry.settings import Settings

MESSAGE = "quire.mcp_message"


class HttpDoor:
    """`asgi` answers requests while `run` is entered; `close` ends the streams that would hold up the end."""

    def __init__(self, door: McpServer, settings: Settings) -> None:
        self._door = door
        self._sessions = Sessions(door.server, self._plain, settings.body_limit)

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        async with self._sessions.run():
            try:
                yield
            finally:
                await self.close()

    async def close(self) -> None:
        await self._door.close()
        self._sessions.end_streams()

    async def asgi(self, scope: Scope, receive: Receive, send: Send) -> None:
        # The SDK serves a session to whoever opened it alone.
        scope["user"] = _user(scope["quire.actor"].id)
        if scope["method"] != "POST":
            await self._sessions.handle_request(scope, receive, send)
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
        scope[MESSAGE] = message
        await self._sessions.handle_request(scope, replay, send)

    def _plain(self, scope: Scope, session: Session | None) -> bool:
        """Whether JSON will do for the answer."""
        message = scope.get(MESSAGE)
        if message is None:
            return False
        method, params = getattr(message, "method", ""), _mapping(getattr(message, "params", None))
        meta = _mapping(params.get("_meta"))
        if session is None:
            return self._is_short_call(scope) and "progressToken" not in meta and LOG_LEVEL_META_KEY not in meta
        if method == "initialize":
            session.interactive = any(name in _mapping(params.get("capabilities")) for name in CAPABILITIES.values())
        elif method == "logging/setLevel":
            session.interactive = True
        return not session.interactive and "progressToken" not in meta

    def _is_short_call(self, scope: Scope) -> bool:
        """A call of the 2026 era, whose headers name the tool."""
        headers = dict(scope["headers"])
        modern = headers.get(b"mcp-protocol-version", b"").decode("latin-1") in MODERN_PROTOCOL_VERSIONS
        return modern and self._door.is_short_call(headers.get(b"mcp-name", b"").decode("latin-1"))


@lru_cache(maxsize=1000)
def _user(id: str) -> AuthenticatedUser:
    return AuthenticatedUser(AccessToken(token="", client_id=id, scopes=[]))


def _says_json(scope: Scope) -> bool:
    kind = dict(scope["headers"]).get(b"content-type", b"").partition(b";")[0]
    return bool(kind.strip().lower() == b"application/json")


def _refused(problem: bytes, status: HTTPStatus) -> Response:
    return Response(problem, status, media_type="application/json")


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


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
