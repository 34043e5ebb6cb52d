"""Documents and workbooks, opened again by readers that know nothing of what wrote them."""

from __future__ import annotations

import asyncio
import io
import re
import zipfile
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from lxml import etree

from quire.adapters.office.writer import OfficeLimits, OfficeWriter
from quire.adapters.readers import read
from quire.domain.errors import TooLarge
from quire.domain.sheets import Sheet, typed_sheet
from quire.ports.office import OfficeFacts

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
WRITER = OfficeWriter()

REPORT = """## What bees do

A *quick* **bold** `word` with [a link](https://example.org/a?b=1&c=2), a claim [2], the same [2] and a note[^x].

1. one
2. two
   - inner
   - [x] done
3. three

Between them.

1. from one again

> quoted words

```python
def honey():
    return 1
```

| Name | Count |
|---|--:|
| hive | 12 |
| a\\|b | 3 |

---

[unsafe](javascript:alert(1)) <b>tags</b> \x0b

שלום

[^x]: A *foot* note.
"""


def part(content: bytes, name: str) -> etree._Element:
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        return etree.fromstring(file.read(name))


def text_of(content: bytes, kind: str, folder: Path) -> str:
    path = folder / f"written.{kind}"
    path.write_bytes(content)
    return asyncio.run(read(path, kind)).text


def styles_of(document: etree._Element) -> list[str]:
    return [style.get(f"{W}val") for style in document.iter(f"{W}pStyle")]


def test_markdown_becomes_a_document_that_another_reader_opens(tmp_path: Path) -> None:
    facts = OfficeFacts("Bees", "de", datetime(2026, 5, 4, tzinfo=UTC), {"2": "The *Hive*, page 3"})
    content = asyncio.run(WRITER.document(REPORT, facts))
    text = text_of(content, "docx", tmp_path)
    assert text.startswith(
        "# Bees\n\n## What bees do\n\nA quick bold word with [a link](https://example.org/a?b=1&c=2)"
    )
    assert "a claim[^1], the same1 and a note[^2]." in text
    assert "1. one\n2. two\n  - inner\n" in text
    assert "Between them.\n\n1. from one again" in text
    assert "| Name | Count |\n| - | - |\n| hive | 12 |\n| a\\|b | 3 |" in text
    assert "def honey():" in text
    assert "[unsafe](javascript:alert(1)) <b>tags</b>" in text
    assert "[^1]: The Hive, page 3" in text
    assert "[^2]: A foot note." in text
    styles = styles_of(part(content, "word/document.xml"))
    assert {"Title", "Heading2", "ListNumber", "ListBullet", "Quote", "Code"} <= set(styles)
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        assert b"javascript" not in file.read("word/_rels/document.xml.rels")
        assert b"2026-05-04" in file.read("docProps/core.xml")


def test_looks_are_marks_of_runs_and_rows_of_heads_repeat() -> None:
    document = part(asyncio.run(WRITER.document(REPORT)), "word/document.xml")
    looks = {
        run.findtext(f"{W}t"): {mark.tag.removeprefix(W) for mark in run.find(f"{W}rPr")}
        for run in document.iter(f"{W}r")
        if run.find(f"{W}rPr") is not None
    }
    assert (looks["quick"], looks["bold"]) == ({"i"}, {"b"})
    assert looks["שלום"] == {"rtl"}
    assert len(list(document.iter(f"{W}bidi"))) == 1
    assert len(list(document.iter(f"{W}tblHeader"))) == 1
    assert [jc.get(f"{W}val") for jc in document.iter(f"{W}jc")] == ["right"] * 3


def test_chapters_keep_footnotes_and_levels_of_their_own(tmp_path: Path) -> None:
    chapters = [("One", "# Inner\n\nFirst[^1].\n\n[^1]: of one"), ("Two", "Second[^1].\n\n[^1]: of two")]
    text = text_of(asyncio.run(WRITER.document(chapters)), "docx", tmp_path)
    assert "# One\n\n## Inner\n\nFirst[^1]." in text
    assert "# Two\n\nSecond[^2]." in text
    assert "[^1]: of one" in text
    assert "[^2]: of two" in text


def test_a_workbook_has_types_and_no_formulas(tmp_path: Path) -> None:
    rows = [
        ["=1+1", 12, 0.5, True, date(2026, 5, 4)],
        ["@sum", -3, None, False, datetime(2026, 5, 4, 12, 30)],
        ["+49 30", 10**20, float("nan"), "-x", "text"],
    ]
    sheets = [
        Sheet("Prices: all/some", ["=name", "n", "share", "ok", "day"], rows, frozenset({2})),
        Sheet("prices  all some", ["a"], []),
    ]
    content = asyncio.run(WRITER.workbook(sheets, OfficeFacts("Prices")))
    text = text_of(content, "xlsx", tmp_path)
    assert "| =name | n | share | ok | day |" in text
    assert re.search(r"\| =1\+1 \| 12 \| 0.5 \| \w+ \| 2026-05-04", text)
    sheet = part(content, "xl/worksheets/sheet1.xml")
    tags = {etree.QName(one).localname for one in sheet.iter()}
    assert "f" not in tags
    assert {"pane", "autoFilter", "cols"} <= tags
    names = [one.get("name") for one in part(content, "xl/workbook.xml").iter() if one.get("sheetId")]
    assert names == ["Prices  all some", "prices  all some 2"]
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        assert b'quotePrefix="1"' in file.read("xl/styles.xml")


def test_columns_are_numbers_percentages_or_days_only_when_all_of_them_are() -> None:
    header = ["count", "share", "day", "code", "mixed", "long"]
    sheet = typed_sheet(
        "T",
        header,
        [["1,200", "5%", "2026-05-04", "007", "1", "1" * 20], ["−3", "7.5 %", "2025-01-01", "8", "x", "2"], [" ", ""]],
    )
    assert [list(row[:4]) for row in sheet.rows] == [
        [1200, 0.05, date(2026, 5, 4), "007"],
        [-3, 0.075, date(2025, 1, 1), "8"],
        [None, None, None, ""],
    ]
    assert [row[4] for row in sheet.rows] == ["1", "x", ""]
    assert sheet.rows[0][5] == "1" * 20
    assert sheet.percent == {1}


def test_tables_of_texts_are_sheets_called_after_their_headings(tmp_path: Path) -> None:
    texts = [("First", "| a | b |\n|-|-|\n| 1 | x<br>y |"), ("Second", "none here"), ("Third", f"{REPORT}")]
    content = asyncio.run(WRITER.workbook_of_tables(texts))
    assert content is not None
    text = text_of(content, "xlsx", tmp_path)
    assert "## First\n\n| a | b |" in text
    assert "## What bees do\n\n| Name | Count |\n| - | - |\n| hive | 12 |" in text
    assert asyncio.run(WRITER.workbook_of_tables([("None", "no table")])) is None


@pytest.mark.parametrize("hostile", ["[" * 20_000, "> " * 20_000, "[^1]" * 2_000 + "\n\n[^1]: [^1]", "|a" * 2_000])
def test_texts_that_are_nothing_but_marks_are_written_in_time(hostile: str) -> None:
    assert asyncio.run(OfficeWriter(OfficeLimits(seconds=60)).document(hostile)).startswith(b"PK")


def test_what_is_too_much_is_refused_and_its_process_is_gone() -> None:
    with pytest.raises(TooLarge, match="characters"):
        asyncio.run(OfficeWriter(OfficeLimits(characters=10)).document("x" * 11))
    with pytest.raises(TooLarge, match="took longer than"):
        asyncio.run(OfficeWriter(OfficeLimits(seconds=0.01)).document("x"))
    with pytest.raises(TooLarge, match="cells"):
        asyncio.run(OfficeWriter(OfficeLimits(cells=1)).workbook([Sheet("a", ["b", "c"], [])]))
