"""Two voices of American English, by the network Kokoro on this machine's processors; about twice as fast as speech.

Its weights come as parts of one file, its voices as tables: a row for each length of a text. How words are pronounced
is told by the package of the embedded voice, which was made from the same sounds.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from quire.adapters.loaded_once import LoadedOnce
from quire.adapters.model_files import ModelFolder
from quire.domain.errors import InvalidInput, Unsupported
from quire.ports.voices import RATE

if TYPE_CHECKING:
    import numpy

    Floats = numpy.ndarray[Any, numpy.dtype[numpy.float32]]

MODEL = "kokoro"
USUAL_NAMES = ("af_heart", "am_michael")
ROWS, WIDTH = 510, 256
# More threads than this make a sentence no faster.
MOST_THREADS = 4
# What is softer than this at either end of a sentence is silence; so many seconds of it are kept.
SILENT, KEPT = 0.006, 0.06
BETWEEN = 0.22

Network = Callable[[Mapping[str, "numpy.ndarray[Any, Any]"]], "Floats"]


class KokoroVoice:
    """`names` are the voices of the two hosts; `network` makes what runs the weights."""

    def __init__(
        self, models: ModelFolder, names: Sequence[str] = (), network: Callable[[bytes], Network] | None = None
    ) -> None:
        self._names = (list(names or USUAL_NAMES) * 2)[:2]
        there = voice_names(models)
        for name in self._names:
            if name not in there:
                raise InvalidInput(f"Kokoro has no voice '{name}' here.", hint=f"voice_names: {', '.join(there)}.")
        self.name = f"{MODEL} {' '.join(self._names)}"
        self.hosts = len(set(self._names))
        self._parts = LoadedOnce(partial(_loaded, models, self._names, network or network_of))

    def speaks(self, language: str) -> bool:
        return language == "en"

    def speak(self, text: str, host: int) -> bytes:
        import numpy

        sounds, network, styles = self._parts()
        style = styles[min(host, len(styles)) - 1]
        said: list[Floats] = []
        for phonemes in sounds.phonemize(text):
            tokens: list[int] = sounds.ids(phonemes)
            inner = len(tokens) - 2
            if inner < 1:
                continue
            given = {
                "tokens": numpy.asarray([tokens], dtype=numpy.int64),
                "style": style[min(inner, ROWS - 1)],
                "speed": numpy.ones(1, dtype=numpy.float32),
            }
            said.append(_trimmed(network(given).reshape(-1)))
        if not said:
            return b""
        sound = numpy.concatenate(list(_apart(said)))
        # A peak above one is brought down with all the rest: cut off, it would crackle.
        sound = sound / max(1.0, float(numpy.abs(sound).max()))
        made: bytes = (sound * 32767).astype("<i2").tobytes()
        return made


def _loaded(
    models: ModelFolder, names: Sequence[str], network: Callable[[bytes], Network]
) -> tuple[Any, Network, list[Floats]]:
    import numpy

    try:
        from hibari import Hibari
    except ImportError:
        raise Unsupported("There is no voice here.", hint="quire extras add voice") from None
    parts = [member.name for member in models.model(MODEL).members if member.name.endswith(".part")]
    weights = b"".join(models.read(MODEL, name) for name in sorted(parts))
    tables = [models.read(MODEL, f"{name}.bin") for name in names]
    styles = [numpy.frombuffer(table, dtype="<f4").reshape(ROWS, 1, WIDTH) for table in tables]
    return Hibari(), network(weights), styles


def voice_names(models: ModelFolder) -> list[str]:
    """The voices that are known, the usual ones first."""
    return [member.name.removesuffix(".bin") for member in models.model(MODEL).members if member.name.endswith(".bin")]


def network_of(weights: bytes) -> Network:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = min(MOST_THREADS, os.cpu_count() or 2)
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.enable_mem_pattern = False
    session = onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])

    def run(given: Mapping[str, numpy.ndarray[Any, Any]]) -> Floats:
        made: Floats = session.run(None, dict(given))[0]
        return made

    return run


def _trimmed(sound: Floats) -> Floats:
    """Without the silence at both ends, which differs from sentence to sentence."""
    import numpy

    heard = numpy.flatnonzero(numpy.abs(sound) > SILENT)
    if not len(heard):
        return sound[:0]
    margin = int(KEPT * RATE)
    return sound[max(0, int(heard[0]) - margin) : int(heard[-1]) + margin]


def _apart(sounds: Sequence[Floats]) -> Iterator[Floats]:
    import numpy

    for place, sound in enumerate(sounds):
        if place:
            yield numpy.zeros(int(BETWEEN * RATE), dtype=numpy.float32)
        yield sound
