"""What a judge is shown of a sentence."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from quire.text.asked import asked_of
from quire.text.candidates import ScoredPassage, Terms, candidates
from quire.text.judging import ALONE, EAGER, IN_PASSAGE, Judging, Page, Shown, to_judge

TEXT = """## Prices

The ticket costs 4 euros. It is valid for a day.

Bring with you:

- a torch
- good shoes

| Room | Size |
|---|---|
| Blue | 20 m² |

Is there a car park?

Behind the church, for six cars.
"""


@pytest.mark.parametrize(
    ("said", "around"),
    [
        ("It is valid for a day.", "Cave. Prices. The ticket costs 4 euros."),
        ("- a torch", "Cave. Prices. Bring with you:"),
        ("| Blue | 20 m² |", "Cave. Prices. | Room | Size |"),
        ("Behind the church, for six cars.", "Cave. Prices. Is there a car park?"),
    ],
)
def test_it_is_shown_with_what_says_what_it_is_about(said: str, around: str) -> None:
    passage = ScoredPassage(TEXT, title="Cave", language="en", heading="Visiting > Prices")
    asked = asked_of("What is there?")
    found = candidates(asked, [passage], {"en": Terms(asked.question, "en", {}, 1)})
    (one,) = [to_judge(passage, one.start, one.end) for one in found if TEXT[one.start : one.end] == said]
    assert (one.text, one.around, one.language) == (said, around, "en")


@pytest.mark.parametrize(
    ("said", "sentences"),
    [
        ("It is valid for a day.", ["It is valid for a day."]),
        ("- a torch\n- good shoes", ["- a torch", "- good shoes"]),
    ],
)
def test_it_is_shown_where_it_stands(said: str, sentences: list[str]) -> None:
    passage = ScoredPassage(TEXT, title="Cave", language="en", heading="Visiting > Prices")
    start = TEXT.index(said)
    one = to_judge(passage, start, start + len(said))
    assert one.page is not None
    assert one.page.head == "Cave. Prices"
    assert one.page.sentences[0] == "## Prices"
    assert list(one.page.sentences[one.first : one.last + 1]) == sentences


class Words:
    """Takes a text for an answer by how many words it shares with the question; remembers what it was asked."""

    name = "words"
    languages = frozenset({"en"})

    def __init__(self) -> None:
        self.asked: list[tuple[str, list[tuple[str, str]]]] = []

    def judge(self, question: str, texts: Sequence[tuple[str, str]]) -> list[float]:
        self.asked.append((question, list(texts)))
        return [float(len({*question.split()} & {*text.split()})) for text, _ in texts]

    def check(self) -> str:
        return self.name


ENGLISH = {"Wasser": "water", "kalt": "cold", "agua": "water", "fría": "cold", "水": "water"}


class Dictionary:
    """English words of a few others."""

    def is_english(self, words: Sequence[str]) -> bool:
        return False

    def told(self, word: str, language: str) -> str | None:
        return None

    def words_for(self, english: str, language: str) -> Sequence[str]:
        return ()

    def english(self, words: Sequence[str], likely: Sequence[str] = ()) -> list[tuple[str, float]]:
        return [(ENGLISH[word], 0.9) if word in ENGLISH else ("nothing", 0.2) for word in words]


def test_other_languages_are_read_by_english_words_for_theirs() -> None:
    words = Words()
    judge = Judging(words, Dictionary())
    texts = [Shown("Das Wasser ist kalt.", "Bad", "de"), Shown("The sauna is warm.", "", "en")]
    assert judge("¿Dónde está el agua fría?", "es", texts) == [4.0, 1.0]
    assert words.asked == [
        ("¿ where is the water cold ?", [("the water is cold .", "Bad"), ("The sauna is warm.", "")])
    ]


def test_what_was_read_is_not_read_again() -> None:
    words = Words()
    judge = Judging(words, None)
    one, other = Shown("The water is cold.", "", "en"), Shown("The sauna is warm.", "")
    assert judge("Is it cold.", "en", [one]) == judge("Is it cold.", "en", [one, other])[:1]
    assert [len(texts) for _, texts in words.asked] == [1, 1]


def test_without_english_words_other_languages_are_not_read() -> None:
    words = Words()
    judge = Judging(words, None)
    assert judge("Where is it?", "en", [Shown("Das Wasser", "", "de"), Shown("is here", "", None)]) == [None, 1.0]
    assert judge("Wo ist es?", "de", [Shown("is here", "", "en")]) == [None]
    assert len(words.asked) == 1


def test_a_language_whose_small_words_nobody_knows_is_not_read() -> None:
    words = Words()
    judge = Judging(words, Dictionary())
    assert judge("Where is it?", "en", [Shown("Vattnet är kallt.", "", "sv"), Shown("is here", "", "en")]) == [
        None,
        1.0,
    ]
    assert judge("Var är vattnet?", "sv", [Shown("is here", "", "en")]) == [None]


def test_a_question_that_tells_no_language_is_in_that_of_the_texts() -> None:
    words = Words()
    Judging(words, Dictionary())("Wasser kalt", None, [Shown("Das Wasser ist kalt.", "", "de")])
    assert words.asked == [("water cold", [("the water is cold .", "")])]


class Places:
    """A judge of passages that gives each sentence what it says, remembering what it read."""

    name = "places"
    languages = frozenset({"en"})

    def __init__(self) -> None:
        self.read: list[tuple[str, list[str]]] = []

    def judge(self, question: str, passages: Sequence[tuple[str, Sequence[str]]]) -> list[list[float]]:
        self.read += [(head, list(sentences)) for head, sentences in passages]
        return [[float(sentence) for sentence in sentences] for _, sentences in passages]

    def check(self) -> str:
        return self.name


def shown(page: Page, first: int, last: int, language: str = "en") -> Shown:
    return Shown(" ".join(page.sentences[first : last + 1]), "", language, page, first, last)


def test_what_is_said_of_it_where_it_stands_counts_beside() -> None:
    places = Places()
    page = Page("Numbers", tuple(str(number) for number in range(20)))
    one, both, far = shown(page, 4, 4), shown(page, 5, 6), shown(page, 19, 19)
    assert Judging(Words(), None, places)("7", "en", [one, both, far]) == [
        IN_PASSAGE * (4 - EAGER),
        IN_PASSAGE * (6 - EAGER),
        IN_PASSAGE * (19 - EAGER),
    ]
    assert places.read == [("Numbers", [str(number) for number in range(20)])]


def test_passages_that_were_skimmed_are_not_read_again() -> None:
    words, places = Words(), Places()
    page = Page("Numbers", tuple(str(number) for number in range(20)))
    judging = Judging(words, None, places)
    texts = [shown(page, at, at) for at in (4, 6)]
    seen = [IN_PASSAGE * (4 - EAGER), IN_PASSAGE * (6 - EAGER), None]
    assert judging.skim("7", "en", [*texts, Shown("nowhere", "", "en")]) == seen
    assert words.asked == []
    assert judging("7", "en", texts) == seen[:2]
    assert len(places.read) == 1
    assert judging.skim("8", "en", texts) == seen[:2]
    assert len(places.read) == 2


def test_without_a_judge_of_passages_nothing_is_skimmed() -> None:
    page = Page("Numbers", ("1", "2"))
    assert Judging(Words(), None).skim("7", "en", [shown(page, 0, 0)]) == [None]


def test_a_question_in_a_language_that_is_not_read_is_skimmed_for_by_nobody() -> None:
    places = Places()
    page = Page("Numbers", ("1", "2"))
    assert Judging(Words(), Dictionary(), places).skim("Missä?", "fi", [shown(page, 0, 0)]) == [None]
    assert places.read == []


def test_what_stands_nowhere_is_judged_by_itself() -> None:
    places = Places()
    assert Judging(Words(), Dictionary(), places)("2", "en", [Shown("2 3", "", "en")]) == [1.0]
    assert places.read == []


class Said(Places):
    """A judge of passages that remembers the question, too, and gives a sentence a number for its words."""

    def judge(self, question: str, passages: Sequence[tuple[str, Sequence[str]]]) -> list[list[float]]:
        self.read += [(question, [head, *sentences]) for head, sentences in passages]
        return [[float(len(sentence.split())) for sentence in sentences] for _, sentences in passages]


def test_passages_in_another_language_are_read_by_english_words_where_they_stand() -> None:
    said = Said()
    page = Page("Wasser", ("Wasser.", "Wasser ist kalt."))
    (verdict,) = Judging(Words(), Dictionary(), said)("¿agua?", "es", [shown(page, 1, 1, "de")])
    assert said.read == [("¿ water ?", ["water", "water .", "water is cold ."])]
    assert verdict == ALONE * 1 + IN_PASSAGE * (4 - EAGER)
