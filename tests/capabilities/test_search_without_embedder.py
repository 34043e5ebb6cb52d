"""An embedder that fails: search goes on by words, says so, and no answer is lost."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from loopback import Loopback, loopback, page
from quire.api.library import Library
from quire.domain.chat import ChatConfiguration
from quire.domain.documents import Place
from quire.domain.errors import Upstream
from quire.domain.passages import Passage, PassageHit
from quire.entry.bootstrap import build
from quire.entry.settings import load
from quire.text.check_citations import Draft
from quire.text.extractive_maker import ExtractiveMaker
from quire.text.makers import WritingTask

pytest.importorskip("numpy", reason="numpy comes with the extra embedder")
pytestmark = pytest.mark.anyio

SECRET = "sk-planted-0123456789"
TIDES = "Tides are caused by the gravity of the moon. The sun adds a smaller pull of its own."
WARNING = "The embedder refused the key. Passages were found by their words alone."


@pytest.fixture
async def server() -> AsyncIterator[Loopback]:
    async with loopback() as made:
        yield made


@asynccontextmanager
async def opened(server: Loopback, home: Path) -> AsyncIterator[Library]:
    address = {"embedder": "nomic", "embedder_url": server.url("/v1"), "embedder_key": SECRET}
    async with build(load({"home": home, **address}, {})) as library:
        yield library


def vectors(count: int) -> bytes:
    data = [{"index": index, "embedding": [1.0, 0.5]} for index in range(count)]
    return page(json.dumps({"data": data}).encode(), media_type="application/json")


async def test_a_source_can_be_found_and_asked_although_the_embedder_fails(server: Loopback, tmp_path: Path) -> None:
    server.paths["/v1/embeddings"] = page(SECRET.encode(), status=401)
    async with opened(server, tmp_path) as library:
        notebook = await library.notebooks.create("Sea")
        source = await library.sources.add_text(notebook.id, "Tides", TIDES)
        assert source.state == "ready"
        (hit,) = await library.sources.search(notebook.id, "gravity of the moon")
        assert hit.passage.text == TIDES
        answer = await library.chat.ask(notebook.id, "What causes tides?")
        assert answer.grounded
        assert answer.warnings[0].endswith("Passages were found by their words alone.")
        assert SECRET not in answer.model_dump_json()
        assert (await library.sources.get(notebook.id, source.id)).state == "ready"
        health = await library.health.check()
        assert (health.status, health.error) == ("degraded", "embedder: The embedder refused the key.")


async def test_an_embedder_that_fails_after_the_vectors_were_made_is_done_without(
    server: Loopback, tmp_path: Path
) -> None:
    server.paths["/v1/embeddings"] = vectors(1)
    async with opened(server, tmp_path) as library:
        notebook = await library.notebooks.create("Sea")
        await library.sources.add_text(notebook.id, "Tides", TIDES)
        good = await library.chat.ask(notebook.id, "What causes tides?")
        assert good.warnings == []
        server.paths["/v1/embeddings"] = page(b"", status=401)
        bad = await library.chat.ask(notebook.id, "What causes tides?")
        assert bad.warnings == [WARNING]
        assert bad.text == good.text


async def test_sentences_are_chosen_by_words_when_they_cannot_be_compared() -> None:
    def failing(texts: list[str]) -> list[float]:
        raise Upstream("The embedder failed on this machine.")

    passage = Passage(
        id=1,
        source_id="s",
        source_title="Tides",
        version=1,
        start=0,
        end=len(TIDES),
        text=TIDES,
        place=Place(),
        language="en",
    )
    hits = [PassageHit(passage=passage, score=1.0)]
    task = WritingTask("What causes tides?", hits, (), ChatConfiguration(), {"tide": 1, "caus": 1}, 1, failing)
    (draft,) = [piece async for piece in ExtractiveMaker().write(task)]
    assert isinstance(draft, Draft)
    assert draft.text.startswith("Tides are caused by the gravity of the moon.")
    assert draft.warnings == ("The embedder failed on this machine. Sentences were chosen by their words alone.",)
