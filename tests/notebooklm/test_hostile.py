"""What a hostile or broken client can send to the wire server and its TLS proxy; others are answered all the same."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack
from urllib.parse import quote

import pytest

from quire.notebooklm.replay import BATCH_PATH
from quire.notebooklm.stream import CHAT_PATH
from quire.notebooklm.tls_proxy import MOST_CONNECTIONS
from serving import WAIT_SECONDS, until
from through_proxy import Proxied, Speaker, proxied

HOST = "notebooklm.google.com"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
DEEP = "[" * 100_000 + "]" * 100_000
INNER = {
    "deep": DEEP,
    "deep objects": '{"a":' * 50_000 + "1" + "}" * 50_000,
    "deep and open": "[" * 200_000,
    "wide": "[" + "null," * 100_000 + "null]",
    "long number": "[" + "9" * 100_000 + "]",
    "not a number": "[NaN,Infinity]",
    "half a pair": '["\\ud800"]',
    "control": '["a\x00b"]',
    "a word": "nonsense",
    "two values": "[] []",
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxied]:
    with proxied(tmp_path_factory.mktemp("home")) as made:
        yield made


@pytest.fixture
def client(place: Proxied) -> Speaker:
    return place.speaker()


def envelope(params: str) -> str:
    escaped = params.replace("\\", "\\\\").replace('"', '\\"').replace("\x00", "\\u0000")
    return f'[[["rLM1Ne","{escaped}",null,"generic"]]]'


def body(request: str, token: str) -> bytes:
    return f"f.req={quote(request, safe='')}&at={token}&".encode()


@pytest.mark.parametrize("name", INNER)
def test_parameters_that_mean_harm_are_refused_and_the_next_call_is_answered(client: Speaker, name: str) -> None:
    for sent in (envelope(INNER[name]), INNER[name]):
        answer = client.http.post(BATCH_PATH, content=body(sent, client.token), headers=FORM)
        refused = answer.status_code == 400 or (answer.status_code == 200 and "null,null,null,[" in answer.text)
        assert refused, answer.text[:200]
        assert client.http.post(CHAT_PATH, content=body(sent, client.token), headers=FORM).status_code == 400
    assert client.call("LIST_NOTEBOOKS")


@pytest.mark.parametrize(
    "request_",
    [
        "[]", "[[]]", "[[[]]]", "null", "7", '"x"', "{}", '[[["rLM1Ne"]]]', '[[["rLM1Ne",null,null,"generic"]]]',
        '[[[7,"[]",null,"generic"]]]', '[[["rLM1Ne","[]"],["wXbhsf","[]"]]]', '[[["rLM1Ne",["x"]]]]',
    ],
)  # fmt: skip
def test_envelopes_that_hold_no_one_call_are_a_bad_request(client: Speaker, request_: str) -> None:
    assert client.http.post(BATCH_PATH, content=body(request_, client.token), headers=FORM).status_code == 400


def test_forms_with_too_many_fields_are_a_bad_request(client: Speaker) -> None:
    many = b"&".join(b"a%d=1" % number for number in range(100_000))
    assert client.http.post(BATCH_PATH, content=many, headers=FORM).status_code == 400
    twice = body('[[["wXbhsf","[null,1]",null,"generic"]]]', client.token) * 2
    assert client.http.post(BATCH_PATH, content=twice, headers=FORM).status_code in (200, 400)


@pytest.mark.parametrize(
    "host", ["example.com", "127.0.0.1", "localhost:8765", "google.com", "evil.notebooklm.com", ""]
)
def test_another_host_inside_a_taken_connection_reaches_nothing(client: Speaker, host: str) -> None:
    answer = client.http.get("/", headers={"Host": host})
    assert answer.status_code in (400, 404)
    assert "SNlM0e" not in answer.text


def test_ids_that_are_paths_or_statements_are_not_found(client: Speaker) -> None:
    for id in ("../../etc/passwd", "' OR 1=1 --", "x" * 150, "\u202e", "%00"):
        assert client.status("GET_NOTEBOOK", notebook_id=id) in (3, 5)
        assert client.status("GET_SOURCE", f"/notebook/{quote(id)}", source_id=id, format=2) in (3, 5)
    assert client.status("GET_NOTEBOOK", notebook_id="x" * 1_000_000) == 5


def taken(place: Proxied, stack: ExitStack) -> ssl.SSLSocket:
    plain = stack.enter_context(socket.create_connection(("127.0.0.1", place.port), timeout=WAIT_SECONDS))
    plain.sendall(f"CONNECT {HOST}:443 HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
    assert plain.recv(4096).startswith(b"HTTP/1.1 200 ")
    context = ssl.create_default_context(cafile=str(place.authority))
    return stack.enter_context(context.wrap_socket(plain, server_hostname=HOST))


def test_clients_that_stop_in_the_middle_keep_no_other_waiting(place: Proxied, client: Speaker) -> None:
    head = f"POST {BATCH_PATH} HTTP/1.1\r\nHost: {HOST}\r\nCookie: SID={client.session}\r\n"
    begun = [b"GET", head.encode(), f"{head}Content-Length: 1000\r\n\r\nf.req=".encode()]
    begun.append(f"{head}Transfer-Encoding: chunked\r\n\r\n5\r\nf.r".encode())
    with ExitStack() as stack:
        for start in begun * 3:
            taken(place, stack).sendall(start)
        for part in (b"", b"CONN", f"CONNECT {HOST}:443 HTTP/1.1\r\nHost".encode()):
            waiting = stack.enter_context(socket.create_connection(("127.0.0.1", place.port), timeout=WAIT_SECONDS))
            waiting.sendall(part)
        assert client.call("LIST_NOTEBOOKS")
    assert client.call("LIST_NOTEBOOKS")


def test_more_connections_than_are_held_are_closed_and_room_comes_back(place: Proxied) -> None:
    with ExitStack() as stack:
        for _ in range(MOST_CONNECTIONS):
            stack.enter_context(socket.create_connection(("127.0.0.1", place.port), timeout=WAIT_SECONDS))

        def refused() -> bool:
            with socket.create_connection(("127.0.0.1", place.port), timeout=0.2) as one:
                try:
                    return one.recv(1) == b""
                except TimeoutError:
                    return False

        until(refused)

    def answered() -> bool:
        with ExitStack() as stack:
            try:
                taken(place, stack)
            except (AssertionError, OSError):
                return False
            return True

    until(answered)


def test_two_lengths_or_a_length_that_is_none_end_the_connection(place: Proxied, client: Speaker) -> None:
    for lengths in ("Content-Length: 5\r\nContent-Length: 6\r\n", "Content-Length: -1\r\n", "Content-Length: x\r\n"):
        with ExitStack() as stack:
            connection = taken(place, stack)
            connection.sendall(f"POST {BATCH_PATH} HTTP/1.1\r\nHost: {HOST}\r\n{lengths}\r\nhello".encode())
            assert connection.recv(4096)[:12] in (b"", b"HTTP/1.1 400")
    assert client.call("LIST_NOTEBOOKS")
