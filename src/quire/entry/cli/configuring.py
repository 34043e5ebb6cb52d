"""`quire config`: the settings in force, and quire.toml."""

from __future__ import annotations

import sys
from typing import Any

import click

from quire.entry.cli.calls import print_json
from quire.entry.cli.commands import Flags, Group, Teaching, global_options
from quire.entry.cli.parameters import STDIN, read_text
from quire.entry.settings import PREFIX, SECRET, Settings, home_of, load
from quire.entry.settings_file import refuse_unknown_setting, set_in_file

EXAMPLES = """Examples:
  quire config set model_url http://127.0.0.1:11434/v1
  quire config set model llama3.2
  quire config set model_key -
"""


def command() -> click.Command:
    name = click.Argument(["name"], metavar="NAME", help="A setting, as 'quire config show' lists them.")
    commands = [
        Teaching(
            "show",
            help="Show all settings and where each comes from, or what one is for. Keys and tokens are not shown.",
            short_help="Show the settings, and where each comes from.",
            callback=_show,
            params=[
                click.Argument(["name"], required=False, metavar="[NAME]", help="Only this one, and what it is for."),
                *global_options(),
            ],
        ),
        Teaching(
            "set",
            help="Write a setting into quire.toml in the home; what else stands there stays as it is. A flag or a "
            "variable of the environment wins over the file.",
            short_help="Write a setting into quire.toml.",
            epilog=EXAMPLES,
            callback=_set,
            params=[
                name,
                click.Argument(
                    ["value"], metavar="VALUE", help="Its value; - asks for it, or reads it from standard input."
                ),
                *global_options(),
            ],
        ),
        Teaching(
            "unset",
            help="Take a setting out of quire.toml, so that its default holds again.",
            callback=_unset,
            params=[name, *global_options()],
        ),
    ]
    return Group(
        "config",
        help="Look at the settings, and change them in quire.toml.",
        params=global_options(),
        commands={str(one.name): one for one in commands},
    )


def _show(name: str | None) -> None:
    flags = click.get_current_context().ensure_object(Flags)
    if name is not None:
        refuse_unknown_setting(name)
    settings = load(flags.settings)
    if name is not None:
        _print_one(settings, name, as_json=flags.as_json)
        return
    shown, origins = settings.shown(), settings.origins
    if flags.as_json:
        print_json([{"name": one, "value": shown[one], "origin": origins[one]} for one in shown])
        return
    from quire.entry.terminal import console, table

    rows = [(one, shown[one], origins[one]) for one in shown]
    table(console(), {"Setting": "whole", "Value": "wrap", "From": "whole"}, rows)


def _print_one(settings: Settings, name: str, *, as_json: bool) -> None:
    value, origin = settings.shown()[name], settings.origins[name]
    if as_json:
        print_json({"name": name, "value": value, "origin": origin})
        return
    from quire.entry.terminal import console, facts

    about: dict[str, Any] = {"Setting": name, "Value": value, "From": origin, "Variable": PREFIX + name.upper()}
    facts(console(), about | {"For": Settings.model_fields[name].description})


def _set(name: str, value: str) -> None:
    if value == STDIN:
        typed = sys.stdin.isatty()
        value = click.prompt(name, hide_input=name in SECRET, err=True) if typed else read_text().strip()
    _write(name, value)


def _unset(name: str) -> None:
    _write(name, None)


def _write(name: str, value: str | None) -> None:
    flags = click.get_current_context().ensure_object(Flags)
    path = set_in_file(home_of(flags.settings), name, value)
    settings = load(flags.settings)
    if flags.as_json:
        _print_one(settings, name, as_json=True)
    else:
        click.echo(f"{'Took out' if value is None else 'Set'} {name} in {path}.")
    if value is not None and settings.origins[name] not in ("quire.toml", "default"):
        click.echo(f"But {settings.origins[name]} wins over it: it is {settings.shown()[name]} here.", err=True)
