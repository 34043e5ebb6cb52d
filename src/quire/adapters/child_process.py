"""Waiting for a process of ours to end, whatever it still had to say."""

from __future__ import annotations

import asyncio
from contextlib import suppress

STRAYS_SECONDS = 2.0


async def ended(process: asyncio.subprocess.Process) -> int:
    """The exit code of a process that was killed or is about to end.

    `Process.wait` of Python 3.11 waits for the pipes as well, and one whose reader has stopped reading is paused
    and never closes. So what is left in them is read and dropped; where a descendant that got away holds one open,
    they are closed.
    """
    if process.stdin is not None:
        process.stdin.close()
    pipes = [asyncio.ensure_future(_drop(pipe)) for pipe in (process.stdout, process.stderr) if pipe is not None]
    exited = asyncio.ensure_future(process.wait())
    try:
        while not exited.done():
            await asyncio.wait({exited}, timeout=STRAYS_SECONDS)
            if process.returncode is not None and not exited.done():
                process._transport.close()  # type: ignore[attr-defined]
        return exited.result()
    finally:
        for task in (exited, *pipes):
            task.cancel()
        await asyncio.gather(*pipes, return_exceptions=True)


async def _drop(pipe: asyncio.StreamReader) -> None:
    # Someone else may be reading it, and then it is not paused.
    with suppress(RuntimeError):
        while await pipe.read(65_536):
            pass
