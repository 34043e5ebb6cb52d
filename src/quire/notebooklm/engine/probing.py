"""When a call was made, so that what it made can be told from what was there before."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from quire.domain.errors import QuireError
from quire.ports.machine import Clock

# Clocks differ; what was made a little before, by the other clock, may be what this call made.
SKEW = timedelta(minutes=2)


@dataclass(frozen=True, slots=True)
class Start:
    at: datetime

    def before(self, moment: datetime | None) -> bool:
        return moment is not None and moment >= self.at - SKEW


Since = Callable[[], Start]


def since(clock: Clock) -> Since:
    return lambda: Start(datetime.fromtimestamp(clock.now() / 1_000_000, UTC))


@contextmanager
def once_made(what: str, **ids: str) -> Iterator[None]:
    """What comes after something was made; where it fails, the error says so: nobody is to make it again."""
    try:
        yield
    except QuireError as error:
        error.details |= {"outcome": "confirmed", **ids}
        error.hint = f"The {what} was made, and is not finished."
        raise
