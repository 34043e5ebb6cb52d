"""Contract 5: artifacts, as a client of NotebookLM asks for them and as the library makes them."""

from __future__ import annotations

import html
import io
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import av
import pytest
import soundfile
from PIL import Image

from contracts.rows import proves
from quire.adapters.artifact_files import FileMakers
from quire.api.library import Library
from quire.domain.errors import Conflict, NotFound
from quire.entry.bootstrap import build
from quire.entry.settings import load
from quire.notebooklm import codes
from quire.notebooklm.envelope import RpcRequest
from quire.notebooklm.methods import BY_NAME
from quire.notebooklm.methods.studio import App, Artifact, Audio, DataTable, Infographic, Report, Slides, Video
from quire.notebooklm.server import result_of
from quire.notebooklm.server.artifact_rows import FILES_HOST, FILES_PATH
from quire.notebooklm.server.wire_call import WireCall
from tone_voice import ToneVoice
from variants import with_parts

pytestmark = pytest.mark.anyio

APPLES = """# Apples

An apple is a fruit that grows on trees. Apples came from Central Asia. There are 7,500 kinds of apples in the world.

## Storage

Cold rooms keep apples for 12 months. Ethylene ripens apples faster. In 1892 growers in Kent built the first cold room.

| Kind | Weight in g |
| --- | --- |
| Gala | 150 |
| Fuji | 220 |
| Braeburn | 190 |
"""


PROMPTED = ("report", "app", "table", "slides", "infographic", "audio")


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    async with build(load({"home": tmp_path, "store": "memory", "embedder": "none", "voice": "embedded"}, {})) as made:
        yield made


class Wire:
    """Calls of a client that is at a notebook's page, through the templates of requests and answers."""

    def __init__(self, library: Library, notebook: str) -> None:
        self.library = library
        self.notebook = notebook

    async def call(self, called: str, /, **names: Any) -> Any:
        method = BY_NAME[called]
        request = RpcRequest(method.id, method.encode_request(names))
        result = await result_of(WireCall(self.library, f"/notebook/{self.notebook}"), request)
        return method.decode_response(json.loads(json.dumps(result)))

    async def made(self, wanted: Artifact) -> Artifact:
        """What was asked for, once it is there."""
        begun = await self.call("CREATE_ARTIFACT", notebook_id=self.notebook, artifact=wanted)
        assert begun.state is codes.ArtifactState.PENDING
        await self.library.artifacts.wait_for_completion(None, begun.id)
        rows = await self.call("LIST_ARTIFACTS", notebook_id=self.notebook)
        found: Artifact = next(row for row in rows if row.id == begun.id)
        assert found.state is codes.ArtifactState.READY
        return found


@pytest.fixture
async def wire(library: Library) -> Wire:
    notebook = (await library.notebooks.create("Orchard")).id
    await library.sources.add_text(notebook, "Apples", APPLES)
    return Wire(library, notebook)


async def sources(wire: Wire) -> tuple[str, ...]:
    return tuple(source.id for source in await wire.library.sources.list(wire.notebook))


@proves("C5-ART-17", "C5-ART-18")
async def test_a_report_is_made_as_asked_and_its_row_holds_its_text_and_prompt(wire: Wire) -> None:
    ids = await sources(wire)
    wish = Report(title="Study Guide", prompt="How are apples kept in cold rooms?", source_ids=ids, language="de")
    row = await wire.made(Artifact(kind=codes.ArtifactKind.REPORT, source_ids=ids, report=wish))
    assert row.report is not None
    assert (row.title, row.source_ids, row.report.prompt) == ("Lernhilfe: Apples – Storage", ids, wish.prompt)
    assert "Cold rooms keep apples for 12 months." in (row.report.markdown or "")
    (ours,) = await wire.library.artifacts.list(wire.notebook)
    assert (ours.options, ours.language, ours.source_ids) == ({"format": "study_guide"}, "de", list(ids))


@proves("C5-ART-17", "C5-ART-18", "C5-ART-09")
async def test_quizzes_and_flashcards_carry_their_data_in_their_page(wire: Wire) -> None:
    quiz = App(variant=codes.AppVariant.QUIZ, quiz_quantity=codes.Quantity.FEWER, quiz_difficulty=codes.Difficulty.HARD)
    cards = App(
        variant=codes.AppVariant.FLASHCARDS,
        card_quantity=codes.Quantity.MORE,
        card_difficulty=codes.Difficulty.EASY,
    )
    for app, kind, options in (
        (quiz, "quiz", {"quantity": "fewer", "difficulty": "hard"}),
        (cards, "flashcards", {"quantity": "more", "difficulty": "easy"}),
    ):
        row = await wire.made(Artifact(kind=codes.ArtifactKind.APP, source_ids=await sources(wire), app=app))
        assert row.app is not None
        assert row.app.variant is app.variant
        assert (await wire.library.artifacts.get(None, row.id or "")).options == options
        page = await wire.call("GET_INTERACTIVE_HTML", artifact_id=row.id)
        kept = re.search(r'data-app-data="([^"]*)"', page.app.html)
        assert kept is not None
        assert json.loads(html.unescape(kept[1]))[kind]


@proves("C5-ART-13", "C5-ART-14", "C5-ART-18", "C5-MAN-06")
async def test_both_kinds_of_mind_maps_are_trees(wire: Wire) -> None:
    app = App(variant=codes.AppVariant.MIND_MAP, instructions="Storage of apples")
    row = await wire.made(Artifact(kind=codes.ArtifactKind.APP, source_ids=await sources(wire), app=app))
    page = await wire.call("GET_INTERACTIVE_HTML", artifact_id=row.id)
    assert json.loads(page.app.tree)["children"]
    assert page.app.instructions == "Storage of apples"
    drawn = json.loads(await wire.call("GENERATE_MIND_MAP", source_ids=await sources(wire), language="en"))
    assert {"Overview", "Storage"} <= {child["name"] for child in drawn["children"]}
    noted = await wire.library.mind_maps.generate(wire.notebook, kind="note")
    listed = await wire.library.mind_maps.list(wire.notebook)
    assert {(one.id, one.kind) for one in listed} == {(row.id, "interactive"), (noted.id, "note")}
    assert await wire.library.mind_maps.get_tree(wire.notebook, noted.id) == drawn
    assert (await wire.library.mind_maps.rename(wire.notebook, noted.id, "Fruit")).title == "Fruit"
    for one in listed:
        await wire.library.mind_maps.delete(wire.notebook, one.id)
    assert await wire.library.mind_maps.list(wire.notebook) == []
    with pytest.raises(NotFound):
        await wire.library.mind_maps.get_tree(wire.notebook, noted.id)


@proves("C5-ART-18", "C5-MAN-02", "C5-MAN-08")
async def test_a_data_table_is_read_from_its_row_and_exported_as_a_workbook(wire: Wire) -> None:
    wish = DataTable(instructions="Weights of kinds of apples", language="en")
    row = await wire.made(Artifact(kind=codes.ArtifactKind.DATA_TABLE, source_ids=await sources(wire), table=wish))
    assert row.table is not None
    assert row.table.rows[:2] == [["Kind", "Weight in g", "Source"], ["Gala", "150", "Apples"]]
    address = await wire.call("EXPORT_ARTIFACT", artifact_id=row.id, title="T", kind=codes.ExportKind.SHEETS)
    assert address.startswith(f"https://{FILES_HOST}{FILES_PATH}")
    file = await wire.library.engine.linked(address.rpartition("/")[2])
    assert file.name.endswith(".xlsx")
    assert (await file.read())[:2] == b"PK"


@proves("C5-ART-17", "C5-ART-19", "C5-MAN-03", "C5-MAN-09")
async def test_slides_are_made_as_asked_fetched_by_their_addresses_and_revised(wire: Wire) -> None:
    wish = Slides(format=codes.SlideFormat.PRESENTER, length=codes.SlideLength.SHORT, language="en")
    row = await wire.made(Artifact(kind=codes.ArtifactKind.SLIDE_DECK, source_ids=await sources(wire), slides=wish))
    assert row.slides is not None
    assert (row.slides.format, row.slides.length) == (wish.format, wish.length)
    for address, head in ((row.slides.pptx_url, b"PK"), (row.slides.pdf_url, b"%PDF")):
        assert (address or "").startswith(f"https://{FILES_HOST}{FILES_PATH}")
        file = await wire.library.engine.linked((address or "").rpartition("/")[2])
        assert (await file.read()).startswith(head)
    revised = await wire.call("REVISE_SLIDE", artifact_id=row.id, slide=0, prompt="title: Orchard fruit")
    assert (revised.id, revised.state) == (row.id, codes.ArtifactState.PENDING)
    done = await wire.library.artifacts.wait_for_completion(None, row.id or "")
    content = (await wire.library.artifacts.get_content(None, done.id)).content
    assert (done.state, content["slides"][0]["title"]) == ("ready", "Orchard fruit")


@proves("C5-ART-17", "C5-ART-19")
async def test_an_infographic_is_made_as_asked_and_its_row_has_its_picture(wire: Wire) -> None:
    wish = Infographic(
        orientation=codes.InfographicOrientation.SQUARE,
        detail=codes.InfographicDetail.CONCISE,
        style=codes.InfographicStyle.BENTO_GRID,
        language="en",
    )
    row = await wire.made(
        Artifact(kind=codes.ArtifactKind.INFOGRAPHIC, source_ids=await sources(wire), infographic=wish)
    )
    assert row.infographic is not None
    (picture,) = row.infographic.pictures
    file = await wire.library.engine.linked((picture.url or "").rpartition("/")[2])
    with Image.open(io.BytesIO(await file.read())) as shown:
        assert shown.size == (picture.width, picture.height) == (2000, 2000)
    assert (row.infographic.style, row.infographic.detail) == (wish.style, wish.detail)


@proves("C5-ART-17", "C5-ART-20")
async def test_an_audio_overview_is_made_as_asked_and_its_row_leads_to_its_sound(wire: Wire) -> None:
    wish = Audio(
        instructions="Storage of apples",
        format=codes.AudioFormat.BRIEF,
        length=codes.AudioLength.SHORT,
        source_ids=await sources(wire),
        language="en",
    )
    row = await wire.made(Artifact(kind=codes.ArtifactKind.AUDIO, source_ids=await sources(wire), audio=wish))
    assert row.audio is not None
    assert (row.audio.format, row.audio.length, row.audio.language) == (wish.format, wish.length, "en")
    assert row.audio.instructions == wish.instructions
    assert row.audio.source_ids == wish.source_ids
    file = await wire.library.engine.linked((row.audio.url or "").rpartition("/")[2])
    sound, rate = soundfile.read(io.BytesIO(await file.read()))
    assert abs(len(sound) / rate - (row.audio.seconds or 0)) < 0.5


@proves("C5-ART-21")
@pytest.mark.parametrize(
    "kind", ["report", "quiz", "flashcards", "mind_map", "data_table", "slide_deck", "infographic"]
)
async def test_a_prompt_is_read_back_from_the_row(wire: Wire, kind: Any) -> None:
    made = await wire.library.artifacts.generate(wire.notebook, kind, "Storage of apples", draft=True)
    rows = await wire.call("LIST_ARTIFACTS", notebook_id=wire.notebook)
    (row,) = [one for one in rows if one.id == made.id]
    told = next(part for name in PROMPTED if (part := getattr(row, name)) is not None)
    assert (told.prompt if kind == "report" else told.instructions) == "Storage of apples"


@proves("C5-MAN-01", "C5-MAN-04", "C5-MAN-07", "C5-MAN-08")
async def test_artifacts_are_renamed_copied_retried_suggested_and_deleted(wire: Wire) -> None:
    library = wire.library
    made = await library.artifacts.generate(wire.notebook, "report")
    assert (await wire.call("RENAME_ARTIFACT", artifact_id=made.id, title="Fruit")).title == "Fruit"
    other = (await library.notebooks.create("Other")).id
    (copy,) = await wire.call("COPY_ARTIFACTS", artifact_ids=(made.id,), notebook_id=other)
    assert (copy.original_id, copy.artifact.title) == (made.id, "Fruit")
    assert [one.id for one in await library.artifacts.list(other)] == [copy.artifact.id]
    with pytest.raises(Conflict):
        await wire.call("RETRY_ARTIFACT", artifact_id=made.id)
    begun = await library.artifacts.generate(wire.notebook, "report", wait=False)
    await library.jobs.cancel(begun.job_id or "")
    again = await wire.call("RETRY_ARTIFACT", artifact_id=begun.id)
    assert (again.id, again.state) == (begun.id, codes.ArtifactState.PENDING)
    ideas = await wire.call("GET_SUGGESTED_REPORTS", notebook_id=wire.notebook)
    assert all(idea.title and idea.prompt for idea in ideas)
    choices = await wire.call("GET_CUSTOMIZATION_CHOICES")
    assert [preset.name for preset in choices.reports] == ["Briefing Doc", "Study Guide", "Blog Post"]
    await wire.call("DELETE_ARTIFACT", artifact_id=made.id)
    assert made.id not in [row.id for row in await wire.call("LIST_ARTIFACTS", notebook_id=wire.notebook)]


@proves("C5-VID-01", "C5-VID-02")
@pytest.mark.parametrize(
    ("wish", "options"),
    [
        (Video(), {"format": "explainer", "style": "auto"}),
        *(
            (Video(format=form), {"format": form.name.lower(), "style": "auto"})
            for form in codes.VideoFormat
            if form > 0
        ),
        *(
            (Video(format=codes.VideoFormat.BRIEF, style=style), {"format": "brief", "style": style.name.lower()})
            for style in codes.VideoStyle
            if style > 0
        ),
        (Video(style_prompt="neon"), {"format": "explainer", "style": "custom: neon"}),
        (Video(style_prompt="auto: dark, serif"), {"format": "explainer", "style": "custom: auto: dark, serif"}),
    ],
)
async def test_a_video_is_asked_for_by_its_codes(wire: Wire, wish: Video, options: dict[str, str]) -> None:
    held = Wire(with_parts(wire.library, artifact_files=FileMakers(lambda extra: True, ToneVoice)), wire.notebook)
    asked = Artifact(kind=codes.ArtifactKind.VIDEO, source_ids=await sources(wire), video=wish)
    row = await held.call("CREATE_ARTIFACT", notebook_id=wire.notebook, artifact=asked)
    ours = await held.library.artifacts.get(None, row.id)
    assert ours.options == options
    assert row.video.format == (wish.format or codes.VideoFormat.EXPLAINER)
    styled = row.video.format is not codes.VideoFormat.CINEMATIC
    told = (wish.style or (None if wish.style_prompt else codes.VideoStyle.AUTO)) if styled else None
    assert (row.video.style, row.video.style_prompt) == (told, wish.style_prompt)
    await held.library.artifacts.delete(None, row.id)


@proves("C5-VID-01", "C5-VID-03", "C5-VID-04", "C5-VID-05", "C5-ART-17")
async def test_a_video_is_made_fetched_by_its_address_and_made_again(wire: Wire) -> None:
    library = with_parts(wire.library, artifact_files=FileMakers(lambda extra: True, ToneVoice))
    held = Wire(library, wire.notebook)
    wish = Video(format=codes.VideoFormat.SHORT, style=codes.VideoStyle.RETRO_PRINT, instructions="cold rooms")
    row = await held.made(Artifact(kind=codes.ArtifactKind.VIDEO, source_ids=await sources(wire), video=wish))
    assert row.video is not None
    assert (row.video.style, row.video.instructions) == (codes.VideoStyle.RETRO_PRINT, "cold rooms")
    (media,) = row.video.media
    assert (media.media_type, media.kind) == ("video/mp4", 4)
    assert media.url.startswith(f"https://{FILES_HOST}{FILES_PATH}")
    file = await (await library.engine.linked(media.url.rpartition("/")[2])).read()
    with av.open(io.BytesIO(file)) as opened:
        assert opened.duration is not None
        assert abs(opened.duration / 1e6 - (row.video.seconds or 0)) < 0.2
    asked = Artifact(kind=codes.ArtifactKind.VIDEO, source_ids=await sources(wire), video=wish)
    begun = await held.call("CREATE_ARTIFACT", notebook_id=wire.notebook, artifact=asked)
    await library.jobs.cancel((await library.artifacts.get(None, begun.id)).job_id or "")
    again = await held.call("RETRY_ARTIFACT", artifact_id=begun.id)
    assert (again.id, again.state) == (begun.id, codes.ArtifactState.PENDING)
    choices = await held.call("GET_CUSTOMIZATION_CHOICES")
    assert [choice.code for choice in choices.video] == [1, 2, 3, 4]
