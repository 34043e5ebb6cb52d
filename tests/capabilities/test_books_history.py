"""What a file was, how it changed, and the log that proves it."""

from __future__ import annotations

import base64
import hashlib
from datetime import UTC, datetime

import pytest
from trials import on_one_store

from quire.adapters.memory import FixedClock
from quire.api.library import Library
from quire.domain.errors import Conflict, InvalidInput, NotFound
from quire.domain.files import Upload

pytestmark = pytest.mark.anyio

BOOK = "my-book"
LESSON = "lessons/one.md"


@pytest.fixture
async def books(timed: Library) -> Library:
    await timed.books.create(BOOK, "My book")
    return timed


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


async def test_history_is_listed_newest_first_in_pages(books: Library) -> None:
    for text in ("one", "two", "three"):
        await books.books.write_content(BOOK, LESSON, text)
    await books.books.delete_content(BOOK, LESSON)
    first = await books.books.content_history(BOOK, LESSON, limit=2)
    assert [(v.revision, v.operation, v.file_hash) for v in first] == [
        (4, "delete", None),
        (3, "write", sha256("three")),
    ]
    assert (first.total, first.truncated) == (4, True)
    rest = await books.books.content_history(BOOK, LESSON, limit=2, cursor=first.cursor)
    assert [v.revision for v in rest] == [2, 1]
    assert not rest.truncated
    with pytest.raises(NotFound):
        await books.books.content_history(BOOK, "never.md")


async def test_a_write_that_changes_nothing_is_no_revision(books: Library) -> None:
    """Fifty of them would be as many versions as are kept, and take the place of all others."""
    await books.books.write_content(BOOK, LESSON, "old\n")
    written = await books.books.write_content(BOOK, LESSON, "new\n")
    await books.books.write_summary(BOOK, "chapter-01", "In short")
    pixel = base64.b64encode(b"\x89PNG\r\n\x1a\n").decode()
    await books.books.upload_asset(BOOK, "images", "a.png", pixel)
    entries = (await books.books.verify_audit(BOOK)).entries
    again = [
        await books.books.write_content(BOOK, LESSON, "new\n"),
        await books.books.write_content(BOOK, LESSON, "new\n", written.file_hash),
        await books.books.edit_content(BOOK, LESSON, "replace", "new", find="new"),
        await books.books.restore_content(BOOK, LESSON, 2),
    ]
    assert [(one.revision, one.file_hash) for one in again] == [(2, written.file_hash)] * 4
    assert (await books.books.write_summary(BOOK, "chapter-01", "In short")).revision == 1
    await books.books.upload_asset(BOOK, "images", "a.png", pixel)
    await books.books.add_asset(BOOK, "images", Upload.of(base64.b64decode(pixel), "a.png"))
    assert len(await books.books.content_history(BOOK, "assets/images/a.png")) == 1
    assert (await books.books.verify_audit(BOOK)).entries == entries
    assert (await books.books.restore_content(BOOK, LESSON, 1)).revision == 3
    with pytest.raises(Conflict):
        await books.books.write_content(BOOK, LESSON, "old\n", sha256("other"))


async def test_the_difference_between_revisions_is_a_unified_diff(books: Library) -> None:
    await books.books.write_content(BOOK, LESSON, "a\nb\nc\n")
    await books.books.write_content(BOOK, LESSON, "a\nB\nc\n")
    diff = await books.books.diff_content(BOOK, LESSON, 1)
    assert diff.to_revision == 2
    assert diff.diff.splitlines()[2:] == ["@@ -1,3 +1,3 @@", " a", "-b", "+B", " c"]
    assert (await books.books.diff_content(BOOK, LESSON, 2, 2)).diff == ""
    await books.books.delete_content(BOOK, LESSON)
    assert "-B" in (await books.books.diff_content(BOOK, LESSON, 2)).diff
    with pytest.raises(NotFound):
        await books.books.diff_content(BOOK, LESSON, 1, 9)


async def test_a_restored_revision_is_the_newest_one(books: Library) -> None:
    first = await books.books.write_content(BOOK, LESSON, "one")
    await books.books.write_content(BOOK, LESSON, "two")
    with pytest.raises(Conflict):
        await books.books.restore_content(BOOK, LESSON, 1, sha256("other"))
    restored = await books.books.restore_content(BOOK, LESSON, 1, sha256("two"))
    assert (restored.revision, restored.file_hash) == (3, first.file_hash)
    await books.books.delete_content(BOOK, LESSON)
    assert (await books.books.restore_content(BOOK, LESSON, 2)).mode == "created"
    assert (await books.books.read_content(BOOK, LESSON)).content == "two"
    with pytest.raises(InvalidInput, match="deleted at revision 4"):
        await books.books.restore_content(BOOK, LESSON, 4)


async def test_an_edit_replaces_what_occurs_once(books: Library) -> None:
    written = await books.books.write_content(BOOK, LESSON, "one two\nthree two\n")
    with pytest.raises(InvalidInput, match=r"occurs 2 times \(lines 1, 2\)"):
        await books.books.edit_content(BOOK, LESSON, "replace", "2", find="two")
    with pytest.raises(InvalidInput, match="does not occur"):
        await books.books.edit_content(BOOK, LESSON, "replace", "2", find="four")
    with pytest.raises(Conflict):
        await books.books.edit_content(BOOK, LESSON, "replace", "2", find="one two", file_hash=sha256("x"))
    edited = await books.books.edit_content(BOOK, LESSON, "replace", "1 2", find="one two", file_hash=written.file_hash)
    assert edited.diff.splitlines()[2:] == ["@@ -1,2 +1,2 @@", "-one two", "+1 2", " three two"]
    content = await books.books.read_content(BOOK, LESSON)
    assert (content.content, content.file_hash_sha256) == ("1 2\nthree two\n", edited.file_hash)


async def test_edits_without_a_hash_all_arrive(books: Library) -> None:
    import asyncio

    await books.books.write_content(BOOK, LESSON, "")
    await asyncio.gather(*(books.books.edit_content(BOOK, LESSON, "append", f"line {n}\n") for n in range(4)))
    content = await books.books.read_content(BOOK, LESSON)
    assert sorted(content.content.splitlines()) == [f"line {n}" for n in range(4)]


async def test_a_section_is_replaced_by_its_heading(books: Library) -> None:
    await books.books.write_content(BOOK, LESSON, "# A\nintro\n\n## B\nold\n\n### Deep\nold\n\n## C\nkept\n")
    await books.books.edit_content(BOOK, LESSON, "section", "new", heading="## B")
    content = await books.books.read_content(BOOK, LESSON)
    assert content.content == "# A\nintro\n\n## B\n\nnew\n\n## C\nkept\n"


@on_one_store
@pytest.mark.parametrize(
    ("mode", "more"),
    [("replace", {}), ("section", {}), ("append", {"find": "x"}), ("append", {"heading": "x"}),
     ("replace", {"find": "x", "heading": "y"})],
)  # fmt: skip
async def test_an_edit_with_the_wrong_arguments_is_refused(books: Library, mode: str, more: dict[str, str]) -> None:
    await books.books.write_content(BOOK, LESSON, "x")
    with pytest.raises(InvalidInput):
        await books.books.edit_content(BOOK, LESSON, mode, "y", **more)  # type: ignore[arg-type]


async def test_a_file_moves_with_its_bytes_and_nothing_is_overwritten(books: Library) -> None:
    written = await books.books.write_content(BOOK, "a/one.md", "one")
    await books.books.write_content(BOOK, "b/two.md", "two")
    with pytest.raises(Conflict):
        await books.books.move_content(BOOK, "a/one.md", "b/two.md")
    with pytest.raises(Conflict):
        await books.books.move_content(BOOK, "a/one.md", "c.md", sha256("other"))
    with pytest.raises(NotFound):
        await books.books.move_content(BOOK, "a/none.md", "c.md")
    moved = await books.books.move_content(BOOK, "a/one.md", "c/d/one.md", written.file_hash)
    assert (moved.new_path, moved.file_hash) == (f"books/{BOOK}/c/d/one.md", written.file_hash)
    assert (await books.books.read_content(BOOK, "c/d/one.md")).content == "one"
    with pytest.raises(NotFound):
        await books.books.read_content(BOOK, "a/one.md")
    assert (await books.books.restore_content(BOOK, "a/one.md", 1)).file_hash == written.file_hash
    assert (await books.books.verify_audit(BOOK)).valid


async def test_a_book_can_demand_hashes(books: Library) -> None:
    await books.books.update(BOOK, require_hash=True)
    first = await books.books.write_content(BOOK, LESSON, "new files need none")
    for call in (
        books.books.write_content(BOOK, LESSON, "x"),
        books.books.delete_content(BOOK, LESSON),
        books.books.edit_content(BOOK, LESSON, "append", "x"),
        books.books.move_content(BOOK, LESSON, "b.md"),
        books.books.restore_content(BOOK, LESSON, 1),
    ):
        with pytest.raises(Conflict) as caught:
            await call
        assert caught.value.details["current_hash"] == first.file_hash
    await books.books.write_content(BOOK, LESSON, "with its hash", first.file_hash)
    await books.books.update(BOOK, require_hash=False)
    await books.books.write_content(BOOK, LESSON, "without")


async def test_the_log_can_be_asked(books: Library, clock: FixedClock) -> None:
    await books.books.write_content(BOOK, "a.md", "a")
    clock.move(seconds=60)
    middle = datetime.fromtimestamp(clock.now() / 1e6, UTC)
    await books.books.write_content(BOOK, "b.md", "b")
    await books.books.delete_content(BOOK, "a.md")
    everything = await books.books.audit(BOOK)
    assert [entry.number for entry in everything] == list(range(everything.total, 0, -1))
    assert [entry.operation for entry in await books.books.audit(BOOK, path="a.md")] == ["delete", "write"]
    assert {entry.path for entry in await books.books.audit(BOOK, operation="write", since=middle)} == {"b.md"}
    assert (await books.books.audit(BOOK, actor="nobody")).total == 0
    assert "a.md" in {entry.path for entry in await books.books.audit(BOOK, until=middle)}
    page = await books.books.audit(BOOK, limit=2)
    assert page.truncated
    assert [entry.number for entry in await books.books.audit(BOOK, limit=2, cursor=page.cursor)] == [
        everything.total - 2,
        everything.total - 3,
    ]


TAMPERED = {
    "changed": "UPDATE book_audit SET actor = 'x' WHERE number = 3",
    "removed": "DELETE FROM book_audit WHERE number = 3",
    "cut off": "DELETE FROM book_audit WHERE number > 3",
    "file": "UPDATE book_file SET sha256 = 'x' WHERE path = 'a.md'",
    "end": "UPDATE book SET chain_hash = 'x'",
}


@pytest.mark.parametrize("what", TAMPERED)
async def test_a_log_that_was_changed_is_found_out(books: Library, what: str) -> None:
    for number in range(4):
        await books.books.write_content(BOOK, "a.md", str(number))
    verdict = await books.books.verify_audit(BOOK)
    assert (verdict.valid, verdict.broken_at) == (True, None)
    assert verdict.entries == (await books.books.audit(BOOK)).total
    await books.engine.system.write(lambda tx: raw(tx, TAMPERED[what]))
    verdict = await books.books.verify_audit(BOOK)
    assert not verdict.valid
    assert verdict.reason


def raw(tx: object, statement: str) -> None:
    connection = getattr(tx, "connection", None) or tx._connection  # type: ignore[attr-defined]
    connection.execute(statement)
