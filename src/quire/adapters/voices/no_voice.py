"""What stands for a voice where there is none."""

from __future__ import annotations


class NoVoice:
    """Where nothing can speak: it speaks no language, so what would be said is shown only."""

    name = "none"
    hosts = 2

    def speaks(self, language: str) -> bool:
        return False

    def speak(self, text: str, host: int) -> bytes:
        return b""
