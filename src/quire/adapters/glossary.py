"""English words for those of other languages, by the encoder in whose space words of all languages lie."""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quire.adapters.multilingual import MultilingualEncoder

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, numpy.dtype[numpy.float32]]

WORDS = "english_words.txt"
# What a word that is likely to be meant is nearer for, and how near it must be then.
PREFERRED, LIKELY = 0.06, 0.6


@cache
def english_words() -> tuple[str, ...]:
    """The common English words, in the order of the alphabet."""
    return tuple(resources.files("quire.adapters").joinpath(WORDS).read_text(encoding="utf-8").split())


class Glossary:
    """The vectors of the English words take seconds to make, once: they are kept in `folder`."""

    def __init__(self, encoder: MultilingualEncoder, folder: Path) -> None:
        self._encoder, self._folder = encoder, folder
        self._lock = threading.Lock()
        self._vectors: Array | None = None

    def english(self, words: Sequence[str], likely: Sequence[str] = ()) -> list[tuple[str, float]]:
        """For each word the nearest English one, and how near it is; of the `likely` ones rather than of others."""
        if not words:
            return []
        asked = self._encoder.embed(list(words))
        cosines = asked @ self._english().T
        found = [(english_words()[at], float(row[at])) for row in cosines for at in [int(row.argmax())]]
        if likely:
            for at, row in enumerate(asked @ self._encoder.embed(list(likely)).T + PREFERRED):
                best = int(row.argmax())
                if row[best] > max(found[at][1], LIKELY):
                    found[at] = likely[best], float(row[best])
        return found

    def _english(self) -> Array:
        with self._lock:
            if self._vectors is None:
                self._vectors = self._kept()
            return self._vectors

    def _kept(self) -> Array:
        import numpy

        words = list(english_words())
        told = sha256("\n".join([self._encoder.name, *words]).encode()).hexdigest()[:16]
        file = self._folder / f"english-{told}.npy"
        with suppress(OSError, ValueError, EOFError):
            kept: Array = numpy.load(file, allow_pickle=False)
            if kept.shape == (len(words), self._encoder.dimensions):
                return kept.astype(numpy.float32)
        made = self._encoder.embed_once(words)
        # A folder that cannot be written to costs the time again.
        with suppress(OSError), tempfile.NamedTemporaryFile(dir=self._folder, delete=False) as new:
            numpy.save(new, made.astype(numpy.float16))
            new.close()
            os.replace(new.name, file)
        return made
