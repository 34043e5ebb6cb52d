"""Python cells, by ipykernel over sockets in a folder: there is no network where it runs."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import secrets
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from quire.adapters.cells.messages import (
    MOST_MESSAGE,
    TOO_MUCH,
    UNREADABLE,
    Unreadable,
    jupyter_output,
    parsed,
    understood,
)
from quire.adapters.cells.sandbox import GIB, READY_SECONDS, UNHEEDED, WORK, Sandbox, interpreter
from quire.adapters.cells.stopping import OBEY_SECONDS, Stopping
from quire.adapters.cells.zmtp import Channel
from quire.domain.cells import Output
from quire.domain.errors import Upstream
from quire.ports.cells import Cleared, Ended, Ending, Updated, Work

KERNEL_MAIN = Path(__file__).with_name("kernel_main.py")
PORTS = ("shell_port", "iopub_port", "stdin_port", "control_port", "hb_port")
# Outputs first: they are what a reply is about.
CHANNELS = {"iopub": (2, "SUB"), "shell": (1, "DEALER"), "control": (4, "DEALER")}
BEFORE = b"<IDS|MSG>"
ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": WORK,
    "IPYTHONDIR": f"{WORK}/.ipython",
    "MPLCONFIGDIR": f"{WORK}/.matplotlib",
    "TMPDIR": "/tmp",  # noqa: S108
    "LANG": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYDEVD_DISABLE_FILE_VALIDATION": "1",
    "JUPYTER_PLATFORM_DIRS": "1",
    # A thread's arena reserves 64 MB of address space, which counts against the limit.
    "MALLOC_ARENA_MAX": "2",
    "OMP_NUM_THREADS": "2",
    "OPENBLAS_NUM_THREADS": "2",
}


@dataclass(frozen=True)
class Said:
    """A message: what it answers, and what it tells."""

    parent: str | None
    output: Output | Updated | Cleared | None
    idle: bool
    ok: bool
    count: int | None


class PythonKernel:
    """Speaks with a kernel on three channels, and reads no further ahead than one message on each."""

    def __init__(self, sandbox: Sandbox, key: str) -> None:
        self._sandbox = sandbox
        self._key = key.encode()
        self._session = secrets.token_hex(16)
        self._channels: dict[str, Channel] = {}
        self._reads: dict[str, asyncio.Task[list[bytes] | None]] = {}
        self._running = False
        self._stopping = Stopping()

    @classmethod
    async def start(cls, sandbox: type[Sandbox], hidden: Sequence[Path]) -> PythonKernel:
        key = secrets.token_hex(32)
        connection = {
            "transport": "ipc",
            "ip": "{shared}/k",
            "key": key,
            "signature_scheme": "hmac-sha256",
            **{name: number for number, name in enumerate(PORTS, 1)},
        }
        argv = [
            sys.executable, "{shared}/kernel_main.py", "-f", "{shared}/connection.json",
            "--InteractiveShell.colors=nocolor", "--HistoryManager.enabled=False",
        ]  # fmt: skip
        files = {"connection.json": json.dumps(connection), "kernel_main.py": KERNEL_MAIN.read_text(encoding="utf-8")}
        box = await sandbox.start(argv, ENVIRONMENT, files, interpreter(), hidden, {"RLIMIT_AS": 4 * GIB})
        made = cls(box, key)
        ready = False
        try:
            async with asyncio.timeout(READY_SECONDS):
                await made._connect()
                await box.seal()
            ready = True
        except TimeoutError:
            raise Upstream("The Python kernel did not start in time.") from None
        except (ConnectionError, asyncio.IncompleteReadError):
            raise Upstream("The Python kernel ended before it began.") from None
        finally:
            if not ready:
                await asyncio.shield(made.stop())
        return made

    @property
    def alive(self) -> bool:
        return self._sandbox.alive

    async def run(self, work: Work) -> AsyncIterator[Output | Updated | Cleared | Ended]:
        self._running, self._stopping = True, (stopping := Stopping())
        until = asyncio.get_running_loop().time() + work.timeout
        reply: Said | None = None
        told = ""
        order = {"code": work.source, "silent": False, "store_history": True, "user_expressions": {}}
        request = self._ask("shell", "execute_request", {**order, "allow_stdin": False, "stop_on_error": False})
        try:
            while True:
                try:
                    async with stopping.patience(until):
                        channel, message = await self._next()
                except TimeoutError:
                    if reply is not None:
                        break
                    if stopping.begun:
                        await self.stop()
                        yield self._ended("died", None, UNHEEDED)
                        return
                    self._tell_to_stop("timed_out")
                    continue
                except Unreadable as error:
                    told = str(error)
                    continue
                except (ConnectionError, asyncio.IncompleteReadError):
                    await self.stop()
                    yield self._ended("died", None, self._sandbox.last_word())
                    return
                if message.parent != request:
                    continue
                if channel == "shell":
                    # All that it put out is on its way; how it ended may come first.
                    reply = message
                    stopping.begin(None)
                elif message.output is not None:
                    yield message.output
                elif message.idle:
                    break
            reply = reply or await self._reply(request, OBEY_SECONDS)
            if stopping.why and self._sandbox.processes() > 1:
                # What it started and left running would go on without end.
                await self.stop()
                yield self._ended("died", None, "It was stopped with all that it had started, its kernel included.")
                return
            if stopping.why == "timed_out":
                told = f"It took longer than {work.timeout:g} seconds."
            ok = reply is not None and reply.ok and told != UNREADABLE
            yield self._ended("ok" if ok else "failed", reply.count if reply else None, told)
        finally:
            self._running = False

    async def interrupt(self) -> None:
        """Stops the run, which sees to it that it is heeded; one that nobody reads any more is waited for here."""
        if not self.alive:
            return
        self._tell_to_stop("interrupted")
        if not self._running and await self._reply(self._ask("shell", "kernel_info_request"), OBEY_SECONDS) is None:
            await self.stop()

    async def stop(self) -> None:
        await self._sandbox.stop()
        for channel in self._channels.values():
            channel.close()
        if not self._running:
            for read in self._reads.values():
                read.cancel()
            await asyncio.gather(*self._reads.values(), return_exceptions=True)

    def _ended(self, status: Ending, count: int | None, message: str) -> Ended:
        return Ended(status if status == "ok" else self._stopping.why or status, count, message)

    def _tell_to_stop(self, why: Ending) -> None:
        self._ask("control", "interrupt_request")
        self._stopping.begin(why)

    def _ask(self, channel: str, kind: str, content: Mapping[str, Any] = {}) -> str:
        """Sends a request, and returns its id."""
        id = secrets.token_hex(16)
        date = datetime.now(UTC).isoformat()
        header = {"msg_id": id, "session": self._session, "username": "quire", "date": date, "msg_type": kind}
        parts = [json.dumps(part).encode() for part in (header | {"version": "5.3"}, {}, {}, content)]
        signature = hmac.new(self._key, b"".join(parts), hashlib.sha256).hexdigest().encode()
        self._channels[channel].send([BEFORE, signature, *parts])
        return id

    async def _next(self) -> tuple[str, Said]:
        """The next message of any channel, outputs first. What was not finished when we are cancelled goes on."""
        for name, channel in self._channels.items():
            if name not in self._reads:
                self._reads[name] = asyncio.create_task(channel.receive())
        await asyncio.wait(self._reads.values(), return_when=asyncio.FIRST_COMPLETED)
        name = next(name for name, read in self._reads.items() if read.done())
        frames = self._reads.pop(name).result()
        if frames is None:
            raise Unreadable(TOO_MUCH)
        message = await understood(sum(map(len, frames)), lambda: said(frames))
        return name, message

    async def _reply(self, request: str, seconds: float) -> Said | None:
        """The answer to a request, if it comes in time; what comes besides is dropped."""
        with suppress(TimeoutError, ConnectionError, asyncio.IncompleteReadError):
            async with asyncio.timeout(seconds):
                while True:
                    with suppress(Unreadable):
                        channel, message = await self._next()
                        if channel == "shell" and message.parent == request:
                            return message
        return None

    async def _connect(self) -> None:
        """Until the kernel answers on the one channel and is heard on the other."""
        for name, (port, kind) in CHANNELS.items():
            while name not in self._channels:
                try:
                    self._channels[name] = await Channel.connect(self._sandbox.shared / f"k-{port}", kind, MOST_MESSAGE)
                except (FileNotFoundError, ConnectionRefusedError):
                    if not self.alive:
                        raise
                    await asyncio.sleep(0.02)
        while True:
            request = self._ask("shell", "kernel_info_request")
            missing = {"shell", "iopub"}
            with suppress(TimeoutError, Unreadable):
                async with asyncio.timeout(1.0):
                    while missing:
                        channel, message = await self._next()
                        if message.parent == request:
                            missing.discard(channel)
                    return


def said(frames: list[bytes]) -> Said:
    """A message of Jupyter's, as far as it matters here."""
    start = frames.index(BEFORE) + 2
    header, parent, _, content = map(parsed, frames[start : start + 4])
    kind = header["msg_type"]
    return Said(
        parent=parent.get("msg_id"),
        output=jupyter_output(kind, content),
        idle=kind == "status" and content["execution_state"] == "idle",
        ok=content.get("status") == "ok",
        count=number(content.get("execution_count")),
    )


def number(value: object) -> int | None:
    return value if isinstance(value, int) and 0 <= value < 2**53 else None
