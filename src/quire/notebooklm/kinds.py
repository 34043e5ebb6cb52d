"""The kinds of single values on the wire: text, numbers, moments, codes."""

from __future__ import annotations

import logging
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from enum import IntEnum
from typing import Any, TypeVar

from quire.notebooklm.wire import Drift, Kind

log = logging.getLogger("quire.notebooklm")

Code = TypeVar("Code", bound=IntEnum)

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLION, BILLION = 1_000_000, 1_000_000_000


def _text(value: Any) -> str:
    if type(value) is str:
        return value
    raise Drift("text", value)


def _integer(value: Any) -> int:
    if type(value) is int:
        return value
    raise Drift("an integer", value)


def _number(value: Any) -> float:
    if type(value) is float or type(value) is int:
        return value
    raise Drift("a number", value)


def _boolean(value: Any) -> bool:
    if value is True or value is False:
        return value
    if type(value) is int and value in (0, 1):
        return bool(value)
    raise Drift("a boolean", value)


def _moment(value: Any) -> datetime:
    """Seconds and nanoseconds; either may be left out when it is nought."""
    if type(value) is list and len(value) <= 2:
        seconds, nanos = value if len(value) == 2 else (*value, 0, 0)[:2]
        seconds, nanos = seconds or 0, nanos or 0
        if type(seconds) is int and type(nanos) is int and 0 <= nanos < BILLION:
            try:
                return EPOCH + timedelta(0, seconds, nanos // 1000)
            except OverflowError:
                pass
    raise Drift("a moment", value)


def _moment_on_wire(value: datetime) -> list[int]:
    micros = (value - EPOCH) // timedelta(microseconds=1)
    return [micros // MILLION, micros % MILLION * 1000]


def _span(value: Any) -> float:
    """A duration: seconds and nanoseconds."""
    if type(value) is list and value and type(value[0]) in (int, float):
        nanos = value[1] if len(value) > 1 and type(value[1]) is int else 0
        with suppress(OverflowError):
            return float(value[0]) + nanos / BILLION
    raise Drift("a duration", value)


def _span_on_wire(value: float) -> list[int]:
    whole, nanos = divmod(round(value * MILLION), MILLION)
    return [whole, nanos * 1000]


def _fragments(value: Any) -> str:
    """A text that comes in pieces."""
    if type(value) is list and all(type(piece) is str for piece in value):
        return "".join(value)
    raise Drift("a list of texts", value)


text = Kind("text", _text, exact=str)
fragments = Kind("a list of texts", _fragments, lambda value: [value])
integer = Kind("an integer", _integer, exact=int)
number = Kind("a number", _number, exact=float)
boolean = Kind("a boolean", _boolean, exact=bool)
flag = Kind("a boolean", _boolean, int)
ticked = Kind("a boolean", _boolean, lambda value: True if value else None)
moment = Kind("a moment", _moment, _moment_on_wire)
duration = Kind("a duration", _span, _span_on_wire)
anything = Kind("anything", lambda value: value)


class UnknownCodes:
    """Each code that is not in our tables is warned of once."""

    def __init__(self) -> None:
        self.seen: set[tuple[str, int]] = set()

    def warn(self, name: str, code: int) -> None:
        if (name, code) not in self.seen and len(self.seen) < 1_000:
            self.seen.add((name, code))
            log.warning("NotebookLM sent an unknown code", extra={"table": name, "wire_code": code})


unknown_codes = UnknownCodes()


def code(table: type[Code]) -> Kind:
    """A number that has a name in a table; one that has none becomes UNKNOWN."""
    members: dict[int, Code] = {int(member): member for member in table}
    unknown = table["UNKNOWN"]

    def read(value: Any) -> Code:
        if type(value) is not int:
            raise Drift(f"a code of {table.__name__}", value)
        found = members.get(value)
        if found is None:
            unknown_codes.warn(table.__name__, value)
            return unknown
        return found

    def write(value: Any) -> int | None:
        number = int(value)
        return None if number == int(unknown) else number

    return Kind(f"a code of {table.__name__}", read, write)
