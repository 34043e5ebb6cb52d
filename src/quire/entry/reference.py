"""Writes docs/reference.md from the capabilities: `python -m quire.entry.reference`."""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click
from pydantic import TypeAdapter

from quire.api.capability import Capability
from quire.domain.files import Upload
from quire.entry.bootstrap import offered
from quire.entry.cli.program import Program
from quire.entry.contract_tools import CONTRACT_TOOLS
from quire.entry.google_table import google_table
from quire.entry.http.openapi import errors_of, http_method
from quire.entry.role_table import role_table

ABOUT = """\
# Reference

Written by `make generate` from the capabilities themselves; a test fails when this page is behind.
Each capability is the same thing through every door: an MCP tool, a command, an HTTP route and a Python
method, with the same arguments, checks and errors.

A page of a list has `items`, the `total`, and where there is more, `truncated` and the `cursor` that asks for it.

## Doors

**Python.** `async with quire.open() as library:`, or `with quire.open_sync() as library:` without `await`.

**Command line.** `quire NOUN VERB`; `--help` tells more, `--json` prints what the other doors answer, and
`--input file.json` takes the arguments as JSON. [errors.md](errors.md) lists the exit codes.

**MCP.** `quire mcp` offers the tools marked *by default*; `--toolsets` offers all tools of a set. The tools of a
contract take that contract's own arguments, shown with them, and answer in its words.

**HTTP.** What reads is `GET` with the arguments in the query; what changes something is `POST` with a JSON
object. The OpenAPI description is at `/api/openapi.json`.

- A stream answers with server-sent events: `item`s, then one `result`, or `failure` where it broke off. An item's
  `id` is where `Last-Event-ID` goes on from. With `Accept: application/x-ndjson` each event is a line of JSON.
- Any other call answers with `progress` events before its `result` where `Accept` asks for one of the two; one that
  tells parts of its result on the way answers with these, as a stream does.
- A file goes up as a form (`multipart/form-data`, the file last) or as the body itself, with the other arguments
  and the file's `name` in the query. A file comes down as an attachment. `GET /files/TOKEN` gives out a file by the
  signed link in `url`, for an hour, in ranges if asked.
- Every answer has an `X-Request-Id`, which is also in the log.
- Where a token is set, everything but `/health`, signed links and the files of the page needs
  `Authorization: Bearer TOKEN`; a browser signs in at `/?token=TOKEN` and keeps a session.
- Errors of the capability have its status. Before that, HTTP itself refuses with `malformed` (400: not valid JSON,
  a parameter twice), `not_found` (404: no such route), `wrong_method` (405), `too_large` (413), `wrong_media_type`
  (415), `no_such_range` (416) and `stopping` (503); and with `not_allowed` (403) what comes from the page of another
  site or by a name that is not this server's. All have the same body.
"""
LARGEST_SHOWN = 2**53
ROLES = {"read": "reads", "write": "changes something", "destroy": "deletes for good"}


def reference(capabilities: Iterable[Capability]) -> str:
    """The whole page."""
    models: dict[str, Any] = {}
    services: dict[str, list[Capability]] = {}
    capabilities = list(capabilities)
    for capability in capabilities:
        services.setdefault(capability.service, []).append(capability)
    parts = [ABOUT]
    for service, members in services.items():
        parts.append(f"## {service.replace('_', ' ').capitalize()}\n")
        parts += [_section(capability, models) for capability in members]
    parts.append(role_table(capabilities))
    parts.append(google_table(capabilities))
    parts.append("## Models\n")
    parts += [_model(name, models[name]) for name in sorted(models)]
    return "\n".join(parts)


def _section(capability: Capability, models: dict[str, Any]) -> str:
    facts = capability.facts
    toolset = f"toolset `{capability.toolset}`" + (", by default" if facts.listed else "")
    role = f"; needs the role {facts.needs.name.lower().replace('_', ' ')}" if facts.of else ""
    lines = [
        f"### {capability.tool}\n",
        f"{capability.description}\n",
        f"- Tool: `{capability.tool}`{_tool_arguments(capability)} ({toolset})",
        f"- Command: `{_command(capability)}`",
        f"- Route: `{http_method(capability)} /api{capability.route}`",
        f"- Python: `{_python(capability)}`",
        f"- Effect: {ROLES[facts.effect]}{role}",
        f"- Result: {_result(capability, models)}",
        f"- Errors: {', '.join(f'`{kind.code}`' for kind in errors_of(capability))}\n",
    ]
    rows = list(_arguments(capability))
    if rows:
        lines += ["| argument | type | default | |", "|---|---|---|---|", *rows, ""]
    return "\n".join(lines)


def _tool_arguments(capability: Capability) -> str:
    """A contract's own arguments, where its tool takes the place of the capability's."""
    own = CONTRACT_TOOLS.get(capability.tool)
    if own is None:
        return ""
    schema = own.input_schema
    required = schema.get("required", [])
    names = [name if name in required else f"{name}?" for name in schema["properties"]]
    return f" with `{', '.join(names)}`"


def _command(capability: Capability) -> str:
    program = Program([capability])
    with program.make_context("quire", [capability.noun], resilient_parsing=True) as context:
        noun = program.get_command(context, capability.noun)
        assert isinstance(noun, click.Group)
        command = noun.get_command(context, capability.verb)
        assert command is not None
        with command.make_context(capability.verb, [], resilient_parsing=True) as own:
            usage = command.collect_usage_pieces(own)
    return " ".join(["quire", capability.noun, capability.verb, *usage])


def _python(capability: Capability) -> str:
    parameters = inspect.signature(capability.declared.method).parameters.values()
    shown = []
    for parameter in parameters:
        if parameter.name != "self":
            given = parameter.default is not parameter.empty
            shown.append(f"{parameter.name}={parameter.default!r}" if given else parameter.name)
    call = f"library.{capability.service}.{capability.method}({', '.join(shown)})"
    return f"async for event in {call}" if capability.declared.shape == "stream" else f"await {call}"


def _arguments(capability: Capability) -> Iterator[str]:
    schema = capability.input_schema
    required = schema.get("required", [])
    for name, argument in schema["properties"].items():
        if capability.declared.hints[name] is Upload:
            kind, default = "file", "required"
        else:
            kind = _type(argument)
            default = "required" if name in required else json.dumps(argument.get("default")).replace("null", "")
        meaning = "" if kind == "file" else argument.get("description", "")
        yield f"| `{name}` | {kind} | {default} | {' '.join(filter(None, [meaning, _bounds(argument)]))} |"


def _bounds(node: dict[str, Any]) -> str:
    unit = " characters" if "maxLength" in node else ""
    least, most = node.get("minimum", node.get("minLength")), node.get("maximum", node.get("maxLength"))
    if most is not None and most > LARGEST_SHOWN:
        most = None
    if least is not None and most is not None:
        return f"{least:,} to {most:,}{unit}."
    if most is not None:
        return f"At most {most:,}{unit}."
    return f"At least {least:,}." if least is not None else ""


def _result(capability: Capability, models: dict[str, Any]) -> str:
    if capability.declared.shape == "download":
        return "the file"
    *parts, last = [
        _named(TypeAdapter(event).json_schema(mode="serialization"), models) for event in capability.declared.events
    ]
    if not parts:
        return last
    events = f"a stream of {', '.join(parts)}, then {last}"
    return events if capability.declared.shape == "stream" else f"{last}, or {events}"


def _named(schema: dict[str, Any], models: dict[str, Any]) -> str:
    """A model by its name, kept to be shown below; a page by what it holds."""
    models.update(schema.get("$defs", {}))
    properties = schema.get("properties", {})
    if {"items", "total", "cursor"} <= properties.keys():
        return f"a page of {_type(properties['items']['items'])}"
    if properties:
        models[schema["title"]] = {key: value for key, value in schema.items() if key != "$defs"}
        return _link(schema["title"])
    return _type(schema)


def _model(name: str, schema: dict[str, Any]) -> str:
    lines = [f"### {name}\n"]
    if schema.get("description"):
        lines.append(" ".join(schema["description"].split()) + "\n")
    if "properties" not in schema:
        return "\n".join([*lines, f"{_type(schema)}\n"])
    lines += ["| field | type | |", "|---|---|---|"]
    for field, node in schema["properties"].items():
        lines.append(f"| `{field}` | {_type(node)} | {node.get('description', '')} |")
    return "\n".join([*lines, ""])


def _type(node: dict[str, Any]) -> str:
    if "$ref" in node:
        return _link(node["$ref"].rpartition("/")[2])
    if "anyOf" in node:
        return " or ".join(_type(option) for option in node["anyOf"])
    if "enum" in node:
        return ", ".join(f"`{value}`" for value in node["enum"])
    if node.get("type") == "array":
        return f"list of {_type(node['items'])}"
    if node.get("format") == "date-time":
        return "time"
    names = {"string": "text", "integer": "whole number", "boolean": "true or false", "null": "null"}
    kind = str(node.get("type", "any"))
    return names.get(kind, kind)


def _link(name: str) -> str:
    return f"[{name}](#{name.lower()})"


def main() -> None:
    page = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/reference.md")
    page.write_text(reference(offered()), encoding="utf-8")


if __name__ == "__main__":
    main()
