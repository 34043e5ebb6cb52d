"""People and their tokens: let in by the server's owner, and out again, with what becomes of what they had."""

from __future__ import annotations

import re
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from trials import on_one_store

from quire.adapters.memory import FixedClock
from quire.adapters.sql import sqlite
from quire.adapters.sql.named import migrations
from quire.api.library import Library
from quire.domain.errors import Conflict, InvalidInput, LimitReached, NotAllowed, NotFound
from quire.domain.files import Upload
from quire.domain.sharing import Actor, hash_of
from quire.local.people import MOST_TOKENS

pytestmark = pytest.mark.anyio


async def added(library: Library, name: str, email: str) -> Library:
    """The library as somebody new has it."""
    person = await library.people.add(name, email)
    return library.as_actor(Actor(id=person.id, name=person.name))


async def holder(library: Library, token: str) -> str | None:
    signed_in = await library.engine.people.by_token(hash_of(token.encode()))
    return None if signed_in is None else signed_in.actor.id


async def test_somebody_who_is_added_has_an_inbox_and_nothing_else(library: Library) -> None:
    ada = await added(library, " Ada  Lovelace ", "Ada@Example.com")
    me = await ada.people.whoami()
    assert (me.name, me.email, me.owner) == ("Ada Lovelace", "ada@example.com", False)
    assert [one.title for one in await ada.notebooks.list()] == ["Inbox"]
    assert [one.email for one in await library.people.list()] == [None, "ada@example.com"]
    assert (await library.people.whoami()).owner
    assert await library.people.get("ADA@example.COM") == me


async def test_a_token_is_shown_once_and_kept_as_a_hash(library: Library) -> None:
    ada = await added(library, "Ada", "ada@example.com")
    made = await library.people.create_token("ada@example.com", "laptop")
    assert made.token.startswith("quire_")
    assert await holder(library, made.token) == ada.context.actor.id
    (kept,) = await ada.people.list_tokens()
    assert (kept.id, kept.label, kept.used_at is not None) == (made.id, "laptop", True)
    assert made.token not in kept.model_dump_json()
    rows = await library.engine.system.read(lambda tx: tx.all("tokens_of", person_id=ada.context.actor.id))
    assert made.token not in str(rows)
    assert made.token not in str(await library.people.log())


async def test_a_token_ends_when_its_time_is_over(timed: Library, clock: FixedClock) -> None:
    await added(timed, "Ada", "ada@example.com")
    short = await timed.people.create_token("ada@example.com", "short", days=1)
    lasting = await timed.people.create_token("ada@example.com", "lasting", days=0)
    assert lasting.expires_at is None
    clock.move(seconds=24 * 3600 - 1)
    assert await holder(timed, short.token)
    clock.move(seconds=1)
    assert await holder(timed, short.token) is None
    assert await timed.engine.people.by_token_id(short.id) is None
    assert await holder(timed, lasting.token)
    clock.move(seconds=31 * 24 * 3600)
    await timed.engine.people.forget_expired()
    assert [one.label for one in await timed.people.list_tokens("ada@example.com")] == ["lasting"]


async def test_a_token_that_is_revoked_ends_at_once(library: Library) -> None:
    ada = await added(library, "Ada", "ada@example.com")
    mine, another = await ada.people.create_token(label="one"), await ada.people.create_token(label="two")
    assert (await ada.people.revoke_token(mine.id)).label == "one"
    assert await holder(library, mine.token) is None
    assert await holder(library, another.token)
    assert (await library.people.revoke_token(another.id)).id == another.id
    with pytest.raises(NotFound):
        await ada.people.revoke_token(mine.id)


@on_one_store
async def test_only_the_servers_owner_manages_people_and_everybody_their_own_tokens(library: Library) -> None:
    ada, ben = await added(library, "Ada", "ada@example.com"), await added(library, "Ben", "ben@example.com")
    theirs = await ben.people.create_token()
    for call in (
        ada.people.add("Eve", "eve@example.com"),
        ada.people.list(),
        ada.people.log(),
        ada.people.update(None, email="ben2@example.com"),
        ada.people.remove("ada@example.com"),
    ):
        with pytest.raises(NotAllowed, match="owner of this server"):
            await call
    for other in (
        ada.people.get("ben@example.com"),
        ada.people.list_tokens("ben@example.com"),
        ada.people.create_token("owner"),
        ada.people.create_token("ben@example.com"),
        ada.people.revoke_token(theirs.id),
        ada.people.remove("ben@example.com", delete_all=True),
        ada.people.update("owner", email="ada2@example.com"),
    ):
        with pytest.raises(NotFound):
            await other
    assert await holder(library, theirs.token)
    assert len(await library.people.list()) == 3


@on_one_store
async def test_an_address_is_one_persons_however_it_is_written(library: Library) -> None:
    await added(library, "Ada", "ada@example.com")
    for same in ("ada@example.com", " ADA@EXAMPLE.COM "):
        with pytest.raises(Conflict):
            await library.people.add("Another", same)
    for wrong in ("аda@example.com", "ada@exаmple.com", "ada", "@b", "a@", "a b@c", "a@b..c", ".a@b.c", "a@b\n.c"):
        with pytest.raises(InvalidInput):
            await library.people.add("Eve", wrong)
    with pytest.raises(InvalidInput):
        await library.people.add("Eve", "owner@quire.invalid")
    with pytest.raises(InvalidInput):
        await library.people.add("  ", "eve@example.com")
    await library.people.update("owner", name="Olga", email="olga@example.com")
    with pytest.raises(Conflict):
        await library.people.update("ada@example.com", email="olga@example.com")
    assert (await library.people.whoami()).email == "olga@example.com"


@on_one_store
async def test_nobody_has_tokens_without_number(library: Library) -> None:
    for _ in range(MOST_TOKENS):
        await library.people.create_token()
    with pytest.raises(LimitReached):
        await library.people.create_token()


async def owning(library: Library) -> Library:
    """Ada, who has a notebook that Ben edits, a book, a note, and a conversation in a notebook of Ben's."""
    ada, ben = await added(library, "Ada", "ada@example.com"), await added(library, "Ben", "ben@example.com")
    mine = await ada.notebooks.create("Engines")
    await ada.sources.add_text(mine.id, "Wheels", "The engine has a thousand wheels.")
    await ada.sharing.add_user(mine.id, "ben@example.com", "editor")
    await ada.books.create("notes-on-engines", "Notes on engines")
    await ada.books.write_content("notes-on-engines", "lessons/one.md", "# One\n")
    await ada.notes.create(title="Ask Charles")
    theirs = await ben.notebooks.create("Bees")
    await ben.sources.add_text(theirs.id, "Hives", "Bees keep honey in the hive.")
    await ben.sharing.add_user(theirs.id, "ada@example.com", "viewer")
    await ada.chat.ask(theirs.id, "Where is honey kept?")
    await ada.collections.create("Mine")
    return ada


async def test_removing_somebody_asks_what_becomes_of_what_they_own(library: Library) -> None:
    ada = await owning(library)
    token = await ada.people.create_token()
    with pytest.raises(Conflict, match="only owner of 'Inbox', 'Engines', the book 'Notes on engines'") as caught:
        await library.people.remove("ada@example.com")
    assert "give_to" in (caught.value.hint or "")
    with pytest.raises(NotFound):
        await library.people.remove("ada@example.com", "nobody@example.com")
    for wrong in ({"give_to": "ada@example.com"}, {"give_to": "owner", "delete_all": True}):
        with pytest.raises(InvalidInput):
            await library.people.remove("ada@example.com", **wrong)
    with pytest.raises(Conflict, match="cannot be removed"):
        await library.people.remove("owner", delete_all=True)
    assert await holder(library, token.token)


async def test_what_somebody_owned_can_be_given_to_another(library: Library) -> None:
    ada = await owning(library)
    token = await ada.people.create_token()
    ben = library.as_actor(Actor(id=(await library.people.get("ben@example.com")).id))
    removed = await library.people.remove("ada@example.com", "ben@example.com")
    assert sorted(removed.given) == ["Engines", "Inbox of Ada", "Notes on engines"]
    assert (removed.given_to, removed.deleted) == ("ben@example.com", [])
    assert await holder(library, token.token) is None
    owned = {one.title: one for one in await ben.notebooks.list()}
    assert set(owned) == {"Bees", "Engines", "Inbox", "Inbox of Ada"}
    assert owned["Engines"].role.name == "OWNER"
    assert [note.title for note in await ben.notes.list(owned["Inbox of Ada"].id)] == ["Ask Charles"]
    assert (await ben.books.read_content("notes-on-engines", "lessons/one.md")).content == "# One\n"
    assert [one.email for one in (await ben.sharing.get_status(owned["Bees"].id)).users] == ["ben@example.com"]
    with pytest.raises(NotFound):
        await ada.people.whoami()
    assert len(await ada.notebooks.list()) == 0
    with pytest.raises(NotFound):
        await library.people.get("ada@example.com")


async def test_what_somebody_owned_can_be_deleted_with_them(library: Library) -> None:
    await owning(library)
    removed = await library.people.remove("ada@example.com", delete_all=True)
    assert sorted(removed.deleted) == ["Engines", "Inbox of Ada", "Notes on engines"]
    assert await library.engine.system.read(lambda tx: tx.one("book_that_has_notebook", id="")) is None
    assert [one.email for one in await library.people.list()] == [None, "ben@example.com"]
    ben = library.as_actor(Actor(id=(await library.people.get("ben@example.com")).id))
    assert [one.title for one in await ben.notebooks.list()] == ["Bees", "Inbox"]
    again = await added(library, "Ada", "ada@example.com")
    assert [one.title for one in await again.notebooks.list()] == ["Inbox"]
    assert len(await again.books.list()) == 0


async def test_what_somebody_owned_can_be_exported_before_it_is_deleted(library: Library, tmp_path: Path) -> None:
    await owning(library)
    folder = tmp_path / "of ada"
    for wrong, error in ((tmp_path, Conflict), (tmp_path / "no" / "such", InvalidInput)):
        with pytest.raises(error):
            await library.people.remove("ada@example.com", export_to=str(wrong))
    far = library.within(replace(library.context, local=False))
    with pytest.raises(InvalidInput, match="your machine"):
        await far.people.remove("ada@example.com", export_to=str(folder))
    assert not folder.exists()
    removed = await library.people.remove("ada@example.com", export_to=str(folder))
    assert len(removed.exported) == len(removed.deleted) == 3
    assert {Path(one).suffix for one in removed.exported} == {".quire", ".zip"}
    with zipfile.ZipFile(folder / "notes-on-engines.zip") as book:
        assert any(name.endswith("lessons/one.md") for name in book.namelist())
    again = await library.notebooks.import_(Upload.of(folder / "engines.quire"))
    assert [one.title for one in await library.sources.list(again.id)] == ["Wheels"]
    with pytest.raises(NotFound):
        await library.people.get("ada@example.com")


async def test_somebody_who_owns_nothing_goes_without_a_word(library: Library) -> None:
    await added(library, "Ada", "ada@example.com")
    removed = await library.people.remove("ada@example.com")
    assert (removed.given, removed.deleted, removed.given_to) == ([], [], None)
    assert [one.action for one in await library.people.log()] == ["person.removed", "person.added"]


def test_everything_that_hangs_on_a_person_goes_with_them_or_is_seen_to() -> None:
    """A column that refers to people without ON DELETE CASCADE must be seen to when one is removed."""
    script = "\n".join(text for _, text in migrations(sqlite.WORDS))
    lines = re.findall(r"^ +(\w+) .*REFERENCES person \(id\)(?! ON DELETE CASCADE)", script, re.MULTILINE)
    assert lines == ["inbox_of", "person_id", "person_id"]  # of notebooks, jobs and conversations
