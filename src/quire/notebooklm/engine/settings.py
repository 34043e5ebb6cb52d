"""What the account at Google is set to, and how much there may be and is."""

from __future__ import annotations

from quire.api.rates import Rates
from quire.domain.chat import QUESTION_LIMIT
from quire.domain.notes import CONTENT_LIMIT
from quire.domain.output_languages import LANGUAGES, output_language
from quire.domain.pages import Page
from quire.domain.person_settings import Allowance, CallLimit, Limits, OutputLanguage, Usage
from quire.domain.sources import TEXT_LIMIT
from quire.notebooklm.codes import Permission
from quire.notebooklm.engine.caller import Caller
from quire.notebooklm.engine.scope import GoogleScope, Whereabouts
from quire.notebooklm.engine.uploads import MOST
from quire.notebooklm.methods import settings as wire

WINDOWS = {1: "some hours", 2: "a week"}


class GoogleSettings:
    def __init__(self, caller: Caller, whereabouts: Whereabouts, rates: Rates) -> None:
        self._caller = caller
        self._whereabouts = whereabouts
        self._rates = rates

    async def get_output_language(self, scope: GoogleScope) -> OutputLanguage:
        return told(await self.language())

    async def set_output_language(self, scope: GoogleScope, language: str) -> OutputLanguage:
        code = output_language(language) if language.strip() else ""
        row: wire.UserSettings = await self._caller.call("SET_USER_SETTINGS", language=code)
        return told(row.language or None)

    async def list_output_languages(self, scope: GoogleScope) -> Page[OutputLanguage]:
        return Page(items=[told(code) for code in LANGUAGES], total=len(LANGUAGES))

    async def get_account_limits(self, scope: GoogleScope) -> Limits:
        row = await self._row()
        return Limits(
            notebooks=row.most_notebooks,
            sources_per_notebook=row.most_sources,
            characters_per_text=min(row.most_characters or TEXT_LIMIT, TEXT_LIMIT),
            characters_per_note=CONTENT_LIMIT,
            characters_per_question=QUESTION_LIMIT,
            file_size=MOST,
            upload_size=MOST,
            calls=[
                CallLimit(tool=tool, calls=rate.calls, seconds=rate.seconds, used=used)
                for tool, rate, used in self._rates.told(scope.context.actor.id)
            ],
        )

    async def get_usage(self, scope: GoogleScope) -> Usage:
        """What the rows of the account's own notebooks tell, and what is used up of its allowance, if it has one."""
        rows = await self._whereabouts.notebooks()
        own = [row for row in rows if row.role in (None, Permission.OWNER)]
        sources = [source for row in own for source in row.sources]
        account: wire.Account = await self._caller.call("GET_ACCOUNT")
        return Usage(
            notebooks=len(own),
            sources=len(sources),
            characters=sum(source.characters or 0 for source in sources),
            allowances=await self._allowances() if account.metered else [],
        )

    async def language(self) -> str | None:
        """The code of the account's language; None where none is set."""
        return (await self._row()).language or None

    async def _row(self) -> wire.UserSettings:
        row: wire.UserSettings = await self._caller.call("GET_USER_SETTINGS")
        return row

    async def _allowances(self) -> list[Allowance]:
        quota: wire.Quota = await self._caller.call("LIST_QUOTA_SUMMARY")
        return [
            Allowance(
                window=WINDOWS.get(one.window or 0, "another time"), used=one.used_percent, resets_at=one.resets_at
            )
            for one in quota.windows
            if one.used_percent is not None
        ]


def told(code: str | None) -> OutputLanguage:
    return OutputLanguage(code=code, name=LANGUAGES.get(code or ""))
