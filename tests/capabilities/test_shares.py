"""Sharing a notebook: with people, with those who are not there yet, by a link, in full or for its chat alone."""

from __future__ import annotations

import pytest
from test_people import added
from trials import on_one_store

from quire.api.library import Library
from quire.domain.errors import Conflict, InvalidInput, NotAllowed, NotFound
from quire.domain.sharing import Actor, Role

pytestmark = pytest.mark.anyio

HONEY = "Bees keep honey in the hive. The hive has one queen."


async def bees(library: Library) -> str:
    notebook = await library.notebooks.create("Bees")
    await library.sources.add_text(notebook.id, "Hives", HONEY)
    await library.notes.create(notebook.id, "A secret note", "Nobody knows")
    return notebook.id


async def test_a_notebook_is_not_found_until_it_is_shared_and_again_afterwards(library: Library) -> None:
    ada, id = await added(library, "Ada", "ada@example.com"), await bees(library)
    with pytest.raises(NotFound):
        await ada.notebooks.get(id)
    status = await library.sharing.add_user(id, "ADA@example.com", "editor", "Look at this")
    assert [(one.email, one.permission, one.pending) for one in status.users] == [
        ("owner@quire.invalid", "owner", False),
        ("ada@example.com", "editor", False),
    ]
    opened = await ada.sharing.open(id)
    assert (opened.title, opened.role, opened.message) == ("Bees", Role.EDITOR, "Look at this")
    await ada.notes.create(id, "By Ada", "")
    assert await ada.sharing.get_status(id) == status
    status = await library.sharing.update_user(id, "ada@example.com", "viewer")
    assert (status.users[1].permission, status.users[1].message) == ("viewer", "Look at this")
    with pytest.raises(NotAllowed):
        await ada.notes.create(id, "Again", "")
    assert len((await library.sharing.remove_user(id, "ada@example.com")).users) == 1
    for call in (ada.notebooks.get(id), ada.sharing.open(id), ada.notes.list(id)):
        with pytest.raises(NotFound):
            await call
    for call in (
        library.sharing.remove_user(id, "ada@example.com"),
        library.sharing.update_user(id, "x@y.z", "viewer"),
    ):
        with pytest.raises(NotFound):
            await call
    log = await library.sharing.log(id)
    told = [(one.actor, one.action, one.subject, one.detail) for one in reversed(log.items)]
    assert told == [
        ("local owner", "user.added", "ada@example.com", "editor"),
        ("local owner", "user.changed", "ada@example.com", "viewer"),
        ("local owner", "user.removed", "ada@example.com", ""),
    ]
    assert {one.title for one in log} == {"Bees"}


async def test_whoever_is_not_there_yet_is_invited_and_let_in_once_they_are(library: Library) -> None:
    id = await bees(library)
    await library.sharing.add_user(id, "ada@example.com", "editor", "Welcome")
    status = await library.sharing.add_user(id, "ben@example.com")
    assert [(one.email, one.pending) for one in status.users[1:]] == [
        ("ada@example.com", True),
        ("ben@example.com", True),
    ]
    await library.sharing.update_user(id, "ada@example.com", "viewer")
    await library.sharing.remove_user(id, "ben@example.com")
    ada, ben = await added(library, "Ada", "ada@example.com"), await added(library, "Ben", "ben@example.com")
    assert (await ada.notebooks.get(id)).role is Role.VIEWER
    assert (await ada.sharing.open(id)).message == "Welcome"
    assert [(one.email, one.pending) for one in (await library.sharing.get_status(id)).users[1:]] == [
        ("ada@example.com", False)
    ]
    with pytest.raises(NotFound):
        await ben.notebooks.get(id)
    await library.sharing.add_user(id, "ada2@example.com", "editor")
    await library.people.update("ada@example.com", email="ada2@example.com")
    assert (await ada.notebooks.get(id)).role is Role.VIEWER
    assert [one.email for one in (await library.sharing.get_status(id)).users[1:]] == ["ada2@example.com"]


async def test_a_public_notebook_is_opened_by_its_link_and_in_the_list_from_then_on(library: Library) -> None:
    ada, id = await added(library, "Ada", "ada@example.com"), await bees(library)
    status = await library.sharing.set_public(id, welcome_message="Hello, everyone")
    assert (status.public, status.url.endswith(f"/notebooks/{id}")) == (True, True)
    assert [one.title for one in await ada.notebooks.list()] == ["Inbox"]
    with pytest.raises(NotFound):
        await ada.sources.list(id)
    opened = await ada.sharing.open(id)
    assert (opened.role, opened.message) == (Role.VIEWER, "Hello, everyone")
    assert [one.title for one in await ada.notebooks.list()] == ["Bees", "Inbox"]
    assert [one.title for one in await ada.sources.list(id)] == ["Hives"]
    with pytest.raises(NotAllowed):
        await ada.notes.create(id, "Mine", "")
    status = await library.sharing.get_status(id)
    assert (len(status.users), status.by_link) == (1, 1)
    status = await library.sharing.set_public(id, False)
    assert (status.public, status.by_link, status.message) == (False, 0, "")
    for call in (ada.sharing.open(id), ada.notebooks.get(id)):
        with pytest.raises(NotFound):
            await call
    with pytest.raises(NotFound):
        await library.as_actor(Actor(id="nobody")).sharing.open(id)


async def test_whoever_was_let_in_by_name_stays_when_the_link_is_closed(library: Library) -> None:
    ada, id = await added(library, "Ada", "ada@example.com"), await bees(library)
    await library.sharing.set_public(id)
    await ada.sharing.open(id)
    await library.sharing.add_user(id, "ada@example.com")
    await library.sharing.set_public(id, False)
    assert (await ada.notebooks.get(id)).role is Role.VIEWER


async def test_who_may_only_chat_asks_and_reads_no_source_and_no_note(library: Library) -> None:
    ada, ben, id = (
        await added(library, "Ada", "ada@example.com"),
        await added(library, "Ben", "ben@example.com"),
        await bees(library),
    )
    source = (await library.sources.list(id))[0]
    note = (await library.notes.list(id))[0]
    await library.sharing.add_user(id, "ada@example.com")
    await library.sharing.add_user(id, "ben@example.com", "editor")
    job = await library.notes.export(id)
    assert [one.id for one in await ada.jobs.list()] == [job.id]
    assert (await library.sharing.set_view_level(id, "chat")).view_level == "chat"
    answer = await ada.chat.ask(id, "Where is honey kept?")
    assert "hive" in answer.text
    assert answer.citations[0].source_id == source.id
    assert answer.more == []
    assert len(await ada.chat.list_conversations(id)) == 1
    assert len(await ada.chat.get_history(answer.conversation_id)) == 1
    seen = await ada.notebooks.get(id)
    assert (seen.title, seen.role, seen.model_dump(mode="json")["role"]) == ("Bees", Role.CHAT_ONLY, "chat_only")
    assert [one.role for one in await ada.notebooks.list()] == [Role.CHAT_ONLY, Role.OWNER]
    assert "honey" in (await ada.notebooks.get_summary(id)).summary
    for call in (
        ada.sources.list(id),
        ada.sources.get(id, source.id),
        ada.sources.get_fulltext(id, source.id),
        ada.sources.search(id, "honey"),
        ada.notes.list(id),
        ada.notes.get(id, note.id),
        ada.labels.list(id),
        ada.jobs.get(job.id),
        ada.chat.get_configuration(id),
    ):
        with pytest.raises(NotAllowed, match="only chat"):
            await call
    assert len(await ada.jobs.list()) == 0
    assert id not in await library.engine.events.readable(ada.context.actor.id)
    assert [one.title for one in await ben.sources.list(id)] == ["Hives"]
    await library.sharing.set_view_level(id, "full")
    assert [one.title for one in await ada.sources.list(id)] == ["Hives"]


@on_one_store
async def test_a_notebook_keeps_its_owner_and_an_inbox_is_nobody_elses(library: Library) -> None:
    ada, id = await added(library, "Ada", "ada@example.com"), await bees(library)
    await library.people.update("owner", email="olga@example.com")
    for call in (
        library.sharing.leave(id),
        library.sharing.remove_user(id, "olga@example.com"),
        library.sharing.remove_user(id, "owner@quire.invalid"),
        library.sharing.add_user(id, "olga@example.com"),
        library.sharing.update_user(id, "olga@example.com", "viewer"),
    ):
        with pytest.raises(Conflict, match="keeps its owner"):
            await call
    inbox = next(one for one in await library.notebooks.list() if one.inbox)
    for call in (library.sharing.add_user(inbox.id, "ada@example.com"), library.sharing.set_public(inbox.id)):
        with pytest.raises(Conflict, match="inbox"):
            await call
    book = await library.books.create("a-book", "A book")
    with pytest.raises(Conflict, match="book"):
        await library.sharing.set_view_level(book.notebook_id, "chat")
    with pytest.raises(InvalidInput):
        await library.sharing.add_user(id, "not an address")
    assert len(await ada.notebooks.list()) == 1


async def test_a_member_can_leave(library: Library) -> None:
    ada, id = await added(library, "Ada", "ada@example.com"), await bees(library)
    await library.sharing.add_user(id, "ada@example.com", "editor")
    await library.sharing.set_view_level(id, "chat")
    assert (await ada.sharing.leave(id)).title == "Bees"
    with pytest.raises(NotFound):
        await ada.sharing.leave(id)
    assert [one.action for one in await library.sharing.log(id)] == ["user.left", "view.changed", "user.added"]


@on_one_store
async def test_only_the_owner_shares(library: Library) -> None:
    ada, id = await added(library, "Ada", "ada@example.com"), await bees(library)
    await library.sharing.add_user(id, "ada@example.com", "editor")
    for call in (
        ada.sharing.add_user(id, "eve@example.com"),
        ada.sharing.set_public(id),
        ada.sharing.set_view_level(id, "chat"),
        ada.sharing.remove_user(id, "owner@quire.invalid"),
        ada.sharing.log(id),
    ):
        with pytest.raises(NotAllowed, match="role owner"):
            await call
    assert [one.email for one in (await ada.sharing.get_status(id)).users] == ["owner@quire.invalid", "ada@example.com"]


async def test_who_may_only_chat_is_offered_no_passages_beside_an_answer(library: Library) -> None:
    ada, id = await added(library, "Ada", "ada@example.com"), (await library.notebooks.create("Hive")).id
    text = f"{HONEY}\n\nThe queen of the hive lays 2,000 eggs a day in spring.\n\nWorkers of the hive collect nectar."
    await library.sources.add_text(id, "Hives", text)
    await library.sharing.add_user(id, "ada@example.com")
    question = "How many eggs does the queen lay?"
    assert (await ada.chat.ask(id, question)).more != []
    await library.sharing.set_view_level(id, "chat")
    answer = await ada.chat.ask(id, question)
    assert (answer.more, len(answer.citations)) == ([], 1)
    assert (await ada.chat.get_history(answer.conversation_id))[0].answer.more == []
