"""Settings of a person, limits and usage, as NotebookLM's clients ask for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quire.notebooklm.methods.settings import Account, Quota, QuotaWindow, UserSettings
from quire.notebooklm.server.wire_call import Handler, WireCall

# The windows of an allowance: a few hours, and a week.
WINDOWS = (1, 2)
READ = 1


async def get_settings(call: WireCall, names: Mapping[str, Any]) -> UserSettings:
    """How many notebooks and sources there may be is not told, since there is no such limit.

    A language that was not set is an empty text: clients take a missing place for an answer they do not know.
    """
    language = await call.library.settings.get_output_language()
    limits = await call.library.settings.get_account_limits()
    return UserSettings(language.code or "", limits.notebooks, limits.sources_per_notebook, limits.characters_per_text)


async def set_settings(call: WireCall, names: Mapping[str, Any]) -> UserSettings:
    await call.library.settings.set_output_language(names["language"])
    return await get_settings(call, names)


async def get_account(call: WireCall, names: Mapping[str, Any]) -> Account:
    """Nothing that is made here is charged against an allowance."""
    return Account(metered=False)


async def list_quota(call: WireCall, names: Mapping[str, Any]) -> Quota:
    """Of an allowance that nobody counts nothing is used, and it does not begin anew."""
    return Quota(READ, tuple(QuotaWindow(window, None, 0.0, 100.0) for window in WINDOWS))


HANDLERS: dict[str, Handler] = {
    "GET_USER_SETTINGS": get_settings,
    "SET_USER_SETTINGS": set_settings,
    "GET_ACCOUNT": get_account,
    "LIST_QUOTA_SUMMARY": list_quota,
}
