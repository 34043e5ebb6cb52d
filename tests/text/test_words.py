"""Words are cut alike in texts and in questions, whatever their script, and in a time that grows with their length."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from spans import LARGE, large_sizes

from quire.text.languages import IRREGULAR, LANGUAGES, QUESTION_PHRASES, SCRIPTS, STEM_LENGTHS, UNSPACED
from quire.text.words import (
    LONGEST,
    is_piece,
    language_code,
    language_of,
    pairs,
    query_tokens,
    repeating_query_tokens,
    tokens,
)

FOXES = "The quick brown foxes jumped over lazy dogs in 1,999 cafés"


@pytest.mark.parametrize(
    ("text", "language", "found"),
    [
        ("The cats were running", "en", ["cat", "run"]),
        ("It began when the children went", "en", ["begin", "child", "go"]),
        ("the US, the WHO and IT, but not us or who", "en", ["us", "who", "it"]),
        ("The U.S. Army's e-mail", "en", ["us", "armi", "e", "mail", "email"]),
        ("1,000.50 or 1.000,50 or 1,000,000 or 2.5", "en", ["1000point50", "1000point50", "1000000", "2point5"]),
        ("v2.1 of GPT-4o in C++ and C#", "en", ["v2point1", "gpt", "4o", "gpt4o", "cplusplus", "csharp"]),
        ("getUserName", "en", ["getusernam", "get", "user", "name"]),
        ("don’t stop", "en", ["stop"]),
        ("naïve café Ångström", "en", ["naiv", "cafe", "angstrom"]),
        ("Straße in Zürich", "de", ["strass", "zurich"]),
        ("l'école d'été", "fr", ["ecol"]),
        ("İstanbul ILIK", "tr", ["istanb", "ilik"]),
        ("фотосинтеза Python", "ru", ["фотоси", "python"]),
        ("هذا الكِتَاب", "ar", ["كتاب"]),
        ("हिन्दी में पुस्तकें", "hi", ["हिन्द", "पुस्तक"]),
        ("光合作用", "zh", ["光", "合", "作", "用", "光合", "合作", "作用"]),
        ("用Python写", "zh", ["用", "python", "写"]),
        ("日本のカメラ", "ja", ["日", "本", "日本", "のカ", "カメ", "メラ"]),
        ("ไทย", "th", ["ไท", "ทย"]),
        ("", "en", []),
        ("?!… — «»", "en", []),
    ],
)
def test_a_text_is_cut_into_its_words(text: str, language: str, found: list[str]) -> None:
    assert tokens(text, language) == found


@pytest.mark.parametrize(
    ("question", "languages", "found"),
    [
        ("When did the Normans invade?", ["en"], ["norman", "invad"]),
        ("Who is he?", ["en"], ["who", "is", "he"]),
        ("The cat and the cats", ["en"], ["cat"]),
        ("光合作用是什么？", ["zh"], ["光", "合", "作", "用", "是", "光合", "合作", "作用", "用是"]),
        ("running", ["en", "de"], ["run", "running"]),
        ("running", [], ["run"]),
        ("", ["en"], []),
    ],
)
def test_a_question_keeps_the_words_that_tell(question: str, languages: list[str], found: list[str]) -> None:
    assert query_tokens(question, languages) == found


def test_a_question_may_keep_a_word_as_often_as_it_has_it() -> None:
    question = "The cat sees cats running, a dog runs"
    assert repeating_query_tokens(question, ["en"]) == ["cat", "see", "cat", "run", "dog", "run"]
    # A word is one word, however many languages cut it alike.
    assert repeating_query_tokens("Hamburg is Hamburg", ["en", "de"]) == ["hamburg", "hamburg"]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The cat sat on the mat and it was happy.", "en"),
        ("Der Hund ist nicht im Haus und die Katze auch nicht.", "de"),
        ("Le chat est sur la table avec les souris.", "fr"),
        ("El perro está en la casa de los vecinos.", "es"),
        ("Il gatto è sul tavolo con il cane e non si muove.", "it"),
        ("Это по-русски, и она была там.", "ru"),
        ("Це українська мова, і вона є", "uk"),
        ("これは日本語です。漢字もあります。", "ja"),
        ("这是中文", "zh"),
        ("한국어 문장입니다", "ko"),
        ("นี่คือภาษาไทย", "th"),
        ("Αυτό είναι ένα κείμενο", "el"),
        ("هذا نص باللغة العربية", "ar"),
        ("¿Puedo viajar mientras se tramita la solicitud?", "es"),
        ("Ile kosztuje bilet?", "pl"),
        ("Que mangent les canards ?", "fr"),
        ("Was fressen Enten?", "de"),
        ("Was Anna late?", None),
        ("Was it left open?", "en"),
        ("price per extra TB", None),
        ("xyzzy plugh", None),
        ("123 456", None),
        ("", None),
    ],
)
def test_the_language_is_told_by_script_and_function_words(text: str, language: str | None) -> None:
    assert language_of(text) == language


def test_a_name_that_comes_often_does_not_make_a_text_foreign() -> None:
    text = "Los Angeles is large. Los Angeles has the port. People of Los Angeles and of the valley went to Los Gatos."
    assert language_of(text) == "en"


@pytest.mark.parametrize(
    ("written", "code"), [("pt-BR", "pt"), ("EN_us", "en"), ("nb", "no"), ("", None), (None, None), ("zh-Hans", "zh")]
)
def test_a_language_tag_is_brought_to_two_letters(written: str | None, code: str | None) -> None:
    assert language_code(written) == code


def test_neighbours_are_paired_but_not_the_pieces_of_unspaced_scripts() -> None:
    assert pairs(["wing", "body", "wing", "body"]) == [("wing", "body"), ("body", "wing")]
    assert pairs(["光", "光合"]) == []
    assert is_piece("光合")
    assert not is_piece("light")


def test_every_language_and_script_is_whole() -> None:
    for code, language in LANGUAGES.items():
        assert language.function_words, code
        assert tokens(" ".join(sorted(language.function_words)), code) == [], code
        assert tokens("1999", code) == ["1999"]
    assert UNSPACED.keys() <= SCRIPTS.keys()
    assert STEM_LENGTHS.keys() <= LANGUAGES.keys()
    assert all(QUESTION_PHRASES.values())
    assert not set(IRREGULAR) & set(IRREGULAR.values()) - {"lay"}


LETTERS = st.text(st.characters(exclude_categories=("Cs",)), max_size=300)


@given(LETTERS, st.sampled_from([None, "en", "ru", "zh", "ar", "tr", "vi", "th", "xx"]))
def test_tokens_are_plain_and_stable(text: str, language: str | None) -> None:
    found = tokens(text, language)
    assert found == tokens(text, language)
    for token in found:
        assert token
        assert not any(letter.isspace() or letter in "\"'*()" for letter in token)


@given(st.lists(st.sampled_from(FOXES.split())))
def test_what_a_text_says_a_question_of_the_same_words_finds(words: list[str]) -> None:
    text = " ".join(words)
    assert set(tokens(text, "en")) <= set(query_tokens(text, ["en"]))


@pytest.mark.parametrize(
    "unit",
    ["a", " ", "[", ")", "\u0301", "a\u0301", "中", "ก", "가", ".", "a.", "1,", "a'", "a-", "_", "aB", "\u200d", "\n"],
)
@large_sizes
def test_a_long_text_of_one_thing_is_cut_in_time(unit: str, size: int) -> None:
    found = tokens(unit * (size // len(unit)), "en")
    assert all(0 < len(token) <= LONGEST for token in found)
    assert language_of(unit * size) in (None, "en", "zh", "th", "ko")


def test_what_is_too_long_for_a_word_is_known_by_its_beginning() -> None:
    assert tokens("a" * LARGE, "en") == ["a" * LONGEST] == query_tokens("a" * 10_000, ["en"])


def test_a_question_of_signs_that_unfold_into_sentences_is_cut_in_time() -> None:
    assert query_tokens("\ufdfa" * 10_000, ["en", "ar"])
