"""Collections: each person's own groups of notebooks."""

from __future__ import annotations

import pytest
from trials import on_one_store

from quire.api.library import Library
from quire.domain.errors import InvalidInput, NotFound
from quire.domain.sharing import Role

pytestmark = pytest.mark.anyio


async def test_a_collection_is_made_filled_renamed_emptied_and_deleted(library: Library) -> None:
    one, two = [(await library.notebooks.create(title)).id for title in ("One", "Two")]
    made = await library.collections.create(" Garden  work ", "🌱")
    assert (made.name, made.emoji, made.notebook_ids) == ("Garden work", "🌱", [])
    other = await library.collections.create("Winter")
    await library.collections.add_notebooks(made.id, [two, one, two])
    await library.collections.add_notebooks(other.id, [one])
    assert (await library.collections.rename(made.id, "Garden")).emoji == "🌱"
    assert (await library.collections.set_emoji(made.id, "")).emoji is None
    listed = {collection.name: collection.notebook_ids for collection in await library.collections.list()}
    assert listed == {"Garden": [one, two], "Winter": [one]}
    assert [notebook.title for notebook in await library.collections.notebooks(made.id)] == ["One", "Two"]
    assert (await library.collections.remove_notebooks(made.id, [one])).notebook_ids == [two]
    await library.notebooks.delete(two)
    assert (await library.collections.get(made.id)).notebook_ids == []
    assert [left.id for left in await library.collections.delete([made.id])] == [other.id]
    with pytest.raises(NotFound):
        await library.collections.get(made.id)
    assert (await library.notebooks.get(one)).title == "One"


@on_one_store
async def test_a_collection_holds_only_what_its_maker_may_read(library: Library, guest: Library) -> None:
    notebook = (await library.notebooks.create("Shared")).id
    member = {"notebook_id": notebook, "person_id": "guest", "role": int(Role.VIEWER)}
    theirs = await guest.collections.create("Theirs")
    with pytest.raises(NotFound):
        await guest.collections.add_notebooks(theirs.id, [notebook])
    await library.engine.system.write(lambda tx: tx.run("insert_member", **member))
    assert (await guest.collections.add_notebooks(theirs.id, [notebook])).notebook_ids == [notebook]
    assert (await library.collections.list()).items == []
    with pytest.raises(NotFound):
        await library.collections.delete([theirs.id])
    with pytest.raises(InvalidInput):
        await guest.collections.update(theirs.id)
    private = (await library.notebooks.create("Private")).id
    await library.engine.system.write(lambda tx: tx.run("add_to_collection", id=theirs.id, notebook_id=private))
    assert (await guest.collections.get(theirs.id)).notebook_ids == [notebook]
    assert [one.title for one in await guest.collections.notebooks(theirs.id)] == ["Shared"]
