"""Labels: groups of a notebook's sources, by hand and by topic; and what is asked of the sources under one."""

from __future__ import annotations

import pytest
from trials import on_one_store

from quire.api.library import Library
from quire.domain.errors import Conflict, InvalidInput, NotFound
from quire.domain.labels import Label

pytestmark = pytest.mark.anyio

BEES = (
    "Bees make honey in the hive. The queen bee lays eggs, and worker bees gather pollen.",
    "A beekeeper opens the hive and takes honey from the combs that the bees have filled.",
    "Worker bees dance in the hive to tell where pollen is; the queen bee never dances.",
    "Honey keeps for years. Bees seal it with wax in the combs of their hive.",
)
SHIPS = (
    "The harbour holds forty ships. Sailors mend the sails and paint each ship's hull.",
    "A ship leaves the harbour with the tide; its captain reads the wind in the sails.",
    "The captain and the sailors steer the ship by stars. Its hull is made of oak.",
    "Ships that lose their sails are towed to the harbour, where sailors repair the hull.",
)
STARS = (
    "A telescope shows the rings of the planet Saturn and the moons of the planet Jupiter.",
    "Astronomers point the telescope at a galaxy whose light left before there were planets.",
    "Each galaxy has billions of stars, and around many of them astronomers found planets.",
)


async def notebook_of(library: Library, *texts: str) -> tuple[str, list[str]]:
    notebook = (await library.notebooks.create("Topics")).id
    return notebook, await added(library, notebook, *texts)


async def added(library: Library, notebook: str, *texts: str) -> list[str]:
    return [(await library.sources.add(notebook, "text", text=text)).id for text in texts]


def by_sources(labels: list[Label]) -> dict[frozenset[str], Label]:
    return {frozenset(label.source_ids): label for label in labels}


async def test_a_label_is_made_renamed_filled_emptied_and_deleted(library: Library) -> None:
    notebook, (bees, ships) = await notebook_of(library, BEES[0], SHIPS[0])
    label = await library.labels.create(notebook, "  To  read ", "📚")
    assert (label.name, label.emoji, label.generated, label.source_ids) == ("To read", "📚", False, [])
    other = await library.labels.create(notebook, "To read")
    await library.labels.add_sources(notebook, label.id, [ships, bees, ships])
    await library.labels.add_sources(notebook, other.id, [bees])
    assert (await library.labels.rename(notebook, label.id, "Read")).emoji == "📚"
    assert (await library.labels.set_emoji(notebook, label.id, "")).name == "Read"
    one, two = await library.labels.list(notebook)
    assert (one.id, one.name, one.emoji, one.source_ids) == (label.id, "Read", None, [bees, ships])
    assert (two.id, two.source_ids) == (other.id, [bees])
    assert await library.labels.get(None, label.id) == one
    assert [source.id for source in await library.labels.sources(notebook, label.id)] == [bees, ships]
    assert (await library.labels.remove_sources(notebook, label.id, [bees])).source_ids == [ships]
    assert [one.id for one in await library.labels.delete(notebook, [label.id])] == [other.id]
    assert len(await library.sources.list(notebook)) == 2
    await library.sources.delete(notebook, bees)
    assert (await library.labels.get(notebook, other.id)).source_ids == []
    await library.notebooks.delete(notebook)
    with pytest.raises(NotFound):
        await library.labels.get(None, other.id)


@on_one_store
async def test_what_is_not_in_the_notebook_is_not_found_and_nothing_is_changed(library: Library) -> None:
    notebook, (bees,) = await notebook_of(library, BEES[0])
    _, (elsewhere,) = await notebook_of(library, SHIPS[0])
    label = await library.labels.create(notebook, "Bees")
    with pytest.raises(NotFound, match=elsewhere):
        await library.labels.add_sources(notebook, label.id, [bees, elsewhere])
    with pytest.raises(NotFound, match="no label 'none'"):
        await library.labels.delete(notebook, [label.id, "none"])
    with pytest.raises(NotFound):
        await library.labels.delete(None, [label.id])
    assert (await library.labels.get(notebook, label.id)).source_ids == []
    with pytest.raises(InvalidInput):
        await library.labels.update(notebook, label.id)
    with pytest.raises(InvalidInput):
        await library.labels.create(notebook, " ")


async def test_sources_are_labelled_by_topic_and_again_with_the_same_labels(library: Library) -> None:
    notebook, ids = await notebook_of(library, BEES[0], SHIPS[0], BEES[1], SHIPS[1], BEES[2], SHIPS[2])
    assert not await library.labels.is_current(notebook)
    made = (await library.labels.generate(notebook)).items
    found = by_sources(made)
    assert found.keys() == {frozenset(ids[::2]), frozenset(ids[1::2])}
    assert all(label.generated and label.name for label in made)
    assert any(word in found[frozenset(ids[::2])].name.lower() for word in ("bee", "hive", "honey"))
    assert await library.labels.is_current(notebook)
    assert (await library.labels.generate(notebook, "all")).items == made
    assert (await library.labels.generate(notebook)).items == made

    more = await added(library, notebook, BEES[3], *STARS)
    assert not await library.labels.is_current(notebook)
    again = by_sources((await library.labels.generate(notebook)).items)
    bees, stars = frozenset([*ids[::2], more[0]]), frozenset(more[1:])
    assert again.keys() == {bees, frozenset(ids[1::2]), stars}
    assert again[bees].id == found[frozenset(ids[::2])].id
    assert again[bees].name == found[frozenset(ids[::2])].name
    after = by_sources((await library.labels.generate(notebook, "all")).items)
    assert {held: (label.id, label.name) for held, label in after.items()} == {
        held: (label.id, label.name) for held, label in again.items()
    }


@on_one_store
async def test_what_a_person_made_or_changed_is_kept_by_every_labelling(library: Library) -> None:
    notebook, ids = await notebook_of(library, *BEES[:3], *SHIPS[:3])
    mine = await library.labels.create(notebook, "To read")
    await library.labels.add_sources(notebook, mine.id, [ids[0], ids[3]])
    made = by_sources((await library.labels.generate(notebook, "all")).items)
    bees, ships = made[frozenset(ids[:3])], made[frozenset(ids[3:])]
    await library.labels.rename(notebook, bees.id, "The apiary")
    await library.labels.delete(notebook, [ships.id])
    (more,) = await added(library, notebook, BEES[3])
    labels = {label.name: label for label in await library.labels.generate(notebook, "all")}
    assert labels["To read"].source_ids == [ids[0], ids[3]]
    assert (labels["The apiary"].id, labels["The apiary"].source_ids) == (bees.id, [*ids[:3], more])
    (third,) = [label for name, label in labels.items() if name not in ("To read", "The apiary")]
    assert (third.generated, third.source_ids) == (True, ids[3:])


@on_one_store
async def test_a_label_whose_topic_is_gone_goes_and_a_single_source_gets_none(library: Library) -> None:
    notebook, ids = await notebook_of(library, *BEES[:3], *SHIPS[:2], STARS[0])
    made = by_sources((await library.labels.generate(notebook, "all")).items)
    assert made.keys() == {frozenset(ids[:3]), frozenset(ids[3:5])}
    for id in ids[3:]:
        await library.sources.delete(notebook, id)
    (left,) = await library.labels.generate(notebook, "all")
    assert left.id == made[frozenset(ids[:3])].id


@on_one_store
async def test_without_sources_there_are_no_labels(library: Library) -> None:
    notebook = (await library.notebooks.create("Empty")).id
    assert (await library.labels.generate(notebook)).items == []
    assert await library.labels.is_current(notebook)


async def test_only_what_is_under_a_label_is_asked_and_searched(library: Library) -> None:
    notebook, ids = await notebook_of(library, BEES[0], SHIPS[0], STARS[0])
    bees, stars = [await library.labels.create(notebook, name) for name in ("Bees", "Stars")]
    await library.labels.add_sources(notebook, bees.id, [ids[0]])
    await library.labels.add_sources(notebook, stars.id, [ids[2]])

    async def searched(**where: list[str]) -> set[str]:
        hits = await library.sources.search(notebook, "honey ships telescope", **where)
        return {hit.passage.source_id for hit in hits}

    assert await searched() == {*ids}
    assert await searched(label_ids=[bees.id]) == {ids[0]}
    assert await searched(label_ids=[bees.id, stars.id]) == {ids[0], ids[2]}
    assert await searched(label_ids=[bees.id], source_ids=[ids[1]]) == {ids[0], ids[1]}
    question = "How many ships does the harbour hold?"
    assert (await library.chat.ask(notebook, question)).citations[0].source_id == ids[1]
    asked = await library.chat.ask(notebook, question, label_ids=[bees.id])
    assert ids[1] not in {citation.source_id for citation in asked.citations}


@on_one_store
async def test_a_label_without_sources_or_of_another_notebook_is_not_asked_as_if_it_were_all(library: Library) -> None:
    notebook, _ = await notebook_of(library, BEES[0])
    empty = await library.labels.create(notebook, "Empty")
    other, ids = await notebook_of(library, SHIPS[0])
    theirs = await library.labels.create(other, "Ships")
    await library.labels.add_sources(other, theirs.id, ids)
    with pytest.raises(Conflict, match="no sources under this label"):
        await library.chat.ask(notebook, "Who makes honey?", label_ids=[empty.id])
    with pytest.raises(Conflict):
        await library.sources.search(notebook, "honey", label_ids=[empty.id])
    for id in (theirs.id, "none"):
        with pytest.raises(NotFound, match="no label"):
            await library.sources.search(notebook, "honey", label_ids=[id])


async def test_many_sources_are_labelled_by_a_job_that_tells_how_far_it_is(library: Library) -> None:
    notebook, ids = await notebook_of(library, *BEES[:3], *SHIPS[:3])
    expected = {frozenset(ids[:3]), frozenset(ids[3:])}
    library.engine.labelling.at_once = 5
    made = (await library.labels.generate(notebook, "all")).items
    assert by_sources(made).keys() == expected
    (job,) = [job for job in await library.jobs.list(notebook) if job.kind == "label_sources"]
    assert (job.state, job.result) == ("done", {"topics": 2})
    assert (job.done, job.total) == (1, 1)
    assert (await library.labels.generate(notebook, "all")).items == made
