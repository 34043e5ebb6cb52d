"""One account, used by several processes: cookies are renewed, kept and never lost, and shown to nobody."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from unruly_google import unruly_google

from quire.adapters.http_client import HttpClient
from quire.adapters.machine import SystemClock
from quire.adapters.memory import FixedClock
from quire.domain.errors import NotFound, NotSignedIn, QuireError, Unsupported
from quire.notebooklm.certificates import certificates
from quire.notebooklm.engine.account import Account
from quire.notebooklm.engine.cookies import CookieJar, cookies_in, set_by
from quire.notebooklm.engine.profiles import Profile, Profiles, Tokens
from quire.ports.http import HttpHead
from through_proxy import proxy_before

RENEW = Path(__file__).parent / "programs/renew_together.py"
FIRST = "stamp-0"


class Renewing(ThreadingHTTPServer):
    """Google as far as renewing goes: of the stamps that it gives out, the newest and the one before are good."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), RenewingPages)
        self.stamps = [FIRST]
        self.pages = 0
        self.lock = threading.Lock()


class RenewingPages(BaseHTTPRequestHandler):
    server: Renewing

    def do_GET(self) -> None:
        found = re.search(r"__Secure-1PSIDTS=([\w-]+)", self.headers.get("cookie") or "")
        with self.server.lock:
            self.server.pages += 1
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


def test_whoever_signs_out_ends_it_for_all_and_nothing_comes_back(tmp_path: Path) -> None:
    profile = signed_in(tmp_path / "accounts")
    with renewing(tmp_path) as (_, port):
        authority = str(certificates(tmp_path / "tls").authority)

        async def worked() -> None:
            http = HttpClient(f"http://127.0.0.1:{port}", authority)
            clock = FixedClock()
            account = Account(Profiles(tmp_path / "accounts").get("shared"), http, clock, "notebook.google.com")
            tokens = await account.tokens()
            profile.delete()
            await account.took("https://notebook.google.com/", HttpHead(200, {}, ("A=1; Domain=.google.com; Path=/",)))
            with pytest.raises(NotSignedIn, match="Nobody is signed in"):
                await account.refreshed(tokens)
            await http.close()

        asyncio.run(worked())
    assert not profile.path.parent.exists()
    assert Profiles(tmp_path / "accounts").names() == []
    with pytest.raises(NotFound):
        profile.delete()


def test_what_was_set_in_one_login_never_comes_among_the_cookies_of_the_next(tmp_path: Path) -> None:
    profile = signed_in(tmp_path)
    old = profile.read().jar
    old.take("https://notebook.google.com/", ["SID=of the old one; Domain=.google.com; Path=/"], 0)
    signed_in(tmp_path)
    profile.join(old, 5, Tokens("old", "old", read_at=5))
    stored = profile.read()
    assert {cookie.value for cookie in stored.jar} == {FIRST}
    assert (stored.tokens, stored.renewed_at) == (None, 0)


def test_a_process_that_died_in_mid_write_leaves_the_cookies_whole_and_nothing_behind(tmp_path: Path) -> None:
    profile = signed_in(tmp_path)
    left = profile.path.parent / ".fresh-of-a-dead-process"
    left.write_text('{"cookies": [{"na')
    jar = profile.read().jar
    assert len(jar) == 2
    jar.take("https://notebook.google.com/", ["A=1; Domain=.google.com; Path=/"], 0)
    profile.path.chmod(0o644)
    profile.join(jar, 1)
    assert not left.exists()
    assert stat.S_IMODE(profile.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(profile.path.parent.stat().st_mode) == 0o700
    assert len(profile.read().jar) == 3


def test_the_lock_of_a_process_that_was_killed_is_free(tmp_path: Path) -> None:
    profile = signed_in(tmp_path)
    program = (
        "import sys; from pathlib import Path; from quire.notebooklm.engine.profiles import Profiles\n"
        "with Profiles(Path(sys.argv[1])).get('shared').lock(): print('held', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        holder.kill()
    begun = time.monotonic()
    with profile.lock():
        assert time.monotonic() - begun < 5


def test_where_nothing_can_be_written_cookies_are_used_and_not_renewed(tmp_path: Path) -> None:
    """Whoever cannot keep renewed cookies must not ask for them: the old ones end, for everybody."""
    profile = signed_in(tmp_path / "accounts")
    for kind in ("write", "renew"):
        place = profile.path.parent / f"lock.{kind}"
        place.unlink(missing_ok=True)
        place.mkdir()
    with renewing(tmp_path) as (server, port):
        authority = str(certificates(tmp_path / "tls").authority)

        async def worked() -> None:
            http = HttpClient(f"http://127.0.0.1:{port}", authority)
            account = Account(profile, http, SystemClock(), "notebook.google.com")
            assert (await account.tokens()).csrf == "csrf"
            await account.took("https://notebook.google.com/", HttpHead(200, {}, ("A=1; Domain=.google.com; Path=/",)))
            assert "A=1" in (await account.headers("https://notebook.google.com/"))["Cookie"]
            await http.close()

        asyncio.run(worked())
        assert server.stamps == [FIRST]
    with pytest.raises(Unsupported):
        signed_in(tmp_path / "accounts")


def test_tokens_that_one_process_has_read_serve_the_next(tmp_path: Path) -> None:
    profile = signed_in(tmp_path / "accounts")
    with renewing(tmp_path) as (server, port):
        authority = str(certificates(tmp_path / "tls").authority)
        clock = FixedClock()

        async def worked() -> Tokens:
            http = HttpClient(f"http://127.0.0.1:{port}", authority)
            try:
                return await Account(profile, http, clock, "notebook.google.com").tokens()
            finally:
                await http.close()

        first = asyncio.run(worked())
        pages = server.pages
        assert asyncio.run(worked()) == first
        assert server.pages == pages, "the page was not read again"
        clock.move(seconds=700)
        assert asyncio.run(worked()).read_at > first.read_at
        assert server.pages == pages + 1
    assert stat.S_IMODE(profile.path.stat().st_mode) == 0o600
    assert "csrf" not in repr(profile.read())


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
