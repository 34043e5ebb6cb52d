"""Google's hosts, as the proxy passes them on: the page with its tokens, calls, and the way to sign in.

Only requests that prove to come through the proxy (`quire proxy`) are answered here; all others go on to the rest of
the server, which knows no such hosts and refuses them.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import AsyncIterator
from contextlib import suppress

from starlette.requests import ClientDisconnect, Request, cookie_parser
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from quire.api.context import Context, new_request_id
from quire.api.guard import masked
from quire.api.library import Library
from quire.domain.errors import InvalidInput, LimitReached, NotSignedIn, QuireError, TooLarge
from quire.domain.sharing import TOKEN_BEGINS
from quire.entry.http.callers import OWNER, Caller, Callers
from quire.entry.http.files import file_response
from quire.entry.http.revocations import Revocations
from quire.entry.http.safety import address_of
from quire.entry.http.streams import while_there
from quire.notebooklm.envelope import MOST_BYTES, request_of
from quire.notebooklm.replay import BATCH_PATH, ROTATE_PATH
from quire.notebooklm.server import WireCall, answer, answer_stream, uploads
from quire.notebooklm.server.answering import Answering
from quire.notebooklm.server.artifact_rows import FILES_PATH
from quire.notebooklm.sessions import PROXY_HEADER, SESSION_COOKIE, Sessions, proxy_key
from quire.notebooklm.stream import CHAT_PATH, ask_of
from quire.notebooklm.upload import (
    CANCEL,
    COMMAND,
    ENQUEUED,
    FINALIZE,
    OFFSET,
    START,
    STATUS,
    UPLOAD_PATH,
    URL,
    announced_in,
)
from quire.ports.machine import Signer

APP_HOSTS = ("notebook.google.com", "notebooklm.google.com")
ACCOUNTS_HOST = "accounts.google.com"
SIGN_IN = f"https://{ACCOUNTS_HOST}/ServiceLogin"
BUILD = "boq_quire_1"
LARGE = 256 * 1024
SMALL = 64 * 1024
MOST_DROPPED = 2 * MOST_BYTES
DROP_SECONDS = 5.0
FRAMES = "application/json; charset=utf-8"
NO_STORE = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
SIGN_IN_PAGE = "<!doctype html><title>Sign in</title><p>The session has expired. Run: quire proxy env"


class Incoming:
    """A request as it comes in, of which something may be left when the answer is known."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._whole = False

    async def __call__(self) -> Message:
        message = await self._receive()
        self._whole = not (message["type"] == "http.request" and message.get("more_body"))
        return message

    def before_the_end(self, send: Send) -> Send:
        """Drops what is still on its way, within bounds: a connection that closed on it would lose the answer too."""

        async def sent(message: Message) -> None:
            if self._whole or message["type"] != "http.response.body" or message.get("more_body"):
                await send(message)
                return
            await send({**message, "more_body": True})
            with suppress(TimeoutError):
                async with asyncio.timeout(DROP_SECONDS):
                    await self._drop()
            await send({"type": "http.response.body", "body": b"", "more_body": False})

        return sent

    async def _drop(self) -> None:
        left = MOST_DROPPED
        while not self._whole and left > 0:
            left -= len((await self()).get("body", b""))


class WireCallers:
    """Who speaks as a client of NotebookLM: the owner by a session, others by a token in the session's cookie."""

    def __init__(self, signer: Signer, callers: Callers) -> None:
        self.sessions = Sessions(signer)
        self._callers = callers

    async def of(self, session: str | None, address: str) -> Caller:
        if session and self.sessions.is_owners(session):
            return OWNER
        if session and session.startswith(TOKEN_BEGINS):
            return await self._callers.admitted(session.encode("latin-1", "replace"), address)
        raise NotSignedIn("The session has expired.", hint="Run 'quire proxy env' again.")


class GoogleHosts:
    """Stands before everything else of the server; a call ends when its client leaves, or when `closing` is set."""

    def __init__(
        self,
        app: ASGIApp,
        library: Library,
        callers: WireCallers,
        revocations: Revocations,
        upload_limit: int,
        closing: asyncio.Event,
    ) -> None:
        self._app = app
        self._callers = callers
        self._revocations = revocations
        self._closing = closing
        self._upload_limit = upload_limit
        self._library = library
        self._sessions = callers.sessions
        self._answering = Answering()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        given = dict(scope["headers"]).get(PROXY_HEADER.encode()) if scope["type"] == "http" else None
        if given is None or not hmac.compare_digest(given, proxy_key(self._library.engine.signer).encode()):
            await self._app(scope, receive, send)
            return
        incoming = Incoming(receive)
        request, began = Request(scope, incoming), False

        async def answered(caller: Caller | None) -> None:
            nonlocal began
            response = await self._response(request, caller)
            began = True
            await response(scope, incoming, incoming.before_the_end(send))

        try:
            caller = await self._caller(request)
            await self._revocations.run(caller and caller.signed_in, answered(caller))
        except ClientDisconnect:
            return
        except QuireError as error:
            if not began:
                await refused(error)(scope, incoming, incoming.before_the_end(send))

    async def _caller(self, request: Request) -> Caller | None:
        """Nobody, where nobody need be known."""
        if request.headers.get("host", "").lower().removesuffix(":443") not in APP_HOSTS:
            return None
        session = cookie_parser(request.headers.get("cookie", "")).get(SESSION_COOKIE)
        try:
            return await self._callers.of(session, address_of(request.scope))
        except NotSignedIn:
            if request.method == "GET":
                return None
            raise

    async def _response(self, request: Request, caller: Caller | None) -> Response:
        request_id = new_request_id()
        try:
            return await self._respond(request, caller, request_id)
        except (ClientDisconnect, asyncio.CancelledError):
            raise
        except QuireError as error:
            return refused(error)
        except Exception as error:
            return refused(masked(error, request_id))

    async def _respond(self, request: Request, caller: Caller | None, request_id: str) -> Response:
        if "content-length" in request.headers and "transfer-encoding" in request.headers:
            raise InvalidInput("The request has both a length and chunks.")
        host = request.headers.get("host", "").lower().removesuffix(":443")
        if host == ACCOUNTS_HOST:
            return _accounts(request)
        if host in APP_HOSTS and request.method in ("GET", "HEAD") and request.url.path.startswith(FILES_PATH):
            # Whoever has such an address may have the file; it says so itself.
            return await file_response(
                request, await self._library.engine.linked(request.url.path.removeprefix(FILES_PATH))
            )
        if host not in APP_HOSTS:
            return PlainTextResponse("There is nothing here.", 404, NO_STORE)
        if caller is None:
            return RedirectResponse(SIGN_IN, 302, NO_STORE)
        session = cookie_parser(request.headers.get("cookie", ""))[SESSION_COOKIE]
        path = request.url.path
        if request.method == "POST":
            library = self._at(caller, request_id)
            if path == BATCH_PATH:
                return await self._call(request, session, library)
            if path == CHAT_PATH:
                return await self._ask(request, session, library)
            if path == UPLOAD_PATH:
                return await self._upload(request, host, library)
        if request.method == "GET" and (path == "/" or path.startswith("/notebook/")):
            return self._page(session)
        return PlainTextResponse("There is nothing here.", 404, NO_STORE)

    def _at(self, caller: Caller, request_id: str) -> Library:
        return self._library.within(
            Context(actor=caller.actor, request_id=request_id, door="notebooklm", token_id=caller.token_id)
        )

    async def _call(self, request: Request, session: str, library: Library) -> Response:
        body = await body_of(request)
        asked = request_of(body) if len(body) < LARGE else await asyncio.to_thread(request_of, body)
        if not self._sessions.check(session, asked.token):
            raise InvalidInput("The call carries no valid token.")
        if request.query_params.get("rpcids") not in (None, asked.rpc_id):
            raise InvalidInput("The address and the call name different methods.")
        call = WireCall(library, request.query_params.get("source-path", "/"), self._answering)
        told = await while_there(request.receive, answer(call, asked), self._closing)
        return Response(told, 200, NO_STORE, FRAMES)

    async def _ask(self, request: Request, session: str, library: Library) -> Response:
        body = await body_of(request)
        asked, token = ask_of(body) if len(body) < LARGE else await asyncio.to_thread(ask_of, body)
        if not self._sessions.check(session, token):
            raise InvalidInput("The question carries no valid token.")
        call = WireCall(library, request.query_params.get("source-path", "/"), self._answering)
        frames = (piece.encode() async for piece in answer_stream(call, asked))
        return StreamingResponse(frames, 200, NO_STORE, FRAMES)

    async def _upload(self, request: Request, host: str, library: Library) -> Response:
        """A file is announced, or its bytes come; cancelling leaves nothing behind, since nothing was begun."""
        command = request.headers.get(COMMAND, "")
        if command == START:
            announced = announced_in(await body_of(request, SMALL), request.headers)
            place = await uploads.address(library, announced, host, self._upload_limit)
            return Response("", 200, NO_STORE | {URL: place, STATUS: "active"})
        upload = request.query_params.get("upload_id", "")
        expected = uploads.announced_at(library.engine.signer, upload, library.context.actor.id)
        if command == CANCEL:
            return Response("", 200, NO_STORE | {STATUS: "cancelled"})
        if command != FINALIZE or request.headers.get(OFFSET, "0") != "0":
            raise InvalidInput("A file is sent in one piece.")
        await uploads.received(library, expected, lambda: bounded(request, self._upload_limit))
        return PlainTextResponse(ENQUEUED, 200, NO_STORE | {STATUS: "final"})

    def _page(self, session: str) -> Response:
        """The page from which clients read the tokens of their calls."""
        token, number = self._sessions.token(session), self._sessions.session_id(session)
        data = f'{{"SNlM0e":"{token}","FdrFJe":"{number}","cfb2h":"{BUILD}"}}'
        return HTMLResponse(
            f"<!doctype html><title>Quire</title><script>WIZ_global_data = {data};</script>", 200, NO_STORE
        )


def _accounts(request: Request) -> Response:
    if request.url.path == ROTATE_PATH and request.method == "POST":
        return Response('["identity.hfcr",600]', 200, NO_STORE, "application/json")
    return HTMLResponse(SIGN_IN_PAGE, 200, NO_STORE)


async def body_of(request: Request, most: int = MOST_BYTES) -> bytes:
    """A whole body, if it is not too large; what is announced as too large is not read at all."""
    length = request.headers.get("content-length", "")
    if length.isdigit() and int(length) > most:
        raise TooLarge(f"The request is larger than {most:,} bytes.")
    return b"".join([piece async for piece in bounded(request, most)])


async def bounded(request: Request, most: int) -> AsyncIterator[bytes]:
    """A body in pieces, as long as it is not too large."""
    size = 0
    async for piece in request.stream():
        size += len(piece)
        if size > most:
            raise TooLarge(f"The request is larger than {most:,} bytes.")
        if piece:
            yield piece


def refused(error: QuireError) -> Response:
    """An error of HTTP itself. What cannot be read is 400, which clients take for a token that has run out."""
    status = 400 if type(error) is InvalidInput else error.status
    headers = NO_STORE | ({"Connection": "close"} if isinstance(error, TooLarge) else {})
    if isinstance(error, LimitReached):
        headers["Retry-After"] = str(error.details.get("retry_after", 1))
    return PlainTextResponse(error.message, status, headers)
