"""Blocks: sentences, items, headings, lead-ins and code are told apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.text.blocks import blocks
from quire.text.sentences import sentences

BREAD = """# Bread

It is baked. It keeps.

You need:
- flour
- water

## Steps

1. Mix it. Wait.
2. Bake it.

A caption

Run this:

```
bake(bread)
```
"""


def test_every_kind_of_block_is_known_with_what_stands_over_it() -> None:
    found = blocks(BREAD, "en")
    told = [(BREAD[block.start : block.end], block.kind, block.head) for block in found]
    assert told == [
        ("# Bread", "heading", None),
        ("It is baked.", "sentence", 0),
        ("It keeps.", "sentence", 0),
        ("You need:", "lead", 0),
        ("- flour", "item", 3),
        ("- water", "item", 3),
        ("## Steps", "heading", None),
        ("1. Mix it.", "item", 6),
        ("Wait.", "item", 6),
        ("2. Bake it.", "item", 6),
        ("A caption", "heading", None),
        ("Run this:", "lead", 10),
        ("```", "code", 11),
        ("bake(bread)", "code", 11),
        ("```", "code", 11),
    ]
    assert [block.section for block in found] == [1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3]


@pytest.mark.parametrize("text", ["| - | - |", "---", "***", "![A duck]"])
def test_rules_and_pictures_are_not_sentences(text: str) -> None:
    assert [block.kind for block in blocks(text)] == ["heading"]


@given(
    st.lists(st.sampled_from(["# A\n", "- b\n", "c:\n", "D is. ", "\n\n", "```\n", "| x |\n", "E\n\n"]), max_size=30)
)
def test_blocks_are_the_sentences_of_the_text(pieces: list[str]) -> None:
    text = "".join(pieces)
    found = blocks(text)
    assert [(block.start, block.end) for block in found] == sentences(text)
    for place, block in enumerate(found):
        assert block.head is None or (block.head < place and found[block.head].kind in ("heading", "lead"))


def test_a_number_and_a_few_words_over_a_text_are_its_heading() -> None:
    text = "1. Boats\nThe eight leaks.\n\n2. Oars\n3. Ropes\n\n3. Roof and walls\nRain comes in."
    kinds = {text[block.start : block.end]: block.kind for block in blocks(text, "en")}
    assert kinds["1. Boats"] == kinds["3. Roof and walls"] == "heading"
    assert kinds["2. Oars"] == kinds["3. Ropes"] == "item"


def test_paragraphs_and_items_are_counted() -> None:
    text = "One. Two.\n\nThree.\n\n- four. Five.\n- six"
    found = {text[block.start : block.end]: block.paragraph for block in blocks(text, "en")}
    assert found["One."] == found["Two."] != found["Three."]
    assert found["- four."] == found["Five."] != found["- six"]


@pytest.mark.parametrize("greeting", ["Dear Ms Moor,", "Hallo Ada,", "Bonjour Ada,", "Estimada señora:"])
def test_a_greeting_is_no_part_of_the_letter(greeting: str) -> None:
    text = f"{greeting}\nthe parcel is lost."
    assert [text[start:end] for start, end in sentences(text)] == [greeting, "the parcel is lost."]


@pytest.mark.parametrize("lead", ["Call us, day or night, if you", "These are the signs:", "Rufen Sie an, wenn Sie"])
def test_a_line_that_goes_on_in_items_leads_to_them(lead: str) -> None:
    found = blocks(f"Nobody has to wait.\n\n{lead}\n- have a fever\n- bleed")
    assert [one.kind for one in found] == ["sentence", "lead", "item", "item"]
    assert [one.head for one in found[2:]] == [1, 1]


def test_a_line_over_items_that_ends_by_itself_leads_nowhere() -> None:
    found = blocks("Ann, Monday 9:14\n- have a fever\n- bleed")
    assert [one.kind for one in found] == ["sentence", "item", "item"]
