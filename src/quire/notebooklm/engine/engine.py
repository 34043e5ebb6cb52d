"""The engine in its seat: what Google can do of what is declared."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any, ClassVar

from quire.api.context import Context
from quire.api.engine import PiecewiseUpload, Subject
from quire.api.rates import Rates
from quire.domain.errors import NotAllowed
from quire.domain.events import Event
from quire.domain.files import Download
from quire.domain.health import Check
from quire.domain.sharing import OWNER_ID, Role, SignedIn
from quire.notebooklm.engine.account import Account
from quire.notebooklm.engine.artifacts import GoogleArtifacts
from quire.notebooklm.engine.caller import Caller, Sleep
from quire.notebooklm.engine.chat import GoogleChat
from quire.notebooklm.engine.downloads import Downloads
from quire.notebooklm.engine.health import Browser, GoogleHealth
from quire.notebooklm.engine.labels import GoogleCollections, GoogleLabels
from quire.notebooklm.engine.mind_maps import GoogleMindMaps
from quire.notebooklm.engine.notebooks import GoogleNotebooks
from quire.notebooklm.engine.notes import GoogleNotes
from quire.notebooklm.engine.polling import FIRST_LOOK, Polling
from quire.notebooklm.engine.probing import since
from quire.notebooklm.engine.profiles import CookieStore
from quire.notebooklm.engine.research import GoogleResearch
from quire.notebooklm.engine.scope import GoogleScope, Whereabouts
from quire.notebooklm.engine.settings import GoogleSettings
from quire.notebooklm.engine.sharing import GoogleSharing
from quire.notebooklm.engine.sources import GoogleSources
from quire.notebooklm.engine.uploads import Uploads
from quire.ports.fetched_files import FetchedFiles
from quire.ports.http import Http
from quire.ports.machine import Clock, Signer


class NotebookLmEngine:
    name: ClassVar[str] = "notebooklm"
    nouns: ClassVar[Mapping[str, type]] = {
        "health": GoogleHealth,
        "notebooks": GoogleNotebooks,
        "sources": GoogleSources,
        "labels": GoogleLabels,
        "collections": GoogleCollections,
        "chat": GoogleChat,
        "notes": GoogleNotes,
        "artifacts": GoogleArtifacts,
        "mind_maps": GoogleMindMaps,
        "research": GoogleResearch,
        "sharing": GoogleSharing,
        "settings": GoogleSettings,
    }

    def __init__(
        self,
        store: CookieStore,
        http: Http,
        clock: Clock,
        signer: Signer,
        rates: Rates,
        *,
        host: str,
        inbox: str,
        browser: Browser,
        files: FetchedFiles,
        counted: Rates | None = None,
        sleep: Sleep | None = None,
        first_look: float = FIRST_LOOK,
    ) -> None:
        """`inbox` is the title of the notebook that holds notes without one; `files` holds what is fetched for a while.

        `counted` are the rates that callers are told of, where those of their tools are others than `rates`.
        Whether something is done is looked at after `first_look` seconds, and then less and less often.
        """
        self.rates = rates
        self.signer = signer
        self.events = Silence()
        self.people = Nobody()
        self._http = http
        account = Account(store, http, clock, host)
        caller = Caller(account, http, sleep) if sleep else Caller(account, http)
        self.whereabouts = Whereabouts(caller, inbox)
        moment, polling = since(clock), Polling(first_look)
        notebooks = GoogleNotebooks(caller, self.whereabouts, moment)
        uploads, downloads = Uploads(caller, account, http), Downloads(account, http, files)
        sources = GoogleSources(caller, self.whereabouts, notebooks, uploads, downloads, polling, moment)
        settings = GoogleSettings(caller, self.whereabouts, counted or rates)
        self._account = account
        self._done_by: dict[str, Any] = {
            "health": GoogleHealth(caller, browser),
            "notebooks": notebooks,
            "sources": sources,
            "labels": GoogleLabels(caller, self.whereabouts, notebooks),
            "collections": GoogleCollections(caller, self.whereabouts),
            "chat": GoogleChat(caller, self.whereabouts, notebooks, sources),
            "notes": GoogleNotes(caller, self.whereabouts, moment),
            "artifacts": GoogleArtifacts(
                caller,
                self.whereabouts,
                notebooks,
                sources,
                settings,
                downloads,
                polling,
                moment,
                account.home,
            ),
            "mind_maps": GoogleMindMaps(caller, notebooks, settings),
            "research": GoogleResearch(caller, self.whereabouts, sources, polling, moment),
            "sharing": GoogleSharing(caller, notebooks, account.home),
            "settings": settings,
        }

    def seat(self, noun: str) -> NotebookLmEngine:
        return self

    def done_by(self, noun: str) -> Any:
        return self._done_by.get(noun)

    def scope(self, context: Context, subject: Subject | None, needs: Role) -> GoogleScope:
        """The account is one person's: who else may call this server is not let into it."""
        if context.actor.id != OWNER_ID:
            raise NotAllowed("The account at Google is the owner's alone.")
        return GoogleScope(context, subject, self.whereabouts)

    async def linked(self, token: str) -> Download:
        raise NotAllowed("This link is not valid.")

    def upload(self, token: str, request_id: str) -> PiecewiseUpload:
        raise NotAllowed("This link is not valid.")

    def serve(self, workers: int) -> None:
        """Long work is done at Google."""

    async def stop_serving(self) -> None:
        """There is none to stop."""

    async def check(self) -> None:
        await self._account.tokens()

    async def examine(self) -> list[Check]:
        return [await self._account.check()]

    async def close(self) -> None:
        await self._http.close()


class Silence:
    """Google tells of nothing by itself."""

    async def last(self) -> int:
        return 0

    async def after(self, seq: int) -> AsyncIterator[list[Event]]:
        nothing: list[list[Event]] = []
        for batch in nothing:
            yield batch

    async def readable(self, actor_id: str) -> set[str]:
        return set()


class Nobody:
    """The account is one person's; there are no others to sign in."""

    async def by_token(self, token_hash: str) -> SignedIn | None:
        return None

    async def by_token_id(self, id: str) -> SignedIn | None:
        return None

    async def admitted(self, email: str, label: str, seconds: int, new_name: str | None) -> str | None:
        return None
