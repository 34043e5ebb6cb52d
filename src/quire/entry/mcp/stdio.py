"""MCP over stdin and stdout.

The SDK's own transport answers a malformed line with silence and crosses a thread for each line.
This one reads pipes on the event loop, answers every line that is not a message with a JSON-RPC
error, and keeps stdout for the protocol: file descriptor 1 points at stderr while it serves.
"""

from __future__ import annotations

import asyncio
import json
import os
import stat
import sys
from collections.abc import AsyncIterator
from typing import Any, BinaryIO

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from quire.entry.mcp.server import McpServer

LINE_LIMIT = 64 * 1024 * 1024


async def serve(door: McpServer) -> None:
    """Serves one client until it closes its end."""
    source, sink = _claim()
    incoming_send, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, outgoing_receive = anyio.create_memory_object_stream[SessionMessage](0)
    writer = _Writer(sink)

    async def read() -> None:
        async with incoming_send:
            async for line in _lines(source):
                message = _message(line)
                if isinstance(message, bytes):
                    await writer.write(message)
                elif message is not None:
                    await incoming_send.send(SessionMessage(message))

    async def write() -> None:
        async with outgoing_receive:
            async for sent in outgoing_receive:
                await writer.write(sent.message.model_dump_json(by_alias=True, exclude_unset=True).encode())

    try:
        async with anyio.create_task_group() as group:
            group.start_soon(read)
            group.start_soon(write)
            try:
                await door.server.run(incoming, outgoing, door.options())
            finally:
                await door.close()
                await outgoing.aclose()
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


async def _lines(source: BinaryIO) -> AsyncIterator[bytes | None]:
    """Lines from a pipe on the loop, from a file on a thread; None for one that is too long."""
    if stat.S_ISFIFO(os.fstat(source.fileno()).st_mode) or stat.S_ISSOCK(os.fstat(source.fileno()).st_mode):
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(limit=1024 * 1024)
        transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), source)
        chunks: Any = _chunks_of(reader)
    else:
        transport = None
        chunks = _chunks_on_thread(source)
    kept: list[bytes] = []
    size = 0
    try:
        async for chunk in chunks:
            *ended, rest = chunk.split(b"\n")
            for part in ended:
                if size + len(part) <= LINE_LIMIT:
                    yield b"".join([*kept, part])
                else:
                    yield None
                kept, size = [], 0
            size += len(rest)
            if size <= LINE_LIMIT:
                kept.append(rest)
            else:
                kept = []
        if size and size <= LINE_LIMIT:
            yield b"".join(kept)
    finally:
        if transport is not None:
            transport.close()


async def _chunks_of(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    while chunk := await reader.read(256 * 1024):
        yield chunk


async def _chunks_on_thread(source: BinaryIO) -> AsyncIterator[bytes]:
    while chunk := await anyio.to_thread.run_sync(source.read, 256 * 1024, abandon_on_cancel=True):
        yield chunk


class _Writer:
    """Whole lines in order. A full pipe is waited for on a thread, so that the loop goes on."""

    def __init__(self, sink: BinaryIO) -> None:
        self._sink = sink
        self._lock = asyncio.Lock()
        mode = os.fstat(sink.fileno()).st_mode
        self._pipe = stat.S_ISFIFO(mode)
        if self._pipe:
            os.set_blocking(sink.fileno(), False)

    async def write(self, line: bytes) -> None:
        async with self._lock:
            view = memoryview(line + b"\n")
            while view:
                try:
                    view = view[os.write(self._sink.fileno(), view) :]
                except BlockingIOError:
                    await anyio.wait_writable(self._sink.fileno())


def _message(line: bytes | None) -> types.JSONRPCMessage | bytes | None:
    """A message, or the error to answer instead; None for a blank line."""
    if line is None:
        return _error(None, types.INVALID_REQUEST, f"A message may be at most {LINE_LIMIT} bytes long.")
    if not line.strip():
        return None
    try:
        return types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError:
        pass
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return _error(None, types.PARSE_ERROR, "Parse error: the line is not JSON.")
    if isinstance(data, list):
        return _error(None, types.INVALID_REQUEST, "Batches are not supported; send one message a line.")
    id = data.get("id") if isinstance(data, dict) else None
    if isinstance(data, dict) and "id" not in data and "method" in data:
        return None
    known = id if isinstance(id, (str, int)) and not isinstance(id, bool) else None
    if isinstance(known, str) and not known.isprintable():
        known = None
    return _error(known, types.INVALID_REQUEST, "Invalid request: not a JSON-RPC 2.0 message in valid Unicode.")


def _error(id: str | int | None, code: int, message: str) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}).encode()
