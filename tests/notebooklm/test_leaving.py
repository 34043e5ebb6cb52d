"""Clients that leave: whatever waits for them, in the proxy or behind it, ends."""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import pytest

from dict_engine import DictEngine, DictNotebooks, DictScope, builder, notebook
from quire.domain.chat import Answer, AnswerPart, Conversation
from quire.domain.notebooks import NotebookSummary
from quire.notebooklm.envelope import call_body
from quire.notebooklm.methods import BY_NAME
from quire.notebooklm.replay import BATCH_PATH
from quire.notebooklm.sessions import SESSION_COOKIE, Sessions, proxy_key
from quire.notebooklm.stream import CHAT_PATH, ask_body
from serving import WAIT_SECONDS, served
from through_proxy import proxy_before

HOST = "notebooklm.google.com"
# The calls that wait may take several times as long as the tests do, so only the client's leaving can end them.


class Waiting:
    """Begins, and goes on for ever."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.ended = threading.Event()

    async def __call__(self) -> None:
        self.begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.ended.set()


class WaitingNotebooks(DictNotebooks):
    def __init__(self, engine: DictEngine, waiting: Waiting) -> None:
        super().__init__(engine.drawer)
        self._waiting = waiting

    async def get_summary(self, scope: DictScope) -> NotebookSummary:
        await self._waiting()
        raise AssertionError


class WaitingChat:
    def __init__(self, waiting: Waiting) -> None:
        self._waiting = waiting

    async def ask(
        self,
        scope: DictScope,
        question: str,
        source_ids: list[str] | None,
        conversation_id: str | None,
        label_ids: list[str] | None,
    ) -> AsyncIterator[AnswerPart | Answer]:
        yield AnswerPart(text="It begins.")
        await self._waiting()

    async def get_conversation(self, scope: DictScope, conversation_id: str) -> Conversation:
        raise AssertionError


class WaitingEngine(DictEngine):
    nouns: ClassVar[Mapping[str, type]] = {"notebooks": WaitingNotebooks, "chat": WaitingChat}

    def __init__(self, waiting: Waiting) -> None:
        super().__init__()
        self.drawer.notebooks["bees"] = notebook("bees", "Bees")
        self._parts = {"notebooks": WaitingNotebooks(self, waiting), "chat": WaitingChat(waiting)}

    def done_by(self, noun: str) -> Any:
        return self._parts.get(noun)


@pytest.fixture
def waiting() -> Waiting:
    return Waiting()


@contextmanager
def connected(port: int, home: Path) -> Iterator[ssl.SSLSocket]:
    context = ssl.create_default_context(cafile=str(home / "tls/ca.pem"))
    with socket.create_connection(("127.0.0.1", port), timeout=WAIT_SECONDS) as plain:
        plain.sendall(f"CONNECT {HOST}:443 HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
        assert plain.recv(4096).startswith(b"HTTP/1.1 200 ")
        with context.wrap_socket(plain, server_hostname=HOST) as connection:
            yield connection


def sent(connection: ssl.SSLSocket, path: str, session: str, body: str, *, missing: int = 0) -> None:
    head = f"POST {path} HTTP/1.1\r\nHost: {HOST}\r\nCookie: {SESSION_COOKIE}={session}\r\n"
    connection.sendall(f"{head}Content-Length: {len(body) + missing}\r\n\r\n{body}".encode())


@pytest.mark.parametrize("door", ["call", "chat"])
def test_a_call_ends_when_the_client_that_waits_for_it_leaves(waiting: Waiting, tmp_path: Path, door: str) -> None:
    engine = WaitingEngine(waiting)
    sessions = Sessions(engine.signer)
    session = sessions.open()
    token = sessions.token(session)
    method = BY_NAME["SUMMARIZE"]
    path, body = {
        "call": (BATCH_PATH, call_body(method.id, method.encode_request({"notebook_id": "bees"}), token)),
        "chat": (CHAT_PATH, ask_body({"question": "Who?", "notebook_id": "bees"}, token)),
    }[door]
    with (
        served(tmp_path / "home", build=builder(engine)) as server,
        proxy_before(server.url, tmp_path, proxy_key(engine.signer)) as port,
    ):
        with connected(port, tmp_path) as connection:
            sent(connection, path, session, body)
            assert waiting.begun.wait(WAIT_SECONDS)
            assert not waiting.ended.is_set()
        assert waiting.ended.wait(WAIT_SECONDS)


@pytest.mark.parametrize("missing", [0, 10], ids=["after its request", "in the midst of its request"])
def test_the_proxy_leaves_the_server_when_its_client_has_left(tmp_path: Path, missing: int) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(WAIT_SECONDS)
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        with proxy_before(url, tmp_path, "key") as port:
            with connected(port, tmp_path) as connection:
                sent(connection, "/", "session", "words", missing=missing)
                behind, _ = listening.accept()
                behind.settimeout(WAIT_SECONDS)
                heard = b""
                while not heard.endswith(b"words"):
                    heard += behind.recv(4096)
            with behind:
                assert behind.recv(4096) == b""


def test_what_a_client_sends_while_it_waits_is_answered_in_its_turn(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(WAIT_SECONDS)
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        with proxy_before(url, tmp_path, "key") as port, connected(port, tmp_path) as connection:
            for word in ("first", "second"):
                sent(connection, f"/{word}", "session", word)
            for word in (b"first", b"second"):
                behind, _ = listening.accept()
                with behind:
                    behind.settimeout(WAIT_SECONDS)
                    heard = b""
                    while not heard.endswith(word):
                        heard += behind.recv(4096)
                    behind.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                    told = b""
                    while not told.endswith(b"ok"):
                        told += connection.recv(4096)
                    assert told.startswith(b"HTTP/1.1 200 ")
