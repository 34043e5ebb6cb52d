"""The time that a run may use, counted over all attempts at it."""

from __future__ import annotations

import time


class TimeSpent:
    def __init__(self, before: int, seconds: float) -> None:
        """`before` are microseconds of earlier attempts."""
        self._before = before
        self._seconds = seconds
        self._began = time.monotonic()

    @property
    def micros(self) -> int:
        return self._before + int((time.monotonic() - self._began) * 1e6)

    @property
    def left(self) -> float:
        return self._seconds - self.micros / 1e6

    @property
    def is_over(self) -> bool:
        return self.left <= 0
