"""Where a query stands in a text, and what is shown of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain.notes import excerpt, folded_span

TEXT = st.text(st.one_of(st.sampled_from("aAsSßẞİiıŉǰΐﬃ\u0307\u0345 "), st.characters(codec="utf-8")), max_size=30)


@pytest.mark.parametrize(
    ("text", "query", "found"),
    [
        ("Roadmap", "ROAD", "Road"),
        ("die Straße dort", "STRASSE", "Straße"),
        ("die Straße dort", "s", "S"),
        ("İstanbul", "i", "İ"),
        ("İstanbul", "\u0307s", "İs"),
        ("xİ", "i\u0307", "İ"),
        ("oﬃce", "FFI", "ﬃ"),
        ("a\N{CAT FACE}b", "\N{CAT FACE}B", "\N{CAT FACE}b"),
        ("abc", "d", None),
        ("abc", "", None),
    ],
)
def test_a_query_is_found_where_it_stands(text: str, query: str, found: str | None) -> None:
    span = folded_span(text, query)
    assert (None if span is None else text[span[0] : span[0] + span[1]]) == found


@given(TEXT, TEXT)
def test_a_query_is_found_exactly_when_the_folded_text_holds_it(text: str, query: str) -> None:
    span = folded_span(text, query)
    assert (span is not None) == bool(query and query.casefold() in text.casefold())
    if span is not None:
        start, length = span
        assert query.casefold() in text[start : start + length].casefold()
        assert 0 <= start < start + length <= len(text)


@given(TEXT, st.data())
def test_an_excerpt_is_one_line_that_shows_the_match(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    length = data.draw(st.integers(0, len(text) - start))
    shown = excerpt(text, start, length)
    assert "\n" not in shown
    assert shown.count("**") >= 2


def test_a_long_text_is_cut_on_both_sides() -> None:
    text = "before " * 50 + "match" + " after" * 50
    shown = excerpt(text, text.index("match"), 5)
    assert shown.startswith("...")
    assert shown.endswith("...")
    assert " **match** " in shown
    assert len(shown) < 150


def test_a_short_text_is_shown_whole() -> None:
    assert excerpt("a match b", 2, 5) == "a **match** b"
