"""What the judge is taught from: every answer stands in its documents, and some questions have none."""

from __future__ import annotations

from pathlib import Path

import pytest

from written import notebooks


def test_answers_stand_in_their_documents() -> None:
    found = list(notebooks())
    assert [one for notebook in found for one in notebook.missing()] == []
    answered = [bool(question.answers) for notebook in found for question in notebook.questions]
    assert len(answered) > 9_000
    assert 0.25 < answered.count(False) / len(answered) < 0.45


def test_what_is_no_question_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("=== x\n--- doc: T\nText.\n--- ask\nQ: Who?\nA: Text\nWhat?\n")
    with pytest.raises(ValueError, match=r"a\.txt:7"):
        list(notebooks(tmp_path))


def test_an_answer_that_stands_nowhere_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("=== x\n--- doc: T\nSome *text*.\n--- ask\nQ: Who?\nA: some text || no text\n")
    (one,) = notebooks(tmp_path)
    assert one.missing() == ["a-1: no text"]
