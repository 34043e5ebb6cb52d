"""`/api`: a route for every capability, with one way to answer for each shape."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Callable
from functools import cached_property
from typing import Any

from pydantic_core import to_json
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from quire.api.capability import Capability
from quire.api.context import Context, Report, unheard
from quire.api.library import Library
from quire.domain.errors import NotFound, NotSignedIn, QuireError
from quire.entry.contract_tools import contract_of
from quire.entry.http.answers import ContractError, Refused, headers_of, json_bytes, too_many_streams
from quire.entry.http.arguments import from_body, from_pairs, pairs, with_file
from quire.entry.http.files import file_response
from quire.entry.http.openapi import describe, http_method
from quire.entry.http.safety import CALL, Access
from quire.entry.http.streams import (
    LINES,
    SERVER_SENT,
    Form,
    OpenStreams,
    StreamEvent,
    events_of,
    send_events,
    while_there,
    with_progress,
)
from quire.entry.settings import Settings

LONG = 60.0
MOST_STREAMS = 400
RESUMED = re.compile(r"[0-9]{1,18}")

Events = AsyncGenerator[StreamEvent, None]


def calling(request: Request, library: Library, report: Report = unheard) -> Library:
    """The library on behalf of whoever sent this request."""
    actor, request_id = request.scope["quire.actor"], request.scope["quire.request_id"]
    if actor is None:
        raise NotSignedIn
    token_id = request.scope["quire.token_id"]
    return library.within(Context(actor=actor, request_id=request_id, door="http", report=report, token_id=token_id))


class Api:
    """The routes by their path; `closing` is set when the server stops, and ends every stream."""

    def __init__(self, library: Library, settings: Settings, closing: asyncio.Event) -> None:
        self._library = library
        self._settings = settings
        self._closing = closing
        self._streams = OpenStreams(MOST_STREAMS)
        self._routes = {f"/api{one.route}": one for one in library.capabilities}

    @property
    def access(self) -> dict[str, Access]:
        uploads = [path for path, capability in self._routes.items() if capability.declared.shape == "upload"]
        return {"/api/": CALL} | dict.fromkeys(uploads, Access(called=True, body="file"))

    @cached_property
    def description(self) -> bytes:
        return to_json(describe(self._routes.values(), self._settings.base_url))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        arriving = Arriving(receive)
        request = Request(scope, arriving, send)
        path = scope["path"]
        capability = self._routes.get(path)
        if capability is None and path != "/api/openapi.json":
            raise NotFound("route", path)
        method = http_method(capability) if capability else "GET"
        if request.method != method:
            raise Refused(405, "wrong_method", f"This route takes {method}.", headers={"Allow": method})
        if capability is None:
            await json_bytes(self.description)(scope, receive, send)
        else:
            arguments = await self._arguments(capability, request)
            try:
                await self._answer(capability, arguments, request, arriving, send)
            except QuireError as error:
                raise in_contract(capability, error, arguments) from None

    async def _answer(
        self, capability: Capability, arguments: dict[str, Any], request: Request, arriving: Arriving, send: Send
    ) -> None:
        declared = capability.declared
        shape = declared.shape
        form = form_asked(request)

        def call(report: Report = unheard) -> Any:
            return capability.call(calling(request, self._library, report), arguments)

        def events() -> Events:
            return events_of(capability, capability.events(calling(request, self._library), arguments))

        # While a file is still arriving the call itself listens to the client.
        receive = arriving.afterwards if shape == "upload" else request.receive
        long = capability.facts.timeout > LONG
        if shape == "stream" or (form and declared.part):
            await self._stream(events, form or SERVER_SENT, request.scope, receive, send)
        elif shape == "download":
            file = await (while_there(receive, call(), self._closing) if long else call())
            await (await file_response(request, file))(request.scope, request.receive, send)
        elif form:
            await self._stream(lambda: with_progress(capability, call), form, request.scope, receive, send)
        else:
            result = await (while_there(receive, call(), self._closing) if long else call())
            await json_bytes(declared.adapter.dump_json(result))(request.scope, request.receive, send)

    async def _stream(
        self, begin: Callable[[], Events], form: Form, scope: Scope, receive: Receive, send: Send
    ) -> None:
        person_id = scope["quire.actor"].id
        if self._streams.full_for(person_id):
            raise too_many_streams()
        with self._streams.one_of(person_id):
            await send_events(begin(), form, scope, receive, send, self._closing)

    async def _arguments(self, capability: Capability, request: Request) -> dict[str, Any]:
        if capability.declared.shape == "upload":
            return await with_file(request, capability, self._settings.upload_limit)
        if http_method(capability) == "POST":
            return await from_body(request)
        arguments = from_pairs(capability.input_schema, pairs(request.scope["query_string"]))
        resumes = capability.declared.shape == "stream" and "after" in capability.declared.parameters
        if resumes and (resumed := RESUMED.fullmatch(request.headers.get("last-event-id", ""))):
            arguments["after"] = int(resumed[0])
        return arguments


def in_contract(capability: Capability, error: QuireError, arguments: dict[str, Any]) -> QuireError | ContractError:
    """An error as the toolset's contract has it, where that speaks of HTTP."""
    contract = contract_of(capability)
    if not contract.over_http:
        return error
    _, body = contract.error(error, arguments)
    return ContractError(contract.status(type(error)), error.message, error.body() | body, headers_of(error))


class Arriving:
    """A request as it comes in; what it says afterwards is heard by whoever waits for it to be left."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._whole = asyncio.Event()

    async def __call__(self) -> Message:
        message = await self._receive()
        if not message.get("more_body", False):
            self._whole.set()
        return message

    async def afterwards(self) -> Message:
        await self._whole.wait()
        return await self._receive()


def form_asked(request: Request) -> Form | None:
    """The form of events that the client asks for by `Accept`."""
    accepted = request.headers.get("accept", "")
    return next((form for form in (LINES, SERVER_SENT) if form.media_type in accepted), None)
