"""Asking a search service over HTTP: politely, for a bounded time and answer, and what can go wrong in one table."""

from __future__ import annotations

import asyncio
import html
import json
import re
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode, urlsplit

from quire.adapters.web import NO_HEADERS, Patience, Web
from quire.domain.errors import InvalidInput, LimitReached, QuireError, TooLarge, Upstream
from quire.domain.hygiene import one_line
from quire.ports.finders import Found

ANSWER_LIMIT = 4 * 1024 * 1024
PATIENCE = Patience(connect=5.0, silence=10.0, total=15.0, rest=20.0)
TAG = re.compile(r"<[^<>]{0,500}>")
LONGEST_TITLE, LONGEST_SNIPPET = 300, 2_000
MOST = 50
KEYS = "The setting finder_keys holds keys: NAME=KEY."
URLS = "The setting finder_urls says where it is: NAME=ADDRESS."
NETWORK = "Is this machine connected? finder_urls names a mirror or a SearXNG of your own; `drive` a folder of files."
# What a service's status means to whoever asked, and what to do about it.
STATUSES: dict[int, tuple[str, str | None]] = {
    400: ("does not understand the question", None),
    401: ("wants another key", KEYS),
    402: ("wants to be paid", KEYS),
    403: ("refuses to answer", KEYS),
    404: ("is not at this address", URLS),
    422: ("does not understand the question", None),
    429: ("asks us to wait", "Try again in a minute."),
}
FAILING = ("fails at the moment", "Try again later.")


class Access(NamedTuple):
    """How to reach a service: an address other than its usual one, a key, and whom it may write to."""

    address: str | None = None
    key: str = ""
    contact: str = ""


class Service:
    """One search service. `interval` are the seconds between two questions that its makers ask for.

    An address of one's own may be on this machine; any other must be public.
    """

    def __init__(self, name: str, usual: str, access: Access, interval: float = 0.0) -> None:
        self.name = name
        self.base = (access.address or usual).rstrip("/")
        self.contact = access.contact
        self._interval = 0.0 if access.address else interval
        self._next = 0.0
        agent = f"Quire (an open notebook; {access.contact or 'asks for one person'})"
        own = [urlsplit(self.base).hostname or ""] if access.address else []
        self._web = Web(own, ANSWER_LIMIT, PATIENCE, agent=agent)

    async def json(
        self,
        path: str,
        parameters: Mapping[str, str | int] | None = None,
        *,
        headers: Mapping[str, str] = NO_HEADERS,
        content: Mapping[str, Any] | None = None,
        base: str | None = None,
    ) -> Any:
        """The answer as data; `content` is sent as JSON."""
        body = None if content is None else json.dumps(content).encode()
        sent = dict(headers) if content is None else {**headers, "Content-Type": "application/json"}
        data = await self.bytes(path, parameters, headers=sent, content=body, base=base)
        try:
            return await asyncio.to_thread(json.loads, data)
        except (ValueError, RecursionError):
            raise self.strange() from None

    async def bytes(
        self,
        path: str,
        parameters: Mapping[str, str | int] | None = None,
        *,
        headers: Mapping[str, str] = NO_HEADERS,
        content: bytes | None = None,
        base: str | None = None,
    ) -> bytes:
        await self._wait()
        query = urlencode(parameters or {}, quote_via=quote)
        joint = "&" if "?" in path else "?"
        url = (base or self.base) + path + (joint + query if query else "")
        try:
            page = await self._web.request(url, content, headers)
            return b"".join([chunk async for chunk in page.file.chunks()])
        except QuireError as error:
            raise self._translated(error) from None

    def strange(self) -> Upstream:
        return Upstream(f"{self.name} answered in a form that is not known.", hint=URLS)

    def _translated(self, error: QuireError) -> QuireError:
        """A fetcher's error in words about the service; nothing that the service said is repeated."""
        if isinstance(error, TooLarge):
            return Upstream(f"{self.name} answered with more than {ANSWER_LIMIT:,} bytes.")
        status = error.details.get("answered")
        if status is None:
            why = error.message.removeprefix("url: ").removeprefix("the page cannot be fetched: ").rstrip(".")
            return Upstream(f"{self.name} cannot be reached: {why}.", hint=error.hint or NETWORK)
        why, hint = STATUSES.get(status, FAILING)
        kind = LimitReached if status == 429 else Upstream
        return kind(f"{self.name} {why} ({status}).", hint=hint)

    async def _wait(self) -> None:
        """Waits for its turn; whoever comes next waits behind."""
        now = time.monotonic()
        at = max(now, self._next)
        self._next = at + self._interval
        if at > now:
            await asyncio.sleep(at - now)


def plain(text: Any) -> str:
    """A text of an answer without its tags, on one line; empty where it is none."""
    if not isinstance(text, str):
        return ""
    return one_line(html.unescape(TAG.sub(" ", text[: 4 * LONGEST_SNIPPET])))[:LONGEST_SNIPPET]


def rows(answer: Any, *path: str) -> list[dict[str, Any]]:
    """The list of objects that lies in an answer at these names; InvalidInput where something else does."""
    for name in path:
        answer = answer.get(name) if isinstance(answer, dict) else None
    if answer is None:
        return []
    if not isinstance(answer, list):
        raise InvalidInput("There is no list where results should be.")
    return [row for row in answer[:MOST] if isinstance(row, dict)]


def text_at(row: Any, *path: str) -> str | None:
    """The text that lies in a row at these names, where one does."""
    for name in path:
        row = row.get(name) if isinstance(row, dict) else None
    return row if isinstance(row, str) else None


def told(found: Iterable[dict[str, Any]], read: Callable[[dict[str, Any]], Found], limit: int) -> list[Found]:
    """Rows as findings; those without a title are passed over."""
    return [one for row in found if (one := read(row)).title][:limit]
