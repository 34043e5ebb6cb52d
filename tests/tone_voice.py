"""A voice that hums: as long as people take to say it, and quick to make."""

from __future__ import annotations

import numpy

from quire.ports.voices import RATE


class ToneVoice:
    name = "tone"
    hosts = 2

    def __init__(self, *languages: str) -> None:
        self.languages = languages or ("en",)
        self.said: list[str] = []

    def speaks(self, language: str) -> bool:
        return language in self.languages

    def speak(self, text: str, host: int) -> bytes:
        self.said.append(text)
        samples = numpy.arange(int(RATE * max(0.4, len(text) / 40)))
        made: bytes = (numpy.sin(samples * 0.06 * host) * 6000).astype("<i2").tobytes()
        return made
