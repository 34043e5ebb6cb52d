"""What each person sets for themselves."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from quire.api.rates import Rates
from quire.domain.chat import QUESTION_LIMIT
from quire.domain.notes import CONTENT_LIMIT
from quire.domain.output_languages import LANGUAGES, output_language
from quire.domain.pages import Page
from quire.domain.person_settings import CallLimit, Limits, OutputLanguage, Usage
from quire.domain.sharing import Role
from quire.domain.sources import FILE_LIMIT, TEXT_LIMIT
from quire.local.scope import Scope
from quire.ports.store import Tx

LANGUAGE = "output_language"
COUNTED = ("notebooks", "sources", "characters", "notes", "conversations", "file_size", "jobs")


class LocalSettings:
    """`disk_free` tells how much room there is for files, where that is known."""

    def __init__(self, rates: Rates, disk_free: Callable[[], Awaitable[int | None]], upload_limit: int) -> None:
        self._rates = rates
        self._disk_free = disk_free
        self._upload_limit = upload_limit

    async def get_output_language(self, scope: Scope) -> OutputLanguage:
        return told(await scope.look_up(lambda tx: language_for(tx, scope.actor_id)))

    async def set_output_language(self, scope: Scope, language: str) -> OutputLanguage:
        code = output_language(language) if language.strip() else None

        def work(tx: Tx) -> OutputLanguage:
            mine = {"person_id": scope.actor_id, "name": LANGUAGE}
            if code is None:
                tx.run("delete_person_setting", **mine)
            else:
                tx.run("set_person_setting", value=code, at=scope.now(), **mine)
            return told(code)

        return await scope.write(work)

    async def list_output_languages(self, scope: Scope) -> Page[OutputLanguage]:
        return Page(items=[told(code) for code in LANGUAGES], total=len(LANGUAGES))

    async def get_account_limits(self, scope: Scope) -> Limits:
        return Limits(
            characters_per_text=TEXT_LIMIT,
            characters_per_note=CONTENT_LIMIT,
            characters_per_question=QUESTION_LIMIT,
            file_size=FILE_LIMIT,
            upload_size=self._upload_limit,
            disk_free=await self._disk_free(),
            calls=[
                CallLimit(tool=tool, calls=rate.calls, seconds=rate.seconds, used=used)
                for tool, rate, used in self._rates.told(scope.actor_id)
            ],
        )

    async def get_usage(self, scope: Scope) -> Usage:
        def work(tx: Tx) -> Usage:
            row = tx.one("usage_of_person", person_id=scope.actor_id, owner=int(Role.OWNER))
            return Usage.model_validate({name: int((row or {})[name] or 0) for name in COUNTED})

        return await scope.read(work)


def language_for(tx: Tx, person_id: str) -> str | None:
    """The language that a person wants everything in that Quire says or makes; None where they have set none."""
    row = tx.one("person_setting", person_id=person_id, name=LANGUAGE)
    return None if row is None else str(row["value"])


def told(code: str | None) -> OutputLanguage:
    return OutputLanguage(code=code, name=LANGUAGES.get(code or ""))
