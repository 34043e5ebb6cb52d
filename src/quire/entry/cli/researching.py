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
    def act(self, **given: Any) -> None:
        context = click.get_current_context()
        if context.params.get("wait") is None:
            context.params["wait"] = True
        super().act(**given)
