"""Health: whether store, files and the optional parts work."""

from __future__ import annotations

import asyncio
import shutil
import time

from quire.api.capability import capability
from quire.domain.errors import QuireError
from quire.domain.health import HealthReport
from quire.local.service import Service

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


class Health(Service):
    noun = "health"
    toolset = "notebooks"

    @capability("health_check", "read", timeout=60, listed=True, verb="check")
    async def check(self) -> HealthReport:
        """Check that Quire works: its store, its files, and what is optional."""
        start = time.monotonic()
        parts: dict[str, str] = {}
        broken: list[str] = []
        degraded: list[str] = []
        for name, part in (("store", self.parts.store), ("files", self.parts.blobs)):
            try:
                parts[name] = await part.check()
            except QuireError as error:
                parts[name] = error.message
                broken.append(f"{name}: {error.message}")
        if self.parts.embedder is not None:
            try:
                parts["embedder"] = await asyncio.to_thread(self.parts.embedder.check)
            except QuireError as error:
                parts["embedder"] = error.message
                degraded.append(f"embedder: {error.message}")
        if self.parts.model_maker is not None:
            try:
                parts["model"] = await self.parts.model_maker.check()
            except QuireError as error:
                parts["model"] = error.message
                degraded.append(f"model: {error.message}")
        return HealthReport(
            status="unhealthy" if broken else "degraded" if degraded else "healthy",
            authenticated=True,
            latency_ms=int((time.monotonic() - start) * 1000),
            browser_ok=any(shutil.which(name) for name in BROWSERS),
            error="; ".join(broken + degraded) or None,
            parts=parts,
        )
