"""What happened, in order, written in the same transaction as the change itself."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict


class Event(BaseModel):
    """`kind` is noun and verb (`note.created`); `subject_id` is what it happened to."""

    model_config = ConfigDict(frozen=True)

    seq: int
    notebook_id: str
    kind: str
    subject_id: str
    at: datetime
