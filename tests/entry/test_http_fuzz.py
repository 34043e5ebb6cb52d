"""Whatever bytes are sent, the answer is one of ours and the server goes on."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quire.api.capability import Capability
from quire.entry.bootstrap import offered
from quire.entry.http.openapi import http_method
from serving import Served, served

CAPABILITIES = [one for one in offered() if one.declared.shape != "stream"]
KINDS = ["application/json", "multipart/form-data; boundary=x", "application/octet-stream", "multipart/form-data"]
PARTS = [b"--x", b"\r\n", b"--x--\r\n", b"Content-Disposition: form-data", b'; name="file"', b": ", b"\r\n\r\n", b"x"]

few = settings(max_examples=100, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("home")) as running:
        yield running


@pytest.fixture(scope="module")
def http(server: Served) -> Iterator[httpx.Client]:
    with server.client() as client:
        yield client


def check(answer: httpx.Response) -> None:
    """Done, or refused as the caller's own mistake in the form that all errors have."""
    assert answer.status_code < 500, answer.text
    if answer.status_code != 200:
        assert {"code", "message", "retriable"} <= answer.json().keys()


@few
@given(
    body=st.binary(max_size=300) | st.lists(st.sampled_from(PARTS), max_size=12).map(b"".join),
    capability=st.sampled_from(CAPABILITIES),
    kind=st.sampled_from(KINDS),
)
def test_a_body_of_any_kind(http: httpx.Client, body: bytes, capability: Capability, kind: str) -> None:
    check(
        http.request(http_method(capability), f"/api{capability.route}", content=body, headers={"Content-Type": kind})
    )


@few
@given(query=st.text(st.characters(min_codepoint=33, max_codepoint=126, exclude_characters="#"), max_size=80))
def test_a_query_of_any_kind(http: httpx.Client, query: str) -> None:
    check(http.get(f"/api/note/list?{query}"))


@few
@given(path=st.text(st.characters(min_codepoint=33, max_codepoint=126, exclude_characters="#?"), max_size=60))
def test_a_path_of_any_kind(server: Served, path: str) -> None:
    """On the wire as it stands; what is not HTTP at all gets 400."""
    host, _, port = server.url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=30) as raw:
        raw.sendall(f"GET /{path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        status = int(raw.makefile("rb").readline().split()[1])
    assert status < 500


@few
@given(garbage=st.binary(min_size=1, max_size=200))
def test_bytes_that_are_not_http(server: Served, http: httpx.Client, garbage: bytes) -> None:
    host, _, port = server.url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=30) as raw:
        raw.sendall(garbage)
        raw.shutdown(socket.SHUT_WR)
        answered = raw.recv(65536)
    assert answered == b"" or answered.startswith(b"HTTP/1.1 4")
    assert http.get("/health").status_code == 200
