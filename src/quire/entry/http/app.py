"""The application, and the server that runs it."""

from __future__ import annotations

import asyncio
import errno
import logging
import signal
import socket
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, nullcontext
from importlib.resources import files
from typing import Any, Protocol

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from quire import __version__
from quire.api.library import Library
from quire.domain.errors import InvalidInput, NotFound, QuireError
from quire.entry.http.answers import Refused, json_response
from quire.entry.http.api import Api
from quire.entry.http.books import BookFiles
from quire.entry.http.callers import Callers
from quire.entry.http.connection import Connection
from quire.entry.http.ended_sessions import EndedSessions
from quire.entry.http.files import file_response
from quire.entry.http.notebooklm import GoogleHosts, WireCallers
from quire.entry.http.page import StartPage
from quire.entry.http.revocations import Revocations
from quire.entry.http.safety import CALL, OPEN, Safety, public_host, refuse_open_door
from quire.entry.http.sign_in import refuse_bad_provider
from quire.entry.http.templates import Static
from quire.entry.served_address import ServedAddress
from quire.entry.settings import Settings
from quire.entry.token_file import AUTO, TokenFile

GRACE_SECONDS = 5
BACKLOG = 2048
MOST_CONNECTIONS = 1000
EVERYONE = (
    "Every account of this machine can read and change everything here. 'quire serve --token auto' keeps it to you."
)


class McpDoor(Protocol):
    """MCP over HTTP, as `quire.entry.mcp` makes it."""

    @property
    def asgi(self) -> ASGIApp: ...

    def run(self) -> AbstractAsyncContextManager[object]: ...

    async def close(self) -> None: ...


class McpFirst:
    """What is asked for most does not wait for the router; it answers every method and error itself."""

    def __init__(self, app: ASGIApp, mcp: ASGIApp) -> None:
        self._app = app
        self._mcp = mcp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_mcp = scope["type"] == "http" and scope["path"] == "/mcp"
        await (self._mcp if is_mcp else self._app)(scope, receive, send)


def create_app(library: Library, settings: Settings, mcp: McpDoor | None = None) -> Starlette:
    """All of HTTP over one library. Whoever made the library closes it."""
    closing = asyncio.Event()
    token = TokenFile(settings.home) if settings.token == AUTO else settings.token
    kept = None if settings.store == "memory" else settings.home / "ended_sessions"
    callers = Callers(library, token, EndedSessions(kept), needed=settings.signs_in)
    revocations = Revocations(library)
    api = Api(library, settings, closing)
    page = StartPage(library, settings, callers)

    async def health(request: Request) -> Response:
        return json_response({"status": "ok", "version": __version__})

    async def file(request: Request) -> Response:
        return await file_response(request, await library.engine.linked(request.path_params["token"]))

    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return page.answer(request.scope, _ours(error, request.scope["path"]))

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with mcp.run() if mcp else nullcontext():
            library.engine.serve(settings.workers)
            yield
            await revocations.close()
            await library.engine.stop_serving()

    routes: list[BaseRoute] = [
        Route("/health", health),
        Route("/files/{token}", file),
        Mount("/static", Static(directory=str(files("quire.entry") / "web" / "static"))),
        Mount("/api", api),
        *BookFiles(library).routes(),
        *page.routes(),
    ]
    own = {"/health": OPEN, "/files/": OPEN, "/static/": OPEN, "/mcp": CALL}
    access = own | api.access | BookFiles.access | page.access
    safety = Middleware(
        Safety, settings=settings, callers=callers, revocations=revocations, access=access, answer=page.answer
    )
    wire = WireCallers(library.engine.signer, callers)
    google = Middleware(
        GoogleHosts,
        library=library,
        callers=wire,
        revocations=revocations,
        upload_limit=settings.upload_limit,
        closing=closing,
    )
    first = [Middleware(McpFirst, mcp=mcp.asgi)] if mcp else []
    app = Starlette(
        routes=routes,
        middleware=[google, safety, *first],
        exception_handlers={HTTPException: refused},
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    app.state.closing = closing
    app.state.mcp = mcp
    return app


def _ours(error: HTTPException, path: str) -> QuireError | Refused:
    if error.status_code == 404:
        return NotFound("page", path)
    return Refused(error.status_code, "refused", f"{error.detail}.", headers=error.headers or {})


class Server(uvicorn.Server):
    """Uvicorn that says where it listens, ends open streams when it stops, and then exits with 0."""

    def __init__(self, app: Starlette, address: str = "") -> None:
        self._closing: asyncio.Event = app.state.closing
        self._mcp: McpDoor | None = app.state.mcp
        self._address = address
        super().__init__(
            uvicorn.Config(
                app,
                http=Connection,
                ws="none",
                lifespan="on",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                limit_concurrency=MOST_CONNECTIONS,
                # Longer than clients keep an idle one, so that none sends its next request into a closed one.
                timeout_keep_alive=int(Connection.head_seconds),
                timeout_graceful_shutdown=GRACE_SECONDS,
            )
        )

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._address:
            print(f"Quire is at {self._address}", file=sys.stderr, flush=True)  # noqa: T201

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._closing.set()
        if self._mcp:
            await self._mcp.close()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def serve(settings: Settings) -> None:
    """Runs the server until it is told to stop."""
    from quire.entry.bootstrap import build
    from quire.entry.logs import start
    from quire.entry.mcp import http_door

    resolved(settings.host, settings.port)
    refuse_open_door(settings)
    refuse_bad_provider(settings)
    public_host(settings)
    start(settings)
    listening = listen(settings.host, settings.port)
    port = listening.getsockname()[1]
    settings = settings.model_copy(update={"port": port})
    shown = f"[{settings.host}]" if ":" in settings.host else settings.host

    async def run() -> None:
        async with build(settings) as library:
            await library.engine.check()
            app = create_app(library, settings, http_door(library, settings))
            await Server(app, f"http://{shown}:{port}{way_in(settings)}").serve([listening])

    told = nullcontext() if settings.store == "memory" else ServedAddress(settings.home).told(settings.base_url)
    with listening, told:
        asyncio.run(run())
    logging.getLogger("quire").info("stopped")


def way_in(settings: Settings) -> str:
    """What stands behind the address for whoever may come in."""
    if settings.token == AUTO:
        return f"/?token={TokenFile(settings.home).current()}"
    return "" if settings.signs_in else f"\n{EVERYONE}"


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; whoever connects from now on waits until the server is ready."""
    family, kind, protocol, _, address = resolved(host, port)
    # Without the protocol asyncio does not set TCP_NODELAY, and each answer waits 40 ms for an ACK.
    listening = socket.socket(family, kind, protocol)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            hint = "Stop the other server, or choose another with --port (0 takes a free one)."
            raise QuireError(f"Port {port} on {host} is taken.", hint=hint) from None
        raise QuireError(f"Cannot listen on {host}, port {port}: {error.strerror}.") from None
    listening.setblocking(False)
    return listening


def resolved(host: str, port: int) -> tuple[Any, ...]:
    try:
        return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError):
        raise InvalidInput(
            f"'{host}' is no address of this machine, nor a name that leads to one.",
            hint="Listen on 127.0.0.1, or 0.0.0.0 for every address.",
        ) from None
