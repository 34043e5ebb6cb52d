"""What kind a file is: content before name, name before what its sender says."""

from __future__ import annotations

import importlib
import time
import wave
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from made_office import container, docx, epub, open_document, para, pptx, shape, xlsx, zipped
from made_pdf import paragraph, pdf

from quire.adapters.readers import HEAD, KINDS, Kind, reader_of, sniff
from quire.adapters.readers.sniffing import BY_EXTENSION

MAIL = b"Received: by x\r\nFrom: ada@example.org\r\nSubject: hi\r\n\r\nHello"
CONTENTS: dict[str, bytes] = {
    "pdf": pdf([paragraph(["x"])]),
    "docx": docx(para("x")),
    "pptx": pptx([shape("x")]),
    "xlsx": xlsx({"S": [["x"]]}),
    "odt": open_document("<text:p>x</text:p>"),
    "odp": open_document("", kind="presentation"),
    "ods": open_document("", kind="spreadsheet"),
    "epub": epub({"a.xhtml": "<p>x</p>"}),
    "html": b"\xef\xbb\xbf \n<!-- saved --><!DOCTYPE html><p>x",
    "xml": b"<?xml version='1.0'?><plan/>",
    "captions": b"WEBVTT\n\n00:01.000 --> 00:02.000\nx",
    "email": MAIL,
    "ipynb": b'{"cells": [{"cell_type": "code"}], "nbformat": 4}',
    "rtf": rb"{\rtf1 x}",
    "image": b"\x89PNG\r\n\x1a\n",
    "audio": b"fLaC\x00",
    "video": b"\x00\x00\x00\x20ftypisom\x00",
    "heic": b"\x00\x00\x00\x18ftypheic\x00",
    "archive": zipped({"a.txt": "x"}),
    "unknown": b"\x7fELF\x02\x01\x01" + b"\x00" * 60,
    "outlook": container({"__properties_version1.0": b"x"}),
    "doc": container({"WordDocument": b"x"}),
    "ppt": container({"PowerPoint Document": b"x"}),
    "locked": container({"EncryptedPackage": b"x", "EncryptionInfo": b"x"}),
}


@pytest.mark.parametrize("kind", CONTENTS)
@pytest.mark.parametrize("name", ["right", "wrong", "none"])
def test_content_tells_the_kind_whatever_the_name_says(kind: str, name: str) -> None:
    extension = (KINDS[kind].extensions or ("bin",))[0]
    names = {"right": f"file.{extension}", "wrong": "file.csv" if kind != "csv" else "file.md", "none": "file"}
    assert sniff(names[name], None, CONTENTS[kind][:HEAD]) == kind


@pytest.mark.parametrize(
    ("name", "media_type", "head", "kind"),
    [
        ("notes.md", None, b"# Title", "markdown"),
        ("notes", "text/markdown; charset=utf-8", b"# Title", "markdown"),
        ("data.TSV", None, b"a\tb", "csv"),
        ("main.py", None, b"import os", "text"),
        ("page", "text/html", b"<p>hello", "html"),
        ("report.pdf", None, b"These are only words.", "text"),
        ("report.docx", "text/plain", b"These are only words.", "text"),
        ("empty", None, b"", "text"),
        ("wide.txt", None, "plain words".encode("utf-16"), "text"),
        ("wide.txt", None, "plain words here".encode("utf-16-le"), "text"),
        ("noise.mp3", None, b"\x00\x01\x02\x03\x04" * 20, "audio"),
        ("noise", None, b"\x00\x01\x02\x03\x04" * 20, "unknown"),
        ("old.xls", None, container({"Workbook": b"x"}), "xls"),
        ("far.xls", None, container({"Other": b"x"}), "xls"),
        ("book.epub", None, zipped({"a.txt": "x"}), "epub"),
        ("late.pdf", None, b"\r\n" * 50 + b"%PDF-1.4", "pdf"),
        ("clip.webp", None, b"RIFF\x00\x00\x00\x00WEBPVP8 ", "image"),
        ("clip.srt", None, b"1\r\n00:00:01,000 --> 00:00:02,000\r\nx", "captions"),
        ("feed", "application/rss+xml", b"<rss version='2'><channel/></rss>", "xml"),
        ("page.xhtml", None, b"<?xml version='1.0'?>\n<html xmlns='x'></html>", "html"),
        ("letter.txt", None, b"From: me\n\nno other header", "text"),
    ],
)
def test_names_and_declared_types_decide_where_content_does_not(
    name: str, media_type: str | None, head: bytes, kind: str
) -> None:
    assert sniff(name, media_type, head[:HEAD]) == kind


def test_a_wave_file_is_a_recording() -> None:
    data = BytesIO()
    with wave.open(data, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(b"\x00" * 100)
    assert sniff("x.bin", None, data.getvalue()) == "audio"


def test_an_office_file_is_known_whatever_the_order_of_its_parts() -> None:
    data = BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("docProps/app.xml", "<x/>")
        archive.writestr("word/styles.xml", "<x/>")
    assert sniff("x", None, data.getvalue()) == "docx"


def files() -> dict[str, Kind]:
    return {name: kind for name, kind in KINDS.items() if kind.media_types}


def test_every_kind_has_a_reader_or_says_why_not() -> None:
    for name, kind in files().items():
        assert bool(kind.reader) != bool(kind.refusal), name
        assert kind.what.startswith(("a ", "an "))


def test_no_extension_and_no_media_type_is_claimed_twice() -> None:
    extensions = [extension for kind in KINDS.values() for extension in kind.extensions]
    media_types = [media_type for kind in KINDS.values() for media_type in kind.media_types]
    assert len(extensions) == len(set(extensions)) == len(BY_EXTENSION)
    assert len(media_types) == len(set(media_types))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if KINDS[kind].reader])
def test_the_reader_of_every_kind_exists(kind: str) -> None:
    assert callable(reader_of(KINDS[kind]))


def test_reading_the_table_imports_no_library() -> None:
    import subprocess
    import sys

    heavy = {"lxml", "pypdfium2", "asyncio", "pydantic", "numpy", "PIL", "trafilatura"}
    program = f"import sys, quire.adapters.readers.child; print(sorted({heavy!r} & set(sys.modules)))"
    path = str(Path(importlib.import_module("quire").__file__ or "").parents[1])
    environment: dict[str, Any] = {"PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(
    "head", [b"<!---->" * 9000, b"<!--" * 16_000, b"<?xml" + b"?" * 60_000, b"<!-- -->" + b" " * 60_000]
)
def test_no_beginning_takes_long_to_be_told(head: bytes) -> None:
    began = time.perf_counter()
    sniff("", None, head + b"x")
    assert time.perf_counter() - began < 2
