"""`quire login` and `quire auth`: accounts of Google's, for the engine `notebooklm`."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from quire.domain.errors import InvalidInput, QuireError
from quire.entry.bootstrap_google import accounts, browser_state, cookie_store, notebooklm_account
from quire.entry.cli.calls import print_json, say
from quire.entry.cli.commands import Flags, Group, Teaching, global_options
from quire.entry.settings import Settings, load

if TYPE_CHECKING:
    from quire.notebooklm.engine.cookies import Cookie

MOST_BYTES = 4 * 2**20
ABOUT = """Sign in to Google NotebookLM, for 'quire --engine notebooklm ...'.

Opens a browser window at Google and waits until you have signed in. Without a browser: save the cookies of one that is
signed in (a storage state of Playwright's, or a cookies.txt) and give the file with --cookies; - reads them from
standard input. They are kept in the home, in a file that only you can read."""


def login_command() -> click.Command:
    return Teaching(
        "login",
        help=ABOUT,
        short_help="Sign in to Google NotebookLM.",
        callback=_login,
        params=[
            _profile(),
            click.Option(["--cookies"], metavar="FILE", help="Take the cookies from a file, and open no browser."),
            click.Option(["--browser"], metavar="PATH", help="The browser to open. Default: the one that is found."),
            click.Option(
                ["--seconds"], type=click.FloatRange(1, 3600), default=300, show_default=True, help="How long to wait."
            ),
            click.Option(["--headless"], is_flag=True, hidden=True),
            *global_options(),
        ],
    )


def auth_command() -> click.Command:
    test = click.Option(["--test"], is_flag=True, help="Ask Google whether the session still holds.")
    return Group(
        "auth",
        help="Accounts of Google NotebookLM that this home knows.",
        params=global_options(),
        commands={
            "status": Teaching(
                "status",
                help="Show whether an account is signed in.",
                callback=_status,
                params=[_profile(), test, *global_options()],
            ),
            "logout": Teaching(
                "logout",
                help="Forget an account's cookies. Google itself is not told.",
                callback=_logout,
                params=[_profile(), *global_options()],
            ),
            "profiles": Teaching("profiles", help="List the accounts.", callback=_profiles, params=[*global_options()]),
        },
    )


def _profile() -> click.Option:
    return click.Option(["--profile"], metavar="NAME", help="Which account. Default: the setting notebooklm_profile.")


def _login(profile: str | None, cookies: str | None, browser: str | None, seconds: float, headless: bool) -> None:
    flags, settings = _settings()
    name = profile or settings.notebooklm_profile
    kept = accounts(settings).get(name)
    if cookies is not None:
        text = _read(cookies)
    else:
        say(f"Sign in to Google in the window that opens; it closes by itself (at most {seconds:.0f} s).")
        state = asyncio.run(browser_state(settings, seconds=seconds, path=browser, shown=not headless))
        text = json.dumps(state)
    _refuse_expired(text)
    kept.sign_in(text)
    _told(
        flags,
        {"profile": name, "signed_in": True},
        f"Signed in as '{name}'. Try: quire --engine notebooklm notebook list",
    )


def _status(profile: str | None, test: bool) -> None:
    flags, settings = _settings()
    store = cookie_store(settings, profile)
    jar = store.read().jar
    end = ends(jar)
    facts: dict[str, Any] = {
        "profile": store.name,
        "cookies": len(jar),
        "missing": jar.missing,
        "expires": end.isoformat() if end else None,
    }
    if test:
        facts["signed_in"] = asyncio.run(_answers(settings, profile))
    lines = [f"{store.name}: {facts['cookies']} cookies"]
    lines += [f"missing: {', '.join(facts['missing'])}"] if facts["missing"] else []
    if end:
        lines.append(
            f"good until {end:%Y-%m-%d}" if end > datetime.now(UTC) else f"expired on {end:%Y-%m-%d}. Run: quire login"
        )
    lines += (
        ["Google answers." if facts.get("signed_in") else "Google asks to sign in again. Run: quire login"]
        if test
        else []
    )
    _told(flags, facts, "\n".join(lines))


def ends(cookies: Iterable[Cookie]) -> datetime | None:
    """When the first of the cookies ends that Google wants; None where they end with their browser."""
    from quire.notebooklm.engine.cookies import NEEDED

    found = [one.expires for one in cookies if one.expires > 0 and one.name in NEEDED]
    try:
        return datetime.fromtimestamp(min(found), UTC) if found else None
    except (ValueError, OverflowError, OSError):
        return None


def _refuse_expired(text: str) -> None:
    from quire.notebooklm.engine.cookies import cookies_in

    end = ends(cookies_in(text))
    if end and end < datetime.now(UTC):
        raise InvalidInput(
            f"These cookies expired on {end:%Y-%m-%d}.", hint="Save them anew from a browser that is signed in."
        )


async def _answers(settings: Settings, profile: str | None) -> bool:
    account, http = notebooklm_account(settings, profile)
    try:
        await account.tokens()
        return True
    except QuireError as error:
        if error.code == "not_signed_in":
            return False
        raise
    finally:
        await http.close()


def _logout(profile: str | None) -> None:
    flags, settings = _settings()
    name = profile or settings.notebooklm_profile
    accounts(settings).get(name).delete()
    _told(flags, {"profile": name, "signed_in": False}, f"Forgot '{name}'.")


def _profiles() -> None:
    flags, settings = _settings()
    names = accounts(settings).names()
    _told(flags, {"profiles": names}, "\n".join(names) or "No account is signed in. Run: quire login")


def _settings() -> tuple[Flags, Settings]:
    flags = click.get_current_context().ensure_object(Flags)
    return flags, load(flags.settings)


def _told(flags: Flags, facts: dict[str, Any], words: str) -> None:
    if flags.as_json:
        print_json(facts)
    else:
        click.echo(words)


def _read(place: str) -> str:
    try:
        if place == "-":
            data = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with Path(place).open("rb") as file:
                data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise InvalidInput("This file is far too large for cookies.")
        return data.decode("utf-8-sig")
    except OSError as error:
        raise InvalidInput(f"{place} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise InvalidInput(f"{place} is no text.") from None
