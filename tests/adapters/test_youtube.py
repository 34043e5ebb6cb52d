"""Transcripts, from a server on loopback that answers as YouTube does."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from loopback import Loopback, loopback, page, redirect
from quire.adapters.readers.reader import FileReader
from quire.adapters.web import NO_HEADERS, Web
from quire.adapters.youtube import YouTube
from quire.domain.errors import InvalidInput, Upstream
from quire.domain.videos import video_id
from quire.ports.documents import FetchedPage, Unreadable, readable

pytestmark = pytest.mark.anyio

VIDEO = "dQw4w9WgXcQ"
URL = f"https://youtu.be/{VIDEO}?si=x"
WRITTEN = "WEBVTT\nKind: captions\nLanguage: en\n\n00:00:01.000 --> 00:00:04.000\nTides follow the moon.\n"
HEARD = "WEBVTT\n\n00:00:01.000 --> 00:00:04.000\ntides follow the moon\n"


@pytest.fixture
async def server() -> AsyncIterator[Loopback]:
    async with loopback() as made:
        made.paths = {
            "/written": page(WRITTEN.encode(), media_type="text/vtt; charset=UTF-8"),
            "/heard": page(HEARD.encode(), media_type="text/vtt; charset=UTF-8"),
        }
        yield made


def state(*tracks: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "playabilityStatus": {"status": "OK"},
        "videoDetails": {"title": "How tides\nwork --> now"},
        "captions": {"playerCaptionsTracklistRenderer": {"captionTracks": list(tracks)}},
        **more,
    }


def track(server: Loopback, path: str, language: str = "en", **more: Any) -> dict[str, Any]:
    name = {"runs": [{"text": language}]}
    return {"baseUrl": server.url(f"{path}?v={VIDEO}&fmt=srv3"), "name": name, "languageCode": language, **more}


WATCHED = page(b'<html><script>ytcfg.set({"INNERTUBE_API_KEY": "key-1"});</script></html>')


def play(server: Loopback, told: Any) -> None:
    """The page of the video, and what its player is told."""
    server.paths["/watch"] = WATCHED
    server.paths["/youtubei/v1/player"] = page(json.dumps(told).encode(), media_type="application/json")


class Elsewhere(Web):
    """YouTube's own host is the server on loopback; nothing else is."""

    def __init__(self, origin: str) -> None:
        super().__init__(["127.0.0.1/32"])
        self._origin = origin

    async def request(
        self,
        url: str,
        content: bytes | None = None,
        headers: Mapping[str, str] = NO_HEADERS,
        unreadable: Unreadable = readable,
    ) -> FetchedPage:
        there = url.replace("https://www.youtube.com", self._origin, 1)
        return await super().request(there, content, headers, unreadable)


def fetcher(server: Loopback) -> YouTube:
    return YouTube(Elsewhere(server.url("")))


@pytest.mark.parametrize(
    "url",
    [
        f"https://www.youtube.com/watch?v={VIDEO}",
        f"http://youtube.com/watch?list=PL1&v={VIDEO}&t=30s",
        f"https://m.youtube.com/watch?v={VIDEO}",
        f"https://music.youtube.com/watch?v={VIDEO}",
        f"https://youtu.be/{VIDEO}",
        f"https://www.youtube.com/shorts/{VIDEO}",
        f"https://www.youtube.com/embed/{VIDEO}?start=1",
        f"https://www.youtube.com/live/{VIDEO}/",
        f"https://www.youtube-nocookie.com/embed/{VIDEO}",
    ],
)
async def test_every_form_of_a_videos_address_is_known(url: str) -> None:
    assert video_id(url) == VIDEO


@pytest.mark.parametrize(
    "url",
    [
        "https://www.youtube.com/",
        "https://www.youtube.com/watch?v=short",
        "https://www.youtube.com/@channel",
        f"https://evil.example/watch?v={VIDEO}",
        f"https://youtube.com.evil.example/watch?v={VIDEO}",
        f"ftp://youtube.com/watch?v={VIDEO}",
        f"https://youtu.be/{VIDEO}%2e",
        "http://[::1",
    ],
)
async def test_other_addresses_are_not_taken_for_videos(url: str) -> None:
    assert video_id(url) is None


async def test_a_videos_captions_become_a_text_with_times(server: Loopback, tmp_path: Path) -> None:
    play(server, state(track(server, "/heard", kind="asr"), track(server, "/written", "en-GB")))
    fetched = await fetcher(server).fetch(URL)
    assert (fetched.url, fetched.media_type) == (f"https://www.youtube.com/watch?v={VIDEO}", "text/vtt")
    assert server.seen[-1].line == f"GET /written?v={VIDEO}&fmt=vtt HTTP/1.1"
    document, kind = await FileReader(tmp_path).read(fetched.file, media_type=fetched.media_type)
    assert (kind, document.title, document.text) == ("captions", "How tides work now", "Tides follow the moon.")
    assert document.place(0).time == "00:00:01"


async def test_captions_in_another_language_are_second_to_what_was_heard(server: Loopback) -> None:
    play(server, state(track(server, "/written", "de"), track(server, "/heard", kind="asr")))
    fetched = await fetcher(server).fetch(URL)
    assert b"tides follow the moon" in b"".join([chunk async for chunk in fetched.file.chunks()])


async def test_the_player_is_asked_with_the_key_of_the_page(server: Loopback) -> None:
    play(server, state(track(server, "/written")))
    fetched = await fetcher(server).fetch(URL)
    assert b"Tides follow" in b"".join([chunk async for chunk in fetched.file.chunks()])
    asked = next(seen for seen in server.seen if seen.line.startswith("POST"))
    assert asked.line == "POST /youtubei/v1/player?key=key-1 HTTP/1.1"
    assert asked.headers["content-type"] == "application/json"
    assert json.loads(asked.body)["videoId"] == VIDEO


async def test_a_page_that_asks_for_consent_is_asked_for_again_with_it(server: Loopback) -> None:
    play(server, state(track(server, "/written")))
    form = b'<form action="https://consent.youtube.com/s"><input name="v" value="cb.1"></form>'
    server.paths["/watch"] = [page(form), WATCHED]
    # The cookie is for YouTube's own host, which requests knows by the address it was given.
    await fetcher(server).fetch(URL)
    assert [seen.headers.get("cookie") for seen in server.seen[:2]] == [None, "CONSENT=YES+cb.1"]


ODD = json.dumps(state(1, {"baseUrl": 2})).encode()  # type: ignore[arg-type]
NAMED = {"languageCode": "en", "name": {"runs": [{"text": "English"}]}}
GONE = {"playabilityStatus": {"status": "ERROR", "reason": "Video unavailable"}}


@pytest.mark.parametrize(
    ("told", "why"),
    [
        (state(), "YouTube gives no transcript of this video."),
        (GONE, "YouTube gives no transcript of this video (Video unavailable)."),
        (state({**NAMED, "baseUrl": "http://169.254.169.254/latest"}), "no transcript"),
        (state({**NAMED, "baseUrl": "file:///etc/passwd"}), "no transcript"),
    ],
)
async def test_a_video_without_captions_fails_with_the_reason(server: Loopback, told: Any, why: str) -> None:
    play(server, told)
    with pytest.raises(InvalidInput) as caught:
        await fetcher(server).fetch(URL)
    assert why in caught.value.message
    assert caught.value.details["reason"] == "unsupported_url"
    assert caught.value.hint == "Download its captions or its sound, and add the file."


@pytest.mark.parametrize(
    ("path", "answer", "why"),
    [
        ("/watch", page(b"<html>Sorry</html>"), "YouTube's page does not say what is in the video"),
        ("/watch", page(b'<div class="g-recaptcha"></div>'), "YouTube refuses to give captions to this machine"),
        ("/watch", page(b"", status=429), "the server answered 429"),
        ("/youtubei/v1/player", page(b"", status=429), "the server answered 429"),
        ("/youtubei/v1/player", page(b'{"a":' * 100_000), "YouTube answered in an unknown form"),
        ("/youtubei/v1/player", page(b"[]"), "YouTube answered in an unknown form"),
        ("/youtubei/v1/player", page(ODD), "YouTube answered in an unknown form"),
    ],
)
async def test_an_unknown_answer_fails_clearly_and_may_be_tried_again(
    server: Loopback, path: str, answer: bytes, why: str
) -> None:
    play(server, state())
    server.paths[path] = answer
    with pytest.raises(Upstream, match=why) as caught:
        await fetcher(server).fetch(URL)
    assert caught.value.details["reason"] == "unreachable"


@pytest.mark.parametrize(
    "to", ["http://169.254.169.254/latest", "http://10.0.0.1/", "http://[::1]:1/", "file:///etc/passwd"]
)
@pytest.mark.parametrize("path", ["/watch", "/youtubei/v1/player", "/written"])
async def test_nobody_but_the_fetcher_reaches_out_and_it_goes_to_no_private_address(
    server: Loopback, monkeypatch: pytest.MonkeyPatch, path: str, to: str
) -> None:
    """Redirects there end at any step, whatever the environment says of proxies; no other socket is opened."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    play(server, state(track(server, "/written")))
    server.paths[path] = redirect(to)
    connected: list[Any] = []
    connect = socket.socket.connect

    def noted(self: socket.socket, address: Any) -> None:
        connected.append(address)
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", noted)
    with pytest.raises(InvalidInput) as caught:
        await fetcher(server).fetch(URL)
    assert caught.value.details["reason"] in ("unsupported_url", "unreachable")
    assert set(connected) == {("127.0.0.1", server.port)}
    assert len(connected) == len(server.seen)


async def test_a_fetch_that_is_given_up_sends_nothing_more(server: Loopback) -> None:
    play(server, state(track(server, "/written")))
    begun, left = asyncio.Event(), asyncio.Event()

    async def slow(writer: asyncio.StreamWriter) -> None:
        begun.set()
        await left.wait()
        writer.write(WATCHED)

    server.paths["/watch"] = slow
    fetching = asyncio.create_task(fetcher(server).fetch(URL))
    await begun.wait()
    fetching.cancel()
    with pytest.raises(asyncio.CancelledError):
        await fetching
    left.set()
    while any(thread.name.startswith("quire-youtube") for thread in threading.enumerate()):
        await asyncio.sleep(0.01)
    assert len(server.seen) == 1


async def test_other_pages_are_fetched_as_they_are(server: Loopback) -> None:
    server.paths["/other"] = page(b"<p>Hello</p>")
    assert (await fetcher(server).fetch(server.url("/other"))).file.name == "other.html"
