"""Video overviews through the library: drafted, edited and revised before they are filmed, cancelled, made again."""

from __future__ import annotations

import asyncio
import io
import json
from pathlib import Path
from typing import Any

import av
import pytest
from trials import on_one_store

from quire.adapters.artifact_files import FileMakers
from quire.api.library import Library
from quire.domain.artifacts import Artifact
from quire.domain.errors import Conflict, InvalidInput, QuireError, Unsupported
from tone_voice import ToneVoice
from variants import with_parts

pytestmark = pytest.mark.anyio

FERRY = "The ferry crosses the sound in nine minutes. Two captains share the night watch on the ferry."
MAKERS = FileMakers(lambda extra: True, ToneVoice)


class Slow(FileMakers):
    """Tells when a file is begun, and waits there until it is cancelled."""

    def __init__(self) -> None:
        super().__init__(lambda extra: True, ToneVoice)
        self.begun = asyncio.Event()
        self.loop = asyncio.get_running_loop()

    def make(self, kind: str, format: str, content: Any, path: Path, progress: Any) -> None:
        def waited(part: float) -> None:
            self.loop.call_soon_threadsafe(self.begun.set)
            progress(part)

        while True:
            waited(0.1)


async def notebook(library: Library) -> str:
    id = (await library.notebooks.create("Ferry")).id
    await library.sources.add(id, "text", text=FERRY, title="Ferry")
    return id


async def drafted(library: Library, id: str, **chosen: Any) -> tuple[Artifact, dict[str, Any]]:
    draft = await library.artifacts.generate(id, "video", draft=True, **chosen)
    return draft, (await library.artifacts.get_content(id, draft.id)).content


@on_one_store
async def test_a_draft_is_edited_revised_and_then_filmed(library: Library) -> None:
    library = with_parts(library, artifact_files=MAKERS)
    id = await notebook(library)
    draft, content = await drafted(library, id, format="short", style="paper craft")
    assert (draft.state, draft.formats, draft.title) == ("draft", [], "Video overview: Ferry")
    assert draft.options == {"format": "short", "style": "paper_craft"}
    telling = [scene for scene in content["scenes"] if scene["kind"] == "telling"]
    assert {line["statement"]["text"] for scene in telling for line in scene["lines"]} <= set(
        FERRY.replace(". ", ".|").split("|")
    )
    content["scenes"] = telling[:1]
    made = await library.artifacts.edit(id, draft.id, json.dumps(content))
    assert (made.state, made.formats, made.error) == ("ready", ["mp4", "vtt", "md", "json"], None)
    assert made.warnings == []
    file = await library.artifacts.download(id, made.id)
    assert (file.name, file.media_type) == ("Video overview Ferry.mp4", "video/mp4")
    whole = await file.read()
    with av.open(io.BytesIO(whole)) as opened:
        assert [stream.type for stream in opened.streams][:3] == ["video", "audio", "subtitle"]
        assert opened.duration is not None
        seconds = opened.duration / 1e6
    told = json.loads(await (await library.artifacts.download(id, made.id, "json")).read())
    assert abs(told["seconds"] - seconds) < 0.2
    again = await library.artifacts.revise_slide(id, made.id, 0, "title: At sea")
    assert again.state == "ready"
    assert (await library.artifacts.get_content(id, made.id)).content["scenes"][0]["title"] == "At sea"
    assert await (await library.artifacts.download(id, made.id)).read() != whole


@on_one_store
async def test_what_is_chosen_or_edited_is_bounded(library: Library) -> None:
    library = with_parts(library, artifact_files=MAKERS)
    id = await notebook(library)
    for chosen, told in (
        ({"style": "whitebord"}, "style: It is one of auto, classic"),
        ({"format": "deep_dive"}, "format"),
        ({"length": "short"}, "length: this kind has no such option"),
    ):
        with pytest.raises(InvalidInput, match=told):
            await library.artifacts.generate(id, "video", **chosen)  # type: ignore[arg-type]
    draft, content = await drafted(library, id)
    scene = content["scenes"][0]
    line = {"link": "y", "statement": None, "language": ""}
    for scenes in (
        [scene] * 5_000,
        [],
        [scene | {"lines": [line] * 41}],
        [scene | {"lines": [line | {"link": "y" * 2_001}]}],
        [scene | {"lines": [line | {"link": "y" * 2_000}] * 21}],
    ):
        with pytest.raises(InvalidInput):
            await library.artifacts.edit(id, draft.id, json.dumps(content | {"scenes": scenes}))
    with pytest.raises(InvalidInput, match="style"):
        await library.artifacts.edit(id, draft.id, json.dumps(content | {"style": "nosuch"}))


@on_one_store
async def test_a_video_is_cancelled_and_made_again_under_its_id(library: Library) -> None:
    id = await notebook(library)
    slow = Slow()
    held = with_parts(library, artifact_files=slow)
    begun = await held.artifacts.generate(id, "video", format="short", wait=False)
    working = asyncio.ensure_future(held.artifacts.wait_for_completion(id, begun.id))
    await slow.begun.wait()
    assert begun.job_id is not None
    await held.jobs.cancel(begun.job_id)
    ended = await working
    assert ended.state == "failed"
    quick = with_parts(library, artifact_files=MAKERS)
    made = await quick.artifacts.retry_failed(id, begun.id)
    assert (made.id, made.state, made.formats[0]) == (begun.id, "ready", "mp4")


@on_one_store
async def test_without_ffmpeg_the_extra_is_named_before_anything_is_made(library: Library) -> None:
    id = await notebook(library)
    bare = with_parts(library, artifact_files=FileMakers(lambda extra: extra != "video"))
    with pytest.raises(Unsupported) as refused:
        await bare.artifacts.generate(id, "video")
    assert refused.value.hint == "quire extras add video"
    assert len(await library.artifacts.list(id)) == 0
    assert [one.hint for one in await bare.artifacts.kinds() if one.kind == "video"] == ["quire extras add video"]
    with pytest.raises(Unsupported) as refused:
        await with_parts(library, artifact_files=FileMakers(lambda extra: False)).artifacts.generate(id, "video")
    assert refused.value.hint == "quire extras add studio video"


@on_one_store
async def test_only_decks_and_videos_have_something_to_revise(library: Library) -> None:
    id = await notebook(library)
    report = await library.artifacts.generate(id, "report", draft=True)
    with pytest.raises(Conflict, match="Only slide decks and videos"):
        await library.artifacts.revise_slide(id, report.id, 0, "shorter")
    with pytest.raises(QuireError):
        await library.artifacts.revise_slide(id, "nosuch", 0, "shorter")
