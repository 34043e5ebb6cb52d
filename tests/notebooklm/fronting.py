"""A real server with a real front before it, both on free loopback ports, and clients that come in through it."""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from quire.entry.bootstrap import make_signer
from quire.entry.settings import Settings
from quire.notebooklm.authority import certificates
from quire.notebooklm.envelope import Reply, call_body, reply_to
from quire.notebooklm.front import Front
from quire.notebooklm.front import run as run_front
from quire.notebooklm.methods import BY_NAME
from quire.notebooklm.replay import BATCH_PATH
from quire.notebooklm.sessions import Sessions, cookie_values, front_key
from serving import WAIT_SECONDS, Served, served

APP = "https://notebooklm.google.com"


@dataclass
class Fronted:
    """`port` is the front's."""

    server: Served
    port: int
    home: Path
    clients: ExitStack

    @property
    def sessions(self) -> Sessions:
        return Sessions(self.server.library.engine.signer)

    @property
    def authority(self) -> Path:
        return certificates(self.home / "tls").authority

    def client(self, *, session: str | None = "", **options: Any) -> httpx.Client:
        """A client that is signed in; with `session=None` one that is not."""
        cookies = None if session is None else cookie_values(session or self.sessions.open())
        made = httpx.Client(
            proxy=f"http://127.0.0.1:{self.port}",
            verify=ssl.create_default_context(cafile=str(self.authority)),
            trust_env=False,
            timeout=WAIT_SECONDS,
            cookies=cookies,
            **options,
        )
        self.clients.callback(made.close)
        return made

    def speaker(self) -> Speaker:
        return Speaker(self)


class Speaker:
    """Calls methods as a client of NotebookLM does."""

    def __init__(self, fronted: Fronted) -> None:
        self.session = fronted.sessions.open()
        self.token = fronted.sessions.token(self.session)
        self.http = fronted.client(session=self.session, base_url=APP)

    def post(self, rpc_id: str, params: Any, page: str = "/", token: str | None = None) -> httpx.Response:
        query = {"rpcids": rpc_id, "source-path": page, "rt": "c"}
        body = call_body(rpc_id, params, self.token if token is None else token)
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        return self.http.post(BATCH_PATH, params=query, content=body, headers=headers)

    def reply(self, name: str, page: str = "/", **names: Any) -> Reply:
        method = BY_NAME[name]
        response = self.post(method.id, method.encode_request(names), page)
        assert response.status_code == 200, response.text
        return reply_to(method.id, response.text)

    def call(self, name: str, page: str = "/", **names: Any) -> Any:
        reply = self.reply(name, page, **names)
        assert reply.status is None, reply.status
        return BY_NAME[name].decode_response(reply.result)

    def status(self, name: str, page: str = "/", **names: Any) -> int:
        reply = self.reply(name, page, **names)
        assert reply.result is None
        assert reply.status is not None
        return reply.status.code


@contextmanager
def front_before(url: str, home: Path, key: str) -> Iterator[int]:
    """A front on a free port, until the block ends."""
    ready = threading.Event()
    made: dict[str, Any] = {}

    async def run() -> None:
        made["loop"], made["done"] = asyncio.get_running_loop(), asyncio.Event()
        front = Front(home / "tls", url, key)

        def started(port: int) -> None:
            made["port"] = port
            ready.set()

        serving = asyncio.create_task(run_front(front, 0, started))
        await made["done"].wait()
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)

    thread = threading.Thread(target=asyncio.run, args=(run(),))
    thread.start()
    try:
        assert ready.wait(WAIT_SECONDS)
        yield made["port"]
    finally:
        made["loop"].call_soon_threadsafe(made["done"].set)
        thread.join(WAIT_SECONDS)
        assert not thread.is_alive()


@contextmanager
def fronted(home: Path, **settings: Any) -> Iterator[Fronted]:
    with served(home, **settings) as server:
        key = front_key(make_signer(Settings.model_validate({"home": home})))
        with front_before(server.url, home, key) as port, ExitStack() as clients:
            yield Fronted(server, port, home, clients)
