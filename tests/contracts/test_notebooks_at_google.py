"""Contract 1: the six tools where the work is done at Google: answers, codes, and how often they may be called."""

from __future__ import annotations

import json
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from at_google import settings_for
from contracts.desk import Desk, joined
from contracts.notebook_desk import NotebookDesk, opened
from contracts.rows import proves
from quire.adapters import browser_program
from quire.entry.bootstrap import build
from quire.entry.settings import Settings
from quire.notebooklm.certificates import certificates
from quire.notebooklm.sessions import storage_state
from through_proxy import proxied, proxy_before

pytestmark = pytest.mark.anyio

QUESTION = "How many bees does a strong hive hold?"


@asynccontextmanager
async def desk_at_google(folder: Path, **settings: Any) -> AsyncIterator[Desk]:
    with proxied(folder / "google", embedder="none") as place:
        library = build(settings_for(place, folder / "here", **settings))
        async with library, joined(library, "2026", 0, "notebooks") as client:
            yield Desk(client, lambda now: None, folder)


@proves("C1-GOOGLE-01")
async def test_the_six_tools_answer_as_the_contract_says(tmp_path: Path) -> None:
    async with desk_at_google(tmp_path) as desk:
        notebook: NotebookDesk = await opened(desk)
        health = await notebook.ok("health_check")
        assert (health["status"], health["authenticated"], health["error"]) == ("healthy", True, None)
        added = await notebook.ok("add_source", source_type="text", text="A strong hive holds 50,000 bees in summer.")
        assert (added["success"], added["processing_status"]) == (True, "complete")
        listed = await notebook.ok("list_sources")
        assert [one["id"] for one in listed["sources"]] == [added["source_id"]]
        assert (await notebook.ok("get_notebook"))["source_count"] == 1
        assert notebook.notebook_id in [one["id"] for one in (await notebook.ok("list_notebooks"))["notebooks"]]
        answer = await notebook.ok("ask", question=QUESTION)
        assert "50,000" in answer["answer"]
        assert answer["confidence"] is None
        assert answer["citations"][0]["source_id"] == added["source_id"]


@proves("C1-GOOGLE-02")
async def test_a_client_calls_any_tool_ten_times_a_minute(tmp_path: Path) -> None:
    async with desk_at_google(tmp_path) as desk:
        notebook = await opened(desk)
        for _ in range(5):
            await notebook.ok("get_notebook")
            await notebook.ok("list_sources")
        error = await notebook.error("list_notebooks")
        assert (error["code"], error["details"]["limit"]) == ("RATE_LIMITED", 10)
        assert not (await desk.call("rename_notebook", notebook_id=notebook.notebook_id, title="Hives")).is_error


@proves("C1-GOOGLE-03")
async def test_a_client_adds_five_sources_a_minute(tmp_path: Path) -> None:
    async with desk_at_google(tmp_path) as desk:
        notebook = await opened(desk)
        for number in range(5):
            await notebook.add(f"Hive {number} holds 50,000 bees in summer.")
        error = await notebook.error("add_source", source_type="text", text="One hive more.")
        assert (error["code"], error["details"]["limit"]) == ("RATE_LIMITED", 5)


@proves("C1-GOOGLE-04")
async def test_a_client_may_ask_five_times_a_minute(tmp_path: Path) -> None:
    async with desk_at_google(tmp_path) as desk:
        notebook = await opened(desk)
        await notebook.add("A strong hive holds 50,000 bees in summer.")
        for _ in range(5):
            await notebook.ok("ask", question=QUESTION)
        error = await notebook.error("ask", question=QUESTION)
        assert error["code"] == "RATE_LIMITED"
        assert error["details"]["limit"] == 5
        assert 0 < error["details"]["retry_after_seconds"] <= 60


@proves("C1-GOOGLE-05", "C1-GOOGLE-06")
async def test_whoever_is_not_signed_in_is_told_so(tmp_path: Path) -> None:
    strangers = json.dumps([{"name": name, "value": "no", "domain": ".google.com"} for name in ("SID", "OSID")])
    async with desk_at_google(tmp_path, notebooklm_cookies=strangers) as desk:
        notebook = NotebookDesk(desk, "any")
        assert await notebook.code("list_notebooks") == "AUTH_REQUIRED"
        assert await notebook.code("ask", question=QUESTION) == "AUTH_REQUIRED"
        health = await notebook.ok("health_check")
        assert (health["status"], health["authenticated"]) == ("unhealthy", False)
        assert health["error"].startswith("SESSION_EXPIRED: ")
        assert "quire login" in health["error"]


@proves("C1-GOOGLE-06", "C1-GOOGLE-07")
async def test_where_google_cannot_be_reached_that_is_said(tmp_path: Path) -> None:
    async with desk_at_google(tmp_path, notebooklm_proxy="http://127.0.0.1:9") as desk:
        notebook = NotebookDesk(desk, "any")
        error = await notebook.error("list_notebooks")
        assert (error["code"], error["recoverable"]) == ("NETWORK_ERROR", True)
        health = await notebook.ok("health_check")
        assert health["error"].startswith("NETWORK_ERROR: ")


@proves("C1-GOOGLE-08")
async def test_an_answer_in_an_unknown_form_is_a_parse_error(tmp_path: Path) -> None:
    server = Oddities()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        with proxy_before(f"http://127.0.0.1:{server.server_port}", tmp_path / "odd", "key") as port:
            there = {
                "home": tmp_path / "here",
                "engine": "notebooklm",
                "notebooklm_cookies": json.dumps(storage_state("session")),
                "notebooklm_proxy": f"http://127.0.0.1:{port}",
                "notebooklm_ca": str(certificates(tmp_path / "odd" / "tls").authority),
                "embedder": "none",
            }
            library = build(Settings.model_validate(there))
            async with library, joined(library, "2026", 0, "notebooks") as client:
                notebook = NotebookDesk(Desk(client, lambda now: None, tmp_path), "any")
                assert await notebook.code("list_notebooks") == "PARSE_ERROR"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class Oddities(ThreadingHTTPServer):
    """Has tokens in its page, and answers every call with something else."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), OddPages)


class OddPages(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self._say(b'<script>{"SNlM0e":"csrf","FdrFJe":"1"}</script>')

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length") or 0))
        self._say(b"<html>Something else")

    def _say(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed."""


@pytest.mark.long
@proves("C1-GOOGLE-09")
async def test_whether_a_browser_starts_is_tried(tmp_path: Path) -> None:
    async with desk_at_google(tmp_path) as desk:
        health = await NotebookDesk(desk, "any").ok("health_check")
        assert health["browser_ok"] is await browser_program.starts()
        assert health["status"] == "healthy"


@proves("C1-GOOGLE-10")
async def test_what_has_no_place_there_is_refused_as_elsewhere(tmp_path: Path) -> None:
    async with desk_at_google(tmp_path) as desk:
        notebook = await opened(desk)
        assert await notebook.code("add_source", source_type="text", text=" ") == "INVALID_ARGUMENT"
        assert await notebook.code("add_source", source_type="text", text="x" * 500_001) == "CONTENT_TOO_LARGE"
        assert await notebook.code("ask", question="x" * 10_001) == "QUESTION_TOO_LONG"
        other = NotebookDesk(desk, "00000000-0000-4000-8000-000000000000")
        assert await other.code("get_notebook") == "NOT_FOUND"
        assert await other.code("list_sources") == "NOT_FOUND"
