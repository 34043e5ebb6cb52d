"""How many calls the engine makes at once, in which order, and what a caller who leaves gives back."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs

import pytest
from scripted_google import NOTHING, Said, ScriptedGoogle, scripted_google

from quire.notebooklm.engine.caller import AT_ONCE
from quire.notebooklm.envelope import answer_body
from serving import WAIT_SECONDS, until


class Gate:
    """Holds every call until it is let go, and counts those that are inside."""

    def __init__(self) -> None:
        self.inside = 0
        self.most = 0
        self.came: list[str] = []
        self._open = threading.Semaphore(0)
        self._lock = threading.Lock()

    def hold(self, handler: BaseHTTPRequestHandler) -> None:
        body: bytes = handler.body  # type: ignore[attr-defined]
        with self._lock:
            self.inside += 1
            self.most = max(self.most, self.inside)
            self.came.append(body.decode())
        try:
            assert self._open.acquire(timeout=WAIT_SECONDS)
        finally:
            with self._lock:
                self.inside -= 1
        text = NOTHING.encode()
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(text)))
        handler.end_headers()
        handler.wfile.write(text)

    def let_go(self, calls: int) -> None:
        for _ in range(calls):
            self._open.release()


@pytest.fixture(scope="module")
def google(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ScriptedGoogle]:
    with scripted_google(tmp_path_factory.mktemp("turns")) as made:
        yield made


def test_no_more_than_so_many_calls_are_made_at_once(google: ScriptedGoogle) -> None:
    gate = Gate()
    google.begin(Said(write=gate.hold))

    async def go() -> None:
        async with google.library() as library:
            calls = [asyncio.create_task(library.notebooks.list()) for _ in range(3 * AT_ONCE)]
            await asyncio.to_thread(until, lambda: gate.inside == AT_ONCE)
            gate.let_go(3 * AT_ONCE)
            await asyncio.gather(*calls)

    asyncio.run(go())
    assert gate.most == AT_ONCE
    assert len(gate.came) == 3 * AT_ONCE


def test_whoever_came_first_is_served_first_and_whoever_leaves_gives_the_place_back(google: ScriptedGoogle) -> None:
    gate = Gate()
    google.begin(Said(write=gate.hold))

    async def go() -> None:
        async with google.library() as library:
            first = [asyncio.create_task(library.sources.list(f"first-{n}")) for n in range(AT_ONCE)]
            await asyncio.to_thread(until, lambda: gate.inside == AT_ONCE)
            waiting = [asyncio.create_task(library.sources.list(f"waiting-{n}")) for n in range(4)]
            await asyncio.sleep(0)
            last = asyncio.create_task(library.sources.list("last"))
            await asyncio.sleep(0)
            for one in (*waiting[:2], first[0], first[1]):
                one.cancel()
            await asyncio.wait({*waiting[:2], first[0], first[1]})
            # Two have left while their calls were made, so the two who wait longest are next.
            await asyncio.to_thread(until, lambda: len(gate.came) == AT_ONCE + 2)
            assert {asked(body) for body in gate.came[AT_ONCE:]} == {"waiting-2", "waiting-3"}
            gate.let_go(3 * AT_ONCE)
            done = await asyncio.gather(*first[2:], *waiting[2:], last, return_exceptions=True)
            assert len(done) == AT_ONCE + 1
            assert asked(gate.came[-1]) == "last"

    asyncio.run(go())
    assert gate.most <= AT_ONCE + 2, "those who left may still be answered"


def asked(body: str) -> str:
    """The notebook that a call was about."""
    request = json.loads(parse_qs(body)["f.req"][0])
    notebook: str = json.loads(request[0][0][1])[0]
    return notebook


def test_answers_of_many_calls_are_not_mixed_up(google: ScriptedGoogle) -> None:
    row = ["Bees", [], "n", "🐝", None, [1, False, False, None, None, [1, 0], None, None, [1, 0]]]
    google.begin(Said(answer_body("rLM1Ne", [row])))

    async def go() -> list[str]:
        async with google.library() as library:
            found = await asyncio.gather(*(library.notebooks.get(f"n{number}") for number in range(20)))
            return [one.title for one in found]

    assert asyncio.run(go()) == ["Bees"] * 20
    assert len({asked(body.decode()) for body in google.server.bodies if b"f.req" in body}) == 20
