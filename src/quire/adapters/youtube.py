"""Videos of YouTube as what is said in them: their captions, with times."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

from quire.adapters.web import Web
from quire.domain.errors import InvalidInput, QuireError, Upstream
from quire.domain.files import Upload
from quire.domain.videos import video_id
from quire.ports.documents import FetchedPage

ORIGIN = "https://www.youtube.com"
# The player's own question for a video. The captions that it names are given out, where those that the page
# names come empty to whoever is not a browser.
CLIENT = {"clientName": "ANDROID", "clientVersion": "20.10.38", "androidSdkVersion": 34, "hl": "en"}
STATE = re.compile(r"ytInitialPlayerResponse\s*=\s*(?=\{)")
LARGEST = 20 * 1024 * 1024


class YouTube:
    """Pages from the web, of which videos of YouTube come as WebVTT."""

    def __init__(self, web: Web, origin: str = ORIGIN) -> None:
        self._web = web
        self._origin = origin

    async def fetch(self, url: str) -> FetchedPage:
        video = video_id(url)
        return await (self._web.fetch(url) if video is None else self._transcript(video))

    async def _transcript(self, video: str) -> FetchedPage:
        """The page's own captions, else those that the player is told of."""
        title = why = ""
        failures: list[QuireError] = []
        for told in (self._of_page, self._of_player):
            try:
                state = await told(video)
            except QuireError as error:
                failures.append(error)
                continue
            title = title or _line(_at(state, "videoDetails", "title"))
            if _at(state, "playabilityStatus", "status") not in (None, "OK"):
                why = _line(_at(state, "playabilityStatus", "reason")) or why
            track = chosen(_at(state, "captions", "playerCaptionsTracklistRenderer", "captionTracks"))
            text = await self._captions(track) if track else ""
            if text:
                named = (f"WEBVTT - {title}" if title else "WEBVTT") + text[text.index("\n") :]
                page = f"{ORIGIN}/watch?v={video}"
                return FetchedPage(page, "text/vtt", Upload.of(named, f"{title[:150] or video}.vtt"))
        if len(failures) == 2:
            raise failures[0]
        because = f" ({why.rstrip('.')})" if why else ""
        raise InvalidInput(
            f"url: YouTube gives no transcript of this video{because}.",
            hint="Download its captions or its sound, and add the file.",
            field="url",
            reason="unsupported_url",
        )

    async def _of_page(self, video: str) -> Any:
        text = await self._text(await self._web.fetch(f"{self._origin}/watch?v={video}&hl=en"))
        found = STATE.search(text)
        if found is None:
            raise Upstream("url: YouTube's page does not say what is in the video.", field="url", reason="unreachable")
        return _parsed(text[found.end() :])

    async def _of_player(self, video: str) -> Any:
        question = json.dumps({"context": {"client": CLIENT}, "videoId": video}).encode()
        answer = await self._web.request(f"{self._origin}/youtubei/v1/player", question, "application/json")
        return _parsed(await self._text(answer))

    async def _captions(self, track: str) -> str:
        parts = urlsplit(urljoin(self._origin, track))
        query = [(name, value) for name, value in parse_qsl(parts.query) if name != "fmt"]
        try:
            page = await self._web.fetch(parts._replace(query=urlencode([*query, ("fmt", "vtt")])).geturl())
        except QuireError:
            return ""
        text = (await self._text(page)).removeprefix("\ufeff")
        return text if text.startswith("WEBVTT") and "-->" in text else ""

    async def _text(self, page: FetchedPage) -> str:
        if (page.file.size or 0) > LARGEST:
            raise Upstream("url: YouTube's answer is too large.", field="url", reason="unreachable")
        return b"".join([chunk async for chunk in page.file.chunks()]).decode("utf-8", "replace")


def chosen(tracks: Any) -> str:
    """The address of the captions to take: written by people in the language that is spoken, else what was heard.

    Which language that is shows in the captions that were made by machine.
    """
    known = [track for track in tracks or () if isinstance(track, dict) and isinstance(track.get("baseUrl"), str)]
    heard = [track for track in known if track.get("kind") == "asr"]
    written = [track for track in known if track.get("kind") != "asr"]
    spoken = _language(heard[0]) if heard else ""
    same = [track for track in written if not spoken or _language(track) == spoken]
    return next((str(track["baseUrl"]) for track in [*same, *heard, *written]), "")


def _language(track: dict[str, Any]) -> str:
    return str(track.get("languageCode", "")).partition("-")[0]


def _parsed(text: str) -> Any:
    try:
        return json.JSONDecoder().raw_decode(text)[0]
    except (ValueError, RecursionError):
        raise Upstream("url: YouTube answered in an unknown form.", field="url", reason="unreachable") from None


def _at(state: Any, *path: str) -> Any:
    for name in path:
        state = state.get(name) if isinstance(state, dict) else None
    return state


def _line(text: Any) -> str:
    return " ".join(re.sub(r"[\x00-\x1f\x7f]|-->", " ", text).split())[:200] if isinstance(text, str) else ""
