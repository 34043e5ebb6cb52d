"""Decks as pages, PDF, pictures and PowerPoint files, opened by other programs."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pypdfium2
import pytest
from drawn_samples import SENTENCES, SLIDES, TABLE, TITLES, bullets, deck, faults_of, said
from pptx import Presentation
from pptx.util import Emu

from quire.adapters.artifact_files import deck_pdf, deck_pictures, deck_pptx
from quire.adapters.rendering.deck_pages import pages_of
from quire.adapters.rendering.deck_scenes import scene_of
from quire.domain.decks import (
    BulletSlide,
    ChartSlide,
    ClosingSlide,
    Column,
    ColumnSlide,
    Deck,
    FigureSlide,
    QuoteSlide,
    Slide,
    TableSlide,
    TitleSlide,
)
from quire.domain.figures import Chart, FactTable, KeyFigure, Series, TableRow

LONG_WORD = "Donaudampfschifffahrtsgesellschaftskapitänsmützenfabrikant" * 3
CHINESE = "蜜蜂是一种群居昆虫，一个蜂群最多有六万只蜜蜂。"
ARABIC = "نحل العسل حشرات اجتماعية تعيش في مستعمرات كبيرة."
HARD: dict[str, list[Slide]] = {
    "long titles": [kind.model_copy(update={"title": "A title that goes on and on, " * 12}) for kind in SLIDES],
    "long words": [
        BulletSlide(title=LONG_WORD, bullets=bullets(LONG_WORD, "short")),
        ColumnSlide(title="x", left=Column(heading=LONG_WORD, bullets=bullets(LONG_WORD)), right=Column()),
        TableSlide(title="x", table=FactTable(heads=[LONG_WORD, "b"], rows=[TableRow(cells=[LONG_WORD, LONG_WORD])])),
    ],
    "many bullets": [BulletSlide(title="Many", bullets=bullets(*SENTENCES * 12))],
    "one endless bullet": [
        BulletSlide(title="Endless", bullets=bullets(" ".join(SENTENCES * 20))),
        QuoteSlide(title="Endless", quote=said(" ".join(SENTENCES * 12)), said_by="Someone " * 40),
        ChartSlide(
            title="Endless",
            chart=Chart(form="bar", labels=["a"], series=[Series(name="", values=[1])]),
            takeaway=said(" ".join(SENTENCES * 8)),
        ),
    ],
    "nothing": [
        TitleSlide(title="Only a title"),
        BulletSlide(title="No bullets", bullets=[]),
        BulletSlide(title="Blank", bullets=bullets(" ")),
        TableSlide(title="No rows", table=FactTable(heads=["a", "b"])),
        ChartSlide(title="No values", chart=Chart(form="line", labels=["a"], series=[Series(name="", values=[None])])),
        ClosingSlide(title="The end"),
    ],
    "huge numbers": [
        FigureSlide(
            title="Huge",
            figures=[KeyFigure(value="9" * count, label="x" * count, statement=said("x")) for count in (1, 60, 400)],
        ),
        ChartSlide(
            title="Huge",
            chart=Chart(form="bar", labels=["a", "b", "c"], series=[Series(name="", values=[1e300, -1e300, 1e-300])]),
        ),
    ],
    "other scripts": [
        TitleSlide(title=CHINESE, subtitle=ARABIC),
        BulletSlide(title=ARABIC, bullets=bullets(ARABIC * 6, CHINESE * 10, "Ελληνικά και Русский")),
        QuoteSlide(title="x", quote=said(ARABIC), said_by=ARABIC),
        TableSlide(title=ARABIC, table=FactTable(heads=[ARABIC, "b"], rows=[TableRow(cells=[ARABIC, CHINESE * 5])])),
    ],
    "a wide and long table": [
        TableSlide(
            title="Wide",
            table=FactTable(
                heads=[f"column {number}" for number in range(17)],
                rows=[TableRow(cells=[SENTENCES[number % 3] for number in range(17)]) for _ in range(9)],
            ),
        )
    ],
    "many sources": [ClosingSlide(title="End", bullets=bullets(), sources=[f"Source {n} " * 9 for n in range(60)])],
    "hostile text": [
        BulletSlide(
            title="</a:t><x>&\x00\x07\ud800", bullets=bullets('#{"a"} $x$ \\ @b `c` "]', "\u202ertl mark\u200f")
        )
    ],
}


@pytest.mark.parametrize("form", ["detailed_deck", "presenter_slides"])
def test_every_kind_of_slide_is_readable_and_within_its_bounds(form: str) -> None:
    whole = deck(form=form)
    pages = pages_of(whole)
    assert len(pages) == len(SLIDES)
    assert [page.number for page in pages] == list(range(1, len(SLIDES) + 1))
    assert [fault for page in pages for fault in faults_of(scene_of(whole, page))] == []


@pytest.mark.parametrize("case", HARD)
def test_what_does_not_fit_is_made_smaller_or_goes_to_further_slides(case: str, tmp_path: Path) -> None:
    hard = deck(*HARD[case], remark="A remark.", form="presenter_slides")
    progress = lambda part: None  # noqa: E731
    for module, name in ((deck_pptx, "a.pptx"), (deck_pdf, "a.pdf")):
        module.make(hard, tmp_path / name, progress)
        module.check(tmp_path / name, hard)
    if case != "hostile text":
        assert [fault for page in pages_of(hard) for fault in faults_of(scene_of(hard, page))] == []


def test_nothing_is_lost_where_bullets_go_to_further_slides() -> None:
    texts = [f"{number}: {text}" for number, text in enumerate(SENTENCES * 12)]
    whole = deck(BulletSlide(title="Many", bullets=bullets(*texts)))
    pages = pages_of(whole)
    assert len(pages) > 2
    shown = " ".join(line for page in pages for lines in page.texts["body"].fit.paragraphs for line in lines)
    assert all(text in shown.replace("\u00a0", " ") for text in texts)
    assert pages[1].texts["title"].paragraphs[0] == f"Many (2/{len(pages)})"
    rows = pages_of(deck(TableSlide(title="Rows", table=TABLE.model_copy(update={"rows": TABLE.rows * 3}))))
    assert sum(len(page.table.cells) - 1 for page in rows if page.table) == 3 * len(TABLE.rows)


def test_a_powerpoint_file_has_placeholders_native_charts_and_tables_notes_and_numbers(tmp_path: Path) -> None:
    path = tmp_path / "deck.pptx"
    whole = deck()
    deck_pptx.make(whole, path, lambda part: None)
    deck_pptx.check(path, whole)
    made = Presentation(str(path))
    assert (made.slide_width, made.slide_height) == (Emu(12_192_000), Emu(6_858_000))
    slides = list(made.slides)
    by_layout = {slide.slide_layout.name: slide for slide in slides}
    assert set(by_layout) == {layout.name for layout in made.slide_layouts}
    points = by_layout["Title and bullets"]
    assert points.shapes.title.text_frame.text == "Scouts share what they found"
    body = points.placeholders[1].text_frame
    assert [paragraph.text.replace("\u00a0", " ") for paragraph in body.paragraphs] == [
        f"{text} [{1 + place % 2}]" for place, text in enumerate(SENTENCES)
    ]
    footer = next(shape for shape in points.placeholders if shape.placeholder_format.idx == 21)
    assert footer.text_frame.text.startswith("[1] The lives of bees (p. 1, p. 3) · [2] Pollination")
    assert "slidenum" in next(shape for shape in points.placeholders if shape.placeholder_format.idx == 22)._element.xml
    assert points.notes_slide.notes_text_frame.text.startswith("Tell them about the dance.\n")
    table = next(shape.table for shape in by_layout["Title and table"].shapes if shape.has_table)
    assert [table.cell(1, column).text for column in range(3)] == ["2010", "1000", "0.5"]
    charts = [shape.chart for slide in slides for shape in slide.shapes if shape.has_chart]
    assert charts[0].plots[0].categories[0] == "2015"
    assert list(charts[0].plots[0].series[0].values) == [20.0, 25.0, None, 31.5]
    assert made.core_properties.title == "Bees"


def test_sources_are_listed_by_the_numbers_that_slides_cite_them_by() -> None:
    first = BulletSlide(title="First", bullets=[said("Almonds need bees.", 2), said("Bees need flowers.", 1)])
    titles = [*TITLES, *(f"Never cited {number}" for number in range(60))]
    *_, last = pages_of(deck(first, ClosingSlide(title="End", bullets=bullets("One."), sources=titles)))[:2]
    lines = last.texts["sources"].paragraphs
    assert lines[:3] == ("Sources", f"[1] {TITLES[1]}", f"[2] {TITLES[0]}")
    shown = [
        line
        for page in pages_of(deck(first, ClosingSlide(title="End", sources=titles)))[1:]
        for line in page.texts["body"].paragraphs
    ]
    assert shown[2] == "Never cited 0"
    assert shown[-1] == "… +38"


def test_a_pdf_has_a_page_for_each_slide_with_its_text(tmp_path: Path) -> None:
    path = tmp_path / "deck.pdf"
    deck_pdf.make(deck(), path, lambda part: None)
    with pypdfium2.PdfDocument(path) as document:
        texts = [document[number].get_textpage().get_text_range() for number in range(len(document))]
        assert document[0].get_size() == (960, 540)
        assert document.get_metadata_value("Title") == "Bees"
    assert len(texts) == len(SLIDES)
    assert "Scouts share what they found" in texts[2]
    assert "Honey grew from 2015 to 2018." in " ".join(texts[6].split())


def test_pictures_come_in_an_archive_one_a_slide(tmp_path: Path) -> None:
    path = tmp_path / "deck.zip"
    short = deck(*SLIDES[:2])
    told: list[float] = []
    deck_pictures.make(short, path, told.append)
    deck_pictures.check(path, short)
    assert zipfile.ZipFile(path).namelist() == ["slide-001.png", "slide-002.png"]
    assert told == [0.0]


@pytest.mark.parametrize("module", [deck_pptx, deck_pdf, deck_pictures])
def test_a_file_that_is_not_whole_is_found_out(module: object, tmp_path: Path) -> None:
    few, many = deck(*SLIDES[:2]), deck(*SLIDES[:3])
    path = tmp_path / "file"
    module.make(few, path, lambda part: None)  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match=r"slides|missing"):
        module.check(path, many)  # type: ignore[attr-defined]
    path.write_bytes(path.read_bytes()[:300])
    with pytest.raises(ValueError, match=r"cannot be opened"):
        module.check(path, few)  # type: ignore[attr-defined]


def test_a_deck_reads_back_from_its_json() -> None:
    whole = deck()
    assert Deck.model_validate_json(whole.model_dump_json()) == whole
