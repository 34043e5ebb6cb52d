"""Notes through the library, on every store."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest
from trials import on_one_store

from quire.adapters.memory import FixedClock, MemoryBlobs
from quire.api.library import Library
from quire.domain.errors import Conflict, InvalidInput, NotFound, TooLarge
from quire.domain.notes import ATTACHMENT_LIMIT
from variants import with_parts

pytestmark = pytest.mark.anyio


async def test_a_created_note_is_what_was_given(library: Library) -> None:
    note = await library.notes.create(title="  Plans ", content=" two\r\nlines \n")
    assert note.title == "Plans"
    assert note.content == " two\r\nlines \n"
    assert re.fullmatch(r"[0-9a-f]{8}", note.short_id)
    assert note.id.startswith(note.short_id)
    assert note.revision == 1
    assert note.updated_at is None
    assert note.created_at.tzinfo is UTC


async def test_a_note_is_found_by_its_id_and_its_short_id(library: Library) -> None:
    note = await library.notes.create(title="a", content="b")
    assert await library.notes.get(None, note.id) == note
    assert await library.notes.get(note.notebook_id, note.short_id) == note


@pytest.mark.parametrize("id", ["", "00000000", "no such id", "%", "'; DROP TABLE note; --", "\N{CAT}"])
async def test_an_unknown_id_is_not_found(library: Library, id: str) -> None:
    await library.notes.create(title="a", content="b")
    with pytest.raises(NotFound) as caught:
        await library.notes.get(None, id)
    assert caught.value.details == {"noun": "note", "id": id}


async def test_a_note_of_another_notebook_is_not_found_there(library: Library) -> None:
    note = await library.notes.create(title="a", content="b")
    other = await library.notebooks.create("Other")
    for call in (library.notes.get, library.notes.delete):
        with pytest.raises(NotFound):
            await call(other.id, note.id)
    with pytest.raises(NotFound):
        await library.notes.update(other.id, note.id, "new")
    assert await library.notes.get(None, note.id) == note


async def test_pages_are_newest_first_and_go_on_where_they_ended(library: Library) -> None:
    made = [await library.notes.create(title=str(number)) for number in range(7)]
    titles: list[str] = []
    cursor = None
    for expected in (3, 3, 1):
        page = await library.notes.list(limit=3, cursor=cursor)
        assert (len(page), page.total, page.truncated) == (expected, 7, expected == 3)
        titles += [note.title for note in page]
        cursor = page.cursor
    assert cursor is None
    assert titles == [note.title for note in reversed(made)]


async def test_notes_of_the_same_instant_keep_the_order_they_came_in(timed: Library) -> None:
    for number in range(5):
        await timed.notes.create(title=str(number))
    assert [note.title for note in await timed.notes.list()] == ["4", "3", "2", "1", "0"]


async def test_a_page_that_ends_with_the_list_is_not_truncated(library: Library) -> None:
    for number in range(4):
        await library.notes.create(title=str(number))
    page = await library.notes.list(limit=4)
    assert (len(page), page.truncated, page.cursor) == (4, False, None)


async def test_notes_that_come_in_between_two_pages_move_nothing(library: Library) -> None:
    for number in range(4):
        await library.notes.create(title=str(number))
    first = await library.notes.list(limit=2)
    await library.notes.create(title="late")
    rest = await library.notes.list(limit=2, cursor=first.cursor)
    assert [note.title for note in first] == ["3", "2"]
    assert [note.title for note in rest] == ["1", "0"]


@on_one_store
@pytest.mark.parametrize("cursor", ["", "x", "-1", "0x10", "1 ", "f" * 16, "9" * 40, "1_0", "\N{FULLWIDTH DIGIT ONE}"])
async def test_a_cursor_that_no_list_gave_out_is_refused(library: Library, cursor: str) -> None:
    with pytest.raises(InvalidInput, match="cursor"):
        await library.notes.list(cursor=cursor)


async def test_an_empty_list_is_a_page_too(library: Library) -> None:
    page = await library.notes.list()
    assert (page.items, page.total, page.truncated, page.cursor) == ([], 0, False, None)


async def test_an_update_changes_what_it_names_and_counts(timed: Library, clock: FixedClock) -> None:
    note = await timed.notes.create(title="a", content="b")
    clock.move(seconds=90)
    updated = await timed.notes.update(None, note.short_id, content="new")
    assert (updated.title, updated.content, updated.revision) == ("a", "new", 2)
    assert updated.created_at == note.created_at
    assert updated.updated_at == note.created_at + timedelta(seconds=90)
    again = await timed.notes.update(None, note.id, title=" c ")
    assert (again.title, again.content, again.revision) == ("c", "new", 3)
    assert await timed.notes.get(None, note.id) == again


async def test_an_update_that_changes_nothing_is_no_revision(timed: Library, clock: FixedClock) -> None:
    note = await timed.notes.create(title="a", content="b")
    updated = await timed.notes.update(None, note.id, content="b", title="a")
    assert (updated.revision, updated.updated_at) == (1, note.created_at)


async def test_an_update_against_an_old_revision_is_a_conflict(library: Library) -> None:
    note = await library.notes.create(title="a", content="b")
    first = await library.notes.update(None, note.id, content="first", revision=1)
    with pytest.raises(Conflict) as caught:
        await library.notes.update(None, note.id, content="second", revision=1)
    assert caught.value.details == {"revision": 2}
    assert await library.notes.get(None, note.id) == first


async def test_of_many_updates_against_one_revision_one_wins(library: Library) -> None:
    note = await library.notes.create(title="a", content="b")
    for revision in range(1, 9):
        updates = [library.notes.update(None, note.id, content=f"{revision}-{n}", revision=revision) for n in range(8)]
        outcomes = await asyncio.gather(*updates, return_exceptions=True)
        won = [outcome for outcome in outcomes if not isinstance(outcome, Conflict)]
        assert won == [await library.notes.get(None, note.id)]


async def test_of_many_deletes_one_wins(library: Library) -> None:
    for _ in range(5):
        note = await library.notes.create(title="a", content="b")
        deletes = [library.notes.delete(None, note.id) for _ in range(6)]
        outcomes = await asyncio.gather(*deletes, return_exceptions=True)
        assert [outcome for outcome in outcomes if not isinstance(outcome, NotFound)] == [note]


async def test_updates_at_once_are_all_counted(library: Library) -> None:
    note = await library.notes.create(title="a", content="b")
    await asyncio.gather(*[library.notes.update(None, note.id, content=str(n)) for n in range(20)])
    assert (await library.notes.get(None, note.id)).revision == 21


@on_one_store
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "At least one of title or content must be provided."),
        ({"title": " \n "}, "Title cannot be empty."),
    ],
)
async def test_an_update_must_say_something(library: Library, arguments: dict[str, str], message: str) -> None:
    note = await library.notes.create(title="a", content="b")
    with pytest.raises(InvalidInput) as caught:
        await library.notes.update(None, note.id, **arguments)
    assert caught.value.message == message


@on_one_store
@pytest.mark.parametrize("title", ["", " ", "\t\n\u2003"])
async def test_a_title_of_nothing_is_refused(library: Library, title: str) -> None:
    with pytest.raises(InvalidInput, match="Title cannot be empty"):
        await library.notes.create(title=title)


async def test_a_deleted_note_is_returned_and_gone(library: Library) -> None:
    note = await library.notes.create(title="a", content="b")
    assert await library.notes.delete(None, note.short_id) == note
    for call in (library.notes.get, library.notes.delete):
        with pytest.raises(NotFound):
            await call(None, note.id)
    assert len(await library.notes.list()) == 0


async def test_of_deleted_notes_the_ids_are_told_in_their_notebook(timed: Library, clock: FixedClock) -> None:
    notes = [await timed.notes.create(None, title) for title in "abc"]
    assert await timed.notes.list_deleted() == []
    for note in notes[:2]:
        clock.microseconds += 1
        await timed.notes.delete(None, note.id)
    assert await timed.notes.list_deleted() == [notes[1].id, notes[0].id]
    other = await timed.notebooks.create("Other")
    assert await timed.notes.list_deleted(other.id) == []


async def test_the_short_id_of_a_deleted_note_is_never_given_again(library: Library) -> None:
    note = await library.notes.create(title="a", content="b")
    await library.notes.delete(None, note.id)
    given = await library.engine.system.write(lambda tx: tx.run("give_short_id", short_id=note.short_id))
    assert given == 0


async def test_a_short_id_that_is_taken_is_drawn_again(library: Library) -> None:
    from quire.local.notes import insert

    note = await library.notes.create(title="a", content="b")
    other = await library.engine.system.write(lambda tx: insert(tx, note.notebook_id, note.id, "c", "d", 0))
    assert other.short_id != note.short_id
    assert other.id.startswith(other.short_id)


@pytest.mark.parametrize(
    "text",
    [
        "\N{PARTY POPPER} e\u0301 \u00e9",
        "עברית \u202e",
        "日本語\u3000",
        "\u2028\u2029\x0b\x1f\x7f",
        "\U0010ffff",
        "'\"\\%_?:a$1{}",
    ],
)
async def test_any_text_comes_back_as_it_was(library: Library, text: str) -> None:
    note = await library.notes.create(title=f"|{text}|", content=text)
    kept = await library.notes.get(None, note.id)
    assert (kept.title, kept.content) == (f"|{text}|", text)


async def test_notes_made_at_once_are_all_kept_under_ids_of_their_own(library: Library) -> None:
    notes = await asyncio.gather(*[library.notes.create(title=str(n)) for n in range(60)])
    page = await library.notes.list(limit=100)
    assert page.total == 60
    assert {note.title for note in page} == {str(n) for n in range(60)}
    assert len({note.short_id for note in notes}) == 60


async def test_times_are_the_clocks(timed: Library, clock: FixedClock) -> None:
    note = await timed.notes.create(title="a")
    assert note.created_at == datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=clock.now())


async def test_what_is_kept_beside_a_note_is_given_out_by_its_id_until_the_note_is_gone(library: Library) -> None:
    notebook = (await library.notebooks.create("Answers")).id
    plain = await library.notes.create(notebook, title="Plain")
    kept = await library.notes.create_with_attachment(notebook, " Kept ", "words", '[1, "\N{CAT}"]')
    assert (kept.title, kept.content) == ("Kept", "words")
    asked = [plain.id, kept.id, "missing"]
    assert await library.notes.get_attachments(notebook, asked) == {kept.id: '[1, "\N{CAT}"]'}
    assert await library.notes.get_attachments(notebook, [plain.id]) == {}
    assert await library.notes.get_attachments(None, asked) == {}
    await library.notes.update(notebook, kept.id, "other words")
    assert kept.id in await library.notes.get_attachments(notebook, asked)
    await library.notes.delete(notebook, kept.id)
    assert await library.notes.get_attachments(notebook, asked) == {}
    assert await library.engine.system.write(lambda tx: tx.run("release_note_blobs")) == 0


async def test_what_is_too_long_or_untitled_leaves_no_note(library: Library) -> None:
    with pytest.raises(TooLarge):
        await library.notes.create_with_attachment(None, "a", "b", "x" * (ATTACHMENT_LIMIT + 1))
    with pytest.raises(InvalidInput):
        await library.notes.create_with_attachment(None, " ", "b", "x")
    assert (await library.notes.list()).total == 0


async def test_nobody_else_reads_or_writes_what_is_kept_beside_notes(library: Library, guest: Library) -> None:
    notebook = (await library.notebooks.create("Mine")).id
    note = await library.notes.create_with_attachment(notebook, "a", "b", "secret")
    with pytest.raises(NotFound):
        await guest.notes.get_attachments(notebook, [note.id])
    with pytest.raises(NotFound):
        await guest.notes.create_with_attachment(notebook, "a", "b", "x")
    assert await guest.notes.get_attachments(None, [note.id]) == {}


class CountingBlobs(MemoryBlobs):
    def __init__(self) -> None:
        super().__init__()
        self.read: list[str] = []

    def get(self, sha256: str) -> AsyncIterator[bytes]:
        self.read.append(sha256)
        return super().get(sha256)


async def test_only_the_files_of_the_notes_that_are_asked_for_are_read(library: Library) -> None:
    blobs = CountingBlobs()
    counted = with_parts(library, blobs=blobs)
    notes = [await counted.notes.create_with_attachment(None, "a", "b", f"text {number}") for number in range(5)]
    assert await counted.notes.get_attachments(None, [notes[3].id]) == {notes[3].id: "text 3"}
    assert len(blobs.read) == 1
