"""Contract 3: searching books, and archiving them."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from datetime import datetime
from typing import Any

import pytest

from contracts.desk import Desk
from contracts.library_desk import BookDesk, each_shape, shelf_on_every_wire
from contracts.rows import proves
from quire.domain.archives import MANIFEST

pytestmark = pytest.mark.anyio

FILES = {
    "lessons/part-1/chapter-01/lesson-01.md": "# One\n\nOpenDAL is a layer.\n",
    "lessons/part-1/chapter-01/lesson-02.md": "We use OpenDAL\r\nto read.",
    "lessons/intro.md": "Nothing yet\n",
    "notes.txt": "OpenDAL",
}
PICTURE = "iVBORw0KGgoAAAANSUhEUgAA"


@pytest.fixture
async def filled(shelf: BookDesk) -> BookDesk:
    for path, text in FILES.items():
        await shelf.ok("write_content", path=path, content=text)
    await shelf.ok("write_summary", chapter_id="chapter-01", content="On OpenDAL")
    await shelf.ok("upload_asset", asset_type="images", filename="a.png", binary_data=PICTURE)
    return shelf


@proves("C3-GLOB-01", "C3-GLOB-04", "C3-GLOB-05", "C3-GLOB-06", "C3-FIND-01", "C3-FIND-02")
@pytest.mark.parametrize(
    ("pattern", "paths"),
    [
        (
            "**/*.md",
            [
                "chapters/chapter-01/.summary.md",
                "lessons/intro.md",
                "lessons/part-1/chapter-01/lesson-01.md",
                "lessons/part-1/chapter-01/lesson-02.md",
            ],
        ),
        (
            "lessons/**/*.md",
            ["lessons/intro.md", "lessons/part-1/chapter-01/lesson-01.md", "lessons/part-1/chapter-01/lesson-02.md"],
        ),
        ("assets/images/**/*.png", ["assets/images/a.png"]),
        ("chapters/chapter-01/*", ["chapters/chapter-01/.summary.md"]),
        ("lessons/*.md", ["lessons/intro.md"]),
        ("lessons/*", ["lessons/intro.md"]),
        ("**/lesson-0?.md", ["lessons/part-1/chapter-01/lesson-01.md", "lessons/part-1/chapter-01/lesson-02.md"]),
        ("nothing/**", []),
    ],
)
@each_shape
async def test_globs_find_files(filled: BookDesk, pattern: str, paths: list[str]) -> None:
    assert await filled.ok("glob_search", pattern=pattern) == [filled.stored(path) for path in paths]
    answer = await filled.call("glob_search", pattern=pattern)
    assert (answer.data["total"], answer.data["truncated"]) == (len(paths), False)


@shelf_on_every_wire
@proves("C3-GREP-01", "C3-GREP-05", "C3-GREP-06", "C3-FIND-02")
async def test_lines_are_found(filled: BookDesk) -> None:
    assert await filled.ok("grep_search", pattern="OpenDAL") == [
        {
            "file_path": filled.stored("chapters/chapter-01/.summary.md"),
            "line_number": 1,
            "matched_line": "On OpenDAL",
        },
        {
            "file_path": filled.stored("lessons/part-1/chapter-01/lesson-01.md"),
            "line_number": 3,
            "matched_line": "OpenDAL is a layer.",
        },
        {
            "file_path": filled.stored("lessons/part-1/chapter-01/lesson-02.md"),
            "line_number": 1,
            "matched_line": "We use OpenDAL",
        },
    ]
    (line,) = await filled.ok("grep_search", pattern=r"^Nothing\s+\w+$")
    assert line["file_path"] == filled.stored("lessons/intro.md")
    assert await filled.ok("grep_search", pattern="absent") == []


@proves("C3-GLOB-07", "C3-GREP-07")
@each_shape
async def test_all_books_can_be_searched(filled: BookDesk) -> None:
    other = BookDesk(filled.desk, filled.shape)
    await other.open()
    await other.ok("write_content", path="solo.md", content="OpenDAL")
    found = await filled.ok("grep_search", pattern="OpenDAL", all_books=True, max_results=1000)
    assert {other.stored("solo.md"), filled.stored("chapters/chapter-01/.summary.md")} <= {
        line["file_path"] for line in found
    }
    assert other.stored("solo.md") in await filled.ok("glob_search", pattern="*.md", all_books=True)
    assert await filled.ok("glob_search", pattern="solo.md") == []


@proves("C3-GREP-04", "C3-FIND-05")
@each_shape
async def test_results_end_at_the_limit_and_say_so(shelf: BookDesk) -> None:
    await shelf.ok("write_content", path="many.md", content="line\n" * 101)
    for most, given, truncated in [(None, 100, True), (101, 101, False), (1000, 101, False), (1, 1, True)]:
        more = {} if most is None else {"max_results": most}
        answer = await shelf.call("grep_search", pattern="line", **more)
        assert len(json.loads(answer.text)) == len(answer.data["items"]) == given
        assert answer.data["truncated"] == truncated
        assert answer.data["total"] == 101
        assert [remark.split(" are listed")[0] for remark in answer.remarks] == [f"{given} of 101"] * truncated


@proves("C3-FIND-03", "C3-FIND-04", "C3-GREP-04", "C3-ERR-04")
@pytest.mark.parametrize(
    "arguments",
    [
        {"pattern": "("},
        {"pattern": r"(a)\1"},
        {"pattern": ""},
        {"pattern": "a", "max_results": 0},
        {"pattern": "a", "max_results": 1001},
        {"pattern": "a", "max_results": "10"},
        {"pattern": 1},
    ],
)
@each_shape
async def test_what_is_not_valid_is_refused(shelf: BookDesk, arguments: dict[str, Any]) -> None:
    assert (await shelf.error("grep_search", **arguments))["error"] == "ValidationError"


@proves("C3-FIND-03")
@each_shape
async def test_a_pattern_that_runs_away_elsewhere_is_answered(shelf: BookDesk) -> None:
    await shelf.ok("write_content", path="long.md", content="a" * 100_000 + "!")
    assert await shelf.ok("grep_search", pattern=r"(a+)+$") == []


@proves("C3-FIND-06")
@pytest.mark.parametrize(
    ("tool", "more"), [("glob_search", {"pattern": "*"}), ("grep_search", {"pattern": "a"}), ("get_book_archive", {})]
)
@each_shape
async def test_an_unknown_book_is_not_found(shelf: BookDesk, tool: str, more: dict[str, Any]) -> None:
    assert (await shelf.error(tool, book_id="no-such-book", **more))["error"] == "ContentNotFoundError"


@shelf_on_every_wire
@proves("C3-ARCH-01", "C3-ARCH-03", "C3-ARCH-04", "C3-ARCH-05", "C3-ARCH-06", "C3-FIND-02", "C3-FIND-07")
async def test_an_archive_is_the_tree(filled: BookDesk) -> None:
    made = await filled.ok("get_book_archive")
    tree = {str(path.relative_to(filled.root)): path.read_bytes() for path in filled.root.rglob("*") if path.is_file()}
    assert tree.keys() >= {*FILES, "book.yaml", "chapters/chapter-01/.summary.md", "assets/images/a.png"}
    assert made["status"] == "success"
    assert (made["format"], made["valid_for_seconds"]) == ("zip", 3600)
    assert (made["file_count"], made["total_size_bytes"]) == (len(tree), sum(map(len, tree.values())))
    assert made["expires_at"].endswith("Z")
    assert datetime.fromisoformat(made["expires_at"]) == datetime.fromisoformat("2025-12-07T15:30:00Z")
    with zipfile.ZipFile(io.BytesIO(stored_file(filled.desk, made["sha256"]))) as archive:
        found = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(found.pop(MANIFEST))
    assert found == tree
    assert {one["path"]: one["sha256"] for one in manifest["files"]} == {
        path: hashlib.sha256(data).hexdigest() for path, data in tree.items()
    }
    assert made["archive_url"].startswith("http://127.0.0.1:8765/files/")


def stored_file(desk: Desk, sha256: str) -> bytes:
    """The bytes that the address gives out: the file of that hash in the home."""
    (path,) = [path for path in (desk.home / "blobs").rglob("*") if path.is_file() and sha256.endswith(path.name[-32:])]
    data = path.read_bytes()
    assert hashlib.sha256(data).hexdigest() == sha256
    return data


@proves("C3-GLOB-02", "C3-GLOB-03", "C3-GREP-02", "C3-GREP-03", "C3-GREP-04", "C3-ARCH-02")
async def test_the_tools_are_declared_as_the_document_says(shelf: BookDesk) -> None:
    tools = {tool.name: tool for tool in (await shelf.desk.client.list_tools()).tools}
    required = {
        "glob_search": ["book_id", "pattern"],
        "grep_search": ["book_id", "pattern"],
        "get_book_archive": ["book_id"],
    }
    for name, needed in required.items():
        tool = tools[name]
        assert tool.input_schema["required"] == needed
        assert tool.annotations is not None
        assert (tool.annotations.read_only_hint, tool.annotations.idempotent_hint) == (True, True)
    assert tools["glob_search"].input_schema["properties"]["all_books"]["default"] is False
    most = tools["grep_search"].input_schema["properties"]["max_results"]
    assert (most["default"], most["minimum"], most["maximum"]) == (100, 1, 1000)
