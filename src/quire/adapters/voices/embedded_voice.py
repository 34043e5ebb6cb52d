"""The voice that comes with Quire: one of American English. The second host is the same voice, pitched lower.

It is read faster and then stretched, so that its pitch and its vowels sink together, as those of a larger speaker do.
"""

from __future__ import annotations

import threading
from typing import Any

from quire.domain.errors import Unsupported
from quire.ports.voices import RATE

SEED = 7
PITCH = {1: 1.0, 2: 0.84}
PACE = {1: 1.0, 2: 1.02}


class EmbeddedVoice:
    name = "embedded"
    hosts = 1

    def __init__(self) -> None:
        self._loading = threading.Lock()
        self._voice: Any = None

    def speaks(self, language: str) -> bool:
        return language == "en"

    def speak(self, text: str, host: int) -> bytes:
        import numpy

        pitch = PITCH.get(host, 1.0)
        # The seed makes the same sound of the same text each time.
        sound = self._loaded()(text, speed=PACE.get(host, 1.0) / pitch, seed=SEED)
        if pitch != 1.0 and len(sound):
            places = numpy.arange(int(len(sound) / pitch), dtype=numpy.float64) * pitch
            sound = numpy.interp(places, numpy.arange(len(sound)), sound)
        made: bytes = (numpy.clip(sound, -1.0, 1.0) * 32767).astype("<i2").tobytes()
        return made

    def _loaded(self) -> Any:
        with self._loading:
            if self._voice is None:
                try:
                    from hibari import Hibari
                except ImportError:
                    raise Unsupported("There is no voice here.", hint="quire extras add voice") from None
                self._voice = Hibari()
                assert self._voice.sample_rate == RATE
            return self._voice
