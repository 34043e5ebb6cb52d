"""Infographics in every style, as pictures and as SVG, opened by other programs."""

from __future__ import annotations

import io
import shutil
import xml.etree.ElementTree as ElementTree
from itertools import product
from pathlib import Path
from typing import get_args

import pytest
from drawn_samples import BLOCKS, SENTENCES, bullets, faults_of, said
from PIL import Image

from quire.adapters.artifact_files import infographic_pdf, infographic_png, infographic_svg
from quire.adapters.rendering.infographic.sheet import sheet_of
from quire.adapters.rendering.infographic.themes import THEMES, style_of
from quire.domain.artifacts import Detail, Orientation
from quire.domain.figures import FactTable, KeyFigure, TableRow
from quire.domain.infographics import (
    Block,
    ComparisonBlock,
    FigureBlock,
    Infographic,
    ListBlock,
    QuoteBlock,
    StepBlock,
    Style,
)

STYLES = [style for style in get_args(Style) if style != "auto"]
LONG_WORD = "Donaudampfschifffahrtsgesellschaftskapitänsmützenfabrikant"
ARABIC = "نحل العسل حشرات اجتماعية تعيش في مستعمرات كبيرة."
HARD: dict[str, list[Block]] = {
    "too much": [ListBlock(heading=f"Part {number}", items=bullets(*SENTENCES * 6)) for number in range(12)],
    "one endless text": [QuoteBlock(heading="x " * 300, quote=said(" ".join(SENTENCES * 30)), said_by="y " * 300)],
    "one word": [ListBlock(items=bullets("Bees"))],
    "long words": [
        ListBlock(heading=LONG_WORD * 3, items=bullets(LONG_WORD * 4)),
        FigureBlock(figures=[KeyFigure(value="9" * 90, label=LONG_WORD, statement=said("x"))]),
        ComparisonBlock(
            table=FactTable(heads=[LONG_WORD] * 6, rows=[TableRow(cells=[LONG_WORD] * 6)]),
        ),
    ],
    "from the right": [
        ListBlock(heading=ARABIC, items=bullets(ARABIC, ARABIC * 3)),
        QuoteBlock(quote=said(ARABIC), said_by=ARABIC),
        StepBlock(heading="x", steps=bullets(ARABIC)),
    ],
}


def infographic(blocks: list[Block] = BLOCKS, **more: object) -> Infographic:
    facts = {"title": "Bees: how a colony finds its food", "subtitle": "What two sources tell"} | more
    return Infographic(blocks=blocks, **facts)  # type: ignore[arg-type]


@pytest.mark.parametrize("style", STYLES)
def test_every_style_is_readable_and_keeps_text_within_its_bounds(style: Style) -> None:
    scene = sheet_of(infographic(style=style))
    assert faults_of(scene) == []
    shown = " ".join(words.text for words in scene.words)
    assert "Scouts tell of a place" in shown
    assert "[2] Pollination" in shown


@pytest.mark.long
@pytest.mark.parametrize(("style", "orientation"), list(product(get_args(Style), get_args(Orientation))))
def test_every_style_works_in_every_orientation_and_detail(style: Style, orientation: Orientation) -> None:
    for detail, count in zip(get_args(Detail), (3, 5, 7), strict=True):
        made = infographic(BLOCKS[:count], style=style, orientation=orientation, detail=detail)
        assert faults_of(sheet_of(made)) == []


@pytest.mark.parametrize("case", HARD)
def test_what_does_not_fit_is_left_out_whole_and_never_drawn_over_its_box(case: str, tmp_path: Path) -> None:
    for style, orientation in (("bento_grid", "square"), ("kawaii", "portrait"), ("editorial", "landscape")):
        hard = infographic(HARD[case], style=style, orientation=orientation, title="A title " * 30)
        scene = sheet_of(hard)
        assert faults_of(scene) == []
        assert len(scene.words) > 3
    infographic_png.make(hard, tmp_path / "a.png", lambda part: None)
    infographic_png.check(tmp_path / "a.png", hard)


def test_the_style_is_chosen_by_what_there_is_to_show() -> None:
    assert style_of(infographic(BLOCKS)) == "instructional"
    assert style_of(infographic([BLOCKS[1], BLOCKS[4]])) == "scientific"
    assert style_of(infographic([BLOCKS[0], BLOCKS[1], BLOCKS[2], BLOCKS[6]])) == "bento_grid"
    assert style_of(infographic([BLOCKS[5]])) == "editorial"
    assert style_of(infographic([BLOCKS[6]])) == "professional"
    assert set(THEMES) == set(STYLES)


def test_a_picture_has_the_size_of_its_orientation(tmp_path: Path) -> None:
    for orientation, size in {"landscape": (2560, 1600), "portrait": (1600, 2560), "square": (2000, 2000)}.items():
        made = infographic(BLOCKS[:2], orientation=orientation)
        infographic_png.make(made, tmp_path / "a.png", lambda part: None)
        infographic_png.check(tmp_path / "a.png", made)
        with Image.open(tmp_path / "a.png") as picture:
            assert picture.size == size
    with pytest.raises(ValueError, match="size"):
        infographic_png.check(tmp_path / "a.png", infographic(orientation="portrait"))
    (tmp_path / "a.png").write_bytes((tmp_path / "a.png").read_bytes()[:-9])
    with pytest.raises(ValueError, match="PNG"):
        infographic_png.check(tmp_path / "a.png", made)


def test_an_svg_is_xml_with_its_text_and_the_letters_of_its_fonts(tmp_path: Path) -> None:
    made = infographic(style="sketch_note", title='Bees & "wasps" <b>\x07')
    infographic_svg.make(made, tmp_path / "a.svg", lambda part: None)
    infographic_svg.check(tmp_path / "a.svg", made)
    root = ElementTree.parse(tmp_path / "a.svg").getroot()
    space = {"svg": "http://www.w3.org/2000/svg"}
    assert root.findtext("svg:title", namespaces=space) == 'Bees & "wasps" <b>'
    assert any(text.text == "35 °C" for text in root.iterfind("svg:text", space))
    style = root.findtext("svg:style", namespaces=space) or ""
    assert "@font-face{font-family:'Patrick Hand'" in style
    assert (tmp_path / "a.svg").stat().st_size < 200_000
    (tmp_path / "a.svg").write_text("<svg>")
    with pytest.raises(ValueError, match="XML"):
        infographic_svg.check(tmp_path / "a.svg", made)


def test_an_infographic_is_one_page_of_pdf(tmp_path: Path) -> None:
    infographic_pdf.make(infographic(), tmp_path / "a.pdf", lambda part: None)
    infographic_pdf.check(tmp_path / "a.pdf", infographic())


@pytest.mark.long
@pytest.mark.skipif(shutil.which("chromium") is None, reason="chromium is not installed")
def test_a_browser_shows_an_svg_as_it_was_measured(tmp_path: Path) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        for style in STYLES:
            infographic_svg.make(infographic(style=style), tmp_path / "a.svg", lambda part: None)
            page.goto((tmp_path / "a.svg").as_uri())
            page.evaluate("document.fonts.ready.then(() => 1)")
            outside = page.evaluate(
                """() => [...document.querySelectorAll('text')].filter(text => {
                  const box = text.getBBox();
                  return box.x < -1 || box.x + box.width > 1281 || box.y + box.height > 806;
                }).map(text => text.textContent)"""
            )
            assert outside == []
            assert (
                len({color for _, color in Image.open(io.BytesIO(page.screenshot())).convert("RGB").getcolors(1 << 24)})
                > 50
            )
        browser.close()
