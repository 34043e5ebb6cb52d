"""Notebooks that come and go through the command line, MCP and HTTP; and whole libraries."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from quire.api.library import Library
from quire.domain.errors import Conflict, InvalidInput, Unsupported
from quire.domain.files import Upload
from quire.entry.bootstrap import build
from quire.entry.cli import backing_up, main
from quire.entry.cli.backing_up import restored
from quire.entry.settings import Settings, load
from serving import served

BEES = "Bees make honey in the hive. The queen bee lays eggs."


@pytest.fixture
def run(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> Callable[..., Any]:
    home = tmp_path / "home"
    home.mkdir()
    (home / "quire.toml").write_text('embedder = "none"\n')

    def run(*line: str, fails: bool = False) -> Any:
        code = main(["--home", str(home), *line, "--json"])
        printed = capsysbinary.readouterr()
        assert (code != 0) == fails, printed.err
        return json.loads(printed.err if fails else printed.out)

    return run


def test_the_command_line_exports_imports_and_copies_by_name(run: Callable[..., Any], tmp_path: Path) -> None:
    notebook = run("notebook", "create", "Bees")["id"]
    other = run("notebook", "create", "Other")["id"]
    (tmp_path / "bees.txt").write_text(BEES)
    run("source", "add", str(tmp_path / "bees.txt"), "--title", "Hive", "--notebook", "Bees")
    run("note", "add", "Plan", "To read", "--notebook", "Bees")
    file = tmp_path / "bees.quire"
    run("notebook", "export", "Bees", "--output", str(file))
    assert zipfile.is_zipfile(file)
    copied = run("source", "copy", "Hive", "Other", "--notebook", "Bees")["items"]
    assert [one["source"]["notebook_id"] for one in copied] == [other]
    assert run("notebook", "copy", "Bees", "--title", "Twin")["source_count"] == 1
    assert [one["title"] for one in run("notebook", "recent")["items"]] == ["Other", "Bees"]
    run("notebook", "forget", "Other")
    assert [one["title"] for one in run("notebook", "recent")["items"]] == ["Bees"]
    run("notebook", "delete", "Bees", "--yes")
    assert run("notebook", "import", str(file))["id"] == notebook
    assert [note["title"] for note in run("note", "list", "Bees")["items"]] == ["Plan"]
    folder = tmp_path / "markdown"
    run("notebook", "export", "Bees", "--format", "markdown", "--output", str(folder))
    assert (folder / "notes/plan.md").read_text().endswith("---\n\nTo read\n")
    assert "- [Hive](sources/hive.md)" in (folder / "index.md").read_text()
    refused = run("notebook", "export", "Bees", "--format", "markdown", "--output", str(folder), fails=True)
    assert "not empty" in refused["message"]
    run("notebook", "export", "Bees", "--format", "markdown", "--output", str(folder), "--force")
    damaged = tmp_path / "damaged.quire"
    damaged.write_bytes(file.read_bytes()[:-100])
    assert "Nothing was written" in run("notebook", "import", str(damaged), fails=True)["message"]


def test_http_gives_the_file_out_and_takes_it_in(tmp_path: Path) -> None:
    with served(tmp_path, embedder="none") as server, server.client() as http:
        made = server.run(server.library.notebooks.create("Bees"))
        server.run(server.library.sources.add_text(made.id, "Hive", BEES))
        got = http.get("/api/notebook/export", params={"notebook_id": made.id})
        assert got.status_code == 200
        assert got.headers["content-disposition"].endswith("bees.quire")
        given = http.post("/api/notebook/import", files={"file": ("bees.quire", got.content)})
        assert given.status_code == 200, given.text
        assert given.json()["title"] == "Bees"
        assert given.json()["id"] != made.id
        plain = http.get("/api/notebook/export", params={"notebook_id": made.id, "format": "markdown"})
        assert plain.headers["content-type"] == "application/zip"


def quiet(what: str, number: int) -> None:
    """Progress that nobody reads."""


def backed_up(settings: Settings, target: Path, **flags: bool) -> Any:
    chosen = {"secrets_too": False, "without_rows": False, "force": False} | flags
    return backing_up.backed_up(settings, target, report=quiet, **chosen)


async def lively(library: Library, stop: asyncio.Event) -> int:
    """Writes until it is told to stop: how many notes and sources there were."""
    number = 0
    while not stop.is_set():
        number += 1
        await library.notes.create(None, f"Note {number}", "Words")
        await library.sources.add_file(None, Upload.of(f"Text {number} about bees.", f"{number}.txt"))
    return number


@pytest.mark.anyio
async def test_a_library_is_backed_up_while_it_is_written_and_restored_whole(tmp_path: Path) -> None:
    settings = load({"home": tmp_path / "home", "embedder": "none"}, {})
    async with build(settings) as library:
        await library.books.create("course", "A course")
        await library.books.write_content("course", "lessons/one.md", "# One\n\nBees.\n")
        await library.notes.create(None, "First", "Words")
        await library.sources.add_file(None, Upload.of(BEES, "bees.txt"))
        stop = asyncio.Event()
        writing = asyncio.create_task(lively(library, stop))
        try:
            done = await asyncio.to_thread(backed_up, settings, tmp_path / "library.zip")
        finally:
            stop.set()
            await writing
        assert (done.rows, done.secrets) == (True, False)
    new = await asyncio.to_thread(restored, tmp_path / "library.zip", tmp_path / "new", quiet)
    assert not (tmp_path / "new/secret").exists()
    with closing(sqlite3.connect(tmp_path / "new/quire.db")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert new.files >= 3
    async with build(load({"home": tmp_path / "new", "embedder": "none"}, {})) as library:
        assert "First" in [note.title for note in await library.notes.list(None, limit=1_000)]
        read = await library.books.read_content("course", "lessons/one.md")
        assert "Bees." in read.content
        for source in await library.sources.list(None, limit=1_000):
            if source.state == "ready":
                assert (await library.sources.get_fulltext(None, source.id)).characters
                assert (await library.sources.refresh(None, source.id)).state == "ready"


def test_secrets_are_backed_up_only_on_request(run: Callable[..., Any], tmp_path: Path) -> None:
    run("note", "add", "Plan", "To read")
    (tmp_path / "home/token").write_text("a secret token\n")
    run("library", "backup", str(tmp_path / "plain.zip"))
    run("library", "backup", str(tmp_path / "all.zip"), "--with-secrets")
    names = [set(zipfile.ZipFile(tmp_path / name).namelist()) for name in ("plain.zip", "all.zip")]
    assert not names[0] & {"secret", "token", "quire.toml"}
    assert {"token", "quire.toml"} <= names[1]
    assert "exists already" in run("library", "backup", str(tmp_path / "all.zip"), fails=True)["message"]
    assert "not empty" in run("library", "restore", str(tmp_path / "all.zip"), fails=True)["message"]


def forged(data: bytes, tmp_path: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    source = tmp_path / "source.zip"
    source.write_bytes(data)
    with zipfile.ZipFile(source) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    change(files)
    made = tmp_path / "forged.zip"
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made


def test_a_damaged_or_hostile_back_up_is_refused_and_leaves_nothing(run: Callable[..., Any], tmp_path: Path) -> None:
    run("note", "add", "Plan", "To read")
    run("library", "backup", str(tmp_path / "library.zip"))
    data = (tmp_path / "library.zip").read_bytes()
    changes: list[Callable[[dict[str, bytes]], None]] = [
        lambda files: files.update({"quire.db": files["quire.db"][:-1] + b"x"}),
        lambda files: files.update({"../evil": b"x"}),
        lambda files: files.update({"shelf/../../evil": b"x"}),
        lambda files: files.update({"extra": b"x"}),
        lambda files: files.update({"shelf/extra": b"x"}),
        lambda files: files.update({"manifest.json": b"{}"}),
        lambda files: files.__delitem__("manifest.json"),
        lambda files: files.__delitem__("quire.db"),
    ]
    for change in changes:
        with pytest.raises(InvalidInput):
            restored(forged(data, tmp_path, change), tmp_path / "new", quiet)
        assert not list(tmp_path.glob("*new*"))
        assert not (tmp_path / "evil").exists()
    (tmp_path / "cut.zip").write_bytes(data[: len(data) // 2])
    with pytest.raises(InvalidInput):
        restored(tmp_path / "cut.zip", tmp_path / "new", quiet)
    (tmp_path / "new").mkdir()
    (tmp_path / "new/mine.txt").write_text("mine")
    with pytest.raises(Conflict):
        restored(tmp_path / "library.zip", tmp_path / "new", quiet)
    assert (tmp_path / "new/mine.txt").read_text() == "mine"


def test_rows_in_postgresql_are_left_to_pg_dump(tmp_path: Path) -> None:
    settings = load({"home": tmp_path / "home", "store": "postgresql://127.0.0.1:1/none"}, {})
    with pytest.raises(Unsupported, match="pg_dump"):
        backed_up(settings, tmp_path / "library.zip")
    blob = tmp_path / "home/blobs/2d/2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
    blob.parent.mkdir(parents=True)
    blob.write_bytes(b"x")
    done = backed_up(settings, tmp_path / "library.zip", without_rows=True)
    assert (done.rows, done.originals) == (False, 1)
    assert restored(tmp_path / "library.zip", tmp_path / "new", quiet).schema_number == 0
    assert (tmp_path / "new/blobs/2d" / blob.name).read_bytes() == b"x"
