"""`quire wire`: what recorded NotebookLM traffic means, and where it has drifted."""

from __future__ import annotations

import json
from pathlib import Path

import click

from quire.domain.errors import WireDrift
from quire.entry.cli.calls import print_json
from quire.entry.cli.commands import Flags, Group, Teaching, global_options


def command() -> click.Command:
    decode = Teaching(
        "decode",
        help="Show what a recorded response means. RPC_ID is a method's id or name; FILE holds the response.",
        short_help="Show what a recorded response means.",
        callback=_decode,
        params=[
            click.Argument(["rpc_id"]),
            click.Argument(["file"], type=click.Path(exists=True, dir_okay=False, path_type=Path)),
            *global_options(),
        ],
    )
    replay = Teaching(
        "replay",
        help="Read every recording (*.json) of a folder and tell which interactions are understood.",
        short_help="Find out whether recorded traffic is still understood.",
        callback=_replay,
        params=[
            click.Argument(["folder"], metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path)),
            *global_options(),
        ],
    )
    return Group(
        "wire",
        help="Look into NotebookLM's protocol: decode recorded answers, find drift.",
        params=global_options(),
        commands={"decode": decode, "replay": replay},
    )


def _decode(rpc_id: str, file: Path) -> None:
    flags = click.get_current_context().ensure_object(Flags)
    from quire.entry.terminal import clean
    from quire.notebooklm import replay

    outcome = replay.decode(rpc_id, file.read_text(encoding="utf-8"))
    if flags.as_json:
        shown = {"rpc_id": outcome.rpc_id, "status": outcome.status, "meaning": outcome.meaning}
        print_json(shown | {"unread": outcome.unread})
        return
    if outcome.status:
        click.echo(f"status: {outcome.status}")
    click.echo(clean(json.dumps(outcome.meaning, ensure_ascii=False, indent=2)))
    for place in outcome.unread:
        click.echo(f"unread {place}")


def _replay(folder: Path) -> None:
    flags = click.get_current_context().ensure_object(Flags)
    from quire.notebooklm import replay

    outcomes = list(replay.replay(folder))
    failed = [outcome for outcome in outcomes if not outcome.ok]
    if flags.as_json:
        print_json([outcome.row() for outcome in outcomes])
    else:
        for outcome in outcomes:
            said = outcome.error or outcome.status or "ok"
            more = f" ({len(outcome.unread)} unread)" if outcome.unread else ""
            click.echo(f"{outcome.file}:{outcome.index} {outcome.rpc_id} {said}{more}")
            for place in outcome.unread:
                click.echo(f"    unread {place}")
    if failed:
        raise WireDrift(f"{len(failed):,} of {len(outcomes):,} interactions were not understood.", path="$")
