"""Health: whether everything works."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from quire.api.capability import capability
from quire.api.noun import Noun
from quire.domain.health import HealthReport


class Health(Noun):
    """Whether everything that Quire is made of works."""

    noun = "health"
    toolset = "notebooks"

    @capability("health_check", "read", timeout=60, listed=True, verb="check")
    async def check(
        self, thorough: Annotated[bool, Field(description="Look through the whole store for damage.")] = False
    ) -> HealthReport:
        """Check that Quire works: its store, its files, and what is optional."""
