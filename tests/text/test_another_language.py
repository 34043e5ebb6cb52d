"""Sentences in another language than the question's: what a judge reads of them counts beside their signs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, cast

from quire.domain.documents import Place
from quire.domain.passages import Passage, PassageHit
from quire.ports.search import Embedder, Glossary
from quire.text.across import AcrossLanguages
from quire.text.asked import asked_of
from quire.text.forms.another_language import Candidate, Signs, _compares, _judged
from quire.text.judging import Judge, Page, Shown
from quire.text.words import tokens

GERMAN = "Der Pool liegt hinter dem Haus. Er ist von neun bis neunzehn Uhr offen. Handtücher gibt es am Empfang."
POOL, HOURS, TOWELS = GERMAN.index("Der"), GERMAN.index("Er ist"), GERMAN.index("Hand")


def hit() -> PassageHit:
    passage = Passage.model_construct(
        id="p", source_id="s", source_title="Hotel", text=GERMAN, start=0, end=len(GERMAN), language="de", place=Place()
    )
    return PassageHit.model_construct(passage=passage, score=1.0, similarity=None)


def candidates() -> list[Candidate]:
    signs = Signs(*[0.0] * len(Signs._fields))
    ends = {POOL: HOURS - 1, HOURS: TOWELS - 1, TOWELS: len(GERMAN)}
    return [
        Candidate(0, start, ends[start], signs, score) for start, score in [(POOL, 9.0), (HOURS, 8.0), (TOWELS, 2.0)]
    ]


def judged(judge: Judge) -> list[Candidate]:
    return _judged([hit()], asked_of("When is the pool open?"), "en", candidates(), judge)


def test_the_sentence_that_a_judge_takes_for_an_answer_comes_first() -> None:
    asked: list[tuple[str, str | None, Sequence[Shown]]] = []

    def judge(question: str, language: str | None, texts: Sequence[Shown]) -> list[float]:
        asked.append((question, language, texts))
        return [4.0 if "neunzehn" in text.text else -3.0 for text in texts]

    found = judged(judge)
    assert [one.start for one in found] == [HOURS, POOL, TOWELS]
    assert [one.verdict for one in found] == [4.0, -3.0, -3.0]
    ((question, language, texts),) = asked
    assert (question, language) == ("When is the pool open?", "en")
    pool, hours, towels = (
        "Der Pool liegt hinter dem Haus.",
        "Er ist von neun bis neunzehn Uhr offen.",
        "Handtücher gibt es am Empfang.",
    )
    assert texts[1] == Shown(hours, f"Hotel. {pool}", "de", Page("Hotel", (pool, hours, towels)), 1, 1)


def test_what_cannot_be_read_stands_behind_what_was() -> None:
    found = judged(lambda question, language, texts: [None, 1.0, None])
    assert found[0].start == HOURS
    assert [one.verdict for one in found[1:]] == [None, None]


def test_where_nothing_can_be_read_the_signs_decide() -> None:
    assert judged(lambda question, language, texts: [None] * len(texts)) == candidates()


def test_a_question_that_goes_on_is_read_alone_and_with_the_one_before() -> None:
    follows = replace(asked_of("And on Sunday?"), about="pool open", before="When is the pool open?")

    def judge(question: str, language: str | None, texts: Sequence[Shown]) -> list[float]:
        return [1.0 if "neunzehn" in text.text and "Sunday" in question else -2.0 for text in texts]

    found = _judged([hit()], follows, "en", candidates(), judge)
    assert found[0].start == HOURS


def test_a_question_that_goes_on_from_none_is_read_once() -> None:
    read: list[str] = []

    def judge(question: str, language: str | None, texts: Sequence[Shown]) -> list[float]:
        read.append(question)
        return [0.0] * len(texts)

    judged(judge)
    assert read == ["When is the pool open?"]


class Told:
    """A glossary that knows a few Russian words."""

    words: ClassVar[dict[str, str]] = {"дороже": "more expensive", "билет": "ticket", "абонемент": "subscription"}

    def told(self, word: str, language: str) -> str | None:
        return self.words.get(word)

    def words_for(self, english: str, language: str) -> Sequence[str]:
        return [word for word, said in self.words.items() if said == english]

    def english(self, words: Sequence[str], likely: Sequence[str] = ()) -> list[tuple[str, float]]:
        return [(word, 0.0) for word in words]

    def is_english(self, words: Sequence[str]) -> bool:
        return False


def across(question: str, language: str, glossary: Glossary | None = None) -> AcrossLanguages:
    return AcrossLanguages(question, language, cast(Embedder, None), None, glossary=glossary)


def test_a_comparison_is_known_by_the_english_words_for_its_own() -> None:
    question = "Что дороже, билет или абонемент?"
    assert asked_of(question).kind == "fact"
    assert not _compares(across(question, "ru"), asked_of(question))
    assert _compares(across(question, "ru", Told()), asked_of(question))
    other = "Сколько стоит билет?"
    assert not _compares(across(other, "ru", Told()), asked_of(other))


def test_the_words_of_a_question_are_looked_for_in_the_language_of_the_sources() -> None:
    assert across("Сколько стоит абонемент?", "ru", Told()).tokens_in("en") == tokens("subscription", "en")
    assert across("How much is the ticket?", "en", Told()).tokens_in("ru") == tokens("билет", "ru")
    assert not across("Сколько стоит абонемент?", "ru", Told()).tokens_in("ru")
    assert not across("Сколько стоит абонемент?", "ru").tokens_in("en")
