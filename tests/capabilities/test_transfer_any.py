"""Any small notebook, exported, deleted and imported, is the same notebook."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_transfer_notebooks import all_of

from quire.api.library import Library
from quire.domain.files import Upload
from quire.entry.bootstrap import build
from quire.entry.settings import load

WORDS = st.text(
    st.characters(codec="utf-8", exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=40
)
TITLES = WORDS.filter(lambda title: title.strip())
TEXTS = st.lists(
    st.sampled_from(["Bees make honey.", "# Hive", "Ships sail.", "é\u200d🐝", "- one\n- two", "1. x"])
).map(lambda parts: "\n\n".join(["A text of words.", *parts]))
DEEDS = st.lists(
    st.one_of(
        st.tuples(st.just("text"), TITLES, TEXTS),
        st.tuples(st.just("file"), TITLES, st.binary(min_size=1, max_size=200)),
        st.tuples(st.just("note"), TITLES, WORDS),
        st.tuples(st.just("change note"), TITLES, WORDS),
        st.tuples(st.just("delete note"), TITLES, WORDS),
        st.tuples(st.just("attach"), TITLES, WORDS),
        st.tuples(st.just("label"), TITLES, WORDS),
        st.tuples(st.just("ask"), TITLES, st.sampled_from(["What do bees make?", "What sails?", "Why?"])),
        st.tuples(st.just("save answer"), TITLES, WORDS),
        st.tuples(st.just("append"), TITLES, TEXTS),
        st.tuples(st.just("delete source"), TITLES, WORDS),
        st.tuples(st.just("rename"), TITLES, WORDS),
        st.tuples(st.just("make"), TITLES, st.just("report")),
    ),
    max_size=8,
)


async def do(library: Library, notebook: str, deed: str, title: str, content: Any) -> None:
    sources = list(await library.sources.list(notebook))
    notes = list(await library.notes.list(notebook))
    match deed:
        case "text":
            await library.sources.add(notebook, "text", text=content, title=title)
        case "file":
            await library.sources.add_file(notebook, Upload.of(content, "file.txt"))
        case "note":
            await library.notes.create(notebook, title, content)
        case "change note" if notes:
            await library.notes.update(notebook, notes[0].id, content=content, title=title)
        case "delete note" if notes:
            await library.notes.delete(notebook, notes[-1].id)
        case "attach":
            await library.notes.create_with_attachment(notebook, title, content, content, None)
        case "label":
            label = await library.labels.create(notebook, title[:200])
            if sources:
                await library.labels.add_sources(notebook, label.id, [source.id for source in sources[::2]])
        case "ask" if any(source.state == "ready" for source in sources):
            await library.chat.ask(notebook, content)
        case "save answer":
            for conversation in (await library.chat.list_conversations(notebook))[:1]:
                (turn, *_) = await library.chat.get_history(conversation.id)
                await library.chat.save_answer_as_note(notebook, turn.answer.id, title)
        case "append" if sources and sources[0].file_name is None:
            await library.sources.append_text(notebook, sources[0].id, content)
        case "delete source" if sources:
            await library.sources.delete(notebook, sources[-1].id)
        case "make" if any(source.state == "ready" for source in sources):
            await library.artifacts.generate(notebook, content, title=title)
        case "rename" if sources:
            await library.sources.rename(notebook, sources[0].id, title)


async def there_and_back(store: str, deeds: list[tuple[str, str, Any]]) -> None:
    with tempfile.TemporaryDirectory() as home:
        async with build(load({"home": Path(home), "store": store, "embedder": "none"}, {})) as library:
            notebook = (await library.notebooks.create("Any")).id
            for deed in deeds:
                await do(library, notebook, *deed)
            before = await all_of(library, notebook)
            exported = await (await library.notebooks.export(notebook)).read()
            copy = await library.notebooks.import_(Upload.of(exported, "any.quire"))
            beside = await all_of(library, copy.id)
            assert [one["title"] for one in beside["sources"]] == [one["title"] for one in before["sources"]]
            assert beside["cited"] == before["cited"]
            await library.notebooks.delete(notebook)
            await library.notebooks.delete(copy.id)
            made = await library.notebooks.import_(Upload.of(exported, "any.quire"))
            assert made.id == notebook
            assert await all_of(library, notebook) == before
            assert await (await library.notebooks.export(notebook)).read() == exported
            await library.notebooks.delete(notebook)


@settings(max_examples=4, deadline=None)
@given(DEEDS)
def test_a_few_notebooks_come_back_as_they_were(deeds: list[tuple[str, str, Any]]) -> None:
    asyncio.run(there_and_back("memory", deeds))


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(DEEDS)
def test_many_notebooks_come_back_as_they_were(deeds: list[tuple[str, str, Any]]) -> None:
    asyncio.run(there_and_back("", deeds))


@pytest.mark.long
def test_many_notebooks_on_postgres_come_back_as_they_were(migrated_postgres_url: str) -> None:
    @settings(max_examples=15, deadline=None)
    @given(DEEDS)
    def each(deeds: list[tuple[str, str, Any]]) -> None:
        asyncio.run(there_and_back(migrated_postgres_url, deeds))

    each()
