"""What kind of reply HTTP gives: JSON, unless the client may have to hear something before the result."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp_serving import PATIENCE, serving

pytestmark = pytest.mark.anyio

JSON, STREAM = "application/json", "text/event-stream"
BOTH = {"Accept": f"{JSON}, {STREAM}", "Content-Type": JSON}
SEARCH = {"name": "search_notes", "arguments": {"query": "initialize"}}


class Session:
    """A session of the 2025 era, by hand."""

    def __init__(self, http: httpx2.AsyncClient, url: str) -> None:
        self._http = http
        self._url = url
        self.headers = dict(BOTH)

    async def open(self, capabilities: dict[str, Any]) -> None:
        hello = {"protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": INFO}
        opened = await self.post("initialize", hello)
        self.headers["Mcp-Session-Id"] = opened.headers["mcp-session-id"]
        accepted = await self._http.post(
            self._url, json={"jsonrpc": "2.0", "method": "notifications/initialized"}, headers=self.headers
        )
        assert accepted.status_code == 202

    async def post(self, method: str, params: dict[str, Any]) -> httpx2.Response:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        reply = await self._http.post(self._url, json=message, headers=self.headers)
        assert reply.status_code == 200
        return reply

    async def kind(self, method: str, params: dict[str, Any]) -> str:
        return (await self.post(method, params)).headers["content-type"].partition(";")[0]


INFO = {"name": "test", "version": "1"}


@asynccontextmanager
async def session(home: Path, capabilities: dict[str, Any]) -> AsyncIterator[Session]:
    async with serving(home) as (url, _), httpx2.AsyncClient(timeout=PATIENCE, trust_env=False) as http:
        opened = Session(http, url)
        await opened.open(capabilities)
        yield opened


async def test_a_plain_call_of_2025_is_answered_with_json(home: Path) -> None:
    async with session(home, {}) as client:
        assert await client.kind("tools/list", {}) == JSON
        assert await client.kind("tools/call", SEARCH) == JSON
        assert (await client.post("tools/call", SEARCH)).json()["result"]["isError"] is False


async def test_a_call_with_progress_or_after_asking_for_logs_is_a_stream(home: Path) -> None:
    async with session(home, {}) as client:
        assert await client.kind("tools/call", SEARCH | {"_meta": {"progressToken": 1}}) == STREAM
        assert await client.kind("tools/call", SEARCH) == JSON
        await client.post("logging/setLevel", {"level": "info"})
        assert await client.kind("tools/call", SEARCH) == STREAM


@pytest.mark.parametrize("capability", ["sampling", "elicitation", "roots"])
async def test_calls_of_a_client_that_can_be_asked_are_streams(home: Path, capability: str) -> None:
    async with session(home, {capability: {}}) as client:
        assert [await client.kind("tools/call", SEARCH) for _ in range(2)] == [STREAM, STREAM]


async def test_a_call_of_2026_is_json_until_something_is_reported(home: Path) -> None:
    version = "2026-07-28"
    meta = {
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientCapabilities": {"sampling": {}},
    }
    call = {"name": "import_notes", "arguments": {"text": "# One\n\nText\n"}}
    headers = BOTH | {"MCP-Protocol-Version": version, "Mcp-Method": "tools/call", "Mcp-Name": "import_notes"}
    async with serving(home, toolsets="notes") as (url, _), httpx2.AsyncClient(trust_env=False) as http:
        kinds = []
        for more in ({}, {"progressToken": "p"}):
            message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call | {"_meta": meta | more}}
            reply = await http.post(url, json=message, headers=headers)
            assert reply.status_code == 200, reply.text
            assert '"state":"done"' in reply.text.replace('\\"', '"')
            kinds.append(reply.headers["content-type"].partition(";")[0])
        assert kinds == [JSON, STREAM]


async def test_a_body_over_the_limit_is_refused_and_the_server_goes_on(home: Path) -> None:
    async with serving(home, body_limit=20_000) as (url, _), httpx2.AsyncClient(trust_env=False) as http:
        large = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "x" * 30_000}}
        assert (await http.post(url, json=large, headers=BOTH)).status_code == 413
        opened = Session(http, url)
        await opened.open({})
        assert await opened.kind("tools/list", {}) == JSON


BAD_BODIES = {
    "not JSON": b"hello",
    "a batch": b'[{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}]',
    "a number": b"42",
    "another protocol": b'{"jsonrpc": "1.0", "id": 1, "method": "tools/list"}',
    "deep nesting": b"[" * 100_000 + b"]" * 100_000,
    "not UTF-8": b'{"jsonrpc": "2.0", "id": 1, "method": "\xff"}',
}


async def test_bad_bodies_are_refused_in_both_eras_and_the_server_goes_on(home: Path) -> None:
    async with serving(home) as (url, _), httpx2.AsyncClient(timeout=PATIENCE, trust_env=False) as http:
        opened = Session(http, url)
        await opened.open({})
        modern = BOTH | {"MCP-Protocol-Version": "2026-07-28"}
        for name, body in BAD_BODIES.items():
            for headers in (opened.headers, modern):
                refused = await http.post(url, content=body, headers=headers)
                assert refused.status_code == 400, name
                assert refused.json()["error"]["code"] < -32000, name
        assert await opened.kind("tools/call", SEARCH) == JSON


@pytest.mark.parametrize("id", ["null", "1.5", "true", "{}", "[]"])
async def test_a_request_whose_id_is_none_is_refused_in_both_eras(home: Path, id: str) -> None:
    async with serving(home) as (url, _), httpx2.AsyncClient(timeout=PATIENCE, trust_env=False) as http:
        opened = Session(http, url)
        await opened.open({})
        body = f'{{"jsonrpc": "2.0", "id": {id}, "method": "tools/list"}}'.encode()
        for headers in (opened.headers, BOTH | {"MCP-Protocol-Version": "2026-07-28"}):
            refused = await http.post(url, content=body, headers=headers)
            assert refused.status_code == 400
            assert (refused.json()["id"], refused.json()["error"]["code"]) == (None, -32600)


@pytest.mark.parametrize("body", [b"null", b"[]", b'"text"', b'{"jsonrpc": "2.0", "method": 1}', b"{}", b"", b"{"])
async def test_what_is_no_message_is_refused_in_our_own_words(home: Path, body: bytes) -> None:
    async with serving(home) as (url, _), httpx2.AsyncClient(timeout=PATIENCE, trust_env=False) as http:
        for headers in (BOTH, BOTH | {"MCP-Protocol-Version": "2026-07-28"}):
            refused = await http.post(url, content=body, headers=headers)
            assert (refused.status_code, refused.headers["content-type"]) == (400, JSON)
            assert refused.json()["error"]["code"] in (-32600, -32700)
            assert len(refused.text) < 200
            assert "pydantic" not in refused.text


@pytest.mark.parametrize("kind", ["text/plain", "", "application/x-www-form-urlencoded", "application/jsonx"])
async def test_only_json_is_read_as_a_message(home: Path, kind: str) -> None:
    body = b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}'
    async with serving(home) as (url, _), httpx2.AsyncClient(timeout=PATIENCE, trust_env=False) as http:
        for headers in (BOTH, BOTH | {"MCP-Protocol-Version": "2026-07-28"}):
            refused = await http.post(url, content=body, headers=headers | {"Content-Type": kind})
            assert (refused.status_code, refused.headers["content-type"]) == (415, JSON)
            assert refused.json()["error"]["code"] == -32600


async def test_text_that_is_not_unicode_is_refused(home: Path) -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    broken = "\ud800"
    async with serving(home) as (url, _), httpx2.AsyncClient(timeout=PATIENCE, trust_env=False) as http:
        for method, name, params in (
            ("tools/call", "add_note", {"name": "add_note", "arguments": {"title": broken, "content": "x"}}),
            ("prompts/get", "quick_note", {"name": "quick_note", "arguments": {"thought": broken}}),
            (
                "completion/complete",
                "",
                {"ref": {"type": "ref/prompt", "name": broken}, "argument": {"name": "a", "value": "b"}},
            ),
        ):
            headers = BOTH | {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method}
            if name:
                headers["Mcp-Name"] = name
            message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params | {"_meta": meta}}
            reply = await http.post(url, content=json.dumps(message).encode(), headers=headers)
            answer = reply.json()
            assert "error" in answer or answer["result"]["isError"], method
            assert "ud800" not in reply.text
