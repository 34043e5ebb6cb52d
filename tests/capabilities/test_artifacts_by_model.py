"""Artifacts that a language model writes: checked sentence by sentence, and done without it where it fails."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from loopback import Loopback, loopback, page
from quire.api.library import Library
from quire.entry.bootstrap import build
from quire.entry.settings import load

pytestmark = pytest.mark.anyio

PATH = "/v1/chat/completions"
TIDES = (
    "Tides are caused by the gravity of the moon. The sun adds a smaller pull of its own. "
    "Spring tides come at new and full moon. The highest tides of 16 metres are in the Bay of Fundy. "
    "Neap tides come when the moon is in its first quarter."
)


@pytest.fixture
async def server() -> AsyncIterator[Loopback]:
    async with loopback() as made:
        yield made


@asynccontextmanager
async def written_by(server: Loopback, home: Path) -> AsyncIterator[tuple[Library, str]]:
    settings = {"home": home, "store": "memory", "embedder": "none", "model": "tiny", "model_url": server.url("/v1")}
    async with build(load(settings, {})) as library:
        notebook = (await library.notebooks.create("Sea")).id
        await library.sources.add_text(notebook, "Tides", TIDES)
        yield library, notebook


def says(said: Any) -> bytes:
    text = said if isinstance(said, str) else json.dumps(said)
    parts = [{"choices": [{"delta": {"content": text}}]}, {"choices": [{"delta": {}, "finish_reason": "stop"}]}]
    lines = "".join(f"data: {json.dumps(one)}\n\n" for one in parts)
    return page(lines.encode(), media_type="text/event-stream")


async def content(library: Library, notebook: str, kind: Any, **options: Any) -> tuple[Any, Any]:
    made = await library.artifacts.generate(notebook, kind, **options)
    assert made.state == "ready"
    return made, (await library.artifacts.get_content(notebook, made.id)).content


async def test_what_a_model_writes_is_kept_where_its_passage_bears_it_out(server: Loopback, tmp_path: Path) -> None:
    good = "The gravity of the moon causes tides [1]."
    server.paths[PATH] = says({"text": f"{good} Tides are caused by whales [1]. See https://evil.example/x [1]."})
    async with written_by(server, tmp_path) as (library, notebook):
        made, told = await content(library, notebook, "report")
    assert made.maker == "model"
    text = json.dumps(told)
    assert "The gravity of the moon causes tides." in text
    assert "whales" not in text
    assert "evil" not in text


async def test_almost_right_json_is_mended_and_wrong_json_is_asked_for_again(server: Loopback, tmp_path: Path) -> None:
    almost = 'Sure! {"text": "The gravity of the moon causes tides [1].",}'
    server.paths[PATH] = [says("no JSON at all"), says(almost)]
    async with written_by(server, tmp_path) as (library, notebook):
        made, told = await content(library, notebook, "report")
        assert "not valid" in json.loads(server.seen[1].body)["messages"][-1]["content"]
    assert made.maker == "model"
    assert "The gravity of the moon causes tides." in json.dumps(told)


@pytest.mark.parametrize("kind", ["report", "quiz", "flashcards", "mind_map", "data_table"])
async def test_a_model_that_writes_nonsense_is_done_without_and_that_is_said(
    server: Loopback, tmp_path: Path, kind: str
) -> None:
    server.paths[PATH] = says("The moon is made of cheese, and so am I.")
    async with written_by(server, tmp_path) as (library, notebook):
        made, told = await content(library, notebook, kind, instructions="tides of the moon")
    assert made.maker == "extractive"
    assert any(one.endswith("It is in the sources' own sentences instead.") for one in made.warnings)
    assert "cheese" not in json.dumps(told)


async def test_a_models_question_needs_its_answer_in_the_passage_and_no_other(server: Loopback, tmp_path: Path) -> None:
    def asked(question: str, options: list[str], answer: int, passage: int = 1) -> dict[str, Any]:
        return {"question": question, "options": options, "answer": answer, "passage": passage}

    good = asked("What causes tides?", ["the gravity of the moon", "whales", "the wind", "ships"], 0)
    wrong = asked("What causes tides?", ["whales", "the gravity of the moon", "wind", "ships"], 0)
    unknown = asked("What is it?", ["a", "b", "c", "d"], 9, 77)
    server.paths[PATH] = says({"questions": [good, wrong, unknown]})
    async with written_by(server, tmp_path) as (library, notebook):
        made, told = await content(library, notebook, "quiz", quantity="fewer")
    assert made.maker == "model"
    first = told["questions"][0]
    assert (first["question"], first["options"][first["answer"]]) == ("What causes tides?", "the gravity of the moon")
    assert [one["question"] for one in told["questions"]].count("What causes tides?") == 1


async def test_cards_branches_and_rows_of_a_model_stay_where_sources_have_them(
    server: Loopback, tmp_path: Path
) -> None:
    async with written_by(server, tmp_path) as (library, notebook):
        card = {"front": "What causes tides?", "back": "Tides are caused by the gravity of the moon.", "passage": 1}
        server.paths[PATH] = says({"cards": [card, {**card, "back": "Tides are caused by whales."}]})
        _, told = await content(library, notebook, "flashcards", quantity="fewer")
        assert told["cards"][0]["front"] == "What causes tides?"
        assert "whales" not in json.dumps(told)
        branches = [
            {"name": "Causes", "leaves": ["gravity of the moon", "whales"]},
            {"name": "Kinds", "leaves": ["Neap tides"]},
        ]
        server.paths[PATH] = says({"branches": branches})
        _, told = await content(library, notebook, "mind_map")
        assert [child["name"] for child in told["root"]["children"]] == ["Causes", "Kinds"]
        assert "whales" not in json.dumps(told)
        rows = [
            {"cells": ["Bay of Fundy", "16 metres"], "passage": 3},
            {"cells": ["moon", "gravity"], "passage": 1},
            {"cells": ["Mars", "9 metres"], "passage": 1},
        ]
        server.paths[PATH] = says({"columns": ["Place", "Height"], "rows": rows})
        _, told = await content(library, notebook, "data_table", instructions="places and heights of tides")
        assert told["columns"] == ["Place", "Height", "Source"]
        assert "Mars" not in json.dumps(told["rows"])


async def test_a_videos_scenes_are_in_a_models_words_or_in_the_sources_own(server: Loopback, tmp_path: Path) -> None:
    async with written_by(server, tmp_path) as (library, notebook):
        scene = {
            "title": "Why there are tides",
            "sentences": ["The gravity of the moon causes tides [1].", "Whales! [1]"],
        }
        server.paths[PATH] = says(scene)
        made = await library.artifacts.generate(notebook, "video", draft=True)
        told = json.dumps((await library.artifacts.get_content(notebook, made.id)).content)
        assert made.maker == "model"
        assert "Why there are tides" in told
        assert "The gravity of the moon causes tides." in told
        assert "Whales" not in told
        server.paths[PATH] = says("The moon is made of cheese.")
        made = await library.artifacts.generate(notebook, "video", draft=True)
        told = json.dumps((await library.artifacts.get_content(notebook, made.id)).content)
        assert made.maker == "extractive"
        assert any(one.endswith("It is in the sources' own sentences instead.") for one in made.warnings)
        assert "cheese" not in told
