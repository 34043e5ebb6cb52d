"""The OpenAPI description of `/api`, from the same capabilities as the routes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import Any

from pydantic import TypeAdapter

from quire import __version__
from quire.api.capability import Capability
from quire.domain.errors import InvalidInput, LimitReached, NotAllowed, NotFound, QuireError, TimedOut, TooLarge
from quire.domain.files import Upload
from quire.domain.sharing import Role
from quire.entry.contract_tools import contract_of

DEFS = "#/$defs/"
SCHEMAS = "#/components/schemas/"
ERROR = {
    "type": "object",
    "description": "What went wrong, for programs (code) and for people (message, hint).",
    "properties": {
        "code": {"type": "string"},
        "message": {"type": "string"},
        "retriable": {"type": "boolean", "description": "Whether the same call may succeed later."},
        "hint": {"type": "string"},
    },
    "required": ["code", "message", "retriable"],
}


def http_method(capability: Capability) -> str:
    return "GET" if capability.facts.effect == "read" and capability.declared.shape != "upload" else "POST"


def errors_of(capability: Capability) -> list[type[QuireError]]:
    """The errors that a capability is known to answer with: of the guard, of its role check, and its own."""
    found: set[type[QuireError]] = {InvalidInput, TooLarge, LimitReached, TimedOut}
    if capability.facts.of:
        found.add(NotFound)
        if capability.facts.needs > Role.VIEWER:
            found.add(NotAllowed)
    found |= set(contract_of(capability).errors)
    return sorted(found | set(capability.facts.errors), key=lambda kind: (kind.status, kind.code))


def describe(capabilities: Iterable[Capability], url: str) -> dict[str, Any]:
    schemas: dict[str, Any] = {"Error": ERROR}
    paths: dict[str, Any] = {}
    for capability in capabilities:
        paths[f"/api{capability.route}"] = {http_method(capability).lower(): _operation(capability, schemas)}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Quire",
            "version": __version__,
            "summary": "An open notebook for people and their agents.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": url}],
        "security": [{}, {"token": []}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "Needed where the server has a token set.",
                }
            },
        },
    }


def _operation(capability: Capability, schemas: dict[str, Any]) -> dict[str, Any]:
    shape = capability.declared.shape
    arguments = _shared(capability.input_schema, schemas, "Input")
    operation: dict[str, Any] = {
        "operationId": capability.tool,
        "tags": [capability.noun],
        "summary": capability.summary,
        "description": capability.description,
        "responses": {"200": _result(capability, schemas)} | _failures(capability),
    }
    if http_method(capability) == "GET":
        operation["parameters"] = _parameters(arguments)
    elif shape == "upload":
        operation |= _upload(capability, arguments)
    else:
        content = {"application/json": {"schema": arguments}}
        operation["requestBody"] = {"required": bool(arguments.get("required")), "content": content}
    return operation


def _parameters(arguments: dict[str, Any]) -> list[dict[str, Any]]:
    required = arguments.get("required", [])
    found = []
    for name, schema in arguments["properties"].items():
        kept = {key: value for key, value in schema.items() if key != "description"}
        parameter = {"name": name, "in": "query", "required": name in required, "schema": kept}
        if "description" in schema:
            parameter["description"] = schema["description"]
        found.append(parameter)
    return found


def _upload(capability: Capability, arguments: dict[str, Any]) -> dict[str, Any]:
    field = next(name for name, hint in capability.declared.hints.items() if hint is Upload)
    others = {name: schema for name, schema in arguments["properties"].items() if name != field}
    file = {"type": "string", "contentMediaType": "application/octet-stream", "description": "The file, last."}
    form = {"type": "object", "properties": {**others, field: file}, "required": [field], "additionalProperties": False}
    name = {"type": "string", "description": "The file's name, where the file is the body."}
    return {
        "parameters": [
            {**parameter, "required": False} for parameter in _parameters({"properties": {"name": name, **others}})
        ],
        "requestBody": {
            "required": True,
            "content": {
                "multipart/form-data": {"schema": form},
                "application/octet-stream": {"schema": {"type": "string", "contentMediaType": "*/*"}},
            },
        },
    }


def _result(capability: Capability, schemas: dict[str, Any]) -> dict[str, Any]:
    shape = capability.declared.shape
    if shape == "download":
        whole = {"schema": {"type": "string", "contentMediaType": "application/octet-stream"}}
        return {"description": "The file, as an attachment.", "content": {"application/octet-stream": whole}}
    content: dict[str, Any] = {}
    description = "What came of it."
    if shape != "stream":
        content["application/json"] = {"schema": _shared(capability.output_schema, schemas)}
    if shape == "stream" or capability.declared.part:
        line = _shared(TypeAdapter(reduce(or_, capability.declared.events)).json_schema(mode="serialization"), schemas)
        content |= {"text/event-stream": {"schema": {"type": "string"}}, "application/x-ndjson": {"schema": line}}
        events = "Events as they happen: `item`s, then a `result`; `failure` where it broke off."
        description = events if shape == "stream" else f"{description} {events}"
    return {"description": description, "content": content}


def _failures(capability: Capability) -> dict[str, Any]:
    """One answer a status, naming the codes it can have; anything else looks the same."""
    codes: dict[int, list[str]] = {}
    contract = contract_of(capability)
    for kind in errors_of(capability):
        codes.setdefault(contract.status(kind) if contract.over_http else kind.status, []).append(kind.code)
    body = {"application/json": {"schema": {"$ref": f"{SCHEMAS}Error"}}}
    failures: dict[str, Any] = {
        str(status): {"description": " or ".join(names), "content": body} for status, names in codes.items()
    }
    return failures | {"default": {"description": "Any other error, in the same form.", "content": body}}


def _shared(schema: dict[str, Any], schemas: dict[str, Any], suffix: str = "") -> dict[str, Any]:
    """The schema with its definitions moved to where all of the description can refer to them."""

    def moved(node: Any) -> Any:
        if isinstance(node, list):
            return [moved(item) for item in node]
        if not isinstance(node, dict):
            return node
        found = {key: moved(value) for key, value in node.items() if key != "$defs"}
        if isinstance(found.get("$ref"), str):
            found["$ref"] = found["$ref"].replace(DEFS, SCHEMAS) + suffix
        return found

    for name, definition in schema.get("$defs", {}).items():
        definition = moved(definition)
        if schemas.setdefault(name + suffix, definition) != definition:
            raise RuntimeError(f"two different things are called {name}")
    whole: dict[str, Any] = moved(schema)
    return whole
