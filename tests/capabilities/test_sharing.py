"""What a member of a notebook may do, and what others see of it: nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from trials import on_one_store

from quire.api.library import Library
from quire.domain.errors import NotAllowed, NotFound
from quire.domain.files import Upload
from quire.domain.notebooks import Notebook
from quire.domain.notes import Note
from quire.domain.sharing import Actor, Role

pytestmark = pytest.mark.anyio

Call = Callable[[Library, Notebook, Note, str], Awaitable[Any]]


async def first(stream: Any) -> Any:
    try:
        return await anext(stream)
    finally:
        await stream.aclose()


# What each call needs; a member with less is told so, and whoever is no member learns nothing.
CALLS: dict[str, tuple[Role, Call]] = {
    "get notebook": (Role.CHAT_ONLY, lambda library, book, note, job: library.notebooks.get(book.id)),
    "get notebook summary": (Role.CHAT_ONLY, lambda library, book, note, job: library.notebooks.get_summary(book.id)),
    "list notes": (Role.VIEWER, lambda library, book, note, job: library.notes.list(book.id)),
    "search notes": (Role.VIEWER, lambda library, book, note, job: library.notes.search(book.id, "a")),
    "get note": (Role.VIEWER, lambda library, book, note, job: library.notes.get(None, note.id)),
    "get note by short id": (Role.VIEWER, lambda library, book, note, job: library.notes.get(None, note.short_id)),
    "watch notes": (
        Role.VIEWER,
        lambda library, book, note, job: first(library.notes.watch(book.id, after=0, limit=1)),
    ),
    "export notes": (Role.VIEWER, lambda library, book, note, job: library.notes.export(book.id)),
    "get job": (Role.VIEWER, lambda library, book, note, job: library.jobs.get(job)),
    "wait for job": (Role.VIEWER, lambda library, book, note, job: library.jobs.wait(job)),
    "get job file": (Role.VIEWER, lambda library, book, note, job: library.jobs.file(job)),
    "cancel job": (Role.EDITOR, lambda library, book, note, job: library.jobs.cancel(job)),
    "create note": (Role.EDITOR, lambda library, book, note, job: library.notes.create(book.id, "new")),
    "update note": (Role.EDITOR, lambda library, book, note, job: library.notes.update(None, note.id, "new")),
    "delete note": (Role.EDITOR, lambda library, book, note, job: library.notes.delete(None, note.short_id)),
    "import notes": (
        Role.EDITOR,
        lambda library, book, note, job: library.notes.import_(book.id, Upload.of("# imported\n")),
    ),
    "rename notebook": (Role.EDITOR, lambda library, book, note, job: library.notebooks.rename(book.id, "new")),
    "set emoji": (Role.EDITOR, lambda library, book, note, job: library.notebooks.set_emoji(book.id, "🐝")),
    "list deleted notes": (Role.VIEWER, lambda library, book, note, job: library.notes.list_deleted(book.id)),
    "open conversation": (Role.CHAT_ONLY, lambda library, book, note, job: library.chat.open_conversation(book.id)),
    "delete notebook": (Role.OWNER, lambda library, book, note, job: library.notebooks.delete(book.id)),
}


async def shared(library: Library, role: Role | None) -> tuple[Notebook, Note, str]:
    """A notebook of the owner's with a note and an export, in which the guest has this role."""
    notebook = await library.notebooks.create("Shared")
    note = await library.notes.create(notebook.id, "a", "b")
    job = await library.notes.export(notebook.id)
    if role is not None:
        member = {"notebook_id": notebook.id, "person_id": "guest", "role": int(role)}
        await library.engine.system.write(lambda tx: tx.run("insert_member", **member))
    return notebook, note, job.id


@on_one_store
@pytest.mark.parametrize("name", CALLS)
async def test_a_role_allows_what_it_says(library: Library, guest: Library, name: str) -> None:
    needs, call = CALLS[name]
    for role in (None, *Role):
        notebook, note, job = await shared(library, role)
        if role is not None and role >= needs:
            await call(guest, notebook, note, job)
            continue
        with pytest.raises(NotFound if role is None else NotAllowed) as caught:
            await call(guest, notebook, note, job)
        if role is None:
            assert "Shared" not in str(caught.value.body())
        else:
            assert caught.value.message == (
                "You may only chat with this notebook."
                if role is Role.CHAT_ONLY
                else f"This needs the role {needs.name.lower()} in the notebook."
            )
        assert [one.id for one in await library.notes.list(notebook.id)] == [note.id]
        assert await library.notes.get(None, note.id) == note
        assert (await library.notebooks.get(notebook.id)).title == "Shared"
        assert [one.kind for one in await library.jobs.list(notebook.id)] == ["export_notes"]


async def test_lists_hold_only_what_one_is_a_member_of(library: Library, guest: Library) -> None:
    hidden, _, _ = await shared(library, None)
    seen, _, job = await shared(library, Role.VIEWER)
    assert [one.title for one in await guest.notebooks.list()] == ["Shared", "Inbox"]
    assert (await guest.notebooks.list())[0].role == Role.VIEWER
    assert (await guest.notebooks.list()).total == 2
    assert [one.id for one in await guest.jobs.list()] == [job]
    assert len(await guest.jobs.list(hidden.id)) == 0
    assert seen.id != hidden.id


async def test_everyone_has_an_inbox_of_their_own(library: Library, guest: Library) -> None:
    mine = await library.notes.create(title="mine")
    theirs = await guest.notes.create(title="theirs")
    assert [note.title for note in await library.notes.list()] == ["mine"]
    assert [note.title for note in await guest.notes.list()] == ["theirs"]
    with pytest.raises(NotFound):
        await guest.notes.get(None, mine.id)
    with pytest.raises(NotFound):
        await library.notes.get(None, theirs.short_id)


async def test_a_person_that_is_not_there_has_nothing(library: Library) -> None:
    nobody = library.as_actor(Actor(id="nobody"))
    assert len(await nobody.notebooks.list()) == 0
    for call in (nobody.notes.list(), nobody.notes.create(title="a"), nobody.notes.export()):
        with pytest.raises(NotFound, match="inbox"):
            await call


async def test_a_role_that_was_taken_away_counts_at_once(library: Library, guest: Library) -> None:
    notebook, note, _ = await shared(library, Role.EDITOR)
    await guest.notes.update(None, note.id, "by the guest")
    await library.engine.system.write(lambda tx: tx.run("delete_member", notebook_id=notebook.id, person_id="guest"))
    with pytest.raises(NotFound):
        await guest.notes.update(None, note.id, "again")


async def test_acting_for_someone_else_leaves_the_library_as_it_was(library: Library, guest: Library) -> None:
    assert (library.context.actor.id, guest.context.actor.id) == ("owner", "guest")
    assert guest.engine is library.engine
    assert guest.context.request_id == library.context.request_id
