"""Whether Google answers, and as whom."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

from quire.domain.errors import NotSignedIn, QuireError
from quire.domain.health import HealthReport
from quire.notebooklm.engine.caller import Caller
from quire.notebooklm.engine.scope import GoogleScope

Browser = Callable[[], Awaitable[bool]]


class GoogleHealth:
    """`browser` tries whether a browser can start on this machine, which signing in needs."""

    def __init__(self, caller: Caller, browser: Browser) -> None:
        self._caller = caller
        self._browser = browser

    async def check(self, scope: GoogleScope, thorough: bool) -> HealthReport:
        start = time.perf_counter()
        error: QuireError | None = None
        try:
            await self._caller.call("LIST_NOTEBOOKS")
        except QuireError as failed:
            error = failed
        spent = round((time.perf_counter() - start) * 1000)
        return HealthReport(
            status="healthy" if error is None else "unhealthy",
            authenticated=not isinstance(error, NotSignedIn),
            latency_ms=spent,
            browser_ok=await self._browser(),
            error=None if error is None else " ".join(filter(None, [error.message, error.hint])),
            parts={"notebooklm": "ok" if error is None else error.code},
        )
