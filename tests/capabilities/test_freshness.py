"""Whether sources are still what they came from, and reading those again that are not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from trials import on_one_store

from pages import Pages, article, serving_pages
from quire.api.library import Library
from quire.domain.errors import InvalidInput, NotFound
from quire.domain.files import Upload
from quire.domain.sharing import Role
from quire.entry.settings import Settings, load

pytestmark = pytest.mark.anyio

BEES = "Bees make honey from the nectar of flowers, and keep it in combs of wax for the winter."
WASPS = "Wasps build nests of paper, which they chew from the wood of fences and dead trees."


@pytest.fixture
def settings(store: str, tmp_path: Path) -> Settings:
    return load({"home": tmp_path / "home", "store": store, "embedder": "none", "fetch_allow": "127.0.0.1"}, {})


@pytest.fixture
def pages() -> Iterator[Pages]:
    with serving_pages() as serving:
        yield serving


async def test_a_page_is_asked_for_only_if_it_changed(library: Library, pages: Pages) -> None:
    pages.tagged.add("/bees")
    url = pages.put("/bees", article("Bees", BEES))
    notebook = (await library.notebooks.create("Bees")).id
    source = await library.sources.add_url(notebook, url)
    found = await library.sources.check_freshness(notebook, source.id)
    assert (found.fresh, found.why) == (True, "The server says that it has not changed.")
    assert pages.asked[-1][1] is not None
    kept = await library.sources.get(None, source.id)
    assert (kept.checked_at, kept.stale, kept.updated_at) == (found.checked_at, False, source.updated_at)
    again = await library.sources.refresh(notebook, source.id)
    assert (again.changed, again.version, again.state) == (False, 1, "ready")
    assert len(pages.asked) == 3
    pages.put("/bees", article("Bees", BEES, WASPS))
    assert (await library.sources.check_freshness(notebook, source.id)).fresh is False
    assert (await library.sources.get(None, source.id)).stale
    assert (await library.sources.get_fulltext(None, source.id)).text.count("Wasps") == 0
    renewed = await library.sources.refresh(notebook, source.id)
    assert (renewed.changed, renewed.version, renewed.stale) == (True, 2, False)
    assert (await library.sources.check_freshness(notebook, source.id)).fresh is True


async def test_answers_keep_the_text_that_they_cite(library: Library, pages: Pages) -> None:
    url = pages.put("/bees", article("Bees", BEES))
    notebook = (await library.notebooks.create("Bees")).id
    source = await library.sources.add_url(notebook, url)
    (cited,) = (await library.chat.ask(notebook, "What do bees make honey from?")).citations
    pages.put("/bees", article("Bees", WASPS))
    assert (await library.sources.refresh(notebook, source.id)).changed is True
    old = await library.sources.get_fulltext(None, source.id, version=cited.version)
    assert old.text[cited.start : cited.end] == cited.excerpt


@on_one_store
async def test_a_page_that_only_looks_different_is_fresh(library: Library, pages: Pages) -> None:
    url = pages.put("/bees", article("Bees", BEES))
    source = await library.sources.add_url(None, url)
    assert (await library.sources.check_freshness(None, source.id)).why == "The page is the same to the byte."
    pages.put("/bees", article("Bees", BEES).replace("<body>", "<body><!-- 17 visitors -->"))
    assert (await library.sources.check_freshness(None, source.id)).why == "The page reads the same."
    del pages.served["/bees"]
    with pytest.raises(InvalidInput, match="404"):
        await library.sources.check_freshness(None, source.id)


async def test_a_file_is_compared_where_it_lies(library: Library, tmp_path: Path) -> None:
    file = tmp_path / "bees.md"
    file.write_text(BEES)
    source = await library.sources.add_file(None, Upload.of(file))
    assert (await library.sources.check_freshness(None, source.id)).why == "The file is the same."
    file.write_text(f"{BEES}\n\n{WASPS}")
    assert (await library.sources.check_freshness(None, source.id)).fresh is False
    renewed = await library.sources.refresh(None, source.id)
    assert (renewed.changed, renewed.version) == (True, 2)
    assert "Wasps" in (await library.sources.get_fulltext(None, source.id)).text
    file.unlink()
    gone = await library.sources.check_freshness(None, source.id)
    assert (gone.fresh, gone.why.startswith("Its file is no longer")) == (True, True)
    assert (await library.sources.refresh(None, source.id)).changed is False


@on_one_store
async def test_what_cannot_change_is_fresh(library: Library) -> None:
    pasted = await library.sources.add_text(None, "Bees", BEES)
    uploaded = await library.sources.add_file(None, Upload.of(WASPS, "wasps.txt"))
    for source in (pasted, uploaded):
        assert (await library.sources.check_freshness(None, source.id)).fresh is True


async def test_all_stale_sources_of_a_notebook_are_read_again_at_once(library: Library, pages: Pages) -> None:
    notebook = (await library.notebooks.create("Bees")).id
    urls = [pages.put(f"/{name}", article(name, BEES)) for name in ("one", "two", "three")]
    sources = [await library.sources.add_url(notebook, url) for url in urls]
    await library.sources.add_text(notebook, "Pasted", BEES)
    pages.put("/two", article("two", WASPS))
    del pages.served["/three"]
    only = await library.sources.refresh_stale(notebook, only_check=True)
    assert only.result is not None
    assert (only.result["checked"], only.result["fresh"], only.result["stale"]) == (4, 2, ["two"])
    assert "404" in only.result["unreachable"][0]
    assert (await library.sources.get(None, sources[1].id)).stale
    await library.sources.refresh_stale(notebook)
    states = [await library.sources.wait(None, source.id) for source in sources]
    assert [(source.version, source.stale) for source in states] == [(1, False), (2, False), (1, False)]


async def test_who_may_read_may_compare(library: Library, guest: Library, pages: Pages) -> None:
    notebook = (await library.notebooks.create("Bees")).id
    source = await library.sources.add_url(notebook, pages.put("/bees", article("Bees", BEES)))
    with pytest.raises(NotFound):
        await guest.sources.check_freshness(notebook, source.id)
    await library.engine.system.write(
        lambda tx: tx.run("insert_member", notebook_id=notebook, person_id="guest", role=int(Role.VIEWER))
    )
    assert (await guest.sources.check_freshness(notebook, source.id)).fresh is True
