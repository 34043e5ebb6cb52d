"""Files from Google: where they may come from, how large they may be, and what happens on the way."""

from __future__ import annotations

import json
import threading
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from quire.adapters.http_client import HttpClient
from quire.adapters.machine import SystemClock
from quire.adapters.memory import MemoryFiles
from quire.domain.errors import NotAllowed, NotFound, NotSignedIn, QuireError, TooLarge, Upstream, WireDrift
from quire.notebooklm.certificates import certificates
from quire.notebooklm.engine.account import Account
from quire.notebooklm.engine.downloads import Downloads
from quire.notebooklm.engine.profiles import GivenCookies
from quire.notebooklm.sessions import storage_state
from through_proxy import proxy_before

pytestmark = pytest.mark.anyio

FILE = "https://notebooklm.google.com"
MOST = 100_000


@dataclass
class Answer:
    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=lambda: {"Content-Type": "audio/mp4"})
    length: int | None = None


def moved(place: str) -> Answer:
    return Answer(status=302, headers={"Location": place})


ANSWERS = {
    "/file": Answer(b"sound" * 1000),
    "/hop": moved(f"{FILE}/again"),
    "/again": moved("https://notebook.google.com/file"),
    "/circle": moved(f"{FILE}/circle"),
    "/away": moved("https://evil.example/file"),
    "/lookalike": moved("https://evilgoogleusercontent.com/file"),
    "/plain": moved("http://lh3.googleusercontent.com/file"),
    "/port": moved("https://lh3.googleusercontent.com:8443/file"),
    "/inside": moved("https://127.0.0.1/file"),
    "/user": moved("https://lh3.googleusercontent.com@evil.example/file"),
    "/signin": moved("https://accounts.google.com/ServiceLogin"),
    "/large": Answer(b"x" * (MOST + 1)),
    "/cut": Answer(b"half", length=100),
    "/page": Answer(b"<html>Sign in", headers={"Content-Type": "text/html; charset=utf-8"}),
    "/gone": Answer(status=404),
    "/closed": Answer(status=403),
    "/broken": Answer(status=500),
}


class Pages(BaseHTTPRequestHandler):
    asked: list[tuple[str, str, str]]

    def do_GET(self) -> None:
        self.server.asked.append((self.headers["Host"], self.path, self.headers.get("Cookie", "")))  # type: ignore[attr-defined]
        answer = ANSWERS.get(self.path, Answer(status=404))
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.body) if answer.length is None else answer.length))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(answer.body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed."""


@dataclass
class Google:
    port: int
    authority: str
    asked: list[tuple[str, str, str]]


@pytest.fixture(scope="module")
def google(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Google]:
    folder = tmp_path_factory.mktemp("files")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    server.asked = []  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        with proxy_before(f"http://127.0.0.1:{server.server_port}", folder, "key") as port:
            yield Google(port, str(certificates(folder / "tls").authority), server.asked)  # type: ignore[attr-defined]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
async def downloads(google: Google) -> AsyncIterator[Downloads]:
    google.asked.clear()
    http = HttpClient(f"http://127.0.0.1:{google.port}", google.authority)
    cookies = GivenCookies(json.dumps(storage_state("session")))
    yield Downloads(Account(cookies, http, SystemClock(), "notebook.google.com"), http, MemoryFiles(), MOST)
    await http.close()


async def test_a_file_is_fetched_over_every_hop_that_is_googles(google: Google, downloads: Downloads) -> None:
    file = await downloads.fetched(f"{FILE}/hop", "a.m4a", local=False)
    assert (file.size, file.media_type, await file.read()) == (5000, "audio/mp4", b"sound" * 1000)
    assert [(host, path) for host, path, _ in google.asked] == [
        ("notebooklm.google.com", "/hop"),
        ("notebooklm.google.com", "/again"),
        ("notebook.google.com", "/file"),
    ]


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/circle", Upstream),
        ("/away", WireDrift),
        ("/lookalike", WireDrift),
        ("/plain", WireDrift),
        ("/port", WireDrift),
        ("/inside", WireDrift),
        ("/user", WireDrift),
        ("/signin", NotSignedIn),
        ("/large", TooLarge),
        ("/cut", Upstream),
        ("/page", WireDrift),
        ("/gone", NotFound),
        ("/closed", NotAllowed),
        ("/broken", Upstream),
    ],
)
async def test_what_is_no_file_of_googles_is_refused(
    google: Google, downloads: Downloads, path: str, kind: type[QuireError]
) -> None:
    with pytest.raises(kind) as caught:
        await downloads.fetched(FILE + path, "a.m4a", local=False)
    assert type(caught.value) is kind
    assert {host for host, _, _ in google.asked} == {"notebooklm.google.com"}
    assert "session" not in repr(caught.value.details)


@pytest.mark.parametrize("url", ["https://evil.example/a", "file:///etc/passwd", "http://google.com/a", "//x", ""])
async def test_an_address_that_is_not_googles_is_never_asked(google: Google, downloads: Downloads, url: str) -> None:
    with pytest.raises(WireDrift):
        await downloads.fetched(url, "a.m4a", local=False)
    assert google.asked == []
