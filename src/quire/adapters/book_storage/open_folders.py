"""Folders that are open: a root for as long as it is used, others for a block."""

from __future__ import annotations

import os
from types import TracebackType

from quire.adapters.book_storage.file_tree import NOT_OURS
from quire.domain.books import bad_path


class Root:
    """A root's descriptor, which is closed when nobody holds this any more.

    While it is open no other folder can get its number, so one with the same number is the same folder.
    """

    __slots__ = ("descriptor", "number")

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.number = number_of(os.fstat(descriptor))

    def __del__(self) -> None:
        os.close(self.descriptor)


def number_of(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


class Folder:
    """A folder's descriptor, closed at the end of a block."""

    __slots__ = ("_descriptor",)

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def __enter__(self) -> int:
        return self._descriptor

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        os.close(self._descriptor)


class Parent:
    """The same, with the name of a file in it."""

    __slots__ = ("_descriptor", "_name")

    def __init__(self, descriptor: int, name: str) -> None:
        self._descriptor = descriptor
        self._name = name

    def __enter__(self) -> tuple[int, str]:
        return self._descriptor, self._name

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        os.close(self._descriptor)


class inside:
    """A name that leads through a link, or through a file as if it were a folder, is not a path of the book."""

    __slots__ = ()

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if isinstance(error, OSError) and error.errno in NOT_OURS:
            raise bad_path("path", "leads through something that is not a folder or a file of the book") from None
