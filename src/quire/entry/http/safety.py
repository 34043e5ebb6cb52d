"""What every request passes before anything else sees it.

The Host and the Origin must be ours (a page elsewhere can neither call us nor rebind a name to us), the
caller is known where a token is set, a body is bounded, and no error leaves in any form but our own.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Literal, NamedTuple
from urllib.parse import parse_qs, urlsplit

from starlette.requests import ClientDisconnect, cookie_parser
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from quire.api.context import new_request_id
from quire.api.deadline import by_deadline
from quire.api.guard import masked
from quire.domain.errors import InvalidInput, NotAllowed, NotSignedIn, QuireError, TooLarge
from quire.entry.http.answers import Refused, TooSlow, malformed
from quire.entry.http.callers import COOKIE, OWNER, Caller, Callers
from quire.entry.http.revocations import Revocations
from quire.entry.settings import Settings
from quire.entry.token_file import AUTO

HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::([0-9]{1,5}))?")
SMALL_BODY = 8 * 1024
PATIENCE = 30.0
# Bytes in a second that a body must come with, on the whole.
SLOWEST = 4_096
SHORTEST_TOKEN = 16
FORM_SLACK = 1024 * 1024
PAGE_POLICY = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"content-security-policy", PAGE_POLICY.encode()),
]

Answer = Callable[[Scope, QuireError | Refused], Response]
# Headers by their names; of several with one name, the first.
Given = Mapping[bytes, str]


class Access(NamedTuple):
    """How a path is reached; whoever serves it says so. All that nobody speaks of is as this is by default.

    `open` needs no token. `called` is not for links on pages of other sites. `body` is what it takes: a few words,
    the arguments of a call, or a file.
    """

    open: bool = False
    called: bool = False
    body: Literal["words", "call", "file"] = "words"


OPEN = Access(open=True)
CALL = Access(called=True, body="call")
FILE = Access(body="file")


class Safety:
    """Leaves in the scope the caller as `quire.actor`, whether they came by a browser's session as
    `quire.session`, and the call's id as `quire.request_id`."""

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        callers: Callers,
        revocations: Revocations,
        access: Mapping[str, Access],
        answer: Answer,
        *,
        patience: float = PATIENCE,
    ) -> None:
        self._app = app
        self._patience = patience
        self._callers = callers
        self._revocations = revocations
        self._answer = answer
        self._limits = {
            "words": min(SMALL_BODY, settings.body_limit),
            "call": settings.body_limit,
            "file": settings.upload_limit + FORM_SLACK,
        }
        self._access = dict(access)
        self._under = tuple(path for path in self._access if path.endswith("/"))
        self._public = public_host(settings)
        self._names = {name.lower() for name in ("localhost", settings.host, self._public[0]) if name}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = new_request_id()
        began = False

        async def send_safely(message: Message) -> None:
            nonlocal began
            if message["type"] == "http.response.start":
                began = True
                headers = [*message["headers"], (b"x-request-id", request_id.encode())]
                said = {name for name, _ in headers}
                headers += [header for header in HEADERS if header[0] not in said]
                message = {**message, "headers": headers}
            await send(message)

        try:
            headers = {name: value.decode("latin-1") for name, value in reversed(scope["headers"])}
            if b"content-length" in headers and b"transfer-encoding" in headers:
                # Whoever stands before us may count the other one, and take a part of it for the next request.
                raise malformed("The request has both a length and chunks.", headers={"Connection": "close"})
            self._check_origin(scope, headers)
            scope["quire.request_id"] = request_id
            caller = await self._caller(scope, headers)
            scope["quire.actor"] = caller and caller.actor
            scope["quire.token_id"] = caller.token_id if caller else ""
            work = self._app(scope, self._bounded(scope, headers, receive), send_safely)
            await self._revocations.run(caller and caller.signed_in, work)
            return
        except ClientDisconnect:
            return
        except (QuireError, Refused) as error:
            failure: QuireError | Refused = error
        except Exception as error:
            failure = masked(error, request_id)
        if not began:
            await self._answer(scope, failure)(scope, receive, send_safely)
        elif isinstance(failure, NotSignedIn):
            # A stream that has no length is ended in its proper form.
            with suppress(Exception):
                await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _check_origin(self, scope: Scope, headers: Given) -> None:
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        host, port = _split(headers[b"host"]) if len(hosts) == 1 else (None, None)
        if host is None or not self._ours(scope, host):
            raise NotAllowed("This address is not one of this server's.", hint="Set public_url to the address in use.")
        site = headers.get(b"sec-fetch-site", "none")
        origin = headers.get(b"origin")
        # A form of ours sends "null", since our pages name no referrer; the browser vouches for it itself.
        own = origin is None or (origin == "null" and site == "same-origin") or self._own(scope, origin, port)
        reads = scope["method"] in ("GET", "HEAD") and not self._access_to(scope["path"]).called
        visit = reads and headers.get(b"sec-fetch-mode") == "navigate"
        if not own or (site in ("cross-site", "same-site") and not visit):
            raise NotAllowed("Pages of other sites may not call this server.")

    def _own(self, scope: Scope, origin: str, port: int | None) -> bool:
        scheme, _, rest = origin.partition("://")
        name, origin_port = _split(rest)
        if name is None or scheme not in ("http", "https"):
            return False
        return (self._ours(scope, name) and origin_port == port) or (name, origin_port) == self._public

    def _ours(self, scope: Scope, host: str) -> bool:
        """A name that we know, or the very address that was connected to: no name can be rebound to that."""
        server = scope.get("server")
        address = server[0].removeprefix("::ffff:") if server else None
        return host in self._names or is_loopback(host) or host == address

    async def _caller(self, scope: Scope, headers: Given) -> Caller | None:
        """Nobody, on the routes that are open. A token that is given must be valid, needed or not."""
        scope["quire.session"] = False
        given = headers.get(b"authorization")
        if given is not None:
            scheme, _, token = given.partition(" ")
            sent = token.strip().encode("latin-1") if scheme.lower() == "bearer" else None
            if not self._is_open(scope):
                return await self._callers.admitted(sent, address_of(scope))
            return None if sent is None else await self._callers.looked_at(sent, address_of(scope))
        session = cookie_parser(headers.get(b"cookie", "")).get(COOKIE)
        caller = await self._callers.of_session(session) if session else None
        scope["quire.session"] = caller is not None
        if caller is None and self._callers.needed:
            if not self._is_open(scope):
                raise NotSignedIn("This needs a token.", hint="Send it as 'Authorization: Bearer ...'.")
            return None
        return caller or OWNER

    def _bounded(self, scope: Scope, headers: Given, receive: Receive) -> Receive:
        limit = self._limits[self._access_to(scope["path"]).body]
        left, whole, waited = limit, False, 0.0
        length = headers.get(b"content-length", "")
        if length.isdigit() and int(length) > limit:
            raise _too_large(limit)

        async def receive_bounded() -> Message:
            nonlocal left, whole, waited
            if whole:
                return await receive()
            # Each piece must come soon, and all of them in the time that a slow line needs; what we take for them
            # ourselves does not count.
            due = min(self._patience, self._patience + (limit - left) / SLOWEST - waited)
            began = time.monotonic()
            try:
                message = await by_deadline(asyncio.get_running_loop().time() + due, receive())
            except TimeoutError:
                raise TooSlow from None
            waited += time.monotonic() - began
            whole = not message.get("more_body", False)
            left -= len(message.get("body", b""))
            if left < 0:
                raise _too_large(limit)
            return message

        return receive_bounded

    def _access_to(self, path: str) -> Access:
        """What is said of the very path, else of all under one that ends with a slash."""
        found = self._access.get(path)
        if found is None and path.startswith(self._under):
            found = next(self._access[above] for above in self._under if path.startswith(above))
        return found or Access()

    def _is_open(self, scope: Scope) -> bool:
        """What needs no token: signed links, the health check, and the way in."""
        path: str = scope["path"]
        if path == "/" and scope["method"] == "GET":
            return "token" in parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        return self._access_to(path).open


def address_of(scope: Scope) -> str:
    client = scope.get("client")
    return str(client[0]) if client else "unknown"


def is_loopback(host: str) -> bool:
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def public_host(settings: Settings) -> tuple[str | None, int | None]:
    """Name and port of the address that others know this server by."""
    try:
        address = urlsplit(settings.public_url)
        name, port = address.hostname, _port(address.port)
    except ValueError:
        name = None
    if settings.public_url and (name is None or address.scheme not in ("http", "https")):
        raise InvalidInput("public_url is not a valid address.", hint="Like https://notes.example.com, or empty.")
    return (name, port) if name else (None, None)


def refuse_open_door(settings: Settings) -> None:
    """Beyond this machine, and where code can be run, everyone must say who they are."""
    if settings.serves_cells and not settings.signs_in:
        raise InvalidInput(
            "Cells could be run by every account of this machine.",
            hint="Start it with --token auto (or set QUIRE_TOKEN), or without the toolset 'scratch'.",
        )
    if is_loopback(settings.host) or settings.token == AUTO:
        return
    if not settings.signs_in:
        raise InvalidInput(
            f"Listening on '{settings.host}' would let anyone in the network read and change everything.",
            hint="Set a token (--token auto, or QUIRE_TOKEN), or listen on 127.0.0.1.",
        )
    if settings.token and len(settings.token) < SHORTEST_TOKEN:
        raise InvalidInput(
            f"The token is too short for a network: it needs at least {SHORTEST_TOKEN} characters.",
            hint="Set a longer one (QUIRE_TOKEN), such as `openssl rand -hex 32` prints.",
        )


def _split(host: str) -> tuple[str | None, int | None]:
    found = HOST.fullmatch(host)
    if not found:
        return None, None
    name, port = found.groups()
    return name.strip("[]").lower(), _port(int(port) if port else None)


def _port(port: int | None) -> int | None:
    """Default ports are left out of addresses, so they count as none."""
    return None if port in (80, 443) else port


def _too_large(limit: int) -> TooLarge:
    return TooLarge(f"The request is larger than {limit:,} bytes.", limit=limit)
