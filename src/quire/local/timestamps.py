"""Stored times, microseconds since 1970 in UTC, as datetimes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def moment(microseconds: int) -> datetime:
    return EPOCH + timedelta(0, 0, microseconds)


def optional_moment(microseconds: int | None) -> datetime | None:
    return None if microseconds is None else moment(microseconds)
