"""What a question for an overview wants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import pytest

from quire.ports.search import SourceHead, Wish
from quire.text.answering import _understood
from quire.text.asked import asked_of
from quire.text.overview_questions import asks_what_is_said, overview_wish
from quire.text.source_intros import named, spread


@pytest.mark.parametrize(
    "question",
    [
        "What is this about?",
        "What is this notebook about?",
        "What's in here?",
        "What are these documents?",
        "Please give me a short summary of the sources",
        "Summarise these documents briefly.",
        "What are the main points?",
        "What are the main topics of this notebook?",
        "I started today and know nobody, could you tell me what these papers are about?",
        "Worum geht es in diesem Notizbuch?",
        "Fasse die Dokumente kurz zusammen",
        "De quoi parle ce carnet ?",
        "Résume les documents",
        "¿De qué trata este cuaderno?",
        "О чём этот блокнот?",
        "这个笔记本讲了什么？",
        "总结一下这些资料",
    ],
)
def test_a_question_for_all_sources_names_none(question: str) -> None:
    assert asked_of(question).kind == "overview"
    assert overview_wish(question).name == ""


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Summarize the Normans article", "Normans"),
        ("Summarise the lease", "lease"),
        ("What is “Minutes of March” about?", "Minutes of March"),
        ("Worum geht es in „Mietvertrag“?", "Mietvertrag"),
        ("Fasse den Mietvertrag zusammen", "Mietvertrag"),
        ("Can you summarise “Lease”?", "Lease"),
        ("Kannst du „Vertrag“ zusammenfassen?", "Vertrag"),
        ("Peux-tu résumer « Bail » ?", "Bail"),
        ("¿Puedes resumir «Contrato»?", "Contrato"),
        ("Каково краткое содержание «Договор»?", "Договор"),
        ("能总结一下“合同”吗？", "合同"),
        ("О чём «Договор аренды»?", "Договор аренды"),
        ("“租赁合同”讲了什么？", "租赁合同"),
    ],
)
def test_a_question_for_one_source_names_it(question: str, name: str) -> None:
    assert asked_of(question).kind == "overview"
    assert overview_wish(question).name == name


@pytest.mark.parametrize(
    ("question", "name", "topic"),
    [
        ("What does the lease say about pets?", "lease", "pets"),
        ("What does “Minutes of March” say about “New boats”?", "Minutes of March", "New boats"),
        ("Was steht in „Mietvertrag“ zu „Haustiere“?", "Mietvertrag", "Haustiere"),
        ("Que dit « Bail » sur « Caution » ?", "Bail", "Caution"),
        ("¿Qué dice «Contrato» sobre «Fianza»?", "Contrato", "Fianza"),
        ("Что говорится в «Договор» о «Залог»?", "Договор", "Залог"),
        ("“合同”对“押金”有什么说明？", "合同", "押金"),
    ],
)
def test_what_a_source_says_about_something(question: str, name: str, topic: str) -> None:
    assert asks_what_is_said(question)
    wish = overview_wish(question)
    assert (wish.name, wish.topic) == (name, topic)


def test_how_much_is_wanted() -> None:
    assert overview_wish("What are these documents?").depth == "kind"
    assert overview_wish("Summarise the lease").depth == "content"
    assert overview_wish("What are the main topics?").depth == "topics"


def test_a_source_is_named_by_its_title_its_file_or_its_kind() -> None:
    heads = [
        SourceHead("1", "Tenancy agreement", "markdown", "lease.md"),
        SourceHead("2", "Country bread", "pdf", None),
        SourceHead("3", "Minutes of March", "markdown", "minutes_march.md"),
        SourceHead("4", "Minutes of June", "markdown", None),
    ]

    def ids(name: str) -> list[str]:
        return [head.id for head in named(heads, name)]

    assert ids("Country bread") == ["2"]
    assert ids("lease") == ["1"]
    assert ids("contract") == ["1"]
    assert ids("March minutes") == ["3"]
    assert ids("minutes") == ["3", "4"]
    assert ids("volcano") == []
    assert [head.id for head in spread(heads, 2)] == ["1", "3"]
    assert spread(heads, 9) == heads


class AlwaysOverview:
    def wish(self, question: str) -> Wish:
        return "overview"


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Somebody dropped this on my desk, help me see through it", "overview"),
        ("There is a jar with foreign writing on it. Who can tell us what is inside?", "fact"),
    ],
)
def test_who_asks_for_a_person_is_given_no_overview(question: str, kind: str) -> None:
    assert _understood(AlwaysOverview(), None, question, []).kind == kind


class InEnglishWords:
    """Tells words of other languages by some English ones."""

    words: ClassVar[dict[str, str]] = {"stukken": "papers", "vertel": "tell", "inhoud": "content"}

    def told(self, word: str, language: str) -> str | None:
        return None

    def words_for(self, english: str, language: str) -> Sequence[str]:
        return ()

    def english(self, words: Sequence[str], likely: Sequence[str] = ()) -> list[tuple[str, float]]:
        return [
            (self.words.get(word.casefold(), word), 1.0 if word.casefold() in self.words else 0.0) for word in words
        ]


class OverviewOfPapers:
    def wish(self, question: str) -> Wish | None:
        return "overview" if "papers" in question else None


def test_a_wish_in_another_language_is_told_by_its_english_words() -> None:
    question = "Vertel me eens iets van de inhoud van deze stukken"
    understood = _understood(OverviewOfPapers(), InEnglishWords(), question, [])
    assert (understood.kind, understood.language) == ("overview", "nl")
    assert _understood(OverviewOfPapers(), None, question, []).kind == "fact"


@pytest.mark.parametrize(
    "question",
    [
        "whats the article by Ragna Solheim about",
        "the owners chat, short version please",
        "Mi fai un breve riassunto di questi documenti?",
        "Kun je me vertellen waar deze stukken over gaan?",
    ],
)
def test_more_words_for_overviews(question: str) -> None:
    assert asked_of(question).kind == "overview"


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("whats been going on in the owners chat, short version", "owners chat"),
        ("What is Dr Abara telling him in her letter, briefly?", "Dr Abara letter"),
        ("What's this Mr Holt on about in his letter?", "Mr Holt letter"),
        ("what are the neighbours on about in the chat", "neighbours chat"),
        ("What was discussed at the staff meeting, in brief?", "staff meeting"),
        ("in a few words, what did the surveyor write?", "surveyor"),
        ("whats in the letters to granny", "letters granny"),
    ],
)
def test_what_a_source_tells_as_a_whole_is_asked_in_many_ways(question: str, name: str) -> None:
    assert asked_of(question).kind == "overview"
    assert overview_wish(question).name == name


@pytest.mark.parametrize(
    "question",
    [
        "What did Roy say in the chat?",
        "What did the doctor write in the letter about his knee?",
        "What is the date of the letter?",
        "What is the rent in the contract?",
        "What happened at the lock?",
        "What is written on the label?",
    ],
)
def test_who_asks_what_a_source_says_of_one_thing_or_one_of_many_said_in_it_wants_no_overview(question: str) -> None:
    assert asked_of(question).kind != "overview"


@pytest.mark.parametrize("unit", ["what did say in the ", "what is a ", "in short, ", "what is in the letter of ", " "])
def test_a_long_question_for_an_overview_is_understood_in_time(unit: str) -> None:
    asked_of((unit * 1000)[:1000])
    overview_wish((unit * 1000)[:1000])


def test_what_is_wanted_of_an_overview_beside_its_name() -> None:
    assert overview_wish("jar contents").keywords
    assert not overview_wish("what is in the jar").keywords
    assert overview_wish("What does the article say?").kind == "article"
    assert overview_wish("Gist of the letter to Ann").reader == "Ann"
