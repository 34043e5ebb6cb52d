"""A capability's arguments from what HTTP carries: a query, a JSON body, a form with a file."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from typing import Any
from urllib.parse import parse_qsl

from pydantic_core import from_json
from starlette.requests import ClientDisconnect, Request

from quire.api.capability import Capability
from quire.domain.errors import InvalidInput, TooLarge
from quire.domain.files import Upload
from quire.entry.http.answers import Refused, malformed
from quire.entry.http.multipart import Multipart

MOST_PARAMETERS = 100
# From here on reading a body takes the loop more than a moment.
LARGE = 256 * 1024
WHOLE = re.compile(r"-?[0-9]{1,18}")
NUMBER = re.compile(r"-?[0-9]{1,30}(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?")
UNSAFE = re.compile(r"[\x00-\x1f\x7f]")


def pairs(query: bytes) -> list[tuple[str, str]]:
    """A query or an encoded form, name by name; anything but valid UTF-8 is refused."""
    try:
        return parse_qsl(query.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=MOST_PARAMETERS)
    except UnicodeError:
        raise malformed("The parameters are not valid UTF-8.") from None
    except ValueError:
        raise malformed(f"There are more than {MOST_PARAMETERS} parameters.") from None


def from_pairs(schema: Mapping[str, Any], given: list[tuple[str, str]]) -> dict[str, Any]:
    """Texts as the types that the schema names. What does not fit stays text, for the guard to refuse."""
    arguments: dict[str, Any] = {}
    for name, text in given:
        node = _resolved(schema, schema["properties"].get(name, {}))
        if node.get("type") == "array":
            arguments.setdefault(name, []).append(_typed(_resolved(schema, node.get("items", {})), text))
        elif name in arguments:
            raise malformed("A parameter is given twice.")
        else:
            arguments[name] = _typed(node, text)
    return arguments


def _resolved(schema: Mapping[str, Any], node: Mapping[str, Any]) -> Mapping[str, Any]:
    reference = node.get("$ref")
    return schema["$defs"][reference.rpartition("/")[2]] if reference else node


def _typed(node: Mapping[str, Any], text: str) -> Any:
    match node.get("type"):
        case "integer" if WHOLE.fullmatch(text):
            return int(text)
        case "number" if NUMBER.fullmatch(text):
            return float(text)
        case "boolean" if text in ("true", "false"):
            return text == "true"
        case "object":
            return read_json(text.encode())
    return text


def read_json(data: bytes) -> Any:
    """JSON and nothing else: no NaN, no lone surrogates, and a bounded depth."""
    try:
        return from_json(data, allow_inf_nan=False)
    except ValueError as error:
        raise malformed(f"This is not valid JSON: {error}.") from None


async def from_body(request: Request) -> dict[str, Any]:
    """The arguments of a call that changes something: one JSON object."""
    if request.url.query:
        raise malformed("This call takes its arguments in a JSON body, not in the address.")
    data = b"".join([chunk async for chunk in received(request)])
    if not data:
        return {}
    kind, _, options = request.headers.get("content-type", "").lower().partition(";")
    utf8 = "charset" not in options or "utf-8" in options
    if kind.strip() != "application/json" or not utf8:
        raise Refused(415, "wrong_media_type", "Send the arguments as application/json in UTF-8.")
    arguments = read_json(data) if len(data) < LARGE else await asyncio.to_thread(read_json, data)
    if not isinstance(arguments, dict):
        raise malformed("The arguments must be one JSON object.")
    return arguments


async def received(request: Request) -> AsyncIterator[bytes]:
    """The body as it arrives."""
    try:
        async for chunk in request.stream():
            if chunk:
                yield chunk
    except ClientDisconnect:
        raise InvalidInput("The request was broken off.") from None


async def with_file(request: Request, capability: Capability, limit: int) -> dict[str, Any]:
    """The arguments of an upload; its file is read while the capability runs, never held whole.

    Either a form, whose file comes last, or the file as the body with everything else in the address.
    """
    schema = capability.input_schema
    field = next(name for name, hint in capability.declared.hints.items() if hint is Upload)
    given = pairs(request.scope["query_string"])
    kind = request.headers.get("content-type", "")
    if kind.lower().startswith("multipart/form-data"):
        form = Multipart(kind, received(request))
        given += await form.fields(field)
        name, chunks, size, kind = form.file_name, form.chunks(), None, form.media_type or ""
    else:
        names = [text for key, text in given if key == "name"]
        if "name" not in schema["properties"]:
            given = [(key, text) for key, text in given if key != "name"]
        length = request.headers.get("content-length", "")
        name, chunks, size = names[0] if names else "", received(request), int(length) if length.isdigit() else None
    arguments = from_pairs(schema, given)
    if field in arguments:
        raise malformed(f"'{field}' is the file itself.")
    return arguments | {field: Upload(base_name(name), lambda: at_most(limit, chunks), size, kind or None)}


def base_name(name: str) -> str:
    """A file's name without folders and control characters."""
    last = re.split(r"[/\\]", UNSAFE.sub("", name))[-1].strip()
    return last.encode("utf-8", "replace").decode()[:255] or "upload"


async def at_most(limit: int, chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    size = 0
    async for chunk in chunks:
        size += len(chunk)
        if size > limit:
            raise TooLarge(f"The file is larger than {limit:,} bytes.", limit=limit)
        yield chunk
