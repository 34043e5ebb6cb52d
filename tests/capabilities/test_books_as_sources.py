"""Books as sources of notebooks: asked like any other, and in step with their files."""

from __future__ import annotations

from pathlib import Path

import pytest

from quire.api.library import Library
from quire.domain.errors import Conflict, NotAllowed, NotFound
from quire.domain.sharing import Role
from quire.domain.sources import Source

pytestmark = pytest.mark.anyio

BOOK = "my-book"


@pytest.fixture
async def source(library: Library) -> Source:
    """A notebook's source that is a book with two lessons."""
    await library.books.create(BOOK, "The garden book")
    await library.books.write_content(BOOK, "lessons/one.md", "# Roses\n\nRoses need pruning in February.\n")
    await library.books.write_content(BOOK, "lessons/two.md", "# Tulips\n\nTulip bulbs are planted in October.\n")
    await library.books.write_content(BOOK, "data.csv", "not,a,lesson\n")
    notebook = await library.notebooks.create("Garden")
    return await library.books.add_to_notebook(BOOK, notebook.id)


async def text_of(library: Library, source: Source) -> str:
    await library.sources.wait(source.notebook_id, source.id)
    return (await library.sources.get_fulltext(source.notebook_id, source.id)).text


async def test_a_book_is_one_source_with_its_lessons_under_their_paths(library: Library, source: Source) -> None:
    assert (source.state, source.kind, source.title) == ("ready", "book", "The garden book")
    assert source.url == "book://my-book"
    text = await text_of(library, source)
    assert text == "# Roses\n\nRoses need pruning in February.\n\n# Tulips\n\nTulip bulbs are planted in October.\n\n"
    hits = await library.sources.search(source.notebook_id, "tulip bulbs")
    assert hits[0].passage.place.heading == "lessons/two.md > Tulips"
    assert [one.id for one in await library.sources.list(source.notebook_id)] == [source.id]


async def test_it_stays_in_step_with_every_way_to_change_a_file(library: Library, source: Source) -> None:
    await library.books.write_content(BOOK, "lessons/three.md", "Lilies like shade.")
    assert "Lilies like shade." in await text_of(library, source)
    await library.books.edit_content(BOOK, "lessons/one.md", "replace", "March", find="February")
    assert "pruning in March" in await text_of(library, source)
    await library.books.delete_content(BOOK, "lessons/two.md")
    assert "Tulip" not in await text_of(library, source)
    await library.books.write_summary(BOOK, "chapter-01", "In short: flowers.")
    assert "In short: flowers." in await text_of(library, source)
    await library.books.move_content(BOOK, "lessons/three.md", "lessons/zero.md")
    await library.sources.wait(source.notebook_id, source.id)
    assert (await library.sources.search(source.notebook_id, "lilies"))[0].passage.place.heading == "lessons/zero.md"
    root = Path(str(library.engine.parts.books.storages.get("fs").path(f"books/{BOOK}")))
    (root / "lessons/one.md").write_text("Written by another program.")
    await library.engine.books.sweeper.sweep()
    assert "Written by another program." in await text_of(library, source)
    current = await library.sources.get(source.notebook_id, source.id)
    assert (current.state, current.version) == ("ready", 7)


async def test_many_changes_are_read_at_once_and_the_last_is_there(library: Library, source: Source) -> None:
    for number in range(20):
        await library.books.write_content(BOOK, "lessons/one.md", f"Revision {number} of the lesson.")
    assert "Revision 19 of the lesson." in await text_of(library, source)
    waiting = [job for job in await library.jobs.list(source.notebook_id) if job.kind == "read_source"]
    assert len(waiting) < 20


async def test_what_is_no_lesson_changes_nothing(library: Library, source: Source) -> None:
    await library.books.write_content(BOOK, "data.csv", "other,data\n")
    assert (await library.sources.get(source.notebook_id, source.id)).version == 1


async def test_an_answer_comes_from_the_newest_lessons(library: Library, source: Source) -> None:
    await library.books.write_content(BOOK, "lessons/four.md", "Dahlias are lifted before the first frost.")
    answer = await library.chat.ask(source.notebook_id, "When are dahlias lifted?")
    assert answer.grounded
    assert "Dahlias are lifted before the first frost" in answer.text
    assert answer.citations[0].source_id == source.id


async def test_a_book_is_added_once_and_again_after_it_was_taken_out(library: Library, source: Source) -> None:
    with pytest.raises(Conflict):
        await library.books.add_to_notebook(BOOK, source.notebook_id)
    await library.sources.delete(source.notebook_id, source.id)
    again = await library.books.add_to_notebook(BOOK, source.notebook_id, title="Again")
    assert (again.state, again.title) == ("ready", "Again")
    with pytest.raises(NotFound):
        await library.books.add_to_notebook("no-book", source.notebook_id)


async def test_both_roles_are_needed_and_kept(library: Library, guest: Library, source: Source) -> None:
    theirs = await guest.notebooks.create("Theirs")
    with pytest.raises(NotFound):
        await guest.books.add_to_notebook(BOOK, theirs.id)
    book = (await library.books.list())[0]
    member = {"person_id": "guest", "role": int(Role.VIEWER)}
    await library.engine.system.write(lambda tx: tx.run("insert_member", notebook_id=book.notebook_id, **member))
    await library.engine.system.write(lambda tx: tx.run("insert_member", notebook_id=source.notebook_id, **member))
    with pytest.raises(NotAllowed):
        await guest.books.add_to_notebook(BOOK, source.notebook_id)
    linked = await guest.books.add_to_notebook(BOOK, theirs.id)
    assert linked.state == "ready"
    await library.engine.system.write(lambda tx: forget_member(tx, book.notebook_id))
    await library.books.write_content(BOOK, "lessons/secret.md", "Not for the guest any more.")
    await guest.sources.wait(theirs.id, linked.id)
    after = await guest.sources.get(theirs.id, linked.id)
    assert (after.state, after.error) == ("failed", "There is no book 'my-book'.")
    assert "Not for the guest" not in (await guest.sources.get_fulltext(theirs.id, linked.id)).text


def forget_member(tx: object, notebook_id: str) -> None:
    connection = getattr(tx, "connection", None) or tx._connection  # type: ignore[attr-defined]
    connection.execute(f"DELETE FROM member WHERE person_id = 'guest' AND notebook_id = '{notebook_id}'")


async def test_work_that_follows_from_a_change_is_the_readers_own(
    library: Library, guest: Library, source: Source
) -> None:
    book = (await library.books.list())[0]
    member = {"person_id": "guest", "role": int(Role.VIEWER)}
    await library.engine.system.write(lambda tx: tx.run("insert_member", notebook_id=book.notebook_id, **member))
    theirs = await guest.notebooks.create("Theirs")
    await guest.books.add_to_notebook(BOOK, theirs.id)
    await library.books.write_content(BOOK, "lessons/one.md", "Roses need sun.")
    where = {"notebook_id": theirs.id, "person_id": "guest", "before": 1 << 60, "limit": 100}
    rows = await library.engine.system.read(lambda tx: tx.all("jobs_of", **where))
    assert len(rows) > 1
    assert {row["person_id"] for row in rows} == {"guest"}, "none is in the writer's name"
