"""Long work: queued, claimed, reported, and ended once."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from quire.domain.files import Download

JobState = Literal["queued", "running", "done", "failed", "cancelled"]
ENDED: tuple[JobState, ...] = ("done", "failed", "cancelled")


class Job(BaseModel):
    model_config = ConfigDict(frozen=True)

    id: str
    kind: str
    notebook_id: str
    state: JobState
    done: int = 0
    total: int | None = None
    message: str = ""
    attempts: int = 0
    result: dict[str, Any] | None = None
    error: dict[str, Any] | None = None
    file: Download | None = None
    created_at: datetime
    started_at: datetime | None = None
    finished_at: datetime | None = None

    @property
    def ended(self) -> bool:
        return self.state in ENDED
