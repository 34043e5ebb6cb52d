"""Prints every command of nlm; runs in its own environment. A star marks a group that does something by itself."""

import json

import typer
from notebooklm_tools.cli.main import app


def walk(command, path):
    below = getattr(command, "commands", None)
    if below is None:
        yield " ".join(path)
        return
    if path and getattr(command, "invoke_without_command", False):
        yield " ".join([*path, "*"])
    for name, child in below.items():
        yield from walk(child, [*path, name])


print(json.dumps({"commands": sorted(walk(typer.main.get_command(app), []))}))
