"""Contract 1: ask."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from contracts.desk import Desk, each_once, joined, on_every_wire
from contracts.notebook_desk import BEES, NotebookDesk, library_of, notebook_at, opened
from contracts.rows import proves

pytestmark = pytest.mark.anyio

HIVE = "How many bees does a strong hive hold?"
ELSEWHERE = "Which composer wrote the opera Fidelio in Vienna?"


@on_every_wire
@proves("C1-ASK-01", "C1-ASK-04", "C1-ASK-05", "C1-ASK-06", "C1-ASK-07")
async def test_a_question_is_answered_from_the_sources(desk: Desk) -> None:
    notebook = await opened(desk)
    source = await notebook.add(title="On insects")
    answer = await notebook.ok("ask", question=HIVE)
    assert "A strong hive holds 50,000 bees in summer." in answer["answer"]
    assert answer["confidence"] in ("high", "medium")
    assert all(isinstance(question, str) for question in answer["follow_up_questions"])
    first = answer["citations"][0]
    assert (first["source_id"], first["source_title"]) == (source, "On insects")
    assert "50,000" in first["excerpt"]
    assert first["heading"] == "Bees"


@proves("C1-OPEN-15", "C1-ASK-05")
@each_once
async def test_every_excerpt_stands_at_its_offsets(desk: Desk) -> None:
    notebook = await opened(desk)
    await notebook.add()
    await notebook.add("Ⅻ — Die Biene 🐝 fliegt. Ein starkes Volk hat im Sommer 50.000 Bienen.", title="Über Bienen")
    for question in (HIVE, "Wie viele Bienen hat ein starkes Volk im Sommer?", "Where does the German wasp live?"):
        answer = await notebook.ok("ask", question=question)
        assert answer["citations"], question
        for citation in answer["citations"]:
            text = await desk.call("get_source_text", source_id=citation["source_id"])
            assert text.data["text"][citation["start"] : citation["end"]] == citation["excerpt"]
            assert citation["verified"] is True
            assert f"[{citation['number']}]" in answer["answer"]


@proves("C1-ASK-03", "C1-OPEN-17")
async def test_citations_can_be_left_out_with_their_marks(desk: Desk) -> None:
    notebook = await opened(desk)
    await notebook.add()
    with_them = await notebook.ok("ask", question=HIVE, include_citations=True)
    without = await notebook.ok("ask", question=HIVE, include_citations=False)
    assert without["citations"] == []
    assert without["answer"] == re.sub(r" \[\d\]", "", with_them["answer"])
    assert with_them["citations"] == (await notebook.ok("ask", question=HIVE))["citations"]


@proves("C1-OPEN-24")
async def test_passages_beside_the_answer_come_only_where_asked_for(desk: Desk) -> None:
    notebook = await opened(desk)
    await notebook.add()
    await notebook.add(
        "In summer a hive holds bees of many ages. How many bees a weak hive holds is not known.", title="Ages"
    )
    assert "more" not in await notebook.ok("ask", question=HIVE)
    answer = await notebook.ok("ask", question=HIVE, include_more=True)
    cited = {citation["excerpt"] for citation in answer["citations"]}
    assert answer["more"]
    assert not cited & {passage["excerpt"] for passage in answer["more"]}


@proves("C1-OPEN-10", "C1-ASK-06")
async def test_no_answer_in_the_sources_is_said_plainly(desk: Desk) -> None:
    notebook = await opened(desk)
    await notebook.add()
    answer = await notebook.ok("ask", question=ELSEWHERE)
    assert answer["answer"].startswith("The sources of this notebook do not hold an answer to that.")
    assert answer["follow_up_questions"]
    assert (answer["citations"], answer["confidence"], answer["grounded"]) == ([], "low", False)


@proves("C1-ASK-09", "C1-ERR-02")
async def test_a_notebook_without_sources_cannot_be_asked(desk: Desk) -> None:
    notebook = await opened(desk)
    assert await notebook.error("ask", question=HIVE) == {
        "code": "NO_SOURCES",
        "message": "The notebook has no sources. Add a source first.",
        "details": {},
        "recoverable": True,
    }


@proves("C1-ASK-02", "C1-OPEN-02")
@pytest.mark.parametrize("question", ["", "  \n", None, 7, ["Who?"], "a\0b"])
@each_once
async def test_a_question_must_be_a_text_that_says_something(desk: Desk, question: Any) -> None:
    notebook = await opened(desk)
    error = await notebook.error("ask", question=question)
    assert (error["code"], error["details"]) == ("INVALID_ARGUMENT", {"field": "question"})


@proves("C1-ASK-02", "C1-ASK-10", "C1-OPEN-05")
@each_once
async def test_a_question_over_the_limit_is_too_long_before_anything_else(desk: Desk) -> None:
    notebook = await opened(desk)
    await notebook.add()
    for more in ({}, {"notebook_id": 5}, {"include_citations": "yes"}):
        error = await notebook.error("ask", **{"question": "?" * 10_001} | more)
        assert (error["code"], error["recoverable"]) == ("QUESTION_TOO_LONG", False)
        assert error["message"] == "question: is longer than 10,000 characters. Shorten it."
    at_the_limit = HIVE + " " * (10_000 - len(HIVE) - 1) + "?"
    assert (await notebook.ok("ask", question=at_the_limit))["citations"]


@proves("C1-ASK-03", "C1-OPEN-02")
@each_once
async def test_include_citations_must_be_true_or_false(desk: Desk) -> None:
    notebook = await opened(desk)
    error = await notebook.error("ask", question=HIVE, include_citations="yes")
    assert (error["code"], error["details"]) == ("INVALID_ARGUMENT", {"field": "include_citations"})


@proves("C1-OPEN-18")
async def test_a_conversation_goes_on_in_its_own_notebook_only(desk: Desk) -> None:
    notebook, other = await opened(desk), await opened(desk)
    for one in (notebook, other):
        await one.add()
    first = await notebook.ok("ask", question=HIVE)
    again = await notebook.ok("ask", question="And wasps?", conversation_id=first["conversation_id"])
    assert again["conversation_id"] == first["conversation_id"]
    for one, id in ((other, first["conversation_id"]), (notebook, "nowhere")):
        error = await one.error("ask", question=HIVE, conversation_id=id)
        assert (error["code"], error["details"]) == ("NOT_FOUND", {"id": id})


@proves("C1-ASK-11", "C1-OPEN-08")
async def test_sources_that_are_never_read_make_it_time_out(tmp_path: Path) -> None:
    """Another process holds the job, and lets nobody have it."""
    async with library_of(tmp_path, embedder="none") as library, joined(library, "2026", timeout=1) as client:
        notebook = await opened(Desk(client, lambda now: None))
        source = await library.sources.add_text(notebook.notebook_id, "Bees", BEES)

        def held(tx: Any) -> None:
            job = {"id": "held", "kind": "read_source", "notebook_id": notebook.notebook_id, "payload": "{}"}
            times = {"at": 0, "run_after": 0}
            tx.run("insert_job", person_id=library.context.actor.id, turn=1, host=None, **times, **job)
            lease = library.engine.parts.clock.now() + 60_000_000
            tx.one("claim_this_job", id="held", worker="another", lease_until=lease, now=1, far=lease)
            tx.run("read_source_again", id=source.id, job_id="held", at=0)

        await library.engine.system.write(held)
        error = await notebook.error("ask", question=ELSEWHERE)
        assert (error["code"], error["recoverable"]) == ("TIMEOUT", True)
        # What can be found is told all the same, with what was not read.
        answer = await notebook.ok("ask", question=HIVE)
        assert "50,000" in answer["answer"]
        assert answer["warnings"] == ["Not read yet, and not part of this answer: Bees."]


@proves("C1-ASK-01")
async def test_notebooks_are_asked_one_at_a_time(tmp_path: Path) -> None:
    async with notebook_at(tmp_path, embedder="none") as notebook:
        await notebook.add()
        other: NotebookDesk = await opened(notebook.desk)
        await other.add("The cellar of the house is full of old wine from Georgia.")
        assert (await other.ok("ask", question=HIVE))["citations"] == []
        assert "wine" in (await other.ok("ask", question="What is the cellar of the house full of?"))["answer"]
