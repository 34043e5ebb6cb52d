"""A capability is a declared method of a noun; an engine does it, and every door serves it."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast, get_args, get_type_hints

from pydantic import BaseModel, ConfigDict, TypeAdapter, create_model

from quire.api import guard
from quire.api.rates import Rate
from quire.domain.errors import QuireError
from quire.domain.files import Download, Upload
from quire.domain.sharing import Role

if TYPE_CHECKING:
    from quire.api.engine import Engine
    from quire.api.library import Library
    from quire.api.noun import Noun

Effect = Literal["read", "write", "destroy"]
Shape = Literal["value", "stream", "upload", "download"]
Method = TypeVar("Method", bound=Callable[..., Any])

BRIEF_SECONDS = 30.0


@dataclass(frozen=True)
class Facts:
    """What the declaration says."""

    tool: str
    effect: Effect
    needs: Role
    of: tuple[str, str] | None
    timeout: float
    rate: Rate | None
    listed: bool
    verb: str
    idempotent: bool
    errors: tuple[type[QuireError], ...]
    published: bool


def capability(
    tool: str,
    effect: Effect,
    *,
    needs: Role | None = None,
    of: tuple[str, str] | None = None,
    timeout: float = BRIEF_SECONDS,
    rate: Rate | None = None,
    listed: bool = False,
    verb: str | None = None,
    idempotent: bool = False,
    errors: tuple[type[QuireError], ...] = (),
    published: bool = True,
) -> Callable[[Method], Method]:
    """Declares a capability by a method without a body: an `async def`, or a `def` that gives an AsyncIterator.

    `tool` is its name for models, verb first; the verb is the command's and the route's too.
    `of` names what the caller needs a role in: a kind and the argument that holds its id
    (`("note", "note_id")`); the engine's scope checks it.
    `errors` are those that callers should expect beside what the guard and the scope raise.
    What is not `published` has no tool, command or route: it is there for Python, resources and the wire server.
    `listed` puts the tool among those that a plain `quire mcp` offers.
    """
    role = needs if needs is not None else Role.VIEWER if effect == "read" else Role.EDITOR
    facts = Facts(
        tool, effect, role, of, timeout, rate, listed, verb or tool.split("_")[0], idempotent, errors, published
    )

    def declare(method: Method) -> Method:
        declared = Declared(facts, method)
        if declared.streams:

            @wraps(method)
            async def stream(self: Any, /, *arguments: Any, **named: Any) -> AsyncIterator[Any]:
                async with aclosing(guard.stream(declared, self, arguments, named)) as events:  # type: ignore[type-var]
                    async for event in events:
                        yield event

            guarded: Any = stream
        else:

            @wraps(method)
            async def value(self: Any, /, *arguments: Any, **named: Any) -> Any:
                return await guard.value(declared, self, arguments, named)

            guarded = value
        guarded.declared = declared
        return cast(Method, guarded)

    return declare


class Declared:
    """A method and its facts; what is derived from its signature is built when first needed."""

    def __init__(self, facts: Facts, method: Callable[..., Any]) -> None:
        self.facts = facts
        self.method = method
        self.name = method.__name__
        self.streams = not inspect.iscoroutinefunction(method)

    @cached_property
    def hints(self) -> dict[str, Any]:
        return get_type_hints(self.method, include_extras=True)

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        return tuple(name for name in inspect.signature(self.method).parameters if name != "self")

    @cached_property
    def arguments(self) -> type[BaseModel]:
        """The model that arguments are checked against: strict, nothing extra; what may be None may be left out."""
        fields: dict[str, Any] = {}
        for name, parameter in inspect.signature(self.method).parameters.items():
            if name == "self":
                continue
            hint = self.hints[name]
            default = parameter.default
            if default is parameter.empty:
                default = None if type(None) in get_args(hint) else ...
            fields[name] = (hint, default)
        config = ConfigDict(strict=True, extra="forbid", arbitrary_types_allowed=True, hide_input_in_errors=True)
        return create_model(self.facts.tool, __config__=config, **fields)

    @cached_property
    def result(self) -> Any:
        """The type of the value; for a stream, of its last event."""
        hint = self.hints["return"]
        if self.streams:
            (hint,) = get_args(hint)
            members = get_args(hint)
            return members[-1] if members else hint
        return hint

    @cached_property
    def shape(self) -> Shape:
        if self.streams:
            return "stream"
        if self.result is Download:
            return "download"
        if any(hint is Upload for hint in self.hints.values()):
            return "upload"
        return "value"

    @cached_property
    def adapter(self) -> TypeAdapter[Any]:
        return TypeAdapter(self.result)

    @cached_property
    def input_schema(self) -> dict[str, Any]:
        return plain_schema(self.arguments.model_json_schema())

    @cached_property
    def output_schema(self) -> dict[str, Any]:
        return self.adapter.json_schema(mode="serialization")


@dataclass(frozen=True)
class Capability:
    """A declared method and where it is: `library.notes.create`."""

    service: str
    method: str
    noun: str
    toolset: str
    declared: Declared

    @property
    def facts(self) -> Facts:
        return self.declared.facts

    @property
    def tool(self) -> str:
        return self.facts.tool

    @property
    def verb(self) -> str:
        return self.facts.verb

    @property
    def route(self) -> str:
        return f"/{self.noun}/{self.verb}"

    @property
    def brief(self) -> bool:
        """Whether a call is over so soon that nobody ends one early."""
        return self.declared.shape == "value" and self.facts.timeout <= BRIEF_SECONDS

    @property
    def summary(self) -> str:
        return (inspect.getdoc(self.declared.method) or "").split("\n\n")[0].replace("\n", " ")

    @property
    def description(self) -> str:
        return inspect.getdoc(self.declared.method) or ""

    @property
    def input_schema(self) -> dict[str, Any]:
        return self.declared.input_schema

    @property
    def output_schema(self) -> dict[str, Any]:
        return self.declared.output_schema

    def call(self, library: Library, arguments: Mapping[str, Any]) -> Any:
        """The method's own awaitable (or stream), with arguments by name."""
        return getattr(getattr(library, self.service), self.method)(**arguments)

    def dump(self, result: Any) -> Any:
        """A result as JSON data."""
        return self.declared.adapter.dump_python(result, mode="json")


def capabilities_of(library: type[Library], engine: type[Engine]) -> tuple[Capability, ...]:
    """Every capability that is declared, and that the engine has a method for."""
    return tuple(
        Capability(name, declared.name, noun.noun, noun.toolset, declared)
        for name, noun in library.nouns.items()
        for declared in (getattr(method, "declared", None) for method in vars(noun).values())
        if isinstance(declared, Declared) and declared.facts.published
        if hasattr(engine.nouns.get(name), declared.name)
    )


def shorthand(method: Method) -> Method:
    """Makes a method that only calls capabilities a part of the Python API, under a name that people know."""
    method.shorthand = True  # type: ignore[attr-defined]
    return method


def shorthands_of(noun: type[Noun]) -> list[str]:
    return [name for name, method in vars(noun).items() if getattr(method, "shorthand", False)]


def plain_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema as models like it: no titles, `null` left out of optional types, nothing combined at the root."""

    def plain(node: Any) -> Any:
        if isinstance(node, list):
            return [plain(item) for item in node]
        if not isinstance(node, dict):
            return node
        node = {key: plain(value) for key, value in node.items() if not (key == "title" and isinstance(value, str))}
        options = node.get("anyOf")
        if options and {"type": "null"} in options:
            rest = [option for option in options if option != {"type": "null"}]
            if len(rest) == 1:
                del node["anyOf"]
                node = {**rest[0], **node}
                if node.get("default", ...) is None:
                    del node["default"]
        return node

    properties = {name: plain(value) for name, value in schema.get("properties", {}).items()}
    made: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
    if schema.get("required"):
        made["required"] = schema["required"]
    if "$defs" in schema:
        made["$defs"] = {name: plain(value) for name, value in schema["$defs"].items()}
    return made
