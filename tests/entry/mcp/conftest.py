"""Fixtures of the MCP tests."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture(params=["2025", "2026"])
def era(request: pytest.FixtureRequest) -> str:
    """Each test that asks for it runs in both eras of the protocol."""
    return str(request.param)
