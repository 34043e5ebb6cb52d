"""`quire notebook transfer`: a notebook from one engine to another."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, NamedTuple

import click

from quire.api.context import Context
from quire.domain.errors import InvalidInput
from quire.domain.notebook_file.readable import slug
from quire.domain.transfers import Moved, TransferReport
from quire.entry import logs
from quire.entry.cli.calls import print_json, say
from quire.entry.cli.commands import Flags, Teaching, global_options
from quire.entry.cli.progress import Bar
from quire.entry.naming import notebook_named
from quire.entry.settings import Settings, load

ENGINES = ("local", "notebooklm")
ABOUT = """Move a notebook between this machine and Google NotebookLM: sources, notes, labels, conversations, artifacts.

The notebook stays where it was; what could not be moved is told at the end. Stopped anywhere and run again, it goes on
where it was, and nothing is made twice. NOTEBOOK is an id or a title. Another account is named notebooklm:PROFILE."""
EXAMPLES = """Examples:
  quire notebook transfer "Bees" --from notebooklm --to local --dry-run
  quire notebook transfer "Bees" --from notebooklm --to local
  quire notebook transfer "Bees" --from local --to notebooklm:work
"""
PARTLY, INTERRUPTED = 1, 130


class Side(NamedTuple):
    """An engine, and the account where it has several."""

    engine: str
    settings: Settings

    @property
    def name(self) -> str:
        return self.engine if self.engine == "local" else f"{self.engine}:{self.settings.notebooklm_profile}"


def command() -> click.Command:
    engine = "local or notebooklm[:PROFILE]"
    return Teaching(
        "transfer",
        help=ABOUT,
        short_help="Move a notebook to another engine.",
        epilog=EXAMPLES,
        callback=_act,
        params=[
            click.Argument(["notebook"]),
            click.Option(["--from", "origin"], metavar="ENGINE", required=True, help=f"Where it is: {engine}."),
            click.Option(["--to", "target"], metavar="ENGINE", required=True, help=f"Where it goes: {engine}."),
            click.Option(["--dry-run"], is_flag=True, help="Tell what would be moved and what cannot; change nothing."),
            click.Option(
                ["--pages"],
                type=click.Choice(["address", "text"]),
                default="address",
                show_default=True,
                help="Web pages are read anew from their addresses, or come with the text that they have.",
            ),
            click.Option(
                ["--files"],
                metavar="FOLDER",
                help="Where files of artifacts are saved. Default: in the home, on the way to local; else nowhere.",
            ),
            click.Option(["--again"], is_flag=True, help="Make another copy, whatever was moved before."),
            *global_options(),
        ],
    )


def _act(notebook: str, origin: str, target: str, dry_run: bool, pages: Any, files: str | None, again: bool) -> None:
    flags = click.get_current_context().ensure_object(Flags)
    sides = _side(flags, origin, "--from"), _side(flags, target, "--to")
    if sides[0].name == sides[1].name:
        raise InvalidInput("--from and --to name the same place.", hint="quire notebook copy makes a copy.")
    logs.start(sides[0].settings)
    chosen = {"pages": pages, "dry_run": dry_run, "again": again, "files": Path(files) if files else None}
    try:
        made = asyncio.run(_moved(flags, sides, notebook, chosen))
    except KeyboardInterrupt:
        say("\nStopped. Run the same command again to go on.")
        raise click.exceptions.Exit(INTERRUPTED) from None
    if flags.as_json:
        print_json(made.model_dump(mode="json"))
    else:
        show(made)
    if made.not_moved and not dry_run:
        raise click.exceptions.Exit(PARTLY)


def _side(flags: Flags, named: str, option: str) -> Side:
    engine, _, profile = named.partition(":")
    if engine not in ENGINES or (profile and engine == "local"):
        raise InvalidInput(f"{option}: '{named}' is neither local nor notebooklm[:PROFILE].")
    chosen = {"engine": engine} | ({"notebooklm_profile": profile, "notebooklm_cookies": ""} if profile else {})
    return Side(engine, load(flags.settings | chosen))


async def _moved(flags: Flags, sides: tuple[Side, Side], notebook: str, chosen: dict[str, Any]) -> TransferReport:
    from quire.entry.transfer.transfer import FOLDER, transfer

    context = Context(door="cli", local=True)
    home = sides[0].settings.home
    async with flags.build(sides[0].settings) as one, flags.build(sides[1].settings) as other:
        origin, target = one.within(context), other.within(context)
        id = await notebook_named(origin, notebook)
        assert id is not None
        if chosen["files"] is None and sides[1].engine == "local":
            chosen["files"] = home / FOLDER / "files" / slug(id)
        with Bar() as bar:
            return await transfer(
                origin,
                target,
                id,
                ledgers=home / FOLDER,
                names=(sides[0].name, sides[1].name),
                report=bar.report,
                **chosen,
            )


def show(made: TransferReport) -> None:
    """For people: how much came over, and each thing that did not, or not whole."""
    from quire.entry.terminal import clean

    def line(one: Moved) -> str:
        return f"  {one.kind} '{' '.join(clean(one.title).split())}': {clean(one.lost)}"

    counts: dict[str, int] = {}
    for one in made.moved:
        counts[one.kind] = counts.get(one.kind, 0) + 1
    told = ", ".join(
        f"{count} {kind}{'s' if count > 1 and kind != 'chat settings' else ''}" for kind, count in counts.items()
    )
    title = " ".join(clean(made.title).split())
    if made.dry_run:
        click.echo(f"'{title}' would be moved from {made.origin} to {made.target}: {told}.")
    else:
        click.echo(f"'{title}' is now at {made.target} as {made.new_id}: {told}.")
    for heading, things in (("Not all of it:", made.lossy), ("Not moved:", made.not_moved)):
        if things:
            click.echo(heading)
            click.echo("\n".join(map(line, things)))
    if made.files and not made.dry_run:
        click.echo(f"Files of artifacts: {made.files}")
    if made.dry_run:
        say("Nothing was changed.")
