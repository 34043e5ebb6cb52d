"""`quire book import`: a folder becomes a book, or comes into one."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from quire.domain.errors import InvalidInput
from quire.domain.files import Upload
from quire.entry import logs
from quire.entry.bootstrap import build
from quire.entry.cli.calls import print_json
from quire.entry.cli.commands import Flags, Teaching, global_options
from quire.entry.cli.progress import Bar
from quire.entry.settings import load
from quire.services.library import Library

OURS = ("book.yaml",)


def command() -> click.Command:
    return Teaching(
        "import",
        help="Bring all files of a folder into a book, which is created if there is none of that id.",
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
        async with build(settings) as library:
            return await brought(library, folder, book_id or name.lower(), title or name)

    result = asyncio.run(main())
    if flags.as_json:
        print_json(result)
    else:
        click.echo(f"{result['imported']:,} files are in {result['book_id']}.")
        for path, reason in result["refused"].items():
            click.echo(f"Left out: {path}: {reason}", err=True)
    if result["refused"]:
        raise InvalidInput(f"{len(result['refused']):,} files were left out.")


async def brought(library: Library, folder: Path, book_id: str, title: str) -> dict[str, Any]:
    """Writes each file; one that cannot be a file of a book is left out, and told."""
    if book_id not in [book.book_id for book in await library.books.list()]:
        await library.books.create(book_id, title)
    paths = await asyncio.to_thread(lambda: sorted(_files(folder)))
    refused: dict[str, str] = {}
    with Bar() as bar:
        for number, path in enumerate(paths):
            await bar.report(number, len(paths), "importing")
            try:
                await _bring(library, book_id, folder, path)
            except InvalidInput as error:
                refused[path] = error.message
    return {"book_id": book_id, "imported": len(paths) - len(refused), "refused": refused}


async def _bring(library: Library, book_id: str, folder: Path, path: str) -> None:
    file = folder / path
    match path.split("/"):
        case ["assets", "images" | "slides" | "videos" | "audio" as asset_type, _]:
            await library.books.add_asset(book_id, asset_type, Upload.of(file))
            return
    try:
        text = (await asyncio.to_thread(file.read_bytes)).decode()
    except UnicodeDecodeError:
        raise InvalidInput("It is not UTF-8 text, and not in assets/images, slides, videos or audio.") from None
    await library.books.write_content(book_id, path, text)


def _files(folder: Path) -> Iterator[str]:
    """Regular files by their paths; links are not followed."""
    for above, _, names in os.walk(folder):
        for name in names:
            path = Path(above, name)
            if path.is_file() and not path.is_symlink():
                relative = path.relative_to(folder).as_posix()
                if relative not in OURS:
                    yield relative
