"""`quire ask` on a terminal shows an answer while it is being written."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from pages import answering
from quire.entry.cli import main
from warm_start import warm_python

WAIT_SECONDS = 60.0


class Model:
    """A model that says its first words, and the rest when it is let go."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.let_go = threading.Event()


@contextmanager
def hesitant_model() -> Iterator[Model]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            self.say("Bees make ")
            model.let_go.wait(WAIT_SECONDS)
            self.say("honey from nectar [1].")
            self.wfile.write(b"data: [DONE]\n\n")

        def say(self, piece: str) -> None:
            event = {"choices": [{"delta": {"content": piece}}]}
            self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
            self.wfile.flush()

    with answering(Handler) as url:
        model = Model(f"{url}/v1")
        try:
            yield model
        finally:
            model.let_go.set()


def test_an_answer_is_seen_before_it_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIRE_EMBEDDER", "none")
    home = tmp_path / "home"
    assert (
        main(["--home", str(home), "source", "add", "--text", "Bees make honey from nectar.", "--title", "Bees"]) == 0
    )
    with hesitant_model() as model:
        leader, follower = pty.openpty()
        settings = {"QUIRE_HOME": str(home), "QUIRE_MODEL_URL": model.url, "QUIRE_MODEL": "tiny"}
        process = subprocess.Popen(
            [*warm_python(), "-m", "quire", "ask", "What do bees make?"],
            stdout=follower,
            stderr=subprocess.DEVNULL,
            env=dict(os.environ, TERM="xterm", **settings),
        )
        os.close(follower)
        seen = b""
        while True:
            try:
                part = os.read(leader, 65_536)
            except OSError:
                break
            if not part:
                break
            seen += part
            if b"Bees make" in seen and not model.let_go.is_set():
                assert b"honey" not in seen
                model.let_go.set()
        os.close(leader)
        assert process.wait(WAIT_SECONDS) == 0
    shown = seen.decode()
    assert model.let_go.is_set()
    assert "[1]" in shown
    assert "quire ask -c" in shown.rstrip().splitlines()[-1]
