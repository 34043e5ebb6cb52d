"""The library without `await`: one event loop on a thread of its own.

The caller's thread only waits, so this works where a loop already runs (Jupyter) and from
several threads at once. What it offers is what `Library` offers; the signatures that a type
checker sees are in sync_types.pyi, written by scripts/make_stub.py.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Generator, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from quire.api.capability import shorthands_of
from quire.api.library import Library
from quire.api.noun import Noun
from quire.domain.errors import QuireError
from quire.domain.sharing import Actor
from quire.entry.bootstrap import build
from quire.entry.settings import Settings, load

if TYPE_CHECKING:
    from quire.entry.sync_types import Services
else:
    Services = object

Result = TypeVar("Result")


class SyncLibrary(Services):
    """`quire.open_sync()` makes one; use it as a context manager, or close it."""

    def __init__(self, settings: Mapping[str, Any] = {}, build: Callable[[Settings], Library] = build) -> None:
        library = build(load(settings))
        self._bind(library, Bridge(library.close))

    def wait(self, awaitable: Awaitable[Result]) -> Result:
        """Waits for anything of the library's that is to be awaited: `library.wait(job.file.read())`."""
        return self._bridge.wait(awaitable)

    def each(self, events: AsyncIterator[Result]) -> Generator[Result, None, None]:
        """Goes through anything that is to be read with `async for`."""
        return self._bridge.each(events)

    def as_actor(self, actor: Actor) -> Self:
        """The same library for someone else; closing one closes both."""
        other = type(self).__new__(type(self))
        other._bind(self._library.as_actor(actor), self._bridge)
        return other

    def close(self) -> None:
        """Ends what is still running and closes the store; may be called again."""
        self._bridge.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _bind(self, library: Library, bridge: Bridge) -> None:
        self._library = library
        self._bridge = bridge
        for name in library.nouns:
            methods = [one.method for one in library.capabilities if one.service == name]
            setattr(self, name, SyncNoun(bridge, methods, getattr(library, name)))


class SyncNoun:
    """The capabilities of one noun, each waiting for its value, or a generator where it streams."""

    def __init__(self, bridge: Bridge, methods: list[str], noun: Noun) -> None:
        for name in [*methods, *shorthands_of(type(noun))]:
            setattr(self, name, blocking(bridge, getattr(noun, name)))


def blocking(bridge: Bridge, method: Callable[..., Any]) -> Callable[..., Any]:
    """A method of a service as one that can be called without `await`."""
    enter = bridge.each if inspect.isasyncgenfunction(method) else bridge.wait

    @wraps(method)
    def call(*arguments: Any, **named: Any) -> Any:
        return enter(method(*arguments, **named))

    return call


class Bridge:
    """The loop, its thread, and the way there and back."""

    def __init__(self, close: Callable[[], Awaitable[None]]) -> None:
        self._loop = asyncio.new_event_loop()
        self._calls: set[asyncio.Future[Any]] = set()
        self._lock = threading.RLock()  # re-entered where a forgotten iterator is collected
        self._closing = asyncio.Event()
        self._closed = False
        self._thread = threading.Thread(target=self._run, args=(close,), name="quire-loop", daemon=True)
        self._thread.start()

    def wait(self, awaitable: Awaitable[Result]) -> Result:
        """Runs it on the loop. Ctrl-C cancels it, and returns once it has ended."""
        call = Call(awaitable, self._calls)
        try:
            self._post(call.begin)
            call.ended.wait()
        except KeyboardInterrupt:
            with contextlib.suppress(QuireError):
                self._post(call.cancel)
                call.ended.wait()
            raise
        except (QuireError, RuntimeError):
            call.drop()
            raise
        return call.result()

    def each(self, events: AsyncIterator[Result]) -> Generator[Result, None, None]:
        """The same events one by one; closing this closes those."""
        try:
            while True:
                try:
                    event = self.wait(_next(events))
                except StopAsyncIteration:
                    return
                yield event
        finally:
            if isinstance(events, AsyncGenerator):
                self._end(events)

    def close(self) -> None:
        with self._lock:
            if not self._closed:
                self._closed = True
                self._loop.call_soon_threadsafe(self._closing.set)
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _post(self, work: Callable[[], None]) -> None:
        """Has the loop do something next. Under the lock, so that nothing is posted to a loop that has ended."""
        if threading.current_thread() is self._thread:
            raise RuntimeError("waiting on the library's own thread would never end")
        with self._lock:
            if self._closed:
                raise QuireError("This library is closed.")
            self._loop.call_soon_threadsafe(work)

    def _end(self, events: AsyncGenerator[Any, None]) -> None:
        """An iterator may be collected on any thread and after the close, which ends all that is open."""
        if threading.current_thread() is self._thread:
            self._calls.add(task := self._loop.create_task(_close(events)))
            task.add_done_callback(self._calls.discard)
        elif not self._closed:
            with contextlib.suppress(QuireError):
                self.wait(_close(events))

    def _run(self, close: Callable[[], Awaitable[None]]) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve(close))

    async def _serve(self, close: Callable[[], Awaitable[None]]) -> None:
        await self._closing.wait()
        for call in list(self._calls):
            call.cancel()
        if self._calls:
            await asyncio.wait(self._calls)
        await close()


class Call(Generic[Result]):
    """One awaitable on its way through the loop."""

    def __init__(self, awaitable: Awaitable[Result], calls: set[asyncio.Future[Any]]) -> None:
        self.ended = threading.Event()
        self._awaitable = awaitable
        self._calls = calls
        self._task: asyncio.Future[Result] | None = None

    def begin(self) -> None:
        if self.ended.is_set():
            return
        self._task = asyncio.ensure_future(self._awaitable)
        self._calls.add(self._task)
        self._task.add_done_callback(self._end)

    def cancel(self) -> None:
        """Ctrl-C may come before the call was even posted; then there is nothing to wait for."""
        if self._task:
            self._task.cancel()
        else:
            self.drop()
            self.ended.set()

    def drop(self) -> None:
        """Lets go of an awaitable that never began, without a complaint that nobody awaited it."""
        if inspect.iscoroutine(self._awaitable):
            self._awaitable.close()

    def result(self) -> Result:
        assert self._task is not None
        if self._task.cancelled():
            raise QuireError("This library is closed.")
        return self._task.result()

    def _end(self, task: asyncio.Future[Result]) -> None:
        self._calls.discard(task)
        self.ended.set()


async def _next(events: AsyncIterator[Result]) -> Result:
    return await anext(events)


async def _close(events: AsyncGenerator[Any, None]) -> None:
    await events.aclose()
