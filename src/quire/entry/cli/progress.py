"""Bars on stderr, where that is a terminal; otherwise nothing."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Self

from quire.domain.files import Upload

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

LARGE = 4 * 1024 * 1024


class Bar:
    """Appears with the first report, and is gone when the work has ended."""

    def __init__(self) -> None:
        self._shown = sys.stderr.isatty()
        self._message = "working"
        self._progress: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._progress:
            self._progress.stop()

    async def report(self, done: float, total: float | None, message: str) -> None:
        """Progress of a job, as `Context.report` wants it."""
        if self._shown:
            self._message = message or self._message
            self._draw(done, total, self._message)

    def counted(self, upload: Upload) -> Upload:
        """The same upload, with a bar while it is read if it is large."""
        if not self._shown or (upload.size or 0) < LARGE:
            return upload

        async def chunks() -> AsyncIterator[bytes]:
            done = 0
            async for chunk in upload.chunks():
                done += len(chunk)
                self._draw(done, upload.size, f"reading {upload.name}")
                yield chunk

        return Upload(upload.name, chunks, upload.size)

    def _draw(self, done: float, total: float | None, message: str) -> None:
        if self._progress is None:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

            self._progress = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                TaskProgressColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._progress.start()
            self._task = self._progress.add_task(message, total=total)
        assert self._task is not None
        self._progress.update(self._task, completed=done, total=total, description=message)


class Bars:
    """A bar for each thing that is being worked on, and one for all of them."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._progress: Progress | None = None
        self._all: TaskID | None = None
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

            self._progress = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                TaskProgressColumn(show_speed=True),
                console=Console(stderr=True),
                transient=True,
            )
            self._progress.start()
            if count > 1:
                self._all = self._progress.add_task("", total=count)
                self._ended(0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._progress:
            self._progress.stop()

    @contextmanager
    def line(self, name: str) -> Iterator[Line]:
        """The bar of one thing, from when its turn comes to when it has ended."""
        line = Line(self._progress, shown_name(name))
        try:
            yield line
        finally:
            line.end()
            self._ended(1)

    def _ended(self, more: int) -> None:
        if self._progress and self._all is not None:
            self._progress.advance(self._all, more)
            done = int(self._progress.tasks[0].completed)
            self._progress.update(self._all, description=f"{done} of {self._count}")


class Line:
    """The bar of one thing."""

    def __init__(self, progress: Progress | None, name: str) -> None:
        self._progress = progress
        self._name = name
        self._task = progress.add_task(name, total=None) if progress else None

    async def report(self, done: float, total: float | None, message: str) -> None:
        """Progress of a job, as `Context.report` wants it."""
        self._draw(done, total, message)

    def counted(self, upload: Upload) -> Upload:
        """The same upload, with a bar while it is read."""

        async def chunks() -> AsyncIterator[bytes]:
            done = 0
            async for chunk in upload.chunks():
                done += len(chunk)
                self._draw(done, upload.size, "copying")
                yield chunk

        return Upload(upload.name, chunks, upload.size) if self._progress else upload

    def end(self) -> None:
        if self._progress and self._task is not None:
            self._progress.remove_task(self._task)

    def _draw(self, done: float, total: float | None, message: str) -> None:
        if self._progress and self._task is not None:
            text = f"{self._name}: {message}" if message else self._name
            self._progress.update(self._task, completed=done, total=total, description=text)


def shown_name(name: str) -> str:
    """The end of a long name, without what could drive a terminal."""
    name = "".join(character if character.isprintable() else "?" for character in name)
    return name if len(name) <= 40 else f"…{name[-39:]}"
