"""Questions to several notebooks at once, and who may put them."""

from __future__ import annotations

import pytest
from trials import on_one_store

from quire.api.library import Library
from quire.domain.errors import Conflict, NotFound
from quire.domain.sharing import Role
from quire.local.across import chosen_notebooks, searching_across

pytestmark = pytest.mark.anyio

BEES = "Bees make honey from the nectar of flowers. A hive has one queen."
WASPS = "Wasps build nests of paper, which they chew from wood."
SECRET = "The treasure of the hive lies under the old oak."


async def filled(library: Library) -> dict[str, str]:
    ids = {}
    for title, text in {"Bees": BEES, "Wasps": WASPS}.items():
        ids[title] = (await library.notebooks.create(title)).id
        await library.sources.add_text(ids[title], f"On {title.lower()}", text)
    return ids


async def member(library: Library, notebook_id: str, role: Role) -> None:
    await library.engine.system.write(
        lambda tx: tx.run("insert_member", notebook_id=notebook_id, person_id="guest", role=int(role))
    )


async def test_an_answer_cites_several_notebooks_and_names_them(library: Library) -> None:
    ids = await filled(library)
    answer = await library.chat.ask_across("What do wasps build nests of? What do bees make honey from?")
    named = {citation.notebook_title: citation.notebook_id for citation in answer.citations}
    assert named == ids
    assert all(citation.verified for citation in answer.citations)
    assert (answer.notebooks, answer.left_out) == (2, [])
    one = await library.chat.ask_across("What do bees make honey from?", [ids["Wasps"]])
    assert not one.grounded
    overview = await library.chat.ask_across("What are these sources about?")
    assert {citation.notebook_title for citation in overview.citations} == {"Bees", "Wasps"}


async def test_the_conversation_is_kept_in_the_inbox_and_goes_on(library: Library) -> None:
    ids = await filled(library)
    first = await library.chat.ask_across("What do bees make honey from?")
    again = await library.chat.ask_across("How many queens does a hive have?", conversation_id=first.conversation_id)
    assert again.conversation_id == first.conversation_id
    (kept,) = await library.chat.list_conversations(None)
    assert (kept.id, kept.turns) == (first.conversation_id, 2)
    assert (await library.chat.list_conversations(ids["Bees"])).total == 0
    assert (await library.chat.get_history(first.conversation_id)).total == 2
    reading = library.within(library.context.__class__(actor=library.context.actor, read_only=True))
    assert (await reading.chat.ask_across("What do bees make honey from?")).conversation_id == ""


async def test_passages_are_found_in_all_or_in_those_named(library: Library) -> None:
    ids = await filled(library)
    found = await library.sources.search_across("nests honey")
    assert {hit.notebook_title for hit in found.items} == {"Bees", "Wasps"}
    only = await library.sources.search_across("nests honey", [ids["Bees"]])
    assert {hit.notebook_id for hit in only.items} == {ids["Bees"]}


async def test_nobody_reads_a_notebook_that_they_could_not_read_alone(library: Library, guest: Library) -> None:
    ids = await filled(library)
    secret = (await library.notebooks.create("Secret")).id
    await library.sources.add_text(secret, "Map", SECRET)
    with pytest.raises(Conflict, match="no notebook whose sources you may read"):
        await guest.chat.ask_across("Where is the treasure?")
    await member(library, ids["Bees"], Role.VIEWER)
    answer = await guest.chat.ask_across("Where is the treasure of the hive?")
    assert (answer.notebooks, answer.grounded) == (1, False)
    assert "oak" not in answer.text
    for call in (
        guest.chat.ask_across("Where?", [secret]),
        guest.sources.search_across("treasure", [ids["Bees"], secret]),
    ):
        with pytest.raises(NotFound):
            await call


async def test_notebooks_in_which_one_may_only_chat_are_left_out_and_said_to_be(
    library: Library, guest: Library
) -> None:
    ids = await filled(library)
    for notebook in ids.values():
        await member(library, notebook, Role.VIEWER)
    await library.sharing.set_view_level(ids["Wasps"], "chat")
    answer = await guest.chat.ask_across("What do wasps build nests of?")
    assert (answer.left_out, answer.grounded) == (["Wasps"], False)
    assert "Wasps" in answer.warnings[0]
    found = await guest.sources.search_across("nests")
    assert (found.items, found.left_out) == ([], ["Wasps"])


@on_one_store
async def test_a_notebook_that_is_taken_away_meanwhile_is_not_read(library: Library, guest: Library) -> None:
    ids = await filled(library)
    await member(library, ids["Bees"], Role.VIEWER)
    scope = library.engine.system.call(guest.context, None, Role.VIEWER).in_inbox()
    chosen = await chosen_notebooks(scope, None)
    ports = searching_across(library.engine.done_by("chat")._search, scope, chosen)
    where = {"notebook_id": ids["Bees"], "person_id": "guest"}
    await library.engine.system.write(lambda tx: tx.run("delete_member", **where))
    with pytest.raises(NotFound):
        await ports.read(lambda tx: None)
