"""Python cells, by ipykernel over sockets in a folder: there is no network where it runs."""

from __future__ import annotations

import asyncio
import json
import secrets
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from queue import Empty
from typing import Any

import zmq.asyncio
from jupyter_client.asynchronous.client import AsyncKernelClient

from quire.adapters.cells.sandbox import GIB, READY_SECONDS, WORK, Sandbox, interpreter
from quire.domain.cells import Output
from quire.domain.errors import Upstream
from quire.ports.cells import Ended, Ending, Work

KERNEL_MAIN = Path(__file__).with_name("kernel_main.py")
PORTS = ("shell_port", "iopub_port", "stdin_port", "control_port", "hb_port")
MOST_MESSAGE = 16 * 1024 * 1024
LOOK_EVERY = 0.5
OBEY_SECONDS = 4.0
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


class PythonKernel:
    def __init__(self, sandbox: Sandbox, client: AsyncKernelClient, context: zmq.asyncio.Context) -> None:
        self._sandbox = sandbox
        self._client = client
        self._context = context
        self._stopping: Ending | None = None
        self._deaf = False
        self._stopped = False
        self._idle = asyncio.Event()
        self._idle.set()

    @classmethod
    async def start(cls, sandbox: type[Sandbox], hidden: Sequence[Path]) -> PythonKernel:
        key = secrets.token_hex(32)
        connection: dict[str, Any] = {
            "transport": "ipc",
            "key": key,
            "signature_scheme": "hmac-sha256",
            **{name: number for number, name in enumerate(PORTS, 1)},
        }
        argv = [
            sys.executable, "{shared}/kernel_main.py", "-f", "{shared}/connection.json",
            "--InteractiveShell.colors=nocolor", "--HistoryManager.enabled=False",
        ]  # fmt: skip
        box = await sandbox.start(
            argv,
            ENVIRONMENT,
            {
                "connection.json": json.dumps(connection | {"ip": "{shared}/k"}),
                "kernel_main.py": KERNEL_MAIN.read_text(),
            },
            interpreter(),
            hidden,
            {"RLIMIT_AS": 4 * GIB},
        )
        context = zmq.asyncio.Context()
        context.linger = 0
        # What a cell sends in one piece is held in memory before anyone can refuse it.
        context.maxmsgsize = MOST_MESSAGE
        client = AsyncKernelClient(context=context)
        client.load_connection_info(connection | {"ip": str(box.shared / "k")})  # type: ignore[arg-type]
        made = cls(box, client, context)
        ready = False
        try:
            client.start_channels(hb=False, stdin=False)
            async with asyncio.timeout(READY_SECONDS):
                await made._ready()
            await box.seal()
            ready = True
        except TimeoutError:
            raise Upstream("The Python kernel did not start in time.") from None
        finally:
            if not ready:
                await asyncio.shield(made.stop())
        return made

    @property
    def alive(self) -> bool:
        return self._sandbox.alive

    async def run(self, work: Work) -> AsyncIterator[Output | Ended]:
        self._stopping = None
        if self._deaf and not await self._heard_again():
            yield Ended("died", None, "The kernel could not be heard any more; its state is gone.")
            return
        self._idle.clear()
        loop = asyncio.get_running_loop()
        until = loop.time() + work.timeout
        killed_at = None
        quiet_until = 0.0
        request = self._client.execute(work.source, allow_stdin=False, stop_on_error=False)
        reply: dict[str, Any] | None = None
        try:
            while True:
                late = until if killed_at is None else killed_at
                message = await self._message(late if reply is None else loop.time() + LOOK_EVERY)
                if message is not None:
                    if message.get("parent_header", {}).get("msg_id") != request:
                        continue
                    kind, content = message["msg_type"], message["content"]
                    if kind == "status" and content["execution_state"] == "idle":
                        break
                    output = output_of(kind, content)
                    if output is not None:
                        yield output
                    continue
                if not self.alive:
                    yield self._ended("died", None, "The kernel died; its state is gone.")
                    return
                if reply is None:
                    reply = await self._reply(request, 0)
                    quiet_until = loop.time() + OBEY_SECONDS
                if reply is not None and loop.time() >= quiet_until:
                    # A message that is too large ends the connection that it came by, and what follows it is lost.
                    self._deaf = True
                    break
                if reply is not None:
                    continue
                if killed_at is not None and loop.time() >= killed_at:
                    await self.stop()
                    yield self._ended("died", None, "It did not stop when told, so its kernel was ended.")
                    return
                if killed_at is None and (loop.time() >= until or self._stopping):
                    if self._stopping is None:
                        self._stopping = "timed_out"
                        self._tell_to_stop()
                    killed_at = loop.time() + OBEY_SECONDS
            reply = reply or await self._reply(request, OBEY_SECONDS)
            content = reply["content"] if reply else {}
            ok = content.get("status") == "ok"
            if self._stopping and self._sandbox.processes() > 1:
                # What it started and left running would go on without end.
                await self.stop()
                yield self._ended("died", None, "It was stopped with all that it had started, its kernel included.")
                return
            told = f"It took longer than {work.timeout:g} seconds." if self._stopping == "timed_out" else ""
            if self._deaf:
                told = "It put out more at once than can be taken in; that is lost."
            yield self._ended("ok" if ok else "failed", content.get("execution_count"), told)
        finally:
            self._idle.set()
            if self._stopped:
                self._close()

    async def interrupt(self) -> None:
        """Stops the run, which sees to it that it is heeded; one that nobody reads any more is waited for here."""
        if self._stopped:
            return
        self._stopping = self._stopping or "interrupted"
        self._tell_to_stop()
        if not self._idle.is_set():
            return
        request = self._client.kernel_info()
        if await self._reply(request, OBEY_SECONDS) is None:
            await self.stop()

    async def stop(self) -> None:
        """Ends the kernel. Its sockets go last: a run that is going on sees its end, and closes them itself."""
        self._stopped = True
        await self._sandbox.stop()
        if self._idle.is_set():
            self._close()

    def _close(self) -> None:
        self._client.stop_channels()
        self._context.destroy(linger=0)

    def _ended(self, status: Ending, count: int | None, message: str) -> Ended:
        if self._stopping and status != "ok":
            status = self._stopping
        return Ended(status, count, message)

    def _tell_to_stop(self) -> None:
        request = self._client.session.msg("interrupt_request", {})
        self._client.control_channel.send(request)

    async def _heard_again(self) -> bool:
        try:
            async with asyncio.timeout(OBEY_SECONDS * 2):
                await self._ready()
        except (TimeoutError, Upstream):
            await self.stop()
            return False
        self._deaf = False
        return True

    async def _message(self, until: float) -> dict[str, Any] | None:
        left = max(0.0, min(LOOK_EVERY, until - asyncio.get_running_loop().time()))
        return await self._got(self._client.get_iopub_msg, left)

    async def _reply(self, request: str, seconds: float) -> dict[str, Any] | None:
        until = asyncio.get_running_loop().time() + seconds
        while True:
            left = max(0.0, until - asyncio.get_running_loop().time())
            reply = await self._got(self._client.get_shell_msg, left)
            if reply is None or reply.get("parent_header", {}).get("msg_id") == request:
                return reply

    async def _got(self, get: Any, seconds: float) -> dict[str, Any] | None:
        """A message, if one comes; what is not signed or not readable counts as none."""
        try:
            message: dict[str, Any] = await get(timeout=seconds)
        except (Empty, ValueError, KeyError, TypeError):
            return None
        return message

    async def _ready(self) -> None:
        """The kernel answers on the one channel and is heard on the other."""
        while True:
            request = self._client.kernel_info()
            if await self._reply(request, 1.0) is not None:
                while (message := await self._got(self._client.get_iopub_msg, 0.2)) is not None:
                    if message.get("parent_header", {}).get("msg_id") == request:
                        return
            if not self.alive:
                raise Upstream("The Python kernel ended before it began.")


def output_of(kind: str, content: Mapping[str, Any]) -> Output | None:
    """What a kernel's message puts out, if it does."""
    if kind == "stream":
        return Output(kind="stream", name=str(content["name"]), text=str(content["text"]))
    if kind == "error":
        return Output(
            kind="error",
            error_name=str(content["ename"]),
            error_value=str(content["evalue"]),
            traceback=[str(line) for line in content["traceback"]],
        )
    if kind == "execute_result":
        data, metadata = dict(content["data"]), dict(content["metadata"])
        return Output(kind="result", data=data, metadata=metadata, execution_count=content.get("execution_count"))
    if kind in ("display_data", "update_display_data"):
        return Output(kind="display", data=dict(content["data"]), metadata=dict(content["metadata"]))
    return None
