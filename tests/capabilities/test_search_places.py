"""Where a search looks: in one notebook, in those it is given, and by meaning where an embedder is there."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy
import pytest

from quire.api.library import Library
from quire.domain.errors import NotFound, Upstream
from quire.local.parts import Parts
from quire.local.stored_passages import StoredPassages
from quire.text import SearchPorts, find_across, find_passages
from variants import with_parts

pytestmark = pytest.mark.anyio

TEXTS = {
    "ships": "The harbour of Lisbon is deep. Sailors mend their nets on the quay.",
    "stars": "A comet has a tail of dust. Astronomers of Lisbon watch it at night.",
    "bread": "Bread rises by yeast. Bakers knead the dough at night.",
}


class Letters:
    """Meaning, for these tests, is how often each letter occurs."""

    name, dimensions, languages, weight, calibrated = "letters", 26, None, 0.3, False

    def __init__(self, *, local: bool, fails: bool = False) -> None:
        self.local = local
        self.fails = fails

    def embed(self, texts: list[str], kind: str = "passage") -> Any:
        if self.fails:
            raise Upstream("It is not there.")
        counts = [[text.lower().count(chr(97 + letter)) for letter in range(26)] for text in texts]
        found = numpy.array(counts, dtype=numpy.float32) + 0.01
        return found / numpy.linalg.norm(found, axis=1, keepdims=True)

    def check(self) -> str:
        return self.name


def ports(parts: Parts) -> SearchPorts:
    return SearchPorts(parts.store.read, StoredPassages(), parts.index, parts.vectors, parts.embedder)


async def fill(library: Library) -> dict[str, str]:
    """Ids of notebooks by their names, each with one source."""
    ids = {}
    for name, text in TEXTS.items():
        notebook = await library.notebooks.create(name)
        await library.sources.add_text(notebook.id, name, text)
        ids[name] = notebook.id
    return ids


async def test_a_search_stays_in_its_notebook(library: Library) -> None:
    ids = await fill(library)
    for name, id in ids.items():
        page = await library.sources.search(id, "Lisbon at night")
        assert {hit.passage.source_title for hit in page.items} == {name}
    await library.sources.add_text(None, "kept", "Lisbon has seven hills.")
    (hit,) = (await library.sources.search(None, "Lisbon")).items
    assert hit.passage.source_title == "kept"


async def test_across_it_finds_in_the_notebooks_it_is_given(library: Library) -> None:
    ids = await fill(library)

    async def titles(*names: str) -> set[str]:
        found = await find_across(ports(library.engine.parts), [ids[name] for name in names], "Lisbon at night")
        return {hit.passage.source_title for hit in found.hits}

    assert await titles("ships", "stars", "bread") == {"ships", "stars", "bread"}
    assert await titles("ships", "bread") == {"ships", "bread"}
    assert await titles("stars") == {"stars"}
    assert await titles() == set()


async def test_what_was_deleted_is_found_nowhere(library: Library) -> None:
    ids = await fill(library)
    (source,) = (await library.sources.list(ids["ships"])).items
    await library.sources.delete(ids["ships"], source.id)
    await library.notebooks.delete(ids["stars"])
    found = await find_across(ports(library.engine.parts), list(ids.values()), "Lisbon at night")
    assert [hit.passage.source_title for hit in found.hits] == ["bread"]
    assert (await library.sources.search(ids["ships"], "Lisbon")).items == []


async def test_another_persons_notebook_is_not_found(library: Library, guest: Library) -> None:
    ids = await fill(library)
    with pytest.raises(NotFound):
        await guest.sources.search(ids["ships"], "Lisbon")


@pytest.mark.parametrize("local", [True, False])
async def test_meaning_finds_what_no_word_does(library: Library, local: bool) -> None:
    library = with_parts(library, embedder=Letters(local=local))
    ids = await fill(library)
    for found in (
        await find_passages(ports(library.engine.parts), ids["bread"], "zzz yeast-less Brad"),
        await find_across(ports(library.engine.parts), list(ids.values()), "zzz Brad"),
    ):
        assert found.vector is not None
        assert found.warnings == ()
        assert all(hit.similarity is not None for hit in found.hits)
    assert len(found.hits) == 3


@pytest.mark.parametrize("local", [True, False])
async def test_without_its_embedder_a_search_goes_by_words_and_says_so(library: Library, local: bool) -> None:
    ids = await fill(library)
    parts = dataclasses.replace(library.engine.parts, embedder=Letters(local=local, fails=True))
    found = await find_passages(ports(parts), ids["stars"], "comet")
    assert [hit.passage.source_title for hit in found.hits] == ["stars"]
    assert found.vector is None
    assert found.warnings == ("It is not there. Passages were found by their words alone.",)
