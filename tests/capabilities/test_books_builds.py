"""Plans: one hash for all of a book, and what has changed since it was told."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from pathlib import Path

import pytest

from quire.adapters.memory import FixedClock
from quire.api.library import Library
from quire.domain.errors import InvalidInput

pytestmark = pytest.mark.anyio

BOOK = "my-book"


@pytest.fixture
async def books(library: Library) -> Library:
    await library.books.create(BOOK, "Mine")
    for name in ("a", "b", "c"):
        await library.books.write_content(BOOK, f"lessons/{name}.md", f"text {name}\n")
    return library


def folder(library: Library) -> Path:
    return Path(str(library.engine.parts.books.storages.get("fs").path(f"books/{BOOK}")))


async def changes(library: Library, since: str) -> list[tuple[str, str]]:
    return [(one.path, one.change) for one in await library.books.plan_build(BOOK, since)]


async def test_the_hash_is_that_of_what_sha256sum_prints(books: Library) -> None:
    root = folder(books)
    paths = sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
    told = "".join(f"{hashlib.sha256((root / path).read_bytes()).hexdigest()}  {path}\n" for path in paths)
    plan = await books.books.plan_build(BOOK)
    assert plan.manifest_hash == hashlib.sha256(told.encode()).hexdigest()
    assert (plan.status, plan.since, plan.total) == ("full", None, 4)
    assert [one.path for one in plan] == paths
    assert {one.change for one in plan} == {"added"}


async def test_what_was_added_changed_moved_and_deleted_since_is_told(books: Library) -> None:
    before = (await books.books.plan_build(BOOK)).manifest_hash
    assert (await books.books.plan_build(BOOK, before)).status == "unchanged"
    await books.books.write_content(BOOK, "lessons/a.md", "another\n")
    await books.books.delete_content(BOOK, "lessons/b.md")
    await books.books.move_content(BOOK, "lessons/c.md", "lessons/d.md")
    await books.books.write_content(BOOK, "lessons/e.md", "new\n")
    plan = await books.books.plan_build(BOOK, before.upper())
    assert (plan.status, plan.since) == ("changed", before)
    assert [(one.path, one.change) for one in plan] == [
        ("lessons/a.md", "modified"),
        ("lessons/b.md", "deleted"),
        ("lessons/c.md", "deleted"),
        ("lessons/d.md", "added"),
        ("lessons/e.md", "added"),
    ]
    assert plan[0].file_hash == hashlib.sha256(b"another\n").hexdigest()
    assert (plan[1].file_hash, plan[1].file_size) == (None, None)
    assert list(await books.books.plan_build(BOOK, plan.manifest_hash)) == []


async def test_what_came_back_is_no_change_and_has_the_same_hash(books: Library) -> None:
    before = (await books.books.plan_build(BOOK)).manifest_hash
    await books.books.write_content(BOOK, "lessons/a.md", "another\n")
    between = (await books.books.plan_build(BOOK)).manifest_hash
    await books.books.write_content(BOOK, "lessons/x.md", "short-lived\n")
    await books.books.delete_content(BOOK, "lessons/x.md")
    await books.books.restore_content(BOOK, "lessons/a.md", 1)
    after = await books.books.plan_build(BOOK, before)
    assert (after.manifest_hash, after.status) == (before, "unchanged")
    assert await changes(books, between) == [("lessons/a.md", "modified")]


async def test_edits_by_another_program_are_in_the_plan(books: Library) -> None:
    before = (await books.books.plan_build(BOOK)).manifest_hash
    (folder(books) / "lessons/a.md").write_text("by hand\n")
    (folder(books) / "lessons/b.md").unlink()
    (folder(books) / "lessons/with space.md").write_text("no file of a book\n")
    assert await changes(books, before) == [("lessons/a.md", "modified"), ("lessons/b.md", "deleted")]


async def test_a_hash_that_nobody_was_told_means_to_build_all(books: Library) -> None:
    plan = await books.books.plan_build(BOOK, "0" * 64)
    assert (plan.status, plan.total, plan.since) == ("full", 4, "0" * 64)
    for bad in ("", "0" * 63, "z" * 64):
        with pytest.raises(InvalidInput):
            await books.books.plan_build(BOOK, bad)


async def test_a_plan_comes_in_pages(books: Library) -> None:
    first = await books.books.plan_build(BOOK, limit=3)
    assert (len(first), first.total, first.truncated, first.cursor) == (3, 4, True, "lessons/b.md")
    rest = await books.books.plan_build(BOOK, limit=3, cursor=first.cursor)
    assert ([one.path for one in rest], rest.truncated) == (["lessons/c.md"], False)
    with pytest.raises(InvalidInput):
        await books.books.plan_build(BOOK, cursor="../x")


async def test_a_state_is_forgotten_after_ninety_days(timed: Library, clock: FixedClock) -> None:
    await timed.books.create(BOOK, "Mine")
    await timed.books.write_content(BOOK, "a.md", "text")
    old = (await timed.books.plan_build(BOOK)).manifest_hash
    await timed.books.write_content(BOOK, "a.md", "another")
    clock.move(seconds=89 * 24 * 3600)
    await timed.engine.books.sweeper.sweep()
    assert (await timed.books.plan_build(BOOK, old)).status == "changed"
    clock.move(seconds=2 * 24 * 3600)
    await timed.engine.books.sweeper.sweep()
    assert (await timed.books.plan_build(BOOK, old)).status == "full"


async def test_an_archive_can_hold_only_what_has_changed(books: Library) -> None:
    whole = await books.books.get_book_archive(BOOK)
    assert (whole.delta, whole.file_count) == (False, 4)
    assert whole.manifest_hash == (await books.books.plan_build(BOOK)).manifest_hash
    await books.books.write_content(BOOK, "lessons/a.md", "another\n")
    await books.books.delete_content(BOOK, "lessons/b.md")
    part = await books.books.get_book_archive(BOOK, since=whole.manifest_hash)
    assert (part.delta, part.file_count) == (True, 1)
    file = await books.jobs.file(part.job_id)
    with zipfile.ZipFile(io.BytesIO(await file.read())) as archive:
        assert sorted(archive.namelist()) == [".quire/manifest.json", "lessons/a.md"]
        assert archive.read("lessons/a.md") == b"another\n"
        manifest = json.loads(archive.read(".quire/manifest.json"))
    assert manifest["since"] == whole.manifest_hash
    assert manifest["manifest_hash"] == part.manifest_hash
    assert manifest["deleted"] == ["lessons/b.md"]
    assert [one["path"] for one in manifest["files"]] == ["lessons/a.md"]
    again = await books.books.get_book_archive(BOOK, since="0" * 64)
    assert (again.delta, again.file_count) == (False, 3)
    with pytest.raises(InvalidInput):
        await books.books.get_book_archive(BOOK, since="no hash")
