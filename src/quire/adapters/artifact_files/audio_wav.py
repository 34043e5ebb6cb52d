"""Audio overviews as WAV."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from quire.adapters.voices.recording import Recording
from quire.ports.artifact_files import Progress
from quire.ports.voices import RATE

BLOCK = RATE * 10
# A file may be longer than its script by what an encoder puts around it.
AROUND = 0.5
# How fast people and voices speak, in characters a second, wide on both sides.
SLOWEST, FASTEST = 4.0, 45.0
WINDOW, SILENT, MOST_SILENCE = RATE // 20, 0.003, 0.6
CUT_OFF, MOST_CUT_OFF = 0.999, 0.0005


def make(recording: Recording, path: Path, progress: Progress) -> None:
    import numpy
    import soundfile

    with (
        soundfile.SoundFile(path, "w", RATE, 1, format="WAV", subtype="PCM_16") as file,
        recording.samples.open("rb") as samples,
    ):
        while block := samples.read(BLOCK * 2):
            file.write(numpy.frombuffer(block, dtype="<i2"))
            progress(min(1.0, samples.tell() / 2 / RATE / max(recording.seconds, 1.0)))


def check(path: Path, recording: Recording) -> None:
    check_sound(path, recording)


def check_sound(path: Path, recording: Recording) -> None:
    """Decodes it again: the right rate and length for its script, to be heard, and not cut off."""
    import numpy
    import soundfile

    try:
        # At once: a decoder of MP3 that is asked for parts seeks between them, and complains.
        sound, rate = soundfile.read(path, dtype="int16", always_2d=True)
    except soundfile.LibsndfileError as error:
        raise ValueError(f"it cannot be decoded: {error}") from None
    frames, channels = sound.shape
    if (rate, channels) != (RATE, 1):
        raise ValueError(f"it has {channels} channels at {rate} Hz")
    windows = silent = cut = 0
    for start in range(0, frames, BLOCK):
        block: Any = sound[start : start + BLOCK, 0].astype(numpy.float32) / 32768
        cut += int((numpy.abs(block) >= CUT_OFF).sum())
        whole = block[: len(block) // WINDOW * WINDOW].reshape(-1, WINDOW)
        windows += len(whole)
        silent += int((numpy.sqrt((whole**2).mean(axis=1)) < SILENT).sum())
    seconds = frames / RATE
    if abs(seconds - recording.seconds) > AROUND:
        raise ValueError(f"it has {seconds:.1f} seconds where its script has {recording.seconds:.1f}")
    heard = [part for _, part in recording.parts if part.spoken]
    letters, spoken = sum(len(part.text) for part in heard), sum(part.end - part.start for part in heard)
    if not SLOWEST <= letters / max(spoken, 0.001) <= FASTEST:
        raise ValueError(f"{letters} letters were spoken in {spoken:.1f} seconds")
    # Pauses are silent by right.
    if silent > windows * (1 - (1 - MOST_SILENCE) * spoken / max(recording.seconds, 0.001)):
        raise ValueError("most of it is silent")
    if cut > MOST_CUT_OFF * max(1, frames):
        raise ValueError("it is too loud")
