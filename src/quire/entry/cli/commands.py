"""Groups and commands: what they are called, what their help says, what they ask before they run."""

from __future__ import annotations

import difflib
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import click

from quire.api.capability import Capability
from quire.api.library import Library
from quire.domain.errors import InvalidInput
from quire.domain.jobs import Job
from quire.entry.bootstrap import build
from quire.entry.cli import calls
from quire.entry.cli.examples import examples
from quire.entry.cli.parameters import Slot, gathered, is_positional, nested, required, slots_of
from quire.entry.cli.saving import Target
from quire.entry.cli.wording import in_commands
from quire.entry.settings import Settings, load

Build = Callable[[Settings], Library]

LEVELS = ("warning", "info", "debug")
# What stands left of, between and right of the two columns of a list of commands.
HELP_MARGIN = 6
# Three dots go on.
SENTENCE_END = re.compile(r"(?<!\.)\. ")


@dataclass
class Flags:
    """What the global options said, wherever on the line they stood."""

    build: Build = build
    as_json: bool = False
    settings: dict[str, Any] = field(default_factory=dict)


class GlobalOption(click.Option):
    """An option that every command has; the last one on the line wins."""


def global_options() -> list[click.Parameter]:
    def keep(context: click.Context, parameter: click.Parameter, value: Any) -> None:
        flags = context.find_object(Flags)
        if flags is None or not value:
            return
        if parameter.name == "json":
            flags.as_json = True
        elif parameter.name == "verbose":
            flags.settings["log_level"] = LEVELS[min(value, 2)]
        else:
            flags.settings[str(parameter.name)] = value

    def option(*names: str, **facts: Any) -> click.Option:
        return GlobalOption(names, expose_value=False, callback=keep, **facts)

    return [
        option("--home", metavar="FOLDER", help="Where everything is kept. Default: $QUIRE_HOME or ~/.quire."),
        option("--store", metavar="WHERE", help="A PostgreSQL URL, `memory`, or a file. Default: in the home."),
        option("--engine", metavar="NAME", help="`local`, or `notebooklm` to work at Google. Default: $QUIRE_ENGINE."),
        option("--json", is_flag=True, help="Print JSON for programs; one line for each event of a stream."),
        option("--verbose", "-v", count=True, help="Log each call to stderr; -vv logs more."),
    ]


class Teaching(click.Command):
    """Help in three parts: arguments, options, and which options every command has; those are explained at the top."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        own: list[tuple[str, str]] = []
        everywhere: list[tuple[str, str]] = []
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                (everywhere if isinstance(parameter, GlobalOption) else own).append(record)
        if own:
            with formatter.section("Options"):
                formatter.write_dl(own)
        if ctx.parent is None:
            with formatter.section("Options of every command"):
                formatter.write_dl(everywhere)
        else:
            names = ", ".join(names.rpartition(", ")[2].split()[0] for names, _ in everywhere)
            formatter.write_paragraph()
            formatter.write_text(f"Everywhere: {names}; '{ctx.find_root().info_name} --help' explains them.")

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if self.epilog:
            formatter.write_paragraph()
            formatter.write(self.epilog)


class CapabilityCommand(Teaching):
    """The command of one capability."""

    def __init__(self, capability: Capability) -> None:
        options = [name for name in capability.declared.parameters if not is_positional(capability, name)]
        told = in_commands(capability.description, options)
        short = in_commands(capability.summary, options)
        super().__init__(capability.verb, help=told, short_help=short, callback=self.act)
        self.capability = capability

    @cached_property
    def slots(self) -> list[Slot]:
        return slots_of(self.capability)

    @cached_property
    def makes_file(self) -> bool:
        """A download, or work that it starts itself and that may end in a file."""
        declared = self.capability.declared
        starts = declared.result is Job and "wait" in declared.parameters and declared.shape != "upload"
        return declared.shape == "download" or starts

    @property
    def destroys(self) -> bool:
        return self.capability.facts.effect == "destroy"

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        self.params = [*(slot.parameter for slot in self.slots), *self._extra_options(), *global_options()]
        self.epilog = self._examples()
        return super().get_params(ctx)

    def act(self, **given: Any) -> None:
        context = click.get_current_context()
        flags = context.ensure_object(Flags)
        target = self.target(given, flags, context)
        arguments = gathered(self.capability, self.slots, context, given.get("input"))
        asks = partial(confirm, self.capability, arguments) if self.destroys and not given["yes"] else None
        settings = load(flags.settings)
        calls.run(
            self.capability, arguments, settings, flags.build(settings), as_json=flags.as_json, target=target, asks=asks
        )

    def target(self, given: dict[str, Any], flags: Flags, context: click.Context) -> Target | None:
        if not self.makes_file:
            return None
        target = Target(given["output"], given["force"])
        if given.get("wait") is False and target.named:
            raise click.UsageError("--output waits for the file; it cannot go with --no-wait.", context)
        if target.is_stdout and flags.as_json:
            raise click.UsageError("--json and --output - both want standard output.", context)
        target.check()
        return target

    def _extra_options(self) -> Iterable[click.Option]:
        if self.makes_file:
            yield click.Option(
                ["--output", "-o"],
                metavar="FILE",
                help="Where to save the file; - is standard output. Default: its own name, in this folder.",
            )
            yield click.Option(["--force"], is_flag=True, help="Overwrite the file if it exists.")
        if self.destroys:
            yield click.Option(["--yes", "-y"], is_flag=True, help="Do not ask.")
        if self.capability.declared.parameters:
            only = nested(self.capability)
            more = f" The only way to give {', '.join(only)}." if only else ""
            yield click.Option(
                ["--input"], metavar="FILE", help=f"Arguments as a JSON object; - is standard input.{more}"
            )

    def _examples(self) -> str:
        return "Examples:\n" + "".join(f"  {line}\n" for line in examples(self.capability))


class Group(Teaching, click.Group):
    """Commands under one word; its help has a line for each, in the order in which they are given."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        names = self.list_commands(ctx)
        room = formatter.width - max(map(len, names)) - HELP_MARGIN
        commands = [(name, self.get_command(ctx, name)) for name in names]
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, clause(one.short_help or one.help or "", room)) for name, one in commands if one]
            )
        super().format_options(ctx, formatter)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        refuse_unknown(self, ctx, args[0], self.elsewhere())
        return super().resolve_command(ctx, args)

    def elsewhere(self) -> dict[str, str]:
        """Where to find what was given as a command and is none here."""
        return {}


class NounCommands(Group):
    """The commands of one noun, made when they are asked for.

    `by_hand` are those that are no capabilities, or that do more than theirs.
    """

    def __init__(self, noun: str, capabilities: Sequence[Capability], by_hand: Sequence[click.Command] = ()) -> None:
        made = {str(one.name): one for one in by_hand}
        about = inspect.getdoc(Library.nouns[capabilities[0].service]) or ""
        super().__init__(noun, help=about, short_help=about, params=global_options(), commands=made)
        self.verbs = {capability.verb: capability for capability in capabilities}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(dict.fromkeys([*self.verbs, *self.commands]))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in self.commands:
            return self.commands[cmd_name]
        capability = self.verbs.get(cmd_name)
        return CapabilityCommand(capability) if capability else None


def clause(text: str, room: int) -> str:
    """What of a sentence fits on a line, and reads well alone: all of it, a clause, or as many words."""
    sentence = SENTENCE_END.split(" ".join(text.split()), maxsplit=1)[0].removesuffix(".")
    if len(sentence) <= room:
        return sentence
    for marks in (";:", ","):
        end = max(sentence.rfind(f"{mark} ", 0, room + 1) for mark in marks)
        if end > 0:
            return sentence[:end]
    return sentence[: room - 1].rpartition(" ")[0] + "…"


def refuse_unknown(group: click.Group, context: click.Context, name: str, elsewhere: dict[str, str]) -> None:
    """A usage error with a suggestion where there is no such command; `elsewhere` knows better places."""
    if name.startswith("-") or context.resilient_parsing or group.get_command(context, name):
        return
    places = elsewhere | {command: f"{context.command_path} {command}" for command in group.list_commands(context)}
    close = difflib.get_close_matches(name, places, 1)
    hint = f"Did you mean '{places[close[0]]}'?" if close else f"'{context.command_path} --help' lists what there is."
    raise InvalidInput(f"There is no command '{context.command_path} {name}'.", hint=hint)


def confirm(capability: Capability, arguments: dict[str, Any]) -> None:
    """Asks on a terminal; refuses where nobody can answer."""
    subject = " ".join(str(arguments[name]) for name in required(capability))
    verb = capability.verb.removesuffix(f"-{capability.noun}")
    action = f"{verb} {capability.noun} {subject}".strip()
    if not sys.stdin.isatty():
        raise InvalidInput(
            f"Not done: '{action}' cannot be undone, and there is no terminal to ask on.",
            hint="--yes says that you mean it.",
        )
    if not click.confirm(f"{action[0].upper()}{action[1:]}? This cannot be undone.", err=True):
        raise click.Abort
