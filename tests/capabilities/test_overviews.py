"""Overviews of notebooks, sources and subjects, and the questions that are suggested, through the library."""

from __future__ import annotations

import pytest

from quire.api.library import Library
from quire.domain.chat import Answer

pytestmark = pytest.mark.anyio

LEASE = """# Tenancy agreement

between Helga Brandt (landlady) and Tomás Ferreira (tenant).

## 1 Rent

The monthly rent is 890 euros. It is due by the third working day of each month.

## 2 Pets

Small animals may be kept without asking. Dogs need the landlady's written consent.

## 3 Term

The tenancy begins on 1 April 2025 and runs for an indefinite time.
"""
MINUTES = """# Rowing club: minutes of 11 March 2025

Present: Anna Lindqvist (chair), Dev Patel (treasurer).

## 1 Boathouse roof

The roof over bay three leaks. The work is finished before the regatta.

## 2 Regatta

The regatta takes place on 14 June. Helpers are sought for the finish tower.
"""
BUDGET = "| Item | Planned | Spent |\n| - | - | - |\n| Boat repairs | 3500 | 1820 |\n| Boathouse | 7150 | 7480 |\n"
DUCK = (
    "Main page\n\nJump to navigation\n\nDuck is the common name for numerous species of waterfowl. They swim.\n\n"
    "## See also\n\n- Leaves\n- Don't forget to drink water\n"
)


@pytest.fixture
def store() -> str:
    return "memory"


@pytest.fixture
async def notebook_id(library: Library) -> str:
    notebook = await library.notebooks.create("Mixed")
    for title, text in (("Lease", LEASE), ("Minutes", MINUTES), ("Budget 2025", BUDGET), ("Duck", DUCK)):
        await library.sources.add(notebook.id, "text", text=text, title=title)
    return notebook.id


async def assert_exact(library: Library, answer: Answer) -> None:
    assert answer.grounded
    for citation in answer.citations:
        whole = await library.sources.get_fulltext(None, citation.source_id)
        assert whole.text[citation.start : citation.end] == citation.excerpt
        assert f"[{citation.number}]" in answer.text[citation.answer_end : citation.answer_end + 6]


async def test_an_overview_tells_what_every_source_is(library: Library, notebook_id: str) -> None:
    answer = await library.chat.ask(notebook_id, "What is this notebook about?")
    assert answer.text.split("\n\n") == [
        "4 sources: a contract, minutes, a budget and a text.",
        "Lease: Tenancy agreement [1]. between Helga Brandt (landlady) and Tomás Ferreira (tenant). [2]",
        "Minutes: Rowing club: minutes of 11 March 2025 [3]. Sections: Boathouse roof, Regatta.",
        "Budget 2025: Item | Planned | Spent [4]",
        "Duck: Duck is the common name for numerous species of waterfowl. [5]",
    ]
    await assert_exact(library, answer)


@pytest.mark.parametrize(
    ("question", "counted"),
    [
        (
            "Worum geht es in diesem Notizbuch?",
            "4 Quellen: ein Vertrag, ein Protokoll, ein Haushaltsplan und ein Text.",
        ),
        ("De quoi parle ce carnet ?", "4 sources : un contrat, un compte rendu, un budget et un texte."),
        ("¿De qué trata este cuaderno?", "4 fuentes: un contrato, un acta, un presupuesto y un texto."),
        ("О чём этот блокнот?", "Источники (4): договор, протокол, бюджет и текст."),
        ("这个笔记本讲了什么？", "4个来源：1份合同、1份会议纪要、1份预算和1份文本。"),
    ],
)
async def test_an_overview_counts_in_the_language_of_the_question(
    library: Library, notebook_id: str, question: str, counted: str
) -> None:
    answer = await library.chat.ask(notebook_id, question)
    assert answer.text.startswith(counted)
    assert len({citation.source_id for citation in answer.citations}) == 4


@pytest.mark.parametrize("question", ["Summarise the lease", "Summarise the contract", "What is “Lease” about?"])
async def test_one_source_is_told_by_its_title_or_its_kind(library: Library, notebook_id: str, question: str) -> None:
    answer = await library.chat.ask(notebook_id, question)
    assert {citation.source_title for citation in answer.citations} == {"Lease"}
    assert answer.text.endswith("Sections: Rent, Pets, Term.")
    await assert_exact(library, answer)


@pytest.mark.parametrize(
    "question",
    ["What does the lease say about pets?", "Give me an overview of the pets", "What do the sources say about pets?"],
)
async def test_a_subject_is_told_by_the_section_that_it_heads(
    library: Library, notebook_id: str, question: str
) -> None:
    answer = await library.chat.ask(notebook_id, question)
    assert answer.text == "Small animals may be kept without asking. Dogs need the landlady's written consent. [1]"
    await assert_exact(library, answer)


async def test_of_many_sources_some_are_told_and_the_others_counted(library: Library) -> None:
    notebook = await library.notebooks.create("Many")
    for number in range(14):
        text = f"# Bridge {number}\n\nThis report describes bridge {number}."
        await library.sources.add(notebook.id, "text", text=text, title=f"Report {number}")
    answer = await library.chat.ask(notebook.id, "What is this notebook about?")
    assert answer.text.startswith("14 sources: 14 reports.")
    assert answer.text.endswith("And 2 more sources.")
    assert len({citation.source_id for citation in answer.citations}) == 12


async def test_every_suggestion_is_answered_and_none_is_asked_again(library: Library, notebook_id: str) -> None:
    first = await library.chat.ask(notebook_id, "What is this notebook about?")
    assert len(first.follow_up_questions) == 3
    asked = {first.question}
    for question in first.follow_up_questions:
        answer = await library.chat.ask(notebook_id, question, conversation_id=first.conversation_id)
        assert answer.grounded, question
        asked.add(question)
        assert len(answer.follow_up_questions) >= 2
        assert not asked & set(answer.follow_up_questions)


async def test_a_refusal_suggests_what_can_be_asked(library: Library, notebook_id: str) -> None:
    refused = await library.chat.ask(notebook_id, "Who painted the ceiling of the Sistine chapel in Rome?")
    assert not refused.grounded
    assert len(refused.follow_up_questions) >= 2
    for question in refused.follow_up_questions:
        assert (await library.chat.ask(notebook_id, question)).grounded, question


async def test_a_notebooks_summary_is_its_overview_with_questions_to_begin_with(
    library: Library, notebook_id: str
) -> None:
    summary = await library.notebooks.get_summary(notebook_id)
    assert summary.summary.startswith(
        "4 sources: a contract, minutes, a budget and a text.\n\nLease: Tenancy agreement."
    )
    assert "[1]" not in summary.summary
    assert summary.sources == 4
    assert len(summary.questions) == 3
    for question in summary.questions:
        assert (await library.chat.ask(notebook_id, question)).grounded, question


async def test_a_guide_tells_a_table_by_its_head(library: Library, notebook_id: str) -> None:
    sources = {source.title: source.id for source in (await library.sources.list(notebook_id)).items}
    assert (await library.sources.get_guide(notebook_id, sources["Budget 2025"])).summary == "Item | Planned | Spent."
    duck = await library.sources.get_guide(notebook_id, sources["Duck"])
    assert duck.summary.startswith("Duck is the common name")
    assert "Leaves" not in duck.summary


async def test_each_of_a_few_sources_is_told_with_its_heading(library: Library, notebook_id: str) -> None:
    text = "# Prices and limits\n\nA boat is a thing that swims.\n\n## Boats\n\nA boat costs 5 euros an hour.\n"
    await library.sources.add(notebook_id, "text", text=text, title="Prices")
    letter = "WHARF CLUB\nMinutes of the committee\n\nThe committee chose a new roof for the boathouse.\n"
    await library.sources.add(notebook_id, "text", text=letter, title="Letter")
    answer = await library.chat.ask(notebook_id, "What is this notebook about?")
    cited = [citation.excerpt for citation in answer.citations]
    assert "# Prices and limits" in cited
    assert "WHARF CLUB\nMinutes of the committee" in cited


async def test_a_source_is_named_by_who_wrote_it(library: Library) -> None:
    notebook = await library.notebooks.create("Papers")
    for title, text in (
        ("Emigration", "By Ragna Solheim\n\nSome 640 people left the parish. The herring failed in most years."),
        ("Harvest", "By Ole Vik\n\nBarley was cut late in that year. The barns stood empty until October."),
    ):
        await library.sources.add(notebook.id, "text", text=text, title=title)
    answer = await library.chat.ask(notebook.id, "What is the article by Ragna Solheim about?")
    assert answer.grounded
    assert {one.source_title for one in answer.citations} == {"Emigration"}


@pytest.mark.parametrize(
    "question",
    ["Mi fai un breve riassunto di questi documenti?", "Kun je me vertellen waar deze stukken over gaan?"],
)
async def test_an_overview_in_a_language_whose_names_are_not_told_is_of_all(
    library: Library, notebook_id: str, question: str
) -> None:
    answer = await library.chat.ask(notebook_id, question)
    assert {one.source_title for one in answer.citations} == {"Lease", "Minutes", "Budget 2025", "Duck"}
