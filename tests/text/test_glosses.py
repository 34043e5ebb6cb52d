"""Texts of other languages in English words."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from quire.text.gloss_words import SMALL_WORDS
from quire.text.glosses import MOST_WORDS, Glosser

NEAREST = {
    "Miete": ("rent", 0.83),
    "piscine": ("pool", 0.95),
    "Ferrer": ("ferry", 0.65),
    "早餐": ("breakfast", 0.88),
    "早": ("early", 0.7),
    "钥匙": ("key", 0.85),
    "会议": ("meeting", 0.9),
    "费用": ("fee", 0.83),
    "在谁": ("who", 0.7),
}


TOLD = {("de", "schlüssel"): "key", ("zh", "退房"): "check out", ("es", "pilar"): "pillar", ("es", "caldera"): "boiler"}


class Nearest:
    """Knows a few words; what it was asked for is remembered."""

    def told(self, word: str, language: str) -> str | None:
        return TOLD.get((language, word))

    def words_for(self, english: str, language: str) -> Sequence[str]:
        return [word for (own, word), said in TOLD.items() if own == language and said == english]

    def is_english(self, words: Sequence[str]) -> bool:
        return False

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.likely: Sequence[str] = ()

    def english(self, words: Sequence[str], likely: Sequence[str] = ()) -> list[tuple[str, float]]:
        self.asked += words
        self.likely = likely
        return [NEAREST.get(word, ("tarrow", 0.5)) for word in words]


@pytest.mark.parametrize(
    ("text", "language", "said"),
    [
        ("Wer zahlt die Miete?", "de", "who zahlt the rent ?"),
        ("Où Ferrer n'est pas à la piscine.", "fr", "where Ferrer ' is not to the pool ."),
        ("Le vote : Ferrer, 14.30", "fr", "the vote : Ferrer , 14.30"),
        ("早餐几点？", "zh", "breakfast how many o'clock ?"),
        ("钥匙在谁那", "zh", "key in who that"),
        ("会议的费用", "zh", "meeting of fee"),
        ("Wie hei\u00df\u0074 er?", "de", "how is called he ?"),
        ("fu\u0308r die Mie\u00adte", "de", "for the rent"),
        ("Zahlen Sie 7 g bei Ihrem Arzt", "de", "Zahlen you 7 g at your Arzt"),
        ("Sie ist da", "de", "they is da"),
        ("", "de", ""),
        ("Die Schlüssel", "de", "the key"),
        ("几点退房？", "zh", "how many o'clock check out ?"),
        ("La caldera de Pilar. Caldera", "es", "the boiler of Pilar . boiler"),
    ],
)
def test_each_word_is_told_by_an_english_one(text: str, language: str, said: str) -> None:
    assert Glosser(Nearest()).glossed([(text, language)]) == [said]


def test_small_words_and_numbers_are_not_looked_up_and_others_once() -> None:
    nearest = Nearest()
    glosser = Glosser(nearest, ["rent", "rent", "flat"])
    glosser.glossed([("Die Miete ist 420 Euro", "de"), ("Miete und Euro", "de")])
    glosser.glossed([("Miete?", "de")])
    assert nearest.asked == ["Miete", "Euro"]
    assert nearest.likely == ["rent", "flat"]


def test_what_was_glossed_before_is_told_by_the_same_words() -> None:
    nearest = Nearest()
    before = Glosser(nearest)
    before.glossed([("Miete", "de")])
    assert Glosser(nearest, ["flat"], before).glossed([("Die Miete", "de")]) == ["the rent"]
    assert nearest.asked == ["Miete"]


def test_a_long_text_is_told_as_far_as_a_judge_reads() -> None:
    nearest = Nearest()
    long, unspaced = Glosser(nearest).glossed([("Miete " * 50_000, "de"), ("早餐" * 50_000, "zh")])
    assert set(long.split()) == {"rent"}
    assert len(long.split()) == MOST_WORDS
    assert unspaced.split() == ["breakfast"] * (MOST_WORDS // 2)


def test_small_words_are_told_in_plain_english() -> None:
    for language, words in SMALL_WORDS.items():
        assert all(word == word.casefold() for word in words), language
        assert all(english.isascii() for english in words.values()), language
