"""Passages are exact spans of whole sentences: none too long, none across pages, every character in one of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from spans import assert_exact, large_sizes

from quire.domain.documents import Document, Mark
from quire.text.indexing import Prepared, pasted
from quire.text.passages import DENSE_LIMIT, LIMIT, SIZE, passage_spans
from quire.text.sentences import sentences

SENTENCE = "The harbour was dredged again in that year, and the ships came back to it in spring. "


def texts(document: Document) -> list[str]:
    return [document.text[start:end] for start, end in passage_spans(document)]


def heading(text: str, label: str, level: int = 2) -> Mark:
    return Mark(offset=text.index(label), kind="heading", label=label, level=level)


def test_a_short_text_is_one_passage() -> None:
    assert texts(Document(text="  A short text. Of two sentences.\n")) == ["A short text. Of two sentences."]
    assert texts(Document(text="")) == []
    assert texts(Document(text=" \n ")) == []


def test_a_long_text_is_cut_between_sentences_into_passages_of_one_size() -> None:
    document = Document(text=SENTENCE * 100, language="en")
    found = passage_spans(document)
    whole = set(sentences(document.text, "en"))
    starts, ends = {start for start, _ in whole}, {end for _, end in whole}
    assert all(start in starts and end in ends for start, end in found)
    assert all(SIZE * 0.7 < end - start <= LIMIT for start, end in found)


def test_no_passage_runs_over_a_page_or_a_chapter() -> None:
    pages = [f"Page {number} says little.\n\n" for number in range(5)]
    text = "".join(pages)
    marks = [Mark(offset=text.index(page), kind="page", label=str(at)) for at, page in enumerate(pages)]
    assert texts(Document(text=text, marks=marks)) == [page.strip() for page in pages]
    text = "# One\n\nFirst.\n\n# Two\n\nSecond."
    chapters = Document(text=text, marks=[heading(text, "# One", 1), heading(text, "# Two", 1)])
    assert texts(chapters) == ["# One\n\nFirst.", "# Two\n\nSecond."]


def test_a_heading_stays_with_what_is_under_it() -> None:
    text = SENTENCE * 11 + "\n\n### Tides\n\n" + SENTENCE * 11
    found = texts(Document(text=text, language="en", marks=[heading(text, "### Tides", 3)]))
    assert any(passage.startswith("### Tides\n\nThe harbour") for passage in found)


def test_a_heading_right_under_another_stays_with_it() -> None:
    text = "# Book\n\n## Part\n\nText of it."
    marks = [heading(text, "# Book", 1), heading(text, "## Part", 2)]
    assert texts(Document(text=text, marks=marks)) == [text]


def test_code_is_not_cut_while_there_is_another_place() -> None:
    code = "```\n" + "call(argument)\n" * 20 + "```"
    text = SENTENCE * 8 + "\n\n" + code + "\n\n" + SENTENCE * 8
    assert any(code in passage for passage in texts(Document(text=text, language="en")))


def test_passages_of_dense_scripts_are_shorter() -> None:
    found = passage_spans(Document(text="港口在那一年又被疏浚，船只在春天回来了。" * 200))
    assert all(end - start <= DENSE_LIMIT for start, end in found)


def test_a_sentence_that_is_too_long_is_cut_between_words() -> None:
    text = "word " * 1_000
    found = texts(Document(text=text))
    assert all(passage.startswith("word") and passage.endswith("word") for passage in found)
    assert all(len(passage) <= LIMIT for passage in found)


def test_a_letter_keeps_its_marks_where_a_word_has_to_be_cut() -> None:
    text = "e\u0301\u0323" * 2_000
    assert all(passage[0] == "e" for passage in texts(Document(text=text)))


@st.composite
def documents(draw: st.DrawFn) -> Document:
    pieces = draw(
        st.lists(
            st.sampled_from([SENTENCE, "Short. ", "\n\n", "\n", "```\n", "- item\n", "中文。", "x" * 700]), max_size=40
        )
    )
    text = "".join(pieces)
    kinds = st.sampled_from(["page", "slide", "sheet", "heading", "time"])
    offsets = sorted(draw(st.lists(st.integers(0, len(text)), max_size=6)))
    marks = [Mark(offset=offset, kind=draw(kinds), label="x", level=draw(st.integers(1, 6))) for offset in offsets]
    return Document(text=text, marks=marks)


@given(documents())
def test_every_character_that_is_not_blank_is_in_exactly_one_passage(document: Document) -> None:
    found = passage_spans(document)
    assert_exact(document.text, found)
    assert all(end - start <= LIMIT for start, end in found)


@pytest.mark.parametrize(
    "unit", ["a", " ", "[", "\u0301", "a\u0301", "中", ". ", "a. ", "\n", "# a\n", "```\n", "word ", "- item\n", "\t\n"]
)
@large_sizes
def test_a_long_text_of_one_thing_is_cut_in_time(unit: str, size: int) -> None:
    text = unit * (size // len(unit))
    marks = [Mark(offset=offset, kind="heading", label="x", level=3) for offset in range(0, size, 100)]
    found = passage_spans(Document(text=text, marks=marks))
    assert_exact(text, found)
    assert all(end - start <= LIMIT for start, end in found)


def test_a_title_is_not_its_own_heading_and_ids_are_none() -> None:
    text = "# Harbours\n\nSea.\n\n## Boats\n\nWood.\n\n## 3f2a1b4c-1234-4abc-9def-001122334455\n\nTar."
    prepared = Prepared(pasted(text), "Harbours")
    assert [mark.label for mark in prepared.document.marks] == ["Boats"]
    assert {passage.place.heading for passage in prepared.passages} == {None, "Boats"}
    assert prepared.document.text == text
    other = Prepared(pasted(text), "Notes of June")
    assert [mark.label for mark in other.document.marks] == ["Harbours", "Boats"]
    assert [(one.start, one.end) for one in other.passages] == [(one.start, one.end) for one in prepared.passages]


def test_a_pasted_text_is_not_called_by_an_id() -> None:
    assert pasted("# 3f2a1b4c-1234-4abc-9def-001122334455\n\nTar.").title is None
