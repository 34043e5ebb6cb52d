"""What sources and notebooks are about."""

from __future__ import annotations

import pytest

from quire.api.library import Library
from quire.domain.errors import NotFound

pytestmark = pytest.mark.anyio

BEES = (
    "Honey bees live in large colonies with a single queen. The workers of a colony gather nectar and turn it into"
    " honey. A colony of honey bees stores honey for the winter."
)
ANTS = "Ants build nests in soil and wood. The workers of an ant nest carry food along trails that they mark by scent."


async def test_a_guide_quotes_the_source_and_names_its_words(library: Library) -> None:
    notebook = await library.notebooks.create("Insects")
    source = await library.sources.add(notebook.id, "text", text=BEES, title="Bees")
    guide = await library.sources.get_guide(notebook.id, source.id)
    assert guide.title == "Bees"
    assert "honey" in guide.keywords
    assert all(sentence.strip(". ") in BEES for sentence in guide.summary.split(". "))
    assert await library.sources.get_guide(notebook.id, source.id) == guide


async def test_a_guide_is_kept_under_the_sources_newest_title(library: Library) -> None:
    notebook = await library.notebooks.create("Insects")
    source = await library.sources.add(notebook.id, "text", text=BEES, title="Bees")
    first = await library.sources.get_guide(notebook.id, source.id)
    await library.sources.rename(notebook.id, source.id, "All about bees")
    assert await library.sources.get_guide(notebook.id, source.id) == first.model_copy(
        update={"title": "All about bees"}
    )


async def test_a_notebook_is_summed_up_from_all_of_its_sources(library: Library) -> None:
    notebook = await library.notebooks.create("Insects")
    empty = await library.notebooks.get_summary(notebook.id)
    assert (empty.summary, empty.topics, empty.sources) == ("", [], 0)
    for text in (BEES, ANTS):
        await library.sources.add(notebook.id, "text", text=text)
    summary = await library.notebooks.get_summary(notebook.id)
    assert summary.sources == 2
    assert "bees" in summary.summary
    assert "nest" in summary.summary
    assert "workers" in summary.topics


async def test_the_guide_of_a_deleted_source_is_gone(library: Library) -> None:
    notebook = await library.notebooks.create("Insects")
    source = await library.sources.add(notebook.id, "text", text=BEES)
    await library.sources.get_guide(notebook.id, source.id)
    await library.sources.delete(notebook.id, source.id)
    with pytest.raises(NotFound):
        await library.sources.get_guide(notebook.id, source.id)
    assert (await library.notebooks.get_summary(notebook.id)).sources == 0
