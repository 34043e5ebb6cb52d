"""English words for those of other languages: by dictionaries, and by the encoder in whose space words of all languages
lie."""

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

from quire.adapters.dictionary import dictionary
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


@cache
def _known() -> frozenset[str]:
    return frozenset(english_words())


class Glossary:
    """The vectors of the English words take seconds to make, once: they are kept in `folder`."""

    def __init__(self, encoder: MultilingualEncoder, folder: Path) -> None:
        self._encoder, self._folder = encoder, folder
        self._lock = threading.Lock()
        self._vectors: Array | None = None

    def told(self, word: str, language: str) -> str | None:
        found = dictionary(language)
        return found.english(word) if found is not None else None

    def words_for(self, english: str, language: str) -> Sequence[str]:
        found = dictionary(language)
        return found.words_for(english) if found is not None else ()

    def english(self, words: Sequence[str], likely: Sequence[str] = ()) -> list[tuple[str, float]]:
        """For each word the nearest English one, and how near it is; of the `likely` ones rather than of others."""
        if not words:
            return []
        own, english = self._english(), english_words()
        preferred = self._encoder.embed(list(likely)) if likely else None
        found = []
        # A word at a time: the threads that multiply matrices turn idly afterwards, beside a judge that works.
        for vector in self._encoder.embed(list(words)):
            cosines = own @ vector
            at = int(cosines.argmax())
            found.append((english[at], float(cosines[at])))
            if preferred is not None:
                cosines = preferred @ vector + PREFERRED
                at = int(cosines.argmax())
                if cosines[at] > max(found[-1][1], LIKELY):
                    found[-1] = likely[at], float(cosines[at])
        return found

    def is_english(self, words: Sequence[str]) -> bool:
        """Whether all of these are common English words."""
        return bool(words) and _known().issuperset(word.casefold() for word in words)

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
        with suppress(OSError), tempfile.TemporaryDirectory(prefix=".english-", dir=self._folder) as place:
            numpy.save(Path(place) / file.name, made.astype(numpy.float16))
            os.replace(Path(place) / file.name, file)
        return made
