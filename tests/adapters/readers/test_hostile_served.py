"""Hostile files on their way through a running `quire serve`: each ends with a reason, and everyone else is served."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from made_office import W, docx, para, zipped
from made_pdf import Words, empty_pages, pdf

# How long the server may be busy with others, and how long a file may take in all.
START_SECONDS = 90.0
ANSWER_SECONDS = 30.0
FILE_SECONDS = 240.0
MB = 1024 * 1024

LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in zip("abcdefgh", "bcdefghi", strict=True))
    + f']><w:document xmlns:w="{W}"><w:body><w:p><w:r><w:t>&i;</w:t></w:r></w:p></w:body></w:document>'
)


def entities() -> bytes:
    return zipped({"[Content_Types].xml": CONTENT, "_rels/.rels": RELATIONS, "word/document.xml": LAUGHS})


CONTENT = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Override PartName="/word/document.xml" ContentType="'
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
    'Target="word/document.xml"/></Relationships>'
)


def bomb() -> bytes:
    return zipped({"[Content_Types].xml": CONTENT, "word/document.xml": b" " * (50 * MB)})


def text(size: int) -> Iterator[bytes]:
    line = b"Bees make honey from nectar, and nothing else is said in this text.\n"
    block = line * (MB // len(line) + 1)
    for _ in range(size // MB):
        yield block[:MB]


HOSTILE: list[Any] = [
    pytest.param("bomb.docx", bomb, "expands to more than one file may hold", id="zip bomb"),
    pytest.param("laughs.docx", entities, r"declares XML entities|damaged", id="entities"),
    pytest.param("pages.pdf", lambda: empty_pages(100_000), "pages", id="100,000 pages"),
    pytest.param("locked.pdf", lambda: pdf([[Words("secret")]], password="sesame"), "password", id="encrypted"),
    pytest.param("large.txt", lambda: text(100 * MB), "too large", id="100 MB of text"),
    pytest.param("huge.txt", lambda: text(1024 * MB), "too large", id="1 GB of text", marks=pytest.mark.long),
    pytest.param("picture.png", lambda: b"\x89PNG\r\n\x1a\n" + os.urandom(5_000), "", id="no picture"),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    home = tmp_path_factory.mktemp("home")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("QUIRE_")}
    errors = home / "stderr"
    with errors.open("wb") as stderr:
        process = subprocess.Popen(
            [sys.executable, "-m", "quire", "serve", "--home", str(home), "--port", "0", "--embedder", "none"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=stderr,
            env=kept,
        )
    try:
        with httpx.Client(base_url=address(errors), timeout=ANSWER_SECONDS, trust_env=False) as client:
            yield client
    finally:
        process.terminate()
        assert process.wait(60) == 0


def address(errors: Path) -> str:
    end = time.monotonic() + START_SECONDS
    while not (found := re.search(r"Quire is at (http://\S+)", errors.read_text())):
        assert time.monotonic() < end, errors.read_text()
        time.sleep(0.05)
    return found[1]


def ended(server: httpx.Client, source_id: str) -> tuple[dict[str, Any], int]:
    """The source once it has been read or refused, and how many other calls were answered by then."""
    end, answered = time.monotonic() + FILE_SECONDS, 0
    while True:
        assert time.monotonic() < end, "it is still being read"
        added = server.post("/api/source/add", json={"source_type": "text", "text": "Ants live in hills."})
        assert added.json()["state"] == "ready"
        found = server.post("/api/chat/ask", json={"question": "Where do ants live?"}) if not answered else added
        assert found.status_code == 200
        answered += 1
        source = server.get("/api/source/get", params={"source_id": source_id}).json()
        if source["state"] != "processing":
            return source, answered


@pytest.mark.parametrize(("name", "made", "why"), HOSTILE)
def test_a_hostile_file_ends_with_a_reason_while_others_are_served(
    server: httpx.Client, name: str, made: Any, why: str
) -> None:
    content = made()
    sent = server.post(
        "/api/source/upload",
        params={"name": name, "wait": "false"},
        content=content,
        headers={"Content-Type": "application/octet-stream"},
        timeout=FILE_SECONDS,
    )
    assert sent.status_code == 200, sent.text
    source, answered = ended(server, sent.json()["id"])
    assert answered
    assert source["state"] == "failed"
    assert source["error"]
    assert re.search(why, source["error"]), source["error"]
    assert "Traceback" not in source["error"]


def test_a_file_with_the_wrong_extension_is_read_as_what_it_is(server: httpx.Client) -> None:
    sent = server.post(
        "/api/source/upload",
        params={"name": "table.csv", "wait": "false"},
        content=docx(para("Bees make honey from nectar.")),
    )
    source, _ = ended(server, sent.json()["id"])
    assert (source["state"], source["kind"]) == ("ready", "docx")
