"""Notebooks through the library, on every store."""

from __future__ import annotations

import asyncio

import pytest
from trials import on_one_store

from quire.api.library import Library
from quire.domain.errors import InvalidInput, NotFound
from quire.domain.files import Upload
from quire.domain.sharing import Role

pytestmark = pytest.mark.anyio


async def test_there_is_an_inbox_from_the_start(library: Library) -> None:
    (inbox,) = await library.notebooks.list()
    assert (inbox.title, inbox.inbox, inbox.role) == ("Inbox", True, Role.OWNER)
    note = await library.notes.create(title="a")
    assert note.notebook_id == inbox.id


async def test_a_notebook_is_made_and_read_back(library: Library) -> None:
    made = await library.notebooks.create("  Garden ")
    assert (made.title, made.inbox, made.role) == ("Garden", False, Role.OWNER)
    assert await library.notebooks.get(made.id) == made
    assert len(await library.notes.list(made.id)) == 0


async def test_notebooks_are_listed_newest_first_in_pages(library: Library) -> None:
    for number in range(4):
        await library.notebooks.create(str(number))
    first = await library.notebooks.list(limit=3)
    rest = await library.notebooks.list(limit=3, cursor=first.cursor)
    assert [notebook.title for notebook in first] == ["3", "2", "1"]
    assert [notebook.title for notebook in rest] == ["0", "Inbox"]
    assert (first.total, first.truncated, rest.truncated) == (5, True, False)


async def test_a_notebook_has_an_emoji_when_one_was_set(library: Library) -> None:
    made = await library.notebooks.create("Bees")
    assert made.emoji is None
    assert (await library.notebooks.set_emoji(made.id, "🐝")).emoji == "🐝"
    assert [one.emoji for one in await library.notebooks.list()][:1] == ["🐝"]
    assert (await library.notebooks.set_emoji(made.id, " ")).emoji is None
    with pytest.raises(InvalidInput):
        await library.notebooks.set_emoji(made.id, "🐝" * 40)


async def test_a_notebook_can_be_renamed(library: Library) -> None:
    made = await library.notebooks.create("Garden")
    renamed = await library.notebooks.rename(made.id, "Orchard")
    assert (renamed.title, renamed.id, renamed.created_at) == ("Orchard", made.id, made.created_at)
    assert await library.notebooks.get(made.id) == renamed


@on_one_store
@pytest.mark.parametrize("title", ["", "  ", "\n"])
async def test_a_notebook_needs_a_title(library: Library, title: str) -> None:
    made = await library.notebooks.create("Garden")
    with pytest.raises(InvalidInput, match="title"):
        await library.notebooks.create(title)
    with pytest.raises(InvalidInput, match="title"):
        await library.notebooks.rename(made.id, title)


async def test_a_deleted_notebook_is_gone_with_all_that_was_in_it(library: Library) -> None:
    made = await library.notebooks.create("Garden")
    note = await library.notes.create(made.id, "a")
    job = await library.notes.import_(made.id, Upload.of("# one\n"))
    assert await library.notebooks.delete(made.id) == made
    for call in (
        library.notebooks.get(made.id),
        library.notebooks.delete(made.id),
        library.notes.list(made.id),
        library.notes.get(None, note.id),
        library.jobs.get(job.id),
    ):
        with pytest.raises(NotFound):
            await call


async def test_of_many_deletes_one_wins(library: Library) -> None:
    for _ in range(4):
        made = await library.notebooks.create("Garden")
        deletes = [library.notebooks.delete(made.id) for _ in range(6)]
        outcomes = await asyncio.gather(*deletes, return_exceptions=True)
        assert [outcome for outcome in outcomes if not isinstance(outcome, NotFound)] == [made]


async def test_the_inbox_cannot_be_deleted(library: Library) -> None:
    (inbox,) = await library.notebooks.list()
    with pytest.raises(InvalidInput, match="inbox"):
        await library.notebooks.delete(inbox.id)
    assert await library.notebooks.get(inbox.id) == inbox


async def test_what_happens_to_notebooks_is_told(library: Library) -> None:
    made = await library.notebooks.create("Garden")
    await library.notebooks.rename(made.id, "Orchard")
    await library.notebooks.delete(made.id)
    rows = await library.engine.system.read(lambda tx: tx.all("events_after", after=0, limit=10))
    assert [row["kind"] for row in rows] == ["notebook.created", "notebook.updated", "notebook.deleted"]
    assert {row["subject_id"] for row in rows} == {made.id}
