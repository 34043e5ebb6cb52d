"""Audio overviews: what their hosts say, and how it is spoken."""

from __future__ import annotations

import asyncio
import io
import json
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from typing import Any

import av
import numpy
import pytest
import soundfile
from documents import LIGHTHOUSES, OWLS, WAELDER, content, evidence, source

from quire.adapters.artifact_files import FileMakers, audio_wav
from quire.adapters.voices import voice_of
from quire.adapters.voices.recording import Recorder
from quire.domain.audio import AudioOptions, AudioScript, ScriptChapter, Turn
from quire.domain.errors import InvalidInput, Unsupported, Upstream
from quire.domain.grounding import Grounds, Statement
from quire.studio.kind import Brief
from quire.studio.kinds import kind_of
from quire.studio.source_text import shown
from quire.studio.writer import Writer
from quire.text.read_aloud import read_aloud

VOICE = voice_of()
MAKERS = FileMakers(lambda extra: True, lambda: VOICE)
FORMATS = ("mp3", "wav", "md", "vtt", "json")


def still(part: float) -> None:
    pass


def said(text: str, title: str = "Owls") -> Statement:
    return Statement(
        text=text,
        grounds=[Grounds(source_id=title, source_title=title, version=1, start=0, end=len(text), excerpt=text)],
    )


def script(**more: Any) -> AudioScript:
    first = [Turn(host=1, link="Welcome.", question="How many?"), Turn(host=2, statements=[said("There are 250.")])]
    second = [Turn(host=1, statements=[said("Owls fly at night.")])]
    chapters = [ScriptChapter(title="Über <Eulen>", turns=first), ScriptChapter(title="Flight", turns=second)]
    return AudioScript(title="Owls & more", chapters=chapters, **more)


def statements(made: AudioScript) -> list[Statement]:
    return [one for chapter in made.chapters for turn in chapter.turns for one in turn.statements]


@contextmanager
def server(answer: Callable[[Any], tuple[int, bytes]]) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, made = answer(body | {"path": self.path, "key": self.headers["Authorization"]})
            self.send_response(status)
            self.send_header("Content-Length", str(len(made)))
            self.end_headers()
            self.wfile.write(made)

        def log_message(self, *told: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as served:
        thread = threading.Thread(target=served.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{served.server_port}/v1"
        finally:
            served.shutdown()
            thread.join()


def tone(seconds: float, rate: int) -> bytes:
    file = io.BytesIO()
    soundfile.write(file, 0.02 * numpy.sin(numpy.arange(int(seconds * rate)) * 0.1), rate, format="WAV")
    return file.getvalue()


@pytest.mark.parametrize("form", ["deep_dive", "brief", "critique", "debate"])
@pytest.mark.parametrize("length", ["short", "default", "long"])
def test_hosts_say_what_sources_say_and_nothing_twice(form: str, length: str) -> None:
    made = content("audio", format=form, length=length)
    told = statements(made)
    assert len({one.text for one in told}) == len(told) >= 2
    for one in told:
        assert [shown(grounds.excerpt) for grounds in one.grounds] == [one.text]
        assert one.grounds[0].excerpt in (OWLS + LIGHTHOUSES)
    turns = [turn for chapter in made.chapters for turn in chapter.turns]
    assert {turn.host for turn in turns} == ({1} if form == "brief" else {1, 2})
    assert turns[0].link.startswith("Welcome. Today we look at Night and light.")
    assert turns[-1].link == "Thank you for listening."
    if form == "deep_dive":
        assert all(one.host != other.host for one, other in pairwise(turns))


def test_a_longer_overview_says_more_and_a_question_is_answered_by_the_other_host() -> None:
    lengths = [len(statements(content("audio", length=length))) for length in ("short", "default", "long")]
    assert lengths == sorted(lengths)
    assert lengths[0] < lengths[2]
    turns = [turn for chapter in content("audio").chapters for turn in chapter.turns]
    at = next(place for place, turn in enumerate(turns) if turn.question == "When was the Fresnel lens invented?")
    assert turns[at + 1].statements[0].text.startswith("The Fresnel lens was invented")
    assert turns[at + 1].host != turns[at].host


@pytest.mark.parametrize(
    ("language", "welcome"),
    [("de", "Willkommen. Heute geht es um Wälder."), ("fr", "Willkommen."), ("en", "Willkommen.")],
)
def test_hosts_speak_the_language_of_the_sources_and_titles_that_of_the_artifact(language: str, welcome: str) -> None:
    made = content("audio", evidence(source(WAELDER, "Wälder", "de")), language)
    assert made.chapters[0].turns[0].link.startswith(welcome)
    assert made.spoken == "de"
    assert made.title == {"de": "Audio-Überblick", "fr": "Aperçu audio ", "en": "Audio overview"}[language] + ": Wälder"
    assert bool(made.remark) == (language != "de")


def test_a_script_is_spoken_once_and_comes_in_all_its_formats(tmp_path: Path) -> None:
    made = script()
    parts: list[float] = []
    for format in FORMATS:
        MAKERS.make("audio", format, made, tmp_path / f"made.{format}", parts.append)
    assert parts == sorted(parts[: parts.index(1.0) + 1]) + parts[parts.index(1.0) + 1 :]
    with av.open(str(tmp_path / "made.mp3")) as file:
        chapters = [(one["metadata"]["title"], one["start"] / 1000) for one in file.chapters()]
        assert file.metadata["title"] == "Owls & more"
        stream = file.streams.audio[0]
        assert (stream.rate, stream.layout.name, stream.codec_context.name) == (24_000, "mono", "mp3float")
        seconds = sum(frame.samples for frame in file.decode(audio=0)) / stream.rate
    told = json.loads((tmp_path / "made.json").read_text())
    assert abs(told["seconds"] - seconds) < 0.2
    assert [one["title"] for one in told["chapters"]] == [name for name, _ in chapters] == ["Über <Eulen>", "Flight"]
    assert abs(told["chapters"][1]["start"] - chapters[1][1]) < 0.01
    assert told["chapters"][0]["turns"][1]["parts"][0]["grounds"][0]["excerpt"] == "There are 250."
    sound, rate = soundfile.read(tmp_path / "made.wav")
    assert abs(len(sound) / rate - seconds) < 0.2
    loud = [
        float(numpy.sqrt(numpy.mean(sound[int(part["start"] * rate) : int(part["end"] * rate)] ** 2)))
        for chapter in told["chapters"]
        for turn in chapter["turns"]
        for part in turn["parts"]
    ]
    assert max(loud) < 3 * min(loud)
    assert 0.3 < numpy.abs(sound).max() < 0.95
    assert "**Host 2:** There are 250. [1]" in (tmp_path / "made.md").read_text()
    assert "<v Host 2>There are 250.</v>" in (tmp_path / "made.vtt").read_text()


def test_the_hosts_of_the_one_voice_differ_and_that_is_said() -> None:
    first, second = (numpy.frombuffer(VOICE.speak("Owls fly.", host), dtype="<i2") for host in (1, 2))

    def pitch(sound: Any) -> float:
        """The mean frequency of what is heard."""
        spectrum = numpy.abs(numpy.fft.rfft(sound))
        return float((spectrum * numpy.fft.rfftfreq(len(sound), 1 / 24_000)).sum() / spectrum.sum())

    assert pitch(second) < 0.95 * pitch(first)
    assert any("one voice" in told for told in MAKERS.remarks("audio", script()))


def test_what_the_voice_cannot_speak_is_not_spoken_and_that_is_said(tmp_path: Path) -> None:
    with pytest.raises(Unsupported, match="does not speak the language of this script") as refused:
        MAKERS.make("audio", "mp3", script(spoken="de"), tmp_path / "made.mp3", still)
    assert "voice_url" in (refused.value.hint or "")
    mixed = script()
    mixed.chapters[1].turns[0] = Turn(link="Listen.", statements=[said("Eulen fliegen leise.")], language="de")
    MAKERS.make("audio", "json", mixed, tmp_path / "made.json", still)
    parts = json.loads((tmp_path / "made.json").read_text())["chapters"][1]["turns"][0]["parts"]
    assert [part.get("spoken") for part in parts] == [False, False]
    assert "1 of 2 statements" in MAKERS.remarks("audio", mixed)[0]
    with pytest.raises(InvalidInput, match="nothing in the script"):
        MAKERS.make("audio", "mp3", AudioScript(title="Nothing"), tmp_path / "made.mp3", still)


def test_speaking_ends_where_it_is_cancelled(tmp_path: Path) -> None:
    class Enough(Exception):
        pass

    def cancelled(part: float) -> None:
        raise Enough

    with pytest.raises(Enough):
        FileMakers(lambda extra: True, lambda: VOICE).make("audio", "mp3", script(), tmp_path / "made.mp3", cancelled)
    assert not (tmp_path / "made.mp3").exists()


def test_a_sound_that_is_not_whole_is_found(tmp_path: Path) -> None:
    recorder = Recorder(lambda: VOICE)
    recording = recorder.recording(script(), still)
    file = tmp_path / "made.wav"
    audio_wav.make(recording, file, still)
    sound, rate = soundfile.read(file)
    for wrong, why in (
        (sound[: len(sound) // 2], "seconds where its script has"),
        (sound * 0, "silent"),
        (numpy.sign(sound), "too loud"),
    ):
        soundfile.write(file, wrong, rate)
        with pytest.raises(ValueError, match=why):
            audio_wav.check(file, recording)
    file.write_bytes(b"nothing")
    with pytest.raises(ValueError, match="cannot be decoded"):
        audio_wav.check(file, recording)


def test_a_server_speaks_with_a_voice_for_each_host(tmp_path: Path) -> None:
    asked: list[Any] = []

    def answer(body: Any) -> tuple[int, bytes]:
        asked.append(body)
        return 200, tone(len(body["input"]) / 15, 16_000)

    with server(answer) as url:
        makers = FileMakers(lambda extra: True, lambda: voice_of(url, "small-tts", "secret", "anna, ben"))
        makers.make("audio", "wav", script(spoken="de"), tmp_path / "made.wav", still)
        assert makers.remarks("audio", script()) == []
    assert [(one["voice"], one["input"]) for one in asked][2:] == [
        ("ben", "There are 250."),
        ("anna", "Owls fly at night."),
    ]
    assert {(one["path"], one["model"], one["key"]) for one in asked} == {
        ("/v1/audio/speech", "small-tts", "Bearer secret")
    }
    assert soundfile.info(tmp_path / "made.wav").samplerate == 24_000


@pytest.mark.parametrize(
    ("status", "body", "kind", "told"),
    [
        (401, b"secret", Unsupported, "refused the key"),
        (503, b"", Upstream, "answered 503"),
        (200, b"no sound", Upstream, "no sound"),
    ],
)
def test_a_server_that_fails_is_told_of_without_its_words(
    status: int, body: bytes, kind: type[Exception], told: str
) -> None:
    with server(lambda asked: (status, body)) as url, pytest.raises(kind, match=told) as failed:
        voice_of(url, key="secret").speak("Hello.", 1)
    assert "secret" not in str(failed.value)
    with pytest.raises(InvalidInput):
        voice_of("file:///etc/passwd")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("See https://www.example.com/a?b=c [3].", "See example dot com."),
        ("Ask a.b@c-d.org, e.g. *now*.", "Ask a dot b at c dash d dot org, for example now."),
        ("It rose ≥ 5 % vs. 3, etc.", "It rose at least 5 % versus 3, and so on."),
        ("No. 5 says no. Tokyo (東京) is big.", "number 5 says no. Tokyo is big."),
        ("The key 6e742170aabbccddeeff0011 and 1234567890123.", "The key a code and 1 2 3 4 5 6 7 8 9 0 1 2 3."),
    ],
)
def test_what_nobody_would_read_aloud_is_put_into_words(written: str, read: str) -> None:
    assert read_aloud(written) == read


def test_reading_aloud_takes_a_time_that_grows_with_the_text() -> None:
    for piece in ("a.b", "[1,", "http://", "1a", "-", "x@y."):
        begin = time.perf_counter()
        read_aloud(piece * (60_000 // len(piece)))
        assert time.perf_counter() - begin < 1.5


class Says:
    """A model that gives one answer, whatever it is asked."""

    name = "says"

    def __init__(self, answer: str) -> None:
        self._answer = answer

    async def generate(self, system: str, prompt: str, max_tokens: int) -> AsyncIterator[str]:
        yield self._answer


def test_what_a_model_has_hosts_say_is_kept_as_far_as_the_sources_bear_it_out() -> None:
    kind = kind_of("audio")
    brief = Brief(AudioOptions(), "", "en", "", "Night and light")
    outline = kind.outline(evidence(), brief)
    plain = kind.content(outline, brief)
    turns = [
        {"host": 1, "text": "What do we know of owls?"},
        {"host": 2, "text": "Owls are birds of the order Strigiformes [1]. Owls eat 9,000 whales a day [1]."},
    ]
    made = asyncio.run(kind.written(outline, plain, brief, Writer(Says(json.dumps({"turns": turns})))))
    first = made.chapters[0].turns
    assert [turn.link for turn in first[:2]] == [turn.link for turn in plain.chapters[0].turns[:2]]
    assert (first[2].link, first[2].question) == ("Let us begin with Owls.", "What do we know of owls?")
    assert [one.text for one in first[3].statements] == ["Owls are birds of the order Strigiformes."]
    # The second chapter's passages bear nothing of it out: it stays, and there is one farewell.
    assert statements(made)[1:] == [one for turn in plain.chapters[1].turns for one in turn.statements]
    assert [turn.link for turn in made.chapters[1].turns].count("Thank you for listening.") == 1
    with pytest.raises(Upstream):
        asyncio.run(kind.written(outline, plain, brief, Writer(Says("no"))))


@pytest.mark.long
@pytest.mark.parametrize("form", ["deep_dive", "brief", "critique", "debate"])
@pytest.mark.parametrize("length", ["short", "default", "long"])
def test_every_form_and_length_is_spoken(form: str, length: str, tmp_path: Path) -> None:
    made = content("audio", format=form, length=length)
    for format in FORMATS:
        MAKERS.make("audio", format, made, tmp_path / f"made.{format}", still)
    told = json.loads((tmp_path / "made.json").read_text())
    assert 10 < told["seconds"] < 600
