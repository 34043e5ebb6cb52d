"""From a schema to arguments and options, on a service that has every kind of parameter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

import click
import pytest
from pydantic import BaseModel, Field

from quire.api.capability import Capability, capability
from quire.api.library import Library
from quire.api.noun import Noun
from quire.domain.files import Download
from quire.entry.cli.commands import CapabilityCommand, Flags
from quire.entry.cli.parameters import gathered, nested


class Place(BaseModel):
    page: int


class Shapes(Noun):
    noun = "shape"
    toolset = "shapes"

    @capability("draw_shape", "write")
    async def draw(
        self,
        ids: list[str],
        colour: Literal["red", "green"] = "red",
        count: int | None = None,
        ratio: Annotated[float, Field(ge=0, le=1)] = 0.5,
        fill: bool = False,
        labels: list[str] = [],
        numbers: list[int] | None = None,
        place: Place | None = None,
        owner_id: str | None = None,
    ) -> str:
        """Draw."""

    @capability("get_shape", "read")
    async def get(self, colour: Literal["red", "green"], size: int) -> Download:
        """Get."""


class Drawing(Library):
    nouns: ClassVar[Mapping[str, type[Noun]]] = {"shapes": Shapes}


class DrawingEngine:
    nouns: ClassVar[Mapping[str, type]] = {"shapes": Shapes}


DRAW, GET = Drawing.offered_by(DrawingEngine)  # type: ignore[arg-type]


def parsed(one: Capability, *line: str) -> dict[str, Any]:
    command = CapabilityCommand(one)
    context = command.make_context(one.verb, list(line), obj=Flags())
    return gathered(one, command.slots, context, context.params["input"])


def test_what_is_not_given_is_left_to_the_capability() -> None:
    assert parsed(DRAW, "a") == {"ids": ["a"]}


def test_every_kind_of_value_has_its_type() -> None:
    line = "a b --colour green --count -3 --ratio 0.25 --fill --labels x --labels y --numbers 1 --owner me"
    assert parsed(DRAW, *line.split()) == {
        "ids": ["a", "b"],
        "colour": "green",
        "count": -3,
        "ratio": 0.25,
        "fill": True,
        "labels": ["x", "y"],
        "numbers": [1],
        "owner_id": "me",
    }
    assert parsed(DRAW, "a", "--no-fill", "--owner-id", "me") == {"ids": ["a"], "fill": False, "owner_id": "me"}


def test_required_properties_are_arguments_in_their_order() -> None:
    assert parsed(GET, "red", "3") == {"colour": "red", "size": 3}


@pytest.mark.parametrize("line", ["blue 3", "red three", "a --ratio 2", "a --count 1.5", "a --colour blue"])
def test_a_value_of_the_wrong_kind_is_refused_by_name(line: str) -> None:
    with pytest.raises(click.BadParameter):
        parsed(DRAW if line.startswith("a ") else GET, *line.split())


def test_a_missing_argument_is_named() -> None:
    with pytest.raises(click.UsageError, match="Missing argument 'IDS'"):
        parsed(DRAW)
    with pytest.raises(click.UsageError, match="Missing argument 'SIZE'"):
        parsed(GET, "red")


def test_nested_values_come_by_input_alone(tmp_path: Any) -> None:
    assert nested(DRAW) == ["place"]
    file = tmp_path / "input.json"
    file.write_text('{"place": {"page": 3}, "labels": ["z"]}')
    assert parsed(DRAW, "a", "--labels", "x", "--input", str(file)) == {
        "ids": ["a"],
        "labels": ["x"],
        "place": {"page": 3},
    }
    help = CapabilityCommand(DRAW).get_help(click.Context(CapabilityCommand(DRAW), info_name="draw"))
    assert "The only way to give place" in " ".join(help.split())


def test_only_what_makes_a_file_can_save_one() -> None:
    assert CapabilityCommand(GET).makes_file
    assert not CapabilityCommand(DRAW).makes_file
