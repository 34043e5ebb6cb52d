"""`quire research start`: on a terminal one stays and sees the run's steps, unless one says otherwise."""

from __future__ import annotations

from typing import Any

import click

from quire.entry.bootstrap import offered
from quire.entry.cli.commands import CapabilityCommand


def command() -> click.Command:
    (start,) = [one for one in offered() if one.tool == "start_research"]
    return StartCommand(start)


class StartCommand(CapabilityCommand):
    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        params = super().get_params(ctx)
        for parameter in params:
            if isinstance(parameter, click.Option) and parameter.name == "wait":
                parameter.help = "Stay and see its steps; 'quire research wait' goes on with one that was left."
        return params

    def act(self, **given: Any) -> None:
        context = click.get_current_context()
        if context.params.get("wait") is None:
            context.params["wait"] = True
        super().act(**given)
