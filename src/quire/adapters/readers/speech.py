"""Recordings and videos, by what is said in them: text with times."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from quire.adapters.readers.captions import Cue, write_cues
from quire.adapters.readers.draft import Draft, Progress
from quire.adapters.readers.failures import reading
from quire.adapters.readers.limits import Limits
from quire.adapters.readers.speech_model import speech_model
from quire.domain.errors import InvalidInput

WHAT = "a recording"
RATE = 16_000
# A window is cut where it is quietest near its end, so that hours of sound never lie in memory at once.
WINDOW = 300 * RATE
QUIET_WITHIN = 20 * RATE
QUIET = RATE // 4
SURE_OF_LANGUAGE = 0.8
UNLIKELY_SPEECH = 0.8


def read_recording(
    path: Path, limits: Limits, progress: Progress | None = None, cache: str | None = None, model: str | None = None
) -> Draft:
    draft = Draft(limits, progress)
    with reading(WHAT, extra="speech"):
        import av
        from faster_whisper import WhisperModel

        folder = Path(model) if model else speech_model(Path(cache) if cache else Path.home() / ".cache/quire")
        with av.open(str(path)) as container:
            if not container.streams.audio:
                raise InvalidInput("There is no sound in the file.")
            seconds = int(container.duration / av.time_base) if container.duration else None
            draft.suggest_title(container.metadata.get("title"))
            whisper = WhisperModel(str(folder), device="cpu", compute_type="int8")
            draft.progress(0, seconds, more_time=True)
            write_cues(draft, heard(whisper, windows(samples(container)), draft, seconds))
    return draft.finish("No words were heard in the recording.")


def heard(whisper: Any, sound: Iterator[tuple[int, Any]], draft: Draft, seconds: int | None) -> Iterator[Cue]:
    """What is said, sentence by sentence, with the times in the whole recording."""
    language = None
    for start, window in sound:
        segments, told = whisper.transcribe(
            window, language=language, vad_filter=True, condition_on_previous_text=False, beam_size=1
        )
        if told.language_probability > SURE_OF_LANGUAGE:
            language = told.language
        at = start / RATE
        for segment in segments:
            draft.progress(int(at + segment.end), seconds, more_time=True)
            if segment.no_speech_prob < UNLIKELY_SPEECH and segment.text.strip():
                yield Cue(at + segment.start, at + segment.end, "", " ".join(segment.text.split()))
        draft.progress(int(at + len(window) / RATE), seconds, more_time=True)


def samples(container: Any) -> Iterator[Any]:
    """The first sound track, at the rate and in the form that the model wants."""
    import av
    import numpy

    resampler = av.AudioResampler(format="s16", layout="mono", rate=RATE)
    for frame in decoded(container):
        for part in resampler.resample(frame):
            yield part.to_ndarray().reshape(-1).astype(numpy.float32) / 32768.0
    for part in resampler.resample(None):
        yield part.to_ndarray().reshape(-1).astype(numpy.float32) / 32768.0


def decoded(container: Any) -> Iterator[Any]:
    """Frames of sound; those that are damaged are passed over."""
    import av

    frames = container.decode(container.streams.audio[0])
    while True:
        try:
            frame = next(frames)
        except StopIteration:
            return
        except av.error.InvalidDataError:
            continue
        frame.pts = None
        yield frame


def windows(parts: Iterator[Any]) -> Iterator[tuple[int, Any]]:
    """Pieces of some minutes, each with the number of its first sample."""
    import numpy

    waiting: list[Any] = []
    length = start = 0
    for part in parts:
        waiting.append(part)
        length += len(part)
        if length >= WINDOW:
            sound = numpy.concatenate(waiting)
            cut = quietest(sound)
            yield start, sound[:cut]
            start += cut
            waiting, length = [sound[cut:]], len(sound) - cut
    if length:
        yield start, numpy.concatenate(waiting)


def quietest(sound: Any) -> int:
    """Where to cut: the middle of the quietest quarter of a second near the end."""
    import numpy

    first = max(len(sound) - QUIET_WITHIN, len(sound) // 2)
    tail = sound[first:]
    pieces = tail[: len(tail) // QUIET * QUIET].reshape(-1, QUIET)
    if not len(pieces):
        return len(sound)
    return int(first + numpy.argmin((pieces**2).mean(axis=1)) * QUIET + QUIET // 2)
