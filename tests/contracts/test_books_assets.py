"""Contract 3: assets."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from contracts.desk import library_at
from contracts.library_desk import BookDesk, each_shape, shelf_on_every_wire
from contracts.rows import proves
from quire.entry.bootstrap import build
from quire.entry.settings import load
from serving import served

pytestmark = pytest.mark.anyio

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(200))
MEBIBYTE = 1024 * 1024
TYPES = ("images", "slides", "videos", "audio")
FIELDS = {
    "cdn_url", "file_size", "mime_type", "upload_timestamp", "uploaded_by_agent_id", "asset_type", "filename",
}  # fmt: skip


def encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


async def upload(shelf: BookDesk, filename: str, data: bytes = PNG, asset_type: str = "images") -> dict[str, Any]:
    given = {"asset_type": asset_type, "filename": filename, "binary_data": encoded(data)}
    answer: dict[str, Any] = await shelf.ok("upload_asset", **given)
    return answer


@shelf_on_every_wire
@proves("C3-UP-01", "C3-UP-05", "C3-UP-06", "C3-UP-08", "C3-UP-10", "C3-OPEN-17")
async def test_bytes_are_stored_and_described(shelf: BookDesk) -> None:
    path = "assets/images/diagram.png"
    assert (await upload(shelf, "diagram.png")).items() >= {
        "status": "success",
        "method": "direct",
        "cdn_url": f"http://127.0.0.1:8765/{shelf.stored(path)}",
        "file_size": len(PNG),
        "mime_type": "image/png",
        "path": shelf.stored(path),
    }.items()
    assert (shelf.root / path).read_bytes() == PNG


@proves("C3-UP-04")
async def test_an_asset_is_of_one_of_four_types(shelf: BookDesk) -> None:
    for asset_type in TYPES:
        answer = await upload(shelf, "a.bin", b"x", asset_type)
        assert answer["path"] == shelf.stored(f"assets/{asset_type}/a.bin")
    for tool in ("upload_asset", "get_asset", "list_assets"):
        more = {} if tool == "list_assets" else {"filename": "a.bin"}
        error = await shelf.error(tool, asset_type="scrolls", **more)
        assert (error["error"], error["field"]) == ("ValidationError", "asset_type")


@proves("C3-GET-01", "C3-GET-03", "C3-GET-04", "C3-OPEN-14")
async def test_what_is_known_of_an_asset(shelf: BookDesk) -> None:
    uploaded = await upload(shelf, "diagram.png")
    asset = await shelf.ok("get_asset", asset_type="images", filename="diagram.png")
    assert set(asset) >= FIELDS
    assert (
        asset.items()
        >= {
            "cdn_url": uploaded["cdn_url"],
            "file_size": len(PNG),
            "mime_type": "image/png",
            "uploaded_by_agent_id": "owner",
            "asset_type": "images",
            "filename": "diagram.png",
        }.items()
    )
    assert re.fullmatch(r"2025-12-07T14:30:00(\.\d+)?Z", asset["upload_timestamp"])
    for missing in (
        {"asset_type": "images", "filename": "none.png"},
        {"asset_type": "audio", "filename": "diagram.png"},
    ):
        error = await shelf.error("get_asset", **missing)
        assert error["error"] == "ContentNotFoundError"
        assert error["path"] == shelf.stored(f"assets/{missing['asset_type']}/{missing['filename']}")


@proves("C3-LIST-01", "C3-LIST-04", "C3-OPEN-21")
async def test_assets_are_listed_all_or_by_type(shelf: BookDesk) -> None:
    assert await shelf.ok("list_assets") == []
    for asset_type in ("images", "audio"):
        for name in ("b.bin", "a.bin"):
            await upload(shelf, name, b"x", asset_type)
    everything = await shelf.ok("list_assets")
    assert [(one["asset_type"], one["filename"]) for one in everything] == [
        ("audio", "a.bin"), ("audio", "b.bin"), ("images", "a.bin"), ("images", "b.bin"),
    ]  # fmt: skip
    assert all(set(one) >= FIELDS for one in everything)
    for asset_type, count in (("images", 2), ("slides", 0)):
        answer = await shelf.call("list_assets", asset_type=asset_type)
        assert (answer.data["total"], len(answer.data["items"]), answer.data["truncated"]) == (count, count, False)


@proves("C3-UP-07", "C3-OPEN-11")
@each_shape
async def test_names_are_made_safe(shelf: BookDesk) -> None:
    for name in (
        "../../../etc/passwd",
        "..\\..\\x.png",
        "/etc/x.png",
        ".htaccess",
        "..",
        "a b?.png",
        "漢字.png",
        "x\u202egnp.exe",
    ):
        answer = await upload(shelf, name)
        assert re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]*", answer["filename"]), name
        assert answer["original_filename"] == name
        assert (shelf.root / "assets/images" / answer["filename"]).is_file()
        asset = await shelf.ok("get_asset", asset_type="images", filename=name)
        assert (asset["filename"], asset["original_filename"]) == (answer["filename"], name)
    assert {path.parent for path in shelf.root.rglob("*") if path.is_file()} == {
        shelf.root,
        shelf.root / "assets/images",
    }
    first, second = await upload(shelf, "same name.png", b"1"), await upload(shelf, "same#name.png", b"2")
    assert first["filename"] != second["filename"]
    assert (shelf.root / "assets/images" / first["filename"]).read_bytes() == b"1"
    for name in ("", " ", "a" * 256):
        error = await shelf.error("upload_asset", asset_type="images", filename=name, binary_data="AAAA")
        assert (error["error"], error["field"]) == ("ValidationError", "filename")


@proves("C3-OPEN-12")
async def test_base64_is_strict(shelf: BookDesk) -> None:
    for data in ("", "AAA", "AAAA=", "A A A A ", "AAAA\n", "AB==", "_-==", "data:image/png;base64,AAAA", "ÄÄÄÄ"):
        error = await shelf.error("upload_asset", asset_type="images", filename="a.png", binary_data=data)
        assert (error["error"], error["field"]) == ("ValidationError", "binary_data")
    assert not (shelf.root / "assets").exists()


@proves("C3-OPEN-13")
@each_shape
async def test_the_media_type_comes_from_name_and_content(shelf: BookDesk) -> None:
    for name, data, expected in (
        ("a.png", PNG, "image/png"),
        ("b.png", b"\xff\xd8\xff\xe0 jpeg", "image/jpeg"),
        ("c", b"%PDF-1.7", "application/pdf"),
        ("d.mp3", b"no mark", "audio/mpeg"),
        ("e.svg", b"<svg/>", "image/svg+xml"),
        ("f.unknown", b"bytes", "application/octet-stream"),
        ("g.pptx", b"PK\x03\x04", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
    ):
        assert (await upload(shelf, name, data))["mime_type"] == expected, name


@proves("C3-UP-08", "C3-UP-09", "C3-OPEN-15")
@pytest.mark.parametrize("shelf", ["text_2026", "stdio_2025"], indirect=True)
async def test_the_limits_decide_how_bytes_are_sent(shelf: BookDesk) -> None:
    below = bytes(10 * MEBIBYTE - 1)
    assert (await upload(shelf, "a.bin", below))["method"] == "direct"
    error = await shelf.error("upload_asset", asset_type="images", filename="a.bin", binary_data=encoded(below + b"x"))
    assert error["error"] == "ValidationError"
    for size in (10 * MEBIBYTE, 100 * MEBIBYTE):
        promised = await shelf.ok("upload_asset", asset_type="videos", filename="a.mp4", file_size=size)
        assert (promised["method"], promised["file_size"], promised["mime_type"]) == ("presigned", size, "video/mp4")
        assert promised["upload_url"].startswith("http://127.0.0.1:8765/uploads/")
        assert promised["expires_at"] == "2025-12-07T15:30:00Z"
        assert promised["path"] == shelf.stored("assets/videos/a.mp4")
    for size in (10 * MEBIBYTE - 1, 100 * MEBIBYTE + 1, 0, -1):
        error = await shelf.error("upload_asset", asset_type="videos", filename="a.mp4", file_size=size)
        assert (error["error"], error["field"]) == ("ValidationError", "file_size")
    assert (
        "too large"
        in (await shelf.error("upload_asset", asset_type="videos", filename="a.mp4", file_size=100 * MEBIBYTE + 1))[
            "message"
        ]
    )
    assert (await shelf.error("upload_asset", asset_type="videos", filename="a.mp4"))["error"] == "ValidationError"


@proves("C3-UP-10", "C3-OPEN-17")
async def test_the_address_of_assets_is_a_setting(tmp_path: Path) -> None:
    async with build(load({"home": tmp_path, "cdn_url": "https://cdn.panaversity.com/"}, {})) as library:
        await library.books.create("my-book", "Mine")
        uploaded = await library.books.upload_asset("my-book", "images", "diagram.png", encoded(PNG))
    assert uploaded.cdn_url == "https://cdn.panaversity.com/books/my-book/assets/images/diagram.png"


@proves("C3-UP-09", "C3-OPEN-16", "C3-OPEN-17")
def test_an_upload_address_takes_pieces_from_any_client(tmp_path: Path) -> None:
    data = PNG * (11 * MEBIBYTE // len(PNG))
    size = len(data)
    with served(tmp_path / "home") as server, server.client() as client:
        client.post("/api/book/create", json={"book_id": "my-book", "title": "Mine"})
        asked = {"book_id": "my-book", "asset_type": "videos", "filename": "film.mp4", "file_size": size}
        url = client.post("/api/book/upload-asset", json=asked).json()["upload_url"]
        half = size // 2
        with httpx.Client(trust_env=False, timeout=60) as stranger:
            first = stranger.put(url, content=data[:half], headers={"Content-Range": f"bytes 0-{half - 1}/{size}"})
            assert (first.status_code, first.json()) == (202, {"received": half, "size": size})
            assert stranger.head(url).headers["Upload-Offset"] == str(half)
            gap = stranger.put(url, content=b"x", headers={"Content-Range": f"bytes {half + 1}-{half + 1}/{size}"})
            assert (gap.status_code, gap.headers["Upload-Offset"]) == (409, str(half))
            wrong = stranger.put(url, content=b"x", headers={"Content-Range": "bytes 0-0/7"})
            assert wrong.status_code == 400
            last = stranger.put(url, content=data[half:], headers={"Content-Range": f"bytes {half}-{size - 1}/{size}"})
            assert last.status_code == 201
            again = stranger.put(url, content=data[half:], headers={"Content-Range": f"bytes {half}-{size - 1}/{size}"})
            assert (again.status_code, again.json()) == (201, last.json())
            assert stranger.get(url + "x").status_code == 403
        asset = client.get("/api/book/get-asset", params=asked | {"file_size": ""}).status_code
        assert asset == 400
        named = {name: asked[name] for name in ("book_id", "asset_type", "filename")}
        found = client.get("/api/book/get-asset", params=named).json()
        assert client.get(found["cdn_url"]).content == data
        part = client.get(found["cdn_url"], headers={"Range": "bytes=8-15"})
        assert (part.status_code, part.content) == (206, data[8:16])
        assert not list((tmp_path / "home/uploads").iterdir())


@proves("C3-OPEN-16")
async def test_an_upload_address_ends_after_an_hour(tmp_path: Path) -> None:
    from quire.adapters.memory import FixedClock
    from quire.domain.errors import NotAllowed

    clock = FixedClock()
    async with library_at(tmp_path, clock) as library:
        await library.books.create("my-book", "Mine")
        promised = await library.books.upload_asset("my-book", "videos", "a.mp4", file_size=20 * MEBIBYTE)
        token = (promised.upload_url or "").rpartition("/")[2]
        clock.move(seconds=3600)
        assert library.engine.upload(token, "").size == 20 * MEBIBYTE
        clock.move(seconds=1)
        with pytest.raises(NotAllowed, match="expired"):
            library.engine.upload(token, "")


@proves("C3-OPEN-27")
async def test_an_asset_is_deleted(shelf: BookDesk) -> None:
    await upload(shelf, "my diagram.png")
    first = await shelf.ok("delete_asset", asset_type="images", filename="my diagram.png")
    assert (first["path"], first["existed"]) == (shelf.stored("assets/images/my_diagram.png"), True)
    second = await shelf.ok("delete_asset", asset_type="images", filename="my diagram.png")
    assert (second["status"], second["existed"]) == ("success", False)
    assert await shelf.ok("list_assets") == []
