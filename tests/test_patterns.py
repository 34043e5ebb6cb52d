"""Every regular expression of ours takes a time that grows only with the text, whatever the text."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from hostile_texts import OF_QUESTIONS, OF_SENTENCES, THOROUGH, Growth, Trial, apply, expressions, hostile
from quire.text import asked
from quire.text.headings import EMPHASIS, LONGEST
from quire.text.question_making import LONGEST_SENTENCE

# Patterns that are never given a longer text.
BOUNDED = {
    EMPHASIS: LONGEST,
    **dict.fromkeys(OF_SENTENCES, LONGEST_SENTENCE),
    **dict.fromkeys(OF_QUESTIONS, asked.LONGEST),
}


@pytest.mark.parametrize("trial", [Trial(), pytest.param(THOROUGH, marks=pytest.mark.long)], ids=["quick", "thorough"])
def test_no_pattern_takes_long_for_a_bad_text(trial: Trial) -> None:
    slow = {}
    for expression in expressions():
        for method in sorted(expression.used):
            growth = Growth(partial(apply, expression.pattern, method), trial)
            for made in hostile(expression.pattern, trial):
                if grew := growth.beyond(bounded(expression.pattern, made)):
                    slow[f"{expression.where} {method}"] = f"{grew}: {made(24)!r}"
                    break
    assert slow == {}


def bounded(pattern: re.Pattern[Any], made: Callable[[int], Any]) -> Callable[[int], Any]:
    most = BOUNDED.get(pattern)
    return made if most is None else lambda size: made(size)[:most]


def test_a_pattern_that_takes_the_square_of_a_text_is_found() -> None:
    pattern = re.compile(r"[ \t]+$", re.MULTILINE)
    growth = Growth(partial(apply, pattern, "sub"), Trial())
    assert any(growth.beyond(made) for made in hostile(pattern, Trial()))
