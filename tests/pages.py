"""Web pages on loopback, for sources that are fetched; what a page holds may change, and wait until it is let go."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

WAIT_SECONDS = 60.0


class Pages:
    """`served` are pages by path: media type and bytes. A path in `held` answers once its event is set."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.served: dict[str, tuple[str, bytes]] = {}
        self.held: dict[str, threading.Event] = {}

    def put(self, path: str, content: str, media_type: str = "text/html; charset=utf-8") -> str:
        """Puts a page there, and returns its address."""
        self.served[path] = (media_type, content.encode())
        return self.url + path

    def hold(self, path: str) -> threading.Event:
        self.held[path] = threading.Event()
        return self.held[path]


@contextmanager
def serving_pages() -> Iterator[Pages]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if held := pages.held.get(self.path):
                held.wait(WAIT_SECONDS)
            found = pages.served.get(self.path)
            if found is None:
                self.send_error(404)
                return
            media_type, data = found
            self.send_response(200)
            self.send_header("Content-Type", media_type)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    pages = Pages(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield pages
    finally:
        for held in pages.held.values():
            held.set()
        server.shutdown()
        thread.join(WAIT_SECONDS)
        server.server_close()


def article(title: str, *paragraphs: str) -> str:
    """A page with a text long enough that readers take it for one."""
    body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return f"<html><head><title>{title}</title></head><body><article><h1>{title}</h1>{body}</article></body></html>"
