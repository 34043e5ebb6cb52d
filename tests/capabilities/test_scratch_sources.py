"""The sources of a notebook in a scratch notebook: exact, bounded, and only what the caller may read."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import pytest
from trials import on_one_store

from quire.api.library import Library
from quire.domain.cells import SOURCE_LIMIT
from quire.domain.errors import InvalidInput, NotFound
from quire.domain.scratch import ScratchNotebook
from quire.domain.sharing import Role
from quire.local.scratch.sources_cell import MOST_CHARACTERS, fair_share

pytestmark = pytest.mark.anyio

HOSTILE = (
    'A "quote", \'another\', a \\ and a \\n; ```\n# Title\n###### file.py\n\u2028 🐝 \x85 """ {x} %s\t\x01 <!-- -->\n'
)


async def cell(library: Library, notebook: ScratchNotebook, name: str = "sources.py") -> str:
    cells = (await library.scratch.view(notebook.id)).sheet.cells
    (found,) = (cell.source for cell in cells if cell.filename == name)
    return found


async def texts(library: Library, notebook: ScratchNotebook) -> list[dict[str, Any]]:
    names: dict[str, Any] = {}
    exec(await cell(library, notebook), names)
    found: list[dict[str, Any]] = names["SOURCES"]
    return found


@on_one_store
async def test_the_texts_of_sources_are_there_to_the_character(library: Library) -> None:
    target = await library.notebooks.create("Bees")
    for title, text in (('Odd "title"\n\\', HOSTILE), ("Plain", "A hive holds 50,000 bees.")):
        await library.sources.add_text(target.id, title, text)
    expected = [
        {"id": one.id, "title": one.title, "characters": one.characters, "text": text.text}
        for one in await library.sources.list(target.id)
        for text in [await library.sources.get_fulltext(target.id, one.id)]
    ]
    assert "🐝" in expected[0]["text"]
    made = await library.scratch.create("Compare Sources", sources_of=target.id)
    assert (made.pattern, made.title, made.warnings) == ("compare_sources", "Compare Sources", [])
    assert await texts(library, made) == expected
    for format in ("srcmd", "ipynb", "json"):
        exported = await library.scratch.export(made.id, format)  # type: ignore[arg-type]
        again = await library.scratch.import_(format, exported.text)  # type: ignore[arg-type]
        assert await texts(library, again) == expected
    empty = await library.scratch.create(title="Own work", sources_of=target.id)
    assert [(one.type, one.filename) for one in empty.cells] == [("title", None), ("code", "sources.py")]
    assert await texts(library, empty) == expected


@on_one_store
async def test_texts_that_are_too_long_are_cut_and_it_is_said(library: Library) -> None:
    target = await library.notebooks.create("Long")
    long = "\x02\x01ab " * (MOST_CHARACTERS // 5)
    await library.sources.add_text(target.id, "Long one", "One. " + long)
    await library.sources.add_text(target.id, "Short", "Short.")
    await library.sources.add_text(target.id, "Long two", "Two. " + long)
    made = await library.scratch.create("compare_sources", sources_of=target.id)
    one, short, two = await texts(library, made)
    assert short["text"] == "Short."
    assert len(one["text"]) == len(two["text"]) == (MOST_CHARACTERS - len("Short.")) // 2 < one["characters"]
    assert made.warnings == [f"Only the first {len(one['text']):,} characters are there of 'Long one', 'Long two'."]
    assert len(await cell(library, made)) < SOURCE_LIMIT
    names: dict[str, Any] = {}
    exec(await cell(library, made), names)
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(await cell(library, made, "words.py"), names)
    assert f"words, the first {len(one['text']):,} of {one['characters']:,} characters)" in out.getvalue()
    assert "[2] Short (1 words)" in out.getvalue()


@pytest.mark.parametrize(
    ("lengths", "most", "share"),
    [([10, 10], 100, 100), ([10, 200, 200], 100, 45), ([200], 100, 100), ([], 100, 100), ([1] * 50, 10, 0)],
)
def test_what_short_texts_leave_goes_to_the_long(lengths: list[int], most: int, share: int) -> None:
    assert fair_share(lengths, most) == share


@on_one_store
async def test_more_sources_than_fit_are_said_to_be_left_out(library: Library) -> None:
    target = await library.notebooks.create("Many")
    for number in range(51):
        await library.sources.add_text(target.id, f"Text {number}", f"Text {number}.")
    made = await library.scratch.create("compare_sources", sources_of=target.id)
    assert made.warnings == ["Left out: all but the first 50 of 51 sources."]
    assert [one["title"] for one in await texts(library, made)] == [f"Text {number}" for number in range(50)]


@on_one_store
async def test_only_those_who_may_read_a_notebook_get_its_texts(library: Library, guest: Library) -> None:
    target = await library.notebooks.create("Secret")
    await library.sources.add_text(target.id, "Map", "The treasure lies under the old oak.")
    for notebook_id in (target.id, "no-such-notebook"):
        with pytest.raises(NotFound, match="no notebook"):
            await guest.scratch.create("compare_sources", sources_of=notebook_id)
    assert len(await guest.scratch.list()) == 0
    member = {"notebook_id": target.id, "person_id": "guest", "role": int(Role.VIEWER)}
    await library.engine.system.write(lambda tx: tx.run("insert_member", **member))
    made = await guest.scratch.create("compare_sources", sources_of=target.id)
    assert (await texts(guest, made))[0]["text"] == "The treasure lies under the old oak."
    with pytest.raises(NotFound):
        await library.scratch.get(made.id)


@on_one_store
async def test_a_notebook_without_texts_and_a_template_without_a_notebook_say_so(library: Library) -> None:
    target = await library.notebooks.create("Empty")
    with pytest.raises(InvalidInput, match="no source that has been read"):
        await library.scratch.create("compare_sources", sources_of=target.id)
    (warning,) = (await library.scratch.create("compare_sources")).warnings
    assert "sources_of" in warning
    assert (await library.scratch.create("ooda_loop")).warnings == []


@on_one_store
async def test_what_is_kept_of_a_comparison_is_not_a_second_copy_of_its_sources(library: Library) -> None:
    target = await library.notebooks.create("Bees")
    await library.sources.add_text(target.id, "Hives", "A strong hive holds 50,000 bees.")
    made = await library.scratch.create("compare_sources", sources_of=target.id)
    note = await library.scratch.save(made.id, "note")
    content = (await library.notes.get(None, note.id)).content
    assert "### sources.py\n\nThe texts of a notebook's sources" in content
    assert "strong hive" not in content
    assert "### compare.py" in content
