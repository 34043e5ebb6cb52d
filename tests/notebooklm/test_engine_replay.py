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
from unruly_google import no_rest
from wire_samples import SAMPLES, A, C, N, S, T, artifact

from quire.adapters.http_client import HttpClient
from quire.adapters.machine import HmacSigner, SystemClock
from quire.adapters.memory import MemoryFiles
from quire.api.context import Context
from quire.api.library import Library
from quire.api.rates import Rates
from quire.domain.errors import WireDrift
from quire.notebooklm.certificates import certificates
from quire.notebooklm.engine.artifact_rows import artifact_of, kind_of
from quire.notebooklm.engine.engine import NotebookLmEngine
from quire.notebooklm.engine.profiles import GivenCookies
from quire.notebooklm.envelope import answer_body, request_of
from quire.notebooklm.kinds import unknown_codes
from quire.notebooklm.methods import BY_NAME, METHODS
from quire.notebooklm.replay import BATCH_PATH
from quire.notebooklm.sessions import storage_state
from quire.notebooklm.stream import CHAT_PATH
from through_proxy import proxy_before

Call = Callable[[Library], Awaitable[Any]]


class Recorded(ThreadingHTTPServer):
    """Answers each method with what was recorded for it, and keeps what it was sent."""

    def __init__(self, bodies: dict[str, str]) -> None:
        super().__init__(("127.0.0.1", 0), RecordedPages)
        self.bodies = bodies
        self.sent: dict[str, Any] = {}
        self.pages: dict[str, str] = {}
        self.log: list[tuple[str, Any]] = []
        self.proxy = 0


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
        self.server.log.append((METHODS[request.rpc_id].name, request.params))
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
            server.proxy = port
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
    "DELETE_LABEL": (lambda one: one.labels.delete(N, ["label-1"]), lambda left: left[0].id == "label-2", PAGE),
    "GET_LAST_CONVERSATION_ID": (
        lambda one: one.chat.list_conversations(N),
        lambda page: page[0].question == "Why?",
        PAGE,
    ),
    "DELETE_CONVERSATION": (lambda one: one.chat.delete_conversation(C), lambda gone: gone.turns == 1, PAGE),
    "GET_NOTES_AND_MIND_MAPS": (lambda one: one.notes.list(N), lambda page: page[0].title == "A note", PAGE),
    "DELETE_NOTE": (lambda one: one.notes.delete(N, "note-1"), lambda gone: gone.content == "Words", PAGE),
    "COPY_NOTEBOOK": (lambda one: one.notebooks.copy(N, "A copy"), lambda made: made.id == N, "/"),
    "REMOVE_RECENTLY_VIEWED": (lambda one: one.notebooks.remove_from_recent(N), lambda gone: gone.id == N, "/"),
    "CHECK_SOURCE_FRESHNESS": (lambda one: one.sources.check_freshness(N, S), lambda told: not told.fresh, PAGE),
    "COPY_SOURCES": (
        lambda one: one.sources.copy("notebook-2", [S], N, wait=False),
        lambda page: (page[0].original_id, page[0].source.id) == (S, T),
        PAGE,
    ),
    "CREATE_ARTIFACT": (
        lambda one: one.artifacts.generate(N, "audio", "focus", language="en", source_ids=[S], wait=False),
        lambda made: (made.state, made.kind) == ("pending", "audio"),
        PAGE,
    ),
    "LIST_ARTIFACTS": (
        lambda one: one.artifacts.list(N),
        lambda page: (
            {row.kind: row.formats for row in page}
            == {
                "audio": ["m4a"],
                "report": ["md", "docx"],
                "video": ["m4a"],
                "quiz": ["html", "json"],
                "infographic": ["png"],
                "slide_deck": ["pptx", "pdf"],
                "data_table": ["csv", "xlsx"],
            }
        ),
        PAGE,
    ),
    "DELETE_ARTIFACT": (lambda one: one.artifacts.delete(N, A), lambda gone: gone.title == "An artifact", PAGE),
    "RENAME_ARTIFACT": (lambda one: one.artifacts.rename(N, A, " New "), lambda row: row.id == A, PAGE),
    "GET_SUGGESTED_REPORTS": (
        lambda one: one.artifacts.suggest_reports(N),
        lambda page: (page[0].title, page[0].prompt) == ("Paper", "Write"),
        PAGE,
    ),
    "GENERATE_MIND_MAP": (
        lambda one: one.mind_maps.draw(N, [S], "en"),
        lambda tree: tree.startswith('{"name": "Root"'),
        PAGE,
    ),
    "COPY_ARTIFACTS": (lambda one: one.artifacts.copy(N, A), lambda made: made.id == A, PAGE),
    "DISCOVER_SOURCES": (
        lambda one: one.research.discover(N, "apples"),
        lambda run: (run.id, run.findings[0].url, run.findings[0].number) == ("run-1", "https://a.example", 2),
        PAGE,
    ),
    "START_FAST_RESEARCH": (lambda one: one.research.start(N, "apples"), lambda run: run.mode == "fast", PAGE),
    "START_DEEP_RESEARCH": (
        lambda one: one.research.start(N, "apples", mode="deep"),
        lambda run: (run.id, run.session_id, run.mode) == ("run-1", "session-1", "deep"),
        PAGE,
    ),
    "POLL_RESEARCH": (
        lambda one: one.research.poll(N, "run-1"),
        lambda run: (run.state, run.report, run.summary) == ("completed", "# Words", "In short."),
        PAGE,
    ),
    "IMPORT_RESEARCH": (
        lambda one: one.research.import_sources(N, "run-1", wait=False),
        lambda page: [source.id for source in page] == [S],
        PAGE,
    ),
    "GET_SHARE_STATUS": (
        lambda one: one.sharing.get_status(N),
        lambda status: (status.public, status.users[0].name, status.users[0].permission) == (True, "Ann", "owner"),
        PAGE,
    ),
    "SHARE_ARTIFACT": (
        lambda one: one.artifacts.share(N, A),
        lambda link: link.url == "https://notebook.google.com/notebook/notebook-1?artifactId=artifact-1",
        PAGE,
    ),
    "GET_USER_SETTINGS": (
        lambda one: one.settings.get_account_limits(),
        lambda limits: (limits.notebooks, limits.sources_per_notebook) == (500, 300),
        "/",
    ),
    "SET_USER_SETTINGS": (lambda one: one.settings.set_output_language("fr"), lambda told: told.code == "fr", "/"),
    "GET_ACCOUNT": (lambda one: one.settings.get_usage(), lambda usage: usage.sources == 1, "/"),
    "LIST_QUOTA_SUMMARY": (
        lambda one: one.settings.get_usage(),
        lambda usage: (usage.allowances[0].window, usage.allowances[0].used) == ("some hours", 12.5),
        "/",
    ),
    "UPDATE_NOTE": (
        lambda one: one.notes.update(N, "note-1", content="Words"),
        lambda note: note.id == "note-1",
        PAGE,
    ),
}


# What a call of the library says by itself, in a form that the samples do not show.
REPORT_AND_PAGE = [
    [None, None, ["https://a.example", "A"], *[None] * 7, 2],
    [None, ["Report", "# Words"], None, 3, *[None] * 6, 3],
]
SENT_OTHERWISE: dict[str, Any] = {"IMPORT_RESEARCH": [None, [1], "run-1", N, REPORT_AND_PAGE]}


@pytest.mark.parametrize("name", SENT)
def test_what_is_sent_is_what_the_newest_client_sends(google: tuple[Recorded, Library], name: str) -> None:
    server, library = google
    call, right, page = SENT[name]
    server.sent.clear()
    assert right(asyncio.run(in_time(library, call)))
    assert server.sent[name] == SENT_OTHERWISE.get(name, SAMPLES[name][0])
    assert server.pages[name] == page


async def in_time(library: Library, call: Call) -> Any:
    try:
        return await call(library)
    finally:
        await library.engine.close()


RECORDED = pytest.mark.skipif(
    "QUIRE_WIRE_SAMPLES" not in os.environ, reason="QUIRE_WIRE_SAMPLES names no folder of recordings"
)


def recordings() -> dict[str, list[dict[str, Any]]]:
    """The exchanges of each recording, by the name of its file."""
    folder = Path(os.environ.get("QUIRE_WIRE_SAMPLES", "/nowhere"))
    return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.rglob("*.json"))}


def bodies_of(exchanges: list[dict[str, Any]]) -> dict[str, str]:
    bodies: dict[str, str] = {}
    for exchange in exchanges:
        asked = "chat" if exchange["path"] == CHAT_PATH else exchange.get("rpcids") or exchange["path"]
        bodies.setdefault(asked, exchange["response_body"])
    return bodies


async def looked_at(library: Library, bodies: dict[str, str], notebook_id: str) -> dict[str, Any]:
    """What each call of the library makes of what was recorded for its method."""
    calls: dict[str, Call] = {
        "rLM1Ne": lambda one: one.sources.list(notebook_id),
        "CCqFvf": lambda one: one.notebooks.create("Any"),
        "wXbhsf": lambda one: one.notebooks.list(),
        "VfAZjd": lambda one: one.notebooks.get_summary(notebook_id),
        "cFji9": lambda one: one.notes.list(notebook_id),
        "gArtLc": lambda one: one.artifacts.list(notebook_id),
        "ciyUvf": lambda one: one.artifacts.suggest_reports(notebook_id),
        "Ljjv0c": lambda one: one.research.start(notebook_id, "any"),
        "e3bVqc": lambda one: one.research.list(notebook_id),
        "JFMDGd": lambda one: one.sharing.get_status(notebook_id),
        "ZwVcOc": lambda one: one.settings.get_output_language(),
        "izAoDd": lambda one: one.sources.add(notebook_id, "text", text="any", title="any", wait=False),
        "I3xc3c": lambda one: one.labels.list(notebook_id),
        "hPTbtc": lambda one: one.chat.list_conversations(notebook_id),
        "chat": lambda one: one.chat.ask(notebook_id, "What is this notebook about?"),
    }
    return {rpc_id: await call(library) for rpc_id, call in calls.items() if rpc_id in bodies}


@RECORDED
@pytest.mark.parametrize("name", recordings())
def test_a_recording_gives_things_of_ours(tmp_path: Path, name: str) -> None:
    """Recordings of the live service, through HTTP and the engine: none of them may be an answer that is not known."""
    exchanges = recordings()[name]
    page = next((one["source_path"] for one in exchanges if (one.get("source_path") or "/") != "/"), "/notebook/any")
    bodies = bodies_of(exchanges)
    empty = {method.id: answer_body(method.id, SAMPLES[method.name][1]) for method in METHODS.values()}
    with replayed(tmp_path, {"rLM1Ne": empty["rLM1Ne"]} | bodies) as (_, library):
        found = asyncio.run(in_time(library, lambda one: looked_at(one, bodies, page.rpartition("/")[2])))
    for rpc_id, thing in found.items():
        assert thing is not None, rpc_id
    if "gArtLc" in found:
        assert all(row.title and row.created_at.year > 2000 for row in found["gArtLc"])
        assert any(row.formats for row in found["gArtLc"])
    if "e3bVqc" in found:
        assert all(run.query and run.state == "in_progress" for run in found["e3bVqc"])
    if "JFMDGd" in found:
        assert found["JFMDGd"].users[0].permission == "owner"
    if "chat" in found:
        assert found["chat"].citations
        assert all(citation.excerpt for citation in found["chat"].citations)
    if "rLM1Ne" in bodies:
        assert all(source.state == "ready" and source.title for source in found["rLM1Ne"])


@RECORDED
def test_the_files_of_a_recorded_report_are_written(tmp_path: Path) -> None:
    """A report has its text in its row; what Google exports is a document elsewhere."""
    bodies = bodies_of([one for exchanges in recordings().values() for one in exchanges])
    with replayed(tmp_path, bodies) as (server, library):

        async def look() -> str:
            async with library:
                report = (await library.artifacts.list("any", "report"))[0]
                assert len(report.source_ids) >= 1
                return (await (await library.artifacts.download("any", report.id, "md")).read()).decode()

        assert asyncio.run(look()).startswith("# ")
        assert "LIST_ARTIFACTS" in server.sent


def test_a_recorded_code_that_nobody_knows_is_no_error(caplog: pytest.LogCaptureFixture) -> None:
    unknown_codes.seen.clear()
    method = BY_NAME["LIST_ARTIFACTS"]
    row = artifact(97, 3)
    known = artifact(2, 98, 7, ["# Words", None])
    with caplog.at_level("WARNING", "quire.notebooklm"):
        rows = method.decode_response([[row, row, known]])
    assert [kind_of(one) for one in rows] == [None, None, "report"]
    assert artifact_of(rows[2], "report", N).state == "in_progress"
    assert [record.message for record in caplog.records] == ["NotebookLM sent an unknown code"] * 2


@pytest.mark.parametrize(
    ("name", "spoilt", "place"),
    [
        ("LIST_ARTIFACTS", [[["id", "title", "two"]]], "$[0][0][2]"),
        ("POLL_RESEARCH", [[["run-1", [N, ["apples", 1], 1, None, "running"]]]], "$[0][0][1][4]"),
        ("GET_SHARE_STATUS", [[["a@b.example", "owner"]]], "$[0][0][1]"),
        ("GET_USER_SETTINGS", [[None, ["many", "more", 3]]], "$[0][1][1]"),
        ("GET_SUGGESTED_REPORTS", [[[5]]], "$[0][0][0]"),
    ],
)
def test_a_wrong_shape_names_the_method_and_the_place(tmp_path: Path, name: str, spoilt: Any, place: str) -> None:
    method = BY_NAME[name]
    calls: dict[str, Call] = {
        "LIST_ARTIFACTS": lambda one: one.artifacts.list(N),
        "POLL_RESEARCH": lambda one: one.research.list(N),
        "GET_SHARE_STATUS": lambda one: one.sharing.get_status(N),
        "GET_USER_SETTINGS": lambda one: one.settings.get_account_limits(),
        "GET_SUGGESTED_REPORTS": lambda one: one.artifacts.suggest_reports(N),
    }
    with (
        replayed(tmp_path, {method.id: answer_body(method.id, spoilt)}) as (_, library),
        pytest.raises(WireDrift) as caught,
    ):
        asyncio.run(in_time(library, calls[name]))
    assert (caught.value.details["method"], caught.value.details["path"]) == (method.id, place)
