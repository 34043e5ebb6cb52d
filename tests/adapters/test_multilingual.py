"""The encoder of many languages: its pieces, and sentences that mean the same in different languages."""

from __future__ import annotations

import struct

import pytest

from quire.adapters.model_files import ModelFolder
from quire.adapters.multilingual import MultilingualEncoder
from quire.adapters.unigram import SPACE, Unigram

numpy = pytest.importorskip("numpy", reason="numpy comes with the extra embedder")

here = pytest.mark.skipif(not ModelFolder().runs("multilingual"), reason="the model multilingual is not here")


def pieces(*rows: tuple[str, float]) -> bytes:
    """A model in SentencePiece's form, with fields that say nothing to us."""
    made = b""
    for text, score in rows:
        raw = text.encode()
        row = b"\x0a" + bytes([len(raw)]) + raw + b"\x15" + struct.pack("<f", score) + b"\x18\x01"
        made += b"\x0a" + bytes([len(row)]) + row
    return made + b"\x12\x02\x08\x05"


MODEL = pieces(
    ("<unk>", 0), ("<s>", 0), ("</s>", 0), (SPACE, -5), (SPACE + "moon", -3), ("light", -4), (SPACE + "moonlight", -9),
    ("s", -2), ("月", -6), ("月光", -7), ("光", -6),
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("", [1, 0, 2]),
        ("moon", [1, 4, 2]),
        ("moonlight", [1, 4, 5, 2]),
        ("\ufeffmoon\u200blights", [1, 4, 3, 5, 7, 2]),
        ("moon x", [1, 4, 3, 0, 2]),
        ("月光", [1, 3, 9, 2]),
        ("moon " * 50, [1, 4, 4, 4, 4, 4, 4, 2]),
        ("s" * 10_000, [1, 3, 7, 7, 7, 7, 7, 2]),
    ],
)
def test_words_are_cut_into_the_likeliest_pieces(text: str, ids: list[int]) -> None:
    assert Unigram(MODEL).ids(text, 8) == ids


@here
def test_what_means_the_same_is_near_in_other_languages() -> None:
    encoder = MultilingualEncoder(ModelFolder())
    english, *others = encoder.embed(
        [
            "Ducks should not be fed bread.",
            "Enten soll man kein Brot füttern.",
            "不应该用面包喂鸭子。",
            "Уток нельзя кормить хлебом.",
        ]
    )
    far = encoder.embed(["Die Börse schloss am Montag im Minus."])[0]
    assert english.shape == (512,)
    assert english.dtype == numpy.float32
    assert all(float(english @ other) > 0.6 for other in others)
    assert float(english @ far) < 0.3
    texts = ["Short.", "A text of a few more words about the moon.", "moon " * 700, "", "é\u4e2d!"]
    together = encoder.embed(texts)
    assert numpy.allclose(together, numpy.vstack([encoder.embed([text]) for text in texts]), atol=1e-5)
    assert encoder.embed([]).shape == (0, 512)
    assert encoder.check() == encoder.name
