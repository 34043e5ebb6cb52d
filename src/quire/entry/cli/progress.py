"""A bar on stderr, where that is a terminal; otherwise nothing."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
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
