"""Notes out to a Markdown file and in again."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from trials import on_one_store

from quire.adapters.readers import read
from quire.api.library import Library
from quire.domain.errors import InvalidInput, NotFound, TooLarge
from quire.domain.files import CHUNK, Upload
from quire.domain.notes import NoteFormat
from quire.entry.bootstrap import build
from quire.entry.settings import load

pytestmark = pytest.mark.anyio

BREAKS = re.compile(r"\s*[\r\n]+\s*")

# What a note can hold: any text that the guard lets through.
TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=60)
LINES = st.lists(st.sampled_from(["# a", "\\# a", "\\\\# ", "#", "", "```", "\r", "<!-- quire notes -->", " # a", "x"]))
CONTENT = st.one_of(TEXT, LINES.map("\n".join))
TITLES = st.one_of(TEXT, st.sampled_from(["# a", "\\# a", "#", "\ufeffa"])).filter(lambda title: title.strip())


async def as_listed(library: Library, notebook_id: str) -> list[tuple[str, str]]:
    return [(note.title, note.content) for note in await library.notes.list(notebook_id, limit=1_000)][::-1]


async def exported(library: Library, notebook_id: str | None = None) -> bytes:
    job = await library.notes.export(notebook_id)
    assert job.file is not None
    return await job.file.read()


@pytest.fixture(scope="module")
def at_once() -> Iterator[tuple[asyncio.Runner, Library]]:
    """One library for all examples; each makes notebooks of its own."""
    with asyncio.Runner() as runner:
        library = build(load({"store": "memory"}, {}))
        yield runner, library
        runner.run(library.close())


@settings(max_examples=100, deadline=None)
@given(notes=st.lists(st.tuples(TITLES, CONTENT), max_size=5))
def test_any_notes_survive_export_and_import(
    at_once: tuple[asyncio.Runner, Library], notes: list[tuple[str, str]]
) -> None:
    runner, library = at_once

    async def round_trip() -> None:
        book = await library.notebooks.create("From")
        for title, content in notes:
            await library.notes.create(book.id, title, content)
        other = await library.notebooks.create("To")
        file = await exported(library, book.id)
        await library.notes.import_(other.id, Upload.of(file))
        before = await as_listed(library, book.id)
        after = await as_listed(library, other.id)
        assert [content for _, content in after] == [content for _, content in before]
        # A line break in a title becomes a space, and nothing else of it changes.
        assert [BREAKS.sub(" ", title) for title, _ in before] == [title for title, _ in after]
        assert await exported(library, other.id) == file

    runner.run(round_trip())


async def test_more_notes_than_a_batch_come_through_in_order(library: Library) -> None:
    text = "".join(f"# note {number}\n\ncontent {number}\n\n" for number in range(320))
    job = await library.notes.import_(None, Upload.of(text))
    assert (job.state, job.done, job.result) == ("done", 320, {"notes": 320})
    (inbox,) = await library.notebooks.list()
    listed = await as_listed(library, inbox.id)
    assert listed == [(f"note {number}", f"content {number}") for number in range(320)]
    export = await library.notes.export()
    assert (export.result, export.done) == ({"notes": 320}, 320)
    assert export.file is not None
    assert (export.file.name, export.file.media_type) == ("notes.md", "text/markdown")


async def test_an_empty_notebook_exports_and_imports_as_nothing(library: Library) -> None:
    data = await exported(library)
    job = await library.notes.import_(None, Upload.of(data))
    assert (job.state, job.result) == ("done", {"notes": 0})
    assert (await library.notes.list()).total == 0


async def test_a_file_is_imported_from_disk_under_its_name(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "diary.md"
    path.write_text("Without a heading.\n\n# Monday\n\nRain.\n", encoding="utf-8")
    await library.notes.import_(None, Upload.of(path))
    assert [(note.title, note.content) for note in await library.notes.list()] == [
        ("Monday", "Rain."),
        ("diary.md", "Without a heading."),
    ]


@on_one_store
@pytest.mark.parametrize(
    ("data", "message"),
    [(b"# a\n\xff\xfe", "not UTF-8"), (b"# a\n\0", "NUL"), (b"\x00" * (CHUNK + 1), "NUL")],
)
async def test_a_file_that_is_no_text_fails_and_leaves_nothing(library: Library, data: bytes, message: str) -> None:
    with pytest.raises(InvalidInput, match=message) as caught:
        await library.notes.import_(None, Upload.of(data))
    job = await library.jobs.get(caught.value.details["job_id"])
    assert (job.state, job.attempts) == ("failed", 1)
    assert (await library.notes.list()).total == 0


async def test_a_file_that_is_too_large_is_refused_before_it_is_stored(library: Library) -> None:
    async def endless():  # type: ignore[no-untyped-def]
        while True:
            yield b"x" * 4 * 1024 * 1024

    with pytest.raises(TooLarge, match="larger than"):
        await library.notes.import_(None, Upload("endless.md", endless))
    assert len(await library.jobs.list()) == 0


async def test_what_is_there_already_is_not_imported_again_though_a_file_may_have_it_twice(library: Library) -> None:
    twins = "# a\n\nx\n\n# b\n\nx\n\n# a\n\nx\n"
    first = await library.notes.import_(None, Upload.of(twins))
    assert (first.state, first.result) == ("done", {"notes": 3})
    again = await library.notes.import_(None, Upload.of(twins))
    assert (again.state, again.result) == ("done", {"notes": 0, "there_already": 3})
    more = await library.notes.import_(None, Upload.of(twins + "\n# a\n\nx\n\n# a\n\ny\n"))
    assert more.result == {"notes": 2, "there_already": 3}
    assert [note.title for note in await library.notes.list()] == ["a", "a", "a", "b", "a"]


async def test_the_same_file_imported_at_once_from_two_sides_comes_in_once(library: Library) -> None:
    text = "".join(f"# {number}\n\nx\n\n" for number in range(150))
    jobs = await asyncio.gather(*(library.notes.import_(None, Upload.of(text)) for _ in range(2)))
    assert [job.state for job in jobs] == ["done", "done"]
    assert (await library.notes.list()).total == 150


async def test_exports_at_once_each_get_their_file(library: Library) -> None:
    await library.notes.create(None, "a", "b")
    files = await asyncio.gather(*[exported(library) for _ in range(5)])
    assert files == [files[0]] * 5
    assert b"# a\n\nb" in files[0]


async def test_a_note_that_is_too_long_stops_an_import_before_it_begins(library: Library) -> None:
    text = "# Short\n\nfine\n\n# Long\n\n" + "x" * 1_000_001
    with pytest.raises(TooLarge, match="Long"):
        await library.notes.import_(None, Upload.of(text, "notes.md"))
    assert (await library.notes.list()).total == 0


async def test_notes_go_out_as_a_document_or_their_tables_as_a_workbook(library: Library, tmp_path: Path) -> None:
    book = await library.notebooks.create("Prices: all")
    first = await library.notes.create(book.id, "Bread", "**Fresh**\n\n| Item | Price |\n|-|-|\n| =rye | 2.5 |")
    second = await library.notes.create(book.id, "Milk", "No table.")
    elsewhere = await library.notes.create(None, "Elsewhere", "")

    async def text(format: NoteFormat, *notes: str) -> tuple[str, str]:
        job = await library.notes.export(book.id, format=format, note_ids=list(notes) or None)
        assert job.file is not None
        path = await job.file.save(tmp_path / job.file.name)
        return job.file.name, (await read(path, format)).text

    name, whole = await text("docx")
    assert (name, whole.splitlines()[0]) == ("Prices all.docx", "# Prices: all")
    assert whole.index("# Bread") < whole.index("| =rye | 2.5 |") < whole.index("# Milk")
    assert await text("docx", second.short_id) == ("Milk.docx", "# Milk\n\nNo table.")
    assert await text("xlsx") == ("Prices all.xlsx", "## Bread\n\n| Item | Price |\n| - | - |\n| =rye | 2.5 |")
    with pytest.raises(InvalidInput, match="no table"):
        await text("xlsx", second.id)
    with pytest.raises(NotFound):
        await text("docx", first.id, elsewhere.id)
