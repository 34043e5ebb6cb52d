"""Reading a file in a process of its own, which can be stopped."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import signal
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from quire.adapters.child_process import ended
from quire.adapters.readers.failures import needs, too_much_memory, too_much_text
from quire.adapters.readers.limits import MIB, Limits
from quire.domain.documents import Document
from quire.domain.errors import InvalidInput, QuireError, error_from
from quire.domain.source_kinds import Kind
from quire.ports.background import in_background

log = logging.getLogger("quire.readers")

Progress = Callable[[int, int | None], None]
KEPT_ERRORS = 4_000
MARKS_ROOM = 64 * MIB
ENDING_SECONDS = 2.0
SOURCES = Path(__file__).parents[3]
UNREADABLE = "The file could not be read; it may be damaged."
INHERITED = ("PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "TESSDATA_PREFIX")


async def read_apart(
    kind: Kind, path: Path, limits: Limits, options: Mapping[str, Any] = {}, progress: Progress | None = None
) -> Document:
    """Runs a kind's reader on a file; it is killed, with all that it started, when it exceeds its limits."""
    job = {
        "reader": kind.reader,
        "takes": kind.takes,
        "heavy": kind.heavy,
        "beside": in_background(),
        "path": str(path),
        "limits": limits._asdict(),
        "options": dict(options),
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", "quire.adapters.readers.child",
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        cwd="/", env=environment(), start_new_session=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdin is not None
    errors = asyncio.create_task(last_of(process.stderr))
    try:
        process.stdin.write(json.dumps(job).encode() + b"\n")
        return await listen(process.stdout, kind, limits, progress)
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
        code = await last_word(process)
        log.debug("the reader of %s ended with %s: %s", kind.what, code, await errors)
        raise fate(code) from None
    finally:
        kill(process)
        await asyncio.shield(gone(process, errors))


async def listen(output: asyncio.StreamReader, kind: Kind, limits: Limits, progress: Progress | None) -> Document:
    """What the child tells, until it has given the document or the reason why there is none."""
    loop = asyncio.get_running_loop()
    latest = loop.time() + limits.long_seconds
    allowed = limits.heavy_seconds if kind.heavy else limits.seconds
    until = min(loop.time() + allowed, latest)
    try:
        while True:
            async with asyncio.timeout_at(until):
                header = json.loads(await output.readuntil(b"\n"))
                if "document" in header:
                    content = await received(output, int(header["document"]), limits)
                    return await asyncio.to_thread(checked, content, limits)
            if "done" in header:
                if progress is not None:
                    progress(header["done"], header["total"])
                if header["more_time"]:
                    allowed = limits.heavy_seconds
                    until = min(loop.time() + allowed, latest)
            elif "missing" in header:
                raise needs(kind.extra or "documents", kind.what)
            elif "memory" in header:
                raise too_much_memory()
            else:
                raise error_from(header["error"])
    except TimeoutError:
        raise InvalidInput(f"Reading the file took longer than {allowed:g} seconds.") from None


async def received(output: asyncio.StreamReader, size: int, limits: Limits) -> bytes:
    if size > 4 * limits.text_chars + MARKS_ROOM:
        raise too_much_text(limits.text_chars)
    return await output.readexactly(size)


def checked(content: bytes, limits: Limits) -> Document:
    """The document a child gave, which is believed no more than the file that it read."""
    document = Document.model_validate_json(content)
    offsets = [mark.offset for mark in document.marks]
    if len(document.text) > limits.text_chars or "\0" in document.text:
        raise too_much_text(limits.text_chars)
    if offsets != sorted(offsets) or not all(0 <= offset <= len(document.text) for offset in offsets):
        raise InvalidInput(UNREADABLE)
    return document


def environment() -> dict[str, str]:
    """What the child may know of us: no keys, no tokens; and where to find this package."""
    known = {name: os.environ[name] for name in INHERITED if name in os.environ}
    paths = [str(SOURCES), os.environ.get("PYTHONPATH", "")]
    return known | {
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "PYTHONIOENCODING": "utf-8",
        "LANG": "C.UTF-8",
        # A thread's arena reserves 64 MB of address space, which counts against the limit.
        "MALLOC_ARENA_MAX": "2",
        "HF_HUB_OFFLINE": "1",
    }


def fate(code: int) -> QuireError:
    """Why a child ended without a word, as far as its exit tells."""
    if code == -signal.SIGXCPU:
        return InvalidInput("Reading the file took too long.")
    if code < 0:
        return InvalidInput("The file is damaged, or reading it takes more memory than one file may have.")
    return InvalidInput(UNREADABLE)


def kill(process: asyncio.subprocess.Process) -> None:
    """Ends the child and whatever it started; they are a process group of their own."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


async def last_word(process: asyncio.subprocess.Process) -> int:
    """The exit code of a child that made no sense; one that goes on nevertheless is killed."""
    waiting = asyncio.ensure_future(ended(process))
    _, unended = await asyncio.wait({waiting}, timeout=ENDING_SECONDS)
    if unended:
        kill(process)
    return await waiting


async def gone(process: asyncio.subprocess.Process, errors: asyncio.Task[str]) -> None:
    await ended(process)
    await errors


async def last_of(stream: asyncio.StreamReader) -> str:
    """Reads all of a stream and keeps its end."""
    kept = b""
    while chunk := await stream.read(65_536):
        kept = (kept + chunk)[-KEPT_ERRORS:]
    return kept.decode("utf-8", "replace")
