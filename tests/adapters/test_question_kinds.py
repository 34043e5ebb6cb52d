"""Wishes that rules do not know, told by the embedder's vectors; with its real weights where they are here."""

from __future__ import annotations

from pathlib import Path

import pytest

from quire.adapters.embedders import MiniLm
from quire.adapters.model_files import ModelFolder
from quire.adapters.question_kinds import QuestionKinds
from quire.ports.search import Wish

pytest.importorskip("numpy", reason="numpy comes with the extra embedder")
pytestmark = pytest.mark.skipif(not ModelFolder().runs("minilm"), reason="the model minilm is not here")

HELD_OUT = Path(__file__).parents[2] / "training" / "wordings" / "held-out"


@pytest.fixture(scope="module")
def kinds() -> QuestionKinds:
    return QuestionKinds(MiniLm(ModelFolder()))


@pytest.mark.parametrize(
    ("question", "wish"),
    [
        ("Somebody left me this binder, what am I looking at?", "overview"),
        ("Give me the lay of the land before I read all of it.", "overview"),
        ("I need whichever of these files deals with parking permits.", "documents"),
        ("Point me to whichever file covers lost keys.", "documents"),
        ("How many flowers does a honey bee visit?", None),
        ("Which documents do I need for the visa?", None),
        ("What is the summary fee?", None),
    ],
)
def test_wishes_are_told_from_questions_for_facts(kinds: QuestionKinds, question: str, wish: Wish | None) -> None:
    assert kinds.wish(question) == wish


@pytest.mark.parametrize(("name", "wish", "least"), [("overview", "overview", 0.9), ("neither", None, 0.9)])
def test_of_words_that_nobody_learnt_from_nearly_all_are_understood(
    kinds: QuestionKinds, name: str, wish: Wish | None, least: float
) -> None:
    questions = (HELD_OUT / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    told = [kinds.wish(question) == wish for question in questions]
    assert sum(told) >= least * len(told)
