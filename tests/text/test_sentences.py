"""Sentences are exact spans: together they hold every character that is not blank, once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from spans import assert_exact, large_sizes

from quire.text.sentences import code_spans, sentences


def cut(text: str, language: str | None = None) -> list[str]:
    return [text[start:end] for start, end in sentences(text, language)]


@pytest.mark.parametrize(
    ("text", "language", "found"),
    [
        ("One. Two! Three? Four…", None, ["One.", "Two!", "Three?", "Four…"]),
        ("Dr. Smith met Mr. Jones at 5 p.m. They spoke.", "en", ["Dr. Smith met Mr. Jones at 5 p.m.", "They spoke."]),
        ("The U.S. Army came. It won.", "en", ["The U.S. Army came.", "It won."]),
        ("See Fig. 3 and p. 12. Then stop.", "en", ["See Fig. 3 and p. 12.", "Then stop."]),
        ("We said no. Then came No. 5 of it.", "en", ["We said no.", "Then came No. 5 of it."]),
        ("J. R. R. Tolkien wrote it. We read it.", "en", ["J. R. R. Tolkien wrote it.", "We read it."]),
        ("It cost 3.50 dollars. That is all.", "en", ["It cost 3.50 dollars.", "That is all."]),
        ('"Stop!" he said. "Why?"', "en", ['"Stop!" he said.', '"Why?"']),
        ("(It rained.) We left.", "en", ["(It rained.)", "We left."]),
        ("Am 3. Oktober war es. Dann kam er.", "de", ["Am 3. Oktober war es.", "Dann kam er."]),
        ("这是一。这是二！“好吗？”是的。", "zh", ["这是一。", "这是二！", "“好吗？”", "是的。"]),
        ("यह एक है। यह दो है।", "hi", ["यह एक है।", "यह दो है।"]),
        ("هل هذا صحيح؟ نعم.", "ar", ["هل هذا صحيح؟", "نعم."]),
        ("Version 2.0 of example.com is out. Get it.", "en", ["Version 2.0 of example.com is out.", "Get it."]),
        ("# Title\nText of it.\n\nMore", None, ["# Title", "Text of it.", "More"]),
        ("Steps:\n1. Mix it.\n2. Bake it.\n- or not", None, ["Steps:", "1. Mix it.", "2. Bake it.", "- or not"]),
        ("| a | b |\n| 1 | 2 |", None, ["| a | b |", "| 1 | 2 |"]),
        ("```\nx = 1. + y\nprint(x)\n```\nDone.", None, ["```", "x = 1. + y", "print(x)", "```", "Done."]),
        ("Name\tAge\nAnn\t5\n", None, ["Name\tAge", "Ann\t5"]),
        (
            "[12 Aug 2025, 09:40] Ida: can we still come to the lake on Sunday\n[12 Aug 2025, 09:44] Max: yes, by bus",
            "en",
            [
                "[12 Aug 2025, 09:40] Ida: can we still come to the lake on Sunday",
                "[12 Aug 2025, 09:44] Max: yes, by bus",
            ],
        ),
        (
            "The boat of the club leaves from the old pier at\n10:15 on Sundays.",
            "en",
            ["The boat of the club leaves from the old pier at\n10:15 on Sundays."],
        ),
        ("", None, []),
        (" \n\t ", None, []),
    ],
)
def test_a_text_is_cut_where_a_reader_would(text: str, language: str | None, found: list[str]) -> None:
    assert cut(text, language) == found


def test_a_line_that_was_only_wrapped_goes_on() -> None:
    text = "This line of a paragraph was wrapped by its editor at\nsome width, and so it goes on here. New one."
    assert cut(text, "en") == [text[: text.index(" New")], "New one."]


def test_a_block_of_code_that_is_never_closed_ends_with_the_text() -> None:
    assert code_spans("a\n```\nb") == [(2, 7)]
    assert code_spans("```\na\n```\nb\n~~~\nc\n~~~") == [(0, 9), (12, 21)]
    assert code_spans("no code") == []


SIGNS = '. ! ? … 。 ？ ) " ” * # | - ``` ~~~ 1. a) Dr. U.S. e.g. 3'
PIECES = st.lists(
    st.sampled_from([*SIGNS.split(), " ", "\n", "\n\n", "\t"]) | st.text(max_size=6),
    max_size=60,
).map("".join)


@given(PIECES, st.sampled_from([None, "en", "de", "zh"]))
def test_every_character_that_is_not_blank_is_in_exactly_one_sentence(text: str, language: str | None) -> None:
    assert_exact(text, sentences(text, language))


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        " ",
        "[",
        ")",
        '"',
        "\u0301",
        "中",
        ".",
        ". ",
        "a. ",
        ".)",
        "?!",
        "\n",
        "\t\n",
        "#",
        "# a\n",
        "|",
        "```\n",
        "*",
    ],
)
@large_sizes
def test_a_long_text_of_one_thing_is_cut_in_time(unit: str, size: int) -> None:
    text = unit * (size // len(unit))
    assert_exact(text, sentences(text))


@pytest.mark.parametrize("text", ["0\r\n", "a\u00a0\nB", "One.\x0b\n\nTwo.", "a \r\n\r\nb"])
def test_no_sentence_ends_with_what_stands_before_a_line_break(text: str) -> None:
    assert_exact(text, sentences(text))
