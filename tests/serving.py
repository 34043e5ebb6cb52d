"""A real server on a free loopback port, for tests that come in over HTTP."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from quire.api.library import Library
from quire.entry.bootstrap import build
from quire.entry.http.app import Server, create_app, listen
from quire.entry.settings import Settings

WAIT_SECONDS = 30.0


class Served:
    """A running server: its address, and its library on its own event loop."""

    def __init__(self, url: str, home: Path, library: Library, loop: asyncio.AbstractEventLoop) -> None:
        self.url = url
        self.home = home
        self.library = library
        self._loop = loop

    def run(self, work: Awaitable[Any], seconds: float = WAIT_SECONDS) -> Any:
        """Waits for work on the server's loop."""

        async def on_loop() -> Any:
            return await work

        return asyncio.run_coroutine_threadsafe(on_loop(), self._loop).result(seconds)

    def client(self, **options: Any) -> httpx.Client:
        return httpx.Client(base_url=self.url, timeout=WAIT_SECONDS, trust_env=False, **options)


@contextmanager
def served(
    home: Path, mcp: Any = None, build: Callable[[Settings], Library] = build, **settings: Any
) -> Iterator[Served]:
    """`mcp` makes the MCP door from library and settings, as `quire serve` does."""
    listening = listen("127.0.0.1", 0)
    port = listening.getsockname()[1]
    chosen = Settings.model_validate({"home": home, "voice": "embedded", **settings, "port": port})
    ready: threading.Event = threading.Event()
    made: dict[str, Any] = {}

    async def run() -> None:
        async with build(chosen) as library:
            app = create_app(library, chosen, mcp(library, chosen) if mcp else None)
            server = Server(app)
            made.update(library=library, loop=asyncio.get_running_loop(), server=server)
            ready.set()
            await server.serve([listening])

    thread = threading.Thread(target=asyncio.run, args=(run(),))
    thread.start()
    try:
        assert ready.wait(WAIT_SECONDS)
        yield Served(f"http://127.0.0.1:{port}", home, made["library"], made["loop"])
    finally:
        made["server"].should_exit = True
        thread.join(WAIT_SECONDS)
        assert not thread.is_alive()


def until(condition: Callable[[], Any]) -> Any:
    """Waits for a condition, for a bounded time."""
    end = time.monotonic() + WAIT_SECONDS
    while not (result := condition()):
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)
    return result
