"""A claim that joins the subject of one clause to what another clause says of another is not borne out."""

from __future__ import annotations

import time

import pytest

from quire.text.claim_check import fault_of

TREES = "Walnut trees are never permitted; pear trees need the consent of the board."
HEDGES = "Hedges along the paths are cut to 1.25 metres and hedges between neighbours to 1.80 metres."
RETURNS = "The sales tax return is filed every quarter, the income tax return once a year by 31 May."
QUOTES = "Kernow wants 3,150 pounds, Bolitho 2,890 and Heatwise 3,480."
HIP = "Mr Okafor got a new hip on Sunday and goes home on Friday."
MACHINES = "The Corvo can brew and steam at once. The Bianchetti is cheaper, but one has to wait."
SWAP = "Ferhat had proposed the fee. Lore organises the plant swap."
PERCH = "Perch grow more slowly in brown water; roach showed no such trend."
CERTIFICATE = "Live vaccines are not given in pregnancy, but the flu vaccine is fine."
VOTE = "Frau Wolny wurde zur Sprecherin gewählt, Herr Almeida ist ihr Stellvertreter."
WINE = "Белое вино показалось слишком кислым, а красное понравилось всем."
PASSPORT = "爸爸的护照明年三月十五号到期，要先去大使馆换新的。"


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (TREES, "Walnut trees need the consent of the board."),
        (HEDGES, "Hedges between neighbours are cut to 1.25 metres."),
        (RETURNS, "The income tax return is filed every quarter."),
        (RETURNS, "The sales tax return is filed once a year."),
        (QUOTES, "Heatwise wants 3,150 pounds."),
        (QUOTES, "Kernow wants 2,890 pounds."),
        (HIP, "Mr Okafor goes home on Sunday."),
        (MACHINES, "The Bianchetti can brew and steam at once."),
        (MACHINES, "The Corvo is cheaper than the Bianchetti."),
        (SWAP, "Ferhat organises the plant swap."),
        (PERCH, "Roach grow more slowly in brown water."),
        (PERCH, "Pike grow more slowly in brown water."),
        (PERCH, "Perch grow faster in brown water."),
        (VOTE, "Herr Almeida wurde zur Sprecherin gewählt."),
        (VOTE, "Frau Huber wurde zur Sprecherin gewählt."),
        (WINE, "Красное вино показалось слишком кислым."),
        (PASSPORT, "爸爸的护照明年五月十五号到期。"),
    ],
)
def test_what_is_said_of_another_is_a_fault(text: str, claim: str) -> None:
    assert fault_of(claim, text) is not None


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (TREES, "Pear trees need the board's consent."),
        (HEDGES, "Hedges along the paths are cut to 1.25 metres."),
        (RETURNS, "The income tax return has to be filed by 31 May each year."),
        (QUOTES, "Heatwise wants £3,480."),
        (HIP, "Mr Okafor goes home on Friday."),
        (MACHINES, "The Corvo can brew and steam at once."),
        (SWAP, "Lore organises the plant swap."),
        (PERCH, "In brown water perch grow more slowly."),
        (CERTIFICATE, "In pregnancy, live vaccines are not given."),
        (VOTE, "Zur Sprecherin wurde Frau Wolny gewählt."),
        (WINE, "Белое вино показалось слишком кислым."),
        (PASSPORT, "爸爸的护照明年三月十五号到期。"),
        ("The bridge was built by Hale. The structure cost 5 million euros.", "The bridge cost 5 million euros."),
        ("Julian and Rosa met in May and left in June.", "Rosa and Julian left in June."),
    ],
)
def test_what_is_said_of_it_is_borne_out(text: str, claim: str) -> None:
    assert fault_of(claim, text) is None


def test_a_text_of_nothing_but_clauses_takes_no_longer() -> None:
    text = ", ".join(
        f"team {letter} won {number} and lost {number + 1}" for number, letter in enumerate("abcdefgh" * 20)
    )
    began = time.perf_counter()
    fault_of("team a won 3 and lost 4 and " * 18, text)
    assert time.perf_counter() - began < 1.0
