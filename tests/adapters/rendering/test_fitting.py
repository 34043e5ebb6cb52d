"""Where lines break, and what text does in a box that is too small for it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quire.adapters.rendering.charts import number_text, scale_of
from quire.adapters.rendering.colors import contrast, readable
from quire.adapters.rendering.fitting import fitted, is_right_to_left, shortened, sizes, wrapped
from quire.adapters.rendering.typefaces import type_of

SANS = type_of("sans")


@given(st.text(max_size=200), st.floats(30, 400), st.sampled_from([9.0, 14.0, 40.0]))
def test_no_line_is_wider_than_its_box_and_no_letter_is_lost(text: str, width: float, size: float) -> None:
    lines = wrapped(text, SANS, size, width)
    assert all(SANS.width(line, size) <= width or len(line.rstrip("-")) <= 1 for line in lines)
    kept = "".join("".join(lines).split()).replace("-", "")
    assert kept == "".join(text.split()).replace("-", "")


def test_a_word_that_is_wider_than_its_box_is_cut_with_a_hyphen() -> None:
    lines = wrapped("Donaudampfschifffahrtsgesellschaftskapitän", SANS, 14, 100)
    assert len(lines) > 2
    assert lines[0].endswith("-")


def test_chinese_breaks_between_letters_but_no_line_begins_with_a_full_stop() -> None:
    lines = wrapped("蜜蜂是一种群居昆虫，一个蜂群最多有六万只蜜蜂。蜂王是蜂群中唯一产卵的蜜蜂。" * 3, SANS, 20, 150)
    assert len(lines) > 5
    assert all(line[0] not in "，。" for line in lines)


def test_a_unit_stays_with_its_number() -> None:
    assert wrapped("it is kept at 35 °C", SANS, 10, SANS.width("it is kept at 35", 10) + 1) == (
        "it is kept at",
        "35 °C",
    )


def test_text_that_fits_at_no_size_is_not_said_to_fit() -> None:
    assert fitted(["word " * 500], SANS, sizes(20, 10), 100, 50) is None
    assert fitted(["word"], SANS, sizes(20, 10), 100, 50) is not None


def test_text_for_one_line_is_seen_to_be_shortened() -> None:
    assert shortened("a long line of words", SANS, 12, 60).endswith("…")
    assert SANS.width(shortened("a long line of words", SANS, 12, 60), 12) <= 60
    assert shortened("short", SANS, 12, 60) == "short"


def test_what_is_written_from_the_right_is_known_by_its_first_letter() -> None:
    assert is_right_to_left("12 نحل العسل")
    assert is_right_to_left("שלום")
    assert not is_right_to_left("Bees نحل")
    assert not is_right_to_left("")


def test_shipped_fonts_have_the_letters_of_europe_arabic_and_hebrew() -> None:
    for text in ("Größe ñ ş ž ő", "Ελληνικά", "Українська мова", "العسل", "שלום", "→ ≤ € °"):
        assert type_of("sans").missing(text) == set()
        assert type_of("hand", True).missing(text) == set()


def test_scales_begin_and_end_with_round_numbers_however_large() -> None:
    assert scale_of([3, 17], from_zero=True).ticks == (0, 5, 10, 15, 20)
    huge = scale_of([1.2e12, 3.9e12], from_zero=True)
    assert (huge.power, huge.told(huge.high), huge.name) == (12, "4", "×10¹²")
    assert scale_of([5], from_zero=False).high > 5
    assert scale_of([-3, -1], from_zero=True).high == 0
    assert number_text(1234567.0) == "1 234 567"
    assert number_text(0.125) == "0.125"


def test_a_colour_is_made_readable_on_its_ground() -> None:
    assert contrast("#000000", "#ffffff") == 21
    for color, on in (("#ffff00", "#ffffff"), ("#223344", "#14213d"), ("#888888", "#777777")):
        assert contrast(readable(color, on), on) >= 4.5
