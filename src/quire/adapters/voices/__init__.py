"""Voices: the embedded one, and any that a server has."""

from __future__ import annotations

from quire.ports.voices import Voice


def voice_of(url: str = "", model: str = "", key: str = "", names: str = "") -> Voice:
    """The voice that settings name: one at an address, or the embedded one."""
    if url:
        from quire.adapters.voices.speech_endpoint import SpeechEndpoint

        return SpeechEndpoint(url, model, key, [name.strip() for name in names.split(",") if name.strip()])
    from quire.adapters.voices.embedded_voice import EmbeddedVoice

    return EmbeddedVoice()
