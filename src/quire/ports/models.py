"""Language models."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol


class Sampler(Protocol):
    """The language model of whoever called, where the caller offers one."""

    async def sample(self, prompt: str, *, system: str | None = None, max_tokens: int = 1000) -> str: ...


class Model(Protocol):
    """A language model."""

    name: str

    def generate(self, system: str, prompt: str, max_tokens: int) -> AsyncIterator[str]:
        """The answer in pieces."""
        ...

    async def check(self) -> str:
        """The model's name, if it seems to work; else the reason is raised."""
        ...
