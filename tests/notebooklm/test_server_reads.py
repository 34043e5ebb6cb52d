"""What the server reads of the library for one call: no source more than once, and offsets in UTF-16 units."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar

import pytest

from quire.api.library import Library
from quire.domain.chat import Answer, Citation, Turn
from quire.domain.documents import Place
from quire.domain.pages import Page
from quire.domain.sharing import OWNER_ID
from quire.entry.bootstrap import build
from quire.entry.settings import load
from quire.local.engine import LocalEngine
from quire.local.scope import Scope
from quire.notebooklm.server import HANDLERS, WireCall
from quire.notebooklm.server.sources import utf16_places

pytestmark = pytest.mark.anyio

LINE = "🍎 apple tree number {} bears fruit.\n\n"
TEXT = "".join(LINE.format(number) + " ".join(["More words about it."] * 60) + "\n\n" for number in range(12)).strip()


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    async with build(load({"home": tmp_path, "store": "memory", "embedder": "none"}, {})) as library:
        yield library


def texts_read(caplog: pytest.LogCaptureFixture) -> int:
    calls = [record for record in caplog.records if record.name == "quire.calls"]
    return sum(record.__dict__["tool"] == "get_source_text" for record in calls)


def in_utf16(text: str, start: int, end: int) -> str:
    return text.encode("utf-16-le")[start * 2 : end * 2].decode("utf-16-le")


async def test_a_source_is_read_once_for_all_its_passages(library: Library, caplog: pytest.LogCaptureFixture) -> None:
    notebook = (await library.notebooks.create("Orchard")).id
    texts = {(await library.sources.add_text(notebook, "One", text)).id: text for text in (TEXT, TEXT.upper())}
    caplog.set_level(logging.INFO, logger="quire.calls")
    call = WireCall(library, f"/notebook/{notebook}")
    found = await HANDLERS["RETRIEVE_RELEVANT_CHUNKS"](call, {"query": "apple tree fruit"})
    assert len(found) == 2
    assert sum(len(source.passages) for source in found) > 10
    assert texts_read(caplog) == 2
    for source in found:
        for passage in source.passages:
            assert in_utf16(texts[source.source_id], passage.start, passage.end) == passage.text


async def test_places_in_a_text_that_is_gone_stay_as_they_are(library: Library) -> None:
    source = await library.sources.add_text(None, "One", "🍎🍎 and words")
    places = [(source.id, 1, 3), (source.id, 1, 0), (source.id, 7, 3), ("missing", 1, 9), ("missing", 1, 4)]
    assert list((await utf16_places(library, places)).values()) == [0, 5, 3, 4, 9]


class Talk:
    """A chat that has given the same answers to whoever asks for its history."""

    answers: ClassVar[list[Answer]] = []

    async def get_history(self, scope: Scope, conversation_id: str, limit: int, cursor: str | None) -> Page[Turn]:
        await scope.check()
        asked_at = datetime(2026, 1, 1, tzinfo=UTC)
        return Page(items=[Turn(answer=answer, asked_at=asked_at) for answer in self.answers], total=len(self.answers))


class TalkingEngine(LocalEngine):
    nouns: ClassVar[Mapping[str, type]] = {**LocalEngine.nouns, "chat": Talk}

    def done_by(self, noun: str) -> Any:
        return Talk() if noun == "chat" else super().done_by(noun)


def answer_citing(source_id: str, title: str, number: int) -> Answer:
    starts = [TEXT.index(f"number {cited} bears") for cited in range(number + 1)]
    citations = [
        Citation(
            number=count,
            source_id=source_id,
            source_title=title,
            version=1,
            passage_id=count,
            start=start,
            end=start + 15,
            excerpt=TEXT[start : start + 15],
            place=Place(),
            answer_start=0,
            answer_end=5,
            verified=True,
        )
        for count, start in enumerate(starts, 1)
    ]
    return Answer(
        id=f"answer {number}",
        conversation_id="talk",
        question="Which?",
        text="Trees bear fruit.",
        citations=citations,
        confidence="high",
        follow_up_questions=[],
        grounded=True,
        maker="test",
    )


async def test_a_source_is_read_once_for_all_answers_of_a_conversation(
    library: Library, caplog: pytest.LogCaptureFixture
) -> None:
    source = await library.sources.add_text(None, "One", TEXT)
    Talk.answers = [answer_citing(source.id, "One", number) for number in range(5)]
    talking = Library(TalkingEngine(library.engine.parts), library.context)
    where = {"notebook_id": source.notebook_id, "person_id": OWNER_ID, "at": 1}
    await talking.engine.system.write(lambda tx: tx.run("insert_conversation", id="talk", **where))
    caplog.set_level(logging.INFO, logger="quire.calls")
    turns = await HANDLERS["GET_CONVERSATION_TURNS"](WireCall(talking), {"conversation_id": "talk"})
    assert texts_read(caplog) == 1
    said = [answer for turn in turns for answer in turn.answers]
    assert [len(answer.document.citations) for answer in said] == [1, 2, 3, 4, 5]
    for answer in said:
        for citation in answer.document.citations:
            assert in_utf16(TEXT, citation.start, citation.end) == citation.text
