"""A contract's tool: exactly its arguments, checks and texts, around one call of the library."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, partial
from typing import Any, ClassVar, Generic, TypeVar

from pydantic import BaseModel, ConfigDict

from quire.api.capability import plain_schema
from quire.api.library import Library

Input = TypeVar("Input", bound=BaseModel)
Result = TypeVar("Result")


class Strict(BaseModel):
    """What clients send. It admits nothing that the capability's own arguments would refuse: they are not asked."""

    model_config = ConfigDict(strict=True, extra="forbid", hide_input_in_errors=True)


class ContractTool(Generic[Input, Result]):
    """`tool` is also the name of the capability whose place it takes. The guard runs it (`guard.adapted`)."""

    tool: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    description: ClassVar[str]
    input: type[Input]
    required: ClassVar[tuple[str, ...]] = ()
    output_schema: ClassVar[dict[str, Any] | None] = None
    # Seconds that a call may take: by default, and at most where the settings ask for more.
    seconds: ClassVar[tuple[float, float] | None] = None

    @cached_property
    def input_schema(self) -> dict[str, Any]:
        """As published. What the contract requires may still have a default, so that its own error text is given."""
        schema = plain_schema(self.input.model_json_schema())
        if self.required:
            schema["required"] = list(self.required)
            for name in self.required:
                schema["properties"][name].pop("default", None)
        return schema

    def reshaped(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """What a client sent, before it is checked."""
        return given

    def call(self, library: Library, input: Input) -> partial[Any]:
        """The call of the library that is meant; the contract's own checks come before it."""
        raise TypeError("a contract tool says what it does")

    def answer(self, result: Result, input: Input) -> tuple[str, dict[str, Any]]:
        """The text, and the same as fields."""
        raise TypeError("a contract tool says what it answers")
