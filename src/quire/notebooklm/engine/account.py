"""A signed-in account: its cookies on every request, and the tokens that calls carry."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from urllib.parse import urljoin

from quire.domain.errors import (
    LimitReached,
    NotSignedIn,
    QuireError,
    TimedOut,
    TooLarge,
    Unsupported,
    Upstream,
    WireDrift,
)
from quire.domain.health import Check
from quire.notebooklm.engine.cookies import CookieJar
from quire.notebooklm.engine.hosts import ACCOUNTS_HOST, CLOSED_HOSTS, checked, host_of, is_googles, led_to
from quire.notebooklm.engine.profiles import HINT, CookieStore, Tokens
from quire.notebooklm.entities import unescape
from quire.notebooklm.replay import ROTATE_PATH
from quire.ports.http import AnswerLost, Http, HttpAnswer, HttpHead, HttpRequest, NotSent
from quire.ports.machine import Clock

AGENT = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36"
HOPS = 10
PAGE_BYTES = 8 * 2**20
MOVED = (301, 302, 303, 307, 308)
RENEW_AFTER = 540.0
RENEW_AGAIN = 60.0
# How long tokens serve another process before it reads the page itself. Google takes them for hours, and says so where
# it does not: then they are read anew, and nothing was done.
TOKENS_SERVE = 600.0
RENEW_BODY = b'[000,"-0000000000000000000"]'
CSRF = re.compile(r"""["']SNlM0e["']\s{0,8}:\s{0,8}["']([^"']{1,4096})["']""")
SESSION = re.compile(r"""["']FdrFJe["']\s{0,8}:\s{0,8}["']([^"']{1,4096})["']""")
BUILD = re.compile(r"""["']cfb2h["']\s{0,8}:\s{0,8}["']([^"']{1,4096})["']""")


class Account:
    """`host` is the one that serves NotebookLM's page. One refresh at a time, whoever asks for it."""

    def __init__(self, store: CookieStore, http: Http, clock: Clock, host: str) -> None:
        self._store = store
        self._http = http
        self._clock = clock
        self._jar: CookieJar | None = None
        self._renewed_at = 0.0
        self._tokens: Tokens | None = None
        self._stored_tokens: Tokens | None = None
        self._fetching = asyncio.Lock()
        self.host = host
        self.home = f"https://{host}/"

    async def tokens(self) -> Tokens:
        if self._tokens is None or self._now() - self._renewed_at > RENEW_AFTER:
            async with self._fetching:
                await self._renew()
                if self._tokens is None:
                    self._tokens = self._known() or await self._fetched()
        return self._tokens

    async def check(self) -> Check:
        """Whether Google answers, for people who look what is wrong."""
        try:
            await self.tokens()
        except QuireError as error:
            return Check(name="notebooklm", state="problem", detail=error.message, hint=error.hint)
        return Check(name="notebooklm", state="ok", detail=f"signed in at {self.host}")

    async def refreshed(self, refused: Tokens) -> Tokens:
        """Tokens that are newer than those that were refused; others may have fetched them already."""
        async with self._fetching:
            if self._tokens is refused or self._tokens is None:
                self._jar = None
                self._tokens = None
                await self._renew()
                known = self._known()
                self._tokens = known if known and known.csrf != refused.csrf else await self._fetched()
            return self._tokens

    def _known(self) -> Tokens | None:
        """Those that another process has read a moment ago."""
        kept = self._stored_tokens
        return kept if kept is not None and 0 <= self._now() - kept.read_at <= TOKENS_SERVE else None

    async def headers(self, url: str, more: Mapping[str, str] = {}) -> dict[str, str]:
        """What goes with a request to one of Google's addresses."""
        jar = await self._cookies()
        return {"User-Agent": AGENT, "Cookie": jar.header(url, self._now()), **more}

    async def took(self, url: str, head: HttpHead) -> None:
        """Keeps what an answer set, for this process and the others; where that fails, the answer counts."""
        if not head.set_cookies or not is_googles(url):
            return
        with suppress(QuireError):
            if (await self._cookies()).take(url, head.set_cookies, self._now()):
                await self._keep()

    async def _cookies(self) -> CookieJar:
        if self._jar is None:
            stored = await asyncio.to_thread(self._store.read)
            self._jar, self._renewed_at, self._stored_tokens = stored.jar, stored.renewed_at, stored.tokens
        return self._jar

    async def _keep(self, tokens: Tokens | None = None) -> None:
        assert self._jar is not None
        stored = await asyncio.to_thread(partial(self._store.join, self._jar, self._renewed_at, tokens))
        self._jar, self._renewed_at, self._stored_tokens = stored.jar, stored.renewed_at, stored.tokens

    async def _renew(self) -> None:
        """Has the cookies renewed, at most once a minute among all processes. It may fail: the old ones hold on."""
        await self._cookies()
        if self._now() - self._renewed_at <= RENEW_AFTER:
            return
        with suppress(QuireError, NotSent, AnswerLost):
            lock = self._store.lock()
            await asyncio.to_thread(lock.__enter__)  # type: ignore[attr-defined]
            try:
                self._jar = None
                await self._cookies()
                if self._now() - self._renewed_at <= RENEW_AGAIN:
                    return
                url = f"https://{ACCOUNTS_HOST}{ROTATE_PATH}"
                headers = await self.headers(
                    url, {"Content-Type": "application/json", "Origin": f"https://{ACCOUNTS_HOST}"}
                )
                answer = await self._http.answer(HttpRequest("POST", url, headers, RENEW_BODY, 15.0, PAGE_BYTES))
                self._renewed_at = self._now()
                if answer.head.status == 200:
                    (await self._cookies()).take(url, answer.head.set_cookies, self._now())
                await self._keep()
            finally:
                await asyncio.to_thread(lock.__exit__, None, None, None)  # type: ignore[attr-defined]

    async def _fetched(self) -> Tokens:
        """The tokens in NotebookLM's page. Cookies that it does not take may have been renewed by another process.

        That is looked for once: whoever is sent to sign in is often given other cookies, too.
        """
        sent = (await self._cookies()).header(self.home, self._now())
        try:
            return await self._kept_tokens()
        except NotSignedIn:
            self._jar = None
            if (await self._cookies()).header(self.home, self._now()) == sent:
                raise
        return await self._kept_tokens()

    async def _kept_tokens(self) -> Tokens:
        tokens = await self._in_page()
        await self._cookies()
        with suppress(TimedOut):
            await self._keep(tokens)
        return tokens

    async def _in_page(self) -> Tokens:
        """The tokens in NotebookLM's page. Where it leads instead tells what is wrong."""
        url, answer = await self._page(self.home)
        host = host_of(url)
        if host == ACCOUNTS_HOST:
            raise NotSignedIn("Google asks to sign in again: the session has expired.", hint=HINT)
        if host in CLOSED_HOSTS:
            raise Unsupported("Google does not offer NotebookLM where this machine is.")
        if answer.head.status == 429:
            raise LimitReached("Google asks to wait.", retry_after=seconds_of(answer.head))
        if answer.head.status >= 400:
            raise Upstream(f"NotebookLM's page answered with {answer.head.status}.", status=answer.head.status)
        page = unescape(answer.body.decode("utf-8", errors="replace"))
        csrf, session, build = (pattern.search(page) for pattern in (CSRF, SESSION, BUILD))
        if csrf is None or session is None:
            raise await self._without_tokens()
        return Tokens(unescaped(csrf[1]), unescaped(session[1]), unescaped(build[1]) if build else "", self._now())

    async def _without_tokens(self) -> QuireError:
        url, _ = await self._page(urljoin(self.home, "/login"))
        if host_of(url) == ACCOUNTS_HOST:
            return NotSignedIn("Google asks to sign in again: the session has expired.", hint=HINT)
        return WireDrift("NotebookLM's page holds no tokens.", path="SNlM0e")

    async def _page(self, url: str) -> tuple[str, HttpAnswer]:
        """A page and the address that it came from in the end, which is Google's at every hop."""
        for _ in range(HOPS):
            try:
                answer = await self._http.answer(
                    HttpRequest("GET", url, await self.headers(url), None, 30.0, PAGE_BYTES)
                )
            except (NotSent, AnswerLost) as error:
                raise Upstream("NotebookLM cannot be reached.", reason=str(error)) from None
            except TooLarge:
                raise WireDrift("NotebookLM's page is far too large.", path=host_of(url)) from None
            await self.took(url, answer.head)
            place = answer.head.headers.get("location")
            if answer.head.status not in MOVED or not place:
                return url, answer
            url = led_to(url, place)
            if host_of(url) in (ACCOUNTS_HOST, *CLOSED_HOSTS):
                return url, replace(answer, body=b"")
            checked(url, "NotebookLM's page")
        raise Upstream("NotebookLM's page leads in a circle.")

    def _now(self) -> float:
        return self._clock.now() / 1_000_000


def unescaped(text: str) -> str:
    """A value as the page's script has it."""
    if "\\" not in text:
        return text
    try:
        value = str(json.loads(f'"{text}"'))
        value.encode()
    except ValueError:
        return text
    return value


def seconds_of(head: HttpHead) -> int:
    """How long an answer asks to wait; a minute where it does not say."""
    value = head.headers.get("retry-after", "").strip()
    return min(int(value[:6]), 3_600) if value.isdecimal() else 60
