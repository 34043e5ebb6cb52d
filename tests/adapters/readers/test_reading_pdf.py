"""PDF: pages, headings, paragraphs, furniture, and what cannot be opened."""

from __future__ import annotations

from typing import Any

import pytest
from made_pdf import Words, empty_pages, paragraph, pdf

from quire.adapters.readers import Limits
from quire.domain.errors import InvalidInput, TooLarge

STORY = [
    "The keeper of the lighthouse counted seventeen ships before the sun rose",
    "over the northern islands, and each of them carried salt, rope and letters",
    "that nobody had asked for.",
]


def test_pages_are_marked_and_lines_flow_into_paragraphs(reading: Any) -> None:
    document = reading("pdf", pdf([paragraph(STORY), paragraph(["Another page begins here."])], title="Log of 1901"))
    assert document.text == (
        "The keeper of the lighthouse counted seventeen ships before the sun rose over the northern islands, and "
        "each of them carried salt, rope and letters that nobody had asked for.\n\nAnother page begins here."
    )
    assert document.title == "Log of 1901"
    assert [(mark.kind, mark.label) for mark in document.marks] == [("page", "1"), ("page", "2")]
    assert document.place(document.text.index("Another")).page == "2"


def test_pages_that_lie_on_their_side_are_read_upright(reading: Any) -> None:
    page = [*paragraph(STORY), Words("Seen from the island", y=720, size=20)]
    assert reading("pdf", pdf([page], turned=True)).text == reading("pdf", pdf([page])).text


def test_words_divided_at_the_end_of_a_line_are_whole_again(reading: Any) -> None:
    lines = [
        "Every ship that passed the island in those years was careful to navi-",
        "gate by the light, which the keeper fed with oil and looked after well-",
        "known mirrors from Venice. A well is a well, known to all, wherever",
        "people know it.",
    ]
    text = reading("pdf", pdf([paragraph(lines)])).text
    assert "careful to navigate by the light" in text
    assert "looked after well-known mirrors" in text


def test_larger_and_bold_lines_are_headings(reading: Any) -> None:
    page = [
        Words("A history of light", y=740, size=24),
        Words("Oil and wick", y=700, size=16),
        *paragraph(STORY, y=670),
        Words("2.1 Mirrors of glass", y=600, font="F2"),
        *paragraph(STORY, y=580),
    ]
    document = reading("pdf", pdf([page]))
    headings = [(mark.label, mark.level) for mark in document.marks if mark.kind == "heading"]
    assert headings == [("A history of light", 1), ("Oil and wick", 2), ("2.1 Mirrors of glass", 3)]
    assert document.text.startswith("# A history of light\n\n## Oil and wick\n\nThe keeper")
    assert document.title == "A history of light"
    last = document.text.rindex("The keeper")
    assert document.place(last).heading == "A history of light > Oil and wick > 2.1 Mirrors of glass"


def test_the_outline_tells_the_headings_where_there_is_one(reading: Any) -> None:
    pages = [[Words(f"Chapter {name}", y=720, size=12), *paragraph(STORY)] for name in ("one", "two", "three")]
    data = pdf(pages, outline=[("Chapter one", 1), ("Chapter  two", 2), ("3 Chapter three", 3)])
    document = reading("pdf", data)
    assert [mark.label for mark in document.marks if mark.kind == "heading"] == [
        "Chapter one",
        "Chapter two",
        "Chapter three",
    ]


def test_headers_and_page_numbers_that_repeat_are_dropped_and_nothing_else(reading: Any) -> None:
    pages = [
        [
            Words("Annual report of the harbour", y=760, size=9),
            *paragraph([f"Page {n} tells of year {1900 + n}.", *STORY]),
            Words(str(n), x=300, y=30, size=9),
        ]
        for n in range(1, 7)
    ]
    text = reading("pdf", pdf(pages)).text
    assert "Annual report" not in text
    assert "\n3\n" not in text
    assert all(f"Page {n} tells of year {1900 + n}." in text for n in range(1, 7))
    assert "Annual report" in reading("pdf", pdf(pages[:3])).text


def test_what_stands_higher_is_read_first_whatever_the_order_of_the_file(reading: Any) -> None:
    page = [
        *paragraph(["Dear harbour master,", "the ships are late."], y=500),
        Words("Letterhead of the island", y=720),
    ]
    assert reading("pdf", pdf([page])).text.startswith("Letterhead of the island")


def test_columns_stay_columns(reading: Any) -> None:
    left = ["The left column tells of", "oil and of wicks that the", "keeper trims at night,"]
    right = ["while the right one is all", "about mirrors, glass and", "the grinding of lenses."]
    text = reading("pdf", pdf([paragraph(left, x=60) + paragraph(right, x=330)])).text
    assert text.index("trims at night") < text.index("while the right one")
    assert "oil and of wicks that the keeper trims at night" in text


def test_rows_of_numbers_stay_rows_and_bullets_items(reading: Any) -> None:
    page = paragraph(["1901 17 ships 12.5", "1902 21 ships 14.0"], y=600) + paragraph(["\x95 salt", "\x95 rope"], y=500)
    assert reading("pdf", pdf([page])).text == "1901 17 ships 12.5\n1902 21 ships 14.0\n\n- salt\n- rope"


def test_a_pdf_with_a_password_is_refused(reading: Any) -> None:
    with pytest.raises(InvalidInput, match="a PDF that is protected by a password"):
        reading("pdf", pdf([paragraph(STORY)], password="secret"))


def test_a_hundred_thousand_pages_are_refused_before_any_is_read(reading: Any) -> None:
    with pytest.raises(TooLarge, match="100,000 pages; 5,000 are the most"):
        reading("pdf", empty_pages(100_000))


def test_empty_pages_hold_no_text(reading: Any) -> None:
    with pytest.raises(InvalidInput, match="There is no text in the PDF"):
        reading("pdf", empty_pages(3))


def test_more_text_than_allowed_is_refused(reading: Any) -> None:
    with pytest.raises(TooLarge, match="more than 50 characters"):
        reading("pdf", pdf([paragraph(STORY)]), Limits(text_chars=50))


@pytest.mark.parametrize("share", [0.05, 0.3, 0.6])
def test_a_pdf_that_was_cut_off_is_refused_or_read_as_far_as_it_goes(reading: Any, share: float) -> None:
    data = pdf([paragraph(STORY)])
    try:
        said = reading("pdf", data[: int(len(data) * share)]).text
    except InvalidInput as error:
        said = error.message
    assert any(words in said for words in ("lighthouse", "damaged", "no text"))
