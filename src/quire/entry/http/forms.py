"""Forms of the page, which a browser sends with or without the page's script."""

from __future__ import annotations

import asyncio

from starlette.requests import Request

from quire.entry.http.answers import malformed
from quire.entry.http.arguments import pairs, received

LARGE_FORM = 64 * 1024


async def form(request: Request) -> dict[str, str]:
    """A form of the page. Its Origin was checked before, so it comes from the page itself."""
    if not request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        raise malformed("This takes a form.")
    data = b"".join([chunk async for chunk in received(request)])
    return dict(pairs(data) if len(data) < LARGE_FORM else await asyncio.to_thread(pairs, data))
