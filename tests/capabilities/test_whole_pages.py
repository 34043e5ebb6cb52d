"""Web pages that were saved: their article, or all of them, and what they are called."""

from __future__ import annotations

import pytest

from quire.api.library import Library
from quire.domain.files import Upload
from quire.entry.settings import Settings

pytestmark = pytest.mark.anyio

LINKS = "".join(f'<li><a href="/{n}">Another story {n}</a></li>' for n in range(200))
STORY = "".join(f"<p>In year {n} the harbour got {n} boats, and its fishermen sailed north.</p>" for n in range(12))
PAGE = f"<html><body><nav>{LINKS}</nav><article><h2>Boats</h2>{STORY}</article></body></html>"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"embedder": "none"})


async def text_of(library: Library, source_id: str) -> str:
    return (await library.sources.get_fulltext(None, source_id)).text


async def test_of_a_saved_page_the_article_is_read_until_all_is_wanted(library: Library) -> None:
    source = await library.sources.add_file(None, Upload.of(PAGE, "page.html"))
    assert "Another story" not in await text_of(library, source.id)
    assert "`whole`" in source.warnings[0]
    again = await library.sources.add_file(None, Upload.of(PAGE, "page.html"), whole=True)
    assert (again.id, again.added, again.warnings) == (source.id, False, [])
    assert "Another story 7" in await text_of(library, source.id)
    # Neither reading it again nor adding it again takes anything away.
    await library.sources.refresh(None, source.id)
    await library.sources.add_file(None, Upload.of(PAGE, "page.html"))
    assert "Another story 7" in await text_of(library, source.id)
    await library.sources.refresh(None, source.id, whole=False)
    assert "Another story" not in await text_of(library, source.id)
    await library.sources.refresh(None, source.id)
    assert "Another story" not in await text_of(library, source.id)


async def test_a_file_that_nobody_named_is_called_by_how_it_begins(library: Library) -> None:
    name = "3f2a1b4c-1234-4abc-9def-001122334455"
    source = await library.sources.add_file(None, Upload.of(f"# {name}\n\nThe tides of June.", f"{name}.md"))
    assert source.title == "The tides of June."
    kept = await library.sources.add_file(None, Upload.of("The tides of July.", f"{name}.md"), title=name)
    assert kept.title == name
