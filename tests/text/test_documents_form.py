"""Documents that are asked for, each with the place that tells most shortly that it speaks of the thing."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import cast

from quire.domain.chat import ChatConfiguration
from quire.domain.documents import Place
from quire.domain.passages import Passage, PassageHit
from quire.text.asked import asked_of
from quire.text.check_citations import Draft
from quire.text.forms.documents import documents
from quire.text.makers import WritingTask
from quire.text.source_reader import SourceReader
from quire.text.words import language_of


def task_of(question: str, *texts: str, reader: SourceReader | None = None) -> WritingTask:
    """A question to texts, each a source of one passage called Source 1, Source 2 ..."""
    hits = [
        PassageHit(
            passage=Passage(
                id=number,
                source_id=str(number),
                source_title=f"Source {number}",
                version=1,
                start=0,
                end=len(text),
                text=text,
                place=Place(),
                language=language_of(text),
            ),
            score=1.0,
        )
        for number, text in enumerate(texts, 1)
    ]
    return WritingTask(question, hits, (), ChatConfiguration(), {}, len(texts), reader=reader)


def excerpts_of(task: WritingTask, draft: Draft) -> list[str]:
    return [task.hits[claim.passage].passage.text[claim.start : claim.end] for claim in draft.claims]


def told(question: str, *texts: str) -> tuple[str, list[str]]:
    """The text of the answer and what it cites; empty where no document is told."""
    task = task_of(question, *texts)
    draft = documents(task, asked_of(question))
    return ("", []) if draft is None else (draft.text, excerpts_of(task, draft))


def test_documents_are_told_by_the_shortest_sentence_or_clause_that_speaks_of_the_thing() -> None:
    texts = (
        "After the long winter the dinghy lay under the roof of the shed with the others. The dinghy is blue.",
        "We found a bag of old sails in the attic of the club house on Sunday; the dinghy has a hole in its bottom; the"
        " key of the house is lost since the summer feast.",
    )
    excerpts = told("Which documents mention the dinghy?", *texts)[1]
    assert excerpts == ["The dinghy is blue.", "the dinghy has a hole in its bottom"]
    answer, excerpts = told("Where can I read about the dinghy? Names only.", *texts)
    assert answer == "Source 1 [1]\nSource 2 [2]"
    assert len(excerpts) == 2


def test_documents_are_told_by_the_thing_where_what_is_done_with_it_is_said_otherwise() -> None:
    texts = ("Tickets for cash are sold at the kiosk.", "The ban on cash caused quarrels.", "Fridays are quiet.")
    assert told("Where can I read about paying in cash?", *texts)[1] == list(texts[:2])
    assert told("Which documents mention swimming pools?", "The club has a pool of cars.") == ("", [])
    assert told("Which documents say something about fridges?", *texts) == ("", [])
    assert told("Which documents mention quarrels or tickets?", *texts)[1] == list(texts[:2])


class GermanAnimals:
    """Tells a few words of German."""

    def told(self, word: str, language: str) -> str | None:
        return {"hunde": "dogs"}.get(word)

    def words_for(self, english: str, language: str) -> Sequence[str]:
        return ["Hund", "Hunde"] if english == "dogs" and language == "de" else []


def test_documents_are_told_in_other_languages_where_a_glossary_knows_the_thing() -> None:
    german = "Hunde übernachten im Schuppen und nicht im Haus der Hütte."
    english = "Dogs are allowed on the trail on a lead, and a hundred goats."
    other = "A hundred goats live on the hill above the hut."
    known = SimpleNamespace(
        ports=SimpleNamespace(glossary=GermanAnimals()),
        search=lambda *_: [],
        titles=lambda: {"1": "Source 1", "2": "Source 2", "3": "Source 3"},
    )
    for question in ("Which documents mention dogs?", "Welche Dokumente erwähnen Hunde?"):
        task = task_of(question, german, english, other, reader=cast(SourceReader, known))
        draft = documents(task, asked_of(question))
        assert draft is not None
        assert excerpts_of(task, draft) == [german, english]
