"""The engine in its seat: what Google can do of what is declared."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any, ClassVar

from quire.api.context import Context
from quire.api.engine import PiecewiseUpload, Subject
from quire.api.rates import Rates
from quire.domain.errors import NotAllowed, QuireError
from quire.domain.events import Event
from quire.domain.files import Download
from quire.domain.health import Check
from quire.domain.sharing import Role, SignedIn
from quire.notebooklm.engine.account import Account
from quire.notebooklm.engine.caller import Caller, Sleep
from quire.notebooklm.engine.chat import GoogleChat
from quire.notebooklm.engine.health import Browser, GoogleHealth
from quire.notebooklm.engine.labels import GoogleCollections, GoogleLabels
from quire.notebooklm.engine.notebooks import GoogleNotebooks
from quire.notebooklm.engine.notes import GoogleNotes
from quire.notebooklm.engine.probing import since
from quire.notebooklm.engine.profiles import CookieStore
from quire.notebooklm.engine.scope import GoogleScope, Whereabouts
from quire.notebooklm.engine.sources import GoogleSources
from quire.notebooklm.engine.uploads import Uploads
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
        sleep: Sleep | None = None,
    ) -> None:
        """`inbox` is the title of the notebook that holds notes without one."""
        self.rates = rates
        self.signer = signer
        self.events = Silence()
        self.people = Nobody()
        self._http = http
        account = Account(store, http, clock, host)
        caller = Caller(account, http, sleep) if sleep else Caller(account, http)
        self.whereabouts = Whereabouts(caller, inbox)
        notebooks = GoogleNotebooks(caller, self.whereabouts, since(clock))
        sources = GoogleSources(caller, self.whereabouts, notebooks, Uploads(caller, account, http), since(clock))
        self._account = account
        self._done_by: dict[str, Any] = {
            "health": GoogleHealth(caller, browser),
            "notebooks": notebooks,
            "sources": sources,
            "labels": GoogleLabels(caller, self.whereabouts, notebooks),
            "collections": GoogleCollections(caller, self.whereabouts),
            "chat": GoogleChat(caller, self.whereabouts, notebooks, sources),
            "notes": GoogleNotes(caller, self.whereabouts, since(clock)),
        }

    def seat(self, noun: str) -> NotebookLmEngine:
        return self

    def done_by(self, noun: str) -> Any:
        return self._done_by.get(noun)

    def scope(self, context: Context, subject: Subject | None, needs: Role) -> GoogleScope:
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
        try:
            await self._account.tokens()
        except QuireError as error:
            return [Check(name="notebooklm", state="problem", detail=error.message, hint=error.hint)]
        return [Check(name="notebooklm", state="ok", detail=f"signed in at {self._account.host}")]

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
