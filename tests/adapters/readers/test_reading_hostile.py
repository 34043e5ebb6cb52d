"""Files that are made to harm, or were harmed: each is refused in words, or read as far as it goes."""

from __future__ import annotations

import asyncio
import random
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as some
from made_office import NUMBERING, STYLES, W, docx, epub, item, open_document, para, pptx, shape, styled, xlsx, zipped
from made_pdf import Words, paragraph, pdf

from quire.adapters.readers import HEAD, KINDS, Limits, read, reader_of, sniff
from quire.domain.errors import InvalidInput, QuireError, TooLarge

LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in zip("abcdefgh", "bcdefghi", strict=True))
    + "]>"
)
BODY = f'<w:document xmlns:w="{W}"><w:body><w:p><w:r><w:t>&i;</w:t></w:r></w:p></w:body></w:document>'
OUTSIDE = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]>'
CHAPTER = "<h1>One</h1><p>Words of a chapter, and more of them.</p><ul><li>a</li></ul>"
MAIL = b"From: ada@example.org\r\nTo: bo@example.org\r\nSubject: hi\r\nContent-Type: text/plain\r\n\r\nHello"
NOTEBOOK = b'{"cells": [{"cell_type": "markdown", "source": ["# A"]}], "nbformat": 4, "metadata": {}}'
WHOLE: dict[str, bytes] = {
    "text": "Grüße, plain words".encode(),
    "markdown": b"# Title\n\nwords\n\n```\ncode\n```\n",
    "csv": b"a,b\n1,2\n",
    "html": b"<html><body><h1>A</h1><table><tr><td>1</td><td>2</td></tr></table></body></html>",
    "xml": b"<rss><channel><title>T</title><item><title>A</title></item></channel></rss>",
    "captions": b"WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ada>Hello\n",
    "email": MAIL,
    "ipynb": NOTEBOOK,
    "rtf": rb"{\rtf1\ansi Hello \b world\b0\par}",
    "pdf": pdf([[Words("Large", size=20), *paragraph(["Some words on a page.", "And more."])]], title="T"),
    "docx": docx(styled("A", "H1") + item("one", 1) + para("two"), styles=STYLES, numbering=NUMBERING),
    "pptx": pptx([shape("A", "title") + shape("b\nc", "body")], notes={1: "n"}),
    "xlsx": xlsx({"S": [["a", "b"], ["c", 1.5]]}, comment="hm"),
    "odt": open_document('<text:h text:outline-level="1">A</text:h><text:p>b</text:p>'),
    "epub": epub({"a.xhtml": CHAPTER}, contents={"a.xhtml": "One"}),
}


def changed(data: bytes, part: str, content: str) -> bytes:
    """A zip file with one of its members replaced."""
    with zipfile.ZipFile(BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    return zipped({**members, part: content.encode()}, stored=("mimetype",))


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("docx", changed(docx(para("x")), "word/document.xml", LAUGHS + BODY)),
        ("docx", changed(docx(para("x")), "_rels/.rels", LAUGHS + "<Relationships/>")),
        ("pptx", changed(pptx([shape("x")]), "ppt/presentation.xml", LAUGHS + "<presentation>&i;</presentation>")),
        ("odt", changed(open_document(""), "content.xml", LAUGHS + "<x>&i;</x>")),
        ("epub", changed(epub({"a.xhtml": "<p/>"}), "OPS/book.opf", LAUGHS + "<package>&i;</package>")),
        ("xml", (LAUGHS + "<rss><channel><title>&i;</title></channel></rss>").encode()),
        ("xml", (OUTSIDE + "<rss><channel><title>&a;</title></channel></rss>").encode()),
        ("docx", changed(docx(para("x")), "word/document.xml", OUTSIDE + BODY.replace("&i;", "&a;"))),
    ],
    ids=["docx", "docx relations", "pptx", "odt", "epub", "xml", "xml outside", "docx outside"],
)
def test_entities_are_never_expanded(reading: Any, kind: str, data: bytes) -> None:
    with pytest.raises(InvalidInput, match=r"declares XML entities|damaged"):
        reading(kind, data)


def test_entities_in_a_chapter_of_a_book_are_not_expanded(reading: Any) -> None:
    chapter = LAUGHS + "<html><body><p>before &i; after</p></body></html>"
    try:
        text = reading("epub", changed(epub({"a.xhtml": "<p/>"}), "OPS/a.xhtml", chapter)).text
    except InvalidInput:
        return
    assert "haha" not in text


@pytest.mark.parametrize("kind", ["docx", "pptx", "xlsx", "odt", "epub"])
def test_a_zip_bomb_is_refused_before_it_goes_off(reading: Any, kind: str) -> None:
    bomb = zipped({**members_of(WHOLE[kind]), "bomb.xml": b" " * 50_000_000})
    assert len(bomb) < 200_000
    with pytest.raises(TooLarge, match="expands to more than one file may hold"):
        reading(kind, bomb)


def test_many_members_that_expand_to_too_much_together_are_refused(reading: Any) -> None:
    limits = Limits(expanded_bytes=1_000_000, ratio=10_000)
    parts = {f"word/media/{number}.bin": bytes(300_000) for number in range(4)}
    with pytest.raises(TooLarge, match="expands to more"):
        reading("docx", zipped({**members_of(WHOLE["docx"]), **parts}), limits)


def test_one_member_too_many_is_refused(reading: Any) -> None:
    members = members_of(WHOLE["docx"])
    assert reading("docx", zipped(members), Limits(entries=len(members)))
    with pytest.raises(TooLarge, match=f"more than {len(members)} files"):
        reading("docx", zipped({**members, "one more": b""}), Limits(entries=len(members)))


def test_names_that_climb_out_of_a_zip_file_reach_nothing(reading: Any, tmp_path: Path) -> None:
    parts = {**members_of(WHOLE["docx"]), "../../evil.txt": b"x", "/etc/evil.txt": b"x"}
    assert "two" in reading("docx", zipped(parts)).text
    assert not (tmp_path.parent / "evil.txt").exists()


def test_a_zip_file_with_a_password_is_refused(reading: Any) -> None:
    data = bytearray(WHOLE["docx"])
    for sign, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(sign)
        while at >= 0:
            data[at + place] |= 1
            at = data.find(sign, at + 4)
    with pytest.raises(InvalidInput, match="protected by a password"):
        reading("docx", bytes(data))


def test_an_encrypted_open_document_is_refused(reading: Any) -> None:
    manifest = "<manifest><file-entry><encryption-data/></file-entry></manifest>"
    data = zipped({**members_of(open_document("")), "META-INF/manifest.xml": manifest})
    with pytest.raises(InvalidInput, match="protected by a password"):
        reading("odt", data)


def test_a_bomb_in_a_child_process_gives_the_same_reason(tmp_path: Path) -> None:
    path = tmp_path / "report.docx"
    path.write_bytes(zipped({**members_of(WHOLE["docx"]), "bomb.xml": b" " * 50_000_000}))
    with pytest.raises(TooLarge, match="expands to more than one file may hold"):
        asyncio.run(read(path, sniff(path.name, None, path.read_bytes()[:HEAD])))


def test_a_file_with_the_wrong_extension_is_read_as_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(WHOLE["docx"])
    kind = sniff(path.name, "text/csv", path.read_bytes()[:HEAD])
    document = asyncio.run(read(path, kind))
    assert (kind, document.title) == ("docx", "A")


def members_of(data: bytes) -> dict[str, str | bytes]:
    with zipfile.ZipFile(BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def only_in_words(kind: str, path: Path, data: bytes) -> None:
    """A reader may give a document or refuse; anything else that it raises is a fault of ours."""
    path.write_bytes(data)
    try:
        document = reader_of(KINDS[kind])(path, Limits(text_chars=1_000_000)).document()
    except QuireError:
        return
    assert document.text.strip()
    assert "\x00" not in document.text


READABLE = sorted(WHOLE)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=some.binary(max_size=400))
@example(data=b"")
@example(data=b"PK\x03\x04")
@example(data=b"%PDF-1.7\n1 0 obj\n<<")
@pytest.mark.parametrize("kind", [*READABLE, "outlook", "odp", "ods"])
def test_random_bytes_never_raise_anything_but_our_errors(kind: str, tmp_path: Path, data: bytes) -> None:
    only_in_words(kind, tmp_path / "file", data)
    assert sniff("file", None, data) in KINDS


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=some.integers(0, 2**32))
@pytest.mark.parametrize("kind", READABLE)
def test_damaged_files_never_raise_anything_but_our_errors(kind: str, tmp_path: Path, seed: int) -> None:
    only_in_words(kind, tmp_path / "file", damage(WHOLE[kind], random.Random(seed)))


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=some.integers(0, 2**32))
@pytest.mark.parametrize("kind", ["docx", "pptx", "xlsx", "odt", "epub"])
def test_damage_inside_a_zip_file_never_raises_anything_but_our_errors(kind: str, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    parts = members_of(WHOLE[kind])
    name = chance.choice(sorted(parts))
    content = parts[name]
    parts[name] = damage(content if isinstance(content, bytes) else content.encode(), chance)
    only_in_words(kind, tmp_path / "file", zipped(parts, stored=("mimetype",)))


def damage(data: bytes, chance: random.Random) -> bytes:
    """Cuts, flips, repeats or drops some of the bytes."""
    broken = bytearray(data)
    match chance.randrange(4):
        case 0:
            return bytes(broken[: chance.randrange(len(broken) + 1)])
        case 1:
            for _ in range(chance.choice((1, 5, 40))):
                broken[chance.randrange(len(broken))] = chance.randrange(256)
        case 2:
            at = chance.randrange(len(broken))
            broken[at:at] = broken[at : at + chance.randrange(100)] * chance.choice((2, 50))
        case _:
            at = chance.randrange(len(broken))
            del broken[at : at + chance.randrange(1, 60)]
    return bytes(broken)
