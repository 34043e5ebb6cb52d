"""The engine beside samples of every method: what it sends is what the newest client sends, what it reads is right."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from through_proxy import proxy_before
from unruly_google import no_rest
from wire_samples import SAMPLES, C, N, S, T

from quire.adapters.http_client import HttpClient
from quire.adapters.machine import HmacSigner, SystemClock
from quire.adapters.memory import MemoryFiles
from quire.api.context import Context
from quire.api.library import Library
from quire.api.rates import Rates
from quire.notebooklm.certificates import certificates
from quire.notebooklm.engine.engine import NotebookLmEngine
from quire.notebooklm.engine.profiles import GivenCookies
from quire.notebooklm.envelope import answer_body, request_of
from quire.notebooklm.methods import METHODS
from quire.notebooklm.replay import BATCH_PATH
from quire.notebooklm.sessions import storage_state
from quire.notebooklm.stream import CHAT_PATH

Call = Callable[[Library], Awaitable[Any]]


class Recorded(ThreadingHTTPServer):
    """Answers each method with what was recorded for it, and keeps what it was sent."""

    def __init__(self, bodies: dict[str, str]) -> None:
        super().__init__(("127.0.0.1", 0), RecordedPages)
        self.bodies = bodies
        self.sent: dict[str, Any] = {}
        self.pages: dict[str, str] = {}


class RecordedPages(BaseHTTPRequestHandler):
    server: Recorded

    def do_GET(self) -> None:
        self._answer('<script>{"SNlM0e":"csrf","FdrFJe":"1","cfb2h":"build"}</script>')

    def do_POST(self) -> None:
        parts = urlsplit(self.path)
        length = self.headers.get("content-length")
        body = self.rfile.read(int(length)) if length else b""
        if parts.path != BATCH_PATH:
            self._answer(self.server.bodies.get("chat", "[]"))
            return
        request = request_of(body)
        self.server.sent[METHODS[request.rpc_id].name] = request.params
        self.server.pages[METHODS[request.rpc_id].name] = parse_qs(parts.query)["source-path"][0]
        self._answer(self.server.bodies.get(request.rpc_id) or answer_body(request.rpc_id, []))

    def _answer(self, text: str) -> None:
        body = text.encode()
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed."""


@contextmanager
def replayed(folder: Path, bodies: dict[str, str]) -> Iterator[tuple[Recorded, Library]]:
    server = Recorded(bodies)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        with proxy_before(f"http://127.0.0.1:{server.server_port}", folder, "key") as port:
            clock = SystemClock()
            engine = NotebookLmEngine(
                GivenCookies(json.dumps(storage_state("session"))),
                HttpClient(f"http://127.0.0.1:{port}", str(certificates(folder / "tls").authority)),
                clock,
                HmacSigner(b"0" * 32, clock),
                Rates(),
                host="notebook.google.com",
                inbox="Quire inbox",
                browser=nowhere,
                files=MemoryFiles(),
                sleep=no_rest,
            )
            yield server, Library(engine, Context(local=True))
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


async def nowhere() -> bool:
    return False


@pytest.fixture(scope="module")
def google(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Recorded, Library]]:
    by_name = {method.name: method.id for method in METHODS.values()}
    bodies = {by_name[name]: answer_body(by_name[name], result) for name, (_, result) in SAMPLES.items()}
    with replayed(tmp_path_factory.mktemp("recorded"), bodies) as made:
        yield made


PAGE = f"/notebook/{N}"
SENT: dict[str, tuple[Call, Callable[[Any], bool], str]] = {
    "LIST_NOTEBOOKS": (lambda one: one.notebooks.list(), lambda page: page[0].source_count == 1, "/"),
    "CREATE_NOTEBOOK": (lambda one: one.notebooks.create("A title"), lambda made: made.id == N, "/"),
    "GET_NOTEBOOK": (lambda one: one.notebooks.get(N), lambda found: found.emoji == "🍎", PAGE),
    "DELETE_NOTEBOOK": (lambda one: one.notebooks.delete(N), lambda gone: gone.id == N, "/"),
    "SUMMARIZE": (lambda one: one.notebooks.get_summary(N), lambda told: told.questions == ["Why?"], PAGE),
    "GET_SOURCE_GUIDE": (lambda one: one.sources.get_guide(N, S), lambda told: told.keywords[0] == "apple", PAGE),
    "GET_SOURCE": (lambda one: one.sources.get_fulltext(N, S), lambda told: told.text.startswith("Apple"), PAGE),
    "RETRIEVE_RELEVANT_CHUNKS": (
        lambda one: one.sources.search(N, "apples", source_ids=[S, T]),
        lambda page: (page[0].passage.text, page[0].passage.start) == ("An apple", 5),
        PAGE,
    ),
    "REFRESH_SOURCE": (lambda one: one.sources.refresh(N, S), lambda source: source.state == "ready", PAGE),
    "LIST_LABELS": (lambda one: one.labels.list(N), lambda page: page[0].source_ids == [S], PAGE),
    "DELETE_LABEL": (lambda one: one.labels.delete(N, ["label-1"]), lambda page: page[0].name == "Food", PAGE),
    "GET_LAST_CONVERSATION_ID": (
        lambda one: one.chat.list_conversations(N),
        lambda page: page[0].question == "Why?",
        PAGE,
    ),
    "DELETE_CONVERSATION": (lambda one: one.chat.delete_conversation(C), lambda gone: gone.turns == 1, PAGE),
    "GET_NOTES_AND_MIND_MAPS": (lambda one: one.notes.list(N), lambda page: page[0].title == "A note", PAGE),
    "DELETE_NOTE": (lambda one: one.notes.delete(N, "note-1"), lambda gone: gone.content == "Words", PAGE),
    "UPDATE_NOTE": (
        lambda one: one.notes.update(N, "note-1", content="Words"),
        lambda note: note.id == "note-1",
        PAGE,
    ),
}


@pytest.mark.parametrize("name", SENT)
def test_what_is_sent_is_what_the_newest_client_sends(google: tuple[Recorded, Library], name: str) -> None:
    server, library = google
    call, right, page = SENT[name]
    server.sent.clear()
    assert right(asyncio.run(in_time(library, call)))
    assert server.sent[name] == SAMPLES[name][0]
    assert server.pages[name] == page


async def in_time(library: Library, call: Call) -> Any:
    try:
        return await call(library)
    finally:
        await library.engine.close()


@pytest.mark.skipif("QUIRE_WIRE_SAMPLES" not in os.environ, reason="QUIRE_WIRE_SAMPLES names no folder of recordings")
def test_recorded_answers_give_the_right_things(tmp_path: Path) -> None:
    """The recordings of the live service, through HTTP and the engine."""
    bodies: dict[str, str] = {}
    for file in Path(os.environ["QUIRE_WIRE_SAMPLES"]).glob("*.json"):
        for exchange in json.loads(file.read_text()):
            asked = "chat" if exchange["path"] == CHAT_PATH else exchange.get("rpcids") or exchange["path"]
            bodies.setdefault(asked, exchange["response_body"])
    with replayed(tmp_path, bodies) as (_, library):

        async def look() -> None:
            async with library:
                notebook = await library.notebooks.get("any")
                assert notebook.title
                sources = await library.sources.list(notebook.id)
                assert sources.items
                assert all(source.state == "ready" for source in sources)
                answer = await library.chat.ask(notebook.id, "What is this notebook about?", conversation_id=C)
                assert answer.text
                assert answer.citations
                assert all(citation.excerpt for citation in answer.citations)
                assert (await library.notes.list(notebook.id)).total >= 0
                assert (await library.notebooks.get_summary(notebook.id)).summary
                assert (await library.sources.get_guide(notebook.id, sources[0].id)).summary

        asyncio.run(look())
