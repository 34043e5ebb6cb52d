"""Contract 3: how the tools are offered, the registry, errors over HTTP, and what holds for all of them."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path
from typing import Any

import pytest
import yaml

from contracts.desk import ERAS, Desk, connected, desk_in_other_process, joined, library_at, on_every_wire, texts
from contracts.library_desk import BookDesk, each_shape
from contracts.rows import proves
from quire.adapters.memory import FixedClock
from quire.domain.sharing import Actor, Role
from quire.entry.mcp import door
from quire.entry.mcp.selection import Selection
from quire.local.people import add_person
from serving import served

pytestmark = pytest.mark.anyio

READS = (True, False, True)
WRITES = (False, True, True)
DELETES = (False, True, True)
# Required arguments, optional ones that the contract names, and (readOnly, destructive, idempotent).
TOOLS: dict[str, tuple[list[str], list[str], tuple[bool, bool, bool | None]]] = {
    "read_content": (["book_id", "path"], [], READS),
    "write_content": (["book_id", "path", "content"], ["file_hash"], WRITES),
    "delete_content": (["book_id", "path"], [], DELETES),
    "read_summary": (["book_id", "chapter_id"], [], READS),
    "write_summary": (["book_id", "chapter_id", "content"], [], WRITES),
    "delete_summary": (["book_id", "chapter_id"], [], DELETES),
    "upload_asset": (["book_id", "asset_type", "filename"], ["binary_data", "file_size"], (False, True, None)),
    "get_asset": (["book_id", "asset_type", "filename"], [], READS),
    "list_assets": (["book_id"], ["asset_type"], READS),
    "list_books": ([], [], READS),
}
ENTRY = {
    "book_id": "ai-native-python",
    "title": "AI-Native Python Development",
    "storage_backend": "fs",
    "created_at": "2025-01-01T00:00:00Z",
    "status": "active",
}


@proves("C3-OV-01", "C3-OV-02", "C3-READ-03", "C3-WRITE-03", "C3-DEL-03", "C3-WSUM-03", "C3-UP-03", "C3-LIST-03")
async def test_the_tools_are_offered_with_their_arguments(desk: Desk) -> None:
    listed = {tool.name: tool for tool in (await desk.client.list_tools()).tools}
    for name, (required, optional, _) in TOOLS.items():
        schema = listed[name].input_schema
        assert schema.get("required", []) == required, name
        assert set(schema["properties"]) >= {*required, *optional}, name
        assert listed[name].description, name


@on_every_wire
@proves("C3-READ-02", "C3-WRITE-02", "C3-DEL-02", "C3-RSUM-02", "C3-WSUM-02", "C3-DSUM-02", "C3-UP-02", "C3-GET-02")
@proves("C3-LIST-02", "C3-BOOKS-02", "C3-ANN-01")
async def test_the_tools_have_the_annotations(desk: Desk) -> None:
    listed = {tool.name: tool for tool in (await desk.client.list_tools()).tools}
    for name, (_, _, (reads, destroys, repeats)) in TOOLS.items():
        hints = listed[name].annotations
        assert hints is not None
        assert (hints.read_only_hint, hints.destructive_hint) == (reads, destroys), name
        assert repeats is None or hints.idempotent_hint == repeats, name
        assert hints.open_world_hint is False, name


@on_every_wire
@proves("C3-OPEN-01")
async def test_both_shapes_of_arguments_give_the_same_answer(desk: Desk) -> None:
    flat, wrapped = BookDesk(desk, "flat"), BookDesk(desk, "params")
    await flat.open()
    wrapped.book_id, wrapped._open = flat.book_id, True
    await wrapped.ok("write_content", path="a.md", content="x")
    for tool, arguments in (
        ("read_content", {"path": "a.md"}),
        ("read_content", {"path": "b.md"}),
        ("read_content", {"path": "../b.md"}),
        ("read_content", {}),
        ("read_content", {"path": "a.md", "more": 1}),
        ("list_assets", {}),
        ("list_books", {}),
    ):
        assert await flat.call(tool, **arguments) == await wrapped.call(tool, **arguments)


@proves("C3-ERR-04", "C3-OPEN-02", "C3-OPEN-03")
@each_shape
async def test_arguments_that_are_not_valid_are_validation_errors(shelf: BookDesk) -> None:
    for book_id in ("", "ab", "a" * 51, "-abc", "abc-", "a--b", "ABC", "a_b", "../x", "a/b", "a.b", "äöü", "ａｂｃ"):
        for tool, more in (
            ("read_content", {"path": "a"}),
            ("list_assets", {}),
            ("read_summary", {"chapter_id": "chapter-01"}),
            ("query_book_audit", {}),
            ("get_content_history", {"path": "a"}),
            ("update_book", {"title": "x"}),
        ):
            error = await shelf.error(tool, book_id=book_id, **more)
            assert (error["error"], error["field"]) == ("ValidationError", "book_id"), (book_id, tool)
        error = await shelf.error("create_book", book_id=book_id, title="x")
        assert (error["error"], error["field"]) == ("ValidationError", "book_id")
    for arguments in ({}, {"path": 7}, {"path": None}, {"path": "a.md", "other": "x"}):
        assert (await shelf.error("read_content", **arguments))["error"] == "ValidationError"
    for book_id in ("abc", "a" * 50):
        await shelf.ok("create_book", book_id=book_id, title="x")


@proves("C3-BOOKS-01", "C3-BOOKS-03", "C3-BOOKS-04", "C3-BOOKS-05", "C3-OPEN-18", "C3-OPEN-21")
async def test_books_are_registered_and_listed(shelf: BookDesk) -> None:
    error = await shelf.error("write_content", book_id="new-book-" + shelf.book_id, path="a.md", content="x")
    assert error["error"] == "ContentNotFoundError"
    for tool, more in (
        ("read_content", {"path": "a.md"}),
        ("list_assets", {}),
        ("get_asset", {"asset_type": "images", "filename": "a"}),
    ):
        assert (await shelf.error(tool, book_id="no-book", **more))["error"] == "ContentNotFoundError"
    books = await shelf.ok("list_books")
    (mine,) = (book for book in books if book["book_id"] == shelf.book_id)
    assert mine.items() >= {"title": "A book", "storage_backend": "fs", "status": "active"}.items()
    assert mine["created_at"].startswith("2025-12-07T14:30:00")
    assert mine["created_at"].endswith("Z")
    answer = await shelf.call("list_books")
    assert (answer.data["items"], answer.data["total"], answer.data["truncated"]) == (books, len(books), False)
    registry = yaml.safe_load((shelf.desk.home / "shelf/registry.yaml").read_text())
    (entry,) = (entry for entry in registry["books"] if entry["book_id"] == shelf.book_id)
    assert entry == {name: mine[name] for name in ENTRY}
    assert (await shelf.error("create_book", title="Again"))["error"] == "ConflictError"


@proves("C3-BOOKS-01", "C3-BOOKS-05", "C3-OPEN-19")
@pytest.mark.parametrize("era", ERAS)
async def test_a_registry_written_by_hand_is_listed_and_its_faults_reported(era: str, tmp_path: Path) -> None:
    (tmp_path / "shelf").mkdir()
    entries = [ENTRY, {"book_id": "Not An Id"}, ENTRY | {"book_id": "second-book", "status": "archived"}]
    (tmp_path / "shelf/registry.yaml").write_text(yaml.safe_dump({"books": entries}))
    async with library_at(tmp_path) as library, joined(library, era) as client:
        shelf = BookDesk(Desk(client, lambda now: None, tmp_path), "flat")
        shelf._open = True
        answer = await shelf.call("list_books")
        assert [book["book_id"] for book in answer.data["items"]] == ["ai-native-python", "second-book"]
        assert {name: answer.data["items"][0][name] for name in ENTRY} == ENTRY
        (problem,) = answer.data["problems"]
        assert "entry 2" in problem


@proves("C3-OPEN-20", "C3-BOOKS-04")
async def test_archived_books_are_read_and_not_written(shelf: BookDesk) -> None:
    await shelf.ok("write_content", path="a.md", content="x")
    for status in ("archived", "migrating"):
        await shelf.ok("update_book", status=status)
        for tool, more in (
            ("write_content", {"path": "a.md", "content": "y"}),
            ("delete_content", {"path": "a.md"}),
            ("write_summary", {"chapter_id": "chapter-01", "content": "y"}),
            ("upload_asset", {"asset_type": "images", "filename": "a.png", "binary_data": "AAAA"}),
        ):
            error = await shelf.error(tool, **more)
            assert error["error"] == "ValidationError"
            assert status in error["message"]
        assert (await shelf.ok("read_content", path="a.md"))["content"] == "x"
    assert (await shelf.error("update_book", status="gone"))["error"] == "ValidationError"
    await shelf.ok("update_book", status="active")
    await shelf.ok("write_content", path="a.md", content="y")


@proves("C3-OPEN-28", "C3-OPEN-14")
@pytest.mark.parametrize("era", ERAS)
async def test_the_log_names_who_did_what_and_can_be_verified(era: str, tmp_path: Path) -> None:
    async with library_at(tmp_path, FixedClock()) as library:
        book = await library.books.create("my-book", "Mine")

        def invite(tx: Any) -> None:
            add_person(tx, "agent-7", "An agent", None, 0)
            tx.run("insert_member", notebook_id=book.notebook_id, person_id="agent-7", role=int(Role.EDITOR))

        await library.engine.system.write(invite)
        async with joined(library.as_actor(Actor(id="agent-7")), era) as client:
            shelf = BookDesk(Desk(client, lambda now: None, tmp_path), "params")
            shelf.book_id, shelf._open = "my-book", True
            await shelf.ok("write_content", path="a.md", content="x")
            await shelf.ok("upload_asset", asset_type="images", filename="a.png", binary_data="AAAA")
            await shelf.ok("delete_content", path="a.md")
            entries = await shelf.ok("query_book_audit", actor="agent-7")
            assert [(entry["operation"], entry["path"]) for entry in entries] == [
                ("delete", "a.md"), ("upload", "assets/images/a.png"), ("write", "a.md"),
            ]  # fmt: skip
            assert entries[2]["after_hash"] == entries[0]["before_hash"] == hashlib.sha256(b"x").hexdigest()
            asset = await shelf.ok("get_asset", asset_type="images", filename="a.png")
            assert asset["uploaded_by_agent_id"] == "agent-7"
            assert (await shelf.ok("query_book_audit", path="a.md", operation="write", limit=1))[0] == entries[2]
            verdict = await shelf.ok("verify_book_audit")
            assert verdict["valid"] is True
            assert verdict["entries"] == len(await shelf.ok("query_book_audit"))


@proves("C3-OPEN-29")
async def test_a_book_can_demand_hashes(shelf: BookDesk) -> None:
    await shelf.ok("update_book", require_hash=True)
    written = await shelf.ok("write_content", path="a.md", content="x")
    for tool, more in (
        ("write_content", {"content": "y"}),
        ("delete_content", {}),
        ("edit_content", {"mode": "append", "text": "y"}),
    ):
        error = await shelf.error(tool, path="a.md", **more)
        assert (error["error"], error["current_hash"]) == ("ConflictError", written["file_hash"])
    await shelf.ok("write_content", path="a.md", content="y", file_hash=written["file_hash"])


@proves("C3-OPEN-31")
async def test_readers_keep_copies_that_nobody_else_sees(shelf: BookDesk) -> None:
    await shelf.ok("write_content", path="a.md", content="of all")
    assert (await shelf.error("write_overlay", path="a.md", content="mine"))["error"] == "ValidationError"
    await shelf.ok("update_book", overlays=True)
    await shelf.ok("write_overlay", path="a.md", content="mine")
    assert (await shelf.ok("read_content", path="a.md"))["content"] == "of all"
    own = await shelf.ok("read_content", path="a.md", overlay=True)
    assert (own["content"], own["overlay"]) == ("mine", True)
    assert await shelf.ok("grep_search", pattern="mine") == []
    assert [line["matched_line"] for line in await shelf.ok("grep_search", pattern="mine", overlay=True)] == ["mine"]
    assert [one["file_hash"] for one in await shelf.ok("list_overlays")] == [own["file_hash_sha256"]]
    assert (await shelf.error("write_overlay", path="../a.md", content="x"))["error"] == "InvalidPathError"
    assert (await shelf.error("write_overlay", path="a.md", content="x", file_hash="0" * 64))[
        "error"
    ] == "ConflictError"
    assert (await shelf.ok("delete_overlay", path="a.md"))["existed"] is True
    assert (await shelf.ok("read_content", path="a.md", overlay=True))["content"] == "of all"


@proves("C3-OPEN-32")
async def test_a_plan_tells_what_has_changed(shelf: BookDesk) -> None:
    await shelf.ok("write_content", path="a.md", content="one")
    first = await shelf.ok("plan_build")
    assert (first["status"], [one["path"] for one in first["items"]]) == ("full", ["a.md", "book.yaml"])
    assert (await shelf.ok("plan_build", manifest_hash=first["manifest_hash"]))["status"] == "unchanged"
    await shelf.ok("write_content", path="a.md", content="two")
    plan = await shelf.ok("plan_build", manifest_hash=first["manifest_hash"])
    assert [(one["path"], one["change"]) for one in plan["items"]] == [("a.md", "modified")]
    part = await shelf.ok("get_book_archive", since=first["manifest_hash"])
    assert (part["delta"], part["file_count"], part["manifest_hash"]) == (True, 1, plan["manifest_hash"])
    assert (await shelf.error("plan_build", manifest_hash="x"))["error"] == "ValidationError"


@proves("C3-OPEN-22")
async def test_of_twenty_writers_one_wins(shelf: BookDesk) -> None:
    first = await shelf.ok("write_content", path="a.md", content="start")
    answers = await asyncio.gather(
        *(
            shelf.call("write_content", path="a.md", content=f"writer {number}", file_hash=first["file_hash"])
            for number in range(20)
        )
    )
    won = [answer.data for answer in answers if not answer.is_error]
    lost = [answer.data for answer in answers if answer.is_error]
    assert (len(won), len(lost)) == (1, 19)
    assert {error["error"] for error in lost} == {"ConflictError"}
    assert {error["current_hash"] for error in lost} == {won[0]["file_hash"]}
    assert (await shelf.ok("read_content", path="a.md"))["file_hash_sha256"] == won[0]["file_hash"]


@proves("C3-OPEN-22")
async def test_of_writers_in_two_processes_one_wins(tmp_path: Path) -> None:
    async with desk_in_other_process(tmp_path, "2025") as one, desk_in_other_process(tmp_path, "2026") as two:
        shelf, other = BookDesk(one, "flat"), BookDesk(two, "params")
        first = await shelf.ok("write_content", path="a.md", content="start")
        other.book_id, other._open = shelf.book_id, True
        answers = await asyncio.gather(
            *(
                desk.call("write_content", path="a.md", content=f"{desk.shape} {number}", file_hash=first["file_hash"])
                for number in range(10)
                for desk in (shelf, other)
            )
        )
        won = [answer.data["file_hash"] for answer in answers if not answer.is_error]
        assert len(won) == 1
        assert {answer.data["current_hash"] for answer in answers if answer.is_error} == {won[0]}
        for desk in (shelf, other):
            assert (await desk.ok("read_content", path="a.md"))["file_hash_sha256"] == won[0]


@proves("C3-OPEN-23")
async def test_what_was_written_is_there_after_a_restart(tmp_path: Path) -> None:
    async with desk_in_other_process(tmp_path, "2025") as desk:
        before = BookDesk(desk, "flat")
        written = await before.ok("write_content", path="a.md", content="kept")
    async with desk_in_other_process(tmp_path, "2026") as desk:
        after = BookDesk(desk, "flat")
        after.book_id, after._open = before.book_id, True
        read = await after.ok("read_content", path="a.md")
        assert (read["content"], read["file_hash_sha256"]) == ("kept", written["file_hash"])
        assert len(await after.ok("get_content_history", path="a.md")) == 1


@proves("C3-OPEN-30")
async def test_a_hundred_clients_at_once_are_answered(tmp_path: Path) -> None:
    async with library_at(tmp_path) as library:
        await library.books.create("my-book", "Mine")

        server = door(library, Selection.of("books"), local=False)

        async def client(number: int) -> str:
            async with connected(texts(server), "2025" if number % 2 else "2026") as own_client:
                shelf = BookDesk(Desk(own_client, lambda now: None), "flat")
                shelf.book_id, shelf._open = "my-book", True
                await shelf.ok("write_content", path=f"lessons/{number % 10}/{number}.md", content=f"text {number}")
                read = await shelf.ok("read_content", path=f"lessons/{number % 10}/{number}.md")
                text: str = read["content"]
                return text

        read = await asyncio.gather(*map(client, range(100)))
        await server.close()
        assert read == [f"text {number}" for number in range(100)]
        assert (await library.books.verify_audit("my-book")).valid


@proves("C3-ERR-01", "C3-ERR-02", "C3-ERR-03", "C3-ERR-04", "C3-ERR-05")
def test_over_http_errors_have_the_statuses_and_the_body(tmp_path: Path) -> None:
    with served(tmp_path / "home") as server, server.client() as client:
        book = {"book_id": "my-book"}
        assert client.post("/api/book/create", json=book | {"title": "Mine"}).status_code == 200
        write = book | {"path": "a.md", "content": "x"}
        assert client.post("/api/book/write", json=write).json()["mode"] == "created"
        for status, error, answer in (
            (404, "ContentNotFoundError", client.get("/api/book/read", params=book | {"path": "b.md"})),
            (404, "ContentNotFoundError", client.get("/api/book/read", params={"book_id": "no-book", "path": "b.md"})),
            (409, "ConflictError", client.post("/api/book/write", json=write | {"file_hash": "0" * 64})),
            (400, "InvalidPathError", client.post("/api/book/write", json=write | {"path": "../a.md"})),
            (400, "ValidationError", client.post("/api/book/write", json=book | {"path": "a.md"})),
            (400, "ValidationError", client.post("/api/book/write", json=write | {"content": "x" * (1024 * 1024 + 1)})),
        ):
            assert answer.status_code == status
            body = answer.json()
            assert body["error"] == error
            assert body["message"]
            assert body["path"].startswith("books/")
        missing = client.get("/api/book/read", params=book | {"path": "b.md"}).json()
        assert missing["message"] == "Content not found: books/my-book/b.md"
        assert client.get("/api/book/list").json()["items"][0]["book_id"] == "my-book"
