"""What Quire says in its own words, in the reader's language."""

from __future__ import annotations

import pytest

from quire.text.wording import LANGUAGE_NAMES, WORDINGS, source_language, wording


@pytest.mark.parametrize("language", sorted(WORDINGS))
def test_every_language_has_all_sentences_and_names_all_languages(language: str) -> None:
    said = wording(language)
    assert all(said)
    assert [sentence.count("{}") for sentence in said] == [0, 1, 0, 1, 1, 0]
    assert LANGUAGE_NAMES[language].keys() == LANGUAGE_NAMES["en"].keys() >= WORDINGS.keys()


def test_a_language_without_sentences_is_answered_in_english() -> None:
    assert wording("sw") == wording(None) == wording("en") == wording("en-GB")


@pytest.mark.parametrize(
    ("reader", "languages", "said"),
    [
        ("de", ["en"], "(Die Quelle ist auf Englisch.)"),
        ("zh", ["en"], "（资料原文为英语。）"),
        ("ru", ["en", "de", "en"], "(Язык источника: английский, немецкий.)"),
        (None, ["fr"], "(The source is in French.)"),
        ("en", ["xx"], ""),
    ],
)
def test_it_is_said_which_language_a_quote_is_in(reader: str | None, languages: list[str], said: str) -> None:
    assert source_language(languages, reader) == said
