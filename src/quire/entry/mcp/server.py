"""Our MCP server: the SDK's low-level server under our tools, resources and prompts.

The SDK validates no arguments and shows exceptions to stdio clients as text, so every handler
here runs inside `_guarded`, which lets out MCP errors only.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import mcp_types as types
from mcp.server.connection import allowed_log_levels
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.shared.exceptions import MCPError
from mcp_types.methods import INPUT_REQUIRED_METHODS
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

import quire
from quire.api import guard
from quire.api.context import Context, InputNeeded, new_request_id
from quire.domain.errors import NotFound, NotSignedIn, QuireError
from quire.domain.sharing import Actor
from quire.entry.mcp.client_requests import ClientRequests, ClientSampler
from quire.entry.mcp.instructions import INSTRUCTIONS
from quire.entry.mcp.notifications import Notifications
from quire.entry.mcp.prompts import Prompt
from quire.entry.mcp.sdk_internals import connection_of, without_unrecorded_spans
from quire.entry.mcp.tools import Answer, Call
from quire.entry.resources import COMPLETIONS
from quire.ports.machine import Purpose

if TYPE_CHECKING:
    from quire.api.library import Library
    from quire.entry.mcp.offer import Offer

Result = TypeVar("Result")
RequestContext = ServerRequestContext[Any, Any]

LOG_LEVELS = "quire.log_levels"


class _Server(Server[Any]):
    """Says what really changes while it serves, in both eras: resources do, tools and prompts do not."""

    def get_capabilities(self, *arguments: Any, **named: Any) -> types.ServerCapabilities:
        capabilities = super().get_capabilities(*arguments, **named)
        capabilities.tools = types.ToolsCapability(list_changed=False)
        capabilities.prompts = types.PromptsCapability(list_changed=False)
        capabilities.resources = types.ResourcesCapability(subscribe=True, list_changed=True)
        return capabilities


class McpServer:
    """`offer` is made once, when it is first asked for. `local` is true where client and server share a machine
    and a user (stdio), so that paths may be read. `instructions` are what every client is told first."""

    def __init__(
        self,
        offer: Callable[[], Offer],
        prompts: Mapping[str, Prompt],
        *,
        local: bool,
        instructions: str = INSTRUCTIONS,
    ) -> None:
        self.offer = cache(offer)
        self.notifications = Notifications(self.offer)
        self._prompts = prompts
        self._local = local
        self.server: Server[Any] = _Server(
            "quire",
            version=quire.__version__,
            title="Quire",
            instructions=instructions,
            get_tool_input_schema=lambda name: self.offer().toolbox.schema(name),
            on_list_tools=self._guarded(self._list_tools),
            on_list_resources=self._guarded(self._list_resources),
            on_list_resource_templates=self._guarded(self._list_templates),
            on_read_resource=self._guarded(self._read_resource),
            on_subscribe_resource=self._guarded(self._subscribe),
            on_unsubscribe_resource=self._guarded(self._unsubscribe),
            on_subscriptions_listen=self._guarded(self._listen),
            on_list_prompts=self._guarded(self._list_prompts),
            on_get_prompt=self._guarded(self._get_prompt),
            on_completion=self._guarded(self._complete),
        )
        self.server.add_request_handler("tools/call", types.CallToolRequestParams, self._guarded(self._call_tool))
        self.server.add_request_handler("logging/setLevel", types.SetLevelRequestParams, self._guarded(self._set_level))
        without_unrecorded_spans(self.server)
        self.server.middleware.append(self._sealed)

    async def close(self) -> None:
        await self.notifications.close()

    def is_short_call(self, tool: str) -> bool:
        """Whether a tool's calls are over so soon that nobody ends one early."""
        return self.offer().toolbox.is_short_call(tool)

    # Who calls, and how

    def actor(self, context: RequestContext) -> Actor:
        """The actor that the HTTP door found; over stdio, the owner of this process."""
        if context.request is None:
            return self.offer().library.context.actor
        actor = context.request.scope.get("quire.actor")
        if not isinstance(actor, Actor):
            raise NotSignedIn
        return actor

    async def _bound(self, context: RequestContext, params: Any) -> tuple[Library, ClientRequests]:
        """The library for this call. Whoever uses it hears from then on what changes in it."""
        await self.notifications.hear(context, self.actor(context))
        client = ClientRequests(context, params)
        reached = -1.0

        async def report(done: float, total: float | None, message: str) -> None:
            nonlocal reached
            if done > reached:
                reached = done
                await context.session.report_progress(done, total, message or None)

        sampler = ClientSampler(client) if client.can("sampling/createMessage") else None
        scope = context.request.scope if context.request else {}
        request_id = scope.get("quire.request_id") or new_request_id()
        bound = Context(
            actor=self.actor(context),
            request_id=request_id,
            report=report,
            sampler=sampler,
            door="mcp",
            local=self._local,
            connection=self.notifications.connection(context),
            read_only=self.offer().toolbox.read_only,
            token_id=scope.get("quire.token_id", ""),
        )
        return self.offer().library.within(bound), client

    def _log(self, context: RequestContext) -> Callable[[types.LoggingLevel, str], Awaitable[None]]:
        async def send(level: types.LoggingLevel, message: str) -> None:
            if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
                wanted = allowed_log_levels(context.protocol_version, context.meta)
            else:
                wanted = connection_of(context).state.get(LOG_LEVELS, frozenset())
            if level not in wanted:
                return
            notification = types.LoggingMessageNotification(
                params=types.LoggingMessageNotificationParams(level=level, logger="quire", data=message)
            )
            await context.session.send_notification(notification, related_request_id=context.request_id)

        return send

    # Tools

    async def _list_tools(
        self, context: RequestContext, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=self.offer().toolbox.declarations)

    async def _call_tool(
        self, context: RequestContext, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult | Answer:
        tool = self.offer().toolbox.find(params.name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {_shown(params.name)}")
        library, client = await self._bound(context, params)
        call = Call(library, client, self._local, self._log(context))
        try:
            return await tool.call(call, dict(params.arguments or {}))
        except InputNeeded as needed:
            return _ask(needed, client)

    # Resources

    async def _list_resources(
        self, context: RequestContext, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """Families one after another, as far as they fit; a cursor says which family goes on, and where in it."""
        library, _ = await self._bound(context, params)
        families = self.offer().resources
        number, _, cursor = ((params.cursor if params else None) or "0").partition(":")
        indexes = {str(index): index for index in range(len(families))}
        if number not in indexes:
            raise MCPError(types.INVALID_PARAMS, "The cursor is not one that this list gave out.")
        index = indexes[number]
        resources, further = await families[index].list(library, cursor or None)
        while not further and index + 1 < len(families):
            index += 1
            more, further = await families[index].list(library, None)
            resources += more
        next_cursor = f"{index}:{further}" if further else None
        return types.ListResourcesResult(resources=resources, next_cursor=next_cursor)

    async def _list_templates(
        self, context: RequestContext, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(
            resource_templates=[template for family in self.offer().resources for template in family.templates()]
        )

    async def _read_resource(
        self, context: RequestContext, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        return types.ReadResourceResult(contents=await self._contents(context, params, str(params.uri)))

    async def _contents(
        self, context: RequestContext, params: Any, uri: str
    ) -> list[types.TextResourceContents | types.BlobResourceContents]:
        library, _ = await self._bound(context, params)
        with suppress(NotFound):
            for family in self.offer().resources:
                contents = await family.read(library, uri)
                if contents is not None:
                    return contents
        raise MCPError(types.INVALID_PARAMS, "Resource not found", {"uri": uri})

    async def _subscribe(self, context: RequestContext, params: types.SubscribeRequestParams) -> types.EmptyResult:
        uri = str(params.uri)
        await self._contents(context, params, uri)
        await self.notifications.subscribe(context, self.actor(context), uri)
        return types.EmptyResult()

    async def _unsubscribe(self, context: RequestContext, params: types.UnsubscribeRequestParams) -> types.EmptyResult:
        await self.notifications.unsubscribe(context, self.actor(context), str(params.uri))
        return types.EmptyResult()

    async def _listen(
        self, context: RequestContext, params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        return await self.notifications.listen(context, params, self.actor(context))

    # Prompts, completion, logging

    async def _list_prompts(
        self, context: RequestContext, params: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        """Those that work with the tools that are offered."""
        offered = self.offer().toolbox.names
        shown = [one.declaration() for one in self._prompts.values() if all(tool in offered for tool in one.tools)]
        return types.ListPromptsResult(prompts=shown)

    async def _get_prompt(
        self, context: RequestContext, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult | types.InputRequiredResult:
        prompt = self._prompts.get(params.name)
        if prompt is None:
            raise MCPError(types.INVALID_PARAMS, f"Unknown prompt: {_shown(params.name)}")
        arguments = dict(params.arguments or {})
        for name, value in arguments.items():
            guard.refuse_bad_text(name, value)
        missing = [one.name for one in prompt.arguments if one.required and not arguments.get(one.name)]
        if missing:
            raise MCPError(types.INVALID_PARAMS, f"Missing argument: {missing[0]}")
        client = ClientRequests(context, params)
        try:
            return await prompt.get(client, arguments)
        except InputNeeded as needed:
            return _ask(needed, client)

    async def _complete(self, context: RequestContext, params: types.CompleteRequestParams) -> types.CompleteResult:
        """Ids in resource templates; the arguments of prompts are free text."""
        values: list[str] | None = None
        if isinstance(params.ref, types.ResourceTemplateReference):
            library, _ = await self._bound(context, params)
            for family in self.offer().resources:
                found = await family.complete(library, params.ref.uri, params.argument.name, params.argument.value)
                values = values if found is None else (values or []) + found
        elif params.ref.name in self._prompts:
            values = []
        if values is None:
            raise MCPError(types.INVALID_PARAMS, "There is no such prompt or resource template.")
        return types.CompleteResult(
            completion=types.Completion(
                values=values[:COMPLETIONS], total=len(values), has_more=len(values) > COMPLETIONS
            )
        )

    async def _set_level(self, context: RequestContext, params: types.SetLevelRequestParams) -> types.EmptyResult:
        levels = get_args(types.LoggingLevel)
        connection_of(context).state[LOG_LEVELS] = frozenset(levels[levels.index(params.level) :])
        return types.EmptyResult()

    # Around every request

    async def _sealed(self, ctx: RequestContext, call_next: CallNext) -> HandlerResult:
        """State travels between rounds in the 2026 era only, and comes back from the client."""
        if ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS or ctx.method not in INPUT_REQUIRED_METHODS:
            return await call_next(ctx)
        return await self._boundary(ctx, call_next)

    @cached_property
    def _boundary(self) -> RequestStateBoundary:
        """Seals with a key of this installation, for the one actor and the one request."""
        security = RequestStateSecurity(
            keys=[self.offer().library.engine.signer.derived(Purpose.MCP_REQUEST_STATE)],
            bind_principal=lambda context: self.actor(context).id,
        )
        return RequestStateBoundary(security, default_audience="quire")

    def _guarded(self, handler: Callable[..., Awaitable[Result]]) -> Callable[..., Awaitable[Result]]:
        async def run(context: RequestContext, params: Any) -> Result:
            try:
                return await handler(context, params)
            except MCPError:
                raise
            except QuireError as error:
                code = types.INTERNAL_ERROR if error.status >= 500 else types.INVALID_PARAMS
                raise MCPError(code, error.message, error.body()) from None
            except Exception as error:
                shown = guard.masked(error, new_request_id())
                raise MCPError(types.INTERNAL_ERROR, shown.message, shown.body()) from None

        return run


def _ask(needed: InputNeeded, client: ClientRequests) -> types.InputRequiredResult:
    requests: Any = needed.requests
    return types.InputRequiredResult(input_requests=requests, request_state=client.state())


def _shown(name: str) -> str:
    return name.encode("utf-8", "replace").decode()[:100]
