"""A relay before Quire's server that loses, cuts and spoils what passes it, as a network and a busy service do."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from quire.adapters.http_client import HttpClient
from quire.adapters.machine import HmacSigner, SystemClock
from quire.adapters.memory import MemoryFiles
from quire.api.context import Context
from quire.api.library import Library
from quire.api.rates import Rates
from quire.notebooklm.certificates import certificates
from quire.notebooklm.engine.engine import NotebookLmEngine
from quire.notebooklm.engine.profiles import CookieStore, GivenCookies
from quire.notebooklm.replay import BATCH_PATH
from quire.notebooklm.sessions import Sessions, proxy_key, storage_state
from quire.notebooklm.upload import UPLOAD_PATH
from serving import WAIT_SECONDS, Served, served
from through_proxy import proxy_before

# What may happen to a call before the server has it, and so without anything being done.
BEFORE = ("cut before", "429", "401", "403", "400")
# What may happen after the server has done it.
AFTER = ("cut after", "cut inside", "503 after", "garbage after")
NOT_REACHED = ("503 before",)
FAULTS = (*BEFORE, *AFTER, *NOT_REACHED)

# What the two requests of an upload are called here, which have no ids of their own.
UPLOAD_START, UPLOAD_BYTES = "upload start", "upload bytes"

Choose = Callable[[str], str]


class UnrulyRelay:
    """`choose` names what happens to a call of the method with this id; "pass" lets it through."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.choose: Choose = lambda rpc_id: "pass"
        self.seen: list[str] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            body = await self._body(head, reader)
            fault = self._fault(head)
            if fault == "cut before":
                return
            if fault in ("400", "401", "403", "429", "503 before"):
                writer.write(refusal(int(fault[:3])))
            else:
                answer = await self._passed_on(head, body)
                if fault == "cut after":
                    return
                if fault == "cut inside":
                    writer.write(answer[: max(1, len(answer) - 40)])
                elif fault == "503 after":
                    writer.write(refusal(503))
                elif fault == "garbage after":
                    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\nConnection: close\r\n\r\n<html>\n{}")
                else:
                    writer.write(answer)
            await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def _fault(self, head: bytes) -> str:
        line = head.split(b"\r\n", 1)[0].decode()
        if UPLOAD_PATH in line:
            rpc_id = UPLOAD_START if b"command: start" in head.lower() else UPLOAD_BYTES
        elif BATCH_PATH in line:
            rpc_id = line.partition("rpcids=")[2].partition("&")[0].partition(" ")[0]
        else:
            return "pass"
        fault = self.choose(rpc_id)
        self.seen.append(f"{rpc_id} {fault}")
        return fault

    @staticmethod
    async def _body(head: bytes, reader: asyncio.StreamReader) -> bytes:
        for line in head.lower().split(b"\r\n"):
            if line.startswith(b"content-length:"):
                return await reader.readexactly(int(line.partition(b":")[2]))
        if b"transfer-encoding: chunked" not in head.lower():
            return b""
        pieces = b""
        while not pieces.endswith(b"0\r\n\r\n"):
            pieces += await reader.read(65_536)
        return pieces

    async def _passed_on(self, head: bytes, body: bytes) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        try:
            writer.write(head.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n") + body)
            await writer.drain()
            return await reader.read()
        finally:
            writer.close()


def refusal(status: int) -> bytes:
    return f"HTTP/1.1 {status} No\r\nRetry-After: 0\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode()


@contextmanager
def relayed(port: int) -> Iterator[tuple[int, UnrulyRelay]]:
    """The relay on a free port, on an event loop of its own."""
    relay = UnrulyRelay(port)
    ready = threading.Event()
    made: dict[str, Any] = {}

    async def run() -> None:
        server = await asyncio.start_server(relay.serve, "127.0.0.1", 0)
        made.update(loop=asyncio.get_running_loop(), done=asyncio.Event(), port=server.sockets[0].getsockname()[1])
        ready.set()
        async with server:
            await made["done"].wait()

    thread = threading.Thread(target=asyncio.run, args=(run(),))
    thread.start()
    try:
        assert ready.wait(WAIT_SECONDS)
        yield made["port"], relay
    finally:
        made["loop"].call_soon_threadsafe(made["done"].set)
        thread.join(WAIT_SECONDS)
        assert not thread.is_alive()


async def no_rest(seconds: float) -> None:
    """What takes a second elsewhere takes none here."""
    await asyncio.sleep(0)


class Unruly:
    """The engine, the relay between it and the server, and the server's own library."""

    def __init__(self, server: Served, relay: UnrulyRelay, port: int, folder: Path) -> None:
        self.server = server
        self.relay = relay
        self._port = port
        self._folder = folder

    def library(self, store: CookieStore | None = None) -> Library:
        session = Sessions(self.server.library.engine.signer).open()
        clock = SystemClock()
        engine = NotebookLmEngine(
            store or GivenCookies(json.dumps(storage_state(session))),
            HttpClient(f"http://127.0.0.1:{self._port}", str(certificates(self._folder / "tls").authority)),
            clock,
            HmacSigner(b"0" * 32, clock),
            Rates(),
            host="notebook.google.com",
            inbox="Quire inbox",
            browser=_no_browser,
            files=MemoryFiles(),
            sleep=no_rest,
        )
        return Library(engine, Context(local=True))


async def _no_browser() -> bool:
    return False


@contextmanager
def unruly_google(folder: Path, **settings: Any) -> Iterator[Unruly]:
    with served(folder / "google", embedder="none", **settings) as server:
        key = proxy_key(server.library.engine.signer)
        upstream = int(server.url.rpartition(":")[2])
        with relayed(upstream) as (port, relay), proxy_before(f"http://127.0.0.1:{port}", folder, key) as proxy:
            yield Unruly(server, relay, proxy, folder)
