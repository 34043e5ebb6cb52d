"""What the official suite expects of a server under test, offered through our own server class."""

from __future__ import annotations

import asyncio
import base64
import json
import struct
import zlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import mcp_types as types

from quire.api.library import Library
from quire.domain.errors import QuireError
from quire.domain.events import Event
from quire.entry.contract_tools.contract import compact
from quire.entry.mcp.client_requests import ClientRequests
from quire.entry.mcp.offer import Offer
from quire.entry.mcp.selection import Selection
from quire.entry.mcp.server import McpServer
from quire.entry.mcp.toolbox import Toolbox
from quire.entry.mcp.tools import Answer, Call, failure
from quire.entry.resources import Touched

Body = Callable[[Call, dict[str, Any]], Awaitable[types.CallToolResult | str]]


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


PNG = base64.b64encode(
    b"\x89PNG\r\n\x1a\n"
    + _chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
    + _chunk(b"IDAT", zlib.compress(b"\0\xff\0\0"))
    + _chunk(b"IEND", b"")
).decode()
WAV = base64.b64encode(
    struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36, b"WAVE", b"fmt ", 16, 1, 1, 8000, 8000, 1, 8, b"data", 0)
).decode()


@dataclass(frozen=True)
class FixtureTool:
    """A tool that is a function of the test's own."""

    name: str
    body: Body
    properties: Mapping[str, Any] = field(default_factory=dict)
    schema: Mapping[str, Any] | None = None
    aliases: tuple[str, ...] = ()
    toolset: str = "notes"
    listed: bool = True
    is_short: bool = False
    reads_only: bool = True

    def declaration(self, read_only: bool) -> types.Tool:
        schema = {"type": "object", "properties": dict(self.properties), "required": list(self.properties)}
        return types.Tool(name=self.name, description=f"Fixture {self.name}.", input_schema=self.schema or schema)

    async def call(self, call: Call, arguments: dict[str, Any]) -> types.CallToolResult | Answer:
        try:
            result = await self.body(call, arguments)
        except QuireError as error:
            return failure(error.message, error.body())
        return _said(result) if isinstance(result, str) else result


def _said(*content: str | types.ContentBlock) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(text=one) if isinstance(one, str) else one for one in content]
    )


def _embedded(uri: str, text: str, mime_type: str = "text/plain") -> types.EmbeddedResource:
    return types.EmbeddedResource(resource=types.TextResourceContents(uri=uri, mime_type=mime_type, text=text))


def form(message: str, properties: dict[str, Any], required: Sequence[str] | None = None) -> types.ElicitRequest:
    """A question to the person behind the client."""
    needed = list(properties if required is None else required)
    schema = {"type": "object", "properties": properties, "required": needed}
    return types.ElicitRequest(params=types.ElicitRequestFormParams(message=message, requested_schema=schema))


def sampling(prompt: str, max_tokens: int = 100) -> types.CreateMessageRequest:
    """A question to the client's model."""
    message = types.SamplingMessage(role="user", content=types.TextContent(text=prompt))
    return types.CreateMessageRequest(
        params=types.CreateMessageRequestParams(messages=[message], max_tokens=max_tokens)
    )


ROOTS = types.ListRootsRequest()
TEXT = {"type": "string"}


async def simple(call: Call, arguments: dict[str, Any]) -> str:
    return "This is a simple text response for testing."


async def image(call: Call, arguments: dict[str, Any]) -> types.CallToolResult:
    return _said(types.ImageContent(data=PNG, mime_type="image/png"))


async def audio(call: Call, arguments: dict[str, Any]) -> types.CallToolResult:
    return _said(types.AudioContent(data=WAV, mime_type="audio/wav"))


async def embedded(call: Call, arguments: dict[str, Any]) -> types.CallToolResult:
    return _said(_embedded("test://embedded-resource", "This is an embedded resource content."))


async def mixed(call: Call, arguments: dict[str, Any]) -> types.CallToolResult:
    data = _embedded("test://mixed-content-resource", '{"test":"data","value":123}', "application/json")
    return _said("Multiple content types test:", types.ImageContent(data=PNG, mime_type="image/png"), data)


async def failing(call: Call, arguments: dict[str, Any]) -> str:
    raise QuireError("This tool intentionally returns an error for testing")


async def logging(call: Call, arguments: dict[str, Any]) -> str:
    for message in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await call.log("info", message)
        await asyncio.sleep(0.05)
    return "Logged three times."


async def progressing(call: Call, arguments: dict[str, Any]) -> str:
    for done in (0, 50, 100):
        await call.library.context.report(done, 100, f"Completed step {done} of 100")
        await asyncio.sleep(0.05)
    return "Reported three times."


async def sampled(call: Call, arguments: dict[str, Any]) -> str:
    answers = await call.client.ask({"sampled": sampling(arguments["prompt"])})
    return f"LLM response: {answers['sampled'].content.text}"


async def _elicited(call: Call, request: types.ElicitRequest, before: str) -> str:
    answer = (await call.client.ask({"elicited": request}))["elicited"]
    return f"{before}action={answer.action}, content={compact(answer.content)}"


async def elicitation(call: Call, arguments: dict[str, Any]) -> str:
    fields = {
        "username": {"type": "string", "description": "User's response"},
        "email": {"type": "string", "description": "User's email address"},
    }
    return await _elicited(call, form(arguments["message"], fields), "User response: ")


async def defaults(call: Call, arguments: dict[str, Any]) -> str:
    fields = {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": True},
    }
    return await _elicited(call, form("Please check", fields, []), "Elicitation completed: ")


async def enums(call: Call, arguments: dict[str, Any]) -> str:
    plain = ["option1", "option2", "option3"]
    titled = [
        {"const": f"value{number}", "title": title} for number, title in enumerate(["First", "Second", "Third"], 1)
    ]
    legacy = {"enum": ["opt1", "opt2", "opt3"], "enumNames": ["Option One", "Option Two", "Option Three"]}
    fields = {
        "untitledSingle": {"type": "string", "enum": plain},
        "titledSingle": {"type": "string", "oneOf": titled},
        "legacyEnum": {"type": "string", **legacy},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": plain}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled}},
    }
    return await _elicited(call, form("Please choose", fields, []), "Elicitation completed: ")


async def needs_sampling(call: Call, arguments: dict[str, Any]) -> str:
    await call.client.ask({"needed": sampling("Are you there?")})
    return "Sampled."


async def asks_name(call: Call, arguments: dict[str, Any]) -> str:
    answers = await call.client.ask({"user_name": form("What is your name?", {"name": TEXT})})
    return f"Hello, {(answers['user_name'].content or {}).get('name')}!"


async def asks_capital(call: Call, arguments: dict[str, Any]) -> str:
    answers = await call.client.ask({"capital_question": sampling("What is the capital of France?")})
    return str(answers["capital_question"].content.text)


async def asks_roots(call: Call, arguments: dict[str, Any]) -> str:
    answers = await call.client.ask({"client_roots": ROOTS})
    return "Roots: " + ", ".join(str(root.uri) for root in answers["client_roots"].roots)


async def asks_with_state(call: Call, arguments: dict[str, Any]) -> str:
    seen = call.client.answers.get("asked")
    call.client.answers["asked"] = True
    await call.client.ask({"confirm": form("Please confirm", {"ok": {"type": "boolean"}})})
    return "state-ok" if seen else "the state was lost"


async def asks_all(call: Call, arguments: dict[str, Any]) -> str:
    call.client.answers["asked"] = True
    answers = await call.client.ask(
        {
            "user_name": form("What is your name?", {"name": TEXT}),
            "greeting": sampling("Generate a greeting", 50),
            "client_roots": ROOTS,
        }
    )
    return f"{answers['greeting'].content.text} {answers['user_name'].content} {len(answers['client_roots'].roots)}"


async def asks_twice(call: Call, arguments: dict[str, Any]) -> str:
    call.client.answers["began"] = True
    first = await call.client.ask({"step1": form("Step 1: What is your name?", {"name": TEXT})})
    second = await call.client.ask({"step2": form("Step 2: What is your favorite color?", {"color": TEXT})})
    return f"{first['step1'].content} {second['step2'].content}"


async def asks_what_it_may(call: Call, arguments: dict[str, Any]) -> str:
    wanted: dict[str, types.InputRequest] = {
        "asked": form("What is your name?", {"name": TEXT}),
        "sampled": sampling("Say something"),
    }
    answers = await call.client.ask({key: one for key, one in wanted.items() if call.client.can(one.method)})
    return f"Answered: {sorted(answers)}"


async def logs_and_asks(call: Call, arguments: dict[str, Any]) -> str:
    await call.library.context.report(1, 2, "asking")
    return await asks_name(call, arguments)


BROAD_SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {"$anchor": "addressDef", "type": "object", "properties": {"street": TEXT, "city": TEXT}},
    },
    "properties": {
        "name": TEXT,
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": TEXT,
        "email": TEXT,
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}

TOOLS: dict[str, tuple[Any, ...]] = {
    "test_simple_text": (simple, {}),
    "test_image_content": (image, {}),
    "test_audio_content": (audio, {}),
    "test_embedded_resource": (embedded, {}),
    "test_multiple_content_types": (mixed, {}),
    "test_error_handling": (failing, {}),
    "test_tool_with_logging": (logging, {}),
    "test_logging_tool": (logging, {}),
    "test_tool_with_progress": (progressing, {}),
    "test_sampling": (sampled, {"prompt": TEXT}),
    "test_elicitation": (elicitation, {"message": TEXT}),
    "test_elicitation_sep1034_defaults": (defaults, {}),
    "test_elicitation_sep1330_enums": (enums, {}),
    "test_missing_capability": (needs_sampling, {}),
    "test_streaming_elicitation": (logs_and_asks, {}),
    "test_input_required_result_elicitation": (asks_name, {}),
    "test_input_required_result_sampling": (asks_capital, {}),
    "test_input_required_result_list_roots": (asks_roots, {}),
    "test_input_required_result_request_state": (asks_with_state, {}),
    "test_input_required_result_tampered_state": (asks_with_state, {}),
    "test_input_required_result_multiple_inputs": (asks_all, {}),
    "test_input_required_result_multi_round": (asks_twice, {}),
    "test_input_required_result_capabilities": (asks_what_it_may, {}),
    "json_schema_2020_12_tool": (simple, {}, BROAD_SCHEMA),
    "test_header_argument": (simple, {"region": {"type": "string", "x-mcp-header": "Region"}}),
}


class FixtureResources:
    """Three fixed resources and a template."""

    TEMPLATE = "test://template/{id}/data"

    async def list(self, library: Library, cursor: str | None) -> tuple[list[types.Resource], str | None]:
        return [
            types.Resource(uri="test://static-text", name="text", description="Text", mime_type="text/plain"),
            types.Resource(uri="test://static-binary", name="binary", description="Bytes", mime_type="image/png"),
            types.Resource(uri="test://watched-resource", name="watched", description="Text", mime_type="text/plain"),
        ], None

    def templates(self) -> Sequence[types.ResourceTemplate]:
        return [types.ResourceTemplate(uri_template=self.TEMPLATE, name="data", mime_type="application/json")]

    async def read(self, library: Library, uri: str) -> Sequence[types.ResourceContents] | None:
        if uri in ("test://static-text", "test://watched-resource"):
            text = "This is the content of the static text resource."
            return [types.TextResourceContents(uri=uri, mime_type="text/plain", text=text)]
        if uri == "test://static-binary":
            return [types.BlobResourceContents(uri=uri, mime_type="image/png", blob=PNG)]
        if uri.startswith("test://template/") and uri.endswith("/data"):
            id = uri.removeprefix("test://template/").removesuffix("/data")
            text = json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})
            return [types.TextResourceContents(uri=uri, mime_type="application/json", text=text)]
        return None

    async def complete(self, library: Library, template: str, argument: str, value: str) -> Sequence[str] | None:
        return ["123"] if template == self.TEMPLATE else None

    async def touched(self, library: Library, event: Event) -> Touched:
        return Touched()


@dataclass(frozen=True)
class FixturePrompt:
    """A prompt that is a function of the test's own."""

    name: str
    body: Callable[[ClientRequests, Mapping[str, str]], Awaitable[Sequence[types.ContentBlock]]]
    arguments: tuple[types.PromptArgument, ...] = ()
    tools: tuple[str, ...] = ()

    def declaration(self) -> types.Prompt:
        return types.Prompt(name=self.name, description=f"Fixture {self.name}.", arguments=list(self.arguments))

    async def get(self, client: ClientRequests, arguments: Mapping[str, str]) -> types.GetPromptResult:
        content = await self.body(client, arguments)
        return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=one) for one in content])


def _arguments(*names: str) -> tuple[types.PromptArgument, ...]:
    return tuple(types.PromptArgument(name=name, description="An argument.", required=True) for name in names)


async def prompt_simple(client: ClientRequests, given: Mapping[str, str]) -> Sequence[types.ContentBlock]:
    return [types.TextContent(text="This is a simple prompt for testing.")]


async def prompt_filled(client: ClientRequests, given: Mapping[str, str]) -> Sequence[types.ContentBlock]:
    return [types.TextContent(text=f"Prompt with arguments: arg1='{given['arg1']}', arg2='{given['arg2']}'")]


async def prompt_embedded(client: ClientRequests, given: Mapping[str, str]) -> Sequence[types.ContentBlock]:
    resource = _embedded(given["resourceUri"], "Embedded resource content for testing.")
    return [resource, types.TextContent(text="Please process the embedded resource above.")]


async def prompt_image(client: ClientRequests, given: Mapping[str, str]) -> Sequence[types.ContentBlock]:
    picture = types.ImageContent(data=PNG, mime_type="image/png")
    return [picture, types.TextContent(text="Please analyze the image above.")]


async def prompt_asking(client: ClientRequests, given: Mapping[str, str]) -> Sequence[types.ContentBlock]:
    question = form("What context should the prompt use?", {"context": TEXT})
    answers = await client.ask({"user_context": question})
    return [types.TextContent(text=f"Use {answers['user_context'].content}")]


PROMPTS = (
    FixturePrompt("test_simple_prompt", prompt_simple),
    FixturePrompt("test_prompt_with_arguments", prompt_filled, _arguments("arg1", "arg2")),
    FixturePrompt("test_prompt_with_embedded_resource", prompt_embedded, _arguments("resourceUri")),
    FixturePrompt("test_prompt_with_image", prompt_image),
    FixturePrompt("test_input_required_result_prompt", prompt_asking),
)


def fixture_door(library: Library, tools: Sequence[FixtureTool] | None = None) -> McpServer:
    """Our server class with the fixture's tools, or with those given."""
    offered = [FixtureTool(name, *rest) for name, rest in TOOLS.items()] if tools is None else tools
    offer = Offer(library, Toolbox(Selection(), lambda: offered), [FixtureResources()])
    return McpServer(lambda: offer, {prompt.name: prompt for prompt in PROMPTS}, local=False)
