"""Clients so thin that what is measured is the server: a pipe with lines, and a socket with requests."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from typing import Any, Self

LEGACY, MODERN = "2025-11-25", "2026-07-28"
CLIENT = {"name": "benchmark", "version": "1"}
PATIENCE = 60.0


def initialize() -> bytes:
    return _message("initialize", {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": CLIENT})


def call(era: str, tool: str, arguments: dict[str, Any]) -> bytes:
    params: dict[str, Any] = {"name": tool, "arguments": arguments}
    if era == MODERN:
        prefix = "io.modelcontextprotocol"
        params["_meta"] = {
            f"{prefix}/protocolVersion": MODERN,
            f"{prefix}/clientInfo": CLIENT,
            f"{prefix}/clientCapabilities": {},
        }
    return _message("tools/call", params)


def text_of(answer: bytes) -> str:
    """The text of a tool's answer."""
    text: str = json.loads(answer)["result"]["content"][0]["text"]
    return text


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Process:
    """A server process; asked to stop, and waited for, at the end."""

    def __init__(self, arguments: list[str], home: str, token: str | None = None) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        environment = {name: value for name, value in os.environ.items() if not name.startswith("QUIRE_")}
        self.process = subprocess.Popen(
            [sys.executable, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            bufsize=0,
            env=environment | {"QUIRE_HOME": home} | ({"QUIRE_TOKEN": token} if token else {}),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        with self.process:
            self.process.terminate()
        self._errors.close()

    def ended(self) -> RuntimeError:
        """That it ended when it should not have, with what it said last."""
        self._errors.seek(0)
        return RuntimeError(f"the server has ended: {self._errors.read().decode(errors='replace')[-2000:]}")


class Pipe(Process):
    """One JSON-RPC message a line."""

    def __init__(self, arguments: list[str], home: str) -> None:
        super().__init__(arguments, home)
        assert self.process.stdin
        assert self.process.stdout
        self._in = self.process.stdin.fileno()
        self._out = self.process.stdout.fileno()

    def connect(self) -> None:
        """A pipe is connected as long as its process lives."""

    def request(self, era: str, message: bytes) -> bytes:
        return message

    def ask(self, message: bytes) -> bytes:
        os.write(self._in, message + b"\n")
        line = b""
        while not line.endswith(b"\n"):
            chunk = os.read(self._out, 65536)
            if not chunk:
                raise self.ended()
            line += chunk
        return line

    def tell(self, message: bytes) -> None:
        os.write(self._in, message + b"\n")

    def shake_hands(self) -> None:
        self.ask(initialize())
        self.tell(initialized())


class Post(Process):
    """Requests on one kept-alive connection."""

    def __init__(self, arguments: list[str], home: str, port: int, token: str | None = None) -> None:
        super().__init__(arguments, home, token)
        self._port = port
        self._token = token
        self._session = b""
        self._socket = socket.socket()
        end = time.monotonic() + PATIENCE
        while True:
            try:
                self.connect()
                break
            except ConnectionRefusedError:
                if time.monotonic() > end or self.process.poll() is not None:
                    raise self.ended() from None
                time.sleep(0.05)

    def connect(self) -> None:
        """A new connection: servers close one that was idle for some seconds."""
        self._socket.close()
        self._socket = socket.create_connection(("127.0.0.1", self._port), PATIENCE)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def __exit__(self, *exception: object) -> None:
        self._socket.close()
        super().__exit__(*exception)

    def request(self, era: str, message: bytes) -> bytes:
        """A whole request, made beforehand so that making it is not measured."""
        lines = [
            b"POST /mcp HTTP/1.1",
            b"host: 127.0.0.1:%d" % self._port,
            b"content-type: application/json",
            b"accept: application/json, text/event-stream",
            b"content-length: %d" % len(message),
            b"mcp-protocol-version: " + era.encode(),
        ]
        if era == MODERN:
            told = json.loads(message)
            lines += [
                b"mcp-method: " + told["method"].encode(),
                b"mcp-name: " + told["params"]["name"].encode(),
            ]
        elif self._session:
            lines.append(b"mcp-session-id: " + self._session)
        if self._token:
            lines.append(b"authorization: Bearer " + self._token.encode())
        return b"\r\n".join(lines) + b"\r\n\r\n" + message

    def ask(self, request: bytes) -> bytes:
        return self._exchange(request)[1]

    def shake_hands(self) -> None:
        head, _ = self._exchange(self.request(LEGACY, initialize()))
        self._session = next(
            line.partition(b":")[2].strip()
            for line in head.split(b"\r\n")
            if line.lower().startswith(b"mcp-session-id:")
        )
        self._exchange(self.request(LEGACY, initialized()))

    def _exchange(self, request: bytes) -> tuple[bytes, bytes]:
        self._socket.sendall(request)
        data = b""
        while (split := data.find(b"\r\n\r\n")) < 0:
            data += self._received()
        head, body = data[:split], data[split + 4 :]
        lower = head.lower()
        at = lower.find(b"content-length:")
        length = int(lower[at + 15 :].split(b"\r\n", 1)[0]) if at >= 0 else 0
        while len(body) < length:
            body += self._received()
        return head, body

    def _received(self) -> bytes:
        data = self._socket.recv(65536)
        if not data:
            raise self.ended()
        return data


Wire = Pipe | Post


def initialized() -> bytes:
    return json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}).encode()


def _message(method: str, params: dict[str, Any]) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}).encode()
