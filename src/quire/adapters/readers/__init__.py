"""Readers: from a file to its text, with positions.

`sniff` tells the kind of a file, `read` gives its text. Every reader is a plain function from a path to a draft,
and runs in a process of its own: files come from anywhere, and some are made to harm.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from quire.adapters.readers.failures import too_large
from quire.adapters.readers.limits import LIMITS, MIB, Limits
from quire.adapters.readers.sniffing import HEAD, sniff
from quire.domain.errors import InvalidInput, NotFound, Unsupported
from quire.domain.source_kinds import KINDS, Kind

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from quire.adapters.readers.draft import Draft
    from quire.adapters.readers.process import Progress
    from quire.domain.documents import Document

__all__ = ["HEAD", "KINDS", "LIMITS", "Kind", "Limits", "read", "sniff"]

# Text is read by a few lines of our own, which neither hang nor grow.
HARMLESS = ("text", "markdown")
SMALL = 5 * MIB


async def read(
    path: Path,
    kind: str,
    limits: Limits = LIMITS,
    *,
    whole: bool = False,
    progress: Progress | None = None,
    cache: Path | None = None,
    model: Path | None = None,
    place: AbstractAsyncContextManager[None] | None = None,
) -> Document:
    """The text of a file of a kind that `sniff` named, or an error that says why there is none.

    Of a web page that is an article, that is read, or with `whole` all of it. `progress(done, total)` is called with
    pages or seconds. `cache` is a folder for what speech recognition unpacks, `model` another model for it.
    `place` is entered before a process is begun.
    """
    # A child imports this package too, and has no use for an event loop.
    import asyncio

    known = KINDS.get(kind)
    if known is None or not known.media_types:
        raise Unsupported(f"There is no reader for the kind '{kind}'.")
    if not known.reader:
        raise InvalidInput(known.refusal)
    try:
        size = (await asyncio.to_thread(path.stat)).st_size
    except OSError:
        raise NotFound("file", path.name) from None
    most = limits.largest(known)
    if most is not None and size > most:
        raise too_large(known.what, most)
    if kind in HARMLESS and size < SMALL:
        return await asyncio.to_thread(lambda: reader_of(known)(path, limits).document())
    from quire.adapters.readers.process import read_apart

    options = {"whole": whole, "cache": str(cache) if cache else None, "model": str(model) if model else None}
    async with place or nullcontext():
        return await read_apart(known, path, limits, options, progress)


def reader_of(kind: Kind) -> Callable[..., Draft]:
    """The function that reads a kind, in this process."""
    module, _, function = kind.reader.partition(":")
    reader: Callable[..., Draft] = getattr(importlib.import_module(module, __package__), function)
    return reader
