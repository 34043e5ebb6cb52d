"""Audio overviews through the library: made, drafted and edited before they are spoken, and refused with a reason."""

from __future__ import annotations

import io
import json

import pytest
import soundfile
from trials import on_one_store

from quire.adapters.artifact_files import FileMakers
from quire.api.library import Library
from quire.domain.errors import InvalidInput, Unsupported
from variants import with_parts

pytestmark = pytest.mark.anyio

FERRY = "The ferry crosses the sound in nine minutes. Two captains share the night watch on the ferry."
FAEHRE = "Die Fähre überquert den Sund in neun Minuten. Zwei Kapitäne teilen sich die Wache in der Nacht."


async def notebook(library: Library, text: str = FERRY) -> str:
    id = (await library.notebooks.create("Ferry")).id
    await library.sources.add(id, "text", text=text, title="Ferry")
    return id


@on_one_store
async def test_a_draft_is_edited_and_then_spoken(library: Library) -> None:
    id = await notebook(library)
    draft = await library.artifacts.generate(id, "audio", format="brief", length="short", draft=True)
    assert (draft.state, draft.formats, draft.title) == ("draft", [], "Audio overview: Ferry")
    content = (await library.artifacts.get_content(id, draft.id)).content
    turns = content["chapters"][0]["turns"]
    del turns[0], turns[-2:]
    turns[0]["link"] = "Listen."
    made = await library.artifacts.edit(id, draft.id, json.dumps(content))
    assert (made.state, made.formats, made.error) == ("ready", ["mp3", "wav", "md", "vtt", "json"], None)
    assert made.warnings == []
    text = (await (await library.artifacts.download(id, made.id, "md")).read()).decode()
    assert "**Host 1:** Listen. The ferry crosses the sound in nine minutes. [1]" in text
    file = await library.artifacts.download(id, made.id)
    assert (file.name, file.media_type) == ("Audio overview Ferry.mp3", "audio/mpeg")
    sound, rate = soundfile.read(io.BytesIO(await file.read()))
    assert rate == 24_000
    assert 2 < len(sound) / rate < 12
    turns[0]["host"] = 3
    with pytest.raises(InvalidInput, match="host"):
        await library.artifacts.edit(id, made.id, json.dumps(content))


@on_one_store
async def test_what_the_voice_does_not_speak_fails_with_what_to_do_and_keeps_its_script(library: Library) -> None:
    id = await notebook(library, FAEHRE)
    with pytest.raises(Unsupported):
        await library.artifacts.generate(id, "audio", format="brief", length="short")
    failed = (await library.artifacts.list(id))[0]
    assert failed.state == "failed"
    assert "does not speak the language" in (failed.error or "")
    assert "voice_url" in (failed.error or "")
    content = (await library.artifacts.get_content(id, failed.id)).content
    assert content["spoken"] == "de"


@on_one_store
async def test_without_a_voice_the_extra_is_named_before_anything_is_made(library: Library) -> None:
    id = await notebook(library)
    bare = with_parts(library, artifact_files=FileMakers(lambda extra: False))
    with pytest.raises(Unsupported) as refused:
        await bare.artifacts.generate(id, "audio")
    assert refused.value.hint == "quire extras add voice"
    assert len(await library.artifacts.list(id)) == 0
