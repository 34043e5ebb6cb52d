"""A real server with a real TLS proxy before it, both on free loopback ports, and clients that come in through it."""

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
from quire.notebooklm.certificates import certificates
from quire.notebooklm.envelope import Reply, call_body, reply_to
from quire.notebooklm.methods import BY_NAME
from quire.notebooklm.replay import BATCH_PATH
from quire.notebooklm.sessions import Sessions, cookie_values, proxy_key
from quire.notebooklm.tls_proxy import TlsProxy
from quire.notebooklm.tls_proxy import run as run_proxy
from serving import WAIT_SECONDS, Served, served

APP = "https://notebooklm.google.com"


@dataclass
class Proxied:
    """`port` is the proxy's."""

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

    def speaker(self, session: str | None = None) -> Speaker:
        """A client of the owner's, or of whoever has a token."""
        return Speaker(self, session or self.sessions.open())


class Speaker:
    """Calls methods as a client of NotebookLM does."""

    def __init__(self, proxied: Proxied, session: str) -> None:
        self.session = session
        self.token = proxied.sessions.token(self.session)
        self.http = proxied.client(session=self.session, base_url=APP)

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
def proxy_before(url: str, home: Path, key: str) -> Iterator[int]:
    """A TLS proxy on a free port, until the block ends."""
    ready = threading.Event()
    made: dict[str, Any] = {}

    async def run() -> None:
        made["loop"], made["done"] = asyncio.get_running_loop(), asyncio.Event()
        proxy = TlsProxy(home / "tls", url, key)

        def started(port: int) -> None:
            made["port"] = port
            ready.set()

        serving = asyncio.create_task(run_proxy(proxy, 0, started))
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
def proxied(home: Path, **settings: Any) -> Iterator[Proxied]:
    with served(home, **settings) as server:
        key = proxy_key(make_signer(Settings.model_validate({"home": home})))
        with proxy_before(server.url, home, key) as port, ExitStack() as clients:
            yield Proxied(server, port, home, clients)
