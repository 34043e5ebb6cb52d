"""Contract 1: notebooks and their sources: list, get, add."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from contracts.desk import Desk, each_once, joined, on_every_wire
from contracts.notebook_desk import BEES, NotebookDesk, library_of, notebook_at, opened
from contracts.rows import proves
from pages import Pages, article, serving_pages
from quire.adapters.readers.reader import FileReader
from quire.domain.files import Upload
from quire.domain.sharing import Actor, Role
from quire.local.people import add_person
from variants import with_parts

pytestmark = pytest.mark.anyio

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
MOON = article(
    "The far side of the Moon",
    "The far side of the Moon always faces away from the Earth, because the Moon turns once in each of its orbits.",
    "It was first seen in 1959, when the probe Luna 3 took 29 photographs of it and sent them by radio.",
)
FIRST = "When was the far side of the Moon first seen?"
AT = "2025-12-07T14:30:00Z"
LOCAL = {"fetch_allow": "127.0.0.1", "embedder": "none"}


@pytest.fixture
def pages() -> Iterator[Pages]:
    with serving_pages() as pages:
        yield pages


@on_every_wire
@proves("C1-NOTEBOOKS-01", "C1-NOTEBOOKS-03", "C1-NOTEBOOKS-04", "C1-OPEN-14")
async def test_notebooks_are_listed_newest_first_with_their_facts(desk: Desk) -> None:
    first, second = await opened(desk, "Research: MCP Servers"), await opened(desk, "Project Alpha Notes")
    await first.add()
    listed = await first.ok("list_notebooks")
    assert listed["notebooks"][:2] == [
        {"id": second.notebook_id, "name": "Project Alpha Notes", "source_count": 0, "updated_at": AT},
        {"id": first.notebook_id, "name": "Research: MCP Servers", "source_count": 1, "updated_at": AT},
    ]
    assert listed["total"] >= 2
    assert UUID.fullmatch(first.notebook_id)


@proves("C1-NOTEBOOKS-02", "C1-NOTEBOOKS-04", "C1-OPEN-19")
async def test_a_list_stops_at_its_limit_and_says_how_many_there_are(tmp_path: Path) -> None:
    async with library_of(tmp_path) as library, joined(library, "2026") as client:
        for number in range(104):
            await library.notebooks.create(f"Notebook {number}")
        desk = NotebookDesk(Desk(client, lambda now: None))
        usual = await desk.ok("list_notebooks")
        assert (len(usual["notebooks"]), usual["total"]) == (50, 105)
        first = await desk.ok("list_notebooks", limit=100)
        rest = await desk.ok("list_notebooks", limit=100, cursor=first["cursor"])
        assert (first["truncated"], len(first["notebooks"])) == (True, 100)
        names = [notebook["name"] for notebook in [*first["notebooks"], *rest["notebooks"]]]
        assert names == [*(f"Notebook {number}" for number in reversed(range(104))), "Inbox"]
        assert list(rest) == ["notebooks", "total"]


@proves("C1-NOTEBOOK-01", "C1-NOTEBOOK-03")
async def test_a_notebook_is_told_by_its_id(desk: Desk) -> None:
    notebook = await opened(desk, "Research: MCP Servers")
    await notebook.add()
    assert await notebook.ok("get_notebook") == {
        "id": notebook.notebook_id,
        "name": "Research: MCP Servers",
        "source_count": 1,
        "created_at": AT,
        "updated_at": AT,
        "description": None,
    }


@proves("C1-OPEN-20", "C1-NOTEBOOK-04")
@pytest.mark.parametrize(("role", "code"), [(None, "NOT_FOUND"), (Role.VIEWER, "NOT_ALLOWED")])
async def test_what_is_not_yours_is_not_found_and_a_viewer_adds_nothing(
    role: Role | None, code: str, tmp_path: Path
) -> None:
    async with library_of(tmp_path) as library:
        notebook = await library.notebooks.create("Shared")
        await library.engine.system.write(lambda tx: add_person(tx, "guest", "A guest", None, 0))
        if role is not None:
            member = {"notebook_id": notebook.id, "person_id": "guest", "role": int(role)}
            await library.engine.system.write(lambda tx: tx.run("insert_member", **member))
        async with joined(library.as_actor(Actor(id="guest", name="A guest")), "2026") as client:
            desk = NotebookDesk(Desk(client, lambda now: None), notebook.id)
            assert await desk.code("add_source", source_type="text", text="x") == code
            seen = [one["id"] for one in (await desk.ok("list_notebooks"))["notebooks"]]
            assert (notebook.id in seen) == (role is not None)


@on_every_wire
@proves("C1-SOURCES-01", "C1-SOURCES-03", "C1-SOURCES-05", "C1-SOURCES-06", "C1-ADD-02", "C1-ADD-09", "C1-ADD-07")
async def test_a_text_is_added_at_once_and_listed(desk: Desk) -> None:
    notebook = await opened(desk)
    added = await notebook.ok("add_source", source_type="text", title="My Notes on Bees", text=BEES)
    assert UUID.fullmatch(added["source_id"])
    assert added == {
        "success": True,
        "source_id": added["source_id"],
        "title": "My Notes on Bees",
        "processing_status": "complete",
        "message": None,
    }
    other = await notebook.add("The German wasp lives in the ground.")
    listed = await notebook.ok("list_sources")
    assert listed["total"] == 2
    assert listed["sources"][0] == {
        "id": added["source_id"],
        "title": "My Notes on Bees",
        "type": "text",
        "kind": "text",
        "url": None,
        "added_at": AT,
        "state": "ready",
        "error": None,
    }
    assert listed["sources"][1]["id"] == other


@proves("C1-ADD-06")
@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# ADR-001: Use Browser Automation\n\n## Context\nNone.", "ADR-001: Use Browser Automation"),
        ("Bees make honey.\nAnd wax.", "Bees make honey."),
        ("word " * 100, "word " * 15 + "..."),
    ],
)
@each_once
async def test_a_title_is_made_where_none_is_given(desk: Desk, text: str, title: str) -> None:
    notebook = await opened(desk)
    made: str = (await notebook.ok("add_source", source_type="text", text=text))["title"]
    assert made.replace(" ...", "...") == title.replace(" ...", "...")
    assert (await notebook.ok("add_source", source_type="text", text=text, title="Mine"))["title"] == "Mine"


@proves("C1-ADD-04", "C1-ADD-05", "C1-ADD-03", "C1-ADD-06", "C1-OPEN-02")
@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"source_type": "url"}, "url"),
        ({"source_type": "url", "text": "Bees"}, "url"),
        ({"source_type": "text"}, "text"),
        ({"source_type": "text", "url": "https://example.org"}, "text"),
        ({"source_type": "text", "text": ""}, "text"),
        ({"source_type": "text", "text": " \n"}, "text"),
        ({"source_type": "text", "text": "a\0b"}, "text"),
        ({"source_type": "text", "text": 5}, "text"),
        ({"source_type": "gdoc", "text": "Bees"}, "source_type"),
        ({"text": "Bees"}, "source_type"),
        ({"source_type": "text", "text": "Bees", "title": "t" * 201}, "title"),
        ({"source_type": "text", "text": "Bees", "file": "bees.txt"}, "file"),
    ],
)
@each_once
async def test_what_cannot_be_added_names_the_argument(desk: Desk, arguments: dict[str, Any], field: str) -> None:
    notebook = await opened(desk)
    error = await notebook.error("add_source", **arguments)
    assert (error["code"], error["details"], error["recoverable"]) == ("INVALID_ARGUMENT", {"field": field}, False)
    assert (await notebook.ok("list_sources"))["total"] == 0


@proves("C1-ADD-05", "C1-ADD-12", "C1-OPEN-05")
@each_once
async def test_a_text_over_the_limit_is_too_large_before_anything_else(desk: Desk) -> None:
    notebook = await opened(desk)
    for more in ({}, {"notebook_id": 5}, {"title": "t" * 201}, {"source_type": "gdoc"}):
        error = await notebook.error("add_source", **{"source_type": "text", "text": "ä" * 500_001} | more)
        assert (error["code"], error["recoverable"]) == ("CONTENT_TOO_LARGE", False)
        assert error["message"] == "text: is longer than 500,000 characters. Split it into several sources."


@proves("C1-ADD-05")
async def test_a_text_at_the_limit_is_taken(tmp_path: Path) -> None:
    async with notebook_at(tmp_path, embedder="none") as notebook:
        text = ("Bees make honey. " * 30_000)[:500_000]
        assert (await notebook.ok("add_source", source_type="text", text=text))["processing_status"] == "complete"


@proves("C1-ADD-11", "C1-OPEN-03", "C1-OPEN-04", "C1-ADD-13")
@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("", "INVALID_URL"),
        ("bees", "INVALID_URL"),
        ("www.example.org/bees", "INVALID_URL"),
        ("//example.org/bees", "INVALID_URL"),
        ("http://", "INVALID_URL"),
        ("http://[::1", "INVALID_URL"),
        ("http://example.org:99999/", "INVALID_URL"),
        ("https://example.org/" + "a" * 9_000, "INVALID_URL"),
        ("http://no-such-host.invalid/", "INVALID_URL"),
        ("ftp://example.org/bees", "UNSUPPORTED_URL"),
        ("file:///etc/passwd", "UNSUPPORTED_URL"),
        ("javascript:alert(1)", "UNSUPPORTED_URL"),
        ("http://127.0.0.1/", "UNSUPPORTED_URL"),
        ("http://[::1]:8080/", "UNSUPPORTED_URL"),
        ("http://169.254.169.254/latest/meta-data", "UNSUPPORTED_URL"),
        ("http://10.0.0.1/", "UNSUPPORTED_URL"),
        ("http://name:secret@example.org/", "UNSUPPORTED_URL"),
    ],
)
@each_once
async def test_an_address_that_is_not_fetched_is_told_and_nothing_is_added(desk: Desk, url: str, code: str) -> None:
    notebook = await opened(desk)
    error = await notebook.error("add_source", source_type="url", url=url)
    assert error["code"] == code
    assert "secret" not in error["message"]
    assert (await notebook.ok("list_sources"))["total"] == 0


@proves("C1-ADD-01", "C1-ADD-07", "C1-SOURCES-04", "C1-SOURCES-05", "C1-OPEN-01")
@pytest.mark.parametrize("era", ["2025", "2026"])
async def test_a_web_page_is_added_with_the_title_it_has(era: str, pages: Pages, tmp_path: Path) -> None:
    url = pages.put("/moon", MOON)
    async with notebook_at(tmp_path, era, **LOCAL) as notebook:
        added = await notebook.ok("add_source", source_type="url", url=url)
        assert (added["title"], added["processing_status"]) == ("The far side of the Moon", "complete")
        (source,) = (await notebook.ok("list_sources"))["sources"]
        assert (source["type"], source["kind"], source["url"]) == ("url", "url", url)
        answer = await notebook.ok("ask", question="When was the far side of the Moon first seen?")
        assert "1959" in answer["answer"]


@proves("C1-ADD-11", "C1-OPEN-06", "C1-ERR-02")
async def test_a_page_that_cannot_be_reached_is_not_added(pages: Pages, tmp_path: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{closed.getsockname()[1]}/"
    async with notebook_at(tmp_path, **LOCAL) as notebook:
        missing = await notebook.error("add_source", source_type="url", url=f"{pages.url}/missing")
        assert (missing["code"], missing["recoverable"]) == ("INVALID_URL", False)
        assert missing["message"] == "url: the server answered 404."
        away = await notebook.error("add_source", source_type="url", url=nobody)
        assert (away["code"], away["recoverable"]) == ("INVALID_URL", True)
        assert (await notebook.ok("list_sources"))["total"] == 0


@proves("C1-ADD-08", "C1-OPEN-07", "C1-OPEN-08", "C1-TIME-02")
async def test_what_takes_longer_than_the_call_is_processing_and_read_all_the_same(
    pages: Pages, tmp_path: Path
) -> None:
    url = pages.put("/moon", MOON)
    let_go = pages.hold("/moon")
    async with notebook_at(tmp_path, timeout=3, **LOCAL) as notebook:
        added = await notebook.ok("add_source", source_type="url", url=url)
        assert (added["success"], added["processing_status"]) == (True, "processing")
        assert added["message"] == "Source added. It is still being read."
        (source,) = (await notebook.ok("list_sources"))["sources"]
        assert (source["state"], source["type"], source["title"]) == ("processing", "url", url)
        assert await notebook.code("ask", question="When was the Moon seen?") == "TIMEOUT"
        let_go.set()
        waited = await notebook.desk.call("wait_for_source", source_id=added["source_id"], seconds=60)
        assert waited.data["state"] == "ready"
        assert "1959" in (await notebook.ok("ask", question=FIRST))["answer"]
        (source,) = (await notebook.ok("list_sources"))["sources"]
        assert (source["state"], source["title"]) == ("ready", "The far side of the Moon")


@proves("C1-ADD-16", "C1-ADD-08", "C1-OPEN-09", "C1-OPEN-22")
async def test_a_source_that_cannot_be_read_is_told_listed_and_hides_no_other(pages: Pages, tmp_path: Path) -> None:
    url = pages.put("/broken.pdf", "%PDF-1.7 and then nothing of the kind", "application/pdf")
    async with notebook_at(tmp_path, **LOCAL) as notebook:
        error = await notebook.error("add_source", source_type="url", url=url)
        assert (error["code"], error["recoverable"]) == ("PROCESSING_FAILED", False)
        (source,) = (await notebook.ok("list_sources"))["sources"]
        assert error["details"] == {"source_id": source["id"]}
        assert source["state"] == "failed"
        assert source["error"]
        assert source["error"] in error["message"]
        refused = await notebook.error("ask", question=FIRST)
        assert (refused["code"], refused["recoverable"]) == ("NO_SOURCES", True)
        assert "could be read" in refused["message"]
        await notebook.add()
        assert "50,000" in (await notebook.ok("ask", question="How many bees does a hive hold?"))["answer"]


UNREADABLE = {
    "bees.zip": (b"PK\x03\x04" + bytes(200), "application/zip", "an archive"),
    "page.html": (b"PK\x03\x04" + bytes(200), "text/html; charset=koi8-r", "an archive"),
    "setup": (b"\x7fELF" + bytes(200), "application/octet-stream", "cannot read"),
    "data.txt": (bytes(range(32)) * 3_000, "text/plain", "cannot read"),
    "bee.heic": (bytes(4) + b"ftypheic" + bytes(200), "text/plain", "HEIC"),
    "bee.png": (b"\x89PNG\r\n\x1a\n" + bytes(200), "text/html", "quire extras add ocr"),
    "bee.mp3": (b"ID3" + bytes(200), "audio/mpeg", "quire extras add speech"),
    "bee.mp4": (bytes(4) + b"ftypisom" + bytes(200), "video/mp4", "quire extras add speech"),
}


@proves("C1-ADD-13", "C1-OPEN-23")
async def test_what_no_reader_reads_is_an_unsupported_url_of_which_nothing_is_kept(
    pages: Pages, tmp_path: Path
) -> None:
    reader = FileReader(tmp_path, installed=lambda extra: extra == "documents")
    async with library_of(tmp_path, **LOCAL) as library:
        library = with_parts(library, reader=reader)
        async with joined(library, "2026", 0, "notebooks") as client:
            notebook = await opened(Desk(client, lambda now: None))
            for name, (content, media_type, why) in UNREADABLE.items():
                url = pages.put(f"/{name}", content, media_type)
                error = await notebook.error("add_source", source_type="url", url=url)
                assert (error["code"], error["recoverable"]) == ("UNSUPPORTED_URL", False), name
                assert why in error["message"]
            assert (await notebook.ok("list_sources"))["total"] == 0
            assert (await library.jobs.list()).total == 0
            url = pages.put("/moon.png", MOON, "image/png")
            assert (await notebook.ok("add_source", source_type="url", url=url))["processing_status"] == "complete"
        assert len([one for one in (tmp_path / "blobs").rglob("*") if one.is_file()]) == 1


@proves("C1-OPEN-23")
async def test_what_shows_after_the_call_to_be_unreadable_is_kept_as_failed(pages: Pages, tmp_path: Path) -> None:
    url = pages.put("/bees.zip", UNREADABLE["bees.zip"][0], "application/zip")
    let_go = pages.hold("/bees.zip")
    async with notebook_at(tmp_path, timeout=2, **LOCAL) as notebook:
        added = await notebook.ok("add_source", source_type="url", url=url)
        let_go.set()
        waited = await notebook.desk.call("wait_for_source", source_id=added["source_id"], seconds=60)
        assert waited.data["state"] == "failed"
        assert "an archive" in waited.data["error"]


@proves("C1-SOURCES-04", "C1-OPEN-01")
async def test_types_are_those_of_the_document_and_kinds_are_exact(tmp_path: Path) -> None:
    async with library_of(tmp_path, embedder="none") as library, joined(library, "2026") as client:
        notebook = await opened(Desk(client, lambda now: None))
        for name, content in (("bees.txt", "Bees make honey."), ("bees.md", "# Bees\n\nThey make honey.")):
            await library.sources.add_file(notebook.notebook_id, Upload.of(content, name))
        await library.sources.add_file(notebook.notebook_id, Upload.of("insect,legs\nbee,6\n", "legs.csv"))
        listed = (await notebook.ok("list_sources"))["sources"]
    assert [(source["type"], source["kind"]) for source in listed] == [
        ("text", "text"),
        ("unknown", "markdown"),
        ("unknown", "csv"),
    ]


@proves("C1-SOURCES-06", "C1-OPEN-19")
async def test_many_sources_come_in_pages(tmp_path: Path) -> None:
    async with library_of(tmp_path, embedder="none") as library, joined(library, "2026") as client:
        notebook = await opened(Desk(client, lambda now: None))
        for number in range(203):
            await library.sources.add_text(notebook.notebook_id, f"Source {number}", f"{number} bees make honey.")
        first = await notebook.ok("list_sources")
        assert (len(first["sources"]), first["total"], first["truncated"]) == (200, 203, True)
        rest = await notebook.ok("list_sources", cursor=first["cursor"])
        titles = [source["title"] for source in [*first["sources"], *rest["sources"]]]
        assert titles == [f"Source {number}" for number in range(203)]
        assert list(rest) == ["sources", "total"]
