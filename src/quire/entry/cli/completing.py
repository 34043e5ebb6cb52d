"""`quire completion`: what a shell needs to complete commands and options."""

from __future__ import annotations

import os

import click
from click.shell_completion import get_completion_class

from quire.domain.errors import InvalidInput
from quire.entry.cli.commands import Teaching, global_options

VARIABLE = "_QUIRE_COMPLETE"
SHELLS = ("bash", "zsh", "fish")
EXAMPLES = """Examples:
  eval "$(quire completion bash)"                            # in ~/.bashrc
  eval "$(quire completion zsh)"                             # in ~/.zshrc
  quire completion fish > ~/.config/fish/completions/quire.fish
"""


def command() -> click.Command:
    return Teaching(
        "completion",
        help="Print a script that lets a shell complete Quire's commands and options with the Tab key.",
        short_help="Let your shell complete commands with the Tab key.",
        epilog=EXAMPLES,
        callback=_act,
        params=[
            click.Argument(
                ["shell"],
                required=False,
                type=click.Choice(SHELLS),
                metavar="[bash|zsh|fish]",
                help="The shell; your own when left out.",
            ),
            *global_options(),
        ],
    )


def _act(shell: str | None) -> None:
    named = shell or os.path.basename(os.environ.get("SHELL", ""))
    kind = get_completion_class(named) if named in SHELLS else None
    if kind is None:
        raise InvalidInput("It is not known which shell this is for.", hint=f"Name it: {', '.join(SHELLS)}.")
    click.echo(kind(click.Command("quire"), {}, "quire", VARIABLE).source())
