"""Events over HTTP: server-sent events, or a JSON line each, for as long as the client listens."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from pydantic import BaseModel
from pydantic_core import to_json
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope, Send

from quire.api.capability import Capability
from quire.api.context import Report
from quire.domain.errors import QuireError
from quire.entry.http.answers import stopping

KEEP_ALIVE = 15.0
FIRST_WORD = 1.0
LAST_MOMENT = 2.0
ENDS = ("result", "failure")
STILL_HERE = ServerSentEvent(comment="still here", sep="\n")


class OpenStreams:
    """How many streams are open: so many in all, of which one person may have half."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._of: Counter[str] = Counter()

    def full_for(self, person_id: str) -> bool:
        return self._of.total() >= self._most or self._of[person_id] >= self._most // 2

    @contextmanager
    def one_of(self, person_id: str) -> Iterator[None]:
        self._of[person_id] += 1
        try:
            yield
        finally:
            self._of -= Counter([person_id])


class StreamEvent(NamedTuple):
    """One event: `item`, `progress`, `result` or `failure`; `id` is where a watch can go on from."""

    kind: str
    data: Any
    id: str | None = None


class Form(NamedTuple):
    """How events are written."""

    media_type: str
    encode: Callable[[StreamEvent], ServerSentEvent | bytes]
    keeps_alive: bool


def _server_sent(event: StreamEvent) -> ServerSentEvent:
    return ServerSentEvent(to_json(event.data).decode(), event=event.kind, id=event.id, sep="\n")


def _line(event: StreamEvent) -> bytes:
    data = {"error": event.data} if event.kind == "failure" else event.data
    return to_json({"progress": data} if event.kind == "progress" else data) + b"\n"


SERVER_SENT = Form("text/event-stream", _server_sent, True)
LINES = Form("application/x-ndjson", _line, False)


async def events_of(capability: Capability, events: AsyncGenerator[Any, None]) -> AsyncGenerator[StreamEvent, None]:
    """The events of a stream; the last one is its result."""
    try:
        async for event in events:
            ended = capability.declared.ends_with(event)
            data = event.model_dump(mode="json") if isinstance(event, BaseModel) else capability.dump(event)
            mark = getattr(event, "after" if ended else "seq", None)
            yield StreamEvent("result" if ended else "item", data, None if mark is None else str(mark))
    finally:
        await events.aclose()


async def with_progress(
    capability: Capability, call: Callable[[Report], Awaitable[Any]]
) -> AsyncGenerator[StreamEvent, None]:
    """A call as a stream: how far it is, then its result."""
    heard: asyncio.Queue[StreamEvent | None] = asyncio.Queue()

    async def report(done: float, total: float | None, message: str) -> None:
        heard.put_nowait(StreamEvent("progress", {"done": done, "total": total, "message": message}))

    task = asyncio.ensure_future(call(report))
    task.add_done_callback(lambda _: heard.put_nowait(None))
    try:
        while (event := await heard.get()) is not None:
            yield event
        yield StreamEvent("result", capability.dump(await task))
    finally:
        task.cancel()
        await asyncio.wait({task})


async def send_events(
    events: AsyncGenerator[StreamEvent, None],
    form: Form,
    scope: Scope,
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
    pending, stops = asyncio.ensure_future(anext(events)), asyncio.ensure_future(closing.wait())

    async def written() -> AsyncIterator[ServerSentEvent | bytes]:
        nonlocal pending
        if form.keeps_alive:
            yield STILL_HERE
        last = False
        while not last:
            await asyncio.wait({pending, stops}, return_when=asyncio.FIRST_COMPLETED)
            try:
                event = pending.result() if pending.done() else StreamEvent("failure", stopping().body())
            except StopAsyncIteration:
                return
            except QuireError as error:
                event = StreamEvent("failure", error.body())
            last = event.kind in ENDS
            if not last:
                pending = asyncio.ensure_future(anext(events))
            yield form.encode(event)

    try:
        await asyncio.wait({pending, stops}, timeout=first_word, return_when=asyncio.FIRST_COMPLETED)
        if pending.done() and isinstance(pending.exception(), QuireError):
            pending.result()
        response = EventSourceResponse(
            written(),
            media_type=form.media_type,
            ping=keep_alive if form.keeps_alive else 0,
            ping_message_factory=lambda: STILL_HERE,
            # It sees a signal to uvicorn by itself; `closing` comes a moment later, and says why.
            shutdown_grace_period=LAST_MOMENT,
        )
        await response(scope, receive, send)
    finally:
        for task in (pending, stops):
            task.cancel()
        await asyncio.gather(pending, stops, return_exceptions=True)
        await events.aclose()


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
