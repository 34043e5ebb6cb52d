"""Questions in another language than the sources: found, quoted, and said so in the question's language."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from quire.adapters.model_files import ModelFolder
from quire.api.library import Library
from quire.entry.bootstrap import build
from quire.entry.settings import load

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(
        not (ModelFolder().runs("minilm") and ModelFolder().runs("multilingual")), reason="the models are not here"
    ),
]

RULES = (
    "The rent is due on the third day of each month. Dogs need the written consent of the landlady. "
    "The heating may be turned off from May to September. Bicycles are kept in the cellar, never in the hallway. "
    "A lost key is replaced by the caretaker, Mr Osei, for thirty pounds."
)
KNIE = (
    "Sie sind heute am Knie operiert worden. Die Fäden werden nach zehn Tagen in der Praxis gezogen. "
    "Duschen dürfen Sie ab dem dritten Tag mit einem wasserdichten Pflaster."
)


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    async with build(load({"home": tmp_path, "store": "memory"}, {})) as opened:
        yield opened


async def test_an_answer_from_another_language_is_quoted_and_says_so(library: Library) -> None:
    notebook = await library.notebooks.create("House")
    await library.sources.add(notebook.id, "text", text=RULES, title="House rules")
    english = await library.chat.ask(notebook.id, "Where are bicycles kept?")
    assert "cellar" in english.text
    encoder = library.engine.parts.multilingual
    assert encoder._network.value is None
    for question, said in (
        ("Wo werden Fahrräder abgestellt?", "(Die Quelle ist auf Englisch.)"),
        ("Où sont rangés les vélos ?", "(La source est en anglais.)"),
        ("Где хранятся велосипеды?", "(Язык источника: английский.)"),
        ("自行车放在哪里？", "（资料原文为英语。）"),
    ):
        answer = await library.chat.ask(notebook.id, question)
        assert answer.citations[0].excerpt.startswith("Bicycles are kept in the cellar"), question
        assert answer.text.endswith(said)
        assert answer.grounded
        assert answer.confidence != "high"
        assert all(answer.text[one.answer_start : one.answer_end] in one.excerpt for one in answer.citations)


async def test_what_the_sources_do_not_say_is_refused_in_the_questions_language(library: Library) -> None:
    notebook = await library.notebooks.create("House")
    await library.sources.add(notebook.id, "text", text=RULES, title="House rules")
    answer = await library.chat.ask(notebook.id, "Welche Mannschaft hat das Fußballspiel am Samstag gewonnen?")
    assert not answer.grounded
    assert answer.text.startswith("Die Quellen dieses Notizbuchs enthalten darauf keine Antwort.")


async def test_it_goes_the_other_way_too_and_every_source_has_the_vectors_then(library: Library) -> None:
    notebook = await library.notebooks.create("Papers")
    german = await library.sources.add(notebook.id, "text", text=KNIE, title="Merkblatt")
    answer = await library.chat.ask(notebook.id, "When are the stitches removed?")
    assert answer.citations[0].source_id == german.id
    assert "nach zehn Tagen" in answer.citations[0].excerpt
    assert answer.text.endswith("(The source is in German.)")
    await library.sources.add(notebook.id, "text", text=RULES, title="House rules")
    assert await library.engine.source_vectors.mend() == 0
    (hit, *_) = await library.sources.search(notebook.id, "Wer ersetzt einen verlorenen Schlüssel?")
    assert hit.passage.source_title == "House rules"
    own = await library.chat.ask(notebook.id, "Wann werden die Fäden gezogen?")
    assert "Quelle ist auf" not in own.text


async def test_sources_in_two_languages_answer_each_what_they_say(library: Library) -> None:
    notebook = await library.notebooks.create("Papers")
    await library.sources.add(notebook.id, "text", text=KNIE, title="Merkblatt")
    await library.sources.add(notebook.id, "text", text=RULES, title="House rules")
    table = "| Month | Gas kWh |\n|---|---|\n| May | 40 |\n| June | 25 |\n"
    await library.sources.add(notebook.id, "text", text=table, title="Readings")
    await library.sources.add(notebook.id, "text", text="Darf ich Gäste mitbringen?\n\nJa, bis zu drei.", title="FAQ")
    english = await library.chat.ask(notebook.id, "Who replaces a lost key?")
    assert english.citations[0].excerpt.startswith("A lost key is replaced by the caretaker")
    row = await library.chat.ask(notebook.id, "How much gas was used in June?")
    assert "25" in row.citations[0].excerpt
    german = await library.chat.ask(notebook.id, "When are the stitches removed?")
    assert "nach zehn Tagen" in german.citations[0].excerpt
    assert german.text.endswith("(The source is in German.)")
    put = await library.chat.ask(notebook.id, "May I bring guests along?")
    assert put.citations[0].excerpt == "Ja, bis zu drei."
