"""`quire book import`: a folder becomes a book, or comes into one."""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from quire.api.library import Library
from quire.domain.books import CONTENT_LIMIT
from quire.domain.errors import InvalidInput, TooLarge
from quire.domain.files import Upload
from quire.entry import logs
from quire.entry.cli.calls import print_json
from quire.entry.cli.commands import Flags, Teaching, global_options
from quire.entry.cli.progress import Bar
from quire.entry.settings import load

OURS = ("book.yaml",)
PASSED_OVER = {".git", ".hg", ".svn", ".quire"}


def command() -> click.Command:
    return Teaching(
        "import",
        help="Bring all files of a folder into a book, which is created if there is none of that id. Links and what "
        "version control keeps (.git) are passed over.",
        short_help="Bring all files of a folder into a book.",
        callback=_act,
        params=[
            click.Argument(["folder"], type=click.Path(exists=True, file_okay=False, path_type=Path)),
            click.Option(["--book-id"], help="The book's id. Default: the folder's name."),
            click.Option(["--title"], help="The title of a new book. Default: the folder's name."),
            *global_options(),
        ],
    )


def _act(folder: Path, book_id: str | None, title: str | None) -> None:
    flags = click.get_current_context().ensure_object(Flags)
    settings = load(flags.settings)
    logs.start(settings)
    name = folder.resolve().name

    async def main() -> dict[str, Any]:
        async with flags.build(settings) as library:
            return await brought(library, folder, book_id or name.lower(), title or name)

    result = asyncio.run(main())
    if flags.as_json:
        print_json(result)
    else:
        from quire.entry.terminal import clean

        same = f", {result['unchanged']:,} were there already" if result["unchanged"] else ""
        files = "file" if result["imported"] == 1 else "files"
        click.echo(f"{result['imported']:,} {files} came into {result['book_id']}{same}.")
        for path, reason in result["refused"].items():
            click.echo(f"Left out: {' '.join(clean(path).split())}: {reason}", err=True)
    if result["refused"]:
        raise InvalidInput(f"{len(result['refused']):,} files were left out.")


async def brought(library: Library, folder: Path, book_id: str, title: str) -> dict[str, Any]:
    """Writes each file that is new or another; one that cannot be a file of a book is left out, and told."""
    if book_id not in [book.book_id for book in await library.books.list()]:
        await library.books.create(book_id, title)
    paths = await asyncio.to_thread(lambda: sorted(_files(folder)))
    known = await _known(library, book_id)
    refused: dict[str, str] = {}
    unchanged = 0
    with Bar() as bar:
        for number, path in enumerate(paths):
            await bar.report(number, len(paths), "importing")
            try:
                if path in known and await asyncio.to_thread(_digest, folder / path) == known[path]:
                    unchanged += 1
                else:
                    await _bring(library, book_id, folder, path)
            except InvalidInput as error:
                refused[path.encode("utf-8", "replace").decode()] = error.message
            except OSError as error:
                refused[path.encode("utf-8", "replace").decode()] = f"It cannot be read: {error.strerror}."
    imported = len(paths) - len(refused) - unchanged
    return {"book_id": book_id, "imported": imported, "unchanged": unchanged, "refused": refused}


async def _bring(library: Library, book_id: str, folder: Path, path: str) -> None:
    match path.split("/"):
        case ["assets", "images" | "slides" | "videos" | "audio" as asset_type, _]:
            await library.books.add_asset(book_id, asset_type, Upload.of(folder / path))
            return
    try:
        text = (await asyncio.to_thread(_lesson, folder / path)).decode()
    except UnicodeDecodeError:
        raise InvalidInput("It is not UTF-8 text, and not in assets/images, slides, videos or audio.") from None
    await library.books.write_content(book_id, path, text)


async def _known(library: Library, book_id: str) -> dict[str, str | None]:
    """The hashes of a book's files."""
    known: dict[str, str | None] = {}
    cursor: str | None = None
    while True:
        page = await library.books.plan_build(book_id, limit=10_000, cursor=cursor)
        known |= {file.path: file.file_hash for file in page}
        cursor = page.cursor
        if cursor is None:
            return known


def _digest(file: Path) -> str:
    with file.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()


def _lesson(file: Path) -> bytes:
    with file.open("rb") as source:
        data = source.read(CONTENT_LIMIT + 1)
    if len(data) > CONTENT_LIMIT:
        raise TooLarge(f"It has more than {CONTENT_LIMIT:,} bytes, and is not in assets.")
    return data


def _files(folder: Path) -> Iterator[str]:
    """Regular files by their paths; links are not followed."""
    for above, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in PASSED_OVER]
        for name in names:
            path = Path(above, name)
            if path.is_file() and not path.is_symlink():
                relative = path.relative_to(folder).as_posix()
                if relative not in OURS:
                    yield relative
