"""Sliding-window limits on how often an actor calls something."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from quire.domain.errors import LimitReached

WINDOWS: dict[float, str] = {1: "second", 60: "minute", 3600: "hour", 86400: "day"}


@dataclass(frozen=True)
class Rate:
    """At most `calls` in `seconds`, for each actor."""

    calls: int
    seconds: float


class Rates:
    """`rules` are by tool; that of `*` is for all calls of an actor together. They win over what a capability declares.

    `enforced` is off on the local engine: one's own machine needs no limit unless it is asked for. `among` are the
    tools that the rule of `*` counts, where it does not count all.
    """

    def __init__(
        self,
        rules: Mapping[str, Rate] = {},
        *,
        enforced: bool = False,
        among: frozenset[str] | None = None,
        time: Callable[[], float] = time.monotonic,
    ) -> None:
        self._rules = dict(rules)
        self._among = among
        self._enforced = enforced
        self._time = time
        self._calls: dict[tuple[str, str], deque[float]] = {}

    def admit(self, actor: str, tool: str, declared: Rate | None) -> None:
        """Counts a call, or raises LimitReached saying when to come back. What is refused does not count."""
        own = self._rules.get(tool) or (declared if self._enforced else None)
        now = self._time()
        counted = []
        for name, rule in ((tool, own), ("*", self._rules.get("*"))):
            if rule is None or (name == "*" and self._among is not None and tool not in self._among):
                continue
            calls = self._calls.setdefault((actor, name), deque())
            while calls and calls[0] <= now - rule.seconds:
                calls.popleft()
            if len(calls) >= rule.calls:
                raise _reached(name, rule, max(1, math.ceil(calls[0] + rule.seconds - now)))
            counted.append(calls)
        for calls in counted:
            calls.append(now)

    def told(self, actor: str) -> list[tuple[str, Rate, int]]:
        """The rules in force, and how many calls of an actor count at this moment."""
        now = self._time()
        return [
            (tool, rule, sum(at > now - rule.seconds for at in self._calls.get((actor, tool), ())))
            for tool, rule in self._rules.items()
        ]


def _reached(name: str, rule: Rate, wait: int) -> LimitReached:
    what = "Tools" if name == "*" else name
    return LimitReached(
        f"{what} may be called {rule.calls} times in {rule.seconds:g} seconds; try again in {wait}.",
        retry_after=wait,
        limit=rule.calls,
        window=WINDOWS.get(rule.seconds, f"{rule.seconds:g} seconds"),
    )
