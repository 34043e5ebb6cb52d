"""Voices of a server: OpenAI's `/audio/speech`, which many speak."""

from __future__ import annotations

import io
from collections.abc import Sequence

import httpx2

from quire.adapters.models.endpoint import PASSING, checked_url, is_loopback
from quire.domain.errors import InvalidInput, QuireError, Unsupported, Upstream
from quire.ports.voices import RATE

HINT = "See the settings voice_url, voice_model and voice_names."
USUAL_MODEL, USUAL_NAMES = "tts-1", ("alloy", "onyx")
SECONDS = 120.0
# An answer of a few sentences; more than ten minutes of sound is none.
LARGEST_ANSWER = 64 * 1024 * 1024


class SpeechEndpoint:
    """`url` ends before `/audio/speech`; `names` are the voices of the two hosts."""

    def __init__(self, url: str, model: str = "", key: str = "", names: Sequence[str] = ()) -> None:
        host = checked_url(url, "voice_url")
        if not key.isascii() or not key.isprintable():
            raise InvalidInput("The setting 'voice_key' holds characters that no key has.")
        self._names = list(names or USUAL_NAMES)[:2]
        self.hosts = len(set(self._names))
        self.name = model or USUAL_MODEL
        self._url = url.rstrip("/") + "/audio/speech"
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._through_proxies = not is_loopback(host)

    def speaks(self, language: str) -> bool:
        """What a server cannot speak only its answers tell."""
        return True

    def speak(self, text: str, host: int) -> bytes:
        voice = self._names[min(host, len(self._names)) - 1]
        asked = {"model": self.name, "voice": voice, "input": text, "response_format": "wav"}
        try:
            return _samples(self._answer(asked))
        except httpx2.TimeoutException:
            raise Upstream("The voice took too long.") from None
        except httpx2.HTTPError:
            raise Upstream("The voice cannot be reached.", hint=HINT) from None

    def _answer(self, asked: dict[str, str]) -> bytes:
        body = bytearray()
        plain = self._url.startswith("http:")
        with (
            httpx2.Client(timeout=SECONDS, trust_env=self._through_proxies, verify=not plain) as client,
            client.stream("POST", self._url, json=asked, headers=self._headers) as answer,
        ):
            if answer.status_code != 200:
                raise _refused(answer.status_code)
            for chunk in answer.iter_bytes():
                body += chunk
                if len(body) > LARGEST_ANSWER:
                    raise _strange()
        return bytes(body)


def _samples(body: bytes) -> bytes:
    """What came, at our rate and on one channel."""
    import numpy
    import soundfile

    try:
        sound, rate = soundfile.read(io.BytesIO(body), dtype="float32", always_2d=True)
    except soundfile.LibsndfileError:
        raise _strange() from None
    mono = sound.mean(axis=1)
    if not len(mono) or not numpy.isfinite(mono).all():
        raise _strange()
    if rate != RATE:
        places = numpy.arange(int(len(mono) * RATE / rate), dtype=numpy.float64) * (rate / RATE)
        mono = numpy.interp(places, numpy.arange(len(mono)), mono)
    made: bytes = (numpy.clip(mono, -1.0, 1.0) * 32767).astype("<i2").tobytes()
    return made


def _refused(status: int) -> QuireError:
    """What the server says about it is not passed on: it may repeat the key."""
    if status in (401, 403):
        return Unsupported("The voice refused the key.", hint="See the setting voice_key.", status=status)
    kind = Upstream if status in PASSING else Unsupported
    return kind(f"The voice answered {status}.", hint=HINT, status=status)


def _strange() -> Upstream:
    return Upstream("The voice answered with something that is no sound.", hint=HINT)
