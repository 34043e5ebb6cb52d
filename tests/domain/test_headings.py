"""Titles and headings that say something."""

from __future__ import annotations

import pytest

from quire.domain.headings import same_words, says_nothing


@pytest.mark.parametrize(
    "label",
    [
        "3f2a1b4c-1234-4abc-9def-001122334455",
        "{3F2A1B4C-1234-4ABC-9DEF-001122334455}",
        "3f2a1b4c-1234-4abc-9def-0011223",
        "3f2a1b4c12344abc9def001122334455",
        "042bb7b5fedab6eac7db576522b89b93904c237d",
        "IMG_1234.JPG",
        "document(1).pdf",
        "index.html",
        "3f2a1b4c-1234-4abc-9def-001122334455.html",
    ],
)
def test_ids_hashes_and_names_that_nobody_gave_say_nothing(label: str) -> None:
    assert says_nothing(label)


@pytest.mark.parametrize(
    "label",
    [
        "2024",
        "Defaced",
        "config.py",
        "annual report 2024.pdf",
        "Node.js",
        "1.2 Setup",
        "Page 7",
        "",
        "1" * 240 + "!.pdf",
    ],
)
def test_anything_else_is_left_to_its_author(label: str) -> None:
    assert not says_nothing(label)


def test_labels_are_the_same_but_for_signs_and_case() -> None:
    assert same_words("Harbour  Rebuilt!", "harbour rebuilt")
    assert not same_words("Harbour", "Harbour rebuilt")
    assert not same_words("***", "...")
