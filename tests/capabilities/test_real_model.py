"""A real small language model on loopback, asked as any other; its weights come with scripts/setup."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from quire.domain.chat import Answer, AnswerPart
from quire.domain.mind_maps import is_tree
from quire.entry.bootstrap import build
from quire.entry.settings import load

ROOT = Path(__file__).parents[2]
WEIGHTS = ROOT / ".tools/SmolLM2-135M-Instruct.Q4_1.gguf"

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.long,
    pytest.mark.skipif(importlib.util.find_spec("xllamacpp") is None, reason="xllamacpp is not installed"),
    pytest.mark.skipif(not WEIGHTS.is_file(), reason="scripts/add_model.py has not put the weights into .tools"),
]

BRIDGE = (
    "The Forth Bridge opened in 1890. It was designed by John Fowler and Benjamin Baker. "
    "It spans the Firth of Forth near Edinburgh."
)
MOON = "The moon circles the Earth in about 27 days. Its gravity causes the tides."


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    command = [sys.executable, str(ROOT / "tests/small_model.py"), str(WEIGHTS)]
    server = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert server.stdin is not None
    assert server.stdout is not None
    with server:
        yield server.stdout.readline().strip()
        server.stdin.close()
        server.wait(60)


async def test_a_real_model_answers_with_verified_citations(address: str, tmp_path: Path) -> None:
    settings = {"home": tmp_path, "embedder": "none", "model": "smollm2", "model_url": f"{address}/v1"}
    async with build(load(settings, {})) as library:
        assert (await library.health.check()).parts["model"] == "smollm2"
        notebook = await library.notebooks.create("Bridges")
        source = await library.sources.add_text(notebook.id, "The Forth Bridge", BRIDGE)
        await library.sources.add_text(notebook.id, "The moon", MOON)
        await library.chat.configure(notebook.id, length="shorter")
        question = "Who designed the Forth Bridge?"
        *parts, answer = [event async for event in library.chat.ask_stream(notebook.id, question)]
        assert isinstance(answer, Answer)
        assert len([part for part in parts if isinstance(part, AnswerPart)]) > 3
        assert (answer.maker, answer.warnings, answer.grounded) == ("smollm2", [], True)
        assert "Fowler" in answer.text
        good = [citation for citation in answer.citations if citation.verified]
        assert source.id in {citation.source_id for citation in good}
        for citation in good:
            text = (await library.sources.get_fulltext(notebook.id, citation.source_id)).text
            assert text[citation.start : citation.end] == citation.excerpt


async def test_decks_and_infographics_come_out_well_formed_whatever_a_small_model_writes(
    address: str, tmp_path: Path
) -> None:
    settings = {"home": tmp_path, "embedder": "none", "model": "smollm2", "model_url": f"{address}/v1"}
    async with build(load(settings, {})) as library:
        notebook = await library.notebooks.create("Bridges")
        await library.sources.add_text(notebook.id, "The Forth Bridge", BRIDGE)
        await library.sources.add_text(notebook.id, "The moon", MOON)
        for kind, first in (("slide_deck", "pptx"), ("infographic", "png")):
            made = await library.artifacts.generate(notebook.id, kind)  # type: ignore[arg-type]
            assert (made.state, made.formats[0]) == ("ready", first)
            assert made.maker == "model" or any("own sentences instead" in one for one in made.warnings)
            content = (await library.artifacts.get_content(notebook.id, made.id)).content
            assert "1890" in str(content)


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("kind", "options"),
    [
        *(("report", {"format": form}) for form in ("briefing_doc", "study_guide", "blog_post", "custom")),
        *((kind, {"quantity": "fewer"}) for kind in ("quiz", "flashcards")),
        ("mind_map", {}),
        ("data_table", {}),
        ("audio", {"format": "deep_dive", "length": "short"}),
        ("video", {"format": "short"}),
    ],
    ids=lambda one: one if isinstance(one, str) else "-".join(one.values()),
)
async def test_with_a_real_model_each_kind_of_artifact_is_whole(
    address: str, tmp_path: Path, kind: str, options: dict[str, str]
) -> None:
    settings = {"home": tmp_path, "embedder": "none", "model": "smollm2", "model_url": f"{address}/v1"}
    async with build(load(settings, {})) as library:
        notebook = (await library.notebooks.create("Bridges and moons")).id
        await library.sources.add_text(notebook, "Bridge", BRIDGE)
        await library.sources.add_text(notebook, "Moon", MOON)
        made = await library.artifacts.generate(notebook, kind, "The bridge and the moon", **options)  # type: ignore[arg-type]
        assert made.state == "ready"
        assert made.maker == "model" or any("own sentences instead" in one for one in made.warnings)
        for format in made.formats:
            assert (await library.artifacts.download(notebook, made.id, format)).size > 100


@pytest.mark.timeout(600)
async def test_a_mind_map_that_becomes_a_note_is_whole_with_a_real_model(address: str, tmp_path: Path) -> None:
    settings = {"home": tmp_path, "embedder": "none", "model": "smollm2", "model_url": f"{address}/v1"}
    async with build(load(settings, {})) as library:
        notebook = (await library.notebooks.create("Bridges and moons")).id
        await library.sources.add_text(notebook, "Bridge", BRIDGE)
        made = await library.mind_maps.generate(notebook, kind="note")
        tree = await library.mind_maps.get_tree(notebook, made.id)
        assert is_tree(json.dumps(tree))
        assert tree["children"]
