"""Voices: what speaks the scripts of audio overviews."""

from __future__ import annotations

from typing import Protocol

RATE = 24_000


class Voice(Protocol):
    """`hosts` is how many people it sounds like. Synchronous: it is called on a thread."""

    name: str
    hosts: int

    def speaks(self, language: str) -> bool:
        """Whether it can read a text in a language, by its two letters."""
        ...

    def speak(self, text: str, host: int) -> bytes:
        """A sentence or a few, spoken by the first or the second host: one channel, 24 kHz, 16 bits, little-endian."""
        ...
