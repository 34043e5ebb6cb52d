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


def test_a_home_that_is_there_already_becomes_its_owners_alone(tmp_path: Path) -> None:
    def mode(path: Path) -> int:
        return stat.S_IMODE(path.stat().st_mode)

    home, foreign, shared = tmp_path / "home", tmp_path / "foreign", tmp_path / "shared"
    for folder in (home, foreign, shared):
        folder.mkdir()
        (folder / ("letters.txt" if folder is foreign else "quire.db")).touch()
    home.chmod(0o755)
    foreign.chmod(0o755)
    shared.chmod(0o1777)
    for folder in (home, foreign, shared, tmp_path / "none"):
        build(load({"home": folder}, {}))
    assert [mode(folder) for folder in (home, foreign, shared)] == [0o700, 0o755, 0o1777]


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
