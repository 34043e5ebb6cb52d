"""Sound made an MP3 while it is still being spoken: encoding takes half as long as speaking, on another core."""

from __future__ import annotations

import threading
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType

from quire.domain.errors import QuireError
from quire.ports.voices import RATE


class Mp3Encoder:
    """Writes a file on a thread of its own; whoever leaves it finds the file whole, or is told that it is not."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._waiting: SimpleQueue[bytes | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._encode, name="mp3", daemon=True)
        self._failed = ""
        self._unwanted = False

    def __enter__(self) -> Mp3Encoder:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._unwanted = kind is not None
        self._waiting.put(None)
        self._thread.join()
        if kind is None and self._failed:
            raise QuireError(f"The sound could not be encoded: {self._failed}")

    def write(self, sound: bytes) -> None:
        self._waiting.put(sound)

    def _encode(self) -> None:
        import numpy
        import soundfile

        try:
            with soundfile.SoundFile(self._path, "w", RATE, 1, format="MP3", subtype="MPEG_LAYER_III") as file:
                while (sound := self._waiting.get()) is not None:
                    if self._unwanted:
                        return
                    file.write(numpy.frombuffer(sound, dtype="<i2"))
        except (OSError, soundfile.LibsndfileError) as error:
            self._failed = str(error)
