"""Places for several processes at once."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest) -> str:
    """The setting `store`."""
    url: str = request.getfixturevalue("postgres_url") if request.param == "postgres" else ""
    return url


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"
