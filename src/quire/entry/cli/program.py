"""The program: its top-level commands, and how it ends."""

from __future__ import annotations

import asyncio
import io
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import click
from click.formatting import wrap_text

from quire import __version__
from quire.api.capability import Capability
from quire.api.context import new_request_id
from quire.api.guard import masked
from quire.domain.errors import InvalidInput, QuireError, Unsupported
from quire.entry import logs
from quire.entry.bootstrap import build, offered
from quire.entry.cli import (
    adding,
    asking,
    backing_up,
    completing,
    configuring,
    exporting,
    extras,
    importing,
    making,
    models,
    proxy,
    researching,
    signing_in,
    talking,
    token,
    transferring,
    wire,
)
from quire.entry.cli.calls import failed, print_json, say
from quire.entry.cli.commands import Build, Flags, GlobalOption, Group, NounCommands, Teaching, global_options
from quire.entry.settings import SECRET, Settings, load
from quire.entry.token_file import AUTO

ABOUT = """An open notebook for people and their agents.

Add --help to any command for its arguments and an example."""
INTERRUPTED = 130
# What people do most comes first in the help.
FIRST = ("ask", "chat", "notebook", "source", "note", "book")
BY_HAND: dict[str, Callable[[], click.Command]] = {
    "artifact": making.command,
    "book": importing.command,
    "chat": talking.command,
    "notebook": transferring.command,
    "research": researching.command,
    "source": adding.command,
}

KINDS: dict[str, type[NounCommands]] = {"chat": talking.ChatCommands, "notebook": exporting.NotebookCommands}


def main(argv: list[str], *, capabilities: Sequence[Capability] | None = None, build: Build = build) -> int:
    """Runs one command line; returns its exit code. `build` makes the library whose capabilities these are."""
    flags = Flags(build=build)
    instruction = os.environ.get(completing.VARIABLE)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        logs.start(Settings.model_validate({}))
        program = Program(offered() if capabilities is None else capabilities)
        if instruction:
            from click.shell_completion import shell_complete

            return shell_complete(program, {"obj": flags}, "quire", completing.VARIABLE, instruction)
        with program.make_context("quire", list(argv), obj=flags) as context:
            program.invoke(context)
        sys.stdout.flush()
        return 0
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return error.exit_code
    except click.UsageError as error:
        return failed(misused(error), flags.as_json or "--json" in argv)
    except click.Abort:
        say("Nothing was done.")
        return 1
    except QuireError as error:
        return failed(error, flags.as_json or "--json" in argv)
    except BrokenPipeError:
        # What reads our output has left. Nothing may be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return failed(Unsupported(f"The machine refused: {error.strerror or error}."), flags.as_json)
    except KeyboardInterrupt:
        say("\nInterrupted.")
        return INTERRUPTED
    except Exception as error:
        return failed(masked(error, new_request_id()), flags.as_json)


def misused(error: click.UsageError) -> InvalidInput:
    """Click's complaint as an error of ours."""
    hint = f"See '{error.ctx.command_path} --help'." if error.ctx else None
    if isinstance(error, click.NoSuchOption) and not error.possibilities:
        hint = f"{hint or ''} A value that begins with a dash goes after a bare --.".strip()
    return InvalidInput(error.format_message(), hint=hint)


class Program(Group):
    """`quire`: the nouns, and the few commands that are made by hand."""

    def __init__(self, capabilities: Iterable[Capability]) -> None:
        version = GlobalOption(
            ["--version"], is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Print the version."
        )
        super().__init__(
            "quire",
            help=ABOUT,
            epilog=wrap_text(exit_codes()) + "\n",
            params=[*global_options(), version],
            commands=by_hand(),
        )
        self.nouns: dict[str, list[Capability]] = {}
        for capability in capabilities:
            self.nouns.setdefault(capability.noun, []).append(capability)

    def list_commands(self, ctx: click.Context) -> list[str]:
        every = [*self.nouns, *self.commands]
        return [*(name for name in FIRST if name in every), *(name for name in every if name not in FIRST)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in self.nouns:
            by_hand = [BY_HAND[cmd_name]()] if cmd_name in BY_HAND else []
            return KINDS.get(cmd_name, NounCommands)(cmd_name, self.nouns[cmd_name], by_hand)
        return self.commands.get(cmd_name)

    def elsewhere(self) -> dict[str, str]:
        """Where to find a verb or a tool that was given as a command."""
        places: dict[str, str] = {}
        for noun, capabilities in self.nouns.items():
            for capability in capabilities:
                place = f"quire {noun} {capability.verb}"
                places[capability.tool] = place
                places.setdefault(capability.verb, place)
        return places


def exit_codes() -> str:
    """What each exit code means, from the errors themselves."""
    kinds = [QuireError]
    for kind in kinds:
        kinds.extend(kind.__subclasses__())
    meanings: dict[int, list[str]] = {}
    for kind in kinds:
        if "exit_code" in vars(kind):
            meanings.setdefault(kind.exit_code, []).append(kind.code.replace("_", " "))
    told = [f"{code} {' or '.join(names)}" for code, names in sorted(meanings.items())]
    text = f"0 done, {', '.join(told)}, {INTERRUPTED} interrupted (docs/errors.md)."
    return f"Exit codes: {text}"


def by_hand() -> dict[str, click.Command]:
    """The commands that are not capabilities."""
    fields = [name for name in Settings.model_fields if name not in ("home", "store", "engine", *SECRET)]
    serving = [
        click.Option([f"--{name.replace('_', '-')}"], help=Settings.model_fields[name].description) for name in fields
    ]
    about = "'auto' makes a token and asks everyone for it; your own is set by QUIRE_TOKEN or in quire.toml."
    serving.append(click.Option(["--token"], type=click.Choice([AUTO]), help=about))
    return {
        "serve": _command("serve", "Serve the page, the HTTP API and MCP on this machine.", _serve, serving),
        "mcp": click.Command(
            "mcp",
            help="Serve one MCP client over stdin and stdout. 'quire mcp --help' tells more.",
            params=[click.Argument(["rest"], nargs=-1, type=click.UNPROCESSED)],
            callback=_mcp,
            add_help_option=False,
            context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
        ),
        "ask": asking.command(),
        "proxy": proxy.command(),
        "token": token.command(),
        "login": signing_in.login_command(),
        "auth": signing_in.auth_command(),
        "wire": wire.command(),
        "extras": extras.command(),
        "models": models.command(),
        "config": configuring.command(),
        "library": backing_up.command(),
        "completion": completing.command(),
        "doctor": _command("doctor", "Show versions and settings, and check that everything works.", _doctor, []),
    }


def _command(name: str, help: str, act: Callable[..., None], options: list[click.Option]) -> click.Command:
    return Teaching(name, help=help, callback=act, params=[*options, *global_options()])


def _serve(**given: Any) -> None:
    flags = click.get_current_context().ensure_object(Flags)
    settings = load(given | flags.settings)
    logs.start(settings)
    from quire.entry.http import serve

    serve(settings)


def _mcp(rest: tuple[str, ...]) -> None:
    context = click.get_current_context()
    given = context.ensure_object(Flags).settings
    from quire.entry.mcp import main as mcp_main

    flags = [part for name, value in given.items() for part in (f"--{name.replace('_', '-')}", str(value))]
    context.exit(mcp_main([*flags, *rest]))


def _doctor() -> None:
    context = click.get_current_context()
    flags = context.ensure_object(Flags)
    from quire.entry import doctor

    diagnosis = asyncio.run(doctor.examine(flags.settings))
    if flags.as_json:
        print_json(diagnosis.model_dump(mode="json"))
    else:
        doctor.show(diagnosis)
    context.exit(0 if diagnosis.ok else 1)


def _version(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        click.echo(f"quire {__version__}")
        context.exit()
