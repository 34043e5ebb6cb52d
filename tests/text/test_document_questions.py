"""Questions for documents: what is one, and of what the documents are to speak."""

from __future__ import annotations

import pytest

from quire.text.asked import asked_of
from quire.text.document_questions import either, topic_of, topics_of, wants_names_only


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("In which of the two contracts is there a penalty clause?", "penalty clause"),
        ("garden fence - which docs?", "garden fence"),
        ("Solar panels are covered in which files?", "Solar panels"),
        ("Is the ferry mentioned in one of these documents?", "ferry"),
        ("Do we have any file covering first aid?", "first aid"),
        ("List the papers that touch on night work.", "night work"),
        ("Which of the letters bring up the Treaty of Westphalia?", "Treaty of Westphalia"),
        ('In which documents is the word "emergency exit" used?', "emergency exit"),
        ("In welchen Dokumenten geht es um Kündigungsfristen?", "Kündigungsfristen"),
        ("¿En qué cartas se habla de la sequía?", "la sequía"),
        ("Какие файлы касаются ремонта?", "ремонта"),
    ],
)
def test_which_documents_speak_of_something_is_asked_in_many_ways(question: str, topic: str) -> None:
    assert asked_of(question).kind == "documents"
    assert topic_of(question) == topic


@pytest.mark.parametrize(
    "question",
    [
        "What documents do I need to bring for registration?",
        "Which papers must be signed by the tenant?",
        "Which article has the shortest guarantee?",
        "How many pages has the rule book?",
        "What does the first aid kit contain?",
        "What are these papers about?",
    ],
)
def test_what_asks_for_something_else_of_documents_is_none(question: str) -> None:
    assert asked_of(question).kind != "documents"


@pytest.mark.parametrize("unit", ["which of the ", "in which file ", "docs about ", "list the "])
def test_long_questions_are_understood_in_time(unit: str) -> None:
    assert asked_of(unit * 200)


@pytest.mark.parametrize(
    ("question", "topics"),
    [
        ("where can i read about paying in cash? names only", ["paying in cash", "cash"]),
        ("in which papers is there anything about watching television", ["watching television", "television"]),
        ("where can I find anything on parking? just name the documents", ["parking"]),
        ("where can I read about how cold the cellar is?", ["cellar"]),
        ("In which files it is written about the pump?", ["pump"]),
    ],
)
def test_where_something_is_to_be_read_about_is_a_question_for_documents(question: str, topics: list[str]) -> None:
    assert asked_of(question).kind == "documents"
    assert topics_of(question) == topics


@pytest.mark.parametrize("question", ["Where can I find the key?", "Where do I see the doctor?", "Where can I look?"])
def test_where_a_thing_is_asks_for_no_document(question: str) -> None:
    assert asked_of(question).kind != "documents"


def test_one_of_two_things_is_enough_where_neither_takes_a_word_from_the_other() -> None:
    assert either("wasps or hornets") == ["wasps", "hornets"]
    assert either("summer or winter holidays") == ["summer or winter holidays"]


def test_who_wants_names_alone() -> None:
    assert wants_names_only("where is the boiler mentioned? titles only")
    assert not wants_names_only("Which papers mention names?")


@pytest.mark.parametrize("unit", ["where can i read ", "how cold the ", "just the ", "watching ", "names "])
def test_long_topics_are_told_in_time(unit: str) -> None:
    topics_of((unit * 1000)[:1000])
