"""Sentences of many languages into one space: Google's multilingual universal sentence encoder, on numpy alone.

A network of averaged pieces and of neighbours among them: each piece is seen by itself and in windows of two, three
and five; what is summed over a text goes through two small layers.
"""

from __future__ import annotations

import io
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from quire.adapters.loaded_once import LoadedOnce
from quire.adapters.model_files import ModelFolder
from quire.adapters.turns import GiveWay
from quire.adapters.unigram import Unigram
from quire.ports.background import in_background

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, numpy.dtype[numpy.float32]]

# A window's size, and how many of its pieces stand before the one it is about.
WINDOWS = ((2, 0), (3, 1), (5, 2))
# As many rows of zeros between two texts as a window reaches out.
GAP = 2
PARTS = 17
LANGUAGES = frozenset({"ar", "de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh"})


class MultilingualEncoder:
    name = "use-multilingual-3"
    dimensions = 512
    languages: frozenset[str] | None = LANGUAGES
    weight = 0.3
    calibrated = False
    local = True

    TOKENS = 512
    # Pieces at once: more together are no faster, and take more memory.
    BATCH = 512
    # Words and sentences that callers compare come again with the next question; a vector is 2 kB.
    REMEMBERED = 8_000

    def __init__(self, files: ModelFolder) -> None:
        self._files = files
        self._network = LoadedOnce(partial(_loaded, files))
        self._order = GiveWay()
        self._seen: dict[str, Array] = {}

    def embed(self, texts: list[str], kind: Literal["query", "passage"] = "passage") -> Array:
        if in_background():
            return self._embedded(texts)
        import numpy

        seen = self._seen
        known = {text: seen[text] for text in texts if text in seen}
        fresh = [text for text in dict.fromkeys(texts) if text not in known]
        if fresh:
            with self._order.for_a_caller():
                known |= zip(fresh, self._embedded(fresh), strict=True)
        if len(self._seen) > self.REMEMBERED:
            self._seen = {}
        self._seen |= known
        return numpy.array([known[text] for text in texts], dtype=numpy.float32).reshape(len(texts), self.dimensions)

    def embed_once(self, texts: list[str]) -> Array:
        """The vectors of texts that do not come again."""
        with self._order.for_a_caller():
            return self._embedded(texts)

    def check(self) -> str:
        self._files.check("multilingual")
        return self.name

    def _embedded(self, texts: list[str]) -> Array:
        import numpy

        pieces, network = self._network()
        made = numpy.zeros((len(texts), self.dimensions), dtype=numpy.float32)
        batch: list[list[int]] = []
        for at, text in enumerate([*texts, None]):
            ids = [] if text is None else pieces.ids(text, self.TOKENS)
            if batch and (text is None or sum(map(len, batch)) + len(ids) > self.BATCH):
                if in_background():
                    self._order.let_callers_pass()
                made[at - len(batch) : at] = network.vectors(batch)
                batch = []
            batch.append(ids)
        return made


def _loaded(files: ModelFolder) -> tuple[Unigram, _Network]:
    pieces = Unigram(files.read("multilingual", "sp.model"))
    return pieces, _Network(files.read("multilingual", "weights.npz"))


class _Network:
    def __init__(self, content: bytes) -> None:
        import numpy

        with numpy.load(io.BytesIO(content), allow_pickle=False) as kept:
            # Pieces are dealt out over the parts one by one; each part has its own scale.
            self._table = numpy.stack([kept[f"q{part + 1}"] for part in range(PARTS)])
            self._scale, self._low = kept["scale"][:, None], kept["lo"][:, None]
            self._w: dict[str, Array] = {name: kept[name] for name in kept.files if name[0] != "q"}
        sizes = [size for size, _ in WINDOWS]
        self._first, self._first_bias, self._gain, self._bias = (
            numpy.concatenate([self._w[f"{name}{size}"] for size in sizes], axis=-1)
            for name in ("proj", "proj_b", "ln_g", "ln_b")
        )
        self._least = float(self._w["eps"])

    def vectors(self, texts: list[list[int]]) -> Array:
        """Texts stand in one matrix, a row a piece, with rows of zeros between them."""
        import numpy

        rows: list[int] = []
        starts, real = [], []
        for ids in texts:
            starts.append(len(rows))
            real += [*[True] * len(ids), *[False] * GAP]
            rows += [*ids, *[0] * GAP]
        numbers, inside = numpy.array(rows), numpy.array(real)[:, None]
        part = numbers % PARTS
        pieces = self._table[part, numbers // PARTS] * self._scale[part] + self._low[part]
        seen = self._scaled(pieces @ self._first + self._first_bias, self._gain, self._bias)
        features = [pieces]
        for place, (size, before) in enumerate(WINDOWS):
            own = numpy.split(seen, len(WINDOWS), axis=1)[place] * inside
            for layer in ("1", "2"):
                weights, bias = self._w[f"w{layer}_{size}"], self._w[f"b{layer}_{size}"]
                own = (numpy.maximum(_windows(own, size, before) @ weights + bias, 0) + own) * inside
            features.append(own)
        whole = self._scaled(numpy.concatenate(features, axis=1), self._w["ln_g"], self._w["ln_b"]) * inside
        lengths: Array = numpy.array([[len(ids)] for ids in texts], dtype=numpy.float32)
        summed = numpy.add.reduceat(whole, starts, axis=0) @ self._w["cnn_W"] + lengths * self._w["cnn_b"]
        return self._deep(summed * lengths**-0.5)

    def _deep(self, summed: Array) -> Array:
        import numpy

        inner = numpy.maximum(summed @ self._w["d0"], 0)
        middle = numpy.maximum(summed @ self._w["p1"] + inner @ self._w["d1"], 0)
        last = numpy.tanh(middle @ self._w["p3"] + numpy.maximum(middle @ self._w["d2"], 0) @ self._w["d3"])
        found: Array = last / numpy.linalg.norm(last, axis=1, keepdims=True).clip(self._least)
        return found

    def _scaled(self, rows: Array, gain: Array, bias: Array) -> Array:
        """Each row with mean zero and variance one, then with the gain and bias of its columns."""
        import numpy

        rows = rows - rows.mean(axis=1, keepdims=True)
        variance = numpy.einsum("ij,ij->i", rows, rows)[:, None] / rows.shape[1]
        rows *= 1 / numpy.sqrt(variance + self._least)
        rows *= gain
        rows += bias
        return rows


def _windows(rows: Array, size: int, before: int) -> Array:
    """Each row with its neighbours beside it."""
    import numpy

    around = numpy.pad(rows, ((before, size - 1 - before), (0, 0)))
    return numpy.concatenate([around[shift : shift + len(rows)] for shift in range(size)], axis=1)
