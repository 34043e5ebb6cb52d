"""Servers on loopback: with a handler of the test's own, or with pages that may change, and wait until let go."""

from __future__ import annotations

import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

WAIT_SECONDS = 60.0
# How often a server looks whether it is to end; `shutdown` waits for that.
LOOK_SECONDS = 0.01


class Pages:
    """`served` are pages by path: media type and bytes. A path in `held` answers once its event is set.

    Those in `tagged` have an ETag; `asked` tells what was asked for, and with which one.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.served: dict[str, tuple[str, bytes]] = {}
        self.held: dict[str, threading.Event] = {}
        self.tagged: set[str] = set()
        self.asked: list[tuple[str, str | None]] = []

    def put(self, path: str, content: str | bytes, media_type: str = "text/html; charset=utf-8") -> str:
        """Puts a page there, and returns its address."""
        self.served[path] = (media_type, content.encode() if isinstance(content, str) else content)
        return self.url + path

    def etag(self, path: str) -> str | None:
        """What tells one state of a page from another, for paths that are `tagged`."""
        return f'"{zlib.crc32(self.served[path][1])}"' if path in self.tagged else None

    def hold(self, path: str) -> threading.Event:
        self.held[path] = threading.Event()
        return self.held[path]


@contextmanager
def answering(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """The address of a server whose requests go to the handler, until the block ends."""
    quiet = type("Quiet", (handler,), {"log_message": lambda *about: None})
    with ThreadingHTTPServer(("127.0.0.1", 0), quiet) as server:
        thread = threading.Thread(target=server.serve_forever, args=(LOOK_SECONDS,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join(WAIT_SECONDS)


@contextmanager
def serving_pages() -> Iterator[Pages]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            if held := pages.held.get(path):
                held.wait(WAIT_SECONDS)
            found = pages.served.get(path)
            if found is None:
                self.send_error(404)
                return
            media_type, data = found
            etag = pages.etag(path)
            pages.asked.append((path, self.headers.get("If-None-Match")))
            if etag and self.headers.get("If-None-Match") == etag:
                self.send_response(304)
                self.end_headers()
                return
            self.send_response(200)
            if etag:
                self.send_header("ETag", etag)
            self.send_header("Content-Type", media_type)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    with answering(Handler) as url:
        pages = Pages(url)
        try:
            yield pages
        finally:
            for held in pages.held.values():
                held.set()


def article(title: str, *paragraphs: str) -> str:
    """A page with a text long enough that readers take it for one."""
    body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return f"<html><head><title>{title}</title></head><body><article><h1>{title}</h1>{body}</article></body></html>"
