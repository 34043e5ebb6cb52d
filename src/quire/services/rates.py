"""Sliding-window limits on how often an actor calls something."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from quire.domain.errors import LimitReached


@dataclass(frozen=True)
class Rate:
    """At most `calls` in `seconds`, for each actor."""

    calls: int
    seconds: float


class Rates:
    """`rules` (by tool, or `*` for every tool) win over what a capability declares.

    `enforced` is off on the local engine: one's own machine needs no limit unless it is asked for.
    """

    def __init__(
        self, rules: Mapping[str, Rate] = {}, *, enforced: bool = False, time: Callable[[], float] = time.monotonic
    ) -> None:
        self._rules = dict(rules)
        self._enforced = enforced
        self._time = time
        self._calls: dict[tuple[str, str], deque[float]] = {}

    def admit(self, actor: str, tool: str, declared: Rate | None) -> None:
        """Counts a call, or raises LimitReached saying when to come back."""
        rule = self._rules.get(tool) or self._rules.get("*") or (declared if self._enforced else None)
        if rule is None:
            return
        now = self._time()
        calls = self._calls.setdefault((actor, tool), deque())
        while calls and calls[0] <= now - rule.seconds:
            calls.popleft()
        if len(calls) >= rule.calls:
            wait = max(1, math.ceil(calls[0] + rule.seconds - now))
            raise LimitReached(
                f"{tool} may be called {rule.calls} times in {rule.seconds:g} seconds; try again in {wait}.",
                retry_after=wait,
            )
        calls.append(now)
