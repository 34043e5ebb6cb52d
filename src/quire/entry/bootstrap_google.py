"""The parts of the engine that drives Google: the account, the way there, a browser to sign in with."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from quire.adapters.machine import SystemClock
from quire.api.context import Context
from quire.api.rates import Rate, Rates
from quire.domain.errors import InvalidInput
from quire.domain.health import Check
from quire.entry.settings import Settings, parse_rates
from quire.ports.machine import Clock, Signer

if TYPE_CHECKING:
    from quire.api.engine import Engine
    from quire.domain.files import Download, Upload
    from quire.local.files import Files
    from quire.notebooklm.engine.account import Account
    from quire.notebooklm.engine.profiles import CookieStore, Profiles
    from quire.ports.fetched_files import FetchedFiles
    from quire.ports.http import Http

CONTRACT_1_TOOLS = frozenset(("health_check", "list_notebooks", "get_notebook", "list_sources", "add_source", "ask"))


def make_notebooklm(settings: Settings, clock: Clock, signer: Signer, files: FetchedFiles, counted: Rates) -> Engine:
    """The engine that drives Google. Nothing is read or sent before its first call."""
    from quire.adapters import browser_program
    from quire.notebooklm.engine.engine import NotebookLmEngine

    return NotebookLmEngine(
        cookie_store(settings),
        google_http(settings),
        clock,
        signer,
        Rates(parse_rates(settings.rates)),
        host=settings.notebooklm_host,
        inbox=settings.notebooklm_inbox,
        browser=browser_program.starts,
        files=files,
        counted=counted,
    )


class LaterFiles:
    """The files of this machine's own engine, which is made with the first that is fetched.

    Their addresses are the owner's, who alone is let into the account.
    """

    def __init__(self, made: Callable[[], Files]) -> None:
        self._made = made

    async def put(self, upload: Upload, limit: int) -> tuple[str, int]:
        return await self._made().put(upload, limit)

    def download(self, facts: dict[str, Any], *, local: bool) -> Download:
        return self._made().download(facts, Context(local=local))


def contract_rates(settings: Settings) -> Rates:
    """What the contract of the tools over NotebookLM's notebooks allows a client, unless the settings say otherwise."""
    own = {"*": Rate(10, 60), "add_source": Rate(5, 60), "ask": Rate(5, 60)}
    return Rates(own | parse_rates(settings.rates), among=CONTRACT_1_TOOLS)


def google_http(settings: Settings) -> Http:
    """The way to Google."""
    from quire.adapters.http_client import HttpClient

    return HttpClient(settings.notebooklm_proxy, settings.notebooklm_ca)


def cookie_store(settings: Settings, profile: str | None = None) -> CookieStore:
    """Where the cookies are: those of a profile that is named, else those that came with the process, if any did."""
    from quire.notebooklm.engine.profiles import GivenCookies

    if settings.notebooklm_cookies and profile is None:
        try:
            return GivenCookies(settings.notebooklm_cookies)
        except InvalidInput as error:
            raise InvalidInput(f"NOTEBOOKLM_AUTH_JSON: {error.message}", hint=error.hint) from None
    return accounts(settings).get(profile or settings.notebooklm_profile)


def notebooklm_account(settings: Settings, profile: str | None) -> tuple[Account, Http]:
    """An account, and the connections that its caller closes."""
    from quire.notebooklm.engine.account import Account

    http = google_http(settings)
    return Account(cookie_store(settings, profile), http, SystemClock(), settings.notebooklm_host), http


async def account_check(settings: Settings) -> Check:
    """How the account is, for `quire doctor`."""
    account, http = notebooklm_account(settings, None)
    try:
        return await account.check()
    finally:
        await http.close()


async def browser_state(settings: Settings, *, seconds: float, path: str | None, shown: bool) -> dict[str, Any]:
    """The state of a browser in which somebody has signed in to Google."""
    from quire.adapters.browser_login import sign_in
    from quire.notebooklm.engine.cookies import NEEDED

    way = {"proxy": settings.notebooklm_proxy, "authorities": settings.notebooklm_ca}
    return await sign_in(settings.notebooklm_host, NEEDED, seconds=seconds, path=path, shown=shown, **way)


def accounts(settings: Settings) -> Profiles:
    """The accounts of Google's that this home knows."""
    from quire.notebooklm.engine.profiles import Profiles

    return Profiles(settings.home / "notebooklm" / "accounts")
