"""What `sdk_internals` leans on, by name: another version of the SDK that changes it fails here first."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest
from mcp.server._otel import OpenTelemetryMiddleware
from mcp.server.connection import Connection
from mcp.server.lowlevel.server import Server
from mcp.server.session import ServerSession
from mcp.server.streamable_http import StreamableHTTPServerTransport
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from opentelemetry import trace
from starlette.types import Scope

import quire.entry.mcp
from quire.entry.mcp.sdk_internals import Session, Sessions, _plain, without_unrecorded_spans

ENTRY = Path(quire.entry.mcp.__file__).parents[1]


def test_a_session_object_keeps_its_connection() -> None:
    assert "self._connection = connection" in inspect.getsource(ServerSession.__init__), (
        "ServerSession._connection has gone: connection_of() needs another way to it"
    )
    assert {"state", "exit_stack", "send_resource_updated", "send_resource_list_changed"} <= set(dir(Connection)) | set(
        Connection.__annotations__
    ), "Connection no longer has what subscriptions keep and send on it"


def test_the_manager_asks_for_json_at_every_request() -> None:
    source = inspect.getsource(StreamableHTTPSessionManager._handle_request)
    assert "self.json_response" in source, "Sessions.json_response is no longer read for each request of the 2026 era"


def test_the_manager_makes_its_transports_in_one_place_and_keeps_them_by_id() -> None:
    source = inspect.getsource(StreamableHTTPSessionManager._admit_session)
    assert "StreamableHTTPServerTransport(" in source, "_admit_session no longer makes the transport"
    assert "self._server_instances[session_id] = http_transport" in source, "_server_instances no longer holds it"


def test_a_transport_asks_for_json_at_every_request_and_can_become_one_of_ours() -> None:
    for name in ("_validate_accept_header", "_handle_post_request", "_message_metadata"):
        source = inspect.getsource(getattr(StreamableHTTPServerTransport, name))
        assert "self.is_json_response_enabled" in source, f"{name} no longer reads is_json_response_enabled"
    assert not hasattr(StreamableHTTPServerTransport, "__slots__"), "a transport's class can no longer be changed"


@pytest.mark.anyio
async def test_a_session_is_ours_and_each_request_is_answered_as_chosen() -> None:
    chosen: list[Session | None] = []

    def plain(scope: Scope, session: Session | None) -> bool:
        chosen.append(session)
        return True

    sessions = Sessions(Server("test"), plain, 1000)
    assert sessions.json_response is False
    session = sessions._admit_session(None)
    assert isinstance(session, Session)
    assert session.is_json_response_enabled is False
    token = _plain.set(True)
    assert sessions.json_response is True
    assert session.is_json_response_enabled is True
    _plain.reset(token)
    sessions.end_streams()
    await session.terminate()
    assert chosen == []


def test_a_span_is_made_of_requests_where_someone_records_them() -> None:
    server = Server("test")
    assert [type(one) for one in server.middleware] == [OpenTelemetryMiddleware], "the SDK makes its spans elsewhere"
    without_unrecorded_spans(server, trace.NoOpTracerProvider())
    assert len(server.middleware) == 1
    without_unrecorded_spans(server)
    assert server.middleware == []


def test_nothing_else_reaches_into_the_sdk() -> None:
    """A private name of anything but `self`, and an assignment to a class, stand in that one file."""
    found = [
        f"{path.relative_to(ENTRY)}:{node.lineno} {node.attr}"
        for folder in ("mcp", "http")
        for path in sorted((ENTRY / folder).glob("*.py"))
        if path.name != "sdk_internals.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        and (node.attr == "__class__" or (node.attr.startswith("_") and not node.attr.startswith("__")))
        and not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"))
    ]
    assert found == []
