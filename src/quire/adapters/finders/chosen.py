"""The finders of the settings, asked together; what must not be fetched is not offered."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from quire.adapters.addresses import Allowed, bare, is_for_web
from quire.adapters.finders.service import KEYS, LONGEST_TITLE, URLS, Access
from quire.adapters.web import Patience, Web
from quire.adapters.web_places import place_of
from quire.adapters.youtube import YouTube
from quire.domain.errors import InvalidInput, QuireError, Unsupported
from quire.domain.files import Upload
from quire.domain.research import Corpus
from quire.domain.web_addresses import LONGEST
from quire.ports.documents import FetchedPage, Unreadable
from quire.ports.finders import Answers, Failure, Found

if TYPE_CHECKING:
    from quire.adapters.finders.drive_folder import DriveFolder

log = logging.getLogger("quire.finders")

SECONDS = 25.0
PAGE_LIMIT = 20 * 1024 * 1024
PAGE_PATIENCE = Patience(connect=5.0, silence=10.0, total=25.0, rest=60.0)
# Names that no public page has.
PRIVATE = ("localhost", "local", "internal", "lan", "home", "corp", "test", "invalid", "onion", "arpa")
NO_FOLDER = "There is no folder of files."
SET_DRIVE = "quire config set drive FOLDER names the folder whose files can be found and added."


# By name, in the order in which they are asked: where each is made.
FINDERS = {
    "searxng": "searxng:Searxng",
    "brave": "brave:Brave",
    "tavily": "tavily:Tavily",
    "openapi": "openapi:OpenApi",
    "wikipedia": "wikipedia:Wikipedia",
    "openalex": "openalex:OpenAlex",
    "crossref": "crossref:Crossref",
    "arxiv": "arxiv:Arxiv",
}
NEEDS_URL = ("searxng", "openapi")
NEEDS_KEY = ("brave", "tavily")


class Finder(Protocol):
    name: str

    async def find(self, query: str, limit: int, language: str | None) -> list[Found]: ...


class ChosenFinders:
    """Finders, made when first asked. `allowed` are networks and names that may be fetched from although private."""

    def __init__(
        self, names: tuple[str, ...], made: Callable[[], list[Finder]], drive: str = "", allowed: Sequence[str] = ()
    ) -> None:
        self._names = names
        self._made = made
        self._drive = drive
        self._allowed = Allowed(allowed)
        self._web = YouTube(Web(allowed, PAGE_LIMIT, PAGE_PATIENCE))

    def names(self, corpus: Corpus) -> tuple[str, ...]:
        return self._names if corpus == "web" else ("drive",) if self._drive else ()

    async def find(self, query: str, corpus: Corpus, *, limit: int, language: str | None) -> Answers:
        failures: list[Failure] = []

        async def one(finder: Finder) -> tuple[Found, ...]:
            try:
                async with asyncio.timeout(SECONDS):
                    found = await finder.find(query, limit, language)
            except TimeoutError:
                failures.append(Failure(finder.name, f"{finder.name} took too long."))
                return ()
            except QuireError as error:
                log.info("%s failed: %s", finder.name, error.message)
                failures.append(Failure(finder.name, error.message, error.hint))
                return ()
            return tuple(made for result in found if (made := self._offered(result)) is not None)

        found = await asyncio.gather(*(one(finder) for finder in self._asked(corpus)))
        return Answers(tuple(found), tuple(failures))

    async def page(self, url: str, unreadable: Unreadable) -> FetchedPage:
        return await self._web.fetch(url, unreadable)

    async def file(self, path: str) -> Upload:
        if self._folder is None:
            raise Unsupported(NO_FOLDER, hint=SET_DRIVE)
        return await self._folder.file(path)

    def _asked(self, corpus: Corpus) -> Sequence[Finder]:
        if corpus == "web":
            return self._finders
        return () if self._folder is None else (self._folder,)

    @cached_property
    def _finders(self) -> list[Finder]:
        return self._made()

    @cached_property
    def _folder(self) -> DriveFolder | None:
        if not self._drive:
            return None
        from quire.adapters.finders.drive_folder import DriveFolder

        return DriveFolder(Path(self._drive).expanduser())

    def _offered(self, found: Found) -> Found | None:
        """What may be shown and fetched: a file, or a page whose address is one of the public web."""
        title = found.title[:LONGEST_TITLE]
        if found.file is not None:
            return replace(found, title=title)
        if found.url is None or len(found.url) > LONGEST or not self._is_public(found.url):
            return None
        return replace(found, title=title, url=found.url.strip())

    def _is_public(self, url: str) -> bool:
        """As far as the address tells; what its name leads to is looked up when it is fetched."""
        try:
            place = place_of(url)
        except InvalidInput:
            return False
        try:
            address = ipaddress.ip_address(place.host)
        except ValueError:
            host = bare(place.host)
            first, dot, last = host.rpartition(".")
            named = bool(first and dot) and last not in PRIVATE and not last.isdigit()
            return (named and is_for_web(place.port)) or self._allowed.names(host)
        return self._allowed.may_reach(place.host, address, place.port)


def finders_of(
    names: Sequence[str],
    urls: Mapping[str, str],
    keys: Mapping[str, str],
    *,
    drive: str,
    contact: str,
    allowed: Sequence[str],
) -> ChosenFinders:
    """The finders with these names, in this order. Without any: those that are set up, then those that need no key."""
    for name in [*names, *urls, *keys]:
        if name not in FINDERS:
            raise InvalidInput(f"There is no finder '{name}'.", hint=f"Finders: {', '.join(FINDERS)}.")
    for name in names:
        if name in NEEDS_URL and name not in urls:
            raise InvalidInput(f"The finder '{name}' needs its address.", hint=URLS)
        if name in NEEDS_KEY and name not in keys:
            raise InvalidInput(f"The finder '{name}' needs a key.", hint=KEYS)
    ready = [
        name
        for name in FINDERS
        if not (name in NEEDS_URL and name not in urls) and not (name in NEEDS_KEY and name not in keys)
    ]

    def made() -> list[Finder]:
        return [
            _class(name)(Access(urls.get(name), keys.get(name, ""), contact)) for name in dict.fromkeys(names or ready)
        ]

    return ChosenFinders(tuple(dict.fromkeys(names or ready)), made, drive, allowed)


def _class(name: str) -> Callable[[Access], Finder]:
    module, _, kind = FINDERS[name].partition(":")
    found: Callable[[Access], Finder] = getattr(import_module(f"quire.adapters.finders.{module}"), kind)
    return found
