"""`quire library`: everything into one file, and out of it into a new home."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from quire.entry import logs
from quire.entry.bootstrap import library_backup, make_blobs, newest_schema
from quire.entry.cli.calls import print_json, say
from quire.entry.cli.commands import Flags, Group, Teaching, global_options
from quire.entry.settings import Settings, load, parse_shelves


def command() -> click.Command:
    file = click.Argument(["file"], type=click.Path(path_type=Path, dir_okay=False))
    back_up = Teaching(
        "backup",
        help="Write the whole library into one file, while it is used: rows, originals and books. Its secret, tokens "
        "and settings are left out unless --with-secrets is given. With a store in PostgreSQL, pg_dump backs up the "
        "rows, and --without-rows the rest.",
        short_help="Write the whole library into one file, while it is used.",
        callback=_back_up,
        params=[
            file,
            click.Option(["--with-secrets"], is_flag=True, help="Also the secret, the token and quire.toml."),
            click.Option(["--without-rows"], is_flag=True, help="Only files, where PostgreSQL has the rows."),
            click.Option(["--force"], is_flag=True, help="Overwrite the file if it exists."),
            *global_options(),
        ],
        epilog="Examples:\n  quire library backup library.zip\n",
    )
    restore = Teaching(
        "restore",
        help="Make a home out of a back-up: every file is compared with its hash first. The home (--home) must be new.",
        short_help="Make a home out of a back-up.",
        callback=_restore,
        params=[file, *global_options()],
        epilog="Examples:\n  quire library restore library.zip --home restored\n",
    )
    return Group(
        "library",
        help="The whole library: back it up, and restore it.",
        short_help="Back up the whole library, and restore it.",
        params=global_options(),
        commands={"backup": back_up, "restore": restore},
    )


def backed_up(settings: Settings, target: Path, *, without_rows: bool, **flags: Any) -> Any:
    """Writes a whole library into one file, while it is used."""
    backup = library_backup()
    shelf = parse_shelves(settings.shelves).get("fs")
    kept = backup.Kept(
        settings.home, settings.store, make_blobs(settings), shelf, newest_schema(), without_rows=without_rows
    )
    return backup.back_up(kept, target, **flags)


def restored(file: Path, home: Path, report: Callable[[str, int], None]) -> Any:
    """Makes a home out of a back-up."""
    return library_backup().restore(file, home, newest_schema(), report)


def _report(what: str, number: int) -> None:
    if sys.stderr.isatty() and (number % 100 == 0):
        click.echo(f"\r{what} {number:,} ", nl=False, err=True)


def _back_up(file: Path, with_secrets: bool, without_rows: bool, force: bool) -> None:
    flags = click.get_current_context().ensure_object(Flags)
    settings = load(flags.settings)
    logs.start(settings)
    done = backed_up(settings, file, without_rows=without_rows, secrets_too=with_secrets, force=force, report=_report)
    if flags.as_json:
        print_json(done.model_dump(mode="json"))
        return
    click.echo(f"{file}: {done.size:,} bytes, {done.originals:,} originals, {done.book_files:,} files of books.")
    if not done.rows:
        say("The rows are not in it: PostgreSQL's pg_dump backs them up.")
    if not done.secrets:
        say("Settings, secret and tokens are not in it; --with-secrets includes them.")


def _restore(file: Path) -> None:
    flags = click.get_current_context().ensure_object(Flags)
    settings = load(flags.settings)
    done = restored(file, settings.home, _report)
    if flags.as_json:
        print_json(done.model_dump(mode="json"))
        return
    click.echo(f"{done.files:,} files were restored to {done.home}.")
    if not done.schema_number:
        say("The rows are not in it: pg_restore brings them back, and the setting 'store' names their database.")
