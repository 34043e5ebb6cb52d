"""What a member of a notebook may do with its sources and its chat, and what others see of it: nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from trials import on_one_store

from quire.api.library import Library
from quire.domain.errors import NotAllowed, NotFound
from quire.domain.files import Upload
from quire.domain.notebooks import Notebook
from quire.domain.sharing import Role
from quire.domain.sources import Source

pytestmark = pytest.mark.anyio

Call = Callable[[Library, Notebook, Source], Awaitable[Any]]
SECRET = "The treasure lies under the old oak."
QUESTION = "Where does the treasure lie?"


# What each call needs, by the name of its tool; a conversation is its owner's alone.
CALLS: dict[str, tuple[Role, Call]] = {
    "list_sources": (Role.VIEWER, lambda library, book, source: library.sources.list(book.id)),
    "get_source": (Role.VIEWER, lambda library, book, source: library.sources.get(book.id, source.id)),
    "get_source_text": (Role.VIEWER, lambda library, book, source: library.sources.get_fulltext(book.id, source.id)),
    "get_source_guide": (Role.VIEWER, lambda library, book, source: library.sources.get_guide(book.id, source.id)),
    "wait_for_source": (Role.VIEWER, lambda library, book, source: library.sources.wait(book.id, source.id)),
    "search_sources": (Role.VIEWER, lambda library, book, source: library.sources.search(book.id, "treasure")),
    "ask": (Role.CHAT_ONLY, lambda library, book, source: library.chat.ask(book.id, QUESTION)),
    "list_conversations": (Role.CHAT_ONLY, lambda library, book, source: library.chat.list_conversations(book.id)),
    "get_chat_configuration": (Role.VIEWER, lambda library, book, source: library.chat.get_configuration(book.id)),
    "add_source": (Role.EDITOR, lambda library, book, source: library.sources.add(book.id, "text", text="More.")),
    "upload_source": (
        Role.EDITOR,
        lambda library, book, source: library.sources.add_file(book.id, Upload.of("More.", "more.txt")),
    ),
    "rename_source": (Role.EDITOR, lambda library, book, source: library.sources.rename(book.id, source.id, "New")),
    "refresh_source": (Role.EDITOR, lambda library, book, source: library.sources.refresh(book.id, source.id)),
    "delete_source": (Role.EDITOR, lambda library, book, source: library.sources.delete(book.id, source.id)),
    "configure_chat": (Role.EDITOR, lambda library, book, source: library.chat.configure(book.id, length="shorter")),
}
OWN = {"get_history", "delete_conversation", "save_answer"}


async def shared(library: Library, role: Role | None) -> tuple[Notebook, Source]:
    notebook = await library.notebooks.create("Shared")
    source = await library.sources.add_file(notebook.id, Upload.of(SECRET, "secret.txt"))
    if role is not None:
        member = {"notebook_id": notebook.id, "person_id": "guest", "role": int(role)}
        await library.engine.system.write(lambda tx: tx.run("insert_member", **member))
    return notebook, source


@on_one_store
@pytest.mark.parametrize("tool", CALLS)
async def test_a_role_allows_what_it_says_with_sources(library: Library, guest: Library, tool: str) -> None:
    needs, call = CALLS[tool]
    for role in (None, *Role):
        notebook, source = await shared(library, role)
        if role is not None and role >= needs:
            await call(guest, notebook, source)
            continue
        with pytest.raises(NotFound if role is None else NotAllowed) as caught:
            await call(guest, notebook, source)
        assert "treasure" not in str(caught.value.body())
        assert [one.title for one in await library.sources.list(notebook.id)] == [source.title]


async def test_a_conversation_is_its_owners_alone(library: Library, guest: Library) -> None:
    notebook, _ = await shared(library, Role.OWNER)
    answer = await library.chat.ask(notebook.id, QUESTION)
    assert "old oak" in answer.text
    assert len(await guest.chat.list_conversations(notebook.id)) == 0
    for call in (
        lambda: guest.chat.get_history(answer.conversation_id),
        lambda: guest.chat.delete_conversation(answer.conversation_id),
        lambda: guest.chat.save_answer_as_note(notebook.id, answer.id),
        lambda: guest.chat.ask(notebook.id, "And then?", conversation_id=answer.conversation_id),
    ):
        with pytest.raises(NotFound) as caught:
            await call()
        assert "oak" not in str(caught.value.body())
    assert [turn.answer.id for turn in await library.chat.get_history(answer.conversation_id)] == [answer.id]
    assert "old oak" in (await library.chat.save_answer_as_note(notebook.id, answer.id)).content


async def test_a_source_of_one_notebook_is_not_in_another(library: Library) -> None:
    notebook, source = await shared(library, None)
    other = await library.notebooks.create("Other")
    await library.sources.add(other.id, "text", text="Nothing of note.")
    with pytest.raises(NotFound):
        await library.sources.get(other.id, source.id)
    with pytest.raises(NotFound):
        await library.chat.ask(other.id, QUESTION, source_ids=[source.id])
    assert not (await library.chat.ask(other.id, QUESTION)).grounded
    assert (await library.chat.ask(notebook.id, QUESTION, source_ids=[source.id])).grounded
