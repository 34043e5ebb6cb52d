"""What tells of a text what it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain.documents import Mark
from quire.text.document_kinds import counted, document_kind
from quire.text.openings import opening_of
from quire.text.section_names import section_names
from quire.text.told_sources import ToldSource

DUCK = (
    "| Duck |  |\n| - | - |\n| Class: | Aves |\n\n"
    "Main page\n\nJump to navigation\n\n"
    "Duck is the common name for numerous species of waterfowl. Ducks are smaller than swans.\n\n"
    "## Etymology\n\nThe word duck comes from Old English."
)


def told(text: str, title: str, language: str = "en", kind: str = "text", marks: tuple[Mark, ...] = ()) -> list[str]:
    source = ToldSource(title, [text], language, kind, lambda: marks)
    return [source.shown(span) for span in source.spans(0)]


@pytest.mark.parametrize(
    ("title", "text", "language", "telling"),
    [
        ("Duck", DUCK, "en", "Duck is the common name for numerous species of waterfowl."),
        (
            "Notes",
            "# Tools\n\n**Feature**: store\n\n## Overview\n\nThe store is small. This contract defines six tools.",
            "en",
            "This contract defines six tools.",
        ),
        (
            "Paper",
            "# On tides\n\nA. Author\n\n## Abstract\n\nTides are old. In this paper we measure tides at sea.",
            "en",
            "In this paper we measure tides at sea.",
        ),
        ("Mietvertrag", "# Vertrag\n\nEs gilt. Dieser Vertrag regelt die Miete der Wohnung.", "de", "Dieser Vertrag"),
        ("Bail", "# Bail\n\nFait à Lyon. Le présent contrat définit la location du logement.", "fr", "Le présent"),
        ("Contrato", "# Contrato\n\nHecho aquí. Este contrato regula el alquiler del piso.", "es", "Este contrato"),
        ("Договор", "# Договор\n\nМосква. Настоящий договор определяет условия аренды.", "ru", "Настоящий договор"),
        ("合同", "# 租赁合同\n\n甲方和乙方。本合同规定了房屋租赁的条件。", "zh", "本合同规定了房屋租赁的条件。"),
        ("Bread", "# Country bread\n\nMakes one loaf of about 900 grams.", "en", "Makes one loaf of about 900 grams."),
    ],
)
def test_the_sentence_that_says_what_a_text_is(title: str, text: str, language: str, telling: str) -> None:
    opening = opening_of([text], title, language)
    assert opening.sure
    assert text[opening.telling[0].start : opening.telling[0].end].startswith(telling)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Club: minutes of 11 March\n\nPresent: Anna, Dev.", "# Club: minutes of 11 March"),
        ("# HEADER\n\nOrder receipt\n\nTable 4", "Order receipt"),
        ("MILLBANK ALLOTMENT\n\n1. Plots\nEvery plot is large.", "MILLBANK ALLOTMENT"),
        (
            "MILLBANK ALLOTMENT\nHouse rules, as agreed\n\n1. Plots\nEvery plot is large.",
            "MILLBANK ALLOTMENT\nHouse rules, as agreed",
        ),
        ("From: Joan <j@example.org>\nTo: board\nSubject: the pump\n\nDear all,\n\nI have paid.", "Subject: the pump"),
        ("Home Book Staff\n\n# Questions\n\nWe advise travellers to warm countries.", "# Questions"),
        (DUCK, None),
        ("## Page 1\n\n| a | b |\n| - | - |", None),
    ],
)
def test_the_title_that_a_text_has_for_itself(text: str, title: str | None) -> None:
    span = opening_of([text], "x", "en").title
    assert (text[span.start : span.end] if span else None) == title


def test_a_source_is_told_by_the_head_of_its_table_or_its_first_row() -> None:
    sheet = "| Item | Planned | Spent |\n| - | - | - |\n| Roof | 7150 | 7480 |\n| Boats | 1 | 2 |"
    assert told(sheet, "Budget", kind="csv") == ["Item | Planned | Spent"]
    titled = "| Stock of 2024 |  |\n| - | - |\n|  | shop |\n\n" + sheet
    assert told(titled, "Stock", kind="xlsx") == ["Stock of 2024", "Item | Planned | Spent"]
    form = "|  | SWITCHBOARD | M-0 |\n| - | - | - |\n| 1 | voltage | 130 |"
    assert told(form, "Data sheet", kind="xlsx") == ["SWITCHBOARD | M-0"]


def test_labels_menus_captions_and_quoted_mail_tell_nothing() -> None:
    text = (
        "Present: Anna Lindqvist (chair), Dev Patel.\n\nFigure 1: This is a duckling.\n\nAccept all cookies, please.\n"
    )
    assert opening_of([text], "Minutes", "en").telling == ()
    assert opening_of(["> The pump runs again since Monday.\n> Hobbs came on Saturday."], "Mail", "en").telling == ()


def test_sections_stand_for_a_source_that_does_not_say_what_it_is() -> None:
    marks = tuple(
        Mark(offset=at, kind="heading", label=label, level=level)
        for at, (label, level) in enumerate([("Minutes", 1), ("1 Roof", 2), ("2 Fees", 2), ("Contents", 2)])
    )
    assert section_names(marks, ["Minutes"]) == ["Roof", "Fees"]
    text = "# Minutes\n\nPresent: all.\n\n## 1 Roof\n\nIt leaks badly over bay three."
    assert told(text, "March", marks=marks) == ["Minutes"]
    assert section_names(marks[:2], ["Minutes"]) == []


@pytest.mark.parametrize(
    ("title", "file", "kind"),
    [
        ("Dishwasher manual", "pdf", "manual"),
        ("Minutes of March", "markdown", "minutes"),
        ("Club: minutes of the committee, 11 March", "docx", "minutes"),
        ("Switchboard data sheet", "xlsx", "data_sheet"),
        ("Mietvertrag", "pdf", "contract"),
        ("Contrat de location", "pdf", "contract"),
        ("Договор аренды", "docx", "contract"),
        ("租赁合同", "pdf", "contract"),
        ("The Invoice Murders", "epub", "book"),
        ("Duck", "html", "web_page"),
        ("Customers", "csv", "table"),
    ],
)
def test_a_document_is_of_the_kind_that_its_title_says_else_of_its_files(title: str, file: str, kind: str) -> None:
    assert document_kind([title], file) == kind


def test_documents_are_counted_in_the_questions_language() -> None:
    kinds = ["manual", "minutes", "minutes"]
    assert counted(kinds, "en") == "3 sources: 2 sets of minutes and a manual."
    assert counted(kinds, "de") == "3 Quellen: 2 Protokolle und eine Anleitung."
    assert counted(kinds, "zh") == "3个来源：2份会议纪要和1份手册。"
    assert counted(["pdf"], "ja") == "One source: a PDF."
    assert document_kind(["Country bread"], "text", ["Ingredients", "Method"]) == "recipe"


@given(st.lists(st.text(max_size=200), max_size=4), st.sampled_from(["en", "zh", None]))
def test_what_tells_are_spans_of_the_texts(texts: list[str], language: str | None) -> None:
    source = ToldSource("x", texts, language, "text", lambda: ())
    for span in source.spans(3):
        assert source.written(span).strip()
        assert isinstance(source.shown(span), str)


@pytest.mark.parametrize("unit", ["a", "| a ", "# a\n", "A b. ", "**", "[", "a: b\n", "this a ", "中"])
def test_a_long_text_of_one_thing_is_opened_in_time(unit: str) -> None:
    assert opening_of([unit * (50_000 // len(unit))], "x", "en") is not None


def test_an_identifier_for_a_heading_tells_nothing() -> None:
    name = "3f2b8c1a-77aa-4c1e-9d20-0a1b2c3d4e5f"
    shown = told(f"# {name}\n\nThe well is forty metres deep and was dug by hand.\n", "note.md")
    assert shown == ["The well is forty metres deep and was dug by hand."]


def test_a_long_overview_tells_of_every_part_of_a_source() -> None:
    texts = [
        f"## Part {word}\n\nThe {word} is kept in the {word} house by the river. It is {word} all year round there.\n"
        for word in ("barley", "copper", "cotton", "timber", "amber", "velvet")
    ]
    source = ToldSource("Goods", texts, "en", "text", lambda: ())
    assert {span.at for span in source.spans(7)} == set(range(6))
    assert len(source.spans(3)) <= 4


def test_what_stands_behind_a_label_is_told_and_a_list_of_names_is_not() -> None:
    text = (
        "# Minutes\n\nPresent: Anna Lindqvist, Dev Patel, Mara Voss.\n\n"
        "Decision: the club buys a used boat for the juniors.\n\nThe roof of the house leaks over bay three.\n"
    )
    source = ToldSource("Minutes", [text], "en", "text", lambda: ())
    shown = [source.shown(span) for span in source.spans(8)]
    assert "Decision: the club buys a used boat for the juniors." in shown
    assert not any("Anna" in one for one in shown)


def test_of_a_longer_source_more_is_told_in_the_order_of_its_text() -> None:
    words = ("barley", "copper", "cotton", "timber", "amber", "velvet", "indigo", "pewter", "saffron", "walnut")
    text = "\n\n".join(
        f"The {one} comes by ship every spring. It is kept in the {one} house all year." for one in words
    )
    source = ToldSource("Goods", [text], "en", "text", lambda: ())
    assert len(source.spans(4)) < len(source.spans(4, 9)) <= 9
    assert source.spans(4, 9) == sorted(source.spans(4, 9))


def test_the_first_line_is_told_from_its_first_word() -> None:
    text = "Handover, Ward 3, 6 May 2025, 13:30. Transcript of the recording.\n\nWe begin with bay one.\n"
    assert told(text, "Handover")[0] == "Handover, Ward 3, 6 May 2025, 13:30. Transcript of the recording."


def test_a_long_sentence_about_something_else_is_no_definition() -> None:
    text = (
        "Dear Mum,\n\nyou asked how he is doing, so I write. On Tuesday it went well, since there was a digger here.\n"
    )
    opening = opening_of([text], "Letter", "en")
    assert text[opening.telling[0].start :].startswith("you asked")
