"""A web server on loopback that answers each path with the very bytes a test wants."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

Answer = bytes | Callable[[asyncio.StreamWriter], Awaitable[None]]


@dataclass
class Seen:
    line: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Loopback:
    """`paths` may be filled while it runs; a path with several answers gives them one after another."""

    port: int = 0
    scheme: str = "http"
    paths: dict[str, Answer | list[Answer]] = field(default_factory=dict)
    seen: list[Seen] = field(default_factory=list)

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"{self.scheme}://{host}:{self.port}{path}"

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            self.seen.append(Seen(head[0], headers, body))
            answer = self.paths.get(head[0].split(" ")[1].partition("?")[0], page(b"", status=404))
            if isinstance(answer, list):
                answer = answer.pop(0) if len(answer) > 1 else answer[0]
            if callable(answer):
                await answer(writer)
            else:
                writer.write(answer)
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


def page(body: bytes, *headers: str, status: int = 200, media_type: str = "text/html") -> bytes:
    # It closes after each answer, and says so: a client that kept the connection would lose its next request.
    own = [f"HTTP/1.1 {status} X", f"Content-Type: {media_type}", f"Content-Length: {len(body)}", "Connection: close"]
    lines = [*own, *headers]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + body


def redirect(to: str, status: int = 302) -> bytes:
    return page(b"", f"Location: {to}", status=status)


@asynccontextmanager
async def loopback(host: str = "127.0.0.1", tls: ssl.SSLContext | None = None) -> AsyncIterator[Loopback]:
    made = Loopback(scheme="https" if tls else "http")
    server = await asyncio.start_server(made.handle, host, 0, ssl=tls)
    made.port = server.sockets[0].getsockname()[1]
    try:
        yield made
    finally:
        server.close()
        await server.wait_closed()
