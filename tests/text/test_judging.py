"""What a judge is shown of a sentence."""

from __future__ import annotations

import pytest

from quire.text.asked import asked_of
from quire.text.candidates import ScoredPassage, Terms, candidates
from quire.text.judging import to_judge

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
    (one,) = [to_judge(passage, one) for one in found if TEXT[one.start : one.end] == said]
    assert (one.text, one.around) == (said, around)
