"""A stdio server as a process, spoken to line by line."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from mcp_serving import environment

PATIENCE = 30.0
LINE = 64 * 1024 * 1024
INFO = {"name": "test", "version": "1"}


class RawProcess:
    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self._last = 0

    async def send(self, line: bytes | str | dict[str, Any] | list[Any]) -> None:
        """A line as it is, or a message."""
        assert self.process.stdin is not None
        if not isinstance(line, bytes | str):
            line = json.dumps(line)
        self.process.stdin.write((line.encode() if isinstance(line, str) else line) + b"\n")
        await self.process.stdin.drain()

    async def receive(self) -> dict[str, Any]:
        """The next line, which is a message."""
        assert self.process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            line = await self.process.stdout.readline()
        message = json.loads(line)
        assert message["jsonrpc"] == "2.0"
        return dict(message)

    async def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """The answer to a request; notifications before it are passed over."""
        self._last += 1
        await self.send({"jsonrpc": "2.0", "id": self._last, "method": method, "params": params})
        return await self.answer(self._last)

    async def progress(self) -> dict[str, Any]:
        """The next report of progress."""
        while (message := await self.receive())["method"] != "notifications/progress":
            pass
        return dict(message["params"])

    async def answer(self, id: int) -> dict[str, Any]:
        while "method" in (message := await self.receive()):
            pass
        assert message["id"] == id
        return message

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        return await self.ask("tools/call", name=tool, arguments=arguments)

    async def begin(self, tool: str, token: str | None = None, **arguments: Any) -> None:
        """A call whose answer is not waited for."""
        self._last += 1
        params: dict[str, Any] = {"name": tool, "arguments": arguments}
        if token:
            params["_meta"] = {"progressToken": token}
        await self.send({"jsonrpc": "2.0", "id": self._last, "method": "tools/call", "params": params})

    async def initialize(self) -> None:
        answer = await self.ask("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo=INFO)
        assert answer["result"]["protocolVersion"] == "2025-11-25"
        await self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    async def end(self) -> tuple[int, bytes, str]:
        """Closes stdin; exit code, what was left on stdout, and stderr."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self.process.stdin.close()
        async with asyncio.timeout(PATIENCE):
            rest, errors = await asyncio.gather(self.process.stdout.read(), self.process.stderr.read())
            return await self.process.wait(), rest, errors.decode()

    async def stopped_by(self, number: signal.Signals) -> tuple[int, bytes, str]:
        self.process.send_signal(number)
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        async with asyncio.timeout(PATIENCE):
            rest, errors = await asyncio.gather(self.process.stdout.read(), self.process.stderr.read())
            return await self.process.wait(), rest, errors.decode()


@asynccontextmanager
async def raw_process(argv: list[str], *, begun: bool = True) -> AsyncIterator[RawProcess]:
    """A running server; `begun` when the handshake of 2025 has been made."""
    process = await asyncio.create_subprocess_exec(
        *argv,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=environment() | {"PYTHONWARNINGS": "always::ResourceWarning"},
        limit=LINE,
    )
    try:
        raw = RawProcess(process)
        if begun:
            await raw.initialize()
        yield raw
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


def pipe_closed_early(argv: list[str], sent: bytes) -> tuple[int, str]:
    """Runs a server whose stdout nobody reads any more once it has been sent something; exit code and stderr."""
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            argv, input=sent, stdout=write, stderr=subprocess.PIPE, env=environment(), timeout=PATIENCE, check=False
        )
    finally:
        os.close(write)
    return done.returncode, done.stderr.decode()
