"""Tables of PDFs keep their rows and columns; what is no table is not made one."""

from __future__ import annotations

from typing import Any

from made_pdf import Words, paragraph, pdf

from quire.adapters.readers import Limits
from quire.domain.errors import QuireError

ROWS = [
    ("Ship", "Built", "Load"),
    ("Aurora", "1901", "120 tons"),
    ("Bright Star of the North", "1913", "95 tons"),
    ("Ceres", "1922", "1,200 tons"),
]
TABLE = "| Ship | Built | Load |\n| - | - | - |\n| Aurora | 1901 | 120 tons |\n"
COLUMNS = (72, 260, 380)


def cells(rows: list[tuple[str, ...]], y: float = 600, step: float = 16) -> list[Words]:
    """Rows of cells, written one after the other."""
    return [
        Words(text, x, y - number * step)
        for number, row in enumerate(rows)
        for text, x in zip(row, COLUMNS, strict=False)
    ]


def rule(left: float, bottom: float, right: float, top: float) -> str:
    return f"{left} {bottom} m {right} {top} l S\n"


def grid(edges: list[float], heights: list[float]) -> str:
    level = "".join(rule(edges[0], y, edges[-1], y) for y in heights)
    return level + "".join(rule(x, heights[-1], x, heights[0]) for x in edges)


def test_a_table_without_rules_keeps_rows_and_columns(reading: Any) -> None:
    before, after = paragraph(["The ships of the port are these:"], y=660), paragraph(["They all sail."], y=500)
    text = reading("pdf", pdf([[*before, *cells(ROWS), *after]])).text
    assert text == (
        f"The ships of the port are these:\n\n{TABLE}| Bright Star of the North | 1913 | 95 tons |\n"
        "| Ceres | 1922 | 1,200 tons |\n\nThey all sail."
    )


def test_a_cell_that_goes_on_below_stays_a_cell(reading: Any) -> None:
    rows = [("Item", "Price", "What it is"), ("Rope", "12.50", "Twenty yards of good hemp"), ("Salt", "3.00", "White")]
    page = [*cells(rows[:2], step=14), Words("from the old mill", 380, 572), *cells(rows[2:], y=558)]
    text = reading("pdf", pdf([page])).text
    assert "| Rope | 12.50 | Twenty yards of good hemp from the old mill |\n| Salt | 3.00 | White |" in text


def test_rules_tell_the_cells_however_near_they_are_and_however_long(reading: Any) -> None:
    page = [
        Words("Part", 74, 640), Words("Use", 112, 640),
        Words("Mast", 74, 620), Words("It carries the sails and", 112, 620), Words("bends in the wind", 112, 606),
        Words("Keel", 74, 586), Words("It holds the course", 112, 586),
    ]  # fmt: skip
    drawn = grid([70, 108, 300], [655, 635, 600, 580])
    text = reading("pdf", pdf([page], drawn=drawn)).text
    assert text == (
        "| Part | Use |\n| - | - |\n| Mast | It carries the sails and bends in the wind |\n"
        "| Keel | It holds the course |"
    )


def test_rows_between_two_rules_are_told_apart(reading: Any) -> None:
    drawn = grid([70, 250, 370, 500], [615, 596, 540])
    text = reading("pdf", pdf([cells(ROWS)], drawn=drawn)).text
    assert text.startswith(TABLE)
    assert text.endswith("| Ceres | 1922 | 1,200 tons |")


def test_two_columns_of_running_text_are_no_table(reading: Any) -> None:
    left = [
        "The left column tells of oil",
        "and of wicks that the keeper",
        "trims at night, whatever the",
        "weather is.",
    ]
    right = [
        "while the right one is about",
        "mirrors, glass, lenses and",
        "the grinding of them, which",
        "takes a year.",
    ]
    across = [words for row in zip(paragraph(left, x=60), paragraph(right, x=330), strict=True) for words in row]
    for page in (across, paragraph(left, x=60) + paragraph(right, x=330)):
        text = reading("pdf", pdf([page])).text
        assert "|" not in text
        assert all(word in text for line in left + right for word in line.split())


def test_lists_letterheads_and_frames_are_no_tables(reading: Any) -> None:
    items = [Words(text, x, 600 - n * 15) for n in range(5) for text, x in ((f"{n + 1}.", 72), ("Trim the wick", 110))]
    assert "|" not in reading("pdf", pdf([items])).text
    head = [
        Words("Harbour office", 72, 700),
        Words("June 1901", 400, 700),
        *paragraph(["Dear keeper,", "all is well."]),
    ]
    assert "|" not in reading("pdf", pdf([head])).text
    frame = grid([40, 570], [720, 600])
    assert "|" not in reading("pdf", pdf([paragraph(["Dear keeper,", "all is well."])], drawn=frame)).text


def test_pages_full_of_rules_and_cells_are_read_within_limits(reading: Any) -> None:
    drawn = "".join(rule(x, 10, x, 780) for x in range(10, 600, 2)) * 20
    drawn += "".join(rule(10, y, 600, y) for y in range(10, 780, 2)) * 20
    page = [Words("x", x, y, 4) for y in range(10, 780, 6) for x in range(10, 600, 12)]
    try:
        text = reading("pdf", pdf([page], drawn=drawn), limits=Limits(text_chars=1_000_000)).text
    except QuireError as error:
        text = error.message
    assert text


def test_lines_of_a_form_that_were_not_wrapped_are_rows(reading: Any) -> None:
    page = [
        Words("Name", 74, 640), Words("Ada", 140, 640), Words("Ship", 260, 640), Words("Aurora", 330, 640),
        Words("Mail", 74, 620), Words("ada@example.org", 140, 620), Words("Mast", 260, 620), Words("Oak", 330, 620),
        Words("Keel", 260, 604), Words("Beech", 330, 604), Words("Sails", 260, 588), Words("Two", 330, 588),
    ]  # fmt: skip
    drawn = grid([70, 136, 256, 326, 440], [655, 634, 582])
    text = reading("pdf", pdf([page], drawn=drawn)).text
    assert text.endswith("| Mail | ada@example.org | Mast | Oak |\n|  |  | Keel | Beech |\n|  |  | Sails | Two |")
