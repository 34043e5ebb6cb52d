"""The files of artifacts, opened by other programs than those that made them."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pypdfium2
import pytest
from documents import content
from docx import Document
from markdown_it import MarkdownIt
from python_calamine import CalamineWorkbook

from quire.adapters.artifact_files import FORMATS, FileMakers, content_json, page, table_csv
from quire.adapters.rendering.typst_pages import typst_language
from quire.domain.data_tables import DataRow, DataTable
from quire.domain.errors import QuireError, Unsupported
from quire.domain.output_languages import LANGUAGES
from quire.domain.reports import Report, ReportSection

MAKERS = FileMakers(lambda extra: True)
TEXT_KINDS = ("report", "quiz", "flashcards", "mind_map", "data_table")


def made(kind: str, format: str, path: Path, what: Any = None) -> Path:
    file = path / f"made.{format}"
    MAKERS.make(kind, format, what or content(kind), file, lambda part: None)
    return file


@pytest.mark.parametrize(("kind", "format"), [(kind, format) for kind in TEXT_KINDS for format in FORMATS[kind]])
def test_every_format_is_made_and_found_whole(kind: str, format: str, tmp_path: Path) -> None:
    assert made(kind, format, tmp_path).stat().st_size > 100


@pytest.mark.parametrize("odd", ["A - b", "# b", "~~b~~", "&amp;", "a\x01b", ""])
def test_no_words_keep_a_file_from_being_whole(odd: str, tmp_path: Path) -> None:
    map, report = content("mind_map"), content("report")
    map = map.model_copy(update={"title": odd})
    map.root.children[0].name = odd
    for format in ("md", "svg", "html"):
        made("mind_map", format, tmp_path, map)
    report.sections[0].heading = odd
    first = report.sections[0].blocks[0].items[0]
    first.statement = first.statement.model_copy(update={"text": odd})
    for format in ("md", "docx"):
        made("report", format, tmp_path, report)


def test_every_language_is_one_that_pages_can_be_set_in() -> None:
    for language in [*LANGUAGES, "pt-BR", "German", "", '"><script>']:
        assert re.fullmatch("[a-z]{2,3}", typst_language(language)), language


@pytest.mark.parametrize("language", ["zh_Hans", '"><script>'])
def test_a_language_with_a_script_and_one_that_is_none_keep_no_file_from_being_made(
    language: str, tmp_path: Path
) -> None:
    report = content("report").model_copy(update={"language": language})
    for format in FORMATS["report"]:
        assert made("report", format, tmp_path, report).stat().st_size > 100
    lang = "zh-Hans" if language == "zh_Hans" else "en"
    assert f'<html lang="{lang}">' in (tmp_path / "made.html").read_text()


def test_a_report_is_a_document_of_word_and_pages_of_pdf(tmp_path: Path) -> None:
    document = Document(str(made("report", "docx", tmp_path)))
    assert document.paragraphs[0].text == "Briefing: Night and light"
    assert [cell.text for cell in document.tables[0].rows[4].cells] == ["Snowy owl", "2,000", "3 to 11"]
    pdf = pypdfium2.PdfDocument(made("report", "pdf", tmp_path))
    text = pdf[0].get_textpage().get_text_range()
    pdf.close()
    assert "Night and light" in text
    assert "The facial disc is a ring of stiff feathers" in " ".join(text.split())


def test_markdown_has_lists_tables_and_no_markup_of_its_sources(tmp_path: Path) -> None:
    report = content("report")
    report.sections[0].blocks[0].items[0] = (
        report.sections[0]
        .blocks[0]
        .items[0]
        .model_copy(
            update={
                "statement": report.sections[0].blocks[0].items[0].statement.model_copy(update={"text": "<b>x</b> *y*"})
            }
        )
    )
    html = MarkdownIt().enable("table").render(made("report", "md", tmp_path, report).read_text())
    assert "&lt;b&gt;x&lt;/b&gt; *y*" in html
    assert "<td>Snowy owl</td>" in html
    assert "<li>" in html


def test_pages_need_nothing_beside_themselves_and_run_nothing_of_their_sources(tmp_path: Path) -> None:
    evil = "</script><img src=x onerror=alert(1)>\" onload='x'"
    report = Report(title=evil, sections=[ReportSection(heading=evil)])
    text = made("report", "html", tmp_path, report).read_text()
    assert "<img" not in text
    assert "default-src 'none'" in text
    quiz = content("quiz").model_copy(update={"title": evil})
    text = made("quiz", "html", tmp_path, quiz).read_text()
    assert "<img" not in text
    assert text.count("</script>") == 1
    text = made("quiz", "html", tmp_path).read_text()
    for word in ("http://", "https://", "src=", "import "):
        assert word not in text


def test_a_quiz_page_carries_the_data_that_clients_read(tmp_path: Path) -> None:
    _, attributes = page.read_page(made("quiz", "html", tmp_path))
    told = json.loads(attributes["data-app-data"])["quiz"]
    assert [option["isCorrect"] for option in told[0]["answerOptions"]].count(True) == 1


def test_flashcards_are_a_deck_of_anki(tmp_path: Path) -> None:
    cards = content("flashcards")
    with zipfile.ZipFile(made("flashcards", "apkg", tmp_path)) as deck:
        assert set(deck.namelist()) == {"collection.anki2", "media"}
        deck.extract("collection.anki2", tmp_path)
    with closing(sqlite3.connect(tmp_path / "collection.anki2")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        notes = connection.execute("SELECT flds, mid FROM notes ORDER BY id").fetchall()
        models, decks = (json.loads(one) for one in connection.execute("SELECT models, decks FROM col").fetchone())
        did = {row[0] for row in connection.execute("SELECT did FROM cards")}
    assert [fields.split("\x1f")[0].replace("<br>", "\n") for fields, _ in notes] == [one.front for one in cards.cards]
    assert {str(mid) for _, mid in notes} == set(models)
    assert {decks[str(one)]["name"] for one in did} == {cards.title}


def test_a_mind_map_is_drawn_with_no_box_over_another(tmp_path: Path) -> None:
    tree = ElementTree.fromstring(made("mind_map", "svg", tmp_path).read_text())
    places = [
        tuple(float(box.attrib[name]) for name in ("x", "y", "width", "height"))
        for box in tree.iter("{http://www.w3.org/2000/svg}rect")
    ]
    assert len(places) > 12
    for number, (x, y, wide, high) in enumerate(places):
        for other_x, other_y, other_wide, other_high in places[number + 1 :]:
            assert x + wide <= other_x or other_x + other_wide <= x or y + high <= other_y or other_y + other_high <= y


def test_a_data_table_is_a_workbook_with_numbers_and_no_formulas(tmp_path: Path) -> None:
    rows = [DataRow(cells=["=1+1", "2,000", "-5"]), DataRow(cells=["@cmd", "40", "+x"])]
    table = DataTable(title="T", columns=["a", "b", "c"], rows=rows)
    sheet = CalamineWorkbook.from_path(str(made("data_table", "xlsx", tmp_path, table))).get_sheet_by_index(0)
    assert sheet.to_python()[1:] == [["=1+1", 2000, "-5"], ["@cmd", 40, "+x"]]
    text = made("data_table", "csv", tmp_path, table).read_text(encoding="utf-8-sig")
    assert list(csv.reader(io.StringIO(text)))[1:] == [["'=1+1", "2,000", "-5"], ["'@cmd", "40", "'+x"]]


def test_a_file_that_is_not_whole_is_no_file(tmp_path: Path) -> None:
    table = content("data_table")
    file = made("data_table", "csv", tmp_path, table)
    file.write_text("\n".join(file.read_text().splitlines()[:-1]))
    with pytest.raises(ValueError, match="a row is missing"):
        table_csv.check(file, table)
    quiz = content("quiz")
    broken = tmp_path / "broken.json"
    broken.write_text(quiz.model_copy(update={"title": "Other"}).model_dump_json())
    with pytest.raises(ValueError, match="the same"):
        content_json.check(broken, quiz)


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(Unsupported) as refused:
        FileMakers(lambda extra: False).make("report", "pdf", content("report"), tmp_path / "x", lambda part: None)
    assert refused.value.hint == "quire extras add studio"
    with pytest.raises(QuireError, match="no mp3 of this kind"):
        MAKERS.make("report", "mp3", content("report"), tmp_path / "x", lambda part: None)
