"""Events over HTTP: server-sent events, or a JSON line each, for as long as the client listens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any, NamedTuple

from pydantic import BaseModel
from pydantic_core import to_json
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Send

from quire.api.capability import Capability
from quire.api.context import Report
from quire.domain.errors import QuireError
from quire.entry.http.answers import stopping

KEEP_ALIVE = 15.0
FIRST_WORD = 1.0
LAST_MOMENT = 2.0
ENDS = ("result", "failure")


class Told(NamedTuple):
    """One event: `item`, `progress`, `result` or `failure`; `id` is where a watch can go on from."""

    kind: str
    data: Any
    id: str | None = None


class Form(NamedTuple):
    """How events are written."""

    media_type: str
    encode: Callable[[Told], bytes]
    keep_alive: bytes


def _server_sent(told: Told) -> bytes:
    mark = f"id: {told.id}\n" if told.id is not None else ""
    return f"event: {told.kind}\n{mark}data: ".encode() + to_json(told.data) + b"\n\n"


def _line(told: Told) -> bytes:
    data = {"error": told.data} if told.kind == "failure" else told.data
    return to_json({"progress": data} if told.kind == "progress" else data) + b"\n"


SERVER_SENT = Form("text/event-stream", _server_sent, b": still here\n\n")
LINES = Form("application/x-ndjson", _line, b"")


async def told_by(capability: Capability, events: AsyncGenerator[Any, None]) -> AsyncGenerator[Told, None]:
    """The events of a stream; the last one is its result."""
    try:
        async for event in events:
            ended = capability.declared.ends_with(event)
            data = event.model_dump(mode="json") if isinstance(event, BaseModel) else capability.dump(event)
            mark = getattr(event, "after" if ended else "seq", None)
            yield Told("result" if ended else "item", data, None if mark is None else str(mark))
    finally:
        await events.aclose()


async def with_progress(capability: Capability, call: Callable[[Report], Awaitable[Any]]) -> AsyncGenerator[Told, None]:
    """A call as a stream: how far it is, then its result."""
    heard: asyncio.Queue[Told | None] = asyncio.Queue()

    async def report(done: float, total: float | None, message: str) -> None:
        heard.put_nowait(Told("progress", {"done": done, "total": total, "message": message}))

    task = asyncio.ensure_future(call(report))
    task.add_done_callback(lambda _: heard.put_nowait(None))
    try:
        while (told := await heard.get()) is not None:
            yield told
        yield Told("result", capability.dump(await task))
    finally:
        task.cancel()
        await asyncio.wait({task})


async def send_events(
    events: AsyncGenerator[Told, None],
    form: Form,
    receive: Receive,
    send: Send,
    closing: asyncio.Event,
    *,
    keep_alive: float = KEEP_ALIVE,
    first_word: float = FIRST_WORD,
) -> None:
    """Sends events until they end, the client leaves or the server closes; then the stream is closed too.

    An error that comes before anything else still has its own status, so the answer begins with the first
    event, or after a moment without one.
    """
    pending = asyncio.ensure_future(anext(events))
    left, stops = asyncio.ensure_future(gone(receive)), asyncio.ensure_future(closing.wait())
    ended = (left, stops)
    try:
        await asyncio.wait({pending, *ended}, timeout=first_word, return_when=asyncio.FIRST_COMPLETED)
        if pending.done() and isinstance(pending.exception(), QuireError):
            pending.result()
        await send(
            {
                "type": "http.response.start",
                "status": 200,
                "headers": [
                    (b"content-type", f"{form.media_type}; charset=utf-8".encode()),
                    (b"cache-control", b"no-store"),
                    (b"x-accel-buffering", b"no"),
                ],
            }
        )
        await send({"type": "http.response.body", "body": form.keep_alive, "more_body": True})
        last = False
        while not last:
            await asyncio.wait({pending, *ended}, timeout=keep_alive, return_when=asyncio.FIRST_COMPLETED)
            if left.done():
                break
            body = form.keep_alive
            if pending.done():
                try:
                    told = pending.result()
                except StopAsyncIteration:
                    break
                except QuireError as error:
                    told = Told("failure", error.body())
                pending = asyncio.ensure_future(anext(events))
                body, last = form.encode(told), told.kind in ENDS
            elif stops.done():
                body, last = form.encode(Told("failure", stopping().body())), True
            await _more(send, body)
        await send({"type": "http.response.body", "body": b"", "more_body": False})
    finally:
        for task in (pending, *ended):
            task.cancel()
        await asyncio.gather(pending, *ended, return_exceptions=True)
        await events.aclose()


async def _more(send: Send, body: bytes) -> None:
    if body:
        await send({"type": "http.response.body", "body": body, "more_body": True})


async def while_there(
    receive: Receive, work: Awaitable[Any], closing: asyncio.Event, *, last_moment: float = LAST_MOMENT
) -> Any:
    """The result of long work, which is cancelled when nobody waits for it any more, or the server cannot."""
    task = asyncio.ensure_future(work)
    left, stops = asyncio.ensure_future(gone(receive)), asyncio.ensure_future(closing.wait())
    try:
        await asyncio.wait({task, left, stops}, return_when=asyncio.FIRST_COMPLETED)
        if stops.done():
            await asyncio.wait({task, left}, timeout=last_moment, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        raise ClientDisconnect if left.done() else stopping()
    finally:
        for one in (task, left, stops):
            one.cancel()
        await asyncio.gather(task, left, stops, return_exceptions=True)


async def gone(receive: Receive) -> None:
    """Returns when the client has left."""
    while (await receive())["type"] != "http.disconnect":
        pass
