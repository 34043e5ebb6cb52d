"""Work that is brought to its end although its caller is cancelled meanwhile: what stores and engines promise."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


async def finish_despite_cancel(work: Coroutine[Any, Any, Result]) -> tuple[Result, bool]:
    """Runs `work` to its end; tells whether the caller was cancelled meanwhile, instead of raising it.

    Where both happened, the cancellation is raised rather than the error.
    """
    task = asyncio.create_task(work)
    cancelled = False
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            cancelled = True
    if cancelled and not task.cancelled() and (error := task.exception()):
        raise asyncio.CancelledError from error
    return task.result(), cancelled


async def finish_anyway(work: Coroutine[Any, Any, Result]) -> Result:
    """Runs `work` to its end; a cancellation that came meanwhile is raised afterwards."""
    result, cancelled = await finish_despite_cancel(work)
    if cancelled:
        raise asyncio.CancelledError
    return result
