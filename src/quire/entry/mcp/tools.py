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
from quire.domain.errors import InvalidInput, NotFound, QuireError
from quire.domain.files import Download, Upload
from quire.entry.mcp.client_requests import ClientRequests
from quire.entry.mcp.schemas import UPLOADED, is_upload, lean, outline

if TYPE_CHECKING:
    from quire.api.capability import Capability
    from quire.api.library import Library
    from quire.entry.contract_tools.contract import Contract
    from quire.entry.contract_tools.contract_tool import ContractTool

STREAM_SECONDS = 50
# What may be called by its title, or by the beginning of its id: looked for only once it is not found as it was given.
NAMED = ("notebook", "source", "label", "research", "collection")

# What a tool answers, in the form that it is sent in: the SDK checks that in any case.
Answer = dict[str, Any]


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
    reads_only: bool
    is_short: bool

    def declaration(self, read_only: bool) -> types.Tool: ...

    async def call(self, call: Call, arguments: dict[str, Any]) -> types.CallToolResult | Answer: ...


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
        self.reads_only = capability.facts.reads_only
        self.is_short = capability.is_short

    def declaration(self, read_only: bool) -> types.Tool:
        capability, own = self.capability, self.own
        return types.Tool(
            name=self.name,
            description=own.description if own else capability.summary,
            input_schema=own.input_schema if own else lean(self._with_seconds(capability.input_schema)),
            output_schema=self._output_schema(),
            annotations=hints(capability, read_only),
        )

    async def call(self, call: Call, arguments: dict[str, Any]) -> Answer:
        try:
            try:
                return await self._answer(call, arguments)
            except NotFound as error:
                if error.details["noun"] not in NAMED:
                    raise
                from quire.entry.naming import by_id

                named = await by_id(call.library, self.capability, arguments)
                if named == arguments:
                    raise
                return await self._answer(call, named)
        except QuireError as error:
            return failure(*self.contract.error(error, arguments))

    async def _answer(self, call: Call, arguments: dict[str, Any]) -> Answer:
        if self.own:
            library = in_time(call.library, self.own.seconds, self.timeout)
            return success(*await guard.adapted(self.own, self.capability.declared, library, arguments))
        result = await self._result(call, self.contract.reshaped(arguments))
        answer = self.contract.answer(self.capability, result)
        made = success(*answer, link_to(result), self.contract.remark(result))
        return made | {"content": made["content"] + self.contract.attached(result)}

    async def _result(self, call: Call, arguments: dict[str, Any]) -> Any:
        capability, declared = self.capability, self.capability.declared
        if declared.shape == "upload":
            arguments = with_upload(capability, arguments, call.local)
        if declared.shape != "stream":
            return await capability.call(call.library, arguments)
        if self._has_seconds:
            arguments = {"seconds": STREAM_SECONDS} | arguments
        context = call.library.context
        return await guard.last_of(declared, capability.events(call.library, arguments), context, self.contract.told)

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
        return outline(self.capability.output_schema) if self.contract.tells_results else None


def in_time(library: Library, seconds: tuple[float, float] | None, wanted: float) -> Library:
    """The library with the time that a contract has for one call."""
    if seconds is None:
        return library
    usual, most = seconds
    until = asyncio.get_running_loop().time() + min(wanted or usual, most)
    return library.within(replace(library.context, deadline=until))


def hints(capability: Capability, read_only: bool) -> types.ToolAnnotations:
    facts = capability.facts
    return types.ToolAnnotations(
        read_only_hint=read_only or facts.effect == "read",
        destructive_hint=facts.effect == "destroy" or facts.overwrites,
        idempotent_hint=facts.effect == "read" or facts.idempotent,
        open_world_hint=facts.open_world,
    )


def with_upload(capability: Capability, arguments: dict[str, Any], local: bool) -> dict[str, Any]:
    """Arguments whose file, told as a path on a local server or as text with a name, is an upload."""
    file = {name: arguments[name] for name in UPLOADED if arguments.get(name) is not None}
    rest = {name: value for name, value in arguments.items() if name not in UPLOADED}
    for name, value in file.items():
        guard.refuse_bad_text(name, value)
        if not isinstance(value, str):
            raise InvalidInput(f"{name}: must be a string.", field=name)
    if ("text" in file) == ("path" in file):
        raise InvalidInput("path: give either path or text.", field="path")
    if "text" in file:
        upload = Upload.of(file["text"], file.get("name"))
    elif not local:
        raise InvalidInput(
            "path: a path is only read where the server runs on your machine over stdio.",
            hint="Send the text, or upload the file over HTTP.",
            field="path",
        )
    else:
        upload = Upload.of(_readable(file["path"]), file.get("name"))
    properties = capability.input_schema["properties"]
    return rest | {next(name for name, schema in properties.items() if is_upload(schema)): upload}


def _readable(given: str) -> Path:
    try:
        path = Path(given).expanduser()
        if path.is_file() and os.access(path, os.R_OK):
            return path
    except (OSError, RuntimeError):
        pass
    raise InvalidInput("path: there is no file at that path that can be read.", field="path")


def success(text: str, data: Any, link: types.ResourceLink | None = None, remark: str | None = None) -> Answer:
    content: list[dict[str, Any]] = [{"type": "text", "text": said} for said in (text, remark) if said is not None]
    if link:
        content.append(link.model_dump(by_alias=True, mode="json", exclude_none=True))
    return {"content": content, "structuredContent": data, "isError": False, "resultType": "complete"}


def failure(text: str, body: dict[str, Any]) -> Answer:
    return success(text, body) | {"isError": True}


def link_to(result: Any) -> types.ResourceLink | None:
    """A file by its address, where it has one."""
    if not isinstance(result, Download) or not result.url:
        return None
    return types.ResourceLink(uri=result.url, name=result.name, mime_type=result.media_type, size=result.size)
