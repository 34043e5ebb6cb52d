"""Plain text, Markdown, tables of values, captions, notebooks: what stands in a file as characters."""

from __future__ import annotations

import codecs
import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from quire.adapters.readers.captions import cues
from quire.domain.errors import InvalidInput
from quire.domain.hygiene import clean, one_line


def at(document: Any, offset: int) -> str:
    """The line that begins at an offset."""
    return document.text[offset:].partition("\n")[0]


@given(some.text(alphabet=some.characters(codec=None), max_size=300))
def test_clean_text_stays_as_it_is_when_it_is_cleaned_again(text: str) -> None:
    once = clean(text)
    assert clean(once) == once
    once.encode()
    assert "\x00" not in once
    assert "\r" not in once
    assert "\n\n\n" not in once


def test_cleaning_composes_letters_and_drops_what_cannot_be_seen() -> None:
    assert clean("Cafe\u0301\x00 \u200bau\u00a0lait\r\nno\ufeffw\x07 \n\n\n\nthen\ud800\u2028end") == (
        "Caf\u00e9 au lait\nnow\n\nthen\ufffd\nend"
    )
    assert (
        clean("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645") == "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"
    )
    assert one_line(" two\n lines\t here ") == "two lines here"


@pytest.mark.parametrize(
    "data",
    [
        "Größe und Maß".encode(),
        codecs.BOM_UTF8 + "Größe und Maß".encode(),
        "Größe und Maß".encode("utf-16"),
        "Größe und Maß".encode("utf-16-le"),
        "Größe und Maß".encode("utf-16-be"),
        "Größe und Maß".encode("utf-32"),
        "Größe und Maß".encode("cp1252"),
    ],
    ids=["utf-8", "utf-8 mark", "utf-16 mark", "utf-16-le", "utf-16-be", "utf-32 mark", "cp1252"],
)
def test_text_is_read_in_the_encoding_it_was_written_in(reading: Any, data: bytes) -> None:
    assert reading("text", data).text == "Größe und Maß"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("名前,年齢,住所\n佐藤太郎,30,東京", "cp932"),
        ("人工智能正在改变世界，我们需要学习。", "gb18030"),
        ("안녕하세요. 오늘 회의는 세 시에 시작합니다.", "cp949"),
        ("Съешь же ещё этих мягких французских булок, да выпей чаю. " * 4, "cp1251"),
    ],
)
def test_text_of_other_alphabets_is_read_without_being_told_its_encoding(
    reading: Any, text: str, encoding: str
) -> None:
    assert reading("text", text.encode(encoding)).text == clean(text).strip()


def test_utf_8_with_a_few_broken_bytes_is_still_read_as_utf_8(reading: Any) -> None:
    data = ("Übermäßig schöne Wörter für Göttingen. " * 20).encode()
    assert "schöne Wörter" in reading("text", data[:100] + b"\xff" + data[100:]).text


def test_an_empty_text_is_refused_with_a_reason(reading: Any) -> None:
    with pytest.raises(InvalidInput, match="The file is empty"):
        reading("text", b" \n\n ")


def test_markdown_is_kept_and_its_headings_are_marked(reading: Any) -> None:
    text = (
        "---\ntitle: 'The sea'\n---\n\n# Tides and **currents**\n\nText.\n\n```python\n# not a heading\n```\n\n"
        "Setext\n======\n\nSub [link](http://x)\n---\n\n- item\n---\n\n### Deep ###\nEnd."
    )
    document = reading("markdown", text)
    assert document.text == text
    assert document.title == "The sea"
    assert [(mark.label, mark.level) for mark in document.marks] == [
        ("Tides and currents", 1),
        ("Setext", 1),
        ("Sub link", 2),
        ("Deep", 3),
    ]
    assert [at(document, mark.offset) for mark in document.marks][::3] == ["# Tides and **currents**", "### Deep ###"]
    assert document.place(document.text.index("End.")).heading == "Setext > Sub link > Deep"


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_a_table_of_values_is_read_whatever_separates_them(reading: Any, separator: str) -> None:
    rows = [["city", "people, rounded", "bar|red"], ["Ulm", "126000", "x"], ["Bonn", "336000", "y"]]
    lines = "\r\n".join(separator.join(f'"{cell}"' for cell in row) for row in rows)
    assert reading("csv", lines).text == (
        "| city | people, rounded | bar\\|red |\n| - | - | - |\n| Ulm | 126000 | x |\n| Bonn | 336000 | y |"
    )


def test_captions_flow_and_their_times_are_marks(reading: Any) -> None:
    document = reading(
        "captions",
        "WEBVTT\n\nNOTE nothing\n\n1\n00:00:01.000 --> 00:00:03.000 align:start\n<v Ada>We built &amp;\n"
        "<i>tested</i> it.\n\n00:00:03.000 --> 00:00:05.000\n<v Ada>Twice.\n\n"
        "01:00:09.500 --> 01:00:11.000\n<v Bo>Good.\n",
    )
    assert document.text == "Ada: We built & tested it. Twice.\n\nBo: Good."
    assert [(mark.kind, mark.label) for mark in document.marks] == [
        ("time", "00:00:01"),
        ("time", "00:00:03"),
        ("time", "01:00:09"),
    ]
    assert document.place(document.text.index("Twice")).time == "00:00:03"


def test_subtitles_of_the_older_form_are_read_and_rolling_lines_once(reading: Any) -> None:
    document = reading(
        "captions",
        "1\r\n00:00:00,500 --> 00:00:02,000\r\nthe first line\r\n\r\n2\r\n00:00:02,000 --> 00:00:04,000\r\n"
        "the first line\r\nthe {\\an8}second\r\n",
    )
    assert document.text == "the first line the second"


def test_a_notebook_gives_prose_code_and_printed_output(reading: Any) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Growth\n", "Counts *rise*."]},
        {
            "cell_type": "code",
            "source": "print(2+2)",
            "outputs": [
                {"output_type": "stream", "text": ["4\n"]},
                {"output_type": "display_data", "data": {"image/png": "AAAA", "text/plain": "<Figure>"}},
                {"output_type": "error", "ename": "ValueError", "evalue": "too deep", "traceback": []},
            ],
        },
    ]
    metadata = {"language_info": {"name": "python"}}
    document = reading("ipynb", json.dumps({"nbformat": 4, "cells": cells, "metadata": metadata}))
    assert document.text == (
        "# Growth\nCounts *rise*.\n\n```python\nprint(2+2)\n```\n\n```\n4\n```\n\n```\n<Figure>\n```\n\n"
        "```\nValueError: too deep\n```"
    )
    assert document.title == "Growth"
    assert at(document, document.marks[0].offset) == "# Growth"


def test_a_file_of_json_that_is_no_notebook_is_refused_as_one(reading: Any) -> None:
    with pytest.raises(InvalidInput, match="not a Jupyter notebook"):
        reading("ipynb", "{}")


@pytest.mark.parametrize("said", ["<v ", "<a", "{\\", "<v.a"])
@pytest.mark.parametrize("rest", ["", " " * 40_000])
def test_no_captions_take_long_to_be_cut(said: str, rest: str) -> None:
    began = time.perf_counter()
    list(cues(f"WEBVTT\n\n00:00:01.000 --> 00:00:04.000\n{said * 40_000}{rest}\n"))
    assert time.perf_counter() - began < 2
