"""`quire extras`: what can be added to Quire, and adding it."""

from __future__ import annotations

import click

from quire.entry.cli.calls import print_json, say
from quire.entry.cli.commands import Flags, Group, Teaching, global_options
from quire.entry.cli.models import add_models
from quire.entry.extras import EXTRAS
from quire.entry.installer import install


def command() -> click.Command:
    shown = Teaching(
        "list",
        help="Show what can be added, what it is for, and what is there.",
        callback=_list,
        params=global_options(),
    )
    added = Teaching(
        "add",
        help="Install extras into the environment that Quire runs in. A server that runs must be started again.",
        epilog="Example:\n  quire extras add ocr speech\n",
        short_help="Install extras.",
        callback=_add,
        params=[
            click.Argument(["names"], metavar="NAME...", nargs=-1, required=True, type=click.Choice(list(EXTRAS))),
            *global_options(),
        ],
    )
    return Group(
        "extras",
        help="Add what Quire does not need by itself: reading pictures, recordings, other stores.",
        short_help="Add what Quire does not need by itself.",
        params=global_options(),
        commands={"list": shown, "add": added},
    )


def _list() -> None:
    if click.get_current_context().ensure_object(Flags).as_json:
        print_json([{"name": name, "purpose": it.purpose, "installed": it.installed} for name, it in EXTRAS.items()])
        return
    rows = [(name, "yes" if it.installed else "no", it.purpose) for name, it in EXTRAS.items()]
    from quire.entry.terminal import console, table

    table(console(), {"extra": "whole", "installed": "whole", "for": "cut"}, rows)


def _add(names: tuple[str, ...]) -> None:
    missing = [name for name in dict.fromkeys(names) if not EXTRAS[name].installed]
    if missing:
        install(missing)
    add_models([model for name in dict.fromkeys(names) for model in EXTRAS[name].models])
    say(f"Installed: {', '.join(dict.fromkeys(names))}.")
