"""Dictionaries: English words for those of other languages, and the other way."""

from __future__ import annotations

from importlib import resources

import pytest

from quire.adapters.dictionary import FOLDER, Dictionary, dictionary
from quire.text.gloss_words import SMALL_WORDS

LANGUAGES = sorted(
    file.name.removesuffix(".txt") for file in resources.files("quire.adapters").joinpath(FOLDER).iterdir()
)


def test_each_language_has_a_dictionary_but_turkish() -> None:
    assert set(LANGUAGES) == SMALL_WORDS.keys() - {"tr"}
    assert dictionary("tr") is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_dictionary_has_thousands_of_words_each_once_and_with_one_meaning(language: str) -> None:
    lines = resources.files("quire.adapters").joinpath(FOLDER, f"{language}.txt").read_text(encoding="utf-8")
    pairs = [line.split("=") for line in lines.splitlines()]
    assert len(pairs) > 4_000
    assert all(len(pair) == 2 and pair[0] == pair[0].strip().casefold() and pair[1].strip() for pair in pairs)
    assert not any(" " in word for word, _ in pairs)
    assert len({word for word, _ in pairs}) == len(pairs)


@pytest.mark.parametrize(
    ("language", "word", "english"),
    [
        ("de", "kündigungsfrist", "notice period"),
        ("de", "hausmeister", "caretaker"),
        ("fr", "locataire", "tenant"),
        ("es", "caldera", "boiler"),
        ("it", "caricatore", "charger"),
        ("pt", "janela", "window"),
        ("nl", "sleutel", "key"),
        ("pl", "klucz", "key"),
        ("ru", "бассейн", "swimming pool"),
        ("zh", "暖气", "heating"),
    ],
)
def test_words_are_told_in_english(language: str, word: str, english: str) -> None:
    found = dictionary(language)
    assert found is not None
    assert found.english(word) == english


def test_forms_of_a_word_are_told_by_its_stem() -> None:
    words = Dictionary({"mieter": "tenant", "haus": "house"}, "de")
    assert words.english("mietern") == "tenant"
    assert words.english("hausen") == "house"
    assert words.english("maus") is None


def test_words_that_are_written_together_are_told_by_their_parts() -> None:
    words = Dictionary({"verein": "club", "kasse": "cash", "wart": "keeper", "beitrag": "fee"}, "de")
    assert words.english("vereinsbeitrag") == "club fee"
    assert words.english("kassenwart") == "cash keeper"
    assert words.english("unbeitrag") is None
    assert Dictionary({"club": "club", "house": "house"}, "fr").english("clubhouse") is None


def test_english_words_are_told_by_those_that_mean_just_that_first() -> None:
    words = Dictionary({"jahresbeitrag": "annual fee", "gebühr": "fee", "gebühren": "fees", "tag": "day"}, "de")
    assert words.words_for("fee") == ["gebühr", "gebühren", "jahresbeitrag"]
    assert words.words_for("Fees")[0] == "gebühren"
    assert not words.words_for("night")


def test_what_is_longer_than_any_word_is_not_looked_for() -> None:
    words = Dictionary({"verein": "club", "kasse": "cash"}, "de")
    assert words.english("vereinskasse") == "club cash"
    assert words.english("verein" * 20 + "kasse") is None
