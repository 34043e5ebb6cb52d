"""Health: whether store, files and the optional parts work."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from quire.domain.errors import QuireError
from quire.domain.health import HealthReport
from quire.local.scope import Scope
from quire.ports.search import Embedder

if TYPE_CHECKING:
    from quire.text.makers import ModelMaker

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")

Check = Callable[[], Awaitable[str]]


class LocalHealth:
    def __init__(
        self,
        rows: Callable[[bool], Awaitable[str]],
        files: Check,
        embedder: Embedder | None = None,
        model: ModelMaker | None = None,
    ) -> None:
        self._rows = rows
        self._files = files
        self._optional: dict[str, Check] = {}
        if embedder is not None:
            self._optional["embedder"] = lambda: asyncio.to_thread(embedder.check)
        if model is not None:
            self._optional["model"] = model.check

    async def check(self, scope: Scope, thorough: bool) -> HealthReport:
        start = time.monotonic()
        needed, broken = await _asked({"store": lambda: self._rows(thorough), "files": self._files})
        optional, degraded = await _asked(self._optional)
        return HealthReport(
            status="unhealthy" if broken else "degraded" if degraded else "healthy",
            authenticated=True,
            latency_ms=int((time.monotonic() - start) * 1000),
            browser_ok=any(shutil.which(name) for name in BROWSERS),
            error="; ".join(broken + degraded) or None,
            parts=needed | optional,
        )


async def _asked(checks: dict[str, Check]) -> tuple[dict[str, str], list[str]]:
    """What each part says of itself, and what is wrong."""
    said: dict[str, str] = {}
    wrong = []
    for name, check in checks.items():
        try:
            said[name] = await check()
        except QuireError as error:
            said[name] = error.message
            wrong.append(f"{name}: {error.message}")
    return said, wrong
