"""Notifications from events: both eras, both transports, other processes, and nobody else's."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import mcp_types as types
import pytest
from fixture_server import FixtureTool, fixture_door, form
from mcp import Client
from mcp.client.subscriptions import ResourceUpdated
from mcp_serving import add_user, connected, each_once, environment, over_http, refusal, serving, until

from quire.api.library import Library
from quire.domain.sharing import Actor
from quire.entry.mcp.tools import Call

pytestmark = pytest.mark.anyio

ANOTHER_PROCESS = """
import sys, quire
with quire.open_sync(home=sys.argv[1]) as library:
    if sys.argv[2] == "add":
        library.notes.create(None, "From elsewhere", "Text")
    else:
        library.notes.update(None, sys.argv[2], content="Changed elsewhere")
"""


class Ears:
    """What a client heard: `list` for a changed list, else the URI of a changed resource."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self._marker = ""
        self._streaming = False

    async def take(self, message: Any) -> None:
        if isinstance(message, types.ResourceListChangedNotification):
            self.heard.append("list")
        elif isinstance(message, types.ResourceUpdatedNotification):
            if message.params.uri == self._marker:
                self._streaming = True
            else:
                self.heard.append(str(message.params.uri))

    async def hears(self, what: str) -> None:
        await until(lambda: what in self.heard, what)

    @asynccontextmanager
    async def open(self, client: Client, era: str, uris: Iterable[str] = ()) -> AsyncIterator[None]:
        """Hears changes of the list and of these resources, in the way of the era."""
        if era == "2025":
            for uri in uris:
                await subscribe(client, uri)
            await self._until_streaming(client)
            yield
            return
        async with client.listen(resources_list_changed=True, resource_subscriptions=list(uris)) as events:

            async def follow() -> None:
                async for event in events:
                    self.heard.append(event.uri if isinstance(event, ResourceUpdated) else "list")

            following = asyncio.create_task(follow())
            try:
                yield
            finally:
                following.cancel()

    async def _until_streaming(self, client: Client) -> None:
        """Over HTTP the client opens its session's stream beside its calls; a note that changes shows that it is there.

        Notices keep their order, so those of earlier changes have come before.
        """
        id = await added(client, "Is the stream there?")
        self._marker = f"note://{id}"
        await subscribe(client, self._marker)
        for _ in range(1000):
            await client.call_tool("update_note", {"id": id, "content": "Now?"})
            await asyncio.sleep(0.02)
            if self._streaming:
                self.heard.clear()
                return
        raise AssertionError("the client's stream never opened")


async def subscribe(client: Client, uri: str) -> None:
    """The client's own method for this warns that its era is over."""
    request = types.SubscribeRequest(params=types.SubscribeRequestParams(uri=uri))
    await client.session.send_request(request, types.EmptyResult)


async def added(client: Client, title: str) -> str:
    result = await client.call_tool("add_note", {"title": title, "content": "Text"})
    assert result.structured_content is not None
    return str(result.structured_content["note_id"])


async def elsewhere(home: Path, what: str) -> None:
    """Another process adds a note, or changes the one with this id."""
    await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", ANOTHER_PROCESS, str(home), what],
        env=environment(),
        check=True,
    )


@each_once
async def test_a_client_hears_of_changes_by_itself_and_by_another_process(home: Path, wire: str, era: str) -> None:
    ears = Ears()
    async with connected(wire, era, home, message_handler=ears.take) as client:
        id = await added(client, "Watched")
        other = await added(client, "Not watched")
        long, short = f"note://{id}", f"note://{id[:8]}"
        async with ears.open(client, era, [long, short]):
            await client.call_tool("update_note", {"id": other, "content": "Unheard"})
            await client.call_tool("update_note", {"id": id, "content": "New"})
            await ears.hears(short)
            await ears.hears(long)
            assert set(ears.heard) == {long, short}

            ears.heard.clear()
            await elsewhere(home, id)
            await ears.hears(short)
            assert "list" not in ears.heard
            (content,) = (await client.read_resource(short)).contents
            assert isinstance(content, types.TextResourceContents)
            assert "Changed elsewhere" in content.text

            await elsewhere(home, "add")
            await ears.hears("list")
            assert "From elsewhere" in str(await client.list_resources())

            ears.heard.clear()
            await client.call_tool("delete_note", {"id": id})
            await ears.hears("list")
            await ears.hears(long)


async def test_an_unsubscribed_client_hears_no_more_of_a_resource(home: Path) -> None:
    ears = Ears()
    async with connected("http", "2025", home, message_handler=ears.take) as client:
        kept, left = [f"note://{await added(client, title)}" for title in ("Kept", "Left")]
        async with ears.open(client, "2025", [kept, left]):
            stop = types.UnsubscribeRequest(params=types.UnsubscribeRequestParams(uri=left))
            await client.session.send_request(stop, types.EmptyResult)
            for uri in (left, kept):
                await client.call_tool("update_note", {"id": uri.removeprefix("note://"), "content": "New"})
            await ears.hears(kept)
            assert left not in ears.heard
        error = await refusal(subscribe(client, "note://00000000"))
        assert (error.code, error.data) == (types.INVALID_PARAMS, {"uri": "note://00000000"})


async def test_a_server_that_stops_ends_its_streams_on_purpose(home: Path) -> None:
    ears, url = Ears(), ""
    ended = asyncio.Event()

    async def follow(events: Any) -> None:
        async for _ in events:
            pass
        ended.set()

    async with AsyncExitStack() as clients:
        async with serving(home) as (url, _):
            old = await clients.enter_async_context(over_http(url, "2025", message_handler=ears.take))
            await clients.enter_async_context(ears.open(old, "2025"))
            new = await clients.enter_async_context(over_http(url, "2026"))
            events = await clients.enter_async_context(new.listen(resources_list_changed=True))
            following = asyncio.create_task(follow(events))
        await until(ended.is_set, "the end of the stream")
        await following


async def test_actors_hear_and_see_only_what_is_theirs(home: Path, era: str) -> None:
    ann_hears, bob_hears = Ears(), Ears()
    async with serving(home, token="of-the-owner") as (url, library):
        for name in ("ann", "bob"):
            await add_user(library, name, f"of-{name}")
        async with (
            over_http(url, era, "of-ann", message_handler=ann_hears.take) as ann,
            over_http(url, era, "of-bob", message_handler=bob_hears.take) as bob,
        ):
            id = await added(ann, "Ann's own")
            uri = f"note://{id}"
            if era == "2025":
                assert (await refusal(subscribe(bob, uri))).message == "Resource not found"
            assert (await refusal(bob.read_resource(uri))).message == "Resource not found"
            assert (await bob.call_tool("get_note", {"id": id})).is_error
            assert "No notes found" in str(await bob.call_tool("list_notes", {}))

            own = f"note://{await added(bob, 'Bob has one')}"
            wanted = [own, uri] if era == "2026" else [own]
            async with ann_hears.open(ann, era, [uri]), bob_hears.open(bob, era, wanted):
                await ann.call_tool("update_note", {"id": id, "content": "Ann was here"})
                await added(ann, "Another of Ann's")
                await ann_hears.hears(uri)
                await ann_hears.hears("list")
                await bob.call_tool("update_note", {"id": own.removeprefix("note://"), "content": "Bob was here"})
                await bob_hears.hears(own)
                assert set(bob_hears.heard) == {own}


async def test_a_session_is_of_use_to_the_actor_who_opened_it_only(home: Path) -> None:
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "list_notes"}}
    both = {"Accept": "application/json, text/event-stream"}
    async with serving(home, token="of-the-owner") as (url, library), httpx2.AsyncClient(trust_env=False) as http:
        await add_user(library, "bob", "of-bob")
        owner = both | {"Authorization": "Bearer of-the-owner"}
        opened = await http.post(url, json=hello, headers=owner)
        session = {"Mcp-Session-Id": opened.headers["mcp-session-id"]}
        bob = both | {"Authorization": "Bearer of-bob"}
        for method, body in (("POST", call), ("POST", hello), ("GET", None), ("DELETE", None)):
            refused = await http.request(method, url, json=body, headers=bob | session)
            assert refused.status_code == 404, method
        assert (await http.post(url, json=call, headers=both | session)).status_code == 401
        assert (await http.post(url, json=call, headers=owner | session)).status_code == 200


async def test_request_state_of_one_actor_is_refused_from_another(home: Path) -> None:
    async def asking(call: Call, arguments: dict[str, Any]) -> str:
        call.client.answers["secret"] = "kept"
        await call.client.ask({"name": form("Who?", {"name": {"type": "string"}})})
        return f"{call.library.context.actor.id}: {dict(secret=call.client.answers['secret'])}"

    async def answer(context: Any, params: Any) -> types.ElicitResult:
        return types.ElicitResult(action="accept", content={"name": "x"})

    def make(library: Library) -> Any:
        return fixture_door(library, [FixtureTool("asking", asking)])

    async with serving(home, make, token="of-the-owner") as (url, library):
        await add_user(library, "bob", "of-bob")
        async with (
            over_http(url, "2026", "of-the-owner", elicitation_callback=answer) as owner,
            over_http(url, "2026", "of-bob", elicitation_callback=answer) as bob,
        ):
            assert Actor(id="bob").id in str(await bob.call_tool("asking", {}))
            first = await owner.session.call_tool("asking", {}, allow_input_required=True)
            assert isinstance(first, types.InputRequiredResult)
            assert "kept" not in str(first)
            answers: Any = {"name": await answer(None, None)}
            stolen = bob.call_tool("asking", {}, input_responses=answers, request_state=first.request_state)
            assert "requestState" in (await refusal(stolen)).message
            done = await owner.call_tool("asking", {}, input_responses=answers, request_state=first.request_state)
            assert "owner: {'secret': 'kept'}" in str(done)
