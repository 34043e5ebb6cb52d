"""A face: a contract's tool, with exactly its arguments, texts and errors."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

from pydantic import BaseModel

from quire.api.capability import plain_schema
from quire.api.library import Library
from quire.domain.errors import QuireError

Input = TypeVar("Input", bound=BaseModel)
Result = TypeVar("Result")


class Face(Generic[Input, Result]):
    """`tool` is also the name of the capability whose place it takes; `destructive` overrules its annotation."""

    tool: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    description: ClassVar[str]
    input: type[Input]
    required: ClassVar[tuple[str, ...]] = ()
    destructive: ClassVar[bool | None] = None
    output_schema: ClassVar[dict[str, Any] | None] = None
    # Seconds that a call may take: by default, and at most where the settings ask for more.
    seconds: ClassVar[tuple[float, float] | None] = None
    # Whether the contract speaks of HTTP too: its statuses, its errors' bodies
    # beside our own, and the errors that any of its tools may answer with.
    over_http: ClassVar[bool] = False
    errors: ClassVar[tuple[type[QuireError], ...]] = ()

    def status(self, kind: type[QuireError]) -> int:
        """The HTTP status of an error."""
        return kind.status

    def arguments(self, given: dict[str, Any]) -> dict[str, Any]:
        """What a client sent, where a contract knows more than one way to send it."""
        return given

    def input_schema(self) -> dict[str, Any]:
        """As published. What the contract requires may still have a default, so that its own error text is given."""
        return self._input_schema

    @cached_property
    def _input_schema(self) -> dict[str, Any]:
        schema = plain_schema(self.input.model_json_schema())
        if self.required:
            schema["required"] = list(self.required)
            for name in self.required:
                schema["properties"][name].pop("default", None)
        return schema

    async def call(self, library: Library, input: Input) -> Result:
        raise TypeError("a face says what its tool does")

    def text(self, result: Result, input: Input) -> str:
        raise TypeError("a face says what its tool answers")

    def structured(self, result: Result) -> dict[str, Any]:
        raise TypeError("a face says what its tool answers")

    def error(self, error: QuireError, arguments: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        """The text and the body of a failed call."""
        return error.message, error.body()
