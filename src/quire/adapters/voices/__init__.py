"""Voices: those of this machine, and any that a server has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from quire.adapters.model_files import ModelFolder
from quire.ports.voices import Voice

Choice = Literal["auto", "embedded", "kokoro"]


def voice_of(
    url: str = "",
    model: str = "",
    key: str = "",
    names: str = "",
    choice: Choice = "auto",
    models: Callable[[], ModelFolder] | None = None,
) -> Voice:
    """The voice that settings name: one at an address, Kokoro's two where they are here, or the embedded one."""
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    if url:
        from quire.adapters.voices.speech_endpoint import SpeechEndpoint

        return SpeechEndpoint(url, model, key, wanted)
    if models is not None and choice != "embedded":
        folder = models()
        if choice == "kokoro":
            folder.check("kokoro")
        if choice == "kokoro" or folder.runs("kokoro"):
            from quire.adapters.voices.kokoro_voice import KokoroVoice

            return KokoroVoice(folder, wanted)
    from quire.adapters.voices.embedded_voice import EmbeddedVoice

    return EmbeddedVoice()
