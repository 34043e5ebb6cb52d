"""Files of books over HTTP: assets at their address, signed links, uploads in pieces, and who may have them."""

from __future__ import annotations

import base64
import hashlib
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from quire.domain.sharing import Role, hash_of
from quire.local.people import add_person
from quire.ports.machine import Purpose
from serving import Served, served, until

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 10
TOKEN = {"Authorization": "Bearer let me in"}
MEBIBYTE = 1024 * 1024


def filled(server: Served, headers: dict[str, str] | None = None) -> dict[str, Any]:
    """A book with one image; what the upload answered."""
    with server.client(headers=headers) as client:
        client.post("/api/book/create", json={"book_id": "my-book", "title": "Mine"}).raise_for_status()
        data = base64.b64encode(PNG).decode()
        given = {"book_id": "my-book", "asset_type": "images", "filename": "a pic.png", "binary_data": data}
        answer = client.post("/api/book/upload-asset", json=given)
        answer.raise_for_status()
        found: dict[str, Any] = answer.json()
        return found


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("open") / "home") as running:
        filled(running)
        yield running


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("closed") / "home", token="let me in") as running:
        filled(running, TOKEN)
        yield running


def promise(client: httpx.Client, size: int, name: str = "film.mp4", **headers: str) -> str:
    given = {"book_id": "my-book", "asset_type": "videos", "filename": name, "file_size": size}
    answer = client.post("/api/book/upload-asset", json=given, headers=headers)
    answer.raise_for_status()
    url: str = answer.json()["upload_url"]
    return url


def test_an_image_is_shown_and_cannot_run_anything(server: Served) -> None:
    with server.client() as client:
        answer = client.get("/books/my-book/assets/images/a_pic.png")
        assert (answer.status_code, answer.content) == (200, PNG)
        assert answer.headers["content-type"] == "image/png"
        assert answer.headers["content-disposition"].startswith("inline")
        assert answer.headers["content-security-policy"] == "sandbox; default-src 'none'"
        assert answer.headers["x-content-type-options"] == "nosniff"
        tag = answer.headers["etag"]
        assert tag == f'"{hashlib.sha256(PNG).hexdigest()}"'
        assert client.get("/books/my-book/assets/images/a_pic.png", headers={"If-None-Match": tag}).status_code == 304
        assert client.head("/books/my-book/assets/images/a_pic.png").headers["content-length"] == str(len(PNG))
        part = client.get("/books/my-book/assets/images/a_pic.png", headers={"Range": "bytes=-5"})
        assert (part.status_code, part.content) == (206, PNG[-5:])


def test_other_files_are_saved_and_not_shown(server: Served) -> None:
    with server.client() as client:
        data = base64.b64encode(b"<script>alert(1)</script>").decode()
        given = {"book_id": "my-book", "asset_type": "slides", "filename": "page.html", "binary_data": data}
        url = client.post("/api/book/upload-asset", json=given).json()["cdn_url"]
        answer = client.get(url)
        assert answer.headers["content-disposition"].startswith("attachment")


@pytest.mark.parametrize(
    "path",
    [
        "/books/my-book/assets/images/none.png",
        "/books/other-book/assets/images/a_pic.png",
        "/books/my-book/assets/images/..%2f..%2fbook.yaml",
        "/books/my-book/assets/images/%2e%2e%2f%2e%2e%2fbook.yaml",
        "/books/my-book/assets/../book.yaml",
        "/books/my-book/book.yaml",
        "/books/..%2f..%2fetc/assets/images/passwd",
        "/books/my-book/assets/scrolls/a_pic.png",
    ],
)
def test_nothing_else_is_there(server: Served, path: str) -> None:
    with server.client() as client:
        answer = client.get(path)
        assert answer.status_code in (400, 404, 422)
        assert b"title" not in answer.content
        assert answer.json()["message"]


def test_an_asset_needs_the_token_and_its_link_does_not(closed: Served) -> None:
    with closed.client() as client:
        assert client.get("/books/my-book/assets/images/a_pic.png").status_code == 401
        assert client.get("/books/my-book/assets/images/a_pic.png", headers=TOKEN).content == PNG
        file = closed.run(closed.library.books.download_asset("my-book", "images", "a pic.png"))
        assert client.get(file.url).content == PNG
        assert client.get(file.url[:-2]).status_code == 403
        assert client.get(closed.url + "/files/nothing").status_code == 403
        facts = {"name": "x", "media_type": "a/b", "size": 1, "sha256": "0" * 64}
        for purpose in set(Purpose) - {Purpose.FILE_LINK}:
            token = closed.library.engine.signer.sign(purpose, facts, 60)
            assert client.get(f"/files/{token}").status_code == 403


def test_a_link_serves_the_bytes_it_was_made_for_or_none(closed: Served) -> None:
    books = closed.library.books
    closed.run(books.upload_asset("my-book", "audio", "a.mp3", base64.b64encode(b"first").decode()))
    file = closed.run(books.download_asset("my-book", "audio", "a.mp3"))
    with closed.client() as client:
        assert client.get(file.url, headers={"Range": "bytes=1-3"}).content == b"irs"
        assert client.post(file.url).status_code == 405
        closed.run(books.upload_asset("my-book", "audio", "a.mp3", base64.b64encode(b"second").decode()))
        assert client.get(file.url).status_code == 404
        assert client.get("/books/my-book/assets/audio/a.mp3", headers=TOKEN).content == b"second"


def test_someone_without_a_role_gets_nothing(closed: Served) -> None:
    now = closed.library.engine.parts.clock.now()
    closed.run(
        closed.library.engine.system.write(lambda tx: add_person(tx, "guest", "A guest", hash_of(b"guest token"), now))
    )
    guest = {"Authorization": "Bearer guest token"}
    with closed.client(headers=guest) as client:
        assert client.get("/books/my-book/assets/images/a_pic.png").status_code == 404
        assert client.get("/api/book/list").json()["items"] == []
        (book,) = closed.run(closed.library.books.list())
        member = {"notebook_id": book.notebook_id, "person_id": "guest", "role": int(Role.VIEWER)}
        closed.run(closed.library.engine.system.write(lambda tx: tx.run("insert_member", **member)))
        assert client.get("/books/my-book/assets/images/a_pic.png").content == PNG
        refused = client.post("/api/book/write", json={"book_id": "my-book", "path": "a.md", "content": "x"})
        assert (refused.status_code, refused.json()["error"]) == (403, "NotAllowedError")


def test_an_upload_needs_no_token_but_its_own(closed: Served) -> None:
    data = PNG * (10 * MEBIBYTE // len(PNG) + 1)
    with closed.client() as client:
        url = promise(client, len(data), **TOKEN)
        assert client.get(url).json() == {"received": 0, "size": len(data)}
        done = client.put(url, content=data)
        assert (done.status_code, done.json()["method"]) == (201, "presigned")
        assert done.json()["file_hash"] == hashlib.sha256(data).hexdigest()
        assert client.put(url[:-3] + "abc", content=data).status_code == 403
        assert client.post(url, content=data).status_code == 405
        assert client.delete(url).status_code == 405


def test_an_upload_is_taken_up_after_it_broke_off(server: Served) -> None:
    data = PNG * (12 * MEBIBYTE // len(PNG))
    with server.client() as client:
        url = promise(client, len(data), "broken.mp4")

        def broken() -> Iterator[bytes]:
            yield data[: 3 * MEBIBYTE]
            raise ConnectionError("the cable was pulled")

        with pytest.raises(ConnectionError):
            client.put(url, content=broken())

        def send(start: int) -> httpx.Response:
            piece = data[start : start + 4 * MEBIBYTE]
            content_range = f"bytes {start}-{start + len(piece) - 1}/{len(data)}"
            return client.put(url, content=piece, headers={"Content-Range": content_range})

        at = until(lambda: int(client.head(url).headers["Upload-Offset"]))
        assert at <= 3 * MEBIBYTE
        # The server may not have noticed yet that the first sender is gone.
        answer = until(lambda: one if (one := send(at)).status_code != 409 else None)
        while answer.status_code == 202:
            answer = send(int(answer.headers["Upload-Offset"]))
        assert answer.status_code == 201
        assert answer.json()["file_hash"] == hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize(
    "content_range",
    [
        "bytes 0-1/2",
        "bytes 5-2/{size}",
        "bytes 0-{size}/{size}",
        "bytes */{size}",
        "0-1/{size}",
        "bytes 0-9/{size}",
        "x",
    ],
)
def test_a_range_that_is_none_is_refused(server: Served, content_range: str) -> None:
    size = 10 * MEBIBYTE
    with server.client() as client:
        url = promise(client, size, "range.mp4")
        answer = client.put(url, content=b"ab", headers={"Content-Range": content_range.format(size=size)})
        assert answer.status_code == 400
        assert client.get(url).json()["received"] == 0


def test_more_than_was_announced_is_refused(server: Served) -> None:
    size = 10 * MEBIBYTE
    with server.client() as client:
        url = promise(client, size, "more.mp4")
        answer = client.put(url, content=bytes(size + 1))
        assert answer.status_code == 413
        assert client.put(url, content=bytes(size)).status_code == 201


def test_one_sender_at_a_time(server: Served) -> None:
    size = 10 * MEBIBYTE
    begun, finish = threading.Event(), threading.Event()

    def slowly() -> Iterator[bytes]:
        yield bytes(MEBIBYTE)
        begun.set()
        assert finish.wait(30)
        yield bytes(size - MEBIBYTE)

    with server.client() as client:
        url = promise(client, size, "slow.mp4")
        answers: list[int] = []

        def send() -> None:
            with server.client() as other:
                answers.append(other.put(url, content=slowly()).status_code)

        thread = threading.Thread(target=send)
        thread.start()
        assert begun.wait(30)
        until(lambda: client.get(url).json()["received"])
        second = client.put(url, content=bytes(size))
        finish.set()
        thread.join(30)
        assert second.status_code == 409
        assert answers == [201]


def test_a_large_body_is_only_taken_by_an_upload(server: Served) -> None:
    with server.client() as client:
        too_much = client.post("/api/book/write", content=b"x" * (17 * MEBIBYTE))
        assert too_much.status_code == 413


def test_the_address_is_described(server: Served) -> None:
    with server.client() as client:
        paths = client.get("/api/openapi.json").json()["paths"]
    write = paths["/api/book/write"]["post"]["responses"]
    assert {"200", "400", "403", "404", "409"} <= set(write)
    assert "422" not in write


def test_everything_is_still_there_on_another_start(tmp_path: Path) -> None:
    with served(tmp_path / "home") as first:
        filled(first)
    with served(tmp_path / "home") as second, second.client() as client:
        assert client.get("/books/my-book/assets/images/a_pic.png").content == PNG
