"""A capability's input schema as arguments and options, and back to arguments by name."""

from __future__ import annotations

import json
import shlex
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click

from quire.api.capability import Capability
from quire.domain.errors import InvalidInput
from quire.domain.files import CHUNK, Upload
from quire.entry.cli.wording import in_commands

LINE = 1_000
STDIN = "-"
KEPT_IN_MEMORY = 1024 * 1024

WORDS = {
    "title": "Its title.",
    "content": "Its text.",
    "name": "Its name.",
    "query": "What to look for.",
    "limit": "At most so many.",
    "cursor": "Go on where the page that gave this cursor ended.",
    "wait": "Wait until it has ended; --no-wait prints at once how far it is.",
    "seconds": "For so many seconds at most.",
    "days": "For so many days.",
    "prompt": "What to change.",
}
# What people call things by, where a program would say an id.
SAMPLES = {
    **dict.fromkeys(("notebook_id", "notebook_ids"), "Bees"),
    **dict.fromkeys(("source_id", "source_ids"), "bees.pdf"),
    **dict.fromkeys(("label_id", "label_ids"), "Hives"),
    **dict.fromkeys(("collection_id", "collection_ids"), "Gardening"),
    "artifact_id": "Briefing: Bees",
    "research_id": "7c9e6679",
    "job_id": "7c9e6679",
    "conversation_id": "38767a27",
}


@dataclass(frozen=True)
class Slot:
    """A place on the command line, and the property that it fills."""

    property: str
    parameter: click.Parameter
    schema: Mapping[str, Any]


def slots_of(capability: Capability) -> list[Slot]:
    """The arguments and options of a command, in the order of the capability's own parameters."""
    slots: list[Slot] = []
    for name, schema in properties_of(capability).items():
        kind = _kind(schema)
        if kind is None:
            continue
        by_place = is_positional(capability, name)
        if by_place:
            slots.append(Slot(name, _argument(capability, name, schema, kind), schema))
        if not by_place or name not in required(capability):
            slots.append(Slot(name, _option(name, schema, kind), schema))
    return slots


def properties_of(capability: Capability) -> dict[str, dict[str, Any]]:
    """The input's properties, references resolved."""
    schema = capability.input_schema
    definitions = schema.get("$defs", {})
    return {name: _resolved(node, definitions) for name, node in schema["properties"].items()}


def required(capability: Capability) -> list[str]:
    return list(capability.input_schema.get("required", []))


def is_positional(capability: Capability, name: str) -> bool:
    """What is required, or declared to come by its place; a notebook or a person too, where nothing else does."""
    by_place = [*required(capability), *capability.facts.words]
    return name in by_place or (name in ("notebook_id", "person") and not by_place)


def nested(capability: Capability) -> list[str]:
    """The properties that only `--input` can give."""
    return [name for name, schema in properties_of(capability).items() if _kind(schema) is None]


def gathered(capability: Capability, slots: list[Slot], context: click.Context, file: str | None) -> dict[str, Any]:
    """Arguments by name: those of `--input`, and over them those of the command line."""
    given: dict[str, Any] = {}
    for slot in slots:
        value = context.params.get(slot.parameter.name or "")
        if value is None or value == ():
            continue
        if slot.property in given:
            raise click.UsageError(f"{_metavar(slot.property)} is given twice.", context)
        given[slot.property] = list(value) if isinstance(value, tuple) else value
    schemas = properties_of(capability)
    readers = [name for name, value in given.items() if value == STDIN and _reads_stdin(schemas[name])]
    if len(readers) + (file == STDIN) > 1:
        raise click.UsageError("Only one thing can be read from standard input.", context)
    arguments = (json_object(file) if file else {}) | given
    for name in required(capability):
        if name not in arguments:
            raise click.UsageError(f"Missing argument '{_metavar(name)}'.", context)
    words = capability.facts.words
    if words and arguments.keys().isdisjoint(words):
        named = " and ".join(map(_metavar, words))
        raise click.UsageError(f"Missing arguments: {named}, or one of them; '-' is read from standard input.", context)
    for name, value in arguments.items():
        schema = schemas.get(name, {})
        if is_upload(schema):
            arguments[name] = upload(name, value, context)
        elif name in readers:
            arguments[name] = read_text()
    return arguments


def is_upload(schema: Mapping[str, Any]) -> bool:
    return schema.get("x-quire") == "upload"


def upload(name: str, value: Any, context: click.Context) -> Upload:
    """The file that an argument (a path) or `--input` (an object with `path` or `text`) names."""
    given = {"path": value} if isinstance(value, str) else value
    if isinstance(given, dict) and given.keys() <= {"name", "path", "text"}:
        title, path, text = given.get("name"), given.get("path"), given.get("text")
        if path == STDIN and text is None:
            return spooled(title or "stdin", context)
        if isinstance(path, str) and text is None and Path(path).is_file():
            return Upload.of(Path(path), title)
        if isinstance(text, str) and path is None:
            return Upload.of(text, title)
    raise InvalidInput(f"{name}: must name a file that exists, by `path`, or hold its `text`.", field=name)


def read_text() -> str:
    """All of standard input; UTF-8 whatever the locale says."""
    _say_that_we_read()
    try:
        return sys.stdin.buffer.read().decode()
    except UnicodeDecodeError:
        raise InvalidInput("Standard input is not UTF-8 text.") from None


def example(capability: Capability) -> list[str]:
    """Commands to copy."""
    known = capability.declared.examples
    words, text, option = ["quire", capability.noun, capability.verb], "", ""
    for name, schema in properties_of(capability).items():
        if is_positional(capability, name):
            words.append(shlex.quote(_sample(name, schema, known)))
        elif name in known and capability.facts.effect == "write" and not option:
            option = f"--{_dashed(name)}"
            words += [option, shlex.quote(_sample(name, schema, known))]
        else:
            continue
        if _is_long(schema):
            text = words[-1]
    lines = [" ".join(words)]
    if text:
        lines.append(f"{lines[0].removesuffix(text)}- < text.md")
    return lines


def _resolved(node: dict[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    if "$ref" in node:
        target = definitions[node["$ref"].rpartition("/")[2]]
        node = {**_resolved(target, definitions), **{key: value for key, value in node.items() if key != "$ref"}}
    if "items" in node:
        node = {**node, "items": _resolved(node["items"], definitions)}
    return node


def _kind(schema: Mapping[str, Any]) -> click.ParamType[Any] | None:
    """The type of one value, or None where only JSON can say it."""
    if is_upload(schema):
        return click.Path(exists=True, dir_okay=False, allow_dash=True)
    if schema.get("type") == "array":
        return None if schema.get("items", {}).get("type") == "array" else _kind(schema.get("items", {}))
    if "enum" in schema:
        return click.Choice(schema["enum"])
    low, high = schema.get("minimum"), schema.get("maximum")
    ranged = low is not None or high is not None
    match schema.get("type"):
        case "string":
            return click.STRING
        case "integer":
            return click.IntRange(low, high) if ranged else click.INT
        case "number":
            return click.FloatRange(low, high) if ranged else click.FLOAT
        case "boolean":
            return click.BOOL
    return None


def _argument(
    capability: Capability, name: str, schema: Mapping[str, Any], kind: click.ParamType[Any]
) -> click.Argument:
    many = schema.get("type") == "array"
    shown = _metavar(name) + ("..." if many else "")
    return click.Argument(
        [f"{name}_argument"],
        type=kind,
        required=False,
        nargs=-1 if many else 1,
        metavar=shown if name in required(capability) else f"[{shown}]",
        help=" ".join((_help(name, schema), *_choices(schema))),
    )


def _choices(schema: Mapping[str, Any]) -> list[str]:
    """What an argument may be; of an option click tells it."""
    return [f"One of: {', '.join(map(str, schema['enum']))}."] if "enum" in schema else []


def _option(name: str, schema: Mapping[str, Any], kind: click.ParamType[Any]) -> click.Option:
    flag = _dashed(name)
    help = _help(name, schema)
    if schema.get("type") == "boolean":
        return click.Option([name, f"--{flag}/--no-{flag}"], default=None, help=help)
    names = [name, f"--{flag}"] + ([f"--{flag.removesuffix('-id')}"] if flag.endswith("-id") else [])
    many = schema.get("type") == "array"
    if many:
        called = "name" if name in ("label_ids", "collection_ids") else "title"
        by = f"By {called} or id; several" if name.endswith("_ids") else "Several"
        help = f"{help} {by} times for several.".strip()
    return click.Option(names, type=kind, multiple=many, default=None, help=help)


def _help(name: str, schema: Mapping[str, Any]) -> str:
    if is_upload(schema):
        return f"The file to read; {STDIN} is standard input."
    text = in_commands(schema.get("description") or WORDS.get(name) or "")
    if name in ("notebook_id", "source_id", "artifact_id"):
        text = text.replace("'s id", "'s title or id")
    if name in ("label_id", "collection_id"):
        text = text.replace("'s id", "'s name or id")
    if _is_long(schema):
        text += f" {STDIN} reads it from standard input."
    if schema.get("default") not in (None, "", []):
        default = schema["default"]
        text += f" Default: {json.dumps(default) if isinstance(default, bool) else default}."
    return text.strip()


def _dashed(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


def _metavar(name: str) -> str:
    return name.rstrip("_").removesuffix("_id").upper()


def _is_long(schema: Mapping[str, Any]) -> bool:
    return schema.get("type") == "string" and schema.get("maxLength", 0) > LINE


def _reads_stdin(schema: Mapping[str, Any]) -> bool:
    return _is_long(schema) or is_upload(schema)


def _sample(name: str, schema: Mapping[str, Any], known: Mapping[str, Any]) -> str:
    if is_upload(schema):
        return "notes.md"
    if "enum" in schema:
        return str(schema["enum"][0])
    if schema.get("type") in ("integer", "number"):
        return str(schema.get("minimum", 1))
    return SAMPLES.get(name) or str(known.get(name, _metavar(name)))


def json_object(file: str) -> dict[str, Any]:
    """The JSON object that `--input` names."""
    try:
        text = read_text() if file == STDIN else Path(file).read_text(encoding="utf-8")
        value = json.loads(text)
    except OSError as error:
        raise InvalidInput(f"--input: {file} cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"--input: {file} is not JSON: {error}.") from None
    if not isinstance(value, dict):
        raise InvalidInput(f"--input: {file} must hold a JSON object.")
    return value


def spooled(name: str, context: click.Context) -> Upload:
    """Standard input, read before the event loop runs: a blocked read there could not be interrupted."""
    _say_that_we_read()
    spool = context.with_resource(tempfile.SpooledTemporaryFile(KEPT_IN_MEMORY))  # noqa: SIM115
    size = 0
    while chunk := sys.stdin.buffer.read(CHUNK):
        size += spool.write(chunk)

    async def chunks() -> AsyncIterator[bytes]:
        spool.seek(0)
        for chunk in iter(partial(spool.read, CHUNK), b""):
            yield chunk

    return Upload(name, chunks, size)


def _say_that_we_read() -> None:
    if sys.stdin.isatty() and sys.stderr.isatty():
        click.echo("Reading from the keyboard; Ctrl-D ends it.", err=True)
