"""Reports, quizzes, flashcards, mind maps and data tables: what they say, and that sources say it."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any, get_args

import pytest
from documents import LIGHTHOUSES, OWLS, WAELDER, content, evidence, source

from quire.domain.artifacts import Difficulty, Quantity
from quire.domain.errors import Conflict
from quire.domain.reports import ReportForm
from quire.local.artifact_grounds import statements
from quire.studio.evidence import Hit
from quire.studio.labels import LABELS
from quire.studio.source_text import shown

TEXTS = {"id-Owls": OWLS, "id-Lighthouses": LIGHTHOUSES, "id-Wälder": WAELDER}
KINDS = ("report", "quiz", "flashcards", "mind_map", "data_table")


def grounds_of(made: Any) -> list[Any]:
    found = [grounds for statement in statements(made) for grounds in statement.grounds]
    return found + [grounds for row in getattr(made, "rows", []) for grounds in row.grounds]


@pytest.mark.parametrize("kind", KINDS)
def test_all_that_is_cited_stands_where_it_says(kind: str) -> None:
    made = content(kind)
    cited = grounds_of(made)
    assert len(cited) >= 4
    for grounds in cited:
        assert TEXTS[grounds.source_id][grounds.start : grounds.end] == grounds.excerpt
    for statement in statements(made):
        if "|" not in statement.grounds[0].excerpt:
            assert statement.text == shown(statement.grounds[0].excerpt)


@pytest.mark.parametrize("form", get_args(ReportForm))
def test_a_report_tells_each_part_once_and_nothing_that_leans_on_another(form: str) -> None:
    made = content("report", format=form)
    texts = [item.statement.text for one in made.sections for block in one.blocks for item in block.items]
    told = [one for one in texts if texts.count(one) > 1]
    assert form == "study_guide" or told == []
    assert {"Owls", "Lighthouses"} <= {one.heading for one in made.sections}
    whole = " ".join(texts)
    for unwanted in ("It is said", "See also", "Retrieved", "www."):
        assert unwanted not in whole
    assert all(one.blocks for one in made.sections)


def test_a_list_that_two_sections_of_a_source_hold_is_told_once() -> None:
    listed = "- List item 1\n- List item 2\n"
    text = "# About\n\nA garden needs tools that fit the hand of those who work in it.\n\n"
    text += f"# Morning\n\n{listed}\n# Evening\n\n{listed}"
    made = content("report", evidence(source(text, "Tools")), format="briefing_doc")
    texts = [item.statement.text for one in made.sections for block in one.blocks for item in block.items]
    assert [one for one in texts if one.startswith("List item")] == ["List item 1", "List item 2"]


def test_a_study_guide_has_terms_and_questions_with_answers() -> None:
    made = content("report", evidence(source(OWLS, "Owls")), format="study_guide")
    blocks = {block.form: block for one in made.sections for block in one.blocks}
    terms = {item.label: item.statement.text for item in blocks["terms"].items}
    assert terms["Pellet"] == "A pellet is a lump of bones and fur that an owl coughs up."
    assert all(item.label.endswith("?") for item in blocks["questions"].items)
    assert blocks["table"].heads == ["Species", "Weight in g", "Clutch"]
    assert [one.heading for one in made.sections][:4] == ["Summary", "Hearing", "Flight", "Food"]


def test_a_report_about_something_leaves_out_what_is_not_about_it() -> None:
    start = OWLS.index("## Hearing")
    focus = (Hit("id-Owls", start, OWLS.index("## Flight"), 1.0),)
    made = content("report", evidence(source(OWLS, "Owls"), focus=focus), format="custom")
    assert [one.heading for one in made.sections][1:] == ["Hearing"]


def test_a_report_about_one_section_of_one_of_several_sources_tells_of_that_alone() -> None:
    focus = (Hit("id-Owls", OWLS.index("## Hearing"), OWLS.index("## Flight"), 1.0),)
    sources = (source(OWLS, "Owls"), source(LIGHTHOUSES, "Lighthouses"))
    made = content("report", evidence(*sources, focus=focus), format="custom")
    assert [one.heading for one in made.sections] == ["Summary", "Owls"]
    assert {one.grounds[0].source_title for one in statements(made)} == {"Owls"}
    told = [item.statement.grounds[0] for block in made.sections[1].blocks for item in block.items]
    assert told
    assert all(focus[0].start <= one.start and one.end <= focus[0].end for one in told)


@pytest.mark.parametrize("language", sorted(LABELS))
def test_labels_are_in_the_language_asked_for_and_quotes_in_their_own(language: str) -> None:
    made = content("report", evidence(source(WAELDER, "Wälder", "de")), language, format="study_guide")
    assert made.title == LABELS[language].study_guide.format("Wälder")
    assert made.sections[0].heading == LABELS[language].summary
    assert made.sources_heading == LABELS[language].sources
    assert "Ein Wald ist ein Ökosystem" in made.sections[0].blocks[0].items[0].statement.text
    assert bool(made.remark) == (language != "de")


@pytest.mark.parametrize(("quantity", "difficulty"), [*itertools.product(get_args(Quantity), get_args(Difficulty))])
def test_a_quiz_has_one_right_answer_that_its_passage_holds(quantity: str, difficulty: str) -> None:
    made = content("quiz", quantity=quantity, difficulty=difficulty)
    assert 4 <= len(made.questions) <= {"fewer": 5, "standard": 10, "more": 20}[quantity]
    assert len({one.question for one in made.questions}) == len(made.questions)
    for one in made.questions:
        right = one.options[one.answer]
        assert right in one.explanation.text
        for at, wrong in enumerate(one.options):
            assert at == one.answer or wrong not in one.explanation.text
        assert len(one.options) >= 3


def test_hard_questions_ask_for_numbers_and_easy_ones_for_what_is_meant() -> None:
    def numbers(difficulty: str) -> int:
        asked = content("quiz", difficulty=difficulty).questions[:4]
        return sum(one.options[one.answer].replace(",", "").isdigit() for one in asked)

    assert numbers("hard") > numbers("easy")


@pytest.mark.parametrize("difficulty", get_args(Difficulty))
def test_flashcards_ask_and_answer_without_saying_the_same_twice(difficulty: str) -> None:
    made = content("flashcards", difficulty=difficulty)
    assert len(made.cards) >= 8
    assert len({one.front for one in made.cards}) == len(made.cards)
    for one in made.cards:
        assert one.back in one.explanation.text
    assert content("flashcards", quantity="fewer").cards.__len__() == 10


def test_flashcards_ask_nothing_twice_and_nothing_that_has_two_answers() -> None:
    heads = "| Code | Index |\n| --- | --- |\n"
    one = source(f"{heads}| KX | 4 |\n| LM | 5 |\n| NO | 6 |\n", "One")
    other = source(f"{heads}| KX | 4 |\n| LM | 7 |\n| PQ | 8 |\n", "Other")
    asked = [card.front for card in content("flashcards", evidence(one, other)).cards]
    assert sorted(name.split(":")[0] for name in asked) == ["KX", "NO", "PQ"]


def test_of_a_table_without_heads_the_cells_are_told_and_no_bars() -> None:
    made = content("slide_deck", evidence(source("| Some words before a list - First item | 2 |\n", "Bare")))
    texts = [one.text for one in statements(made)]
    assert texts == ["Some words before a list - First item"]


def test_what_begins_a_clause_is_no_term() -> None:
    text = "While productivity is a top goal of the trade, nobody measures it well.\n\nA pellet is a lump of bones.\n"
    fronts = [card.front for card in content("flashcards", evidence(source(text, "Trade"))).cards]
    assert not [one for one in fronts if one.startswith("While")]


def test_flashcards_ask_for_no_row_that_a_bare_number_names() -> None:
    rows = "".join(f"| {n} | {n + 1} | {n * 7} |\n" for n in (1, 5, 9))
    numbered = source(f"# Sheet\n\n| A | B | C |\n| - | - | - |\n{rows}", "Numbers")
    years = source("| Year | Ships |\n| - | - |\n| 1850 | 31 |\n| 1860 | 1860 |\n| 1870 | 52 |\n", "Years")
    made = content("flashcards", evidence(source(OWLS, "Owls"), numbered, years))
    fronts = [card.front for card in made.cards if card.explanation.grounds[0].source_title in ("Numbers", "Years")]
    assert fronts == ["1850: what is the value of “Ships”?", "1870: what is the value of “Ships”?"]


@pytest.mark.parametrize("kind", ["report", "quiz", "slide_deck"])
def test_who_a_short_mail_is_from_and_to_is_not_told_of(kind: str) -> None:
    text = "From: Ann Reed <ann@example.com>\nTo: Bob Lee <bob@example.com>\nSubject: Boats\n\nHello Bob,\n\n{}"
    mail = replace(source(text.format("We sail at nine."), "Boats"), kind="email")
    said = [one.text for one in statements(content(kind, evidence(source(OWLS, "Owls"), mail)))]
    assert not any(word in one for one in said for word in ("example.com", "Subject:", "Hello"))
    if kind == "report":
        assert "We sail at nine." in said
    empty = replace(source(text.format("").partition("\n\n")[0], "Boats"), kind="email")
    assert [point.text for point in evidence(empty).points][-1] == "Subject: Boats"


def test_a_mind_map_is_the_tree_of_headings_with_what_each_speaks_of() -> None:
    made = content("mind_map")
    assert made.root.name == "Night and light"
    owls = next(node for node in made.root.children if node.name == "Owls")
    assert {"Hearing", "Flight", "Food"} <= {node.name for node in owls.children}
    leaves = [node for _, node in owls.walk() if not node.children]
    assert "Facial disc" in {node.name for node in leaves}
    assert all(node.statement is not None for node in leaves)
    names = [node.name for _, node in made.root.walk()]
    assert "References" not in names


def test_a_data_table_is_the_sources_own_with_a_source_for_each_row() -> None:
    made = content("data_table")
    assert made.columns == ["Species", "Weight in g", "Clutch", "Source"]
    assert made.rows[3].cells == ["Snowy owl", "2,000", "3 to 11", "Owls"]
    for row in made.rows:
        assert all(cell in row.grounds[0].excerpt for cell in row.cells[:-1])


def test_without_tables_a_data_table_has_facts_with_their_figures() -> None:
    made = content("data_table", evidence(source(LIGHTHOUSES, "Lighthouses")), "fr")
    assert made.columns == ["Sujet", "Fait", "Chiffre", "Source"]
    figures = {row.cells[2] for row in made.rows}
    assert {"1810", "1759"} <= figures
    for row in made.rows:
        assert row.cells[2] in row.cells[1] == shown(row.grounds[0].excerpt)


def test_labelled_values_of_several_sources_become_rows() -> None:
    texts = [f"Invoice no: {number}\n\nTotal: {number * 10} EUR\n\nDue: 2026-0{number}-01\n" for number in (1, 2, 3)]
    sources = [source(text, f"Invoice {number}") for number, text in enumerate(texts, 1)]
    made = content("data_table", evidence(*sources))
    assert made.columns == ["Invoice no", "Total", "Due", "Source"]
    assert made.rows[1].cells == ["2", "20 EUR", "2026-02-01", "Invoice 2"]


def test_what_has_nothing_to_ask_for_is_refused_in_words() -> None:
    with pytest.raises(Conflict, match="too little"):
        content("quiz", evidence(source("We like it here.", "Note")))


def test_many_sources_are_told_of_by_topic() -> None:
    owls = [
        source(f"# Owl {n}\n\nOwls hunt mice at night over field {n}. An owl is a silent bird.", f"Owl {n}")
        for n in range(6)
    ]
    ships = [
        source(f"# Ship {n}\n\nShips carry grain to harbour {n}. A ship is a large boat.", f"Ship {n}")
        for n in range(6)
    ]
    made = evidence(*owls, *ships)
    assert len(made.chapters) == 2
    assert {len(chapter.parts) for chapter in made.chapters} == {6}
