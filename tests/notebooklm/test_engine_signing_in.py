"""Signing in to the account that the engine works as: cookies from a file, from a real browser, kept and forgotten."""

from __future__ import annotations

import importlib
import json
import shutil
import stat
import sys
import tomllib
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import parse_qs

import pytest

from quire.domain.errors import InvalidInput, NotSignedIn
from quire.entry.cli import main
from quire.notebooklm.certificates import certificates
from quire.notebooklm.engine.cookies import cookies_in
from quire.notebooklm.engine.profiles import Profiles
from quire.notebooklm.sessions import storage_state
from through_proxy import proxied, proxy_before

SECRET = "planted-value-of-a-cookie"


def state(**cookies: str) -> str:
    rows = [{"name": name, "value": value, "domain": ".google.com", "path": "/"} for name, value in cookies.items()]
    return json.dumps({"cookies": rows, "origins": []})


def test_cookies_are_read_from_a_browsers_state_and_from_a_text_file() -> None:
    lines = f"# Netscape HTTP Cookie File\n#HttpOnly_.google.com\tTRUE\t/\tTRUE\t2000000000\tSID\t{SECRET}\n"
    for text in (state(SID=SECRET), lines, json.dumps(json.loads(state(SID=SECRET))["cookies"])):
        (cookie,) = cookies_in(text)
        assert (cookie.name, cookie.value, cookie.domain, cookie.http_only) == ("SID", SECRET, ".google.com", True)
        assert SECRET not in repr(cookie)


def test_cookies_of_somebody_who_is_not_signed_in_are_refused(tmp_path: Path) -> None:
    profile = Profiles(tmp_path).get("work")
    for text in (state(NID="1"), "no cookies at all", "[]", '{"cookies": 3}', "[" * 100_000):
        with pytest.raises(InvalidInput):
            profile.sign_in(text)
    with pytest.raises(NotSignedIn):
        profile.read()


@pytest.mark.parametrize("name", ["../etc", "", "a/b", ".", "x" * 80])
def test_a_profile_cannot_lead_out_of_its_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidInput):
        Profiles(tmp_path).get(name)


def test_an_account_is_kept_for_its_owner_alone_used_and_forgotten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "here"
    with proxied(tmp_path / "google", embedder="none") as place:
        cookies = tmp_path / "cookies.json"
        cookies.write_text(json.dumps(storage_state(place.sessions.open())))
        flags = ["--home", str(home), "--engine", "notebooklm"]
        (home / "quire.toml").parent.mkdir(parents=True)
        (home / "quire.toml").write_text(
            f'notebooklm_proxy = "http://127.0.0.1:{place.port}"\nnotebooklm_ca = "{place.authority}"\n'
        )
        assert main(["notebook", "list", *flags]) == 6
        assert "quire login" in capsys.readouterr().err
        assert main(["login", "--cookies", str(cookies), *flags]) == 0
        kept = home / "notebooklm/accounts/default/storage_state.json"
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        assert main(["auth", "status", "--test", "--json", *flags]) == 0
        assert json.loads(capsys.readouterr().out.splitlines()[-1])["signed_in"] is True
        assert main(["notebook", "create", "Bees", *flags]) == 0
        assert main(["auth", "profiles", "--json", *flags]) == 0
        assert json.loads(capsys.readouterr().out.splitlines()[-1]) == {"profiles": ["default"]}
        assert main(["auth", "logout", *flags]) == 0
        assert not kept.exists()
        assert main(["notebook", "list", *flags]) == 6


def test_cookies_that_have_expired_are_refused_and_those_of_the_environment_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    flags = ["--home", str(tmp_path / "here"), "--json"]
    rows = [{"name": name, "value": SECRET, "domain": ".google.com"} for name in ("SID", "__Secure-1PSIDTS")]
    old = tmp_path / "old.json"
    old.write_text(json.dumps([rows[0], rows[1] | {"expirationDate": 1_700_000_000}]))
    assert main(["login", "--cookies", str(old), *flags]) == 2
    assert "expired on 2023-11-14" in json.loads(capsys.readouterr().err)["message"]
    assert main(["auth", "status", *flags]) == 6
    capsys.readouterr()
    monkeypatch.setenv("NOTEBOOKLM_AUTH_JSON", json.dumps(rows))
    assert main(["auth", "status", *flags]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["profile"], told["cookies"], told["missing"]) == ("environment", 2, [])


def test_a_doctor_says_whether_somebody_is_signed_in(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json", "--engine", "notebooklm", "--home", str(tmp_path / "here")]) == 1
    checks = {one["name"]: one for one in json.loads(capsys.readouterr().out)["checks"]}
    assert (checks["notebooklm"]["state"], checks["notebooklm"]["hint"]) == ("problem", "Run: quire login")


def test_the_command_that_other_clients_name_signs_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    named = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]["scripts"]
    module, _, function = named["kof-notebooklm-init"].partition(":")
    cookies = tmp_path / "cookies.json"
    cookies.write_text(state(SID=SECRET, **{"__Secure-1PSIDTS": SECRET}))
    arguments = ["kof-notebooklm-init", "--cookies", str(cookies), "--home", str(tmp_path / "here")]
    monkeypatch.setattr(sys, "argv", arguments)
    assert getattr(importlib.import_module(module), function)() == 0
    assert "Signed in as 'default'" in capsys.readouterr().out
    assert Profiles(tmp_path / "here/notebooklm/accounts").names() == ["default"]


class SignInPage(BaseHTTPRequestHandler):
    """Google's pages as far as signing in goes: without cookies one is sent to a form, which sets them."""

    def do_GET(self) -> None:
        signed_in = "__Secure-1PSIDTS=" in (self.headers.get("cookie") or "")
        if self.headers.get("host") == "accounts.google.com":
            self._answer('<form method="post"><button id="go">Sign in</button></form><script>go.click()</script>')
        elif signed_in:
            self._answer("<title>NotebookLM</title>")
        else:
            self.send_response(HTTPStatus.FOUND)
            self.send_header("Location", "https://accounts.google.com/ServiceLogin")
            self.end_headers()

    def do_POST(self) -> None:
        parse_qs(self.rfile.read(int(self.headers.get("content-length") or 0)).decode())
        self.send_response(HTTPStatus.FOUND)
        for name in ("SID", "__Secure-1PSIDTS", "OSID"):
            self.send_header("Set-Cookie", f"{name}={SECRET}; Domain=.google.com; Path=/; Secure; Max-Age=86400")
        self.send_header("Location", "https://notebook.google.com/")
        self.end_headers()

    def _answer(self, body: str) -> None:
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed."""


@pytest.mark.skipif(shutil.which("chromium") is None, reason="there is no browser")
def test_signing_in_by_a_real_browser_keeps_what_it_was_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), SignInPage)
    serving = Thread(target=server.serve_forever)
    serving.start()
    try:
        with proxy_before(f"http://127.0.0.1:{server.server_port}", tmp_path, "key") as port:
            home = tmp_path / "here"
            home.mkdir()
            made = certificates(tmp_path / "tls")
            # A browser is told of the very certificate that it is shown, which an authority alone does not name.
            trusted = tmp_path / "trusted.pem"
            trusted.write_text(made.authority.read_text() + made.certificate.read_text())
            (home / "quire.toml").write_text(
                f'notebooklm_proxy = "http://127.0.0.1:{port}"\nnotebooklm_ca = "{trusted}"\n'
            )
            assert main(["login", "--headless", "--seconds", "60", "--home", str(home)]) == 0
    finally:
        server.shutdown()
        serving.join()
        server.server_close()
    told = capsys.readouterr()
    assert "Signed in as 'default'" in told.out
    assert SECRET not in told.out + told.err
    stored = Profiles(home / "notebooklm/accounts").get("default").read()
    assert {cookie.name for cookie in stored.jar} == {"SID", "__Secure-1PSIDTS", "OSID"}
