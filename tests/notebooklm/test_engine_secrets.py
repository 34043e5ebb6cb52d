"""No cookie and no token is told anywhere: planted ones are looked for in all that calls and commands leave."""

from __future__ import annotations

import asyncio
import json
import logging
import traceback
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from scripted_google import (
    COOKIE,
    CSRF,
    LIST,
    NOTHING,
    TOKENS,
    Said,
    ScriptedGoogle,
    cookies,
    items,
    scripted_google,
    with_status,
)

from every_thing import arguments
from quire.api.library import Library
from quire.domain.errors import QuireError
from quire.entry.cli import main
from quire.notebooklm.engine.profiles import Profiles
from quire.notebooklm.sessions import storage_state

NOTEBOOK = "00000000-0000-4000-8000-000000000001"
SESSION = "planted-session"
RENEWED = "planted-renewed-cookie"
PLANTED = (COOKIE, CSRF, SESSION, RENEWED)
SETS = {"Set-Cookie": f"__Secure-1PSIDTS={RENEWED}; Domain=.google.com; Path=/; Secure"}
# What Google says to every call, with a cookie that is new.
MOODS: dict[str, Said] = {
    "well": Said(NOTHING, headers=SETS),
    "refused": with_status(7),
    "signed out": Said("", 401, SETS),
    "forbidden": Said("", 403, SETS),
    "moved": Said("", 302, SETS | {"Location": "https://accounts.google.com/ServiceLogin"}),
    "limited": Said("", 429, SETS | {"Retry-After": "400"}),
    "broken": Said("", 500, SETS),
    "a page": Said(f"<html>{TOKENS}</html>", headers=SETS),
    "cut": Said(write=lambda handler: None),
    "odd": items(["wrb.fr", LIST, "{}", None, None, None, "generic"]),
}
QUICK = ("well", "signed out", "a page")
IDS = dict.fromkeys(
    ("notebook", "source", "note", "label", "conversation", "answer", "artifact", "research", "collection", "book"),
    NOTEBOOK,
) | {"session": "x", "person": "x", "link": "x", "job": "x", "server": "x", "transformation": "x"}
# These wait for what never comes here.
WAITING = ("wait_for_source", "wait_for_artifact", "wait_for_research", "make_artifact", "start_research")


@pytest.fixture(scope="module")
def google(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ScriptedGoogle]:
    with scripted_google(tmp_path_factory.mktemp("secrets")) as made:
        yield made


def found(*texts: str) -> list[str]:
    everything = "\n".join(texts)
    assert everything
    return [secret for secret in PLANTED if secret in everything]


async def told(library: Library) -> list[str]:
    """What every call gives or raises, with all that hangs on an error."""
    said: list[str] = []
    for capability in library.capabilities:
        if capability.tool in WAITING:
            continue
        try:
            given = arguments(capability, IDS)
            if capability.declared.streams:
                async with aclosing(capability.events(library, given)) as events:
                    said.extend([repr(event) async for event in events])
            else:
                said.append(repr(await capability.call(library, given)))
        except QuireError as error:
            said.append(repr(error) + json.dumps(error.body(), default=str))
            said.extend(traceback.TracebackException.from_exception(error, capture_locals=False).format())
            said.append(repr(error.__cause__) + repr(error.__context__))
    engine: Any = library.engine
    said.append(repr(vars(engine)) + repr(vars(engine._account)) + repr(await engine.examine()))
    return said


@pytest.mark.parametrize(
    "mood", [mood if mood in QUICK else pytest.param(mood, marks=pytest.mark.long) for mood in MOODS]
)
def test_no_call_tells_a_secret_whatever_google_says(
    google: ScriptedGoogle, tmp_path: Path, caplog: pytest.LogCaptureFixture, mood: str
) -> None:
    caplog.set_level(logging.DEBUG)
    profile = Profiles(tmp_path).get("shared")
    profile.sign_in(cookies())
    google.begin(MOODS[mood], home=[Said(TOKENS, headers=SETS)])

    async def go() -> list[str]:
        async with google.library(profile) as library:
            return await told(library)

    said = asyncio.run(go())
    assert len(said) > 20
    assert found(*said, caplog.text, repr(profile.read())) == []
    if mood == "well":
        assert google.calls > 20
        assert RENEWED in profile.path.read_text(), "it was there to be told"
        assert CSRF in profile.path.read_text()


COMMANDS = (
    ["auth", "status", "--test"],
    ["notebook", "list", "--engine", "notebooklm"],
    ["notebook", "transfer", NOTEBOOK, "--from", "notebooklm", "--to", "local"],
    ["auth", "profiles"],
    ["config", "show"],
    ["doctor", "--engine", "notebooklm"],
)


@pytest.mark.parametrize("commands", [COMMANDS[:3], pytest.param(COMMANDS, marks=pytest.mark.long)], ids=["few", "all"])
def test_no_command_tells_a_secret(
    google: ScriptedGoogle,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    commands: tuple[list[str], ...],
) -> None:
    """Signing in, looking, moving and failing, with all logs: in no output, and in no file but the account's own."""
    caplog.set_level(logging.DEBUG)
    home = tmp_path / "here"
    home.mkdir()
    (home / "quire.toml").write_text(
        f'notebooklm_proxy = "{google.proxy}"\nnotebooklm_ca = "{google.authority}"\nembedder = "none"\n'
    )
    file = tmp_path / "cookies.json"
    file.write_text(cookies())
    flags = ["--home", str(home), "-vv"]
    way = ["--from", "notebooklm", "--to", "local", *flags]
    google.begin(Said(NOTHING, headers=SETS), home=[Said(TOKENS, headers=SETS)])
    assert main(["login", "--cookies", str(file), *flags]) == 0
    for command in commands:
        main([*command, *flags])
        main([*command, *flags, "--json"])
    google.begin(Said("", 401), home=[Said("", 302, {"Location": "https://accounts.google.com/ServiceLogin"})])
    main(["notebook", "list", "--engine", "notebooklm", *flags])
    main(["notebook", "transfer", "Bees", *way])
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps([{"name": "SID", "value": COOKIE, "domain": ".google.com"}]))
    assert main(["login", "--cookies", str(bad), *flags]) == 2
    out, err = capfd.readouterr()
    assert found(out, err, caplog.text) == []
    kept = [one for one in home.rglob("*") if one.is_file() and one.name != "storage_state.json"]
    assert found(*(one.read_bytes().decode("utf-8", "replace") for one in kept)) == []
    assert main(["auth", "logout", *flags]) == 0
    left = [one for one in home.rglob("*") if one.is_file() and COOKIE.encode() in one.read_bytes()]
    assert left == []


def test_cookies_of_the_environment_are_not_among_the_settings_shown(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOTEBOOKLM_AUTH_JSON", json.dumps(storage_state(COOKIE)))
    for command in (["config", "show"], ["auth", "status"]):
        main([*command, "--home", str(tmp_path), "--json"])
        main([*command, "--home", str(tmp_path)])
    out, err = capfd.readouterr()
    assert found(out, err) == []
