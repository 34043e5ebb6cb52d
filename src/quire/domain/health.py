"""Whether everything works."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel


class HealthReport(BaseModel):
    """Unhealthy when store or index fail; degraded when an optional part is set up but does not work."""

    status: Literal["healthy", "degraded", "unhealthy"]
    authenticated: bool
    latency_ms: int
    browser_ok: bool
    error: str | None = None
    parts: dict[str, str] = {}


class Check(BaseModel):
    """How one part is. `note` is worth knowing and no problem."""

    name: str
    state: Literal["ok", "note", "problem"]
    detail: str
    hint: str | None = None
