"""Whether work is done for a caller who waits for it, or beside, by a worker. What is beside gives way."""

from __future__ import annotations

from contextvars import ContextVar

_beside: ContextVar[bool] = ContextVar("quire_beside", default=False)


def in_background() -> bool:
    return _beside.get()


def work_in_background(beside: bool = True) -> None:
    """Whatever this task does from here on, and the tasks and threads that it starts, gives way to callers."""
    _beside.set(beside)
