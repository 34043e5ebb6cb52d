"""The loopback TLS proxy: takes CONNECTs to NotebookLM's names and passes what is inside to `quire serve`.

A client that honours HTTPS_PROXY and SSL_CERT_FILE reaches Quire through it without a change. The names are never
resolved: a CONNECT to one of them ends here, and a CONNECT to any other is refused, Google's others too.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import h11

from quire.domain.errors import InvalidInput
from quire.notebooklm.certificates import NAMES, Certificates, certificates
from quire.notebooklm.sessions import PROXY_HEADER

log = logging.getLogger("quire.notebooklm.tls_proxy")

LOOPBACK = ("127.0.0.1", "::1", "localhost")
HTTPS_PORT = 443
MOST_HEAD = 64 * 1024
MOST_CONNECTIONS = 256
PIECE = 64 * 1024
HEAD_SECONDS, IDLE_SECONDS, ANSWER_SECONDS, CLOSE_SECONDS, REST_SECONDS = 30.0, 120.0, 1800.0, 1.0, 6.0
# Hop by hop, or ours to say.
DROPPED = {
    b"connection", b"keep-alive", b"proxy-connection", b"proxy-authorization", b"te", b"trailer",
    b"upgrade", b"expect", b"x-forwarded-for", b"forwarded", PROXY_HEADER.encode(),
}  # fmt: skip


class Left(Exception):
    """The other side has closed the connection, or says nothing any more."""


class Side:
    """One end of a connection, read and written in HTTP's events."""

    def __init__(
        self, role: type[h11.CLIENT | h11.SERVER], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.http = h11.Connection(role, max_incomplete_event_size=MOST_HEAD)
        self.reader = reader
        self.writer = writer

    async def next(self, seconds: float) -> h11.Event:
        while True:
            event = self.http.next_event()
            if event is h11.NEED_DATA:
                try:
                    async with asyncio.timeout(seconds):
                        data = await self.reader.read(PIECE)
                except (TimeoutError, OSError) as error:
                    raise Left from error
                self.http.receive_data(data)
                continue
            if isinstance(event, h11.ConnectionClosed) or event is h11.PAUSED:
                raise Left
            assert isinstance(event, h11.Event)
            return event

    async def send(self, event: h11.Event) -> None:
        data = self.http.send(event)
        if data:
            try:
                self.writer.write(data)
                async with asyncio.timeout(IDLE_SECONDS):
                    await self.writer.drain()
            except (TimeoutError, OSError) as error:
                raise Left from error

    async def left(self) -> None:
        """Returns when the other side has closed; what it sends before is kept for its turn, within bounds."""
        kept = 0
        while kept < MOST_HEAD:
            try:
                data = await self.reader.read(PIECE)
            except OSError:
                return
            if not data:
                return
            kept += len(data)
            self.http.receive_data(data)
        await asyncio.Event().wait()

    async def close(self) -> None:
        await closed(self.writer)


class TlsProxy:
    """`key` proves to the server that a request came through here. Nothing of a request is logged but its host."""

    def __init__(self, folder: Path, upstream: str, key: str) -> None:
        self._folder = folder
        self._key = key
        self._address = upstream_address(upstream)
        self._certificates: Certificates | None = None
        self._context: ssl.SSLContext | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self, port: int) -> asyncio.Server:
        self._tls()
        return await asyncio.start_server(self._connected, "127.0.0.1", port, limit=MOST_HEAD)

    async def stop(self) -> None:
        """Ends the connections that are open."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _tls(self) -> ssl.SSLContext:
        """Made anew with the certificates, so that a proxy that runs for months goes on."""
        current = certificates(self._folder)
        if self._context is None or current != self._certificates:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.minimum_version = ssl.TLSVersion.TLSv1_2
            context.load_cert_chain(current.certificate, current.key)
            context.set_alpn_protocols(["http/1.1"])
            self._certificates, self._context = current, context
        return self._context

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            if len(self._tasks) > MOST_CONNECTIONS:
                return
            if await self._tunnelled(reader, writer):
                await self._relay(Side(h11.SERVER, reader, writer))
        except (Left, h11.ProtocolError, ssl.SSLError, OSError, TimeoutError) as error:
            log.debug("connection ended", extra={"reason": type(error).__name__})
        finally:
            self._tasks.discard(task)
            await closed(writer)

    async def _tunnelled(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Whether a CONNECT to one of NotebookLM's names was taken, and TLS begun."""
        side = Side(h11.SERVER, reader, writer)
        try:
            request = await side.next(HEAD_SECONDS)
        except h11.RemoteProtocolError:
            await refuse(writer, 400, "Bad Request")
            return False
        if not isinstance(request, h11.Request) or request.method != b"CONNECT":
            await refuse(writer, 405, "Method Not Allowed")
            return False
        host, _, port = request.target.decode("ascii", "replace").rpartition(":")
        if not served(host) or port != str(HTTPS_PORT):
            log.warning("refused a host that is not NotebookLM's", extra={"asked_host": host[:200]})
            await refuse(writer, 403, "Forbidden")
            return False
        if side.http.trailing_data[0]:
            return False
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await writer.drain()
        async with asyncio.timeout(HEAD_SECONDS):
            await writer.start_tls(self._tls())
        return True

    async def _relay(self, client: Side) -> None:
        """Requests one after the other, each with its answer, and each over a connection of its own to the server.

        A kept connection could be closed by the server just when the next request goes out, and that would be lost.
        """
        while True:
            request = await client.next(IDLE_SECONDS)
            server = await self._reached(client) if isinstance(request, h11.Request) else None
            if server is None or not isinstance(request, h11.Request):
                return
            try:
                again = await self._exchange(client, server, request)
            finally:
                await server.close()
            if not again:
                return

    async def _reached(self, client: Side) -> Side | None:
        try:
            async with asyncio.timeout(HEAD_SECONDS):
                reader, writer = await asyncio.open_connection(*self._address)
        except (TimeoutError, OSError):
            told = b"quire serve does not answer"
            headers = [
                (b"Content-Type", b"text/plain"),
                (b"Content-Length", b"%d" % len(told)),
                (b"Connection", b"close"),
            ]
            await client.send(h11.Response(status_code=502, headers=headers))
            await client.send(h11.Data(data=told))
            await client.send(h11.EndOfMessage())
            return None
        return Side(h11.CLIENT, reader, writer)

    async def _exchange(self, client: Side, server: Side, request: h11.Request) -> bool:
        """One request and its answer; whether the client's connection can be used again.

        It ends when the client leaves, and the server's connection is closed then: so the server hears of it too.
        """
        headers = [(name, value) for name, value in request.headers.raw_items() if name.lower() not in DROPPED]
        headers.append((PROXY_HEADER.encode(), self._key.encode()))
        await server.send(h11.Request(method=request.method, target=request.target, headers=headers))
        if client.http.they_are_waiting_for_100_continue:
            await client.send(h11.InformationalResponse(status_code=100, headers=[]))
        sending = asyncio.create_task(self._pass_body(client, server))
        answering = asyncio.create_task(self._answer(client, server))
        leaving = asyncio.create_task(self._left_after(client, sending))
        try:
            await asyncio.wait([answering, leaving], return_when=asyncio.FIRST_COMPLETED)
            if not answering.done():
                raise Left
            await answering
            # An answer may come before its request has ended; whoever still sends would not see it if we closed now.
            await asyncio.wait([sending], timeout=REST_SECONDS)
        finally:
            for task in (sending, answering, leaving):
                task.cancel()
            await asyncio.gather(sending, answering, leaving, return_exceptions=True)
        if client.http.states != {h11.CLIENT: h11.DONE, h11.SERVER: h11.DONE}:
            return False
        client.http.start_next_cycle()
        return True

    @staticmethod
    async def _pass_body(client: Side, server: Side) -> None:
        while True:
            event = await client.next(IDLE_SECONDS)
            if isinstance(event, h11.Data):
                await server.send(h11.Data(data=event.data))
            elif isinstance(event, h11.EndOfMessage):
                await server.send(h11.EndOfMessage())
                return

    @staticmethod
    async def _left_after(client: Side, sending: asyncio.Task[None]) -> None:
        """Returns when the client has left, be it before its request has ended."""
        await asyncio.wait([sending])
        await client.left()

    @staticmethod
    async def _answer(client: Side, server: Side) -> None:
        while True:
            event = await server.next(ANSWER_SECONDS)
            if isinstance(event, h11.Response):
                headers = [item for item in event.headers.raw_items() if item[0].lower() not in DROPPED]
                await client.send(h11.Response(status_code=event.status_code, headers=headers, reason=event.reason))
            elif isinstance(event, h11.Data):
                await client.send(h11.Data(data=event.data))
            elif isinstance(event, h11.EndOfMessage):
                await client.send(h11.EndOfMessage())
                return


async def closed(writer: asyncio.StreamWriter) -> None:
    """Closes a connection. The other side has a moment to agree, and is left alone then."""
    writer.close()
    try:
        async with asyncio.timeout(CLOSE_SECONDS):
            await writer.wait_closed()
    except (OSError, ssl.SSLError, TimeoutError):
        writer.transport.abort()
    except asyncio.CancelledError:
        writer.transport.abort()
        raise


async def refuse(writer: asyncio.StreamWriter, status: int, reason: str) -> None:
    writer.write(f"HTTP/1.1 {status} {reason}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())
    await writer.drain()


def served(host: str) -> bool:
    """Whether a name is one that this proxy stands for."""
    return host.lower().rstrip(".") in NAMES


def upstream_address(upstream: str) -> tuple[str, int]:
    """Host and port of the server; it must be on this machine, since the proxy tells it who it is."""
    try:
        parts = urlsplit(upstream)
        port = parts.port
    except ValueError:
        raise InvalidInput("--upstream is not an address.", hint="Like http://127.0.0.1:8765.") from None
    if parts.scheme != "http" or parts.hostname not in LOOPBACK or parts.path.strip("/"):
        raise InvalidInput("--upstream must be a server on this machine.", hint="Like http://127.0.0.1:8765.")
    return parts.hostname or "", port or 80


async def run(proxy: TlsProxy, port: int, started: Callable[[int], None]) -> None:
    """Serves until it is cancelled."""
    server = await proxy.start(port)
    try:
        started(server.sockets[0].getsockname()[1])
        await server.serve_forever()
    finally:
        server.close()
        await proxy.stop()
