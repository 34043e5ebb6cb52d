"""Health: what is told of store, files and optional parts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from quire.api.library import Library
from quire.domain.errors import Unsupported, Upstream
from quire.entry.bootstrap import build
from quire.entry.settings import load
from variants import with_parts

pytestmark = pytest.mark.anyio


class Broken:
    """A part that does not work."""

    name = "broken"
    model = None

    async def check(self) -> str:
        raise Upstream("It does not answer.")

    async def room(self) -> int | None:
        return None


class BrokenEmbedder:
    name = "broken"

    def check(self) -> str:
        raise Unsupported("Its files are gone.")


async def test_a_sound_library_is_healthy_and_names_its_parts(library: Library) -> None:
    health = await library.health.check()
    assert (health.status, health.authenticated, health.error) == ("healthy", True, None)
    assert {"store", "files"} <= set(health.parts)
    assert health.latency_ms >= 0


@pytest.mark.parametrize(
    ("parts", "status", "error"),
    [
        ({"blobs": Broken()}, "unhealthy", "files: It does not answer."),
        ({"store": Broken()}, "unhealthy", "store: It does not answer."),
        ({"embedder": BrokenEmbedder()}, "degraded", "embedder: Its files are gone."),
        ({"model_maker": Broken()}, "degraded", "model: It does not answer."),
        (
            {"blobs": Broken(), "embedder": BrokenEmbedder()},
            "unhealthy",
            "files: It does not answer.; embedder: Its files are gone.",
        ),
    ],
)
async def test_what_does_not_work_is_named(parts: dict[str, Any], status: str, error: str, tmp_path: Path) -> None:
    async with build(load({"home": tmp_path}, {})) as library:
        health = await with_parts(library, **parts).health.check()
    assert (health.status, health.error, health.authenticated) == (status, error, True)


async def test_without_optional_parts_it_is_healthy(tmp_path: Path) -> None:
    async with build(load({"home": tmp_path, "embedder": "none"}, {})) as library:
        health = await library.health.check()
    assert health.status == "healthy"
    assert not {"embedder", "model"} & set(health.parts)


async def test_a_model_that_is_not_there_makes_it_degraded(tmp_path: Path) -> None:
    settings = load({"home": tmp_path, "embedder": "none", "model_url": "http://127.0.0.1:1/v1", "model": "small"}, {})
    async with build(settings) as library:
        health = await library.health.check()
    assert health.status == "degraded"
    assert health.error is not None
    assert health.error.startswith("model: ")
