"""The wires that the contracts are proven over."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from contracts.desk import START, WIRES, Desk, desk_in_other_process, desk_in_process, wires
from contracts.library_desk import SHAPES, BookDesk


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "proves(*ids): the rows of the contracts that this test proves")


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(params=wires(*WIRES))
def desk(request: pytest.FixtureRequest) -> Desk:
    """An empty desk: both eras, over JSON text in this process and over the pipes of another."""
    found: Desk = request.getfixturevalue(request.param)
    return found


@pytest.fixture(params=wires(*WIRES))
def shelf(request: pytest.FixtureRequest) -> BookDesk:
    """A desk with an empty book: both eras, both wires, both shapes of arguments."""
    return BookDesk(request.getfixturevalue(request.param), SHAPES[request.param])


@pytest.fixture
def toolsets(request: pytest.FixtureRequest) -> str:
    """What a client of this file is offered: the set that it is named after, or those that it says."""
    named = request.path.stem.split("_")[1].replace("books", "books,books_more")
    return str(getattr(request.module, "TOOLSETS", named))


@pytest.fixture
async def text_2025(anyio_backend: str, tmp_path: Path, toolsets: str) -> AsyncIterator[Desk]:
    async with desk_in_process(tmp_path, "2025", toolsets) as desk:
        yield desk


@pytest.fixture
async def text_2026(anyio_backend: str, tmp_path: Path, toolsets: str) -> AsyncIterator[Desk]:
    async with desk_in_process(tmp_path, "2026", toolsets) as desk:
        yield desk


@pytest.fixture(scope="session")
async def process_2025(anyio_backend: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Desk]:
    async with desk_in_other_process(tmp_path_factory.mktemp("desk"), "2025") as desk:
        yield desk


@pytest.fixture(scope="session")
async def process_2026(anyio_backend: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Desk]:
    async with desk_in_other_process(tmp_path_factory.mktemp("desk"), "2026") as desk:
        yield desk


@pytest.fixture
async def stdio_2025(anyio_backend: str, process_2025: Desk) -> Desk:
    return await _tidied(process_2025)


@pytest.fixture
async def stdio_2026(anyio_backend: str, process_2026: Desk) -> Desk:
    return await _tidied(process_2026)


async def _tidied(desk: Desk) -> Desk:
    """A process is started once and lives through many tests."""
    desk.at(START)
    await desk.clear()
    return desk
