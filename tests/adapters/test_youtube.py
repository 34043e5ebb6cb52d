"""Transcripts, from a server on loopback that answers as YouTube does."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from loopback import Loopback, loopback, page

from quire.adapters.readers.reader import FileReader
from quire.adapters.web import Web
from quire.adapters.youtube import YouTube
from quire.domain.errors import InvalidInput, Upstream
from quire.domain.videos import video_id

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
            "/empty": page(b"", media_type="text/html"),
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
    return {"baseUrl": server.url(f"{path}?v={VIDEO}&fmt=srv3"), "languageCode": language, **more}


def watched(told: Any) -> bytes:
    script = f"<script>var ytInitialPlayerResponse = {json.dumps(told)};var meta = {{}};</script>"
    return page(f"<html><body>{script}</body></html>".encode())


def played(told: Any) -> bytes:
    return page(json.dumps(told).encode(), media_type="application/json")


def fetcher(server: Loopback) -> YouTube:
    return YouTube(Web(["127.0.0.1/32"]), origin=server.url("").rstrip("/"))


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
    server.paths["/watch"] = watched(state(track(server, "/heard", kind="asr"), track(server, "/written", "en-GB")))
    fetched = await fetcher(server).fetch(URL)
    assert (fetched.url, fetched.media_type) == (f"https://www.youtube.com/watch?v={VIDEO}", "text/vtt")
    assert server.seen[-1].line == f"GET /written?v={VIDEO}&fmt=vtt HTTP/1.1"
    document, kind = await FileReader(tmp_path).read(fetched.file, url=fetched.url, media_type=fetched.media_type)
    assert (kind, document.title, document.text) == ("captions", "How tides work now", "Tides follow the moon.")
    assert document.place(0).time == "00:00:01"


async def test_captions_in_another_language_are_second_to_what_was_heard(server: Loopback) -> None:
    server.paths["/watch"] = watched(state(track(server, "/written", "de"), track(server, "/heard", kind="asr")))
    fetched = await fetcher(server).fetch(URL)
    assert b"tides follow the moon" in b"".join([chunk async for chunk in fetched.file.chunks()])


async def test_the_player_is_asked_when_the_pages_captions_come_empty(server: Loopback) -> None:
    server.paths["/watch"] = watched(state(track(server, "/empty")))
    server.paths["/youtubei/v1/player"] = played(state(track(server, "/written")))
    fetched = await fetcher(server).fetch(URL)
    assert b"Tides follow" in b"".join([chunk async for chunk in fetched.file.chunks()])
    asked = next(seen for seen in server.seen if seen.line.startswith("POST"))
    assert json.loads(asked.body)["videoId"] == VIDEO


GONE = {"playabilityStatus": {"status": "ERROR", "reason": "Video unavailable"}}


@pytest.mark.parametrize(
    ("told", "why"),
    [
        (state(), "YouTube gives no transcript of this video."),
        (GONE, "YouTube gives no transcript of this video (Video unavailable)."),
        ([], "YouTube gives no transcript of this video."),
        ({"captions": {"playerCaptionsTracklistRenderer": {"captionTracks": [1, {"baseUrl": 2}]}}}, "no transcript"),
        (state({"baseUrl": "http://169.254.169.254/latest", "languageCode": "en"}), "no transcript"),
        (state({"baseUrl": "file:///etc/passwd", "languageCode": "en"}), "no transcript"),
    ],
)
async def test_a_video_without_captions_fails_with_the_reason(server: Loopback, told: Any, why: str) -> None:
    server.paths["/watch"] = watched(told)
    server.paths["/youtubei/v1/player"] = played(told)
    with pytest.raises(InvalidInput) as caught:
        await fetcher(server).fetch(URL)
    assert why in caught.value.message
    assert caught.value.details["reason"] == "unsupported_url"
    assert caught.value.hint == "Download its captions or its sound, and add the file."


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (page(b"<html>Sorry</html>"), "YouTube's page does not say what is in the video"),
        (page(b"", status=429), "the server answered 429"),
        (page(b"ytInitialPlayerResponse = " + b'{"a":' * 100_000), "YouTube answered in an unknown form"),
    ],
)
async def test_an_unknown_answer_fails_clearly_and_may_be_tried_again(
    server: Loopback, answer: bytes, why: str
) -> None:
    server.paths["/watch"] = server.paths["/youtubei/v1/player"] = answer
    with pytest.raises(Upstream, match=why) as caught:
        await fetcher(server).fetch(URL)
    assert caught.value.details["reason"] == "unreachable"


async def test_other_pages_are_fetched_as_they_are(server: Loopback) -> None:
    server.paths["/other"] = page(b"<p>Hello</p>")
    assert (await fetcher(server).fetch(server.url("/other"))).file.name == "other.html"
