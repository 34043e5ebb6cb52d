"""What the file system refuses, in our own errors."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from quire.adapters.disk import FOREIGN, on_disk
from quire.adapters.search.words import WordIndex
from quire.domain.errors import QuireError
from quire.entry.bootstrap import build
from quire.entry.settings import load

# What the system answers when a file is made, read, written, renamed or removed, by the manual of Linux;
# the rest (sockets, terminals, wrong arguments) cannot come from that, or is a bug.
OF_FILES = "ENOSPC EDQUOT EFBIG EACCES EPERM EROFS ENOTDIR EISDIR EEXIST ENOENT ELOOP ENAMETOOLONG EMFILE ENFILE EIO"


def test_the_table_holds_what_files_can_meet() -> None:
    assert {getattr(errno, name) for name in OF_FILES.split()} == set(FOREIGN)


@pytest.mark.parametrize("number", sorted(FOREIGN), ids=errno.errorcode.get)
def test_a_refusal_becomes_ours_and_names_the_file(number: int) -> None:
    ours, message = FOREIGN[number]
    with pytest.raises(ours) as caught, on_disk():
        raise OSError(number, os.strerror(number), "/some/file")
    assert caught.value.message == message.format(path="/some/file")
    assert isinstance(caught.value.__cause__, OSError)


def test_a_refusal_without_a_name_is_told_too() -> None:
    with pytest.raises(QuireError, match="The file may not be read"), on_disk():
        raise PermissionError(errno.EACCES, "no")


@pytest.mark.parametrize("error", [OSError("no number"), BrokenPipeError(errno.EPIPE, "pipe"), ValueError("other")])
def test_anything_else_stays_what_it_is(error: Exception) -> None:
    with pytest.raises(type(error)) as caught, on_disk():
        raise error
    assert caught.value is error


@pytest.mark.parametrize(
    ("names", "mode", "after"),
    [
        ([], 0o755, 0o700),
        (
            ["quire.db", "quire.db-wal", "quire.toml", "shelf", "words.db", "secret", "my.log", ".DS_Store"],
            0o755,
            0o700,
        ),
        (["secret", "blobs"], 0o750, 0o700),
        (["letters.txt"], 0o755, 0o755),
        (["blobs", "shelf"], 0o755, 0o755),
        (["quire.db", "secret", "letters.txt"], 0o755, 0o755),
        (["quire.db"], 0o1777, 0o1777),
    ],
)
def test_a_folder_that_is_ours_and_nothing_else_becomes_its_owners_alone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, names: list[str], mode: int, after: int
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    for name in names:
        (home / name).touch()
    home.chmod(mode)
    build(load({"home": home, "log_file": "my.log"}, {}))
    assert stat.S_IMODE(home.stat().st_mode) == after
    assert ("letters.txt" in caplog.text) == ("letters.txt" in names)


@pytest.mark.anyio
async def test_a_library_in_a_folder_of_others_locks_nobody_out_of_it(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "letters.txt").touch()
    home.chmod(0o755)
    for book_id in ("first-book", "second-book"):
        async with build(load({"home": home, "embedder": "none"}, {})) as library:
            await library.books.create(book_id, "Mine")
            await library.notes.export()
    assert stat.S_IMODE(home.stat().st_mode) == 0o755
    made = [path for path in home.iterdir() if path.name != "letters.txt"]
    assert {path.name for path in made} >= {"quire.db", "secret", "blobs", "shelf"}
    assert [path.name for path in made if stat.S_IMODE(path.stat().st_mode) & 0o077] == []
    build(load({"home": tmp_path / "none"}, {}))
    assert not (tmp_path / "none").exists()


def test_the_index_of_words_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "words.db"
    for _ in range(2):
        index = WordIndex(path)
        index.offer("0" * 64, b"words")
        index.settle()
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.glob("words.db*")}
        index.close()
        assert set(modes.values()) == {0o600}
        path.chmod(0o644)
