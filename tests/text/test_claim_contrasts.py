"""A claim that takes a word from one side of a contrast, and the rest from the other, is not borne out."""

from __future__ import annotations

import pytest

from quire.text.claim_check import fault_of

SALES = "Sales rose in spring and dropped sharply in autumn. The north gained guests while the south lost some."
RENT = "The tenant pays for electricity, the landlord for repairs."
LADDER = "Helen lent the ladder to Marco, who returned it in June. Marco then sold his own ladder to Ines."
VALVES = "The upper valve must be opened before the lower valve is closed."
ENGINE = "It uses less fuel but needs more oil."
TEAM = "The red team won the first match and lost the second."


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (SALES, "Sales rose sharply in autumn."),
        (SALES, "The south gained guests."),
        (RENT, "The tenant pays for repairs."),
        (LADDER, "Helen returned it in June."),
        (LADDER, "Ines sold her ladder to Marco."),
        (VALVES, "The lower valve must be opened before the upper valve is closed."),
        (ENGINE, "It uses more fuel."),
    ],
)
def test_what_the_text_says_of_another_is_a_fault(text: str, claim: str) -> None:
    assert fault_of(claim, text) is not None


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (SALES, "In autumn sales fell sharply."),
        (SALES, "The south lost some guests."),
        (RENT, "The tenant pays for electricity."),
        (ENGINE, "It needs more oil."),
        (TEAM, "The red team lost the second match."),
        ("The pass is open from May to October.", "From May to October the pass is open."),
    ],
)
def test_one_side_of_a_contrast_by_itself_is_borne_out(text: str, claim: str) -> None:
    assert fault_of(claim, text) is None
