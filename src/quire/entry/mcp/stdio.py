"""MCP over stdin and stdout.

The SDK's own transport answers a malformed line with silence and crosses a thread for each line.
This one reads pipes on the event loop, answers every line that is not a message with a JSON-RPC
error, and keeps stdout for the protocol: file descriptor 1 points at stderr while it serves.
"""

from __future__ import annotations

import asyncio
import math
import os
import signal
import stat
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage
from pydantic_core import PydanticSerializationError

from quire.entry.mcp import messages
from quire.entry.mcp.server import McpServer

LINE_LIMIT = 64 * 1024 * 1024
CHUNK = 256 * 1024
LAST_CALLS_SECONDS = 5.0


async def serve(door: McpServer, line_limit: int = LINE_LIMIT, last_calls: float = LAST_CALLS_SECONDS) -> None:
    """Serves one client until it closes its end, or a signal asks to stop.

    Calls that are in hand when the client closes its end have `last_calls` seconds to be answered;
    where stdin is a file nobody has left, and all are.
    """
    source, sink = _claim()
    left = math.inf if stat.S_ISREG(os.fstat(source.fileno()).st_mode) else last_calls
    incoming_send, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, outgoing_receive = anyio.create_memory_object_stream[SessionMessage](0)
    writer = _Writer(sink)
    calls = _Calls()

    async def read() -> None:
        async with incoming_send:
            async for line in _lines(source, line_limit):
                message = _message(line, line_limit)
                if isinstance(message, bytes):
                    await writer.write(message)
                elif message is not None:
                    calls.begin(message)
                    await incoming_send.send(SessionMessage(message))
            with anyio.move_on_after(left):
                await calls.ended()

    async def write() -> None:
        async with outgoing_receive:
            async for sent in outgoing_receive:
                await writer.write(_line(sent.message))
                calls.end(sent.message)

    try:
        async with anyio.create_task_group() as group:
            with sink, _signals(group.cancel_scope):
                group.start_soon(read)
                group.start_soon(write)
                try:
                    await door.server.run(incoming, outgoing, door.server.create_initialization_options())
                finally:
                    with anyio.CancelScope(shield=True):
                        await door.close()
                    group.cancel_scope.cancel()
    except* (BrokenPipeError, ConnectionResetError):
        pass


def _claim() -> tuple[BinaryIO, BinaryIO]:
    """Private copies of stdin and stdout; what is printed by accident goes to stderr."""
    source, sink = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    sys.stdout.flush()
    os.dup2(2, 1)
    return os.fdopen(source, "rb", buffering=0), os.fdopen(sink, "wb", buffering=0)


@contextmanager
def _signals(scope: anyio.CancelScope) -> Iterator[None]:
    """Being asked to stop is a good end: what is in hand is cancelled and the store is closed."""
    loop = asyncio.get_running_loop()
    asked = (signal.SIGTERM, signal.SIGINT)
    for one in asked:
        loop.add_signal_handler(one, scope.cancel)
    try:
        yield
    finally:
        for one in asked:
            loop.remove_signal_handler(one)


class _Calls:
    """The requests that still want an answer; a client that has closed its end may wait for the last ones."""

    def __init__(self) -> None:
        self._open: set[types.RequestId] = set()
        self._none = asyncio.Event()
        self._none.set()

    def begin(self, message: types.JSONRPCMessage) -> None:
        if isinstance(message, types.JSONRPCRequest) and message.method != "subscriptions/listen":
            self._open.add(message.id)
            self._none.clear()
        elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
            self._close((message.params or {}).get("requestId"))

    def end(self, message: types.JSONRPCMessage) -> None:
        if isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
            self._close(message.id)

    async def ended(self) -> None:
        await self._none.wait()

    def _close(self, id: object) -> None:
        if isinstance(id, str | int):
            self._open.discard(id)
        if not self._open:
            self._none.set()


async def _lines(source: BinaryIO, limit: int) -> AsyncIterator[bytes | None]:
    """Whole lines; None for one that is too long."""
    kept: list[bytes] = []
    size = 0
    async for chunk in _chunks(source):
        *ended, rest = chunk.split(b"\n")
        for part in ended:
            yield b"".join([*kept, part]) if size + len(part) <= limit else None
            kept, size = [], 0
        size += len(rest)
        if size <= limit:
            kept.append(rest)
        else:
            kept.clear()
    if size:
        yield b"".join(kept) if size <= limit else None


async def _chunks(source: BinaryIO) -> AsyncIterator[bytes]:
    """From a pipe on the loop; from a file or a terminal on a thread that nobody waits for."""
    loop = asyncio.get_running_loop()
    mode = os.fstat(source.fileno()).st_mode
    if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode):
        reader = asyncio.StreamReader(limit=CHUNK)
        transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), source)
        try:
            while chunk := await reader.read(CHUNK):
                yield chunk
        finally:
            transport.close()
        return
    chunks: asyncio.Queue[bytes] = asyncio.Queue()
    wanted = threading.Semaphore(0)

    def read() -> None:
        chunk = b"begin"
        # Whoever was to hear of it may have left meanwhile, and have closed the input and the loop.
        with suppress(OSError, ValueError, RuntimeError):
            while chunk:
                wanted.acquire()
                chunk = source.read(CHUNK)
                loop.call_soon_threadsafe(chunks.put_nowait, chunk)

    threading.Thread(target=read, name="quire-stdin", daemon=True).start()
    with source:
        while True:
            wanted.release()
            if not (chunk := await chunks.get()):
                return
            yield chunk


class _Writer:
    """Whole lines in order. A full pipe is waited for without holding up the loop."""

    def __init__(self, sink: BinaryIO) -> None:
        self._sink = sink
        self._lock = asyncio.Lock()
        mode = os.fstat(sink.fileno()).st_mode
        if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode):
            os.set_blocking(sink.fileno(), False)

    async def write(self, line: bytes) -> None:
        async with self._lock:
            view = memoryview(line + b"\n")
            while view:
                try:
                    view = view[os.write(self._sink.fileno(), view) :]
                except BlockingIOError:
                    await anyio.wait_writable(self._sink.fileno())


def _message(line: bytes | None, limit: int) -> types.JSONRPCMessage | bytes | None:
    """A message, or the error to answer instead; None for what wants neither: blank lines, bad notifications."""
    if line is None:
        return messages.error(None, types.INVALID_REQUEST, f"A message may be at most {limit} bytes long.")
    return messages.read(line) if line.strip() else None


def _line(message: types.JSONRPCMessage) -> bytes:
    try:
        return message.model_dump_json(by_alias=True, exclude_unset=True).encode()
    except PydanticSerializationError:
        id = getattr(message, "id", None)
        return messages.error(id, types.INTERNAL_ERROR, "The answer is not valid Unicode text.")
