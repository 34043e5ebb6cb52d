"""From events to notifications, in both eras, each actor hearing only of its own notebooks.

2025: a client subscribes to URIs and hears on its connection's own channel. 2026: a client listens,
and the SDK's handler filters a bus.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.server.connection import Connection
from mcp.server.context import ServerRequestContext
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.shared.subscriptions import ResourcesListChanged, ResourceUpdated
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from quire.domain.errors import LimitReached, QuireError
from quire.domain.sharing import Actor
from quire.entry.mcp.sdk_internals import connection_of
from quire.entry.resources import Touched

if TYPE_CHECKING:
    from quire.domain.events import Event
    from quire.entry.mcp.offer import Offer

log = logging.getLogger("quire.mcp")

RequestContext = ServerRequestContext[Any, Any]

SUBSCRIBER = "quire.subscriber"
CONNECTION = "quire.connection"
MOST_URIS = 10_000
MOST_LISTENERS = 1024


class Subscriber:
    """A connection of the 2025 era: who it is and what it wants to hear of.

    It is told by a task of its own, so that a client that does not read holds up nobody else;
    what changes twice meanwhile is told once.
    """

    def __init__(self, connection: Connection, actor: Actor) -> None:
        self.actor = actor
        self.uris: set[str] = set()
        self._connection = connection
        self._news: set[str] = set()
        self._listed = False
        self._telling: asyncio.Task[None] | None = None

    async def tell(self, touched: Touched) -> None:
        self._news |= touched.among(self.uris)
        self._listed |= touched.listed
        if self._telling is None or self._telling.done():
            self._telling = asyncio.create_task(self._send())

    def close(self) -> None:
        if self._telling:
            self._telling.cancel()

    async def _send(self) -> None:
        while self._listed or self._news:
            if self._listed:
                self._listed = False
                await self._connection.send_resource_list_changed()
            else:
                await self._connection.send_resource_updated(self._news.pop())


class Listener:
    """An open stream of the 2026 era; the SDK's handler filters what it is told."""

    def __init__(self, actor: Actor, uris: frozenset[str]) -> None:
        self.actor = actor
        self._uris = uris
        self._bus = InMemorySubscriptionBus()
        self.serve = ListenHandler(self._bus)

    async def tell(self, touched: Touched) -> None:
        for uri in sorted(touched.among(self._uris)):
            await self._bus.publish(ResourceUpdated(uri=uri))
        if touched.listed:
            await self._bus.publish(ResourcesListChanged())


class Notifications:
    def __init__(self, offer: Callable[[], Offer]) -> None:
        self._offer = offer
        self._subscribers: set[Subscriber] = set()
        self._listeners: set[Listener] = set()
        self._following: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()
        self._only_wire = secrets.token_hex(8)

    async def hear(self, context: RequestContext, actor: Actor) -> None:
        """A connection of the 2025 era hears that lists changed once it has used the library.

        A store that does not work is for the call itself to tell of.
        """
        if context.protocol_version not in MODERN_PROTOCOL_VERSIONS:
            with suppress(QuireError):
                await self._subscriber(context, actor)

    def connection(self, context: RequestContext) -> str:
        """A name for the connection that a call came by. The 2026 era knows none: there it is the wire of a server
        that has only one, and nothing over HTTP."""
        if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
            return self._only_wire if context.request is None else ""
        name: str = connection_of(context).state.setdefault(CONNECTION, secrets.token_hex(8))
        return name

    async def subscribe(self, context: RequestContext, actor: Actor, uri: str) -> None:
        subscriber = await self._subscriber(context, actor)
        if uri not in subscriber.uris and len(subscriber.uris) >= MOST_URIS:
            raise LimitReached(f"A connection may subscribe to {MOST_URIS} resources.")
        subscriber.uris.add(uri)

    async def unsubscribe(self, context: RequestContext, actor: Actor, uri: str) -> None:
        (await self._subscriber(context, actor)).uris.discard(uri)

    async def listen(
        self, context: RequestContext, params: types.SubscriptionsListenRequestParams, actor: Actor
    ) -> types.SubscriptionsListenResult:
        """Serves one `subscriptions/listen` stream until either side ends it."""
        if len(self._listeners) >= MOST_LISTENERS:
            raise LimitReached(f"This server serves {MOST_LISTENERS} streams at once.")
        await self._follow()
        listener = Listener(actor, frozenset(map(str, params.notifications.resource_subscriptions or ())))
        self._listeners.add(listener)
        try:
            return await listener.serve(context, params)
        finally:
            self._listeners.discard(listener)

    async def close(self) -> None:
        """Ends all streams; their clients are told that it was on purpose."""
        for listener in self._listeners:
            listener.serve.close()
        for subscriber in self._subscribers:
            subscriber.close()
        if self._following:
            self._following.cancel()
            await asyncio.wait({self._following})

    async def _subscriber(self, context: RequestContext, actor: Actor) -> Subscriber:
        connection = connection_of(context)
        subscriber: Subscriber | None = connection.state.get(SUBSCRIBER)
        if subscriber is None:
            subscriber = connection.state[SUBSCRIBER] = Subscriber(connection, actor)
            self._subscribers.add(subscriber)
            connection.exit_stack.callback(self._forget, subscriber)
        await self._follow()
        return subscriber

    def _forget(self, subscriber: Subscriber) -> None:
        self._subscribers.discard(subscriber)
        subscriber.close()

    async def _follow(self) -> None:
        """Once this returns, every later event is heard of."""
        if self._following and not self._following.done():
            return
        async with self._starting:
            if not self._following or self._following.done():
                last = await self._offer().library.engine.events.last()
                self._following = asyncio.create_task(self._publish_after(last))

    async def _publish_after(self, last: int) -> None:
        try:
            async with aclosing(self._offer().library.engine.events.after(last)) as batches:  # type: ignore[type-var]
                async for batch in batches:
                    await self._publish(batch)
        except QuireError as error:
            log.warning("notifications have stopped until the next call: %s", error.message)

    async def _publish(self, batch: list[Event]) -> None:
        parties: list[Subscriber | Listener] = [*self._subscribers, *self._listeners]
        for actor in {party.actor.id: party.actor for party in parties}.values():
            touched = await self._touched(actor, batch)
            for party in parties:
                if party.actor.id == actor.id:
                    await party.tell(touched)

    async def _touched(self, actor: Actor, batch: list[Event]) -> Touched:
        """What an actor may know of: only what happened in notebooks that it can read."""
        library = self._offer().library.as_actor(actor)
        readable = await library.engine.events.readable(actor.id)
        all_touched = Touched()
        for event in batch:
            if event.notebook_id in readable:
                for family in self._offer().resources:
                    all_touched = all_touched.and_also(await family.touched(library, event))
        return all_touched
