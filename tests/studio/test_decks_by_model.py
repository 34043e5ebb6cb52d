"""Decks and infographics in a model's words, as far as they can be checked; slides revised by a wish."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable

import pytest

from quire.domain.decks import BulletSlide, Deck, DeckOptions
from quire.domain.errors import Unsupported, Upstream
from quire.domain.infographics import InfographicOptions, ListBlock
from quire.studio.evidence import gathered
from quire.studio.infographics import InfographicKind
from quire.studio.kind import Brief
from quire.studio.revising import by_rule, revised
from quire.studio.slide_decks import DeckKind, DeckOutline
from quire.studio.source_text import SourceText
from quire.studio.writer import Writer

pytestmark = pytest.mark.anyio

BEES = """# Honey bees

Honey bees are social insects that live in colonies. The queen is the only bee that lays eggs.

## Foraging

Worker bees gather nectar and pollen within three kilometres of the hive. A forager visits about 100 flowers on each
flight. Scouts tell the others by a dance where flowers are. Rain keeps foragers at home for the whole day. Wind over
40 km/h stops all flights. Foragers sleep in the hive at night.
"""
SOURCE = SourceText("s", "Honey bees", 1, "text", "en", BEES)


class Told:
    """A model that answers by a function of what it is asked."""

    name = "told"

    def __init__(self, answer: Callable[[str], str]) -> None:
        self._answer = answer
        self.asked: list[str] = []

    async def generate(self, system: str, prompt: str, max_tokens: int) -> AsyncIterator[str]:
        self.asked.append(prompt)
        yield self._answer(prompt)

    async def check(self) -> str:
        return self.name


def brief(options: object, instructions: str = "") -> Brief:
    return Brief(options=options, instructions=instructions, language="en", title="", notebook_title="Bees")


def deck() -> tuple[DeckOutline, Deck, Brief]:
    kind, asked = DeckKind(), brief(DeckOptions())
    outline = kind.outline(gathered([SOURCE]), asked)
    return outline, kind.content(outline, asked), asked


GOOD = json.dumps(
    {
        "title": "Out of the hive",
        "bullets": [
            "Scouts tell the others by a dance where flowers are [{}].",
            "Bees fly to the moon and back every day [1].",
            "Rain keeps foragers at home [{}].",
        ],
    }
)


def numbered(prompt: str) -> str:
    """The good answer with the numbers that the passages have in the prompt."""
    lines = prompt.splitlines()

    def number(words: str) -> str:
        at = next((place for place, line in enumerate(lines) if words in line), None)
        return "1" if at is None else lines[at - 1].split("]")[0].lstrip("[")

    return GOOD.replace("{}", number("Scouts tell"), 1).replace("{}", number("Rain keeps"), 1)


async def test_a_model_writes_slides_and_what_is_not_borne_out_is_dropped() -> None:
    outline, content, asked = deck()
    model = Told(numbered)
    written = await DeckKind().written(outline, content, asked, Writer(model))
    slide = next(one for one in written.slides if one.title == "Out of the hive" and isinstance(one, BulletSlide))
    assert [one.text for one in slide.bullets] == [
        "Scouts tell the others by a dance where flowers are.",
        "Rain keeps foragers at home.",
    ]
    assert all(one.grounds[0].excerpt in BEES for one in slide.bullets)
    assert "flight" in " ".join(one.text for one in slide.notes)


@pytest.mark.parametrize(
    "answer", ["no JSON at all", '{"title": 1}', '{"title": "x", "bullets": ["The moon is cheese."]}']
)
async def test_slides_stay_in_the_sources_words_where_a_model_writes_nothing_of_use(answer: str) -> None:
    outline, content, asked = deck()
    with pytest.raises(Upstream):
        await DeckKind().written(outline, content, asked, Writer(Told(lambda prompt: answer)))


async def test_a_model_writes_the_lists_of_an_infographic() -> None:
    kind, asked = InfographicKind(), brief(InfographicOptions(), "Only the dance")
    outline = kind.outline(gathered([SOURCE]), asked)
    content = kind.content(outline, asked)
    block = next(one for one in content.blocks if isinstance(one, ListBlock) and len(one.items) > 1)
    answer = json.dumps(
        {"items": [f"{item.text} [{place}]" for place, item in enumerate(block.items, 1)] + ["Lies [1]."]}
    )
    model = Told(lambda prompt: answer)
    written = await kind.written(outline, content, asked, Writer(model))
    assert "Only the dance" in model.asked[0]
    assert [one.kind for one in written.blocks] == [one.kind for one in content.blocks]
    assert "Lies" not in written.model_dump_json()
    with pytest.raises(Upstream):
        await kind.written(outline, content, asked, Writer(Told(lambda prompt: "nothing")))


async def test_a_slide_is_revised_by_a_model_with_the_wish_and_its_own_passages() -> None:
    outline, content, _ = deck()
    index = next(place for place, one in enumerate(content.slides) if one.title == "Foraging")
    model = Told(numbered)
    made = await revised(content, outline, index, "Tell it to children", Writer(model))
    assert made.slides[index].title == "Out of the hive"
    assert "Tell it to children" in model.asked[0]
    assert [one for place, one in enumerate(made.slides) if place != index] == [
        one for place, one in enumerate(content.slides) if place != index
    ]
    with pytest.raises(Upstream):
        await revised(content, outline, index, "Tell it to children", Writer(Told(lambda prompt: "?")))
    with pytest.raises(Unsupported):
        await revised(content, outline, index, "Tell it to children", None)


@pytest.mark.parametrize(
    ("wish", "title"),
    [
        ("title: Flights", "Flights"),
        ("Change the title to “Flights of bees”.", "Flights of bees"),
        ("Titel: Flüge", "Flüge"),
        ('set the slide title to "Far out"', "Far out"),
    ],
)
def test_a_title_is_read_from_a_wish(wish: str, title: str) -> None:
    made = by_rule(BulletSlide(title="Foraging"), wish, [])
    assert made is not None
    assert made.title == title


def test_a_wish_that_is_not_simple_is_left_to_a_model() -> None:
    outline, content, _ = deck()
    slide = next(one for one in content.slides if one.title == "Foraging")
    assert outline.chapters
    for wish in ("in the manner of a pirate", "", "the title is fine, but use emojis"):
        assert by_rule(slide, wish, []) is None
