"""Contract 3: lessons and summaries."""

from __future__ import annotations

import hashlib
import re
from typing import Any

import pytest

from contracts.library_desk import BookDesk, each_shape, shelf_on_every_wire
from contracts.rows import proves

pytestmark = pytest.mark.anyio

LESSON = "lessons/part-1/chapter-01/lesson-01.md"
TEXT = "---\ntitle: Introduction\n---\n\n# Lesson 1\n"
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@shelf_on_every_wire
@proves("C3-READ-01", "C3-READ-04", "C3-READ-05", "C3-READ-06", "C3-WRITE-01", "C3-WRITE-04", "C3-WRITE-05")
async def test_what_was_written_is_read_with_its_facts(shelf: BookDesk) -> None:
    written = await shelf.ok("write_content", path=LESSON, content=TEXT)
    assert (
        written.items()
        >= {
            "status": "success",
            "path": shelf.stored(LESSON),
            "file_size": len(TEXT),
            "file_hash": sha256(TEXT),
            "mode": "created",
        }.items()
    )
    read = await shelf.ok("read_content", path=LESSON)
    assert (
        read.items()
        >= {
            "content": TEXT,
            "file_size": len(TEXT),
            "storage_backend": "fs",
            "file_hash_sha256": sha256(TEXT),
        }.items()
    )
    assert TIME.fullmatch(read["last_modified"])
    assert read["last_modified"].startswith("2025-12-07T14:30:00")
    assert (shelf.root / LESSON).read_bytes() == TEXT.encode()


@proves("C3-READ-07", "C3-ERR-01", "C3-ERR-05", "C3-OPEN-02")
async def test_a_missing_file_is_not_found(shelf: BookDesk) -> None:
    error = await shelf.error("read_content", path="lessons/missing.md")
    path = shelf.stored("lessons/missing.md")
    assert error == {"error": "ContentNotFoundError", "message": f"Content not found: {path}", "path": path}
    long = "a/" * 120 + "b.md"
    assert (await shelf.error("read_content", path=long))["path"] == shelf.stored(long)


@shelf_on_every_wire
@proves("C3-WRITE-06", "C3-WRITE-07", "C3-WRITE-08", "C3-WRITE-11", "C3-ERR-02", "C3-OPEN-08")
async def test_a_conflict_is_found_and_ended_by_reading_again(shelf: BookDesk) -> None:
    first = await shelf.ok("write_content", path=LESSON, content="one")
    mine = await shelf.ok("read_content", path=LESSON)
    theirs = await shelf.ok("write_content", path=LESSON, content="two", file_hash=first["file_hash"])
    assert theirs["mode"] == "updated"
    assert theirs["file_hash"] != first["file_hash"]
    error = await shelf.error("write_content", path=LESSON, content="mine", file_hash=mine["file_hash_sha256"])
    assert error["error"] == "ConflictError"
    assert error["path"] == shelf.stored(LESSON)
    assert error["current_hash"] == theirs["file_hash"] == sha256("two")
    again = await shelf.ok("read_content", path=LESSON)
    assert again["content"] == "two"
    await shelf.ok("write_content", path=LESSON, content="two and mine", file_hash=again["file_hash_sha256"])
    assert (await shelf.ok("read_content", path=LESSON))["content"] == "two and mine"


@proves("C3-OPEN-08", "C3-OPEN-09")
async def test_a_hash_must_be_one_and_belong_to_a_file(shelf: BookDesk) -> None:
    error = await shelf.error("write_content", path=LESSON, content="x", file_hash="0" * 64)
    assert (error["error"], error["path"]) == ("ContentNotFoundError", shelf.stored(LESSON))
    for hash in ("", "abc", "z" * 64, "0" * 65):
        error = await shelf.error("write_content", path=LESSON, content="x", file_hash=hash)
        assert error["error"] == "ValidationError"
    assert not (shelf.root / LESSON).exists()


@proves("C3-DEL-01", "C3-DEL-04", "C3-DEL-05")
async def test_deleting_is_idempotent(shelf: BookDesk) -> None:
    await shelf.ok("write_content", path=LESSON, content=TEXT)
    first = await shelf.ok("delete_content", path=LESSON)
    assert first == {"status": "success", "path": shelf.stored(LESSON), "existed": True, "message": "File deleted"}
    second = await shelf.ok("delete_content", path=LESSON)
    assert (second["status"], second["existed"]) == ("success", False)
    assert (await shelf.error("read_content", path=LESSON))["error"] == "ContentNotFoundError"
    assert not (shelf.root / LESSON).exists()


PATHS = {
    "empty": "",
    "up": "../x.md",
    "up inside": "lessons/../../x.md",
    "up at the end": "lessons/..",
    "here": "./x.md",
    "here inside": "lessons/./x.md",
    "absolute": "/etc/passwd",
    "double slash": "lessons//x.md",
    "final slash": "lessons/",
    "backslash": "lessons\\x.md",
    "backslash up": "..\\x.md",
    "percent": "%2e%2e/x.md",
    "percent slash": "lessons%2Fx.md",
    "percent twice": "%252e%252e/x.md",
    "NUL": "lessons/x\0.md",
    "newline": "lessons/x.md\n",
    "control": "lessons/\x1b.md",
    "space": "lessons/my file.md",
    "wide dots": "．．/x.md",
    "one dot leader": "\u2024\u2024/x.md",
    "fraction slash": "lessons\u2044x.md",
    "division slash": "..\u2215x.md",
    "wide slash": "lessons／x.md",
    "right to left": "lessons/\u202edm.x",
    "zero width": "lessons/\u200b.md",
    "letters of others": "lessons/ехample.md",
    "combining": "lessons/e\u0301.md",
    "emoji": "lessons/🦜.md",
    "drive": "C:/x.md",
    "stream": "x.md:stream",
    "tilde": "~/x.md",
    "variable": "$HOME/x.md",
    "star": "lessons/*.md",
    "too long": "a" * 256,
    "overlong UTF-8": "lessons/\u00c0\u00ae.md",
}


@proves("C3-WRITE-09", "C3-ERR-03", "C3-OPEN-04")
@each_shape
async def test_a_path_outside_the_rules_is_refused_by_every_tool(shelf: BookDesk) -> None:
    for kind, path in PATHS.items():
        for tool, more in (
            ("read_content", {}),
            ("write_content", {"content": "x"}),
            ("delete_content", {}),
            ("edit_content", {"mode": "append", "text": "x"}),
            ("get_content_history", {}),
        ):
            error = await shelf.error(tool, path=path, **more)
            assert error["error"] == "InvalidPathError", (kind, tool)
    assert {file.name for file in shelf.root.rglob("*") if file.is_file()} == {"book.yaml"}


@proves("C3-OPEN-04")
@each_shape
async def test_a_path_within_the_rules_is_taken(shelf: BookDesk) -> None:
    for path in ("a", "A_b-c.d.md", "...", ".hidden", "-rf", "b/.b/c", "a" * 255, "/".join("cd" * 64)):
        await shelf.ok("write_content", path=path, content=path)
        assert (await shelf.ok("read_content", path=path))["content"] == path


@proves("C3-OPEN-05")
@each_shape
async def test_links_lead_nowhere(shelf: BookDesk) -> None:
    await shelf.open()
    outside = shelf.desk.home.parent / "outside.md"
    outside.write_text("secret")
    (shelf.root / "link.md").symlink_to(outside)
    (shelf.root / "folder").symlink_to(outside.parent)
    for path in ("link.md", f"folder/{outside.name}", "folder/new.md"):
        for tool, more in (("read_content", {}), ("write_content", {"content": "x"}), ("delete_content", {})):
            assert (await shelf.error(tool, path=path, **more))["error"] == "InvalidPathError"
    assert outside.read_text() == "secret"
    assert not (outside.parent / "new.md").exists()


@proves("C3-OPEN-10")
@each_shape
@pytest.mark.parametrize(
    "path", ["book.yaml", "registry.yaml", "archives/x.zip", "Archives/x", ".audit/x", "audit.jsonl"]
)
async def test_reserved_files_are_refused(shelf: BookDesk, path: str) -> None:
    for tool, more in (("write_content", {"content": "x"}), ("delete_content", {})):
        assert (await shelf.error(tool, path=path, **more))["error"] == "InvalidPathError"
    assert "title: A book" in (shelf.root / "book.yaml").read_text()


@proves("C3-OPEN-06")
@pytest.mark.parametrize(
    "text", ["", "  \n", "a\r\nb\r\n", "tab\tand \u00a0space ", "🦜 é 漢字", "no newline", "\n\nmany\n\n\n"]
)
async def test_text_is_kept_byte_for_byte(shelf: BookDesk, text: str) -> None:
    written = await shelf.ok("write_content", path=LESSON, content=text)
    assert written["file_size"] == len(text.encode())
    assert (await shelf.ok("read_content", path=LESSON))["content"] == text
    assert (shelf.root / LESSON).read_bytes() == text.encode()
    await shelf.ok("write_summary", chapter_id="chapter-01", content=text)
    assert (await shelf.ok("read_summary", chapter_id="chapter-01"))["content"] == text


@proves("C3-WRITE-10", "C3-WSUM-06", "C3-OPEN-07", "C3-ERR-04")
@each_shape
@pytest.mark.parametrize(
    ("tool", "where", "limit"),
    [
        ("write_content", {"path": LESSON}, 1024 * 1024),
        ("write_summary", {"chapter_id": "chapter-01"}, 100 * 1024),
    ],
)
async def test_limits_count_bytes(shelf: BookDesk, tool: str, where: dict[str, Any], limit: int) -> None:
    for character in ("x", "é", "🦜"):
        width = len(character.encode())
        whole = character * (limit // width)
        assert (await shelf.ok(tool, **where, content=whole))["file_size"] == limit
        less = whole[:-1] + "x" * (width - 1)
        assert (await shelf.ok(tool, **where, content=less))["file_size"] == limit - 1
        error = await shelf.error(tool, **where, content=whole + "x")
        assert (error["error"], error["field"]) == ("ValidationError", "content")


@proves("C3-RSUM-01", "C3-RSUM-03", "C3-RSUM-04", "C3-WSUM-01", "C3-WSUM-04")
async def test_a_summary_is_written_and_read(shelf: BookDesk) -> None:
    path = shelf.stored("chapters/chapter-01/.summary.md")
    for text in ("# Chapter 1 Summary\n", "# Another\n"):
        written = await shelf.ok("write_summary", chapter_id="chapter-01", content=text)
        facts = {"path": path, "file_size": len(text), "sha256": sha256(text)}
        assert written.items() >= ({"status": "success"} | facts).items()
        read = await shelf.ok("read_summary", chapter_id="chapter-01")
        assert read.items() >= ({"content": text, "storage_backend": "fs"} | facts).items()
        assert TIME.fullmatch(read["last_modified"])
    assert (shelf.root / "chapters/chapter-01/.summary.md").read_text() == "# Another\n"


@proves("C3-DSUM-01", "C3-DSUM-03", "C3-DSUM-04", "C3-RSUM-05")
async def test_a_summary_is_deleted_once(shelf: BookDesk) -> None:
    path = shelf.stored("chapters/chapter-01/.summary.md")
    await shelf.ok("write_summary", chapter_id="chapter-01", content="x")
    deleted = await shelf.ok("delete_summary", chapter_id="chapter-01")
    assert deleted.items() >= {"status": "success", "path": path, "message": "Summary deleted"}.items()
    for tool in ("delete_summary", "read_summary"):
        error = await shelf.error(tool, chapter_id="chapter-01")
        assert (error["error"], error["path"]) == ("ContentNotFoundError", path)


@proves("C3-WSUM-05", "C3-ERR-04")
@pytest.mark.parametrize(
    "chapter", ["", "1", "chapter-1", "chapter-001", "Chapter-01", "chapter-1a", "chapter-０１", "../chapter-01"]
)
async def test_a_chapter_has_two_digits(shelf: BookDesk, chapter: str) -> None:
    for tool, more in (("read_summary", {}), ("write_summary", {"content": "x"}), ("delete_summary", {})):
        error = await shelf.error(tool, chapter_id=chapter, **more)
        assert (error["error"], error["field"]) == ("ValidationError", "chapter_id")


@proves("C3-OPEN-24")
async def test_a_part_of_a_file_is_edited(shelf: BookDesk) -> None:
    written = await shelf.ok("write_content", path=LESSON, content="# One\nold\n\n# Two\nold\n")
    error = await shelf.error("edit_content", path=LESSON, mode="replace", find="old", text="new")
    assert (error["error"], error["field"]) == ("ValidationError", "find")
    section = await shelf.ok(
        "edit_content", path=LESSON, mode="section", heading="# One", text="new", file_hash=written["file_hash"]
    )
    assert "-old" in section["diff"]
    assert "+new" in section["diff"]
    replaced = await shelf.ok(
        "edit_content", path=LESSON, mode="replace", find="old", text="newer", file_hash=section["file_hash"]
    )
    appended = await shelf.ok("edit_content", path=LESSON, mode="append", text="end\n", file_hash=replaced["file_hash"])
    read = await shelf.ok("read_content", path=LESSON)
    assert read["content"] == "# One\n\nnew\n\n# Two\nnewer\nend\n"
    assert read["file_hash_sha256"] == appended["file_hash"]
    error = await shelf.error("edit_content", path=LESSON, mode="append", text="x", file_hash=written["file_hash"])
    assert (error["error"], error["current_hash"]) == ("ConflictError", appended["file_hash"])


@proves("C3-OPEN-25")
async def test_a_file_is_moved_and_replaces_none(shelf: BookDesk) -> None:
    written = await shelf.ok("write_content", path="a.md", content="a")
    await shelf.ok("write_content", path="b.md", content="b")
    error = await shelf.error("move_content", path="a.md", new_path="b.md")
    assert (error["error"], error["path"]) == ("ConflictError", shelf.stored("b.md"))
    assert (await shelf.error("move_content", path="a.md", new_path="../c.md"))["error"] == "InvalidPathError"
    moved = await shelf.ok("move_content", path="a.md", new_path="deep/c.md", file_hash=written["file_hash"])
    assert moved["new_path"] == shelf.stored("deep/c.md")
    assert (await shelf.ok("read_content", path="deep/c.md"))["file_hash_sha256"] == written["file_hash"]
    assert (await shelf.error("read_content", path="a.md"))["error"] == "ContentNotFoundError"


@proves("C3-OPEN-26")
async def test_history_is_listed_compared_and_restored(shelf: BookDesk) -> None:
    for text in ("one\n", "two\n"):
        await shelf.ok("write_content", path=LESSON, content=text)
    history = await shelf.ok("get_content_history", path=LESSON)
    assert [(version["revision"], version["file_hash"]) for version in history] == [
        (2, sha256("two\n")),
        (1, sha256("one\n")),
    ]
    diff = await shelf.ok("diff_content", path=LESSON, from_revision=1, to_revision=2)
    assert diff["diff"].endswith("@@ -1 +1 @@\n-one\n+two\n")
    restored = await shelf.ok("restore_content", path=LESSON, revision=1, file_hash=sha256("two\n"))
    assert restored["revision"] == 3
    assert (await shelf.ok("read_content", path=LESSON))["content"] == "one\n"
    assert (await shelf.error("restore_content", path=LESSON, revision=9))["error"] == "ContentNotFoundError"
