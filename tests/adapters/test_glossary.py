"""English words for those of other languages, with the real encoder."""

from __future__ import annotations

from pathlib import Path

import pytest

from quire.adapters.glossary import Glossary, english_words
from quire.adapters.model_files import ModelFolder
from quire.adapters.multilingual import MultilingualEncoder

FILES = ModelFolder()

pytestmark = pytest.mark.skipif(not FILES.has("multilingual"), reason="quire models add multilingual")


@pytest.fixture(scope="module")
def encoder() -> MultilingualEncoder:
    return MultilingualEncoder(FILES)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("vectors")


@pytest.fixture
def glossary(encoder: MultilingualEncoder, folder: Path) -> Glossary:
    return Glossary(encoder, folder)


@pytest.mark.parametrize(
    ("word", "english"),
    [
        ("Frühstück", "breakfast"),
        ("piscine", "pool"),
        ("habitación", "room"),
        ("договор", "contract"),
        ("会议", "meeting"),
        ("erlaubt", "allowed"),
    ],
)
def test_words_of_many_languages_have_english_ones(glossary: Glossary, word: str, english: str) -> None:
    ((said, near),) = glossary.english([word])
    assert said == english
    assert near > 0.8


def test_a_likely_word_is_preferred_to_one_that_is_as_near(glossary: Glossary) -> None:
    ((alone, _),) = glossary.english(["Anfragen"])
    ((among, _),) = glossary.english(["Anfragen"], ["questions", "minute"])
    assert (alone, among) == ("inquiry", "questions")
    assert glossary.english([]) == []


def test_the_vectors_are_kept_and_damaged_ones_made_anew(
    encoder: MultilingualEncoder, folder: Path, glossary: Glossary
) -> None:
    before = glossary.english(["Schlüssel"])
    (kept,) = folder.glob("english-*.npy")
    whole = kept.read_bytes()
    kept.write_bytes(whole[:1000])
    assert Glossary(encoder, folder).english(["Schlüssel"])[0][0] == before[0][0]
    assert kept.stat().st_size == len(whole)
    assert list(folder.iterdir()) == [kept]


def test_a_folder_that_cannot_be_written_to_is_no_fault(encoder: MultilingualEncoder, tmp_path: Path) -> None:
    ((said, _),) = Glossary(encoder, tmp_path / "missing").english(["Schlüssel"])
    assert said in ("key", "keys")


def test_the_list_of_words_is_sound() -> None:
    words = english_words()
    assert len(words) == len(set(words)) > 5_000
    assert all(word.isascii() and word.islower() for word in words)
    assert {"breakfast", "the", "pay", "a", "i"} <= set(words)
    assert not {"didn", "ll", "s", "t", "ve", "x"} & set(words)


def test_keywords_are_known_for_english(glossary: Glossary) -> None:
    assert glossary.is_english(["Pool", "hours"])
    assert not glossary.is_english(["Mietvertrag", "pool"])
    assert not glossary.is_english([])
