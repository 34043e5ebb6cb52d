"""From events to notifications, in both eras, each actor hearing only of its own notebooks.

2025: a client subscribes to URIs and hears on its connection's own channel. The SDK gives each
call another session object and keeps the connection behind it private; this file is the one
place that reaches for it. 2026: a client listens, and the SDK's handler filters a bus.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterable
from contextlib import aclosing, suppress
from typing import Any

import mcp_types as types
from mcp.server.connection import Connection
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.shared.subscriptions import ResourcesListChanged, ResourceUpdated
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from quire.domain.errors import QuireError
from quire.domain.events import Event
from quire.domain.sharing import Actor
from quire.entry.resources import Resources
from quire.services.library import Library

log = logging.getLogger("quire.mcp")


class Subscriber:
    """A connection of the 2025 era: who it is and what it wants to hear of."""

    def __init__(self, connection: Connection, actor: Actor) -> None:
        self.connection = connection
        self.actor = actor
        self.uris: set[str] = set()


class Notices:
    def __init__(self, library: Library, resources: Iterable[Resources]) -> None:
        self._library = library
        self._resources = list(resources)
        self._subscribers: dict[int, Subscriber] = {}
        self._listeners: dict[str, tuple[Actor, InMemorySubscriptionBus, ListenHandler]] = {}
        self._task: asyncio.Task[None] | None = None

    async def notice_connection(
        self, context: ServerRequestContext[Any, Any], call_next: CallNext, actor: Actor
    ) -> HandlerResult:
        """Middleware: a connection of the 2025 era hears that lists changed from its first request on."""
        if context.protocol_version not in MODERN_PROTOCOL_VERSIONS:
            await self._subscriber(context, actor)
        return await call_next(context)

    async def subscribe(self, context: ServerRequestContext[Any, Any], actor: Actor, uri: str) -> None:
        (await self._subscriber(context, actor)).uris.add(uri)

    async def unsubscribe(self, context: ServerRequestContext[Any, Any], actor: Actor, uri: str) -> None:
        (await self._subscriber(context, actor)).uris.discard(uri)

    async def listen(
        self,
        context: ServerRequestContext[Any, Any],
        params: types.SubscriptionsListenRequestParams,
        actor: Actor,
    ) -> types.SubscriptionsListenResult:
        """Serves one `subscriptions/listen` stream on the bus of its actor."""
        if actor.id not in self._listeners:
            bus = InMemorySubscriptionBus()
            self._listeners[actor.id] = (actor, bus, ListenHandler(bus))
        await self._start()
        return await self._listeners[actor.id][2](context, params)

    async def close(self) -> None:
        for _, _, handler in self._listeners.values():
            handler.close()
        if self._task:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _subscriber(self, context: ServerRequestContext[Any, Any], actor: Actor) -> Subscriber:
        connection = context.session._connection
        known = self._subscribers.get(id(connection))
        if known is None:
            known = self._subscribers[id(connection)] = Subscriber(connection, actor)
            connection.exit_stack.callback(self._subscribers.pop, id(connection), None)
            if context.method != "initialize":
                await self._start()
        elif self._task is None:
            await self._start()
        return known

    async def _start(self) -> None:
        if self._task is None or self._task.done():
            last = await self._library.parts.hub.last()
            if self._task is None or self._task.done():
                self._task = asyncio.create_task(self._follow(last))

    async def _follow(self, last: int) -> None:
        async with aclosing(self._library.parts.hub.after(last)) as batches:  # type: ignore[type-var]
            async for batch in batches:
                try:
                    await self._publish(batch)
                except QuireError as error:
                    log.warning("notifications were not sent: %s", error.message)

    async def _publish(self, batch: list[Event]) -> None:
        actors = {one.actor.id: one.actor for one in self._subscribers.values()}
        actors |= {id: actor for id, (actor, _, _) in self._listeners.items()}
        for actor in actors.values():
            uris, listed = await self._touched(actor, batch)
            for subscriber in [one for one in self._subscribers.values() if one.actor.id == actor.id]:
                for uri in sorted(uris & subscriber.uris):
                    await _tell(subscriber.connection.send_resource_updated(uri))
                if listed and subscriber.connection.initialized.is_set():
                    await _tell(subscriber.connection.send_resource_list_changed())
            if actor.id in self._listeners:
                bus = self._listeners[actor.id][1]
                for uri in sorted(uris):
                    await bus.publish(ResourceUpdated(uri=uri))
                if listed:
                    await bus.publish(ResourcesListChanged())

    async def _touched(self, actor: Actor, batch: list[Event]) -> tuple[set[str], bool]:
        library = self._library.as_actor(actor)
        readable = await library.read(
            lambda tx: {row["notebook_id"] for row in tx.all("readable_by", person_id=actor.id)}
        )
        uris: set[str] = set()
        listed = False
        for event in batch:
            if event.notebook_id in readable:
                for family in self._resources:
                    touched = await family.touched(library, event)
                    uris |= touched.uris
                    listed = listed or touched.listed
        return uris, listed


async def _tell(sending: Any) -> None:
    """A client that does not read must not hold up the others."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(5):
            await sending
