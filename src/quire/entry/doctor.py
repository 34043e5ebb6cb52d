"""`quire doctor`: what is installed, which settings are in force, and whether all of it works."""

from __future__ import annotations

import asyncio
import os
import platform
import shutil
import sqlite3
import sys
import time
from collections.abc import Mapping
from contextlib import aclosing
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel
from rich.text import Text

import quire
from quire.domain.errors import QuireError
from quire.domain.health import Check
from quire.entry.bootstrap import build, how_cells_run, newest_schema
from quire.entry.bootstrap_google import account_check
from quire.entry.bootstrap_models import language_model, model_folder
from quire.entry.extras import EXTRAS
from quire.entry.home import OTHERS, shared_with, strangers_in
from quire.entry.settings import Settings, load
from quire.entry.terminal import console, facts, size, table

LITTLE_SPACE = 200_000_000
MODEL_SECONDS = 60.0
# What the model is told, what it is asked, and in how many tokens it may answer.
QUESTION = ("Answer in one word.", "Are you there?", 16)

State = Literal["ok", "note", "problem"]


class Setting(BaseModel):
    name: str
    value: Any
    origin: str


class Diagnosis(BaseModel):
    ok: bool
    version: str
    python: str
    system: str
    settings: list[Setting]
    checks: list[Check]


async def examine(flags: Mapping[str, Any]) -> Diagnosis:
    """Looks at everything and changes nothing; what fails is a line of the answer, never an exception."""
    settings: list[Setting] = []
    checks: list[Check] = []
    try:
        loaded = load(flags)
    except QuireError as error:
        checks.append(Check(name="settings", state="problem", detail=error.message))
    else:
        shown, origins = loaded.shown(), loaded.origins
        settings = [Setting(name=name, value=shown[name], origin=origins[name]) for name in shown]
        checks = [_home(loaded), *await _kept(loaded), *await _cells(loaded), await _model(loaded), *_models(loaded)]
    checks += [Check(name="SQLite", state="ok", detail=sqlite3.sqlite_version), *_extras()]
    return Diagnosis(
        ok=all(check.state != "problem" for check in checks),
        version=quire.__version__,
        python=f"{platform.python_version()} ({sys.executable})",
        system=platform.platform(),
        settings=settings,
        checks=checks,
    )


def show(diagnosis: Diagnosis) -> None:
    """The diagnosis for people."""
    styles = {"ok": "green", "note": "yellow", "problem": "bold red"}
    out = console()
    facts(out, {"Quire": diagnosis.version, "Python": diagnosis.python, "System": diagnosis.system})
    if diagnosis.settings:
        out.print()
        rows = [(setting.name, setting.value, setting.origin) for setting in diagnosis.settings]
        table(out, {"Setting": "whole", "Value": "wrap", "From": "whole"}, rows)
    out.print()
    found = [
        (check.name, Text(check.state, style=styles[check.state]), f"{check.detail} {check.hint or ''}")
        for check in diagnosis.checks
    ]
    table(out, {"Check": "whole", "State": "whole", "Detail": "wrap"}, found)
    out.print()
    out.print(Text("All is well.", "green") if diagnosis.ok else Text("There are problems.", "bold red"))


def is_new(settings: Settings) -> bool:
    """Whether the store is a file that nothing has been written to yet."""
    if settings.store == "memory" or "://" in settings.store:
        return False
    return not (Path(settings.store) if settings.store else settings.home / "quire.db").exists()


async def _kept(settings: Settings) -> list[Check]:
    """The store and what is in it."""
    if is_new(settings):
        google = [await account_check(settings)] if settings.engine == "notebooklm" else []
        return [Check(name="store", state="note", detail="There is none yet; the first command makes it."), *google]
    try:
        opening = build(settings)
    except QuireError as error:
        return [Check(name="store", state="problem", detail=error.message, hint=error.hint)]
    async with opening as library:
        store, *others = await library.engine.examine()
        if others:
            detail = f"{newest_schema()}, the newest that this Quire knows"
            others.insert(0, Check(name="schema", state="ok", detail=detail))
        return [store, *others]


async def _cells(settings: Settings) -> list[Check]:
    """How cells are run here, if they can be."""
    if not EXTRAS["scratch"].installed:
        return []
    if settings.unsafe_cells:
        return [Check(name="cells", state="note", detail="They run without a sandbox, and can do anything.")]
    try:
        return [Check(name="cells", state="ok", detail=f"They run {await how_cells_run(settings)}.")]
    except QuireError as error:
        return [Check(name="cells", state="note", detail=error.message, hint=error.hint)]


async def _model(settings: Settings) -> Check:
    """Whether the language model answers. It is asked, since an endpoint may be there without the model."""
    try:
        model = language_model(settings)
        if model is None:
            detail = "None is set; answers are in the sources' own sentences."
            return Check(name="model", state="note", detail=detail, hint="quire config set model NAME")
        begun = time.monotonic()
        async with asyncio.timeout(MODEL_SECONDS), aclosing(model.generate(*QUESTION)) as pieces:  # type: ignore[type-var]
            await anext(pieces, None)
    except TimeoutError:
        return Check(name="model", state="problem", detail=f"It said nothing for {MODEL_SECONDS:.0f} seconds.")
    except QuireError as error:
        return Check(name="model", state="problem", detail=error.message, hint=error.hint)
    return Check(name="model", state="ok", detail=f"{model.name} answered in {time.monotonic() - begun:.1f} s")


def _home(settings: Settings) -> Check:
    """Whether the home, or the folder it will be made in, can be written to, and has room."""
    folder = settings.home
    while not folder.exists():
        folder = folder.parent
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        return Check(
            name="home",
            state="problem",
            detail=f"{folder} cannot be written to.",
            hint="Set another with --home or QUIRE_HOME.",
        )
    free = shutil.disk_usage(folder).free
    state: State = "ok" if free > LITTLE_SPACE else "problem"
    detail, hint = f"{settings.home}, {size(free)} free", None
    strangers = strangers_in(settings)
    if strangers and folder.stat().st_mode & OTHERS:
        state = "note" if state == "ok" else state
        detail += f". {shared_with(strangers, folder)}"
        hint = "Set another with --home or QUIRE_HOME; or chmod 700 the folder, if it is yours alone."
    return Check(name="home", state=state, detail=detail, hint=hint)


def _models(settings: Settings) -> list[Check]:
    """Which models' files are here. One that is not is no problem: what it is for is then not done."""
    folder = model_folder(settings)
    checks = []
    for name, model in folder.known.items():
        if not folder.has(name):
            detail, hint = f"{model.purpose}: not here.", f"quire models add {name}"
            checks.append(Check(name=f"model {name}", state="note", detail=detail, hint=hint))
        elif folder.sound(name):
            checks.append(Check(name=f"model {name}", state="ok", detail=f"{model.purpose} ({model.title})"))
        else:
            detail, hint = "Its files are not those that were tested.", f"quire models add {name}"
            checks.append(Check(name=f"model {name}", state="problem", detail=detail, hint=hint))
    return checks


def _extras() -> list[Check]:
    """What is not installed is no problem until a setting needs it, and then the store's check says so."""
    checks = []
    for name, extra in EXTRAS.items():
        detail = extra.purpose if extra.installed else f"{extra.purpose}: not installed."
        state: State = "ok" if extra.installed else "note"
        hint = None if extra.installed else f"quire extras add {name}"
        checks.append(Check(name=f"extra {name}", state=state, detail=detail, hint=hint))
    return checks
