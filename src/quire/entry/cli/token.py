"""`quire token`: the token that `quire serve --token auto` asks for, in the address that signs a browser in."""

from __future__ import annotations

import click

from quire.entry.cli.calls import print_json
from quire.entry.cli.commands import Flags, Teaching, global_options
from quire.entry.served_address import address_in_links
from quire.entry.settings import load
from quire.entry.token_file import TokenFile


def command() -> click.Command:
    return Teaching(
        "token",
        help="Print the address that signs a browser in: what stands behind ?token= is the token, and --bare prints "
        "that alone. Made when first asked for; it is in the home, where only you can read it, and holds for servers "
        "that were started with --token auto.",
        short_help="Print the sign-in address of 'quire serve --token auto'; --bare: its token.",
        callback=_token,
        params=[
            click.Option(["--bare"], is_flag=True, help="Print the token alone, as programs send it."),
            click.Option(
                ["--rotate"],
                is_flag=True,
                help="Make another one; the old one, its sessions and the links that you made end.",
            ),
            *global_options(),
        ],
    )


def _token(bare: bool, rotate: bool) -> None:
    flags = click.get_current_context().ensure_object(Flags)
    settings = load(flags.settings)
    kept = TokenFile(settings.home)
    token = kept.rotate() if rotate else kept.current()
    address = f"{address_in_links(settings)}/?token={token}"
    if flags.as_json:
        print_json({"token": token, "url": address})
    else:
        click.echo(token if bare else address)
