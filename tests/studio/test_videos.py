"""Video overviews as files, opened by another program than the one that made them."""

from __future__ import annotations

import json
import os
import stat
import threading
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import av
import numpy
import pytest
from documents import content

from quire.adapters.artifact_files import FileMakers, video_mp4
from quire.adapters.artifact_files.opened_mp4 import opened_mp4
from quire.adapters.artifact_files.transcript_vtt import CUE, seconds_of
from quire.adapters.video.encoding import BRACES, look_again
from quire.adapters.video.ffmpeg_program import Ffmpeg
from quire.adapters.video.film import Film
from quire.adapters.voices.recording import Recorder, Recording
from quire.domain.errors import QuireError, Unsupported
from quire.domain.grounding import Grounds, Statement
from quire.domain.infographics import ListBlock, QuoteBlock
from quire.domain.video_overviews import LOOKS, Line, VideoOverview, VideoScene
from tone_voice import ToneVoice

HOSTILE = "Tom's \"50 %\": [in]drawtext=text='x'; a,b:c\\d {\\an8}{x}<b>#1</b> =--> %{eif} 'file:/etc/passwd'"
ARABIC, CHINESE = "نحل العسل حشرات.", "蜜蜂是社会性昆虫，生活在大型群体中。"


def still(part: float) -> None:
    pass


def said(text: str) -> Statement:
    grounds = Grounds(source_id="s", source_title="Owls", version=1, start=0, end=len(text), excerpt=text)
    return Statement(text=text, grounds=[grounds])


def video(*texts: str, **more: Any) -> VideoOverview:
    """An opening, a list and a quote."""
    told = [said(text) for text in texts or ("Owls fly.", "Owls rest.", "Owls eat mice.")]
    scenes = [
        VideoScene(kind="opening", title="Owls", lines=[Line(link="Welcome.")]),
        VideoScene(
            chapter="Birds", title="Flight", block=ListBlock(items=told), lines=[Line(statement=one) for one in told]
        ),
        VideoScene(chapter="Birds", title="Rest", block=QuoteBlock(quote=told[0]), lines=[Line(link="And then.")]),
    ]
    facts = {"title": "Owls", "scenes": scenes} | more
    return VideoOverview(**facts)


def makers(*languages: str, ffmpeg: Ffmpeg | None = None) -> FileMakers:
    voice = ToneVoice(*languages)
    return FileMakers(lambda extra: True, lambda: voice, ffmpeg)


RECORDER = Recorder(ToneVoice)


def film(made: VideoOverview) -> Film:
    return Film(made, RECORDER.recording(made.script(), still, shown=True), Ffmpeg())


class Opened:
    """What a reader of media finds in a file."""

    def __init__(self, path: Path) -> None:
        with av.open(str(path)) as file:
            self.title = file.metadata.get("title")
            self.chapters = [
                (one["metadata"]["title"], float(one["start"] * one["time_base"])) for one in file.chapters()
            ]
            pictures, sound, words = file.streams.video[0], file.streams.audio[0], file.streams.subtitles[0]
            self.codecs = [one.codec_context.name for one in (pictures, sound, words)]
            self.form = (pictures.codec_context.pix_fmt, pictures.codec_context.width, pictures.codec_context.height)
            self.language = words.language
            self.cues: list[tuple[float, float, str]] = []
            for packet in file.demux(words):
                if packet.size > 2 and packet.pts is not None and packet.duration is not None:
                    begin, length = packet.pts * packet.time_base, packet.duration * packet.time_base
                    size = int.from_bytes(bytes(packet)[:2], "big")
                    self.cues.append((float(begin), float(begin + length), bytes(packet)[2 : 2 + size].decode()))
        with av.open(str(path)) as file:
            self.frames: list[Any] = []
            self.times: list[float] = []
            for number, frame in enumerate(file.decode(video=0)):
                self.times.append(frame.time or 0.0)
                if number % 5 == 0:
                    self.frames.append(frame.reformat(160, 90, "gray").to_ndarray())
        with av.open(str(path)) as file:
            blocks = [frame.to_ndarray() for frame in file.decode(audio=0)]
            self.sound = numpy.concatenate(blocks, axis=1)[0]
        self.seconds = self.times[-1] + 0.04
        self.heard = len(self.sound) / 48_000


def test_a_video_has_pictures_sound_subtitles_and_chapters_in_step(tmp_path: Path) -> None:
    made, files = video(title=HOSTILE), makers()
    parts: list[float] = []
    for format in ("mp4", "vtt", "md", "json"):
        files.make("video", format, made, tmp_path / f"made.{format}", parts.append if format == "mp4" else still)
    assert parts == sorted(parts)
    told = json.loads((tmp_path / "made.json").read_text())
    opened = Opened(tmp_path / "made.mp4")
    assert opened.codecs == ["h264", "aac", "mov_text"]
    assert (opened.form, opened.language) == (("yuv420p", 1280, 720), "eng")
    assert abs(opened.seconds - told["seconds"]) < 0.1
    assert abs(opened.heard - told["seconds"]) < 0.15
    assert opened.title == HOSTILE
    assert [name for name, _ in opened.chapters] == ["Owls", "Birds"]
    assert abs(opened.chapters[1][1] - (told["chapters"][1]["start"] - 0.45)) < 0.05
    lines = [part for chapter in told["chapters"] for turn in chapter["turns"] for part in turn["parts"]]
    assert [text for _, _, text in opened.cues] == [line["text"] for line in lines]
    for (start, end, _), line in zip(opened.cues, lines, strict=True):
        assert abs(start - line["start"]) < 0.02
        assert abs(end - line["end"]) < 0.05
        part = opened.sound[int(start * 48_000) : int(end * 48_000)]
        assert numpy.sqrt(numpy.mean(part**2)) > 0.02
    # Each line of the list brings something new to see, and nothing is black.
    assert all(frame.mean() > 60 and frame.std() > 3 for frame in opened.frames)
    at = [opened.frames[int((line["start"] + line["end"]) / 2 * 5)].astype(int) for line in lines]
    assert all(numpy.abs(one - other).max() > 30 for one, other in pairwise(at))
    cues = [seconds_of(found.groups()) for found in CUE.finditer((tmp_path / "made.vtt").read_text())]
    assert cues == [(pytest.approx(start, abs=0.02), pytest.approx(end, abs=0.05)) for start, end, _ in opened.cues]
    assert "Owls fly. [1]" in (tmp_path / "made.md").read_text()
    assert files.remarks("video", made) == []


def test_texts_are_only_ever_texts(tmp_path: Path) -> None:
    texts = (HOSTILE, "one\nline\r\n\r\n2\n00:00:01.000 --> 00:00:09.000\nafter another", ARABIC, CHINESE)
    made = video(*texts, title="a\nb=c;[CHAPTER]\nSTART=0")
    made = made.model_copy(
        update={
            "scenes": [
                one.model_copy(update={"chapter": f"{HOSTILE}\n{number}"}) for number, one in enumerate(made.scenes)
            ]
        }
    )
    makers().make("video", "mp4", made, tmp_path / "made.mp4", still)
    opened = Opened(tmp_path / "made.mp4")
    # A word joiner, which nobody sees, keeps a backslash from being a sign.
    whole = " ".join(text for _, _, text in opened.cues).replace("\u2060", "")
    for text in (HOSTILE.translate(BRACES), "00:00:01.000 --> 00:00:09.000", ARABIC):
        assert text in whole
    assert CHINESE in whole.replace(" ", "")
    assert [name for name, _ in opened.chapters] == [f"{HOSTILE} {number}" for number in range(3)]
    assert opened.title == "a b=c;[CHAPTER] START=0"


def test_long_lines_are_cut_between_words_and_keep_their_time() -> None:
    text = "Owls are birds that hunt at night and rest by day in hollow trees, barns and church towers. " * 3
    cues = film(video(text.strip(), "Owls rest.")).cues()
    long = cues[1:-2]
    assert len(long) == 4
    assert " ".join(cue.text for cue in long) == text.strip()
    assert all(len(cue.text) <= 100 for cue in long)
    assert [one.end for one in long[:-1]] == [other.start for other in long[1:]]


def test_what_no_voice_speaks_is_silent_and_written_into_the_picture(tmp_path: Path) -> None:
    german = video("Eulen fliegen bei Nacht.", spoken="de")
    files = makers("en")
    for format in ("mp4", "json"):
        files.make("video", format, german, tmp_path / f"made.{format}", still)
    told = json.loads((tmp_path / "made.json").read_text())
    parts = [part for chapter in told["chapters"] for turn in chapter["turns"] for part in turn["parts"]]
    assert all(part["spoken"] is False for part in parts)
    assert all(1.4 < part["end"] - part["start"] < 20 for part in parts)
    opened = Opened(tmp_path / "made.mp4")
    assert numpy.abs(opened.sound).max() < 0.01
    assert abs(opened.seconds - told["seconds"]) < 0.1
    (remark,) = files.remarks("video", german)
    assert "they are silent, and written below" in remark
    assert film(german).captioned


def test_without_any_voice_a_video_is_silent_and_says_what_to_add(tmp_path: Path) -> None:
    files = FileMakers(lambda extra: extra != "voice")
    files.make("video", "json", video(), tmp_path / "made.json", still)
    assert json.loads((tmp_path / "made.json").read_text())["seconds"] > 5
    assert files.remarks("video", video()) == [
        "There is no voice here, so it is silent, and what would be said is written below: quire extras add voice"
    ]


def test_a_cinematic_video_moves_and_says_what_it_is_not(tmp_path: Path) -> None:
    whole, files = video("Owls fly.", form="cinematic"), makers()
    made = whole.model_copy(update={"scenes": whole.scenes[:2]})
    files.make("video", "mp4", made, tmp_path / "made.mp4", still)
    opened = Opened(tmp_path / "made.mp4")
    assert abs(opened.seconds - film(made).seconds) < 0.15
    middle = [
        frame.astype(int) for time, frame in zip(opened.times[::5], opened.frames, strict=True) if 0.6 < time < 1.4
    ]
    assert len(middle) >= 3
    assert all(0 < numpy.abs(one - other).mean() < 20 for one, other in pairwise(middle))
    assert any("no footage is generated" in told for told in files.remarks("video", made))


def children() -> set[int]:
    """The processes that this one has begun."""
    found: set[int] = set()
    for task in Path("/proc/self/task").iterdir():
        found |= {int(pid) for pid in (task / "children").read_text().split()}
    return found


def test_encoding_ends_where_it_is_cancelled(tmp_path: Path) -> None:
    class Enough(Exception):
        pass

    before, seen = children(), set()

    def cancelled(part: float) -> None:
        seen.update(children() - before)
        if seen:
            raise Enough

    with pytest.raises(Enough):
        makers().make("video", "mp4", video(), tmp_path / "made.mp4", cancelled)
    assert seen
    assert not children() & seen
    assert list(tmp_path.iterdir()) == []


def program(path: Path, script: str) -> Ffmpeg:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return Ffmpeg(str(path))


def test_a_program_that_fails_hangs_or_talks_without_end_is_an_error_in_time(tmp_path: Path) -> None:
    failing = program(tmp_path / "failing", "echo /secret/path >&2; exit 3")
    with pytest.raises(QuireError, match="could not be encoded") as failed:
        failing.run(["-i", "x"], tmp_path, 1.0, 10.0, still)
    assert "secret" not in str(failed.value)
    hanging = program(tmp_path / "hanging", "exec sleep 60")
    begun = time.monotonic()
    with pytest.raises(QuireError, match="took too long"):
        hanging.run([], tmp_path, 1.0, 0.5, still)
    assert time.monotonic() - begun < 10
    talking = program(
        tmp_path / "talking", "yes progress=continue | head -c 3000000; yes error | head -c 3000000 >&2; exit 0"
    )
    talking.run([], tmp_path, 1.0, 30.0, still)
    with pytest.raises(Unsupported, match="names no program") as missing:
        Ffmpeg(str(tmp_path / "nowhere")).run([], tmp_path, 1.0, 1.0, still)
    assert missing.value.hint == "quire extras add video"
    assert not Ffmpeg(str(tmp_path / "nowhere")).there
    assert threading.active_count() < 50


def test_a_program_has_a_limit_of_memory(tmp_path: Path) -> None:
    told = tmp_path / "told"
    program(tmp_path / "limited", f"sleep 0.2; cat /proc/self/limits > {told}").run([], tmp_path, 1.0, 10.0, still)
    limits = {line[:26].strip(): line[26:].split()[0] for line in told.read_text().splitlines()}
    assert int(limits["Max address space"]) == 4 * 1024**3
    assert int(limits["Max file size"]) == 2 * 1024**3


def silenced(recording: Recording, path: Path) -> Recording:
    path.write_bytes(bytes(recording.samples.stat().st_size))
    return replace(recording, samples=path)


def test_a_video_that_is_not_whole_is_found(tmp_path: Path) -> None:
    made = film(video("Owls fly.", "Owls rest."))
    file = tmp_path / "made.mp4"
    video_mp4.make(made, file, still)
    video_mp4.check(file, made)
    assert opened_mp4(file).streams
    whole = file.read_bytes()
    other = film(video())
    with pytest.raises(ValueError, match="seconds where the script has"):
        video_mp4.check(file, other)
    with pytest.raises(ValueError, match="seconds where its script has"):
        look_again(file, film(video(*("Owls fly." * 9,) * 3)), tmp_path, still)
    for broken in (
        b"",
        b"nothing at all",
        whole[: len(whole) // 2],
        whole[40:],
        whole[:200] + bytes(400) + whole[600:],
    ):
        file.write_bytes(broken)
        with pytest.raises(ValueError):
            video_mp4.check(file, made)
    file.write_bytes(whole[: len(whole) * 2 // 3] + os.urandom(len(whole) // 6) + whole[len(whole) * 5 // 6 :])
    with pytest.raises((ValueError, QuireError)):
        look_again(file, made, tmp_path, still)


@pytest.mark.parametrize("missing", ["studio", "video"])
def test_without_an_extra_the_hint_names_it(missing: str, tmp_path: Path) -> None:
    files = FileMakers(lambda extra: extra != missing)
    with pytest.raises(Unsupported) as refused:
        files.make("video", "mp4", video(), tmp_path / "made.mp4", still)
    assert refused.value.hint == f"quire extras add {missing}"


@pytest.mark.long
@pytest.mark.parametrize(
    ("form", "style"),
    [
        *(("brief", look) for look in LOOKS),
        ("explainer", "auto"),
        ("cinematic", "auto"),
        ("short", "custom: dark, serif"),
    ],
)
def test_every_form_and_style_is_filmed(form: str, style: str, tmp_path: Path) -> None:
    made, files = content("video", format=form, style=style), makers()
    for format in ("mp4", "vtt", "md", "json"):
        files.make("video", format, made, tmp_path / f"made.{format}", still)
    opened = Opened(tmp_path / "made.mp4")
    assert abs(opened.seconds - json.loads((tmp_path / "made.json").read_text())["seconds"]) < 0.2
    assert len({frame.tobytes() for frame in opened.frames}) > len(made.scenes)
