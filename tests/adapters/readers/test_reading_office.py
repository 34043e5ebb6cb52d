"""Word, PowerPoint, spreadsheets, OpenDocument, books, RTF."""

from __future__ import annotations

from typing import Any

import pytest
from made_office import (
    NUMBERING,
    STRICT,
    STYLES,
    W,
    docx,
    epub,
    grid,
    item,
    open_document,
    para,
    pptx,
    shape,
    styled,
    xlsx,
    zipped,
)  # fmt: skip

from quire.adapters.readers import Limits
from quire.domain.errors import InvalidInput, TooLarge


def lines_at_marks(document: Any, kind: str = "heading") -> list[str]:
    return [document.text[mark.offset :].partition("\n")[0] for mark in document.marks if mark.kind == kind]


def test_word_headings_come_from_styles_however_far_these_are_derived(reading: Any) -> None:
    body = styled("Voyages", "H1") + para("Sailing.") + styled("South", "Eigen") + para("Warm.")
    document = reading("docx", docx(body, title="Logbook", styles=STYLES))
    assert document.text == "# Voyages\n\nSailing.\n\n## South\n\nWarm."
    assert document.title == "Logbook"
    assert lines_at_marks(document) == ["# Voyages", "## South"]
    assert document.place(document.text.index("Warm")).heading == "Voyages > South"


def test_word_lists_count_as_word_does(reading: Any) -> None:
    body = item("one", 1) + item("deeper", 1, 1) + item("deeper still", 1, 1) + item("two", 1) + item("dot", 2)
    body += item("three", 1) + para("Between.") + item("again", 3)
    document = reading("docx", docx(body, numbering=NUMBERING))
    assert document.text == (
        "1. one\n  1.a) deeper\n  1.b) deeper still\n2. two\n- dot\n3. three\n\nBetween.\n\n1. again"
    )


def test_word_tables_become_rows_and_those_of_one_column_paragraphs(reading: Any) -> None:
    body = grid([["Sort", "Weight"], ["Pear | small", "120"]]) + grid([["Only"], ["Boxes"]])
    assert reading("docx", docx(body)).text == (
        "| Sort | Weight |\n| - | - |\n| Pear \\| small | 120 |\n\nOnly\n\nBoxes"
    )


def test_cells_merged_downwards_are_repeated(reading: Any) -> None:
    start, on = '<w:vMerge w:val="restart"/>', "<w:vMerge/>"
    rows = [(start, "Ford", "Fiesta"), (on, "", "Focus")]
    cells = "".join(
        f"<w:tr><w:tc><w:tcPr>{merge}</w:tcPr>{para(make)}</w:tc><w:tc>{para(model)}</w:tc></w:tr>"
        for merge, make, model in rows
    )
    assert reading("docx", docx(f"<w:tbl>{cells}</w:tbl>")).text.endswith("| Ford | Focus |")


def test_word_reads_formulas_links_notes_boxes_and_insertions_but_not_deletions(reading: Any) -> None:
    formula = (
        "<w:p><w:r><w:t>Area </w:t></w:r><m:oMath><m:r><m:t>π</m:t></m:r><m:sSup><m:e><m:r><m:t>r</m:t></m:r></m:e>"
        "<m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath></w:p>"
    )
    link = '<w:p><w:hyperlink r:id="link"><w:r><w:t>more here</w:t></w:r></w:hyperlink></w:p>'
    changed = (
        "<w:p><w:ins><w:r><w:t>kept</w:t></w:r></w:ins><w:del><w:r><w:delText>gone</w:delText></w:r></w:del>"
        '<w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r></w:p>'
    )
    box = (
        "<w:p><w:r><w:t>Outside</w:t></w:r><w:r><w:pict><w:txbxContent>"
        + para("Inside")
        + "</w:txbxContent></w:pict></w:r></w:p>"
    )
    notes = f'<w:footnotes xmlns:w="{W}"><w:footnote w:id="2">{para("A note.")}</w:footnote></w:footnotes>'
    remark = f'<w:comments xmlns:w="{W}"><w:comment w:author="Ada">{para("Why?")}</w:comment></w:comments>'
    document = reading("docx", docx(formula + link + changed + box, footnotes=notes, comments=remark))
    assert document.text == (
        "Area $πr^{2}$\n\n[more here](https://example.org/more)\n\nkept[^2]\n\nOutside\n\nInside\n\n"
        "[^2]: A note.\n\nComment by Ada: Why?"
    )


def test_strict_word_documents_are_read_and_tables_of_contents_left_out(reading: Any) -> None:
    body = styled("Voyages .... 3", "TOC1") + styled("Voyages", "H1")
    assert reading("docx", docx(body, family=STRICT, styles=STYLES)).text == "# Voyages"


TABLE_WORDS = ("Year", "Ships", "1901", "17")


def test_slides_have_marks_titles_lists_tables_and_notes(reading: Any) -> None:
    cells = [f"<a:tc><p:txBody><a:p><a:r><a:t>{word}</a:t></a:r></a:p></p:txBody></a:tc>" for word in TABLE_WORDS]
    rows = f"<a:tr>{cells[0]}{cells[1]}</a:tr><a:tr>{cells[2]}{cells[3]}</a:tr>"
    table = (
        f"<p:graphicFrame><a:graphic><a:graphicData><a:tbl>{rows}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
    )
    slides = [
        shape("First point\nSecond point", "body") + shape("Harbours", "title") + shape("12", "sldNum"),
        "<p:grpSp>" + shape("In a group") + "</p:grpSp>" + table,
    ]
    document = reading("pptx", pptx(slides, notes={1: "Speak slowly."}))
    assert document.text == (
        "# Harbours\n\n- First point\n- Second point\n\nNotes: Speak slowly.\n\nIn a group\n\n"
        "| Year | Ships |\n| - | - |\n| 1901 | 17 |"
    )
    assert document.place(0).slide == "1"
    second = document.place(document.text.index("In a group"))
    assert (second.slide, second.heading) == ("2", "Slide 2")


def test_sheets_are_marked_and_their_regions_are_tables(reading: Any) -> None:
    sheets: dict[str, list[list[str | float]]] = {
        "Harvest": [["Fruit", "Tons"], ["Apple", 12.0], ["Plum", 3.25], ["", ""], ["Counted by hand", ""]],
        "Empty": [[""]],
        "Prices": [["Fruit", "Price"], ["Apple", 2.0]],
    }
    document = reading("xlsx", xlsx(sheets, comment="Check this"))
    assert document.text == (
        "## Harvest\n\n| Fruit | Tons |\n| - | - |\n| Apple | 12 |\n| Plum | 3.25 |\n\nCounted by hand\n\n"
        "Comment on A1 by Ada: Check this\n\nComment on A1 by Ada: Check this\n\n"
        "## Prices\n\n| Fruit | Price |\n| - | - |\n| Apple | 2 |\n\nComment on A1 by Ada: Check this"
    )
    assert [mark.label for mark in document.marks] == ["Harvest", "Prices"]
    assert document.place(document.text.index("Price |")).sheet == "Prices"


LIST_STYLE = (
    '<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1"/>'
    "</text:list-style>"
)


def test_open_documents_have_headings_lists_tables_and_notes(reading: Any) -> None:
    content = (
        '<text:h text:outline-level="1">Wind</text:h><text:p>It blows<text:s text:c="2"/>hard'
        "<text:note><text:note-body><text:p>Measured.</text:p></text:note-body></text:note>.</text:p>"
        '<text:list text:style-name="L1"><text:list-item><text:p>one</text:p><text:list><text:list-item>'
        "<text:p>inner</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>two</text:p>"
        "</text:list-item></text:list><table:table><table:table-row><table:table-cell><text:p>A</text:p>"
        "</table:table-cell><table:table-cell><text:p>B</text:p></table:table-cell></table:table-row></table:table>"
        '<text:p><text:a xlink:href="https://example.org">site</text:a></text:p>'
    )
    document = reading("odt", open_document(content, styles=LIST_STYLE, title="Weather"))
    assert document.text == (
        "# Wind\n\nIt blows  hard[^1].\n\n1. one\n  - inner\n2. two\n\n| A | B |\n\n"
        "[site](https://example.org)\n\n[^1]: Measured."
    )
    assert document.title == "Weather"


def test_open_presentations_have_slides(reading: Any) -> None:
    frame = '<draw:frame presentation:class="title"><draw:text-box><text:p>Ports</text:p></draw:text-box></draw:frame>'
    page = (
        f"<draw:page>{frame}<draw:frame><draw:text-box><text:p>Salt</text:p></draw:text-box></draw:frame></draw:page>"
    )
    document = reading("odp", open_document(page, kind="presentation"))
    assert document.text == "# Ports\n\nSalt"
    assert document.place(document.text.index("Salt")).slide == "1"


def test_books_are_read_in_the_order_of_their_spine(reading: Any) -> None:
    chapters = {
        "b.xhtml": "<h1>Second &eacute;t&eacute;</h1><p>After&nbsp;all.</p>",
        "a.xhtml": "<p>No heading of its own.</p>",
    }
    document = reading("epub", epub(chapters, title="Seasons", contents={"a.xhtml#top": "The first"}))
    assert document.text == "# Second été\n\nAfter all.\n\n# The first\n\nNo heading of its own."
    assert document.title == "Seasons"
    assert lines_at_marks(document) == ["# Second été", "# The first"]


def test_books_with_copy_protection_are_refused(reading: Any) -> None:
    key = '<encryption><CipherReference URI="OPS/a.xhtml"/></encryption>'
    data = epub({"a.xhtml": "<p>x</p>"}, **{"META-INF__encryption_xml": key})
    with pytest.raises(InvalidInput, match="copy protection"):
        reading("epub", data)


def test_rich_text_is_read(reading: Any) -> None:
    text = r"{\rtf1\ansi{\info{\title Old letter}}{\fonttbl\f0 Arial;}\f0 Dear \b Ada\b0 ,\par it is sn\'f6wing.\par}"
    document = reading("rtf", text)
    assert document.text == "Dear Ada,\n\nit is snöwing."
    assert document.title == "Old letter"


@pytest.mark.parametrize("kind", ["docx", "pptx", "xlsx", "odt", "epub"])
def test_a_zip_file_of_something_else_is_refused_as_what_it_should_have_been(reading: Any, kind: str) -> None:
    inner = zipped({"letter.txt": "hello"})
    with pytest.raises(InvalidInput, match=r"damaged, or is not an? "):
        reading(kind, zipped({"inner.zip": inner}))


def test_too_many_slides_are_refused(reading: Any) -> None:
    with pytest.raises(TooLarge, match="3 slides; 2 are the most"):
        reading("pptx", pptx([shape("x")] * 3), Limits(pages=2))


def test_a_document_without_any_text_is_refused(reading: Any) -> None:
    with pytest.raises(InvalidInput, match="There is no text"):
        reading("docx", docx(para(" ")))


def test_open_spreadsheets_are_read(reading: Any) -> None:
    cells = [
        f'<table:table-cell office:value-type="string"><text:p>{word}</text:p></table:table-cell>'
        for word in ("Fruit", "Tons", "Apple")
    ]
    number = '<table:table-cell office:value-type="float" office:value="12"><text:p>12</text:p></table:table-cell>'
    rows = (
        f"<table:table-row>{cells[0]}{cells[1]}</table:table-row><table:table-row>{cells[2]}{number}</table:table-row>"
    )
    document = reading("ods", open_document(f'<table:table table:name="Harvest">{rows}</table:table>', "spreadsheet"))
    assert document.text == "## Harvest\n\n| Fruit | Tons |\n| - | - |\n| Apple | 12 |"
