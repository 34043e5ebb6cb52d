"""Texts that are written for every door, in the words of the command line."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache

from quire.entry.bootstrap import offered

TOOL = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")
ARGUMENT = re.compile(r"`([a-z_]+)`")
# What gives a program as much as the tool does.
WITH_OPTIONS = {"get_artifact_content": "quire artifact content --json"}


def in_commands(text: str, options: Collection[str] = ()) -> str:
    """The text with commands in the place of tools, and with the options that some arguments are."""

    def command(found: re.Match[str]) -> str:
        return f"'{_commands()[found[0]]}'" if found[0] in _commands() else found[0]

    def option(found: re.Match[str]) -> str:
        return f"--{found[1].replace('_', '-')}" if found[1] in options else found[0]

    return TOOL.sub(command, ARGUMENT.sub(option, text))


@cache
def _commands() -> dict[str, str]:
    return {one.tool: f"quire {one.noun} {one.verb}" for one in offered()} | WITH_OPTIONS
