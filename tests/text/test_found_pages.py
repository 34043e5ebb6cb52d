"""What finders found: told once, ranked, described; and whether a page is about what is looked for."""

from __future__ import annotations

import pytest

from quire.domain.documents import Document
from quire.domain.web_addresses import canonical, doi_of
from quire.ports.finders import Found
from quire.text.found_pages import is_about, rank_found
from quire.text.indexing import Prepared


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://example.org/a", "https://www.example.org/a/"),
        ("https://example.org/a?utm_source=x&b=1", "https://example.org/a?b=1#part"),
        ("https://example.org:443/index.html", "https://example.org"),
        ("https://example.org/a?b=1&c=2", "https://example.org/a?c=2&b=1"),
        ("https://EXAMPLE.org/%61", "https://example.org/a"),
    ],
)
def test_addresses_of_the_same_page_are_the_same(one: str, other: str) -> None:
    assert canonical(one) == canonical(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("https://example.org/a", "https://example.org/b"), ("https://example.org/?id=1", "https://example.org/?id=2")],
)
def test_addresses_of_different_pages_are_not(one: str, other: str) -> None:
    assert canonical(one) != canonical(other)


def test_a_doi_is_found_in_an_address_and_in_a_field() -> None:
    assert doi_of("https://doi.org/10.1000/ABC.1") == doi_of("10.1000/abc.1") == "10.1000/abc.1"
    assert doi_of("https://publisher.example/doi/10.1000%2Fabc.1.") == "10.1000/abc.1"
    assert doi_of("version 10.1") is doi_of(None) is None


def test_what_fits_comes_first_whoever_found_it() -> None:
    answers = [
        [Found("Bread", "https://a.example/1", snippet="Bread is baked."), Found("Bees", "https://a.example/2")],
        [Found("How bees find their way", "https://b.example/1", snippet="Bees find home by the sun. Hives are warm.")],
    ]
    ranked = rank_found("how bees find home", answers, 10)
    assert [one.found.title for one in ranked] == ["How bees find their way", "Bees"]
    assert ranked[0].description == "Bees find home by the sun. Hives are warm."


def test_a_description_is_two_sentences_at_most_and_not_long() -> None:
    snippet = "Hives are warm. Bees find home by the sun. Wax is soft. Bees find flowers by scent. " + "Long " * 200
    (ranked,) = rank_found("bees find", [[Found("Bees", "https://a.example/", snippet=snippet)]], 5)
    assert ranked.description == "Bees find home by the sun. Bees find flowers by scent."


def test_a_page_that_has_the_thing_comes_before_one_that_has_only_the_side_of_it() -> None:
    answers = [
        [Found("The history of bread", "https://a.example/1"), Found("Tools of ropemaking", "https://a.example/2")]
    ]
    ranked = rank_found("ropemaking history", answers, 10, about="the history of ropemaking")
    assert [one.found.title for one in ranked] == ["Tools of ropemaking", "The history of bread"]


@pytest.mark.parametrize(
    ("query", "text", "about"),
    [
        ("the history of ropemaking", "The history of bread begins in Egypt.", False),
        ("the history of ropemaking", "Ropemaking needs a long walk.", True),
        ("history", "The history of bread begins in Egypt.", True),
        ("how bees find their way home", "Bees learn landmarks and find home by them.", True),
        ("how bees find their way home", "The house was sold in May.", False),
        ("how bees find their way home", "Bienen lernen Landmarken und finden damit nach Hause zurück.", True),
    ],
)
def test_a_page_is_about_what_it_names(query: str, text: str, about: bool) -> None:
    assert is_about(query, Prepared(Document(text=text), "A page")) is about
