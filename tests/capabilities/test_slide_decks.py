"""Slide decks and infographics: made of sources, every statement from a passage, revised and made again."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from itertools import product
from typing import Any, get_args

import pytest
from pptx import Presentation
from trials import on_one_store

from quire.api.library import Library
from quire.domain.artifacts import Artifact, Detail, Orientation
from quire.domain.decks import DeckForm, DeckLength
from quire.domain.errors import Conflict, InvalidInput, Unsupported
from quire.domain.infographics import Style

pytestmark = pytest.mark.anyio

BEES = """# Honey bees

Honey bees are social insects that live in colonies of up to 60,000 bees. The queen is the only bee that lays eggs.

## Foraging

Worker bees gather nectar and pollen within three kilometres of the hive. A forager visits about 100 flowers on each
flight. Scouts tell the others by a dance where flowers are. Foragers sleep in the hive at night. Rain keeps foragers
at home for the whole day. Wind over 40 km/h stops all flights.

## Honey

Honey is a food that bees make from nectar. Bees fan the nectar with their wings until it holds less than 18 percent
water. A strong colony makes 30 kilograms of honey in a year.

| Month | Honey (kg) |
| --- | --- |
| May | 8 |
| June | 14 |
| July | 9 |

## Harvest

1. Smoke calms the bees before the hive is opened.
2. Full frames are taken out of the hive.
3. The wax caps are cut off the combs.
4. Honey is spun out of the combs.
"""
DUCKS = """# Enten

Enten sind Wasservögel, die auf allen Kontinenten außer der Antarktis leben. Eine Stockente wiegt etwa 1,1 Kilogramm.

## Nahrung

Gründelnde Enten fressen Pflanzen und kleine Tiere im flachen Wasser. Tauchenten holen Muscheln vom Grund der Seen.
"""


async def notebook(library: Library, *texts: str) -> str:
    id = (await library.notebooks.create("Animals")).id
    for number, text in enumerate(texts or (BEES,)):
        await library.sources.add_text(id, f"Source {number + 1}", text)
    return id


async def content_of(library: Library, artifact: Artifact) -> dict[str, Any]:
    return (await library.artifacts.get_content(None, artifact.id)).content


async def bytes_of(library: Library, artifact: Artifact, format: str) -> bytes:
    return await (await library.artifacts.download(None, artifact.id, format)).read()


def statements(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if {"text", "grounds", "verified"} <= value.keys():
            yield value
        for part in value.values():
            yield from statements(part)
    elif isinstance(value, list):
        for part in value:
            yield from statements(part)


async def grounded(library: Library, artifact: Artifact, content: dict[str, Any]) -> None:
    """Each statement is what stands in its source, or that without a clause."""
    texts = {id: (await library.sources.get_fulltext(None, id)).text for id in artifact.source_ids}
    found = list(statements(content))
    assert found
    for one in found:
        for grounds in one["grounds"]:
            assert texts[grounds["source_id"]][grounds["start"] : grounds["end"]] == grounds["excerpt"]
        words = " ".join(grounds["excerpt"] for grounds in one["grounds"]).casefold()
        assert all(word in words or "|" in words for word in one["text"].casefold().split()), one["text"]


def bullets_of(content: dict[str, Any]) -> list[str]:
    return [one["text"] for slide in content["slides"] for one in slide.get("bullets", [])]


async def test_a_deck_has_files_that_say_what_its_source_says(library: Library) -> None:
    id = await notebook(library)
    made = await library.artifacts.generate(id, "slide_deck")
    assert (made.state, made.formats, made.maker) == ("ready", ["pptx", "pdf", "zip"], "extractive")
    content = await content_of(library, made)
    await grounded(library, made, content)
    kinds = [slide["kind"] for slide in content["slides"]]
    assert (kinds[0], kinds[-1]) == ("title", "closing")
    assert {"bullets", "chart", "figures"} <= set(kinds)
    chart = next(slide["chart"] for slide in content["slides"] if slide["kind"] == "chart")
    assert (chart["labels"], chart["series"][0]["values"]) == (["May", "June", "July"], [8.0, 14.0, 9.0])
    told = bullets_of(content)
    assert len(told) == len(set(told))
    harvest = next(slide for slide in content["slides"] if slide["title"] == "Harvest")
    assert [one["text"][:6] for one in harvest["bullets"]] == ["Smoke ", "Full f", "The wa", "Honey "]
    slides = list(Presentation(io.BytesIO(await bytes_of(library, made, "pptx"))).slides)
    assert len(slides) == len(kinds)
    assert slides[0].shapes.title.text_frame.text == "Source 1"
    assert any(shape.has_chart for slide in slides for shape in slide.shapes)
    assert (await bytes_of(library, made, "pdf")).startswith(b"%PDF")


@on_one_store
async def test_presenter_slides_say_less_and_have_the_rest_in_their_notes(library: Library) -> None:
    id = await notebook(library)
    detailed = await content_of(library, await library.artifacts.generate(id, "slide_deck"))
    presenter = await content_of(
        library, await library.artifacts.generate(id, "slide_deck", format="presenter_slides", length="short")
    )
    assert len(presenter["slides"]) <= len(detailed["slides"])
    assert all(len(slide["bullets"]) <= 4 for slide in presenter["slides"] if slide["kind"] == "bullets")
    assert any(slide["notes"] for slide in presenter["slides"] if slide["kind"] == "bullets")


@on_one_store
async def test_a_slide_is_revised_by_simple_wishes_and_the_others_stay(library: Library) -> None:
    id = await notebook(library)
    made = await library.artifacts.generate(id, "slide_deck")
    before = await content_of(library, made)
    index = next(place for place, slide in enumerate(before["slides"]) if slide["title"] == "Foraging")
    same = await library.artifacts.revise_slide(id, made.id, index, "Make it shorter, please")
    assert (same.id, same.state) == (made.id, "ready")
    shorter = await content_of(library, made)
    assert len(shorter["slides"][index]["bullets"]) < len(before["slides"][index]["bullets"])
    assert [slide for place, slide in enumerate(shorter["slides"]) if place != index] == [
        slide for place, slide in enumerate(before["slides"]) if place != index
    ]
    await library.artifacts.revise_slide(id, made.id, index, "Change the title to “Out of the hive”")
    await library.artifacts.revise_slide(id, made.id, index, "longer")
    longer = (await content_of(library, made))["slides"][index]
    assert longer["title"] == "Out of the hive"
    assert len(longer["bullets"]) > len(shorter["slides"][index]["bullets"])
    await library.artifacts.revise_slide(id, made.id, index, "show other sentences")
    other = (await content_of(library, made))["slides"][index]
    assert not {one["text"] for one in other["bullets"]} & {one["text"] for one in longer["bullets"]}
    await grounded(library, made, await content_of(library, made))
    deck = Presentation(io.BytesIO(await bytes_of(library, made, "pptx")))
    assert deck.slides[index].shapes.title.text_frame.text == "Out of the hive"
    with pytest.raises(Unsupported, match="Without a language model"):
        await library.artifacts.revise_slide(id, made.id, index, "in the manner of a pirate")
    with pytest.raises(InvalidInput, match="slides, from 0 on"):
        await library.artifacts.revise_slide(id, made.id, 99, "shorter")
    report = await library.artifacts.generate(id, "report")
    with pytest.raises(Conflict, match="Only slide decks"):
        await library.artifacts.revise_slide(id, report.id, 0, "shorter")


async def test_an_infographic_shows_figures_charts_steps_and_sentences(library: Library) -> None:
    id = await notebook(library)
    made = await library.artifacts.generate(
        id, "infographic", orientation="portrait", detail="detailed", style="kawaii"
    )
    assert (made.state, made.formats) == ("ready", ["png", "svg", "pdf"])
    assert made.options == {"orientation": "portrait", "detail": "detailed", "style": "kawaii"}
    content = await content_of(library, made)
    await grounded(library, made, content)
    assert {"figures", "chart", "steps", "list"} <= {block["kind"] for block in content["blocks"]}
    told = [one["text"] for one in statements(content["blocks"]) if "–" not in one["text"]]
    assert len(told) == len(set(told))
    assert (await bytes_of(library, made, "png")).startswith(b"\x89PNG")
    assert "<svg" in (await bytes_of(library, made, "svg")).decode()[:300]
    with pytest.raises(InvalidInput, match="style"):
        await library.artifacts.generate(id, "infographic", style="baroque")


@on_one_store
async def test_letters_that_no_font_has_are_told_of(library: Library) -> None:
    id = await notebook(library, "# Runes\n\nThe old stone of the north says 𒀀𒀁 to all its readers.\n")
    made = await library.artifacts.generate(id, "infographic")
    assert "QUIRE_FONTS" in made.warnings[0]
    assert "𒀀𒀁" in made.warnings[0]


@on_one_store
async def test_headings_are_in_the_wanted_language_and_quoted_text_in_the_sources(library: Library) -> None:
    id = await notebook(library)
    deck = await library.artifacts.generate(id, "slide_deck", language="fr")
    content = await content_of(library, deck)
    assert content["slides"][-1]["title"] == "Sources"
    assert content["slides"][1]["title"] == "Résumé"
    assert "Honey bees are social insects" in json.dumps(content)
    assert deck.warnings == [content["remark"]]
    assert content["remark"]


@on_one_store
async def test_all_sources_are_told_of(library: Library) -> None:
    id = await notebook(library, BEES, DUCKS)
    for kind in ("slide_deck", "infographic"):
        made = await library.artifacts.generate(id, kind, length="short" if kind == "slide_deck" else None)  # type: ignore[arg-type]
        content = await content_of(library, made)
        told = {grounds["source_id"] for one in statements(content) for grounds in one["grounds"]}
        assert told == set(made.source_ids)
        assert len(told) == 2


@pytest.mark.long
@on_one_store
async def test_every_option_of_decks_and_infographics_works(library: Library) -> None:
    id = await notebook(library, BEES, DUCKS)
    for format, length in product(get_args(DeckForm), get_args(DeckLength)):
        deck = await library.artifacts.generate(id, "slide_deck", format=format, length=length)
        await grounded(library, deck, await content_of(library, deck))
    wanted = [{"orientation": one} for one in get_args(Orientation)] + [{"detail": one} for one in get_args(Detail)]
    for options in [*wanted, *({"style": one} for one in get_args(Style))]:
        made = await library.artifacts.generate(id, "infographic", **options)
        assert made.state == "ready"
        await grounded(library, made, await content_of(library, made))
