"""A capability is a declared method of a noun; an engine does it, and every door serves it."""

from __future__ import annotations

import inspect
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from functools import cached_property, reduce, wraps
from operator import or_
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar, cast, get_args, get_type_hints

from pydantic import BaseModel, ConfigDict, TypeAdapter, create_model
from pydantic.fields import FieldInfo

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
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
Part = TypeVar("Part", bound=BaseModel)

SHORT_SECONDS = 30.0
# What a call is about that is about nothing on the server but the server itself; no argument says so.
SERVER = ("server", "")
# Keys of a schema that clients get nothing from, by what tells them from properties of the same name.
UNPUBLISHED: dict[str, type] = {"title": str, "examples": list}


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
    overwrites: bool
    words: tuple[str, ...]
    toolset: str | None
    open_world: bool
    remembers: bool

    @property
    def reads_only(self) -> bool:
        """Whether it changes nothing, or can do without what it would keep."""
        return self.effect == "read" or self.remembers


def capability(
    tool: str,
    effect: Effect,
    *,
    needs: Role | None = None,
    of: tuple[str, str] | None = None,
    timeout: float = SHORT_SECONDS,
    rate: Rate | None = None,
    listed: bool = False,
    verb: str | None = None,
    idempotent: bool = False,
    errors: tuple[type[QuireError], ...] = (),
    published: bool = True,
    overwrites: bool = False,
    words: tuple[str, ...] = (),
    toolset: str | None = None,
    open_world: bool = False,
    remembers: bool = False,
) -> Callable[[Method], Method]:
    """Declares a capability by a method without a body: an `async def`, or a `def` that gives an AsyncIterator.

    `tool` is its name for models, verb first; the verb is the command's and the route's too.
    `of` names what the caller needs a role in: a kind and the argument that holds its id
    (`("note", "note_id")`); the engine's scope checks it.
    `errors` are those that callers should expect beside what the guard and the scope raise.
    What is not `published` has no tool, command or route: it is there for Python, resources and the wire server.
    `listed` puts the tool among those that a plain `quire mcp` offers. `overwrites` tells its clients that a
    write may take something away. `words` are optional arguments that come by their place on the command line.
    `toolset` is one of its own beside the noun's, where that has more tools than a model can choose among.
    What is `open_world` reaches beyond this machine. What `remembers` writes nothing but the memory of the call, and
    a caller who may only read is served without that.
    """
    role = needs if needs is not None else Role.VIEWER if effect == "read" else Role.EDITOR
    facts = Facts(
        tool=tool,
        effect=effect,
        needs=role,
        of=of,
        timeout=timeout,
        rate=rate,
        listed=listed,
        verb=verb or tool.split("_")[0],
        idempotent=idempotent,
        errors=errors,
        published=published,
        overwrites=overwrites,
        words=words,
        toolset=toolset,
        open_world=open_world,
        remembers=remembers,
    )

    def declare(method: Method) -> Method:
        declared = Declared(facts, method)
        if declared.streams:
            return cast(Method, _events(declared))

        @wraps(method)
        async def value(self: Any, /, *arguments: Any, **named: Any) -> Any:
            return await guard.value(declared, self, arguments, named)

        value.declared = declared  # type: ignore[attr-defined]
        return cast(Method, value)

    return declare


def events_of(
    method: Callable[Arguments, Coroutine[Any, Any, Result]], part: type[Part]
) -> Callable[Arguments, AsyncIterator[Part | Result]]:
    """Declares that a capability tells parts of its value on the way, and gives the method that yields them all.

    An engine does such a capability by a generator of parts, whose last event is the value.
    """
    declared: Declared = method.declared  # type: ignore[attr-defined]
    declared.part = part
    events = shorthand(_events(declared))
    events.__annotations__ = method.__annotations__ | {"return": AsyncIterator[reduce(or_, declared.events)]}  # type: ignore[misc]
    return events


def _events(declared: Declared) -> Callable[..., AsyncIterator[Any]]:
    @wraps(declared.method)
    async def events(self: Any, /, *arguments: Any, **named: Any) -> AsyncIterator[Any]:
        async with aclosing(guard.stream(declared, self, arguments, named)) as told:
            async for event in told:
                yield event

    if declared.part is None:
        events.declared = declared  # type: ignore[attr-defined]
    return events


class Declared:
    """A method and its facts; what is derived from its signature is built when first needed."""

    def __init__(self, facts: Facts, method: Callable[..., Any]) -> None:
        self.facts = facts
        self.method = method
        self.name = method.__name__
        self.streams = not inspect.iscoroutinefunction(method)
        # What it tells of its value on the way, where it does.
        self.part: type[BaseModel] | None = None

    @cached_property
    def hints(self) -> dict[str, Any]:
        return get_type_hints(self.method, include_extras=True)

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        return tuple(name for name in inspect.signature(self.method).parameters if name != "self")

    @cached_property
    def defaults(self) -> dict[str, Any]:
        """What an argument is when it is left out, where it may be; what may be None may."""
        found: dict[str, Any] = {}
        for name, parameter in inspect.signature(self.method).parameters.items():
            if parameter.default is not parameter.empty:
                found[name] = parameter.default
            elif name != "self" and type(None) in get_args(self.hints[name]):
                found[name] = None
        return found

    @cached_property
    def arguments(self) -> type[BaseModel]:
        """The model that arguments are checked against: strict, nothing extra."""
        fields: dict[str, Any] = {name: (self.hints[name], self.defaults.get(name, ...)) for name in self.parameters}
        config = ConfigDict(strict=True, extra="forbid", arbitrary_types_allowed=True, hide_input_in_errors=True)
        return create_model(self.facts.tool, __config__=config, **fields)

    @cached_property
    def events(self) -> tuple[Any, ...]:
        """The types of what comes on the way, and of the value at the end."""
        hint = self.hints["return"]
        if self.streams:
            (hint,) = get_args(hint)
            return get_args(hint) or (hint,)
        return (hint,) if self.part is None else (self.part, hint)

    @property
    def result(self) -> Any:
        """The type of the value; for a stream, of its last event."""
        return self.events[-1]

    def ends_with(self, event: Any) -> bool:
        """Whether an event is the value at the end."""
        return isinstance(self.result, type) and isinstance(event, self.result)

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
    def examples(self) -> dict[str, Any]:
        """An example of each argument whose type has one."""
        found = {name: _example(hint) for name, hint in self.hints.items()}
        return {name: example for name, example in found.items() if example is not None}

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
    def is_short(self) -> bool:
        """Whether a call is over so soon that nobody ends one early."""
        return self.declared.shape == "value" and self.facts.timeout <= SHORT_SECONDS

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

    def events(self, library: Library, arguments: Mapping[str, Any]) -> AsyncGenerator[Any, None]:
        """What a call tells on the way, and at the end its value."""
        return guard.stream(self.declared, getattr(library, self.service), (), arguments)

    def dump(self, result: Any) -> Any:
        """A result as JSON data."""
        return self.declared.adapter.dump_python(result, mode="json")


def capabilities_of(library: type[Library], engine: type[Engine]) -> tuple[Capability, ...]:
    """Every capability that is declared, and that the engine has a method for."""
    return tuple(
        Capability(name, declared.name, noun.noun, declared.facts.toolset or noun.toolset, declared)
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


def _example(hint: Any) -> Any:
    """The first example that a type, or a member of it, names."""
    members = [hint, *get_args(hint)]
    notes = [note for one in members for note in getattr(one, "__metadata__", ()) if isinstance(note, FieldInfo)]
    return next((note.examples[0] for note in notes if note.examples), None)


def plain_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema as models like it: no titles, no examples, no `null` in optional types, nothing combined at the root."""

    def plain(node: Any) -> Any:
        if isinstance(node, list):
            return [plain(item) for item in node]
        if not isinstance(node, dict):
            return node
        node = {key: plain(value) for key, value in node.items() if not isinstance(value, UNPUBLISHED.get(key, ()))}
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
