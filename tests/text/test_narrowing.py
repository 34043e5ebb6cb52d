"""What was told before is not told again as a whole: of it, only what answers is."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from quire.domain.chat import ChatConfiguration
from quire.domain.passages import Passage, PassageHit, Place
from quire.text.asked import asked_of
from quire.text.judging import Shown
from quire.text.makers import Told, WritingTask
from quire.text.narrowing import narrowed
from quire.text.quotes import draft_of_quotes

BOOK = "Her book for children came out in 2019 and won the Brightwater Prize."


def task_of(text: str, *, judged: bool = True, told: Sequence[Told] = ()) -> WritingTask:
    passage = Passage.model_construct(
        id="p", source_id="s", source_title="Portrait", start=0, end=len(text), text=text, language="en", place=Place()
    )

    def judge(question: str, language: str | None, texts: Sequence[Shown]) -> list[float]:
        return [1.0 if "Prize" in one.text else -1.0 for one in texts]

    hits = [PassageHit.model_construct(passage=passage, score=1.0, similarity=None)]
    return WritingTask(
        "Did it win anything?", hits, [], ChatConfiguration(), {}, 1, judge=judge if judged else None, told=told
    )


@pytest.mark.parametrize(("judged", "told"), [(True, "and won the Brightwater Prize [1]"), (False, f"{BOOK} [1]")])
def test_of_a_sentence_that_was_told_the_clause_that_answers_is_told(judged: bool, told: str) -> None:
    task = task_of(BOOK, judged=judged)
    draft = narrowed(draft_of_quotes(task.hits, [(0, 0, len(BOOK))], 0.8), task, asked_of("Did it win anything?"))
    assert draft.text == told
    assert BOOK[draft.claims[0].start : draft.claims[0].end].strip(". ") in told


def test_a_clause_is_not_cut_in_the_middle_where_a_judge_can_tell() -> None:
    text = "The Prize is given for three years and may not be shared at the same time."
    task = task_of(text)
    draft = narrowed(
        draft_of_quotes(task.hits, [(0, 0, len(text))], 0.8), task, asked_of("And can one person have both?")
    )
    assert draft.text == "The Prize is given for three years [1]"


def test_a_sentence_of_one_clause_stays_whole() -> None:
    text = "Her book won the Brightwater Prize."
    task = task_of(text)
    draft = draft_of_quotes(task.hits, [(0, 0, len(text))], 0.8)
    assert narrowed(draft, task, asked_of("Did it win anything?")) == draft


def test_a_sentence_of_several_that_were_told_stays_whole() -> None:
    text = f"She writes in a shed. {BOOK}"
    start = text.index(BOOK)
    for first, whole in ((0, True), (start, False)):
        task = task_of(text, told=[("s", first, len(text))])
        draft = draft_of_quotes(task.hits, [(0, start, len(text))], 0.8)
        assert (narrowed(draft, task, asked_of("Did it win anything?")) == draft) is whole


def test_of_a_sentence_that_was_told_the_clause_that_is_judged_to_answer_is_told_whatever_is_asked() -> None:
    task = task_of(BOOK)
    draft = narrowed(draft_of_quotes(task.hits, [(0, 0, len(BOOK))], 0.8), task, asked_of("And what came of it?"))
    assert draft.text == "and won the Brightwater Prize [1]"


def test_of_rows_that_were_told_each_tells_what_is_asked() -> None:
    table = (
        "| Line | Weekdays every | Sundays every |\n| --- | --- | --- |\n"
        "| 7 | 15 minutes | 30 minutes |\n| 9 | 30 minutes | 60 minutes |"
    )
    task = task_of(table)
    spans = [(0, at := table.index(row), at + len(row)) for row in table.split("\n")[2:]]
    draft = narrowed(draft_of_quotes(task.hits, spans, 0.8), task, asked_of("And on weekdays?"))
    assert draft.text == "7, Weekdays every: 15 minutes [1]\n9, Weekdays every: 30 minutes [2]"
    assert [table[one.start : one.end] for one in draft.claims] == table.split("\n")[2:]
