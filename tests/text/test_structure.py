"""Structure: lists, tables, labels and questions of texts as readers give them, as exact spans."""

from __future__ import annotations

import pytest

from quire.text.structure.lines import labelled, questions, titled
from quire.text.structure.parts import ItemList, Part, Prose, Table
from quire.text.structure.scan import parts_of

RECEIPT = """# Receipt

Order items:

Itemized list of products.

| Nr. | Item | Quantity |
| - | - | - |
| I | Coffee | 1 |
| II | Lunch \\| menu B | 2 |

Thank you
"""
INVOICE = """|  |  | HARBOUR GARAGE 12 Quay Street |  |  |
| - | - | - | - | - |
| Name | Ida Holm |  | Year | 2021 |
| Claim # | 17 |  | Model | Kestrel |
|  |  | Hours | Rate | Cost |
| Paint |  | 2 | 50 | 100 |
| GRAND TOTAL |  |  |  | 1,240 |
"""


def _only(text: str, kind: type[Part]) -> Part:
    (part,) = [part for part in parts_of(text) if isinstance(part, kind)]
    return part


def test_a_table_has_its_caption_its_head_and_exact_cells() -> None:
    table = _only(RECEIPT, Table)
    assert isinstance(table, Table)
    assert table.head is not None
    assert table.lead is not None
    assert RECEIPT[slice(*table.lead)] == "Itemized list of products."
    assert [RECEIPT[slice(*cell)] for cell in table.head.cells] == ["Nr.", "Item", "Quantity"]
    assert [RECEIPT[slice(*cell)] for cell in table.rows[1].cells] == ["II", "Lunch \\| menu B", "2"]
    assert RECEIPT[table.rows[0].start : table.rows[0].end] == "| I | Coffee | 1 |"
    assert table.section is not None
    assert table.section.title == "Receipt"


def test_the_labels_of_a_form_stand_beside_their_values_whatever_its_first_row_is() -> None:
    table = _only(INVOICE, Table)
    assert isinstance(table, Table)
    assert table.head is None
    found = {INVOICE[slice(*field.label)]: INVOICE[slice(*field.value)] for field in labelled(INVOICE, table)}
    assert found["Name"] == "Ida Holm"
    assert found["Model"] == "Kestrel"
    assert found["GRAND TOTAL"] == "1,240"
    model = next(field for field in labelled(INVOICE, table) if INVOICE[slice(*field.label)] == "Model")
    assert INVOICE[model.start : model.end] == "Model | Kestrel"


def test_a_data_sheet_counts_its_rows_and_sets_its_values_off() -> None:
    text = "| Power |  |  |  |\n| - | - | - | - |\n| 1 | Voltage | kV | : | 130 |\n| 2 | No. of phases |  | : | 3 |\n"
    table = _only(text, Table)
    found = {text[slice(*field.label)]: text[slice(*field.value)] for field in labelled(text, table)}
    assert found == {"Voltage": "kV | : | 130", "No. of phases": "3"}


@pytest.mark.parametrize(
    ("text", "items", "numbered"),
    [
        ("Bring:\n\n- a\n- b\n\n- c\n\nText.", ["a", "b", "c"], False),
        ("1. a\n2. b\n- x\n- y\n3. c", ["a", "b", "x", "y", "c"], True),
        ("[x] a\n\n[ ] b\n\n[x] c", ["a", "b", "c"], False),
        ("- 1. a\n- 2. b", ["a", "b"], True),
        ("Schritt 1: a\nSchritt 2: b", ["a", "b"], True),
        ("1、洗手\n2、擦干", ["洗手", "擦干"], True),
        ("（1）первый\n（2）второй", ["первый", "второй"], True),
        ("1. a\n   goes on\n2. b", ["a\n   goes on", "b"], True),
    ],
)
def test_a_list_has_all_its_items(text: str, items: list[str], numbered: bool) -> None:
    found = _only(text, ItemList)
    assert isinstance(found, ItemList)
    assert [text[slice(*item.text)] for item in found.items] == items
    assert found.numbered is numbered


def test_two_lists_under_each_other_stay_two() -> None:
    text = "- a\n- b\n\n1. c\n2. d\n\n1. e\n2. f\n\n* g\n* h"
    assert [len(part.items) for part in parts_of(text) if isinstance(part, ItemList)] == [2, 2, 2, 2]


def test_an_item_reaches_over_what_is_nested_in_it() -> None:
    text = "- Asia\n  - China\n    - Beijing\n  - Japan\n- Africa"
    found = _only(text, ItemList)
    assert isinstance(found, ItemList)
    assert [text[item.start : item.end].count("\n") for item in found.items] == [3, 1, 0, 0, 0]
    assert [item.depth for item in found.items] == [0, 1, 2, 1, 0]


def test_one_marked_line_is_no_list() -> None:
    assert not [part for part in parts_of("A. Smith wrote it.\n\n- and so on") if isinstance(part, ItemList)]


def test_a_lead_in_is_the_sentence_before_a_list_and_not_the_text_above_it() -> None:
    text = "It was warm. Take along:\n\n- a hat\n- water\n\nWe left late.\n\n- dust\n- rain"
    first, second = [part for part in parts_of(text) if isinstance(part, ItemList)]
    assert first.lead
    assert text[slice(*first.lead)] == "Take along:"
    assert second.lead is None


def test_parts_know_the_headings_that_they_stand_under() -> None:
    (part,) = [part for part in parts_of("# A\n\n## B\n\n### C\n\n## D\n\nText.") if isinstance(part, Prose)]
    assert part.section is not None
    assert [section.title for section in part.section.path()] == ["D", "A"]


def test_code_has_no_lists_and_no_headings() -> None:
    text = "Run:\n\n```\n# not a heading\n- not an item\n- neither\n```\n\nDone."
    assert [type(part).__name__ for part in parts_of(text)] == ["Prose", "Code", "Prose"]


@pytest.mark.parametrize(
    ("text", "label", "value"),
    [
        ("**Type**: MCP tools", "Type", "MCP tools"),
        ("City tax:    1.65 EUR", "City tax", "1.65 EUR"),
        ("- Leere Anfrage: liefert alles\n- b", "Leere Anfrage", "liefert alles"),
        ("负责人：王芳", "负责人", "王芳"),
    ],
)
def test_a_label_is_set_off_by_a_colon(text: str, label: str, value: str) -> None:
    (field,) = labelled(text, parts_of(text)[0])
    assert (text[slice(*field.label)], text[slice(*field.value)]) == (label, value)


@pytest.mark.parametrize(
    "text",
    [
        "It began at 10:30 sharp",
        "See https://example.org for more",
        "The Normans (French: Normands) came.",
        "Note: " + "it goes on " * 30,
    ],
)
def test_not_every_colon_sets_off_a_label(text: str) -> None:
    assert not list(labelled(text, parts_of(text)[0]))


def test_a_short_first_line_is_the_title_of_an_item() -> None:
    text = "5. Fire\nBonfires are allowed in November.\n\n6. Animals\nHens may be kept. Dogs stay on the lead."
    found = [(text[slice(*field.label)], text[field.start : field.end]) for field in titled(text, parts_of(text)[0])]
    assert [label for label, _ in found] == ["Fire", "Animals"]
    assert found[1][1].startswith("6. Animals\nHens")


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        (
            "## When?\n\nAt ten.\n\n## Where?\n\n- here\n- there\n",
            [("## When?", "At ten."), ("## Where?", "- here\n- there")],
        ),
        ("**Can I pay by card?**\n\nYes, from 10 euros.", [("**Can I pay by card?**", "Yes, from 10 euros.")]),
        ("Q: Is it open?\n\nA: Every day.", [("Q: Is it open?", "Every day.")]),
        (
            "Wann kommt der Bus?\n\nUm acht.\n\nWohin?\n\nNach Ulm.",
            [("Wann kommt der Bus?", "Um acht."), ("Wohin?", "Nach Ulm.")],
        ),
        ("Why is that? Nobody knows.\n\nStill.", []),
        ("Why?\n\nWho?\n\n", []),
    ],
)
def test_questions_that_a_text_puts_have_its_answers(text: str, pairs: list[tuple[str, str]]) -> None:
    found = [(text[slice(*one.question)], text[slice(*one.answer)]) for one in questions(text, parts_of(text))]
    assert found == pairs


@pytest.mark.parametrize(
    "text",
    [
        "| " * 20_000,
        "- " * 20_000,
        "\n".join(" " * n + "- a" for n in range(400)),
        "a:" * 20_000,
        "? \n\n" * 10_000,
        "*" * 40_000,
    ],
)
def test_what_is_no_structure_is_read_to_its_end(text: str) -> None:
    parts = parts_of(text)
    list(questions(text, parts))
    assert all(0 <= part.start <= part.end <= len(text) for part in parts)
    assert sum(len(list(labelled(text, part))) for part in parts) <= len(text)
