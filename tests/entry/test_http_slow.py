"""Clients that send slowly or never, and many that listen: the server gives them only so much."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncGenerator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import h11
import httpx
import pytest
import uvicorn
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Message
from uvicorn.server import ServerState

from quire.domain.sharing import LOCAL_OWNER
from quire.entry.bootstrap import build
from quire.entry.http.answers import Refused, json_answer
from quire.entry.http.app import Server, create_app
from quire.entry.http.callers import Callers
from quire.entry.http.connection import Connection
from quire.entry.http.notebook_pages import Live
from quire.entry.http.revocations import Revocations
from quire.entry.http.safety import Safety
from quire.entry.http.streams import OpenStreams, StreamEvent
from quire.entry.settings import Settings
from serving import served, until

SCOPE = {
    "type": "http",
    "method": "POST",
    "path": "/notes",
    "query_string": b"",
    "headers": [(b"host", b"localhost")],
    "client": ("127.0.0.1", 1),
    "server": ("127.0.0.1", 2),
}


async def answered(home: Path, messages: list[Message], pause: float = 0.0, patience: float = 0.05) -> list[Message]:
    """What is sent to a client from whom these messages come, each after a pause, and then none."""
    sent: list[Message] = []
    coming = iter(messages)

    async def receive() -> Message:
        for message in coming:
            await asyncio.sleep(pause)
            return message
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: Message) -> None:
        sent.append(message)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        request = Request(scope, receive)
        text = (await request.body()).decode()
        listening = asyncio.ensure_future(receive())
        done, _ = await asyncio.wait({listening}, timeout=0.2)
        listening.cancel()
        await PlainTextResponse(f"{text} {len(done)}")(scope, receive, send)

    settings = Settings.model_validate({"home": home, "store": "memory"})
    async with build(settings) as library:
        callers = Callers(library, "")
        ends = Revocations(library)
        safety = Safety(app, settings, callers, ends, {}, lambda scope, error: json_answer(error), patience=patience)
        await safety(dict(SCOPE), receive, send)
    return sent


def part(body: bytes, more: bool) -> Message:
    return {"type": "http.request", "body": body, "more_body": more}


@pytest.mark.anyio
async def test_a_body_that_stops_coming_is_given_up(tmp_path: Path) -> None:
    start, body, *_ = await answered(tmp_path, [part(b"title=", True)])
    assert start["status"] == 408
    told = json.loads(body["body"])
    assert (told["code"], told["retriable"]) == ("timed_out", True)


@pytest.mark.anyio
async def test_a_body_that_comes_in_drops_is_given_up(tmp_path: Path) -> None:
    """Each drop comes in time; all of them do not."""
    drops = [part(b"a", True) for _ in range(1_000)]
    start, *_ = await answered(tmp_path, drops, pause=0.005, patience=0.3)
    assert start["status"] == 408


@pytest.mark.anyio
async def test_a_large_body_may_take_the_time_that_a_slow_line_needs(tmp_path: Path) -> None:
    pieces = [part(b"a" * 500, True) for _ in range(14)] + [part(b"", False)]
    start, *_ = await answered(tmp_path, pieces, pause=0.05, patience=0.5)
    assert start["status"] == 200


@pytest.mark.anyio
async def test_a_client_that_has_sent_all_may_wait_for_its_answer(tmp_path: Path) -> None:
    start, body, *_ = await answered(tmp_path, [part(b"whole", True), part(b" body", False)])
    assert (start["status"], body["body"]) == (200, b"whole body 0")


class Hasty(Connection):
    head_seconds = 0.2


@pytest.mark.anyio
@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: a\r\n", b"WHOLE+GET / HTTP/1.1\r\n"])
async def test_a_connection_without_a_whole_head_is_closed(sent: bytes) -> None:
    """The first request's, or that of a later one."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await PlainTextResponse("fine")(scope, receive, send)

    config = uvicorn.Config(app, http=Hasty, ws="none", log_config=None, lifespan="off")
    config.load()
    state = ServerState()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Hasty(config, state, {}), "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname()[:2])
    if sent.startswith(b"WHOLE+"):
        writer.write(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        assert (await reader.readuntil(b"fine")).startswith(b"HTTP/1.1 200")
    writer.write(sent.removeprefix(b"WHOLE+"))
    async with asyncio.timeout(20):
        assert await reader.read() == b""
    writer.close()
    await writer.wait_closed()
    server.close()
    await server.wait_closed()
    assert state.connections == set()


@pytest.mark.anyio
async def test_a_slow_answer_is_not_cut_by_the_time_for_a_head() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await asyncio.sleep(0.5)
        await PlainTextResponse("late")(scope, receive, send)

    config = uvicorn.Config(app, http=Hasty, ws="none", log_config=None, lifespan="off")
    config.load()
    state = ServerState()
    server = await asyncio.get_running_loop().create_server(lambda: Hasty(config, state, {}), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with httpx.AsyncClient(trust_env=False, timeout=30) as http:
        assert (await http.get(f"http://127.0.0.1:{port}/")).text == "late"
    server.close()
    await server.wait_closed()


def test_one_person_may_have_half_of_all_streams() -> None:
    streams = OpenStreams(4)
    with streams.one_of("ada"), streams.one_of("ada"):
        assert streams.full_for("ada")
        assert not streams.full_for("bob")
        with streams.one_of("bob"), streams.one_of("bob"):
            assert streams.full_for("eve")
    assert not streams.full_for("ada")


def test_two_hundred_streams_of_a_person_and_no_more(tmp_path: Path) -> None:
    with served(tmp_path) as server, server.client() as http, ExitStack() as opened:
        host, port = server.url.removeprefix("http://").split(":")
        raw = [opened.enter_context(socket.create_connection((host, int(port)), timeout=60)) for _ in range(203)]
        for one in raw:
            one.sendall(b"GET /api/note/watch HTTP/1.1\r\nHost: localhost\r\n\r\n")
        answers = [one.recv(65536) for one in raw]
        assert sorted(answer.split()[1] for answer in answers) == [b"200"] * 200 + [b"503"] * 3
        refused = http.get("/api/note/watch")
        assert (refused.status_code, refused.json()["code"]) == (503, "too_many_streams")
        assert refused.headers["retry-after"] == "10"
        assert http.get("/api/note/list").status_code == 200
        opened.close()

        def listens() -> bool:
            with http.stream("GET", "/api/note/watch") as answer:
                return answer.status_code == 200

        until(listens)


@pytest.mark.anyio
async def test_connections_are_counted(tmp_path: Path) -> None:
    settings = Settings.model_validate({"home": tmp_path, "store": "memory"})
    async with build(settings) as library:
        config = Server(create_app(library, settings)).config
        assert (config.limit_concurrency, config.http) == (1000, Connection)


class Narrow(Connection):
    most = 20
    grace = 0.0


async def dripping(port: int, count: int) -> list[asyncio.StreamWriter]:
    """Clients whose bodies come in drops."""
    opened = [await asyncio.open_connection("127.0.0.1", port) for _ in range(count)]
    for _, writer in opened:
        writer.write(b"POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\na")
    return [writer for _, writer in opened]


async def check_others_come_in(narrow: type[Connection], limit: int, count: int) -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await PlainTextResponse(str(len(await Request(scope, receive).body())))(scope, receive, send)

    config = uvicorn.Config(app, http=narrow, ws="none", log_config=None, lifespan="off", limit_concurrency=limit)
    config.load()
    state = ServerState()
    server = await asyncio.get_running_loop().create_server(lambda: narrow(config, state, {}), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    upload = await asyncio.open_connection("127.0.0.1", port)
    upload[1].write(b"POST /file HTTP/1.1\r\nHost: localhost\r\nContent-Length: 200001\r\n\r\n" + b"x" * 200_000)
    while not any(one.conn.their_state is h11.SEND_BODY for one in state.connections):
        await asyncio.sleep(0)
    slow = await dripping(port, count)
    async with httpx.AsyncClient(trust_env=False, timeout=60) as http:
        for _ in range(5):
            answer = await http.post(f"http://127.0.0.1:{port}/", content=b"fine", headers={"Connection": "close"})
            assert (answer.status_code, answer.text) == (200, "4")
    upload[1].write(b"x")
    assert b"200001" in await upload[0].readuntil(b"200001")
    for writer in (upload[1], *slow):
        writer.transport.abort()
    while state.connections:
        await asyncio.sleep(0)
    server.close()
    await server.wait_closed()


@pytest.mark.anyio
async def test_those_who_send_slowly_make_room_for_others() -> None:
    await check_others_come_in(Narrow, 25, 60)


@pytest.mark.anyio
@pytest.mark.long
async def test_a_thousand_slow_clients_turn_nobody_away() -> None:
    await check_others_come_in(Connection, 1000, 1_000)


@pytest.mark.anyio
async def test_an_idle_connection_is_kept_longer_than_clients_keep_it(tmp_path: Path) -> None:
    settings = Settings.model_validate({"home": tmp_path, "store": "memory"})
    async with build(settings) as library:
        kept = Server(create_app(library, settings)).config.timeout_keep_alive
    assert kept > (httpx.Limits().keepalive_expiry or 0)


@pytest.mark.anyio
async def test_of_streams_of_a_notebook_that_begin_at_once_none_slips_in() -> None:
    async def nothing() -> AsyncGenerator[StreamEvent, None]:
        await asyncio.Event().wait()
        yield StreamEvent("item", None)

    async def receive() -> Any:
        await asyncio.Event().wait()

    async def send(message: Any) -> None:
        pass

    streams, closing = OpenStreams(4), asyncio.Event()
    scope = {"type": "http", "quire.actor": LOCAL_OWNER}
    begun = [asyncio.ensure_future(Live(nothing(), streams, closing)(scope, receive, send)) for _ in range(5)]
    refused, _ = await asyncio.wait(begun, timeout=0.1)
    assert [type(one.exception()) for one in refused] == [Refused] * 3
    for one in begun:
        one.cancel()
    await asyncio.gather(*begun, return_exceptions=True)
    assert not streams.full_for(LOCAL_OWNER.id)
