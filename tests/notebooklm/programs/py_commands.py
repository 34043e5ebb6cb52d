"""Prints every command of notebooklm-py's program and every public method of its API; runs in its own environment."""

import asyncio
import inspect
import json

import click
from notebooklm.notebooklm_cli import cli

from notebooklm import NotebookLMClient


def walk(command, path):
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            yield from walk(command.get_command(context, name), [*path, name])
    else:
        yield " ".join(path)


async def methods():
    found = []
    async with NotebookLMClient.from_storage() as client:
        for name in sorted(set(dir(client)) - {"auth", "backends", "raw"}):
            part = getattr(client, name)
            if name.startswith("_") or inspect.isroutine(part) or isinstance(part, str | int | bool | None):
                continue
            found += [
                f"{name}.{method}" for method in dir(part) if method[0] != "_" and callable(getattr(part, method))
            ]
    return found


print(json.dumps({"commands": sorted(walk(cli, [])), "methods": asyncio.run(methods())}))
