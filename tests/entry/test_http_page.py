"""The start page as it comes over HTTP, without a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from serving import Served, served


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("home")) as running:
        yield running


@pytest.fixture
def http(server: Served) -> Iterator[httpx.Client]:
    with server.client() as client:
        yield client


def excerpts(text: str) -> list[str]:
    return [part.partition("</p>")[0] for part in text.split('<p class="excerpt">')[1:]]


def test_a_note_of_a_million_blanks_is_shown_and_found(tmp_path: Path) -> None:
    """Were the time for blanks their number squared, this would not end."""
    with served(tmp_path) as server, server.client() as http:
        blanks = " " * 999_980
        assert http.post("/api/note/add", json={"title": "Wide", "content": f"left{blanks}right"}).status_code == 200
        assert excerpts(http.get("/").text)[0].split() == ["left", "…"]
        assert excerpts(http.get("/", params={"q": "right"}).text)[0].split() == ["…", "<mark>right</mark>"]


def test_an_excerpt_has_no_empty_lines_and_ends_where_it_is_cut(tmp_path: Path) -> None:
    with served(tmp_path) as server, server.client() as http:
        content = "\n\n  First \n\n\n Second  line\n" + "more " * 100
        assert http.post("/api/note/add", json={"title": "Lines", "content": content}).status_code == 200
        shown = excerpts(http.get("/").text)[0]
        assert shown.startswith("First\nSecond  line\nmore more")
        assert shown.endswith(" …")
        assert len(shown) < 300
        assert "First\n<mark>Second</mark>" in http.get("/", params={"q": "second"}).text


def test_only_a_get_makes_an_export(http: httpx.Client) -> None:
    before = http.get("/api/job/list").json()["total"]
    refused = http.head("/export")
    assert (refused.status_code, refused.headers["allow"]) == (405, "GET")
    assert http.get("/api/job/list").json()["total"] == before
    assert http.get("/export").status_code == 200
    assert http.get("/api/job/list").json()["total"] == before + 1
