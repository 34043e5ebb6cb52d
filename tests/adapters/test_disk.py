"""What the file system refuses, in our own errors."""

from __future__ import annotations

import errno
import os

import pytest

from quire.adapters.disk import FOREIGN, on_disk
from quire.domain.errors import QuireError

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
