"""A browser's session over HTTP: how it begins, what it holds, and how it ends."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from itsdangerous import URLSafeSerializer

from quire.domain.sharing import hash_of
from quire.entry.http.callers import OWNER, Callers
from quire.local.people import add_person
from quire.ports.machine import Purpose
from serving import Served, served

TOKEN = "an owner's token, mit Umläuten"
MEMBER = "a-member's-token"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("home")) as running:
        yield running


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a token, and a member who has one too."""
    home = tmp_path_factory.mktemp("locked")
    with served(home, token=TOKEN, public_url="https://notes.example.com") as running:
        hashed = hash_of(MEMBER.encode())
        running.run(running.library.engine.system.write(lambda tx: add_person(tx, "ana", "Ana", hashed, 1)))
        yield running


@pytest.mark.parametrize("way", ["link", "form"])
def test_a_browser_signs_in_once_and_the_token_is_in_no_cookie(locked: Served, way: str) -> None:
    with locked.client() as http:
        answer = (
            http.get("/", params={"token": TOKEN}) if way == "link" else http.post("/sign-in", data={"token": TOKEN})
        )
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        assert "Secure" in cookie
        assert "token" not in cookie
        session = cookie.partition("=")[2].partition(";")[0]
        signed_in = {"Cookie": f"quire_session={session}"}
        assert http.get("/", headers=signed_in).status_code == 200
        assert http.get("/api/note/list", headers=signed_in).status_code == 200


def test_a_wrong_token_signs_nobody_in(locked: Served) -> None:
    with locked.client(headers={"Accept": "text/html"}) as http:
        for answer in (http.get("/?token=wrong"), http.get("/?token="), http.post("/sign-in", data={"token": "wrong"})):
            assert answer.status_code == 401
            assert "set-cookie" not in answer.headers
            assert 'name="token"' in answer.text
            assert "wrong" not in answer.text


def claims(session: str) -> Any:
    return URLSafeSerializer("").loads_unsafe(session)[1][1]


@pytest.mark.parametrize(("token", "id"), [(TOKEN, "owner"), (MEMBER, "ana")])
def test_a_session_tells_nothing_of_its_token(locked: Served, token: str, id: str) -> None:
    with locked.client() as http:
        cookie = http.post("/sign-in", data={"token": token}).headers["set-cookie"]
        assert f"Max-Age={7 * 24 * 3600};" in cookie
        session = cookie.partition("=")[2].partition(";")[0]
        held = claims(session)
        assert (held["token"] == "") is (id == "owner")
        assert hashlib.sha256(token.encode()).hexdigest() not in str(held)
        assert http.get("/api/note/list", headers={"Cookie": f"a=b; quire_session={session}"}).status_code == 200


def test_a_session_is_only_what_was_signed_as_one(locked: Served, server: Served) -> None:
    signer = locked.library.engine.signer
    digest = hashlib.sha256(TOKEN.encode()).hexdigest()
    good = claims(Callers(locked.library, TOKEN).session(OWNER, TOKEN.encode()))
    forged = [
        "x",
        "x.y",
        signer.sign(Purpose.PAGE_SESSION, good | {"proof": digest}, 60),
        signer.sign(Purpose.PAGE_SESSION, good | {"token": "ana"}, 60),
        signer.sign(Purpose.PAGE_SESSION, good | {"token": "first-ana"}, 60),
        signer.sign(Purpose.PAGE_SESSION, good, -1),
        *(signer.sign(purpose, good, 60) for purpose in Purpose if purpose is not Purpose.PAGE_SESSION),
        server.library.engine.signer.sign(Purpose.PAGE_SESSION, good, 60),
        Callers(server.library, TOKEN).session(OWNER, TOKEN.encode()),
    ]
    with locked.client() as http:
        for session in forged:
            assert http.get("/api/note/list", headers={"Cookie": f"quire_session={session}"}).status_code == 401
        right = signer.sign(Purpose.PAGE_SESSION, good, 60)
        assert http.get("/api/note/list", headers={"Cookie": f"quire_session={right}"}).status_code == 200


def test_signing_out_takes_the_session_from_the_browser(tmp_path: Path) -> None:
    with served(tmp_path, token="first") as server, server.client(follow_redirects=True) as http:
        assert 'action="/sign-out"' not in http.get("/", headers={"Authorization": "Bearer first"}).text
        page = http.post("/sign-in", data={"token": "first"})
        assert page.status_code == 200
        assert 'action="/sign-out"' in page.text
        out = http.post("/sign-out", follow_redirects=False)
        assert (out.status_code, out.headers["location"]) == (303, "/")
        assert "quire_session" not in http.cookies
        assert http.get("/").status_code == 401
        assert http.post("/sign-out", follow_redirects=False).status_code == 303
        assert http.get("/sign-out").status_code == 405


def test_a_session_that_was_signed_out_is_over_wherever_it_was_copied_to(tmp_path: Path) -> None:
    with served(tmp_path, token="first") as server, server.client() as http:
        copies = [http.get("/?token=first").headers["set-cookie"].partition(";")[0] for _ in range(2)]
        out, other = ({"Cookie": cookie} for cookie in copies)
        http.cookies.clear()
        http.post("/sign-out", headers=out)
        http.post("/sign-out", headers={"Cookie": "quire_session=made.up"})
        http.cookies.clear()
        assert http.get("/api/note/list", headers=out).status_code == 401
        assert http.get("/api/note/list", headers=other).status_code == 200
        assert (tmp_path / "ended_sessions").stat().st_mode & 0o777 == 0o600
    with served(tmp_path, token="first") as again, again.client() as http:
        assert http.get("/api/note/list", headers=out).status_code == 401
        assert http.get("/api/note/list", headers=other).status_code == 200


def test_a_session_ends_with_the_token_it_was_made_for(tmp_path: Path) -> None:
    with served(tmp_path, token="first") as before, before.client() as http:
        cookie = http.get("/?token=first").headers["set-cookie"].partition(";")[0]
        assert http.get("/", headers={"Cookie": cookie}).status_code == 200
    with served(tmp_path, token="second") as after, after.client() as http:
        assert http.get("/", headers={"Cookie": cookie}).status_code == 401
