"""Files on their way to Google: announced, then sent as they are read."""

from __future__ import annotations

import mimetypes
from collections.abc import AsyncIterator

from quire.domain.errors import InvalidInput, LimitReached, NotSignedIn, TooLarge, Upstream, WireDrift
from quire.domain.files import Upload
from quire.notebooklm.engine.account import MOVED, Account, seconds_of
from quire.notebooklm.engine.caller import Caller
from quire.notebooklm.engine.hosts import APP_HOSTS, checked
from quire.notebooklm.engine.profiles import HINT
from quire.notebooklm.methods import source_rows as wire
from quire.notebooklm.upload import (
    COMMAND,
    FINALIZE,
    OFFSET,
    UPLOAD_PATH,
    URL,
    Announced,
    start_body,
    start_headers,
    upload_id,
)
from quire.ports.http import AnswerLost, Http, HttpAnswer, HttpRequest, NotSent

MOST = 200 * 2**20
SECONDS = 3600.0
ANSWER_BYTES = 2**20


class Uploads:
    def __init__(self, caller: Caller, account: Account, http: Http) -> None:
        self._caller = caller
        self._account = account
        self._http = http

    async def send(self, notebook_id: str, file: Upload) -> str:
        """The id of the source that a file becomes."""
        if file.size == 0:
            raise InvalidInput("The file is empty.")
        if file.size is not None and file.size > MOST:
            raise TooLarge(f"NotebookLM takes files of {MOST:,} bytes at most.")
        added: tuple[wire.Source, ...] = await self._caller.call(
            "ADD_SOURCE_FILE", about=("notebook", notebook_id), notebook_id=notebook_id, names=[file.name]
        )
        if not added:
            raise WireDrift("NotebookLM announced no place for the file.", path="o4cbdc $[0]")
        media_type = file.media_type or mimetypes.guess_type(file.name)[0]
        announced = Announced(notebook_id, file.name, added[0].id, file.size, media_type)
        place = f"https://{self._account.host}{UPLOAD_PATH}?authuser=0"
        begun = await self._post(place, start_headers(announced), start_body(announced).encode(), 60.0)
        address = begun.head.headers.get(URL, "")
        try:
            upload_id(checked(address, "An upload"), APP_HOSTS)
        except WireDrift as error:
            error.details["outcome"] = "rejected"
            raise
        try:
            await self._post(address, {COMMAND: FINALIZE, OFFSET: "0"}, bounded(file), SECONDS)
        except Upstream as error:
            error.details["source_id"] = added[0].id
            raise
        return added[0].id

    async def _post(
        self, url: str, headers: dict[str, str], content: bytes | AsyncIterator[bytes], seconds: float
    ) -> HttpAnswer:
        sent = await self._account.headers(url, headers)
        try:
            answer = await self._http.answer(HttpRequest("POST", url, sent, content, seconds, ANSWER_BYTES))
        except NotSent:
            raise Upstream("NotebookLM cannot be reached.", outcome="rejected") from None
        except TooLarge as error:
            error.details["outcome"] = "rejected"
            raise
        except AnswerLost:
            raise Upstream("The upload to NotebookLM broke off.", outcome="unknown") from None
        await self._account.took(url, answer.head)
        status = answer.head.status
        if status in MOVED or status == 401:
            raise NotSignedIn("Google asks to sign in again: the session has expired.", hint=HINT, outcome="rejected")
        if status == 429:
            wait = seconds_of(answer.head)
            raise LimitReached("NotebookLM asks to wait.", retry_after=wait, outcome="rejected")
        if status == 400:
            raise InvalidInput("NotebookLM does not take the file.", outcome="rejected")
        if status != 200:
            outcome = "unknown" if status >= 500 else "rejected"
            raise Upstream(f"NotebookLM did not take the file ({status}).", status=status, outcome=outcome)
        return answer


async def bounded(file: Upload) -> AsyncIterator[bytes]:
    size = 0
    async for chunk in file.chunks():
        size += len(chunk)
        if size > MOST:
            raise TooLarge(f"NotebookLM takes files of {MOST:,} bytes at most.")
        yield chunk
