"""Contract 3: books beside notebooks, what other programs put on the shelf, and arguments that are null."""

from __future__ import annotations

import base64
import io
import json
import zipfile
from typing import Any

import pytest
import yaml

from contracts.desk import Answer
from contracts.library_desk import BookDesk
from contracts.rows import proves

pytestmark = pytest.mark.anyio

TOOLSETS = "books,books_more,notebooks"
SUMMARY = "chapters/chapter-01/.summary.md"
LIMIT = 100 * 1024


def refused(answer: Answer) -> str:
    assert answer.is_error, answer.text
    return answer.text


@proves("C3-OPEN-33")
async def test_a_book_is_no_notebook_and_is_renamed_and_deleted_by_tools_of_its_own(shelf: BookDesk) -> None:
    call = shelf.desk.call
    before = (await call("list_notebooks")).data["total"]
    await shelf.ok("write_content", path="a.md", content="x")
    (book,) = [one for one in await shelf.ok("list_books") if one["book_id"] == shelf.book_id]
    assert (await call("list_notebooks")).data["total"] == before
    assert "update_book" in refused(await call("rename_notebook", notebook_id=book["notebook_id"], title="Other"))
    assert "delete_book" in refused(await call("delete_notebook", notebook_id=book["notebook_id"]))
    await shelf.ok("update_book", title="Ours")
    assert (await call("get_notebook", notebook_id=book["notebook_id"])).data["name"] == "Ours"
    await shelf.ok("delete_book")
    assert (await shelf.error("read_content", path="a.md"))["error"] == "ContentNotFoundError"
    assert not (shelf.root / "a.md").exists()
    assert shelf.book_id not in {one["book_id"] for one in await shelf.ok("list_books")}


@proves("C3-OPEN-34", "C3-OPEN-38", "C3-ARCH-05")
async def test_a_row_put_below_the_registry_is_a_book_with_its_yaml_in_archives(shelf: BookDesk) -> None:
    await shelf.open()
    by_hand = f"hand-{shelf.book_id}"
    registry = shelf.desk.home / "shelf/registry.yaml"
    registry.write_text(
        f"{registry.read_text()}  - book_id: {by_hand}\n    title: By hand\n    storage_backend: fs\n"
        '    created_at: "2025-01-01T00:00:00Z"\n    status: active\n'
    )
    assert {one["book_id"] for one in yaml.safe_load(registry.read_text())["books"]} >= {shelf.book_id, by_hand}
    listed = await shelf.call("list_books")
    assert by_hand in {one["book_id"] for one in listed.data["items"]}
    assert not listed.data.get("problems")
    made = await shelf.ok("get_book_archive", book_id=by_hand)
    (blob,) = [
        one
        for one in (shelf.desk.home / "blobs").rglob("*")
        if one.is_file() and made["sha256"].endswith(one.name[-32:])
    ]
    with zipfile.ZipFile(io.BytesIO(blob.read_bytes())) as archive:
        assert yaml.safe_load(archive.read("book.yaml"))["title"] == "By hand"


@proves("C3-OPEN-35", "C3-WSUM-06")
async def test_a_summary_keeps_its_limit_whichever_tool_writes_it(shelf: BookDesk) -> None:
    await shelf.ok("write_summary", chapter_id="chapter-01", content="x")
    (shelf.root / SUMMARY).write_text("x" * (LIMIT + 1))
    outside = (await shelf.ok("read_content", path=SUMMARY))["revision"]
    await shelf.ok("write_summary", chapter_id="chapter-01", content="x" * LIMIT)
    await shelf.ok("write_content", path="long.md", content="x" * (LIMIT + 1))
    await shelf.ok("update_book", overlays=True)
    large = "x" * (LIMIT + 1)
    tries: list[tuple[str, dict[str, Any]]] = [
        ("write_summary", {"chapter_id": "chapter-01", "content": large}),
        ("write_content", {"path": SUMMARY, "content": large}),
        ("edit_content", {"path": SUMMARY, "mode": "append", "text": "xx"}),
        ("move_content", {"path": "long.md", "new_path": "chapters/chapter-02/.summary.md"}),
        ("restore_content", {"path": SUMMARY, "revision": outside}),
        ("write_overlay", {"path": SUMMARY, "content": large}),
    ]
    for tool, arguments in tries:
        error = await shelf.error(tool, **arguments)
        assert error["error"] == "ValidationError", tool
        assert "102,400" in error["message"], tool
    assert (await shelf.ok("read_summary", chapter_id="chapter-01"))["file_size"] == LIMIT


@proves("C3-OPEN-36", "C3-LIST-04")
async def test_every_asset_is_had_by_the_name_it_is_listed_with(shelf: BookDesk) -> None:
    picture = base64.b64encode(b"\x89PNG\r\n\x1a\n").decode()
    await shelf.ok("upload_asset", asset_type="images", filename="my photo.png", binary_data=picture)
    for name in ("deep/er.png", "-dash.png", ".hidden.png"):
        file = shelf.root / "assets/images" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"\x89PNG\r\n\x1a\n")
    listed = await shelf.ok("list_assets")
    assert {one["filename"] for one in listed} == {"my_photo.png", "deep/er.png", "-dash.png", ".hidden.png"}
    for one in listed:
        assert await shelf.ok("get_asset", asset_type=one["asset_type"], filename=one["filename"]) == one


@proves("C3-OPEN-37")
async def test_files_with_names_of_their_own_are_found_and_read(shelf: BookDesk) -> None:
    await shelf.open()
    names = ["my file.md", "ünï.md"]
    for name in names:
        (shelf.root / name).write_text(f"roadmap in {name}\n", encoding="utf-8")
    assert await shelf.ok("glob_search", pattern="*.md") == [shelf.stored(name) for name in names]
    lines = await shelf.ok("grep_search", pattern="roadmap")
    assert [line["file_path"] for line in lines] == [shelf.stored(name) for name in names]
    for name in names:
        assert (await shelf.ok("read_content", path=name))["content"] == f"roadmap in {name}\n"
        assert (await shelf.error("write_content", path=name, content="x"))["error"] == "InvalidPathError"


@proves("C3-OPEN-39")
async def test_null_for_an_optional_argument_means_that_it_was_left_out(shelf: BookDesk) -> None:
    await shelf.ok("write_content", path="a.md", content="x", file_hash=None)
    tools = {tool.name: tool for tool in (await shelf.desk.client.list_tools()).tools}
    given: dict[str, dict[str, Any]] = {
        "read_content": {"path": "a.md"},
        "write_content": {"path": "a.md", "content": "x"},
        "edit_content": {"path": "a.md", "mode": "append", "text": "y"},
        "get_content_history": {"path": "a.md"},
        "list_assets": {},
        "glob_search": {"pattern": "*.md"},
        "grep_search": {"pattern": "x"},
        "get_book_archive": {},
        "update_book": {},
        "query_book_audit": {},
        "plan_build": {},
        "list_books": {},
        "delete_content": {"path": "a.md"},
    }
    for tool, arguments in given.items():
        schema = json.loads(json.dumps(tools[tool].input_schema))
        left_out = dict.fromkeys(set(schema["properties"]) - {"book_id", "params"} - set(arguments))
        await shelf.ok(tool, **arguments, **left_out)
