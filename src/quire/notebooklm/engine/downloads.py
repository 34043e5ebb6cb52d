"""Files from Google: each hop of the way checked, and no more taken than was agreed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing

from quire.domain.errors import NotAllowed, NotFound, NotSignedIn, TooLarge, Upstream, WireDrift
from quire.domain.files import Download, Upload
from quire.notebooklm.engine.account import HOPS, MOVED, Account
from quire.notebooklm.engine.hosts import ACCOUNTS_HOST, checked, host_of, led_to
from quire.notebooklm.engine.profiles import HINT
from quire.ports.fetched_files import FetchedFiles
from quire.ports.http import AnswerLost, Http, HttpRequest, NotSent

MOST = 2 * 2**30
SECONDS = 600.0
PLAIN = "application/octet-stream"
MEDIA_TYPES = {
    "md": "text/markdown",
    "html": "text/html",
    "json": "application/json",
    "csv": "text/csv",
    "pdf": "application/pdf",
    "png": "image/png",
    "mp3": "audio/mpeg",
    "m4a": "audio/mp4",
    "wav": "audio/wav",
    "ogg": "audio/ogg",
    "mp4": "video/mp4",
    "webm": "video/webm",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
}
# A page in the place of a file: somebody has to sign in, or the file is gone.
PAGE = "text/html"


class Downloads:
    """`most` is how large a file may be."""

    def __init__(self, account: Account, http: Http, files: FetchedFiles, most: int = MOST) -> None:
        self._account = account
        self._http = http
        self._files = files
        self._most = most

    async def fetched(self, url: str, name: str, *, local: bool) -> Download:
        """The file at an address, stored as it comes."""
        return await self._kept(Upload(name, lambda: self._chunks(url)), local=local)

    async def written(self, text: str, name: str, *, local: bool) -> Download:
        """A file of what an answer said."""
        return await self._kept(Upload.of(text, name), local=local)

    async def _kept(self, upload: Upload, *, local: bool) -> Download:
        sha256, size = await self._files.put(upload, self._most)
        ending = upload.name.rpartition(".")[2]
        facts = {"name": upload.name, "media_type": MEDIA_TYPES.get(ending, PLAIN), "size": size, "sha256": sha256}
        return self._files.download(facts, local=local)

    async def _chunks(self, url: str) -> AsyncIterator[bytes]:
        """The bytes of a file, wherever the address leads, as long as that is Google's."""
        for _ in range(HOPS):
            _check(url)
            request = HttpRequest("GET", url, await self._account.headers(url), None, SECONDS, self._most)
            try:
                async with self._http.stream(request) as stream:
                    await self._account.took(url, stream.head)
                    place = stream.head.headers.get("location")
                    if stream.head.status in MOVED and place:
                        url = led_to(url, place)
                        continue
                    _refuse(stream.head.status, stream.head.headers.get("content-type", ""), url)
                    async with aclosing(stream.chunks()) as chunks:  # type: ignore[type-var]
                        async for chunk in chunks:
                            yield chunk
                    return
            except NotSent:
                raise Upstream("Google cannot be reached.") from None
            except AnswerLost:
                raise Upstream("The download from Google broke off.") from None
            except TooLarge:
                raise TooLarge(f"The file is larger than {self._most:,} bytes.") from None
        raise Upstream("The file's address leads in a circle.")


def _check(url: str) -> None:
    if host_of(url) == ACCOUNTS_HOST:
        raise NotSignedIn("Google asks to sign in again: the session has expired.", hint=HINT)
    checked(url, "A file's address")


def _refuse(status: int, media_type: str, url: str) -> None:
    if status == 200 and not media_type.startswith(PAGE):
        return
    if status in (401, 403):
        raise NotAllowed("Google does not give this file to the account.")
    if status in (404, 410):
        raise NotFound("file", "of this artifact", hint="Its address has expired: look at the artifact again.")
    if status == 200:
        raise WireDrift("Google answered with a page in the place of the file.", path=host_of(url)[:100])
    raise Upstream(f"Google did not give the file ({status}).", status=status)
