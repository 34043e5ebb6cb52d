"""`quire artifact make`: its help tells of each kind what it may be told and which files come of it; of one, that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import click

from quire.domain.artifacts import KINDS, ArtifactKind
from quire.domain.video_overviews import AUTO, LOOKS
from quire.entry.bootstrap import artifact_choices, offered
from quire.entry.cli.commands import CapabilityCommand

OPTIONS = ("format", "length", "quantity", "difficulty", "orientation", "detail", "style")
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
            if not isinstance(parameter, click.Option) or parameter.name not in OPTIONS:
                continue
            told = [(kind, *_values(kind, parameter.name)) for kind in KINDS if _has(kind, parameter.name)]
            if self.kind is None:
                parameter.metavar = "NAME"
                parameter.help = "; ".join(f"{kinds}: {values}" for values, kinds in _by_values(told).items()) + "."
            elif own := [(values, default) for kind, values, default in told if kind == self.kind]:
                parameter.metavar = "NAME"
                parameter.help = f"{', '.join(own[0][0])}. Default: {own[0][1]}."
            else:
                parameter.hidden = True
        return params

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Files, the main one first"):
            shown = [self.kind] if self.kind else KINDS
            formatter.write_dl([(kind, ", ".join(artifact_choices(kind)[1])) for kind in shown])
        super().format_epilog(ctx, formatter)

    def _examples(self) -> str:
        if self.kind is None:
            return super()._examples()
        chosen = [(name, *_values(self.kind, name)) for name in OPTIONS if _has(self.kind, name)]
        line = f"quire artifact make {self.kind} --notebook Bees"
        lines = [line, *(f"{line} --{name} {next(one for one in all if one != own)}" for name, all, own in chosen)]
        lines += [f"{line} --instructions 'How bees find honey'", f"{line} --draft"]
        return "Examples:\n" + "".join(f"  {one}\n" for one in lines)


def _by_values(told: Sequence[tuple[ArtifactKind, list[str], str]]) -> dict[str, str]:
    """Kinds that take the same are named together."""
    found: dict[str, str] = {}
    for kind, values, _ in told:
        written = ", ".join(values)
        found[written] = f"{found[written]}, {kind}" if written in found else kind
    return found


def _has(kind: ArtifactKind, name: str) -> bool:
    return name in artifact_choices(kind)[0].model_fields


def _values(kind: ArtifactKind, name: str) -> tuple[list[str], str]:
    """What an option of a kind may be, and what it is when left out."""
    field = artifact_choices(kind)[0].model_fields[name]
    values = list(get_args(field.annotation)) or [AUTO, *LOOKS, WISH]
    return values, str(field.default)
