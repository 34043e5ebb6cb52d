"""Google as a test says it is: each answer is named beforehand, and what was asked is kept."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from quire.adapters.http_client import HttpClient
from quire.adapters.machine import HmacSigner, SystemClock
from quire.adapters.memory import MemoryFiles
from quire.api.context import Context
from quire.api.library import Library
from quire.api.rates import Rates
from quire.domain.errors import QuireError
from quire.notebooklm.certificates import certificates
from quire.notebooklm.engine.engine import NotebookLmEngine
from quire.notebooklm.engine.profiles import CookieStore, GivenCookies
from quire.notebooklm.envelope import StatusLine, answer_body, framed
from quire.notebooklm.replay import BATCH_PATH, ROTATE_PATH
from through_proxy import proxy_before

LIST = "wXbhsf"
CREATE = "CCqFvf"
COOKIE = "planted-cookie-value"
CSRF = "planted-csrf-token"
TOKENS = f'<script>WIZ_global_data = {{"SNlM0e":"{CSRF}","FdrFJe":"planted-session","cfb2h":"b"}};</script>'
NOTHING = answer_body(LIST, [[]])


@dataclass(frozen=True)
class Said:
    """An answer: whole, in pieces, or by a function that writes what it likes."""

    body: str | bytes = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    write: Callable[[BaseHTTPRequestHandler], None] | None = None


def with_status(code: int, rpc_id: str = LIST, **facts: Any) -> Said:
    return Said(answer_body(rpc_id, None, StatusLine(code, **facts)))


def items(*given: list[Any]) -> Said:
    return Said("".join(framed([[*given], [["e", 4]]])))


class Scripted(ThreadingHTTPServer):
    """`calls` are answered one by one, the last one again and again; `pages` likewise, by path.

    Calls of methods that are in `by_id` are answered so, each time.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answering)
        self.calls: list[Said] = []
        self.pages: dict[str, list[Said]] = {}
        self.by_id: dict[str, Said] = {}
        self.asked: list[str] = []
        self.bodies: list[bytes] = []

    def begin(self, *calls: Said, **pages: list[Said]) -> None:
        self.calls = list(calls) or [Said(NOTHING)]
        self.pages = {"/": [Said(TOKENS)], ROTATE_PATH: [Said("[]")]} | {f"/{name}": one for name, one in pages.items()}
        if "home" in pages:
            self.pages["/"] = pages["home"]
        self.by_id.clear()
        self.asked.clear()
        self.bodies.clear()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that leaves is no error."""


class _Answering(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Scripted

    def do_GET(self) -> None:
        self._say(self.server.pages.get(self.path.partition("?")[0], [Said("", 404)]))

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        self.body = self.rfile.read(length)
        self.server.bodies.append(self.body)
        path, _, query = self.path.partition("?")
        named = self.server.by_id.get(parse_qs(query).get("rpcids", [""])[0])
        calls = [named] if named else self.server.calls
        self._say(calls if path == BATCH_PATH else self.server.pages.get(path, [Said("", 404)]))

    def _say(self, script: list[Said]) -> None:
        self.server.asked.append(f"{self.command} {self.path.partition('?')[0]}")
        said = script.pop(0) if len(script) > 1 else script[0]
        if said.write is not None:
            self.close_connection = True
            said.write(self)
            return
        body = said.body.encode() if isinstance(said.body, str) else said.body
        self.send_response(said.status)
        for name, value in said.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed."""


class ScriptedGoogle:
    """The server, and libraries that drive it. `rests` are those that a library took between two tries."""

    def __init__(self, server: Scripted, proxy: str, authority: str) -> None:
        self.server = server
        self.proxy = proxy
        self.authority = authority
        self.rests: list[float] = []

    def begin(self, *calls: Said, **pages: list[Said]) -> None:
        self.rests.clear()
        self.server.begin(*calls, **pages)

    @property
    def calls(self) -> int:
        return sum(BATCH_PATH in one for one in self.server.asked)

    def http(self) -> HttpClient:
        return HttpClient(self.proxy, self.authority)

    def library(self, store: CookieStore | None = None, **more: Any) -> Library:
        clock = SystemClock()
        engine = NotebookLmEngine(
            store or GivenCookies(cookies()),
            self.http(),
            clock,
            HmacSigner(b"0" * 32, clock),
            Rates(),
            host="notebook.google.com",
            inbox="Quire inbox",
            browser=_no_browser,
            files=MemoryFiles(),
            sleep=self._rest,
            **more,
        )
        return Library(engine, Context(local=True))

    async def _rest(self, seconds: float) -> None:
        self.rests.append(seconds)


def cookies() -> str:
    rows = [{"name": name, "value": COOKIE, "domain": ".google.com"} for name in ("SID", "__Secure-1PSIDTS")]
    return json.dumps({"cookies": rows})


async def _no_browser() -> bool:
    return False


@contextmanager
def scripted_google(folder: Path) -> Iterator[ScriptedGoogle]:
    server = Scripted()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        with proxy_before(f"http://127.0.0.1:{server.server_port}", folder, "key") as port:
            yield ScriptedGoogle(server, f"http://127.0.0.1:{port}", str(certificates(folder / "tls").authority))
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def listed(google: ScriptedGoogle) -> QuireError | int:
    """How a list of notebooks went: how many there are, or the error."""

    async def go() -> QuireError | int:
        async with google.library() as library:
            try:
                return len(await library.notebooks.list())
            except QuireError as error:
                return error

    return asyncio.run(go())
