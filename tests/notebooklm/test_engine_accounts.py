"""One account, used by several processes: cookies are renewed, kept and never lost, and shown to nobody."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from through_proxy import proxy_before
from unruly_google import unruly_google

from quire.domain.errors import NotSignedIn, QuireError
from quire.notebooklm.certificates import certificates
from quire.notebooklm.engine.cookies import CookieJar, cookies_in, set_by
from quire.notebooklm.engine.profiles import Profile, Profiles

RENEW = Path(__file__).parent / "programs/renew_together.py"
FIRST = "stamp-0"


class Renewing(ThreadingHTTPServer):
    """Google as far as renewing goes: of the stamps that it gives out, the newest and the one before are good."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), RenewingPages)
        self.stamps = [FIRST]
        self.lock = threading.Lock()


class RenewingPages(BaseHTTPRequestHandler):
    server: Renewing

    def do_GET(self) -> None:
        found = re.search(r"__Secure-1PSIDTS=([\w-]+)", self.headers.get("cookie") or "")
        with self.server.lock:
            good = found is not None and found[1] in self.server.stamps[-2:]
        if good:
            self._answer(b'<script>{"SNlM0e":"csrf","FdrFJe":"1"}</script>')
        else:
            self.send_response(HTTPStatus.FOUND)
            self.send_header("Location", "https://accounts.google.com/ServiceLogin")
            self.send_header("Content-Length", "0")
            self.end_headers()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length") or 0))
        with self.server.lock:
            stamp = f"stamp-{len(self.server.stamps)}"
            self.server.stamps.append(stamp)
        self._answer(b'["identity.hfcr",600]', f"__Secure-1PSIDTS={stamp}; Domain=.google.com; Path=/; Secure")

    def _answer(self, body: bytes, cookie: str | None = None) -> None:
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Length", str(len(body)))
        if cookie:
            self.send_header("Set-Cookie", cookie)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed."""


@contextmanager
def renewing(folder: Path) -> Iterator[tuple[Renewing, int]]:
    server = Renewing()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        with proxy_before(f"http://127.0.0.1:{server.server_port}", folder, "key") as port:
            yield server, port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def signed_in(folder: Path) -> Profile:
    profile = Profiles(folder).get("shared")
    rows = [{"name": name, "value": FIRST, "domain": ".google.com"} for name in ("SID", "__Secure-1PSIDTS")]
    profile.sign_in(json.dumps({"cookies": rows}))
    return profile


@pytest.mark.parametrize("minutes", [8, pytest.param(60, marks=pytest.mark.long)])
def test_processes_share_an_account_without_losing_it(tmp_path: Path, minutes: int) -> None:
    profile = signed_in(tmp_path / "accounts")
    with renewing(tmp_path) as (server, port):
        authority = str(certificates(tmp_path / "tls").authority)
        command = [sys.executable, str(RENEW), str(port), authority, str(tmp_path / "accounts"), str(minutes)]
        both = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(2)]
        ends = [(process.communicate(timeout=100)[1], process.returncode) for process in both]
        assert [code for _, code in ends] == [0, 0], ends
        assert len(server.stamps) >= 2
        kept = {cookie.name: cookie.value for cookie in profile.read().jar}
        assert kept == {"SID": FIRST, "__Secure-1PSIDTS": server.stamps[-1]}


def test_what_two_were_told_is_both_kept(tmp_path: Path) -> None:
    profile = signed_in(tmp_path)
    first, second = profile.read().jar, profile.read().jar
    first.take("https://notebook.google.com/", ["A=1; Domain=.google.com; Path=/"], 0)
    second.take("https://notebook.google.com/", ["B=2; Domain=.google.com; Path=/"], 0)
    profile.join(first, 1)
    profile.join(second, 2)
    stored = profile.read()
    assert {"A", "B"} < {cookie.name for cookie in stored.jar}
    assert stored.renewed_at == 2


@pytest.mark.parametrize(
    "line",
    [
        "SID=evil; Domain=.example.org",
        "SID=evil; Domain=com",
        "=nameless",
        "no equals sign",
        "x" * 10_000 + "=1",
    ],
)
def test_a_cookie_that_a_host_may_not_set_is_passed_over(line: str) -> None:
    assert set_by(line, "notebook.google.com", 0) is None


def test_cookies_go_only_where_they_belong() -> None:
    jar = CookieJar(cookies_in(json.dumps([{"name": "SID", "value": "v", "domain": ".google.com"}])))
    assert jar.header("https://accounts.google.com/x", 0) == "SID=v"
    for elsewhere in ("https://google.com.example.org/", "https://evilgoogle.com/", "https://example.org/"):
        assert jar.header(elsewhere, 0) == ""


def test_no_cookie_or_token_is_told_anywhere(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever fails: in no error, log, repr or result."""
    caplog.set_level(logging.DEBUG)
    told: list[str] = []
    with unruly_google(tmp_path) as google:

        async def tried() -> None:
            async with google.library() as library:
                account = library.engine._account  # type: ignore[attr-defined]
                tokens = await account.tokens()
                secrets.update({tokens.csrf, *(cookie.value for cookie in await account._cookies())} - {"quire"})
                told.append(repr((account, tokens, vars(account), await account._cookies())))
                for fault in ("pass", "401", "403", "400", "garbage after", "503 before", "cut inside"):
                    google.relay.choose = lambda rpc_id, fault=fault: fault  # type: ignore[misc]
                    try:
                        told.append(repr(await library.notebooks.list()))
                    except QuireError as error:
                        told.append(repr(error) + json.dumps(error.body()) + repr(error.__cause__))

        secrets: set[str] = set()
        asyncio.run(tried())
    assert len(told) == 8
    everything = "\n".join([*told, caplog.text])
    assert [secret for secret in secrets if secret in everything] == []
    assert len(secrets) == 2


def test_a_profile_that_is_damaged_asks_to_sign_in_again(tmp_path: Path) -> None:
    profile = signed_in(tmp_path)
    for text in ("", "{", '{"cookies": []}', '{"cookies": [{"name": 1}]}'):
        profile.path.write_text(text)
        with pytest.raises(NotSignedIn):
            profile.read()
