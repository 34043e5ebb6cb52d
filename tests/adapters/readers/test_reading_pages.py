"""Web pages as people save them: their article where they are one, all of them where not."""

from __future__ import annotations

import base64
import quopri
from typing import Any

import pytest
from made_pages import (
    AROUND,
    ARTICLE,
    INDEX,
    MANUAL,
    MINUTES,
    SENTENCE,
    TABLE,
    THREAD,
    WITHOUT_TAG,
    page,
    paragraphs,
)

from quire.adapters.readers import KINDS, sniff

SAVED = (
    "From: <Saved by Blink>\r\nSnapshot-Content-Location: https://news.example.org/harbour\r\n"
    "Subject: Harbour rebuilt\r\nDate: Mon, 1 Jan 2024 10:00:00 -0000\r\nMIME-Version: 1.0\r\n"
    'Content-Type: multipart/related; type="text/html"; boundary="----b"\r\n\r\n'
)


def saved(html: bytes, encoding: str = "quoted-printable", charset: str = "") -> bytes:
    """A page as Chrome saves it in one file, with a picture and a frame."""
    body = quopri.encodestring(html) if encoding == "quoted-printable" else base64.encodebytes(html)
    told = f"; charset={charset}" if charset else ""
    parts = [
        (f"Content-Type: text/html{told}\r\nContent-Transfer-Encoding: {encoding}", body),
        ("Content-Type: image/png\r\nContent-Transfer-Encoding: base64", base64.encodebytes(b"\x89PNG" * 50)),
        ("Content-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable", b"<p>Buy a boat</p>"),
    ]
    shown = b"".join(b"------b\r\n" + head.encode() + b"\r\n\r\n" + data + b"\r\n" for head, data in parts)
    return SAVED.encode() + shown + b"------b--\r\n"


@pytest.mark.parametrize("made", [ARTICLE, WITHOUT_TAG], ids=["article", "div"])
def test_of_a_page_that_is_an_article_that_is_read(reading: Any, made: str) -> None:
    document = reading("html", made)
    assert "Part 3." in document.text
    assert "Bill 2." in document.text
    assert "other story" not in document.text
    assert "cookies" not in document.text
    assert document.title == "Harbour rebuilt"
    assert document.warnings == []


def test_an_article_keeps_its_headings(reading: Any) -> None:
    assert "\n\n## What it cost\n\nBill 0." in reading("html", ARTICLE).text


def test_all_of_a_page_can_be_had(reading: Any) -> None:
    text = reading("html", ARTICLE, whole=True).text
    assert "other story 59" in text
    assert "Part 3." in text
    assert "We use cookies." in text


@pytest.mark.parametrize(
    ("made", "kept"),
    [
        (TABLE, ["| Ship 0 | 1900 | 0 tons |", "| Ship 39 | 1939 | 468 tons |", "Note 1."]),
        (INDEX, ["About 2.", *(f"The log of ship number {n}" for n in range(40))]),
        (MINUTES, ["Present: Ada, Bo, Cleo", "Absent: Dora", "Bo buys the paint.", "Next: 1 July"]),
        (THREAD, [f"Answer {n}." for n in range(9)] + [f"Sailor{n} wrote" for n in range(9)]),
        (MANUAL, ["Use 1.", *(f"Turns on part {n}." for n in range(30)), "boat --flag-29"]),
    ],
    ids=["table", "index", "minutes", "thread", "manual"],
)
def test_a_page_that_is_no_article_loses_nothing_of_its_own(reading: Any, made: str, kept: list[str]) -> None:
    text = reading("html", made).text
    assert [said for said in kept if said not in text] == []


def test_a_page_that_says_it_is_an_article_but_is_a_thread_is_read_whole(reading: Any) -> None:
    posts = "".join(f"<div class=post><b>Sailor{n}</b><p>Answer {n}. {SENTENCE}</p></div>" for n in range(20))
    kind = '<script type="application/ld+json">{"@type": "DiscussionForumPosting"}</script>'
    text = reading("html", page(f"<article><p>Which paint?</p>{posts}</article>", kind)).text
    assert all(f"Answer {n}." in text for n in range(20))


def test_an_article_that_is_far_smaller_than_its_page_says_so(reading: Any) -> None:
    around = AROUND * 8
    made = f"<html><body>{around}<article>{paragraphs(4)}</article></body></html>"
    document = reading("html", made)
    assert "other story" not in document.text
    (warning,) = document.warnings
    assert "Only the article of the page was read" in warning
    assert "`whole`" in warning
    assert reading("html", made, whole=True).warnings == []


def test_pages_that_browsers_saved_with_all_that_belongs_to_them_are_read(reading: Any) -> None:
    complete = ARTICLE.replace("<html>", "<!-- saved from url=(0030)https://news.example.org/h -->\n<html>")
    assert sniff("Harbour.html", None, complete.encode()) == "html"
    assert reading("html", complete).text == reading("html", ARTICLE).text
    picture = f'<img src="data:image/png;base64,{"A" * 12_000_000}" alt="The pier">'
    single = ARTICLE.replace("<article>", f"<article>{picture}").replace(
        "<html>", "<html><!-- Page saved with SingleFile url: https://news.example.org/h -->"
    )
    document = reading("html", single)
    assert "Bill 2." in document.text
    assert "AAAA" not in document.text


@pytest.mark.parametrize("encoding", ["quoted-printable", "base64"])
def test_a_page_in_one_file_with_its_pictures_is_read_like_any_page(reading: Any, encoding: str) -> None:
    data = saved(ARTICLE.encode(), encoding)
    assert sniff("Harbour.mhtml", None, data) == "mhtml"
    assert sniff("harbour", "multipart/related", data) == "mhtml"
    document = reading("mhtml", data)
    assert document.text == reading("html", ARTICLE).text
    assert document.title == "Harbour rebuilt"
    whole = reading("mhtml", data, whole=True).text
    assert "other story 3" in whole
    assert "Buy a boat" in whole


def test_a_page_in_one_file_is_read_in_the_encoding_of_its_part(reading: Any) -> None:
    data = saved("<html><body><p>Гавань перестроили</p></body></html>".encode("koi8-r"), charset="koi8-r")
    assert reading("mhtml", data).text == "Гавань перестроили"


def test_an_old_mail_with_pictures_is_still_a_mail() -> None:
    mail = SAVED.replace("<Saved by Blink>", "Ada <ada@example.org>").replace("Snapshot-Content-Location", "X-Place")
    assert sniff("letter.eml", None, mail.encode()) == "email"
    assert sniff("letter.mht", None, mail.encode()) == "mhtml"


@pytest.mark.parametrize(
    "body",
    [
        "<table><tr><td>" * 50 + SENTENCE + "</td></tr></table>" * 50,
        AROUND * 600 + f"<p>{SENTENCE}</p>",
        "<article>" * 200 + paragraphs(3),
        '<div class="' + "nav-" * 50_000 + f'"><p>{SENTENCE}</p></div>',
        "<a>" * 2_000 + SENTENCE,
    ],
    ids=["nested tables", "megabytes of navigation", "nested articles", "long class", "nested links"],
)
def test_pages_made_to_harm_are_read_to_their_end(reading: Any, body: str) -> None:
    assert "harbour of the northern island" in reading("html", f"<html><body>{body}</body></html>").text


def test_pages_of_broken_bytes_are_read_as_far_as_they_go(reading: Any) -> None:
    broken = ARTICLE.encode().replace(b"winter", b"win\xff\xfeter\x80")
    assert "Bill 2." in reading("html", broken).text
    declared = ARTICLE.replace("charset=utf-8", "charset=no-such-thing").encode()
    assert "Bill 2." in reading("html", declared).text


def test_readers_of_pages_are_told_whether_all_is_wanted() -> None:
    assert {kind for kind, known in KINDS.items() if "whole" in known.takes} == {"html", "mhtml"}
