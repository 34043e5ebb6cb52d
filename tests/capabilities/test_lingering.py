"""A process that stays answers when a text can be searched, and makes its vectors afterwards."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from trials import until

from quire.api.library import Library
from quire.domain.errors import Upstream
from quire.entry.bootstrap import build
from quire.entry.settings import load
from quire.local.engine import LocalEngine
from variants import replace_parts

numpy = pytest.importorskip("numpy", reason="numpy comes with the extra embedder")

pytestmark = pytest.mark.anyio


class HeldEmbedder:
    """Gives no vector before it is let go."""

    name = "held"
    dimensions = 2
    languages = None
    weight = 0.5
    calibrated = False
    local = False

    def __init__(self) -> None:
        self.let_go = threading.Event()

    def embed(self, texts: list[str], kind: Any = "passage") -> Any:
        if kind == "passage":
            assert self.let_go.wait(60)
        return numpy.array([[1.0, 0.0]] * len(texts), dtype="float32")

    def check(self) -> str:
        return self.name


def lingering(home: Path, embedder: HeldEmbedder) -> Library:
    """What `quire mcp` has, with another embedder."""
    library = build(load({"home": home, "embedder": "none"}, {}))
    parts = replace_parts(library, embedder=embedder)
    return Library(LocalEngine(parts, lingers=True), library.context)


async def similarity(library: Library) -> float | None:
    (hit,) = await library.sources.search(None, "honey")
    return hit.similarity


async def test_adding_answers_before_the_vectors_are_there(tmp_path: Path) -> None:
    embedder = HeldEmbedder()
    async with lingering(tmp_path, embedder) as library:
        async with asyncio.timeout(30):
            source = await library.sources.add(None, "text", text="Bees make honey.")
        assert source.state == "ready"
        assert await similarity(library) is None
        embedder.let_go.set()
        assert await until(lambda: similarity(library))


async def test_vectors_of_a_client_who_left_at_once_are_made_by_whoever_opens_the_home_next(tmp_path: Path) -> None:
    gone, next = HeldEmbedder(), HeldEmbedder()
    async with lingering(tmp_path, gone) as library:
        await library.sources.add(None, "text", text="Bees make honey.")
        gone.let_go.set()
    next.let_go.set()
    async with lingering(tmp_path, next) as library:
        await library.notes.list()
        assert await until(lambda: similarity(library))


async def test_what_another_embedder_had_embedded_is_embedded_anew_by_whoever_stays(tmp_path: Path) -> None:
    old, new = HeldEmbedder(), HeldEmbedder()
    new.name = "new"
    async with lingering(tmp_path, old) as library:
        old.let_go.set()
        await library.sources.add(None, "text", text="Bees make honey.")
        assert await until(lambda: similarity(library))
    new.let_go.set()
    async with lingering(tmp_path, new) as library:
        assert await similarity(library) is None
        assert await until(lambda: similarity(library))


class LostEmbedder(HeldEmbedder):
    """Is asked for passages, and cannot be reached."""

    name = "lost"

    def embed(self, texts: list[str], kind: Any = "passage") -> Any:
        raise Upstream("The embedder cannot be reached.")


async def test_work_left_for_another_embedder_keeps_nobody_from_making_vectors(tmp_path: Path) -> None:
    lost, new = LostEmbedder(), HeldEmbedder()
    async with lingering(tmp_path, lost) as library:
        await library.sources.add(None, "text", text="Bees make honey.")
    new.let_go.set()
    async with lingering(tmp_path, new) as library:
        assert await until(lambda: similarity(library))
