"""Who may come in over HTTP, from where, and with how much."""

from __future__ import annotations

import hashlib
import itertools
import logging
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from quire.domain.errors import InvalidInput
from quire.entry.http.callers import Callers
from quire.entry.http.safety import public_host, refuse_open_door
from quire.entry.http.token_throttle import TokenThrottle
from quire.entry.settings import Settings
from quire.local.people import add_person
from serving import Served, served

TOKEN = "an owner's token, mit Umläuten"
MEMBER = "a-member's-token"
ADDRESSES = itertools.count(2)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("home"), body_limit=200_000) as running:
        yield running


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a token, and a member who has one too."""
    home = tmp_path_factory.mktemp("locked")
    with served(home, token=TOKEN, public_url="https://notes.example.com") as running:
        hashed = hashlib.sha256(MEMBER.encode()).hexdigest()
        running.run(running.library.engine.system.write(lambda tx: add_person(tx, "ana", "Ana", hashed, 1)))
        yield running


def stranger(server: Served, **options: Any) -> httpx.Client:
    """A client at an address of its own, whose wrong tokens count for nobody else."""
    transport = httpx.HTTPTransport(local_address=f"127.0.0.{next(ADDRESSES)}")
    return server.client(transport=transport, **options)


def bearer(token: str) -> dict[bytes, bytes]:
    return {b"Authorization": b"Bearer " + token.encode()}


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:1", "127.0.0.1", "127.9.9.9:80", "[::1]:8765", "LOCALHOST:8765"]
)
def test_names_of_this_machine_are_ours(server: Served, host: str) -> None:
    with server.client() as http:
        assert http.get("/health", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "evil.example:8765",
        "localhost@evil.example",
        "evil.example/localhost",
        "[::1",
        "localhost:port",
        "localhost.",
        "10.0.0.1",
        "2130706433",
        "",
    ],
)
@pytest.mark.parametrize("path", ["/", "/api/note/list", "/health", "/static/quire.css"])
def test_a_name_that_is_not_ours_is_refused(server: Served, host: str, path: str) -> None:
    with server.client() as http:
        answer = http.get(path, headers={"Host": host})
        assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")


def test_a_request_needs_exactly_one_host(server: Served) -> None:
    address = server.url.removeprefix("http://").split(":")
    for head in (b"GET /health HTTP/1.0\r\n\r\n", b"GET /health HTTP/1.1\r\nHost: localhost\r\nHost: evil\r\n\r\n"):
        with socket.create_connection((address[0], int(address[1])), timeout=30) as raw:
            raw.sendall(head)
            assert raw.recv(65536).split()[1] in (b"400", b"403")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "http://127.0.0.1:{port}"}, 200),
        ({"Origin": "http://localhost:{port}"}, 200),
        ({"Origin": "null", "Sec-Fetch-Site": "same-origin"}, 200),
        ({"Sec-Fetch-Site": "none"}, 200),
        ({"Sec-Fetch-Site": "same-origin"}, 200),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://evil.example:{port}"}, 403),
        ({"Origin": "http://localhost:3000"}, 403),
        ({"Origin": "http://127.0.0.1"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "null", "Sec-Fetch-Site": "cross-site"}, 403),
        ({"Origin": "ftp://127.0.0.1:{port}"}, 403),
        ({"Origin": "http://127.0.0.1:{port}/path"}, 403),
        ({"Origin": "http://evil@127.0.0.1:{port}"}, 403),
        ({"Origin": ""}, 403),
        ({"Origin": "https://notes.example.com"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 403),
    ],
)
def test_pages_of_other_sites_cannot_call(server: Served, headers: dict[str, str], status: int) -> None:
    port = server.url.rpartition(":")[2]
    sent = {name: value.format(port=port) for name, value in headers.items()}
    with server.client() as http:
        assert http.get("/api/note/list", headers=sent).status_code == status
        assert http.post("/api/note/add", json={"title": "x"}, headers=sent).status_code == status


def test_a_link_on_another_site_may_lead_to_the_page(server: Served) -> None:
    with server.client() as http:
        visit = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
        assert http.get("/", headers=visit).status_code == 200
        assert http.get("/export", headers=visit).status_code == 403
        assert http.post("/notes", data={"title": "x"}, headers={**visit, "Origin": "http://evil"}).status_code == 403


@pytest.mark.parametrize("path", ["/notes", "/notes/x/delete", "/import", "/sign-in"])
@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_only_reading_is_a_visit(server: Served, path: str, site: str) -> None:
    """A browser may leave the Origin out; where the form came from is said all the same."""
    with server.client() as http:
        visit = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate"}
        answer = http.post(path, data={"title": "x"}, headers=visit)
        assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")
        assert http.head("/", headers=visit).status_code == 200


def test_the_public_address_is_ours_too(locked: Served) -> None:
    with locked.client(headers=bearer(TOKEN)) as http:
        public = {"Host": "notes.example.com", "Origin": "https://notes.example.com"}
        assert http.get("/api/note/list", headers=public).status_code == 200
        assert http.get("/api/note/list", headers={"Origin": "https://notes.example.com"}).status_code == 200
        assert http.get("/api/note/list", headers={"Origin": "https://notes.example.com:444"}).status_code == 403


@pytest.mark.parametrize("path", ["/", "/api/note/list", "/api/openapi.json", "/api/none", "/notes/x", "/mcp", "/none"])
def test_without_the_token_nothing_is_shown(locked: Served, path: str) -> None:
    with locked.client() as http:
        answer = http.get(path)
        assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in")
        assert answer.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    "header",
    [b"Bearer wrong", b"Bearer", b"Basic " + TOKEN.encode(), TOKEN.encode(), b"Bearer \xff\xfe", b""],
)
def test_a_wrong_token_is_refused(locked: Served, header: bytes) -> None:
    with stranger(locked) as http:
        answer = http.get("/api/note/list", headers={b"Authorization": header})
        assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in")


def test_a_token_that_begins_or_ends_like_the_right_one_is_refused(locked: Served) -> None:
    with stranger(locked) as http:
        for wrong in (TOKEN[:-1], TOKEN + "x", TOKEN.upper(), hashlib.sha256(TOKEN.encode()).hexdigest()):
            assert http.get("/api/note/list", headers=bearer(wrong)).status_code == 401


def test_wrong_tokens_are_counted_and_the_right_one_comes_in_all_the_same(
    locked: Served, caplog: pytest.LogCaptureFixture
) -> None:
    with stranger(locked) as guessing, stranger(locked) as other, caplog.at_level(logging.WARNING, "quire.http"):
        ways = [
            lambda token: guessing.get("/api/note/list", headers=bearer(token)),
            lambda token: guessing.get("/", params={"token": token}),
            lambda token: guessing.post("/sign-in", data={"token": token}),
        ]
        assert [ways[number % 3](f"guess-{number}").status_code for number in range(10)] == [401] * 10
        for way in ways:
            refused = way("one guess-10 more")
            assert (refused.status_code, refused.json()["code"]) == (429, "limit_reached")
            assert 1 <= int(refused.headers["retry-after"]) <= 60
            assert way(TOKEN).status_code in (200, 303)
        assert guessing.get("/health").status_code == 200
        assert other.get("/api/note/list", headers=bearer("wrong")).status_code == 401
    told = [record.getMessage() for record in caplog.records if record.name == "quire.http"]
    assert len(told) == 14
    assert len({line for line in told if re.fullmatch(r"refused a token from 127\.0\.0\.[0-9]+", line)}) == 2
    assert "guess" not in "".join(told)


def test_wrong_tokens_are_forgotten_when_their_time_has_passed() -> None:
    now = 0.0
    throttle = TokenThrottle(lambda: now)
    assert [throttle.refused("a").status for _ in range(11)] == [401] * 10 + [429]
    now = 59.0
    assert throttle.refused("a").details == {"retry_after": 1}
    now = 60.0
    assert throttle.refused("a").status == 401
    for number in range(20_000):
        throttle.refused(f"address {number}")
    assert len(throttle._wrong) == 10_000


def test_tokens_are_compared_by_hashes_of_one_length(locked: Served) -> None:
    """The comparison itself is hmac.compare_digest; what it gets has the same length for every token."""
    callers = Callers(locked.library, TOKEN)
    assert callers.needed
    assert locked.run(callers.of_token(TOKEN.encode())).actor.id == "owner"
    assert locked.run(callers.of_token(b"")) is None
    assert locked.run(callers.of_token(b"x" * 100_000)) is None
    assert "compare_digest" in Callers.of_token.__code__.co_names


def test_the_token_lets_the_owner_in_and_a_member_by_their_own(locked: Served) -> None:
    with locked.client(headers=bearer(TOKEN)) as owner, locked.client(headers=bearer(MEMBER)) as member:
        note = owner.post("/api/note/add", json={"title": "The owner's"}).json()
        assert member.get("/api/note/get", params={"note_id": note["id"]}).status_code == 404
        mine = member.post("/api/note/add", json={"title": "Ana's"}).json()
        assert [one["id"] for one in member.get("/api/note/list").json()["items"]] == [mine["id"]]
        assert owner.get("/api/note/get", params={"note_id": mine["id"]}).status_code == 404


def test_a_given_token_must_be_valid_even_where_none_is_needed(server: Served) -> None:
    with stranger(server) as http:
        assert http.get("/api/note/list", headers=bearer("revoked")).status_code == 401
        assert http.get("/health", headers=bearer("revoked")).status_code == 200


def test_health_and_signed_links_need_no_token(locked: Served) -> None:
    with locked.client(headers=bearer(TOKEN)) as owner:
        path = httpx.URL(owner.get("/api/note/export").json()["file"]["url"]).path
    with locked.client() as http:
        assert http.get("/health").json()["status"] == "ok"
        assert http.get(path).status_code == 200
        assert http.get("/files/none").status_code == 403


def test_a_large_body_is_refused_before_it_is_read(server: Served) -> None:
    address = server.url.removeprefix("http://").split(":")
    head = "POST /api/note/add HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    with socket.create_connection((address[0], int(address[1])), timeout=30) as raw:
        raw.sendall(f"{head}Content-Length: 100000000\r\nExpect: 100-continue\r\n\r\n".encode())
        assert raw.recv(65536).split()[1] == b"413"


@pytest.mark.parametrize("path", ["/api/note/add", "/notes", "/sign-in"])
def test_a_hundred_megabytes_are_refused_while_they_arrive(server: Served, path: str) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(100):
            yield b" " * 1_000_000

    kind = "application/json" if path.startswith("/api") else "application/x-www-form-urlencoded"
    with server.client() as http:
        answer = http.post(path, content=endless(), headers={"Content-Type": kind})
        assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
        assert http.get("/health").status_code == 200


@pytest.mark.parametrize("path", ["/sign-in", "/notes/x/delete", "/health", "/", "/none"])
def test_what_takes_a_few_words_takes_no_more(locked: Served, path: str) -> None:
    with stranger(locked, headers=bearer(TOKEN)) as http:
        sent = {"Content-Type": "application/x-www-form-urlencoded"}
        answer = http.post(path, content=b"token=" + b"x" * 8200, headers=sent)
        assert (answer.status_code, answer.json()["limit"]) == (413, 8192)
        assert http.post("/sign-in", content=b"pad=" + b"x" * 8000, headers=sent).status_code == 401


def test_a_form_may_hold_a_whole_note(locked: Served) -> None:
    content = "ü " * 300_000
    with locked.client(headers=bearer(TOKEN)) as http:
        assert http.post("/notes", data={"title": "Long", "content": content}).status_code == 303
        found = http.get("/api/note/list", params={"limit": 1}).json()["items"][0]
        assert found["title"] == "Long"
        assert found["content"].split() == content.split()
        assert http.post("/api/note/delete", json={"note_id": found["id"]}).status_code == 200


def test_every_answer_has_the_headers_that_keep_a_browser_safe(server: Served) -> None:
    with server.client() as http:
        for path in ("/", "/api/note/list", "/health", "/static/quire.js", "/none"):
            headers = http.get(path).headers
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "no-referrer"
            assert "frame-ancestors 'none'" in headers["content-security-policy"]
            assert "unsafe" not in headers["content-security-policy"]
            assert not [name for name in headers if name.startswith("access-control")]
            assert "server" not in headers


@pytest.mark.parametrize("path", ["/static/../page.py", "/static/%2e%2e/templates/start.html", "/static/", "/static/x"])
def test_static_files_are_only_those_of_the_page(server: Served, path: str) -> None:
    with server.client() as http:
        assert http.get(path).status_code == 404


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "", "192.168.1.5", "notes.example.com"])
def test_other_hosts_need_a_token(host: str) -> None:
    with pytest.raises(InvalidInput, match="Listening on") as refused:
        refuse_open_door(Settings.model_validate({"host": host}))
    assert refused.value.exit_code == 2
    assert "QUIRE_TOKEN" in (refused.value.hint or "")
    assert "--token auto" in (refused.value.hint or "")
    refuse_open_door(Settings.model_validate({"host": host, "token": "x" * 16}))


def test_a_token_for_a_network_cannot_be_short() -> None:
    with pytest.raises(InvalidInput, match="at least 16 characters") as refused:
        refuse_open_door(Settings.model_validate({"host": "0.0.0.0", "token": "x" * 15}))
    assert refused.value.exit_code == 2
    assert refuse_open_door(Settings.model_validate({"token": "x"})) is None


@pytest.mark.parametrize("url", ["http://a:port", "notes.example.com", "ftp://a", "http://[::1", "https://"])
def test_a_public_address_must_be_one(url: str) -> None:
    with pytest.raises(InvalidInput, match="public_url"):
        public_host(Settings.model_validate({"public_url": url}))


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "::1", "localhost"])
def test_loopback_needs_none(host: str) -> None:
    assert refuse_open_door(Settings.model_validate({"host": host})) is None


def test_a_request_with_a_length_and_chunks_is_refused(tmp_path: Path) -> None:
    """Whoever stands in between may count the other one."""
    with served(tmp_path) as server:
        host, port = server.url.removeprefix("http://").split(":")
        for path in ("/api/note/add", "/mcp", "/", "/sign-in"):
            with socket.create_connection((host, int(port)), timeout=30) as raw:
                raw.sendall(
                    f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n".encode()
                )
                answer = b""
                while piece := raw.recv(65_536):
                    answer += piece
            assert answer.startswith(b"HTTP/1.1 400 "), (path, answer)


def test_wrong_tokens_are_counted_on_open_pages_too(locked: Served) -> None:
    with stranger(locked) as http:
        answers = [http.get("/sign-in", headers=bearer(f"guess-{number}")).status_code for number in range(40)]
        assert answers[0] == 200
        assert answers[-1] == 429
        assert http.get("/sign-in", headers=bearer(TOKEN), follow_redirects=False).status_code == 303
