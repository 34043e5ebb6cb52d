"""Video overviews: what is said and seen in them, before anything is drawn."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence

import pytest
from documents import LIGHTHOUSES, OWLS, WAELDER, content, evidence, source
from pydantic import ValidationError

from quire.domain.errors import Conflict, InvalidInput, Unsupported, Upstream
from quire.domain.grounding import Statement
from quire.domain.infographics import ChartBlock, ListBlock, QuoteBlock, StepBlock
from quire.domain.video_overviews import Line, VideoOptions, VideoOverview, VideoScene, wish_of
from quire.studio.kind import Brief
from quire.studio.scene_revising import revised_scene
from quire.studio.source_text import shown
from quire.studio.video_scripts import VideoKind, VideoOutline
from quire.studio.writer import Writer

FORMS = ("explainer", "brief", "cinematic", "short")
STEPS = """# Tea

Tea is a drink that is made of leaves and hot water.

## Making tea

To make tea:

1. Boil the water in a kettle.
2. Pour the water over the leaves.
3. Wait for three minutes.
4. Take the leaves out.
"""


def statements(video: VideoOverview) -> list[Statement]:
    return [line.statement for scene in video.scenes for line in scene.lines if line.statement]


def outlined(*, options: VideoOptions | None = None) -> tuple[VideoOutline, VideoOverview, Brief]:
    kind, brief = VideoKind(), Brief(options or VideoOptions(), "", "en", "", "Night and light")
    outline = kind.outline(evidence(), brief)
    return outline, kind.content(outline, brief), brief


@pytest.mark.parametrize("form", FORMS)
def test_a_narrator_says_what_sources_say_and_nothing_twice(form: str) -> None:
    made = content("video", format=form)
    told = statements(made)
    assert len({one.text for one in told}) == len(told) >= 3
    for one in told:
        assert one.grounds[0].excerpt in OWLS + LIGHTHOUSES
        assert "|" in one.grounds[0].excerpt or shown(one.grounds[0].excerpt) == one.text
    kinds = [scene.kind for scene in made.scenes]
    assert (kinds[0], kinds[-1], set(kinds[1:-1])) == ("opening", "closing", {"telling"})
    assert made.title == "Video overview: Night and light"
    assert made.scenes[0].lines[0].link == "Welcome. Today we look at Night and light."
    assert made.scenes[-1].lines[-1].link == "Thank you for watching."
    assert made.form == form


def test_a_longer_form_says_more_and_shows_the_numbers_of_the_sources() -> None:
    counts = [len(statements(content("video", format=form))) for form in ("short", "brief", "explainer")]
    assert counts == sorted(set(counts))
    chart = next(scene for scene in content("video").scenes if isinstance(scene.block, ChartBlock))
    assert [line.statement.text for line in chart.lines if line.statement] == [
        "Snowy owl – Weight in g: 2,000; Clutch: 3 to 11",
        "Elf owl – Weight in g: 40; Clutch: 1 to 5",
    ]
    steps = next(
        scene for scene in content("video", evidence(source(STEPS, "Tea"))).scenes if isinstance(scene.block, StepBlock)
    )
    assert [one.text for one in steps.block.steps][:2] == [  # type: ignore[union-attr]
        "Boil the water in a kettle.",
        "Pour the water over the leaves.",
    ]


@pytest.mark.parametrize(
    ("language", "title"), [("de", "Video-Überblick"), ("fr", "Aperçu vidéo "), ("es", "Resumen de vídeo")]
)
def test_titles_are_in_the_language_of_the_video_and_what_is_said_in_that_of_the_sources(
    language: str, title: str
) -> None:
    made = content("video", evidence(source(WAELDER, "Wälder", "de")), language)
    assert made.title == f"{title}: Wälder"
    assert made.spoken == "de"
    assert made.scenes[0].lines[0].link == "Willkommen. Heute geht es um Wälder."
    assert bool(made.remark) == (language != "de")


def test_each_line_is_in_the_language_of_its_source() -> None:
    mixed = content("video", evidence(source(OWLS, "Owls"), source(WAELDER, "Wälder", "de")))
    of = {line.language for scene in mixed.scenes for line in scene.lines if line.statement}
    assert of == {"en", "de"}
    for scene in mixed.scenes:
        for line in scene.lines:
            if line.statement:
                assert line.language == ("de" if line.statement.grounds[0].excerpt in WAELDER else "en")


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("auto", "auto"),
        ("Paper Craft", "paper_craft"),
        ("retro-print", "retro_print"),
        ("custom", "custom"),
        ("custom:  neon ", "custom: neon"),
        ("dark blue\nwith serifs", "custom: dark blue with serifs"),
    ],
)
def test_a_style_is_a_name_or_a_wish(given: str, kept: str) -> None:
    assert VideoOptions(style=given).style == kept
    assert wish_of(kept) == kept.partition("custom: ")[2]


def test_a_name_that_is_no_style_is_refused_with_those_that_are() -> None:
    with pytest.raises(ValidationError, match="It is one of auto, classic, whiteboard"):
        VideoOptions(style="whitebord")


@pytest.mark.parametrize(
    "scenes",
    [
        [],
        [VideoScene(title="x")] * 101,
        [VideoScene(title="x", lines=[Line(link="y")] * 40)] * 11,
        [VideoScene(title="x", lines=[Line(link="y" * 2_000)] * 21)],
    ],
)
def test_a_video_nobody_would_watch_to_its_end_is_refused(scenes: Sequence[VideoScene]) -> None:
    with pytest.raises(ValidationError):
        VideoOverview(title="Too much", scenes=list(scenes))


def test_sources_without_a_sentence_make_no_video() -> None:
    with pytest.raises(Conflict, match="no sentences"):
        content("video", evidence(source("# Owls\n", "Owls")))


class Says:
    """A model that gives one answer, whatever it is asked."""

    name = "says"

    def __init__(self, answer: str) -> None:
        self._answer = answer

    async def generate(self, system: str, prompt: str, max_tokens: int) -> AsyncIterator[str]:
        yield self._answer


SCENE = {
    "title": "What owls are",
    "sentences": ["Owls are birds of the order Strigiformes [1].", "Owls eat 9,000 whales a day [1]."],
}


def test_what_a_model_has_the_narrator_say_is_kept_as_far_as_the_sources_bear_it_out() -> None:
    outline, plain, brief = outlined()
    kind = VideoKind()
    made = asyncio.run(kind.written(outline, plain, brief, Writer(Says(json.dumps(SCENE)))))
    said = statements(made)
    assert not any("whales" in one.text for one in said)
    summary = made.scenes[1]
    assert (summary.title, [line.statement.text for line in summary.lines if line.statement]) == (
        "What owls are",
        ["Owls are birds of the order Strigiformes."],
    )
    assert isinstance(summary.block, QuoteBlock)
    # What the model's words are not borne out by stays as it was.
    assert made.scenes[-2:] == plain.scenes[-2:]
    with pytest.raises(Upstream):
        asyncio.run(kind.written(outline, plain, brief, Writer(Says("no"))))


def test_a_scene_is_revised_by_simple_wishes_without_a_model() -> None:
    outline, video, _ = outlined()
    index = next(
        place
        for place, scene in enumerate(video.scenes)
        if isinstance(scene.block, ListBlock) and scene.chapter == "Owls"
    )

    def revised(wish: str) -> VideoScene:
        made = asyncio.run(revised_scene(video, outline, index, wish, None))
        assert [*made.scenes[:index], *made.scenes[index + 1 :]] == [*video.scenes[:index], *video.scenes[index + 1 :]]
        return made.scenes[index]

    assert revised("title: Ears").title == "Ears"
    shorter = revised("make it shorter")
    assert len(shorter.lines) < len(video.scenes[index].lines)
    assert len(getattr(shorter.block, "items", [1])) == len(shorter.lines)
    with pytest.raises(Unsupported, match="Without a language model"):
        revised("in the manner of a pirate")
    with pytest.raises(InvalidInput, match=f"has {len(video.scenes)} scenes"):
        asyncio.run(revised_scene(video, outline, 99, "shorter", None))


def test_a_scene_is_revised_by_a_model_as_far_as_sources_bear_it_out() -> None:
    outline, video, _ = outlined()
    answer = {"title": "Night birds", "sentences": ["Most owls hunt at night and rest by day [1]."]}
    index = next(place for place, scene in enumerate(video.scenes) if scene.title == "Owls")
    made = asyncio.run(revised_scene(video, outline, index, "like a pirate", Writer(Says(json.dumps(answer)))))
    assert made.scenes[index].title == "Night birds"
    with pytest.raises(Upstream):
        asyncio.run(revised_scene(video, outline, index, "like a pirate", Writer(Says("no"))))
