"""Answers out of lists and tables that are longer than a passage, over one store."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from quire.api.library import Library
from quire.domain.chat import Answer
from quire.entry.bootstrap import build
from quire.entry.settings import load

pytestmark = pytest.mark.anyio

PEOPLE = ["Aino", "Bela", "Carla", "Dilip", "Edda", "Femi", "Gita", "Hugo", "Iris", "Joost", "Kofi", "Lena"]
ROWS = [
    f"| {400 + at} | {PEOPLE[at % 12]} {PEOPLE[at // 12]}son | {['Lima', 'Oslo', 'Turin'][at % 3]} | {at * 7 + 3} kg |"
    for at in range(120)
]
TABLE = "\n".join(["# Freight", "", "| Number | Sender | Port | Weight |", "| - | - | - | - |", *ROWS])
CHECKS = [f"- check the {colour} {part} of the crane before every lift" for colour in ("red", "blue", "green", "grey")
          for part in ("hook", "rope", "motor", "brake", "ladder", "lamp", "cabin")]  # fmt: skip
LIST = "\n".join(["# Crane", "", "All checks of the crane:", "", *CHECKS, "", "The crane was built in 1987."])


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    async with build(load({"home": tmp_path / "home", "store": "memory", "embedder": "none"}, {})) as library:
        yield library


async def _asked(library: Library, notebook_id: str, question: str) -> Answer:
    answer = await library.chat.ask(notebook_id, question)
    for citation in answer.citations:
        whole = await library.sources.get_fulltext(notebook_id, citation.source_id, limit=1_000_000)
        assert whole.text[citation.start : citation.end] == citation.excerpt
    return answer


async def test_what_is_longer_than_a_passage_is_answered_whole(library: Library) -> None:
    notebook = await library.notebooks.create("Harbour")
    for title, text in (("Freight", TABLE), ("Crane", LIST)):
        added = await library.sources.add(notebook.id, "text", text=text, title=title)
        await library.sources.wait(notebook.id, added.id)

    row = await _asked(library, notebook.id, "What is the weight of number 507?")
    assert row.text == "507: Weight 752 kg [1]"
    assert row.citations[0].excerpt == ROWS[107]

    listed = await _asked(library, notebook.id, "Which checks of the crane are there?")
    assert listed.text == "\n".join(["All checks of the crane:", *CHECKS, "[1]"])
    assert listed.citations[0].excerpt == "\n".join(["All checks of the crane:", "", *CHECKS])

    heaviest = await _asked(library, notebook.id, "Which sender has the highest weight?")
    assert heaviest.text == "Lena Joostson: Weight 836 kg [1]"
    assert heaviest.citations[0].excerpt == ROWS[119]

    named = await _asked(library, notebook.id, "Which documents mention the brake of the crane?")
    assert [citation.source_title for citation in named.citations] == ["Crane"]
