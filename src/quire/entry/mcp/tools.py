"""A tool as MCP sees it: derived from a capability, or the face of a contract."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import mcp_types as types

from quire.api import guard
from quire.api.capability import Capability
from quire.api.library import Library
from quire.domain.errors import InvalidInput, QuireError
from quire.domain.files import Download, Upload
from quire.entry.mcp.client_requests import ClientRequests

if TYPE_CHECKING:
    from quire.entry.faces.face import Face

STREAM_SECONDS = 50


@dataclass(frozen=True)
class Call:
    """One call of a tool: the library bound to its caller, and the way back to the client."""

    library: Library
    client: ClientRequests
    local: bool
    log: Callable[[types.LoggingLevel, str], Awaitable[None]]


class Tool(Protocol):
    name: str
    aliases: tuple[str, ...]
    toolset: str
    listed: bool
    effect: str

    def declaration(self) -> types.Tool: ...

    async def call(self, call: Call, arguments: dict[str, Any]) -> types.CallToolResult: ...


class CapabilityTool:
    """Everything comes from the capability: schemas, description, annotations, results."""

    aliases: tuple[str, ...] = ()

    def __init__(self, capability: Capability) -> None:
        self.capability = capability
        self.name = capability.tool
        self.toolset = capability.toolset
        self.listed = capability.facts.listed
        self.effect: str = capability.facts.effect

    def declaration(self) -> types.Tool:
        schema = self.capability.input_schema
        if self.capability.declared.shape == "stream" and "seconds" in schema["properties"]:
            seconds = schema["properties"]["seconds"] | {"default": STREAM_SECONDS}
            schema = schema | {"properties": schema["properties"] | {"seconds": seconds}}
        return types.Tool(
            name=self.name,
            description=self.capability.summary,
            input_schema=schema,
            output_schema=self.capability.output_schema,
            annotations=hints(self.capability),
        )

    async def call(self, call: Call, arguments: dict[str, Any]) -> types.CallToolResult:
        shape = self.capability.declared.shape
        try:
            if shape == "upload":
                arguments = with_upload(self.capability, arguments, call.local)
            if shape == "stream":
                if "seconds" in self.capability.input_schema["properties"]:
                    arguments = {"seconds": STREAM_SECONDS} | arguments
                result = await self._stream(call, arguments)
            else:
                result = await self.capability.call(call.library, arguments)
        except QuireError as error:
            return failure(compact(error.body()), error.body())
        return self._answer(result)

    async def _stream(self, call: Call, arguments: dict[str, Any]) -> Any:
        """Events travel as progress; the last one is the value."""
        last, count = None, 0
        async for event in self.capability.call(call.library, arguments):
            if last is not None:
                count += 1
                await call.library.context.report(count, None, compact(last.model_dump(mode="json")))
            last = event
        return last

    def _answer(self, result: Any) -> types.CallToolResult:
        data = self.capability.dump(result)
        content: list[types.ContentBlock] = [types.TextContent(text=compact(data))]
        if isinstance(result, Download) and result.url:
            content.append(
                types.ResourceLink(uri=result.url, name=result.name, mime_type=result.media_type, size=result.size)
            )
        return types.CallToolResult(content=content, structured_content=data)


class FaceTool:
    """A contract's own tool: its arguments, texts and errors are the face's."""

    def __init__(self, face: Face[Any, Any], capability: Capability, timeout: float = 0) -> None:
        self.face = face
        self.timeout = timeout
        self.capability = capability
        self.name = face.tool
        self.aliases = face.aliases
        self.toolset = capability.toolset
        self.listed = capability.facts.listed
        self.effect: str = capability.facts.effect

    def declaration(self) -> types.Tool:
        return types.Tool(
            name=self.name,
            description=self.face.description,
            input_schema=self.face.input_schema(),
            output_schema=self.face.output_schema,
            annotations=hints(self.capability, self.face.destructive),
        )

    async def call(self, call: Call, arguments: dict[str, Any]) -> types.CallToolResult:
        try:
            given = guard.validated(self.face.input, self.face.arguments(arguments))
            result = await self.face.call(in_time(call.library, self.face.seconds, self.timeout), given)
        except QuireError as error:
            text, body = self.face.error(error, arguments)
            return failure(text, body)
        return types.CallToolResult(
            content=[types.TextContent(text=self.face.text(result, given))],
            structured_content=self.face.structured(result),
        )


def in_time(library: Library, seconds: tuple[float, float] | None, wanted: float) -> Library:
    """The library with the time that a face has for one call."""
    if seconds is None:
        return library
    usual, most = seconds
    until = asyncio.get_running_loop().time() + min(wanted or usual, most)
    return library.within(replace(library.context, deadline=until))


def hints(capability: Capability, destructive: bool | None = None) -> types.ToolAnnotations:
    effect = capability.facts.effect
    return types.ToolAnnotations(
        read_only_hint=effect == "read",
        destructive_hint=effect == "destroy" if destructive is None else destructive,
        idempotent_hint=effect == "read" or capability.facts.idempotent,
        open_world_hint=False,
    )


def with_upload(capability: Capability, arguments: dict[str, Any], local: bool) -> dict[str, Any]:
    """Arguments whose file (text, or a path on a local server) is an upload."""
    for name, schema in capability.input_schema["properties"].items():
        if schema.get("x-quire") != "upload" or name not in arguments:
            continue
        file = arguments[name]
        guard.refuse_bad_text(name, file)
        if not isinstance(file, dict) or set(file) - {"name", "text", "path"}:
            raise InvalidInput(f"{name}: must be an object with text or path, and maybe name.", field=name)
        if not all(isinstance(value, str) for value in file.values()):
            raise InvalidInput(f"{name}: name, text and path must be strings.", field=name)
        if ("text" in file) == ("path" in file):
            raise InvalidInput(f"{name}: give either text or path.", field=name)
        if "text" in file:
            upload = Upload.of(file["text"], file.get("name"))
        elif not local:
            raise InvalidInput(
                f"{name}: a path is only read where the server runs on your machine over stdio.",
                hint="Send the text, or upload the file over HTTP.",
                field=name,
            )
        else:
            upload = Upload.of(_readable(name, file["path"]), file.get("name"))
        return arguments | {name: upload}
    return arguments


def _readable(name: str, given: str) -> Path:
    try:
        path = Path(given).expanduser()
        if path.is_file() and os.access(path, os.R_OK):
            return path
    except (OSError, RuntimeError):
        pass
    raise InvalidInput(f"{name}: there is no file at that path that can be read.", field=name)


def failure(text: str, body: dict[str, Any]) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=text)], structured_content=body, is_error=True)


def compact(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
