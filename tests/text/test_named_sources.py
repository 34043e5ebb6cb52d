"""Which sources a question means by a name."""

from __future__ import annotations

import pytest

from quire.ports.search import SourceHead
from quire.text.named_sources import named

TITLES = (
    "Letter 1911, Olav to Ingrid",
    "Letter 1913, Ingrid to Olav",
    "Letter to the editor",
    "Members' chat, May",
    "Kettle 3 quick guide",
    "Quotation of Abel",
    "Offer Brandt",
    "Staff meeting minutes 3 March",
)
HEADS = [SourceHead(title, title, "text", None) for title in TITLES]
BEGUN = {
    "Letter to the editor": "Letter to the editor\n\nSir,\n\nwhat use is a bus?\n\nYours faithfully\nCornelius Holt\n",
    "Kettle 3 quick guide": "Kettle 3: quick guide\n\nKeep this guide in the box.\n",
    "Members' chat, May": "Chat of the members\n\nOlav: I met Ingrid.\n",
}


@pytest.mark.parametrize(
    ("name", "reader", "titles"),
    [
        ("members chat going", "", ["Members' chat, May"]),
        ("Ingrid letter", "", ["Letter 1913, Ingrid to Olav"]),
        ("letter Ingrid", "Ingrid", ["Letter 1911, Olav to Ingrid"]),
        ("Mr Holt letter", "", ["Letter to the editor"]),
        ("1911 letter", "", ["Letter 1911, Olav to Ingrid"]),
        ("letters", "", list(TITLES[:3])),
        ("two offers", "", ["Quotation of Abel", "Offer Brandt"]),
        ("meeting", "", ["Staff meeting minutes 3 March"]),
        ("kettle guide", "", ["Kettle 3 quick guide"]),
        ("kettle box", "", []),
        ("volcano", "", []),
    ],
)
def test_a_source_is_meant_by_its_title_its_kind_or_who_wrote_it(name: str, reader: str, titles: list[str]) -> None:
    assert [head.title for head in named(HEADS, name, BEGUN, reader)] == titles


def test_what_most_titles_have_in_common_is_no_name_of_one() -> None:
    heads = [SourceHead(title, title, "text", None) for title in ("Harbour API", "Harbour news", "Ticket 12")]
    assert named(heads, "harbour") == heads
    assert [head.title for head in named(heads, "harbour news")] == ["Harbour news"]


@pytest.mark.parametrize("unit", ["a ", "the letter to ", "letters ", "1", "'"])
def test_a_long_name_is_looked_up_in_time(unit: str) -> None:
    named(HEADS, (unit * 1000)[:1000], {title: (unit * 5000)[:20_000] for title in TITLES})
