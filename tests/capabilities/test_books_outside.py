"""What other programs, and crashes, do to the files of a book: noticed, adopted, never written over unseen."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from quire.adapters.memory import FixedClock
from quire.api.library import Library
from quire.domain.errors import Conflict, InvalidInput, NotFound, Unsupported

pytestmark = pytest.mark.anyio

BOOK = "my-book"
LESSON = "lessons/one.md"
DAY = 24 * 3600.0


@pytest.fixture
async def books(timed: Library) -> Library:
    await timed.books.create(BOOK, "My book")
    return timed


def on_disk(library: Library, path: str) -> Path:
    found = library.engine.parts.books.storages.get("fs").path(f"books/{BOOK}/{path}")
    assert found
    return Path(found)


def kept(library: Library) -> list[str]:
    """The versions and leftovers that lie beside the books."""
    inner = Path(library.engine.parts.books.storages.get("fs").path(".quire") or "")
    return sorted(path.name for path in inner.rglob("*") if path.is_file() and path.parent.name != "audit")


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


async def test_an_edit_in_place_is_a_new_revision(books: Library) -> None:
    first = await books.books.write_content(BOOK, LESSON, "ours")
    on_disk(books, LESSON).write_text("theirs")
    content = await books.books.read_content(BOOK, LESSON)
    assert (content.content, content.file_hash_sha256, content.revision) == ("theirs", sha256("theirs"), 2)
    with pytest.raises(Conflict) as caught:
        await books.books.write_content(BOOK, LESSON, "again", first.file_hash)
    assert caught.value.details["current_hash"] == sha256("theirs")
    entry = (await books.books.audit(BOOK))[0]
    assert (entry.operation, entry.actor, entry.before_hash) == ("adopt", "outside", first.file_hash)


async def test_an_edit_in_place_that_keeps_size_and_time_is_noticed_too(books: Library) -> None:
    file = on_disk(books, LESSON)

    def edit(text: str) -> None:
        before = file.stat()
        with file.open("r+") as opened:
            opened.write(text)
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))

    first = await books.books.write_content(BOOK, LESSON, "ours")
    edit("ours")
    assert (await books.books.read_content(BOOK, LESSON)).revision == 1
    edit("your")
    content = await books.books.read_content(BOOK, LESSON)
    assert (content.content, content.file_hash_sha256, content.revision) == ("your", sha256("your"), 2)
    edit("mine")
    with pytest.raises(Conflict) as caught:
        await books.books.write_content(BOOK, LESSON, "again", sha256("your"))
    assert caught.value.details["current_hash"] == sha256("mine")
    edit("hers")
    with pytest.raises(Conflict):
        await books.books.delete_content(BOOK, LESSON, sha256("mine"))
    edit("ever")
    with pytest.raises(Conflict):
        await books.books.move_content(BOOK, LESSON, "b.md", sha256("hers"))
    assert [version.operation for version in await books.books.content_history(BOOK, LESSON)] == ["adopt"] * 4 + [
        "write"
    ]
    assert first.file_hash == sha256("ours")


async def test_a_damaged_version_is_an_error_and_not_other_bytes(books: Library) -> None:
    await books.books.write_content(BOOK, LESSON, "one")
    await books.books.write_content(BOOK, LESSON, "two")
    inner = Path(books.engine.parts.books.storages.get("fs").path(".quire") or "")
    next(inner.rglob(sha256("one"))).write_text("won")
    with pytest.raises(Unsupported, match=f"Revision 1 of books/{BOOK}/{LESSON} is damaged"):
        await books.books.restore_content(BOOK, LESSON, 1)


async def test_a_write_does_not_pass_over_an_edit_that_nobody_read(books: Library) -> None:
    first = await books.books.write_content(BOOK, LESSON, "ours")
    on_disk(books, LESSON).write_text("theirs")
    with pytest.raises(Conflict) as caught:
        await books.books.write_content(BOOK, LESSON, "again", first.file_hash)
    assert caught.value.details["current_hash"] == sha256("theirs")
    assert on_disk(books, LESSON).read_text() == "theirs"


async def test_a_write_without_a_hash_keeps_the_edit_in_the_history(books: Library) -> None:
    await books.books.write_content(BOOK, LESSON, "ours")
    on_disk(books, LESSON).write_text("theirs")
    assert (await books.books.write_content(BOOK, LESSON, "again")).revision == 3
    await books.books.restore_content(BOOK, LESSON, 2)
    assert (await books.books.read_content(BOOK, LESSON)).content == "theirs"


async def test_a_file_exchanged_for_one_of_the_same_size_and_time_is_noticed(books: Library) -> None:
    await books.books.write_content(BOOK, LESSON, "ours")
    file = on_disk(books, LESSON)
    before = file.stat()
    other = file.with_name("other")
    other.write_text("them")
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.replace(file)
    assert (await books.books.read_content(BOOK, LESSON)).content == "them"


async def test_a_file_that_was_only_touched_is_no_new_revision(books: Library) -> None:
    await books.books.write_content(BOOK, LESSON, "ours")
    os.utime(on_disk(books, LESSON))
    assert (await books.books.read_content(BOOK, LESSON)).revision == 1
    assert (await books.books.audit(BOOK, operation="adopt")).total == 0


async def test_a_file_from_outside_is_adopted_and_one_taken_away_is_gone(books: Library) -> None:
    on_disk(books, "").mkdir(exist_ok=True)
    on_disk(books, "new.md").write_text("new")
    assert (await books.books.read_content(BOOK, "new.md")).content == "new"
    on_disk(books, "new.md").unlink()
    with pytest.raises(NotFound):
        await books.books.read_content(BOOK, "new.md")
    operations = [entry.operation for entry in await books.books.audit(BOOK, path="new.md")]
    assert operations == ["adopt_deletion", "adopt"]
    with pytest.raises(NotFound):
        await books.books.write_content(BOOK, "new.md", "x", sha256("new"))


async def test_text_that_is_none_is_told_and_not_served(books: Library) -> None:
    on_disk(books, "raw.md").write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidInput, match="not UTF-8"):
        await books.books.read_content(BOOK, "raw.md")
    assert on_disk(books, "raw.md").read_bytes() == b"\xff\xfe"


async def test_links_are_never_followed(books: Library, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "a.md").write_text("secret")
    os.symlink(secret / "a.md", on_disk(books, "link.md"))
    os.symlink(secret, on_disk(books, "folder"))
    for path in ("link.md", "folder/a.md", "folder/new.md"):
        for call in (
            books.books.read_content(BOOK, path),
            books.books.write_content(BOOK, path, "x"),
            books.books.delete_content(BOOK, path),
        ):
            with pytest.raises(InvalidInput) as caught:
                await call
            assert caught.value.details["field"] == "path"
    await books.engine.books.sweeper.sweep()
    assert (secret / "a.md").read_text() == "secret"
    assert [path.name for path in secret.iterdir()] == ["a.md"]


async def test_a_pipe_in_the_tree_holds_nobody_up(books: Library) -> None:
    os.mkfifo(on_disk(books, "pipe.md"))
    with pytest.raises(InvalidInput):
        await books.books.read_content(BOOK, "pipe.md")


async def test_the_sweeper_adopts_what_nobody_has_read(books: Library) -> None:
    await books.books.write_content(BOOK, LESSON, "ours")
    on_disk(books, LESSON).write_text("theirs")
    on_disk(books, "deep/er").mkdir(parents=True)
    on_disk(books, "deep/er/new.md").write_text("new")
    on_disk(books, "deep/not ours.md").write_text("a name that no door could write")
    assert await books.engine.books.sweeper.sweep() == 2
    assert await books.engine.books.sweeper.sweep() == 0
    adopted = {entry.path for entry in await books.books.audit(BOOK, operation="adopt")}
    assert adopted == {LESSON, "deep/er/new.md"}
    assert (await books.books.verify_audit(BOOK)).valid


async def test_what_a_crash_left_behind_is_swept_after_a_day(books: Library, clock: FixedClock) -> None:
    """The storage's clock is the file system's, so ours is moved beyond it."""
    storage = books.engine.parts.books.storages.get("fs")
    staged = storage.stage(BOOK, b"never placed")
    for text in ("one", "two", "three"):
        await books.books.write_content(BOOK, LESSON, text)
    clock.microseconds = int(on_disk(books, LESSON).stat().st_mtime * 1e6)
    await books.engine.books.sweeper.sweep()
    assert kept(books) == sorted([staged.name, sha256("one"), sha256("two")])
    clock.move(seconds=2 * DAY)
    await books.engine.books.sweeper.sweep()
    assert kept(books) == sorted([sha256("one"), sha256("two")])


async def test_versions_beyond_the_bound_are_swept(books: Library) -> None:
    for number in range(55):
        await books.books.write_content(BOOK, LESSON, str(number))
    history = await books.books.content_history(BOOK, LESSON, limit=200)
    assert [version.revision for version in history] == list(range(55, 5, -1))
    assert len(kept(books)) == 54
    assert await books.engine.books.sweeper.sweep() == 5
    assert len(kept(books)) == 49
    await books.books.restore_content(BOOK, LESSON, 6)
    assert (await books.books.read_content(BOOK, LESSON)).content == "5"


async def test_a_version_that_came_back_is_not_swept(books: Library) -> None:
    for number in range(60):
        await books.books.write_content(BOOK, LESSON, "same" if number % 2 else str(number))
    await books.engine.books.sweeper.sweep()
    assert sha256("same") in kept(books)


async def test_versions_of_a_deleted_file_go_after_ninety_days(books: Library, clock: FixedClock) -> None:
    await books.books.write_content(BOOK, LESSON, "one")
    await books.books.delete_content(BOOK, LESSON)
    clock.microseconds = max(clock.microseconds, int(on_disk(books, "").stat().st_mtime * 1e6))
    clock.move(seconds=100 * DAY)
    await books.engine.books.sweeper.sweep()
    assert kept(books) == []
    assert [version.operation for version in await books.books.content_history(BOOK, LESSON)] == ["delete"]
    assert (await books.books.write_content(BOOK, LESSON, "again")).revision == 3
