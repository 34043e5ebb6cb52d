"""Copies of notebooks and of sources."""

from __future__ import annotations

import pytest
from test_transfer_notebooks import all_of, filled
from trials import on_one_store

from quire.adapters.memory import FixedClock
from quire.api.library import Library
from quire.domain.errors import NotAllowed, NotFound
from quire.domain.files import Upload
from quire.domain.sharing import Role
from quire.local.timestamps import moment

pytestmark = pytest.mark.anyio


async def test_a_copy_of_a_notebook_has_its_sources_labels_notes_and_settings(library: Library) -> None:
    notebook = await filled(library, report=True)
    before = await all_of(library, notebook)
    copy = await library.notebooks.copy(notebook, "Twin")
    assert (copy.title, copy.emoji, copy.role) == ("Twin", "🐝", Role.OWNER)
    assert (await library.notebooks.copy(notebook)).title == "Copy of Bees & hives"
    made = await all_of(library, copy.id)
    assert await all_of(library, notebook) == before
    for kind, name in (("sources", "title"), ("texts", "text"), ("labels", "name"), ("notes", "content")):
        assert [one[name] for one in made[kind]] == [one[name] for one in before[kind]]
    assert made["chat"] == before["chat"]
    assert made["files"] == before["files"]
    assert sorted(text for _, _, text in made["found"]) == sorted(text for _, _, text in before["found"])
    assert made["conversations"] == made["collections"] == made["deleted"] == []
    await library.notebooks.delete(notebook)
    answer = await library.chat.ask(copy.id, "Who lays eggs?")
    assert answer.citations[0].source_id == made["sources"][0]["id"]


async def test_sources_are_copied_with_text_and_original_and_stay_when_the_first_is_gone(library: Library) -> None:
    origin = (await library.notebooks.create("Origin")).id
    target = (await library.notebooks.create("Target")).id
    long = "\n\n".join(f"Paragraph {number} is about bees and nothing else. " * 8 for number in range(350))
    one = await library.sources.add_file(origin, Upload.of(long, "bees.txt"))
    two = await library.sources.add(origin, "text", text="Ships sail from the harbour.", title="Ships")
    broken = await library.sources.add_file(origin, Upload.of(b"%PDF-1.7 nothing", "broken.pdf"))
    copied = await library.sources.copy(origin, [two.id, one.id, broken.id], target)
    assert [copy.original_id for copy in copied] == [two.id, one.id, broken.id]
    assert [copy.source.state for copy in copied] == ["ready", "ready", "failed"]
    assert one.passages > 100
    bees = copied[1].source
    assert (bees.passages, bees.characters, bees.file_name) == (one.passages, one.characters, "bees.txt")
    for source in (one, two, broken):
        await library.sources.delete(origin, source.id)
    whole = await library.sources.get_fulltext(target, bees.id, limit=1_000_000)
    assert whole.text.split() == long.split()
    hits = await library.sources.search(target, "bees", limit=100)
    assert {hit.passage.source_id for hit in hits} == {bees.id}
    assert (await library.sources.refresh(target, bees.id)).state == "ready"


@on_one_store
async def test_copies_need_that_one_may_read_there_and_write_here(library: Library, guest: Library) -> None:
    notebook = await filled(library)
    source = (await library.sources.list(notebook))[0]
    with pytest.raises(NotFound):
        await guest.notebooks.copy(notebook)
    with pytest.raises(NotFound):
        await guest.sources.copy(notebook, [source.id], (await guest.notebooks.create("Mine")).id)

    def join(tx: object) -> None:
        tx.run("insert_member", notebook_id=notebook, person_id="guest", role=int(Role.VIEWER))  # type: ignore[attr-defined]

    await library.engine.system.write(join)
    assert (await guest.notebooks.copy(notebook)).role == Role.OWNER
    mine = (await guest.notebooks.create("Mine")).id
    assert [copy.source.state for copy in await guest.sources.copy(notebook, [source.id], mine)] == ["ready"]
    with pytest.raises(NotAllowed):
        await guest.sources.copy(mine, [(await guest.sources.list(mine))[0].id], notebook)
    elsewhere = (await library.notebooks.create("Elsewhere")).id
    with pytest.raises(NotFound):
        await library.sources.copy(elsewhere, [source.id], elsewhere)
    with pytest.raises(NotFound):
        await guest.sources.copy(notebook, [source.id], elsewhere)


async def test_recent_notebooks_are_those_that_one_opened_until_one_takes_them_out(
    timed: Library, clock: FixedClock
) -> None:
    bees = await timed.notebooks.create("Bees")
    clock.move(seconds=90)
    ships = await timed.notebooks.create("Ships")
    assert [one.id for one in await timed.notebooks.list_recent()] == [ships.id, bees.id]
    clock.move(seconds=90)
    await timed.notebooks.get(bees.id)
    assert [one.title for one in await timed.notebooks.list_recent()] == ["Bees", "Ships"]
    assert (await timed.notebooks.list_recent(limit=1))[0].viewed_at == moment(clock.now())
    await timed.notebooks.remove_from_recent(bees.id)
    assert [one.title for one in await timed.notebooks.list_recent()] == ["Ships"]
    assert bees.id in [one.id for one in await timed.notebooks.list()]
    await timed.notebooks.get(bees.id)
    assert [one.title for one in await timed.notebooks.list_recent()] == ["Bees", "Ships"]
    await timed.notebooks.delete(ships.id)
    assert [one.title for one in await timed.notebooks.list_recent()] == ["Bees"]


async def test_recent_notebooks_are_each_persons_own(library: Library, guest: Library) -> None:
    mine = await library.notebooks.create("Mine")
    assert [one.title for one in await guest.notebooks.list_recent()] == []
    with pytest.raises(NotFound):
        await guest.notebooks.remove_from_recent(mine.id)
    assert [one.title for one in await library.notebooks.list_recent()] == ["Mine"]
