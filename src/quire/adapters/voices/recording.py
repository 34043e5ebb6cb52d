"""A script as it is spoken: its sound, and when each part of it is heard."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Literal

from quire.adapters.voices.mp3_encoder import Mp3Encoder
from quire.domain.audio import AudioScript, ScriptChapter, Turn
from quire.domain.errors import InvalidInput, QuireError, Unsupported
from quire.domain.grounding import Statement
from quire.ports.artifact_files import Progress
from quire.ports.voices import RATE, Voice
from quire.text.read_aloud import read_aloud

PartKind = Literal["link", "statement", "question"]
SAMPLE = 2
# Seconds of silence behind what is said.
AFTER_PART, AFTER_TURN, AFTER_CHAPTER = 0.18, 0.4, 0.9
LONGEST = 3600
# The mean of what is loud enough to be heard is brought to this, and no peak over that.
LEVEL, PEAK, HEARD = 0.09, 0.92, 0.01
LEAST_GAIN, MOST_GAIN = 0.2, 6.0
KEPT = 8
ONE_VOICE = (
    "Both hosts are spoken by one voice, at two pitches: `quire models add kokoro` brings two,"
    " and the setting voice_url names a server with others."
)
NOT_SPOKEN = "{} of {} statements are in a language that the voice does not speak; they are only in the transcript."
# How fast people read what is shown: characters a second, and of scripts that say more with each; at least so long.
READ, READ_DENSE, SHORTEST_READ = 15.0, 5.0, 1.5
DENSE = 0x2E80


@dataclass(frozen=True)
class SpokenPart:
    """What is said at once; `statement` is what it rests on. One that is not spoken has no length, or is `silent`: it
    is there to be read for as long as that takes."""

    kind: PartKind
    text: str
    start: float
    end: float
    statement: Statement | None = None
    silent: bool = False

    @property
    def spoken(self) -> bool:
        return self.end > self.start


@dataclass(frozen=True)
class SpokenTurn:
    host: int
    parts: tuple[SpokenPart, ...]


@dataclass(frozen=True)
class SpokenChapter:
    title: str
    start: float
    end: float
    turns: tuple[SpokenTurn, ...]


@dataclass(frozen=True)
class Recording:
    """`samples` is a file of sound: one channel, 24 kHz, 16 bits; `mp3` is the same, encoded, where it is not shown."""

    script: AudioScript
    samples: Path
    mp3: Path
    seconds: float
    chapters: tuple[SpokenChapter, ...]

    @property
    def parts(self) -> list[tuple[int, SpokenPart]]:
        """All parts with who says them."""
        return [(turn.host, part) for chapter in self.chapters for turn in chapter.turns for part in turn.parts]


class Recorder:
    """Has scripts spoken, each once: the last few are kept for their other files."""

    def __init__(self, voice: Callable[[], Voice]) -> None:
        self._open = voice
        self._voice: Voice | None = None
        self._lock = threading.Lock()
        self._folder: Path | None = None
        self._made: dict[str, Recording] = {}

    @property
    def voice(self) -> Voice:
        with self._lock:
            if self._voice is None:
                self._voice = self._open()
            return self._voice

    def remarks(self, script: AudioScript) -> list[str]:
        """What is to be told of how a script is spoken."""
        turns = [turn for chapter in script.chapters for turn in chapter.turns]
        told = [turn for turn in turns for _ in turn.statements]
        left = sum(not self.voice.speaks(turn.language or script.spoken) for turn in told)
        remarks = [NOT_SPOKEN.format(left, len(told))] if left else []
        if self.voice.hosts < len({turn.host for turn in turns}):
            remarks.append(ONE_VOICE)
        return remarks

    def recording(self, script: AudioScript, progress: Progress, *, shown: bool = False) -> Recording:
        """A script that is `shown` is also read: what no voice speaks is silent for as long as that takes."""
        key = hashlib.sha256(f"{self.voice.name}\0{shown}\0{script.model_dump_json()}".encode()).hexdigest()
        with self._lock:
            if self._folder is None:
                self._folder = Path(tempfile.mkdtemp(prefix="quire-voice-"))
                weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
            folder = self._folder
            if (known := self._made.get(key)) is not None:
                return known
        with ExitStack() as undone, tempfile.NamedTemporaryFile(dir=folder, suffix=".pcm", delete=False) as file:
            path = Path(file.name)
            encoded = path.with_suffix(".mp3")
            undone.callback(path.unlink, missing_ok=True)
            undone.callback(encoded.unlink, missing_ok=True)
            with nullcontext() if shown else Mp3Encoder(encoded) as encoder:
                made = _Speaking(script, self.voice, file, encoder, progress).recording(path, encoded)
            undone.pop_all()
        with self._lock:
            self._made[key] = made
            while len(self._made) > KEPT:
                oldest = self._made.pop(next(iter(self._made)))
                oldest.samples.unlink(missing_ok=True)
                oldest.mp3.unlink(missing_ok=True)
        return made


@dataclass
class _Speaking:
    """Without an encoder the script is shown."""

    script: AudioScript
    voice: Voice
    file: IO[bytes]
    encoder: Mp3Encoder | None
    progress: Progress
    written: int = 0
    done: int = 0
    whole: int = field(default=1)

    def recording(self, path: Path, encoded: Path) -> Recording:
        self.whole = max(1, sum(len(part[1]) for chapter in self.script.chapters for part in self._all(chapter)))
        if self.encoder is not None and not self.voice.speaks(self.script.spoken):
            raise Unsupported(
                f"The voice does not speak the language of this script ({self.script.spoken}).",
                hint="Set voice_url to a server whose voices do, or read its script: get_artifact_content.",
            )
        chapters = tuple(self._chapter(chapter) for chapter in self.script.chapters)
        if not any(part.spoken for chapter in chapters for turn in chapter.turns for part in turn.parts):
            raise InvalidInput("There is nothing in the script that can be spoken.", field="content")
        self.file.flush()
        return Recording(self.script, path, encoded, self.now, chapters)

    @property
    def now(self) -> float:
        return self.written / SAMPLE / RATE

    def _all(self, chapter: ScriptChapter) -> Iterator[tuple[PartKind, str]]:
        return ((kind, text) for turn in chapter.turns for kind, text, _ in _parts(turn))

    def _chapter(self, chapter: ScriptChapter) -> SpokenChapter:
        start = self.now
        turns = tuple(SpokenTurn(turn.host, self._turn(turn)) for turn in chapter.turns)
        end = self.now
        self._pause(AFTER_CHAPTER)
        return SpokenChapter(chapter.title, start, end, turns)

    def _turn(self, turn: Turn) -> tuple[SpokenPart, ...]:
        made: list[SpokenPart] = []
        for kind, text, statement in _parts(turn):
            # What leads over to something that is not spoken is not spoken either.
            language = turn.language or self.script.spoken
            start = self.now
            self.progress(min(1.0, self.done / self.whole))
            if self.voice.speaks(language) and (said := read_aloud(text, language)):
                self._write(_levelled(self.voice.speak(said, turn.host)))
            silent = self.encoder is None and self.now == start
            if silent:
                self._pause(reading_time(text))
            self.done += len(text)
            end = self.now
            made.append(SpokenPart(kind, text, start, end, statement, silent))
            if end > start:
                self._pause(AFTER_PART)
        if any(part.spoken for part in made):
            self._pause(AFTER_TURN)
        if self.now > LONGEST:
            raise QuireError(f"The script takes more than {LONGEST // 60} minutes to speak.", hint="Make it shorter.")
        return tuple(made)

    def _pause(self, seconds: float) -> None:
        self._write(bytes(int(seconds * RATE) * SAMPLE))

    def _write(self, sound: bytes) -> None:
        self.file.write(sound)
        if self.encoder is not None:
            self.encoder.write(sound)
        self.written += len(sound)


def _parts(turn: Turn) -> Iterator[tuple[PartKind, str, Statement | None]]:
    if turn.link.strip():
        yield "link", turn.link, None
    for one in turn.statements:
        yield "statement", one.text, one
    if turn.question.strip():
        yield "question", turn.question, None


def reading_time(text: str) -> float:
    """How many seconds people take to read a text."""
    dense = sum(ord(letter) >= DENSE for letter in text)
    return max(SHORTEST_READ, (len(text) - dense) / READ + dense / READ_DENSE)


def _levelled(sound: bytes) -> bytes:
    """As loud as all the rest, and no peak cut off."""
    import numpy

    samples: Any = numpy.frombuffer(sound, dtype="<i2").astype(numpy.float32) / 32768
    loud = samples[numpy.abs(samples) > HEARD]
    if not len(loud):
        return sound
    gain = float(LEVEL / numpy.sqrt(numpy.mean(loud**2)))
    gain = min(max(gain, LEAST_GAIN), MOST_GAIN, PEAK / float(numpy.abs(samples).max()))
    levelled: bytes = (samples * gain * 32767).astype("<i2").tobytes()
    return levelled
