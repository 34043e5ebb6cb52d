"""The pictures of videos in every look: readable, within their bounds, and really different."""

from __future__ import annotations

import io

import pytest
from drawn_samples import BLOCKS, SENTENCES, bullets, faults_of, said
from PIL import Image

from quire.adapters.rendering.colors import luminance
from quire.adapters.rendering.typst_pages import pictures
from quire.adapters.rendering.video import cinema
from quire.adapters.rendering.video.frames import UPRIGHT, WIDE
from quire.adapters.rendering.video.looks import VIDEO_THEMES, look_of
from quire.adapters.rendering.video.stills import Stills, captions_of
from quire.domain.infographics import Block, ListBlock, QuoteBlock, StepBlock
from quire.domain.video_overviews import LOOKS, Line, VideoOverview, VideoScene

LONG_WORD = "Donaudampfschifffahrtsgesellschaftskapitänsmützenfabrikant"
ARABIC = "نحل العسل حشرات اجتماعية تعيش في مستعمرات كبيرة."
CHINESE = "蜜蜂是社会性昆虫，生活在大型群体中。"
HOSTILE = "Tom's \"50 %\": [in]drawtext=text='x'; a,b:c\\d {\\an8}<b>#1</b> --> %{eif} 👀"
STYLES = (*LOOKS, "custom: dark blue with serif letters", "custom: #ff00aa light, rounded", "custom: black and yellow")


def video(*blocks: Block, title: str = "How a colony finds its food", **more: object) -> VideoOverview:
    telling = [
        VideoScene(chapter="Bees", title=title, block=block, lines=[Line(statement=one) for one in bullets()])
        for block in blocks or BLOCKS
    ]
    scenes = [
        VideoScene(kind="opening", title=title, subtitle="Sources: Bees", lines=[Line(link="Welcome.")]),
        *telling,
        VideoScene(kind="closing", title="Sources", lines=[Line(link="Thank you.")]),
    ]
    return VideoOverview(title=title, scenes=scenes, sources=["Bees", title], **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("form", ["explainer", "short"])
@pytest.mark.parametrize("style", STYLES)
def test_every_look_is_readable_and_keeps_text_within_its_bounds(style: str, form: str) -> None:
    made = video(style=style, form=form)
    theme = look_of(made).theme
    for captions in (False, True):
        stills = Stills(made, theme, captions=captions)
        for number, scene in enumerate(made.scenes):
            drawn = stills.still(number, len(scene.lines) - 1, SENTENCES[2])
            assert faults_of(drawn) == [], (number, captions)
            assert scene.title in " ".join(words.text for words in drawn.words)


@pytest.mark.parametrize("style", ["classic", "kawaii"])
def test_cinematic_pictures_are_readable_and_within_their_bounds(style: str) -> None:
    made = video(style=style, form="cinematic")
    theme = look_of(made).theme
    stills = Stills(made, theme, captions=True)
    for number in range(len(made.scenes)):
        assert faults_of(cinema.written_over(made, theme, stills, number, 0, SENTENCES[0])) == []


@pytest.mark.parametrize(
    "text", [LONG_WORD * 6, ARABIC * 6, CHINESE * 12, HOSTILE, "x" * 5_000, "a b " * 1_200, "é\u0301" * 90]
)
def test_no_text_leaves_its_box_however_long_or_strange(text: str) -> None:
    hard = video(
        ListBlock(items=bullets(text, text, text)),
        QuoteBlock(quote=said(text), said_by=text[:400]),
        StepBlock(steps=bullets(text)),
        title=text[:2_000],
    )
    theme = look_of(hard).theme
    stills = Stills(hard, theme, captions=True)
    for number in range(len(hard.scenes)):
        for drawn in (
            stills.still(number, 2, captions_of(text, theme.body, WIDE.caption)[0]),
            cinema.written_over(hard, theme, stills, number, 0, captions_of(text, theme.body, WIDE.caption)[0]),
        ):
            assert [fault for fault in faults_of(drawn) if "empty" not in fault] == []
    for caption in captions_of(text, theme.body, WIDE.caption):
        assert caption
    assert (
        "".join(captions_of(text, theme.body, WIDE.caption))
        .replace(" ", "")
        .replace("-", "")
        .startswith(text[:20].replace(" ", "")[:10])
    )


def test_a_list_appears_as_it_is_said() -> None:
    made = video(ListBlock(items=bullets()))
    stills = Stills(made, VIDEO_THEMES["classic"], captions=False)
    shown = [" ".join(words.text for words in stills.still(1, said).words) for said in range(3)]
    assert [sum(text in one for text in ("visits about", "its brood", "Scouts tell")) for one in shown] == [1, 2, 3]
    first = {(words.x, words.y, words.text) for words in stills.still(1, 0).words}
    assert first <= {(words.x, words.y, words.text) for words in stills.still(1, 2).words}


def test_looks_differ_in_what_one_sees() -> None:
    seen = []
    for style in LOOKS:
        made = video(ListBlock(items=bullets()), style=style)
        (picture,) = pictures([Stills(made, look_of(made).theme, captions=False).still(1, 2)], "", 320)
        image = Image.open(io.BytesIO(picture)).convert("RGB")
        assert image.size == (320, 180)
        seen.append(image.resize((16, 9)).tobytes())
    for place, one in enumerate(seen):
        for other in seen[:place]:
            assert sum(abs(a - b) for a, b in zip(one, other, strict=True)) / len(one) > 3


@pytest.mark.parametrize(
    ("wish", "name", "heeded"),
    [
        ("dark blue with serif letters", "classic", ("serif", "dark blue", "dark")),
        ("like an old manga, pink", "anime", ("manga", "pink")),
        ("hand-drawn sketches in #0f766e", "whiteboard", ("hand-drawn", "#0f766e")),
        ("with unicorns everywhere", "classic", ()),
    ],
)
def test_a_wished_look_heeds_what_it_understands(wish: str, name: str, heeded: tuple[str, ...]) -> None:
    look = look_of(video(ListBlock(items=bullets()), style=f"custom: {wish}"))
    assert look.name == name
    assert set(heeded) <= set(look.heeded)
    assert bool(look.heeded) == bool(heeded)
    if "dark" in heeded:
        assert luminance(look.theme.paper) < 0.05
        assert look.theme.body == "serif"


def test_the_look_is_chosen_by_what_there_is_to_show() -> None:
    years = [Line(statement=said(f"It happened in {year}.")) for year in (1759, 1810, 1822, 1914)]
    history = VideoOverview(title="x", scenes=[VideoScene(title="x", block=QuoteBlock(quote=said("x")), lines=years)])
    assert look_of(history).name == "heritage"
    assert look_of(video(StepBlock(steps=bullets()))).name == "whiteboard"
    assert look_of(video(ListBlock(items=bullets()))).name == "classic"


def test_a_caption_has_as_many_parts_as_it_needs() -> None:
    wide, narrow = (captions_of(" ".join(SENTENCES), "sans", frame.caption) for frame in (WIDE, UPRIGHT))
    assert 1 < len(wide) <= len(narrow)
    assert " ".join(wide) == " ".join(narrow) == " ".join(SENTENCES)
