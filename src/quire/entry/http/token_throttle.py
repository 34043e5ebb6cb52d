"""Wrong tokens, counted by the address that they came from."""

from __future__ import annotations

import logging
import math
import time
from collections import deque
from collections.abc import Callable

from quire.domain.errors import LimitReached, NotSignedIn, QuireError

MOST = 10
SECONDS = 60.0
ADDRESSES = 10_000

log = logging.getLogger("quire.http")


class TokenThrottle:
    """Only what is wrong is ever refused: whoever has a right token comes in from any address."""

    def __init__(self, time: Callable[[], float] = time.monotonic) -> None:
        self._time = time
        self._wrong: dict[str, deque[float]] = {}

    def refused(self, address: str) -> QuireError:
        """The answer to a wrong token, which is on record from now on; the token itself is not."""
        log.warning("refused a token from %s", address)
        now = self._time()
        wrong = self._wrong.pop(address, None) or deque(maxlen=MOST)
        while wrong and wrong[0] <= now - SECONDS:
            wrong.popleft()
        self._wrong[address] = wrong
        if len(self._wrong) > ADDRESSES:
            del self._wrong[next(iter(self._wrong))]
        if len(wrong) < MOST:
            wrong.append(now)
            return NotSignedIn("The token is not valid.")
        wait = max(1, math.ceil(wrong[0] + SECONDS - now))
        return LimitReached(f"Too many wrong tokens came from here; try again in {wait} seconds.", retry_after=wait)
