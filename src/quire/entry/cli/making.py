"""`quire artifact make`: its help tells of each kind what it may be told and which files come of it; of one, that."""

from __future__ import annotations

import click

from quire.domain.artifact_options import Choice, choices
from quire.domain.artifacts import KINDS, ArtifactKind
from quire.entry.bootstrap import artifact_formats, offered
from quire.entry.cli.commands import CapabilityCommand

CHOICES = {kind: {one.name: one for one in choices(kind)} for kind in KINDS}
CHOSEN = {name for own in CHOICES.values() for name in own}
WISH = "or a look in words: 'dark green with rounded letters'"


def command() -> click.Command:
    (make,) = [one for one in offered() if one.tool == "make_artifact"]
    return MakeCommand(make)


class MakeCommand(CapabilityCommand):
    kind: ArtifactKind | None = None

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        self.kind = next((kind for kind in KINDS if kind in args), None)
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        params = super().get_params(ctx)
        for parameter in params:
            if not isinstance(parameter, click.Option) or parameter.name not in CHOSEN:
                continue
            parameter.metavar = "NAME"
            if self.kind is None:
                parameter.help = _of_every_kind(parameter.name)
            elif own := CHOICES[self.kind].get(parameter.name):
                parameter.help = f"{_written(own)}. Default: {own.usual}."
            else:
                parameter.hidden = True
        return params

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Files, the main one first"):
            shown = [self.kind] if self.kind else KINDS
            formatter.write_dl([(kind, ", ".join(artifact_formats(kind))) for kind in shown])
        super().format_epilog(ctx, formatter)

    def _examples(self) -> str:
        if self.kind is None:
            return super()._examples()
        line = f"quire artifact make {self.kind} --notebook Bees"
        others = ((one.name, [value for value in one.values if value != one.usual]) for one in choices(self.kind))
        lines = [line, *(f"{line} --{name} {values[0]}" for name, values in others)]
        lines += [f"{line} --instructions 'How bees find honey'", f"{line} --draft"]
        return "Examples:\n" + "".join(f"  {one}\n" for one in lines)


def _of_every_kind(name: str) -> str:
    """What an option may be; kinds that take the same are named together."""
    found: dict[str, str] = {}
    for kind in KINDS:
        if one := CHOICES[kind].get(name):
            values = _written(one)
            found[values] = f"{found[values]}, {kind}" if values in found else kind
    return "; ".join(f"{kinds}: {values}" for values, kinds in found.items()) + "."


def _written(one: Choice) -> str:
    return ", ".join((*one.values, WISH) if one.free else one.values)
