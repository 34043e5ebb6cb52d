"""What waits for a client ends when the client leaves, through whichever door it came."""

from __future__ import annotations

import json
import logging
import socket
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from quire.entry.mcp import http_door
from serving import Served, served, until

# The era in which leaving ends a call; in the one before, a call goes on until it is cancelled by name.
ERA = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": ERA,
    "io.modelcontextprotocol/clientInfo": {"name": "leaver", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
MCP = {
    "Host": "localhost",
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
    "MCP-Protocol-Version": ERA,
    "Mcp-Method": "tools/call",
    "Mcp-Name": "wait_for_job",
}
TEXT = b"Something to read"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Nothing works on jobs here, so whoever waits for one waits until they leave."""
    home = tmp_path_factory.mktemp("left")
    with served(home, http_door, workers=0, toolsets="notebooks,jobs", embedder="none") as running:
        yield running


def waiting(http: httpx.Client, door: str) -> tuple[str, bytes]:
    """A request that waits for a job, and the tool that does."""
    job = http.post("/api/note/import?wait=false", content="# Later").json()["id"]
    notebook = http.post("/api/notebook/create", json={"title": "Left"}).json()["id"]
    if door == "upload":
        path = f"/api/source/upload?notebook_id={notebook}&name=a.txt&wait=true"
        head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(TEXT)}\r\n\r\n"
        return "upload_source", head.encode() + TEXT
    if door == "mcp":
        params = {"name": "wait_for_job", "arguments": {"job_id": job}, "_meta": META}
        call = json.dumps({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}).encode()
        lines = [f"{name}: {value}" for name, value in (MCP | {"Content-Length": str(len(call))}).items()]
        return "wait_for_job", "\r\n".join(["POST /mcp HTTP/1.1", *lines]).encode() + b"\r\n\r\n" + call
    accept = {"json": "application/json", "events": "text/event-stream", "lines": "application/x-ndjson"}[door]
    head = f"GET /api/job/wait?job_id={job} HTTP/1.1\r\nHost: localhost\r\nAccept: {accept}\r\n\r\n"
    return "wait_for_job", head.encode()


@pytest.mark.parametrize("door", ["json", "events", "lines", "upload", "mcp"])
def test_what_waits_ends_when_the_client_leaves(server: Served, door: str, caplog: pytest.LogCaptureFixture) -> None:
    hub: Any = server.library.engine.events
    with caplog.at_level(logging.INFO, "quire.calls"), server.client() as http:
        tool, request = waiting(http, door)
        begun = len(hub._waiters)
        address = httpx.URL(server.url)
        with socket.create_connection((address.host, address.port or 80), timeout=30) as raw:
            raw.sendall(request)
            until(lambda: len(hub._waiters) > begun)
        until(lambda: outcomes(caplog, tool))
        until(lambda: len(hub._waiters) <= begun)
    assert outcomes(caplog, tool) == ["cancelled"]


def outcomes(caplog: pytest.LogCaptureFixture, tool: str) -> list[str]:
    return [vars(one)["outcome"] for one in caplog.records if vars(one).get("tool") == tool]
