"""Runs a capability to its end and prints what came of it."""

from __future__ import annotations

import asyncio
import json
import os
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import aclosing, contextmanager
from typing import Any

import click

from quire.api.capability import Capability
from quire.api.context import Context, unheard
from quire.api.library import Library
from quire.domain.artifacts import Artifact
from quire.domain.errors import Conflict, QuireError, Upstream
from quire.domain.files import Download, Upload
from quire.domain.jobs import Job
from quire.domain.research import ResearchRun
from quire.domain.scratch import Execution, ScratchRun
from quire.entry import logs
from quire.entry.cli.progress import Bar
from quire.entry.cli.saving import Target
from quire.entry.cli.wording import in_commands
from quire.entry.naming import by_id
from quire.entry.settings import Settings

# What was shown above is what it was before.
DONE = {"delete": "Deleted.", "forget": "Forgotten."}


def run(
    capability: Capability,
    given: Mapping[str, Any],
    settings: Settings,
    opening: Library,
    *,
    as_json: bool,
    target: Target | None,
    asks: Callable[[], None] | None = None,
) -> None:
    """The synchronous wrapper; Ctrl-C cancels the call, and with it the job it waits for.

    `asks` whether it is meant, once it is known that what was named is there.
    """
    logs.start(settings)

    async def main() -> bool:
        async with opening as library:
            bound = library.within(Context(door="cli", local=True))
            arguments = await by_id(bound, capability, given)
            if asks:
                asks()
            declared = capability.declared
            if declared.shape == "stream" or (declared.part and not as_json):
                return await _stream(capability, library, arguments, as_json)
            await _value(capability, library, arguments, as_json, target)
            return True

    if not asyncio.run(main()):
        raise click.exceptions.Exit(1)


async def _value(
    capability: Capability, library: Library, arguments: Mapping[str, Any], as_json: bool, target: Target | None
) -> None:
    with Bar() as bar:
        report = unheard if capability.declared.part else bar.report
        context = Context(door="cli", local=True, report=report)
        counted = {
            name: bar.counted(value) if isinstance(value, Upload) else value for name, value in arguments.items()
        }
        result = await capability.call(library.within(context), counted)
    file = result.file if isinstance(result, Job) else result
    saved = None
    if target and isinstance(file, Download):
        try:
            saved = await target.save(file)
        except Conflict as error:
            if isinstance(result, Job):
                error.hint = f"The file is kept: quire job file {result.id} -o OTHER (or --force)."
            raise
        if target.is_stdout:
            return
    if as_json:
        print_json(capability.dump(result))
    else:
        from quire.entry import render
        from quire.entry.artifact_views import next_step

        of_what = capability.verb.removeprefix("list-").removesuffix("s")
        render.show(result, noun=capability.noun if of_what == capability.verb else of_what, saved=saved)
        if isinstance(result, Artifact) and capability.facts.effect != "destroy":
            click.echo(next_step(result))
        if capability.facts.effect == "destroy":
            say(DONE.get(capability.verb.partition("-")[0], "Done."))
        if isinstance(result, Job) and not result.ended:
            say(f"A running 'quire serve' works on it; so does: quire job wait {result.id}")
        if isinstance(result, ResearchRun) and result.state == "in_progress" and capability.verb == "start":
            say(f"A running 'quire serve' works on it; so does: quire research wait {result.id}")
    if isinstance(result, ResearchRun) and result.state == "failed" and capability.verb in ("start", "wait"):
        raise Upstream(result.reason)


async def _stream(capability: Capability, library: Library, arguments: Mapping[str, Any], as_json: bool) -> bool:
    """Prints events as they come. False where the last one says that what was to be run has failed."""
    event = None
    events = capability.events(library.within(Context(door="cli", local=True)), arguments)
    with _until_the_reader_leaves():
        async with aclosing(events):
            async for event in events:
                if as_json:
                    print_json(event.model_dump(mode="json"))
                else:
                    from quire.entry import render

                    render.show_event(event)
    return not isinstance(event, Execution | ScratchRun) or event.status == "ok"


def print_json(data: Any, *, err: bool = False) -> None:
    """Compact, UTF-8 whatever the locale says, flushed."""
    click.echo(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode(), err=err)


def failed(error: QuireError, as_json: bool) -> int:
    """Says what went wrong on stderr, and gives the exit code; stdout stays as it is."""
    error.hint = error.hint and in_commands(error.hint)
    if as_json:
        print_json(error.body(), err=True)
    else:
        click.echo(f"Error: {error.message}", err=True)
        if error.hint:
            click.echo(f"Hint: {error.hint}", err=True)
    return error.exit_code


def say(message: str) -> None:
    """A message for whoever sits at the terminal."""
    if sys.stderr.isatty():
        click.echo(message, err=True)


@contextmanager
def _until_the_reader_leaves() -> Iterator[None]:
    """A stream may be silent for hours; it ends when whoever reads our pipe has gone, not at the next write."""
    task = asyncio.current_task()
    loop = asyncio.get_running_loop()
    descriptor = _pipe()
    gone = False

    def leave() -> None:
        nonlocal gone
        gone = True
        loop.remove_reader(descriptor)
        if task:
            task.cancel()

    if descriptor >= 0:
        loop.add_reader(descriptor, leave)
    try:
        yield
    except asyncio.CancelledError:
        if not gone:
            raise
        raise BrokenPipeError from None
    finally:
        if descriptor >= 0:
            loop.remove_reader(descriptor)


def _pipe() -> int:
    """The descriptor of stdout if that is a pipe."""
    try:
        descriptor = sys.stdout.fileno()
        return descriptor if stat.S_ISFIFO(os.fstat(descriptor).st_mode) else -1
    except (AttributeError, OSError, ValueError):
        return -1
