"""Numbers of sources: cells and sentences read, and tables that become charts."""

from __future__ import annotations

import pytest

from quire.studio.numbers import chart_of, key_figures, number_of, value_of, years_of
from quire.studio.points import ReadSource, read_source
from quire.studio.source_text import SourceText


def read(text: str, language: str = "en") -> ReadSource:
    return read_source(SourceText("s", "Source", 1, "text", language, text), 100_000)


@pytest.mark.parametrize(
    ("written", "language", "number"),
    [
        ("1,234.5", "en", 1234.5),
        ("1.234,5", "de", 1234.5),
        ("1,234", "en", 1234),
        ("1.234", "de", 1234),
        ("1.5", "de", 1.5),
        ("0,5", "fr", 0.5),
        ("12 345", "fr", 12345),
        ("1,234,567", "en", 1234567),
        ("1,23,4", "en", None),
        ("3.14", "en", 3.14),
    ],
)
def test_numbers_are_read_as_their_language_writes_them(written: str, language: str, number: float | None) -> None:
    assert number_of(written, language) == number


def test_a_cell_is_a_number_with_its_unit_or_no_number() -> None:
    assert value_of("€ 1,200", "en") == (1200, "€")
    assert value_of("−3.5 °C", "en") == (-3.5, "°C")
    assert value_of("12 %", "en") == (12, "%")
    for text in ("about 12", "12-14", "A4 paper", "", "1 2 3 go now"):
        assert value_of(text, "en") is None


YEARS = "\n".join(f"| {1990 + year} | {year * 3} t | 5 |" for year in range(8))


@pytest.mark.parametrize(
    ("table", "form", "series", "unit"),
    [
        ("| Month | Honey (kg) |\n|---|---|\n| May | 8 |\n| June | 14 |", "bar", 1, "Honey (kg)"),
        (f"| Year | Honey | Hives |\n|---|---|---|\n{YEARS}", "line", 1, "Honey (t)"),
        ("| Plant | Share |\n|---|---|\n| Clover | 60 % |\n| Linden | 40 % |", "pie", 1, "Share (%)"),
        ("| City | Men | Women |\n|---|---|---|\n| Rome | 10 | 12 |\n| Oslo | 7 | 9 |", "bar", 2, ""),
    ],
)
def test_a_table_of_numbers_becomes_the_chart_that_suits_it(table: str, form: str, series: int, unit: str) -> None:
    source = read(f"# Bees\n\n{table}\n")
    chart = chart_of(source.tables[0])
    assert chart is not None
    assert (chart.form, len(chart.series), chart.unit) == (form, series, unit)
    assert [row.grounds[0].excerpt.count("|") > 1 for row in chart.rows] == [True] * len(chart.labels)


@pytest.mark.parametrize(
    "table",
    [
        "| Who | What |\n|---|---|\n| Ada | writes |\n| Bob | reads |",
        "| Who | Born |\n|---|---|\n| Ada | 1815 |\n| Bob | 1912 |",
        "| Who | Count |\n|---|---|\n| Ada | 3 |\n| Bob | many |",
        "| Who | Count |\n|---|---|\n| Ada | 3 |\n| Ada | 4 |",
    ],
)
def test_words_years_and_repeated_labels_are_not_drawn(table: str) -> None:
    assert chart_of(read(f"# People\n\n{table}\n").tables[0]) is None


NUMBERED = "\n".join(
    f"| {row} | {name} | {row * 90 + 7} |" for row, name in enumerate(("Ada", "Bob", "Cleo", "Dan"), 1)
)


@pytest.mark.parametrize(
    ("table", "labels", "series"),
    [
        (f"| No. | Name | Salary |\n|---|---|---|\n{NUMBERED}", "Ada", ["Salary"]),
        (f"| | Name | Salary |\n|---|---|---|\n{NUMBERED}", "Ada", ["Salary"]),
        ("| Name | Rank | Harvest |\n|---|---|---|\n| Ada | 2 | 70 |\n| Bob | 1 | 90 |", "Ada", ["Harvest"]),
        ("| Name | ZIP code | Hives |\n|---|---|---|\n| Ada | 10115 | 3 |\n| Bob | 20095 | 9 |", "Ada", ["Hives"]),
        ("| customerId | Year | Kg |\n|---|---|---|\n| 17 | 1990 | 3 |\n| 4 | 1991 | 9 |", "1990", ["Kg"]),
    ],
)
def test_measures_are_drawn_and_what_numbers_the_rows_is_not(table: str, labels: str, series: list[str]) -> None:
    chart = chart_of(read(f"# People\n\n{table}\n").tables[0])
    assert chart is not None
    assert (chart.labels[0], [one.name for one in chart.series]) == (labels, series)


@pytest.mark.parametrize(
    "table",
    [
        "| Name | Id |\n|---|---|\n| Ada | 3 |\n| Bob | 9 |",
        "| Id | Hives |\n|---|---|\n| 17 | 3 |\n| 4 | 9 |",
        "| Name | Phone |\n|---|---|\n| Ada | 030123 |\n| Bob | 040456 |",
    ],
)
def test_a_table_of_nothing_but_ids_is_not_drawn(table: str) -> None:
    assert chart_of(read(f"# People\n\n{table}\n").tables[0]) is None


def test_key_figures_are_as_the_source_writes_them_with_its_sentence() -> None:
    source = read(
        "# Bees\n\nA colony has up to 60,000 bees in summer. The brood is kept at 35 °C at all times. "
        "The queen was marked in 1999 by hand. A strong colony makes 30 kilograms of honey in a year.\n"
    )
    figures = key_figures(source.points, 5)
    assert [figure.value for figure in figures] == ["60,000 bees", "35 °C", "30 kilograms"]
    assert all(figure.value in figure.statement.grounds[0].excerpt for figure in figures)


def test_years_come_in_their_order_once() -> None:
    source = read(
        "# Bees\n\nThe dance of bees was read in 1927 by a zoologist. A hive with frames was built in 1851 in Ohio. "
        "Between 1900 and 1910 little happened to bees. In 1927 a second paper on bees was printed.\n"
    )
    assert [(year, point.text[:9]) for year, point in years_of(source.points)] == [
        ("1851", "A hive wi"),
        ("1927", "The dance"),
    ]
