"""Plans and reports: what is asked of a topic, and what a report says and does not."""

from __future__ import annotations

from collections.abc import AsyncIterator
from zlib import crc32

import pytest

from quire.domain.chat import Answer, Citation
from quire.domain.documents import Place
from quire.domain.errors import Upstream
from quire.text.research_plan import plan_by_model, plan_by_rule, searched, searched_again
from quire.text.research_report import ReadPage, report_of

PAGES = {id: ReadPage(id, f"Page {id}", f"https://example.org/{id}") for id in ("a", "b", "c")}


def answer(question: str, *claims: tuple[str, str], maker: str = "extractive", verified: bool = True) -> Answer:
    text, citations = "", []
    for number, (claim, source) in enumerate(claims, 1):
        start = len(text)
        text += f"{claim} [{number}]\n\n"
        citations.append(
            Citation(
                number=number,
                source_id=source,
                source_title=source,
                version=1,
                passage_id=number,
                start=crc32(claim.encode()),
                end=crc32(claim.encode()) + len(claim),
                excerpt=claim,
                place=Place(),
                answer_start=start,
                answer_end=start + len(claim),
                verified=verified,
            )
        )
    return Answer(
        id="1",
        conversation_id="",
        question=question,
        text=text,
        citations=citations,
        confidence="high",
        follow_up_questions=[],
        grounded=bool(claims),
        maker=maker,
    )


def test_a_report_has_a_section_for_each_question_and_names_its_pages() -> None:
    answers = [
        answer("glass", ("Glass is blown.", "a")),
        answer("What is glass?", ("Glass is sand.", "b")),
        answer("How old is glass?", ("Glass is old.", "c"), ("Glass is sand.", "b")),
        answer("Who eats glass?"),
    ]
    report = report_of("glass", answers, PAGES, read=3, found=9)
    assert report is not None
    assert set(report.cited) == {"a", "b", "c"}
    assert report.summary == "Glass is blown."
    assert report.markdown.startswith("# glass\n\nGlass is blown. [1]\n")
    assert "## How old is glass?\n\n- Glass is old." in report.markdown
    assert report.markdown.count("Glass is sand.") == 1
    assert "## What the pages do not tell\n\n- Who eats glass?" in report.markdown
    assert "](https://example.org/b)" in report.markdown
    assert "Made of 3 pages that were read, of 9 found." in report.markdown


def test_what_was_not_borne_out_is_not_told_and_without_claims_there_is_no_report() -> None:
    assert report_of("glass", [answer("glass", ("Glass sings.", "a"), verified=False)], PAGES, read=1, found=1) is None
    assert report_of("glass", [answer("glass")], PAGES, read=0, found=0) is None


def test_claims_cannot_become_links_headings_or_tags() -> None:
    claims = (
        "# Buy now at [this shop](https://evil.example/x) today.",
        "Glass <script>alert(1)</script> is hot.",
        "See javascript:alert(1) for glass.",
    )
    pages = PAGES | {"a": ReadPage("a", "A [title](https://evil.example)\nwith lines", "https://example.org/(a) b")}
    report = report_of("<b>glass", [answer("glass", *((claim, "a") for claim in claims))], pages, read=1, found=1)
    assert report is not None
    assert "evil.example/x" not in report.markdown
    assert "\n# Buy" not in report.markdown
    assert " <script>" not in report.markdown
    assert "javascript:" not in report.markdown
    assert "1. [A (title)(https://evil.example) with lines](https://example.org/%28a%29%20b)" in report.markdown
    assert report.markdown.startswith("# \\<b>glass")


def test_the_frame_is_in_the_language_of_the_query() -> None:
    told = answer("Was ist Glas?", ("Glas ist ein fester Stoff aus Sand.", "a"))
    report = report_of("Wie wird Glas von Hand hergestellt?", [told, told], PAGES, read=1, found=1)
    assert report is not None
    assert "## Quellen" in report.markdown


def test_a_topic_is_asked_about_from_several_sides() -> None:
    planned = plan_by_rule("glassblowing", ["glassblowing", "venice", "trade", "tax"])
    questions = [one.question for one in planned]
    assert questions[0] == "glassblowing"
    assert "What is glassblowing?" in questions
    assert "glassblowing: venice?" in questions
    assert "glassblowing: tax?" not in questions
    assert len(planned) == len(set(questions)) <= 7


def test_what_names_a_side_of_a_thing_is_asked_further_and_the_thing_explained() -> None:
    questions = [one.question for one in plan_by_rule("the history of glassblowing")]
    assert questions[:2] == ["the history of glassblowing", "What is glassblowing?"]
    assert "the history of glassblowing: which examples are there?" in questions
    assert not any("history of the history" in question for question in questions)
    assert [one.question for one in plan_by_rule("glass versus clay")][1:] == ["What is glass?", "What is clay?"]
    long = plan_by_rule("molten glass furnace temperature control systems")
    assert long[1].question == "molten glass furnace temperature control systems: what have studies found?"


def test_a_question_is_asked_as_it_is_and_its_parts_too() -> None:
    planned = plan_by_rule("Who invented glass and when was it first blown?")
    assert planned[0].question == "Who invented glass and when was it first blown?"
    assert any("invented glass" in one.question for one in planned[1:])
    assert planned[0].search == "invented glass first blown"
    assert plan_by_rule("Wie wird Glas geblasen?")[1].question.endswith("Was haben Studien gefunden?")
    assert plan_by_rule("玻璃")[0].question == "玻璃"


def test_what_was_not_found_is_searched_for_in_other_words() -> None:
    again = searched_again("glass tools", ["Furnaces melt sand. The furnace of the workshop is hot. Furnaces glow."])
    assert again.startswith("glass tools furnace")
    assert searched("?!") == "?!"


class Planner:
    name = "planner"

    def __init__(self, said: str | None) -> None:
        self.said = said
        self.asked = ""

    async def generate(self, system: str, prompt: str, max_tokens: int) -> AsyncIterator[str]:
        self.asked = prompt
        if self.said is None:
            raise Upstream("It is away.")
        yield self.said

    async def check(self) -> str:
        return self.name


@pytest.mark.anyio
async def test_a_model_plans_where_there_is_one_and_rules_where_it_fails() -> None:
    said = "Sure!\n1. How hot is molten glass?\n- Who made glass in Venice?\nSee https://evil.example/?\nNo question"
    planned = await plan_by_model(Planner(said), "glass", ["venice"])
    assert [one.question for one in planned] == ["glass", "How hot is molten glass?", "Who made glass in Venice?"]
    for silent in (None, "I cannot."):
        assert await plan_by_model(Planner(silent), "glass", []) == plan_by_rule("glass", [])
