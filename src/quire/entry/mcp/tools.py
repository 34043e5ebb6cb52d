"""A tool as MCP sees it: derived from a capability, or a contract's own."""

from __future__ import annotations

import asyncio
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
    from quire.entry.contract_tools.contract import Contract
    from quire.entry.contract_tools.contract_tool import ContractTool

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
    is_short: bool

    def declaration(self) -> types.Tool: ...

    async def call(self, call: Call, arguments: dict[str, Any]) -> types.CallToolResult: ...


class CapabilityTool:
    """All comes from the capability, and the form of answers and errors from its toolset's contract.

    `own` is the contract's own tool in the place of the capability's, with arguments and texts of its own.
    """

    def __init__(
        self, capability: Capability, contract: Contract, own: ContractTool[Any, Any] | None = None, timeout: float = 0
    ) -> None:
        self.capability = capability
        self.contract = contract
        self.own = own
        self.timeout = timeout
        self.name = capability.tool
        self.aliases: tuple[str, ...] = own.aliases if own else ()
        self.toolset = capability.toolset
        self.listed = capability.facts.listed
        self.effect: str = capability.facts.effect
        self.is_short = capability.is_short

    def declaration(self) -> types.Tool:
        capability, own = self.capability, self.own
        return types.Tool(
            name=self.name,
            description=own.description if own else capability.summary,
            input_schema=own.input_schema if own else self._with_seconds(capability.input_schema),
            output_schema=self._output_schema(),
            annotations=hints(capability),
        )

    async def call(self, call: Call, arguments: dict[str, Any]) -> types.CallToolResult:
        try:
            if self.own:
                library = in_time(call.library, self.own.seconds, self.timeout)
                return success(*await guard.adapted(self.own, self.capability.declared, library, arguments))
            result = await self._result(call, self.contract.reshaped(arguments))
            answer = self.contract.answer(self.capability, result)
            return success(*answer, link_to(result), self.contract.remark(result))
        except QuireError as error:
            return failure(*self.contract.error(error, arguments))

    async def _result(self, call: Call, arguments: dict[str, Any]) -> Any:
        capability, declared = self.capability, self.capability.declared
        if declared.shape == "upload":
            arguments = with_upload(capability, arguments, call.local)
        if declared.shape != "stream":
            return await capability.call(call.library, arguments)
        if self._has_seconds:
            arguments = {"seconds": STREAM_SECONDS} | arguments
        return await guard.last_of(declared, capability.events(call.library, arguments), call.library.context)

    @property
    def _has_seconds(self) -> bool:
        """Whether it goes on until it is told to stop, which a client of ours would not wait for."""
        return self.capability.declared.shape == "stream" and "seconds" in self.capability.declared.parameters

    def _with_seconds(self, schema: dict[str, Any]) -> dict[str, Any]:
        if not self._has_seconds:
            return schema
        seconds = schema["properties"]["seconds"] | {"default": STREAM_SECONDS}
        return schema | {"properties": schema["properties"] | {"seconds": seconds}}

    def _output_schema(self) -> dict[str, Any] | None:
        if self.own:
            return self.own.output_schema
        return self.capability.output_schema if self.contract.tells_results else None


def in_time(library: Library, seconds: tuple[float, float] | None, wanted: float) -> Library:
    """The library with the time that a contract has for one call."""
    if seconds is None:
        return library
    usual, most = seconds
    until = asyncio.get_running_loop().time() + min(wanted or usual, most)
    return library.within(replace(library.context, deadline=until))


def hints(capability: Capability) -> types.ToolAnnotations:
    facts = capability.facts
    return types.ToolAnnotations(
        read_only_hint=facts.effect == "read",
        destructive_hint=facts.effect == "destroy" or facts.overwrites,
        idempotent_hint=facts.effect == "read" or facts.idempotent,
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


def success(
    text: str, data: Any, link: types.ResourceLink | None = None, remark: str | None = None
) -> types.CallToolResult:
    content: list[types.ContentBlock] = [types.TextContent(text=text)]
    if remark:
        content.append(types.TextContent(text=remark))
    return types.CallToolResult(content=content + ([link] if link else []), structured_content=data)


def failure(text: str, body: dict[str, Any]) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=text)], structured_content=body, is_error=True)


def link_to(result: Any) -> types.ResourceLink | None:
    """A file by its address, where it has one."""
    if not isinstance(result, Download) or not result.url:
        return None
    return types.ResourceLink(uri=result.url, name=result.name, mime_type=result.media_type, size=result.size)
