"""Questions for documents: what is one, and of what the documents are to speak."""

from __future__ import annotations

import pytest

from quire.text.asked import asked_of
from quire.text.document_questions import topic_of


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
