"""`quire source add`: files, folders, patterns, web pages, a text or standard input become sources, several at once."""

from __future__ import annotations

import asyncio
import glob
import os
import re
import shlex
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from quire.api.context import Context
from quire.api.library import Library
from quire.api.sources import Sources
from quire.domain.errors import InvalidInput, QuireError
from quire.domain.files import Upload
from quire.domain.sources import Source
from quire.entry import logs
from quire.entry.cli.calls import print_json, run
from quire.entry.cli.commands import Flags, Teaching, global_options
from quire.entry.cli.parameters import STDIN, json_object, read_text, spooled
from quire.entry.cli.progress import Bars
from quire.entry.naming import notebook_named, notebooks_of
from quire.entry.settings import load

AT_ONCE = 3
URL = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
PATTERN = re.compile(r"[*?\[]")
LONG_SECONDS = 3_600.0
EXAMPLES = """Examples:
  quire source add paper.pdf
  quire source add papers/ 'notes/**/*.md' https://example.org --notebook Bees
  quire source add - --title 'A list of bees' < text.md
"""

Add = Callable[[Library, str | None, Callable[[Upload], Upload]], Awaitable[Source]]


@dataclass(frozen=True)
class Thing:
    """What is to be added: its name on the command line, and how."""

    name: str
    add: Add


def command() -> click.Command:
    summary = (Sources.add.__doc__ or "").strip()
    return Teaching(
        "add",
        help=f"{summary} Or files: each WHAT is a file, a folder with all that is in it, a pattern such as "
        "'papers/*.pdf', an http or https address, or - for standard input. One that fails does not stop the others.",
        short_help="Add files, folders, web pages or texts to a notebook.",
        epilog=EXAMPLES,
        callback=_act,
        params=[
            click.Argument(["given"], nargs=-1, metavar="[WHAT]...", help="Files, folders, patterns, addresses or -."),
            click.Option(
                ["notebook", "--notebook", "--notebook-id"], help="A notebook's id or title; the inbox when left out."
            ),
            click.Option(["--text"], help="A text to add; - reads it from standard input."),
            click.Option(["--title"], help="Its title, where only one thing is added."),
            click.Option(
                ["--input"],
                metavar="FILE",
                help="One web page or text as a JSON object of source_type, url, text and title; - is standard input.",
            ),
            click.Option(["--whole"], is_flag=True, help="Read all of web pages, not only their articles."),
            click.Option(["--wait/--no-wait"], default=True, help="Wait until all has been read. Default: true."),
            *global_options(),
        ],
    )


def _act(
    given: tuple[str, ...],
    notebook: str | None,
    text: str | None,
    title: str | None,
    input: str | None,
    whole: bool,
    wait: bool,
) -> None:
    context = click.get_current_context()
    flags = context.ensure_object(Flags)
    if input is not None:
        if given or text is not None:
            raise click.UsageError("--input is for one thing, and there are several.", context)
        named: dict[str, Any] = {
            name: value for name, value in (("notebook_id", notebook), ("title", title)) if value is not None
        }
        if whole:
            named["whole"] = True
        settings = load(flags.settings)
        library = flags.build(settings)
        (capability,) = (one for one in library.capabilities if one.tool == "add_source")
        run(capability, json_object(input) | named, settings, library, as_json=flags.as_json, target=None)
        return
    if not given and text is None:
        raise click.UsageError("Say what to add: files, folders, addresses, - or --text.", context)
    if list(given).count(STDIN) + (text == STDIN) > 1:
        raise click.UsageError("Only one thing can be read from standard input.", context)
    things = [
        thing for name in given for thing in _found(name, {"title": title, "wait": wait, "whole": whole}, context)
    ]
    if text is not None:
        things.append(_text(read_text() if text == STDIN else text, title))
    if title is not None and len(things) > 1:
        raise click.UsageError("--title is for one thing, and there are several.", context)
    settings = load(flags.settings)
    logs.start(settings)

    async def main() -> list[Source | QuireError]:
        async with flags.build(settings) as library:
            bound = library.within(Context(door="cli", local=True))
            id = await notebook_named(bound, notebook)
            if notebook is None:
                await _refuse_notebooks(bound, given)
            return await _added(library, id, list(_once(things)), flags.as_json)

    outcomes = asyncio.run(main())
    failures = [one for one in outcomes if isinstance(one, QuireError)]
    if len(outcomes) == 1 and failures:
        raise failures[0]
    if failures:
        raise _several(failures, len(outcomes))


async def _refuse_notebooks(library: Library, given: tuple[str, ...]) -> None:
    """Other commands take a notebook by its place, so one may be meant by a word that is no file."""
    unknown = {name.casefold(): name for name in given if len(given) > 1 and not _is_there(name)}
    for notebook in await notebooks_of(library) if unknown else ():
        if name := unknown.get(notebook.title.casefold()):
            raise InvalidInput(
                f"'{name}' is a notebook, and there is no such file; nothing was added.",
                hint=f"To add to it: --notebook {shlex.quote(name)}",
            )


def _is_there(name: str) -> bool:
    return name == STDIN or bool(URL.match(name) or PATTERN.search(name)) or os.path.exists(name)


async def _added(
    library: Library, notebook: str | None, things: list[Thing], as_json: bool
) -> list[Source | QuireError]:
    """Adds all of them, a few at once; prints each as it ends, or all of them below each other at the end."""
    turns = asyncio.Semaphore(AT_ONCE)
    with Bars(len(things)) as bars:

        async def one(thing: Thing) -> Source | QuireError:
            async with turns:
                with bars.line(thing.name) as line:
                    bound = library.within(Context(door="cli", local=True, report=line.report))
                    try:
                        outcome: Source | QuireError = await thing.add(bound, notebook, line.counted)
                    except QuireError as error:
                        outcome = error
                    if isinstance(outcome, Source) and outcome.state == "failed":
                        told = InvalidInput(f"It was added, but could not be read: {outcome.error}", id=outcome.id)
                        outcome = told
                    if as_json and isinstance(outcome, Source):
                        print_json({"given": thing.name} | outcome.model_dump(mode="json"))
                    return outcome

        outcomes = await asyncio.gather(*(one(thing) for thing in things))
    _told(things, outcomes, as_json)
    return outcomes


def _told(things: list[Thing], outcomes: list[Source | QuireError], as_json: bool) -> None:
    if not as_json and (sources := [one for one in outcomes if isinstance(one, Source)]):
        from quire.entry import render

        if len(outcomes) == 1:
            render.show(sources[0], noun="source")
        else:
            render.show_many(sources)
    if len(things) == 1:
        return
    for thing, outcome in zip(things, outcomes, strict=True):
        if isinstance(outcome, QuireError):
            if as_json:
                print_json({"given": thing.name} | outcome.body(), err=True)
            else:
                click.echo(f"Failed: {thing.name}: {outcome.message}", err=True)


def _several(failures: list[QuireError], all: int) -> QuireError:
    """One error for several: of their kind where they are of one kind, else a plain one."""
    kinds = Counter(type(failure) for failure in failures)
    message = f"{len(failures)} of {all} failed."
    error = QuireError(message)
    if len(kinds) == 1:
        error = type(failures[0]).__new__(type(failures[0]))
        QuireError.__init__(error, message)
    return error


def _found(name: str, how: Mapping[str, Any], context: click.Context) -> Iterator[Thing]:
    """The things that a word of the command line stands for; one that stands for nothing fails when its turn comes."""
    if name == STDIN:
        yield _file(name, spooled("stdin", context), how)
    elif URL.match(name):
        yield _page(name, how)
    elif os.path.isdir(name):
        files = list(_inside(Path(name)))
        yield from (_file(str(path), None, how) for path in files)
        if not files:
            yield _missing(name, "There are no files in it.")
    elif not os.path.exists(name) and PATTERN.search(name):
        paths = sorted(path for path in glob.glob(name, recursive=True) if os.path.isfile(path))
        yield from (_file(path, None, how) for path in paths)
        if not paths:
            yield _missing(name, "No file is called like this.")
    elif os.path.isfile(name):
        yield _file(name, None, how)
    else:
        yield _missing(name, "There is no such file or folder.")


def _inside(folder: Path) -> Iterator[Path]:
    """Regular files in a folder and the folders in it; hidden ones and links are passed over."""
    for above, folders, names in os.walk(folder):
        folders[:] = sorted(one for one in folders if not one.startswith("."))
        for name in sorted(names):
            path = Path(above, name)
            if not name.startswith(".") and path.is_file() and not path.is_symlink():
                yield path


def _once(things: list[Thing]) -> Iterator[Thing]:
    """A file that is named twice is added once."""
    seen = set()
    for thing in things:
        known = os.path.realpath(thing.name) if os.path.exists(thing.name) else thing.name
        if known not in seen:
            seen.add(known)
            yield thing


def _file(name: str, upload: Upload | None, how: Mapping[str, Any]) -> Thing:
    async def add(library: Library, notebook: str | None, counted: Callable[[Upload], Upload]) -> Source:
        try:
            file = upload or Upload.of(Path(name))
            return await library.sources.add_file(notebook, counted(file), **how)
        except OSError as error:
            raise InvalidInput(f"'{name}' cannot be read: {error.strerror}.") from None

    return Thing(name, add)


def _page(url: str, how: Mapping[str, Any]) -> Thing:
    async def add(library: Library, notebook: str | None, counted: Any) -> Source:
        source: Source = await library.sources.add(notebook, "url", url=url, **how)
        if how["wait"] and source.state == "processing":
            source = await library.sources.wait(notebook, source.id, LONG_SECONDS)
        return source

    return Thing(url, add)


def _text(text: str, title: str | None) -> Thing:
    async def add(library: Library, notebook: str | None, counted: Any) -> Source:
        return await library.sources.add(notebook, "text", text=text, title=title)

    return Thing(title or "text", add)


def _missing(name: str, why: str) -> Thing:
    async def add(library: Library, notebook: str | None, counted: Any) -> Source:
        raise InvalidInput(f"'{name}': {why}")

    return Thing(name, add)
