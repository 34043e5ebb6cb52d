"""The parts of the engine that drives Google: the account, the way there, a browser to sign in with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from quire.adapters.machine import SystemClock
from quire.api.rates import Rate, Rates
from quire.entry.settings import Settings, parse_rates
from quire.local.parts import Parts

if TYPE_CHECKING:
    from quire.api.engine import Engine
    from quire.notebooklm.engine.account import Account
    from quire.notebooklm.engine.profiles import Profiles
    from quire.ports.fetched_files import FetchedFiles
    from quire.ports.http import Http

CONTRACT_1_TOOLS = frozenset(("health_check", "list_notebooks", "get_notebook", "list_sources", "add_source", "ask"))


def make_notebooklm(settings: Settings, parts: Parts, files: FetchedFiles) -> Engine:
    """The engine that drives Google. Nothing is read or sent before its first call."""
    from quire.adapters import browser_program
    from quire.notebooklm.engine.engine import NotebookLmEngine
    from quire.notebooklm.engine.profiles import CookieStore, GivenCookies

    given = settings.notebooklm_cookies
    store: CookieStore = GivenCookies(given) if given else accounts(settings).get(settings.notebooklm_profile)
    return NotebookLmEngine(
        store,
        google_http(settings),
        parts.clock,
        parts.signer,
        parts.rates,
        host=settings.notebooklm_host,
        inbox=settings.notebooklm_inbox,
        browser=browser_program.starts,
        files=files,
    )


def contract_rates(settings: Settings) -> Rates:
    """What the contract of the tools over NotebookLM's notebooks allows a client, unless the settings say otherwise."""
    own = {"*": Rate(10, 60), "add_source": Rate(5, 60), "ask": Rate(5, 60)}
    return Rates(own | parse_rates(settings.rates), among=CONTRACT_1_TOOLS)


def google_http(settings: Settings) -> Http:
    """The way to Google."""
    from quire.adapters.http_client import HttpClient

    return HttpClient(settings.notebooklm_proxy, settings.notebooklm_ca)


def notebooklm_account(settings: Settings, profile: str) -> tuple[Account, Http]:
    """An account, and the connections that its caller closes."""
    from quire.notebooklm.engine.account import Account

    http = google_http(settings)
    return Account(accounts(settings).get(profile), http, SystemClock(), settings.notebooklm_host), http


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
