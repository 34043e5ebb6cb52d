"""Videos of YouTube as what is said in them: their captions, with times.

youtube-transcript-api knows how YouTube is asked for the captions of a video; it does so on a thread, and all
that it sends goes through our own fetcher. The captions are read as WebVTT like any other: the library's own
reading takes half a minute for a line of 80,000 "<", and holds up everything else meanwhile.
"""

from __future__ import annotations

import asyncio
import io
import json
import re
from collections.abc import Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import parse_qsl, urlencode, urlsplit

from quire.adapters.web import Web
from quire.domain.errors import InvalidInput, QuireError, Unsupported, Upstream
from quire.domain.files import Upload
from quire.domain.videos import video_id
from quire.ports.documents import FetchedPage, Unreadable, Validators, readable

if TYPE_CHECKING:
    from requests import PreparedRequest, Response
    from requests.adapters import BaseAdapter
    from youtube_transcript_api import Transcript

PAGE = "https://www.youtube.com/watch?v="
SENT = ("Accept-Language", "Content-Type", "Cookie")
LARGEST = 20 * 1024 * 1024
EMPTY = b"<transcript/>"


class YouTube:
    """Pages from the web, of which videos of YouTube come as WebVTT."""

    def __init__(self, web: Web) -> None:
        self._web = web

    async def fetch(self, url: str, unreadable: Unreadable = readable) -> FetchedPage:
        video = video_id(url)
        return await (self._web.fetch(url, unreadable) if video is None else self._transcript(video))

    async def fetch_changed(self, url: str, known: Validators, unreadable: Unreadable = readable) -> FetchedPage | None:
        video = video_id(url)
        return await (self._web.fetch_changed(url, known, unreadable) if video is None else self._transcript(video))

    async def _transcript(self, video: str) -> FetchedPage:
        library = Requests(self._web)
        # A thread of its own: the fetcher needs those that everyone shares.
        pool = ThreadPoolExecutor(1, "quire-youtube")
        try:
            await asyncio.get_running_loop().run_in_executor(pool, found, video, library)
        finally:
            library.close()
            pool.shutdown(wait=False)
        text, title = library.captions.removeprefix("\ufeff"), library.title
        if not text.startswith("WEBVTT") or "-->" not in text:
            raise no_transcript()
        named = (f"WEBVTT - {title}" if title else "WEBVTT") + text[text.index("\n") :]
        return FetchedPage(PAGE + video, "text/vtt", Upload.of(named, f"{title[:150] or video}.vtt"))


class Requests:
    """What the library takes for an adapter of `requests`; it is called on the library's thread.

    The captions are kept here as WebVTT, and the library gets none.
    """

    def __init__(self, web: Web) -> None:
        self.title = self.captions = ""
        self.choosing = True
        self._web = web
        self._loop = asyncio.get_running_loop()
        self._asked: Future[str] | None = None
        self._closed = False

    def send(self, request: PreparedRequest, **options: Any) -> Response:
        from requests import Response

        if self._closed:
            raise CancelledError
        url = str(request.url) if self.choosing else as_webvtt(str(request.url))
        headers = {name: str(request.headers[name]) for name in SENT if name in request.headers}
        content = request.body.encode() if isinstance(request.body, str) else request.body
        assert content is None or isinstance(content, bytes)
        self._asked = asyncio.run_coroutine_threadsafe(self._text(url, content, headers), self._loop)
        text = self._asked.result()
        if not self.choosing:
            self.captions = text
        elif content is not None:
            self.title = title_in(text)
        response = Response()
        response.status_code, response.url, response.encoding = 200, url, "utf-8"
        response.raw = io.BytesIO(text.encode() if self.choosing else EMPTY)
        return response

    def close(self) -> None:
        """Nothing more is sent; the library's thread ends."""
        self._closed = True
        if self._asked:
            self._asked.cancel()

    async def _text(self, url: str, content: bytes | None, headers: dict[str, str]) -> str:
        page = await self._web.request(url, content, headers)
        if (page.file.size or 0) > LARGEST:
            raise Upstream("url: YouTube's answer is too large.", field="url", reason="unreachable")
        return b"".join([chunk async for chunk in page.file.chunks()]).decode("utf-8", "replace")


def found(video: str, requests: Requests) -> None:
    """Has the library look for captions, and for those to take; what goes wrong is told in our words."""
    try:
        import youtube_transcript_api as library
        from requests import Session
    except ImportError:
        raise Unsupported("Videos of YouTube need an extra.", hint="quire extras add documents") from None
    passing = (library.RequestBlocked, library.YouTubeRequestFailed, library.PoTokenRequired)
    with Session() as session:
        session.trust_env = False
        session.adapters.clear()
        session.mount("", cast("BaseAdapter", requests))
        try:
            track = chosen(list(library.YouTubeTranscriptApi(http_client=session).list(video)))
            requests.choosing = False
            if track is not None:
                track.fetch()
        except (library.YouTubeDataUnparsable, library.FailedToCreateConsentCookie):
            raise unreachable("YouTube's page does not say what is in the video") from None
        except passing:
            raise unreachable("YouTube refuses to give captions to this machine") from None
        except library.CouldNotRetrieveTranscript as error:
            raise no_transcript(getattr(error, "reason", "")) from None
        except (LookupError, TypeError, AttributeError, ValueError, RecursionError):
            raise unreachable("YouTube answered in an unknown form") from None
        except QuireError:
            if requests.choosing:
                raise


def chosen(tracks: Sequence[Transcript]) -> Transcript | None:
    """The captions to take: written by people in the language that is spoken, else what was heard.

    Which language that is shows in the captions that were made by machine.
    """
    heard = [track for track in tracks if track.is_generated]
    written = [track for track in tracks if not track.is_generated]
    spoken = _language(heard[0]) if heard else ""
    same = [track for track in written if not spoken or _language(track) == spoken]
    return next(iter([*same, *heard, *written]), None)


def _language(track: Transcript) -> str:
    return track.language_code.partition("-")[0]


def as_webvtt(url: str) -> str:
    parts = urlsplit(url)
    query = [(name, value) for name, value in parse_qsl(parts.query) if name != "fmt"]
    return parts._replace(query=urlencode([*query, ("fmt", "vtt")])).geturl()


def title_in(answer: str) -> str:
    """The title that the player is told, in one line in which nothing looks like a time of WebVTT."""
    try:
        title = json.loads(answer)["videoDetails"]["title"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return ""
    return " ".join(re.sub(r"[\x00-\x1f\x7f]|-->", " ", title).split())[:200] if isinstance(title, str) else ""


def unreachable(why: str) -> Upstream:
    return Upstream(f"url: {why}.", field="url", reason="unreachable")


def no_transcript(why: Any = "") -> InvalidInput:
    because = f" ({' '.join(why.split())[:200].rstrip('.')})" if isinstance(why, str) and why else ""
    return InvalidInput(
        f"url: YouTube gives no transcript of this video{because}.",
        hint="Download its captions or its sound, and add the file.",
        field="url",
        reason="unsupported_url",
    )
