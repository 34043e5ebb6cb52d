"""`quire token`: the token that `quire serve --token auto` asks for."""

from __future__ import annotations

import click

from quire.entry.cli.calls import print_json
from quire.entry.cli.commands import Flags, Teaching, global_options
from quire.entry.settings import load
from quire.entry.token_file import TokenFile


def command() -> click.Command:
    return Teaching(
        "token",
        help="Print the address that signs a browser in, and the token in it. Made when first asked for; it is in the "
        "home, where only you can read it, and holds for servers that were started with --token auto.",
        short_help="Print the token of 'quire serve --token auto'.",
        callback=_token,
        params=[
            click.Option(["--rotate"], is_flag=True, help="Make another one; the old one and its sessions end."),
            *global_options(),
        ],
    )


def _token(rotate: bool) -> None:
    flags = click.get_current_context().ensure_object(Flags)
    settings = load(flags.settings)
    kept = TokenFile(settings.home)
    token = kept.rotate() if rotate else kept.current()
    address = f"{settings.base_url}/?token={token}"
    if flags.as_json:
        print_json({"token": token, "url": address})
    else:
        click.echo(address)
