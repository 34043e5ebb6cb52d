"""`quire serve` as a process: it says where it is, refuses what it must, and stops cleanly."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from command_line import quire_here

from quire.domain.errors import InvalidInput
from quire.entry.http.app import EVERYONE
from serving import until
from warm_start import warm_python

TOKEN = "sesame-4711-sesame"
LINES = {"Accept": "application/x-ndjson"}


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("QUIRE_")}
    return kept | more


def command(home: Path, *flags: str) -> list[str]:
    return [*warm_python(), "-m", "quire", "serve", "--home", str(home), *flags]


class Process:
    """A running server; what it writes to stderr is collected as it comes."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.lines: list[str] = []
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        until(lambda: self.url or process.poll() is not None)
        assert self.url, self.lines

    @property
    def url(self) -> str:
        found = [match[1] for line in self.lines if (match := re.search(r"Quire is at (http://\S+)", line))]
        return found[0] if found else ""

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        code = self.process.wait(30)
        self._reader.join(30)
        return code

    def _read(self) -> None:
        assert self.process.stderr
        with self.process.stderr as stderr:
            for line in stderr:
                self.lines.append(line.rstrip("\n"))


@contextmanager
def serving(home: Path, *flags: str, **more: str) -> Iterator[Process]:
    process = subprocess.Popen(
        command(home, *flags),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(**more),
    )
    try:
        yield Process(process)
    finally:
        process.kill()
        process.wait(30)


def refused(home: Path, *flags: str) -> tuple[int, str]:
    done = subprocess.run(command(home, *flags), capture_output=True, text=True, env=environment(), timeout=60)
    assert done.stdout == ""
    return done.returncode, done.stderr


def refused_here(home: Path, *flags: str) -> tuple[int, str]:
    """The same in this process, for what is refused before anything is opened."""
    done = quire_here(home, "serve", *flags)
    assert done.stdout == b""
    return done.returncode, done.stderr.decode()


def test_it_says_where_it_is_and_who_can_read_and_keeps_notes_over_a_restart(tmp_path: Path) -> None:
    with serving(tmp_path, "--port", "0") as server:
        assert server.lines == [f"Quire is at {server.url}", EVERYONE]
        note = httpx.post(f"{server.url}/api/note/add", json={"title": "Kept"}, trust_env=False).json()
        link = httpx.get(f"{server.url}/api/note/export", trust_env=False).json()["file"]["url"]
        assert link.startswith(f"{server.url}/files/")
        assert "Kept" in httpx.get(link, trust_env=False).text
        assert server.stop() == 0
    with serving(tmp_path, "--port", "0") as again:
        found = httpx.get(f"{again.url}/api/note/get", params={"note_id": note["id"]}, trust_env=False).json()
        assert found == note
        assert again.stop(signal.SIGINT) == 0


def test_it_stops_while_clients_watch(tmp_path: Path) -> None:
    """Open streams are ended, not cut: the client sees a whole answer that says why."""
    with serving(tmp_path, "--port", "0") as server, httpx.Client(base_url=server.url, trust_env=False) as http:
        with http.stream("GET", "/api/note/watch", timeout=30) as answer:
            assert answer.status_code == 200
            server.process.terminate()
            lines = [line for line in answer.iter_lines() if line and not line.startswith(":")]
        assert lines[0] == "event: failure"
        assert '"stopping"' in lines[1]
        assert server.process.wait(30) == 0
        assert server.lines == [f"Quire is at {server.url}", EVERYONE]


def test_it_stops_while_a_client_waits_for_a_job_that_goes_on_later(tmp_path: Path) -> None:
    """No worker runs here, so the job stays queued; whoever waits for it is told to come back."""
    flags = ("--port", "0", "--workers", "0")
    with serving(tmp_path, *flags) as server, httpx.Client(base_url=server.url, trust_env=False, timeout=30) as http:
        job = http.post("/api/note/import?wait=false", content="# Later\n\nText").json()
        assert job["state"] == "queued"
        with http.stream("GET", "/api/job/wait", params={"job_id": job["id"]}, headers=LINES) as answer:
            lines = answer.iter_lines()
            assert '"progress"' in next(lines)
            server.process.terminate()
            assert '"stopping"' in next(lines)
        assert server.process.wait(30) == 0
        assert server.lines == [f"Quire is at {server.url}", EVERYONE]
    with serving(tmp_path, "--port", "0") as server, httpx.Client(base_url=server.url, trust_env=False) as http:
        assert http.get("/api/job/wait", params={"job_id": job["id"]}, timeout=30).json()["state"] == "done"
        assert server.stop() == 0


def test_mcp_answers_beside_the_page_under_the_same_checks(tmp_path: Path) -> None:
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    accept = {"Accept": "application/json, text/event-stream"}
    with serving(tmp_path, "--port", "0", QUIRE_TOKEN=TOKEN) as server:
        with httpx.Client(base_url=server.url, headers=accept, trust_env=False, timeout=30) as http:
            assert http.post("/mcp", json=hello).status_code == 401
            signed = {"Authorization": f"Bearer {TOKEN}"}
            assert http.post("/mcp", json=hello, headers={**signed, "Origin": "http://evil"}).status_code == 403
            answer = http.post("/mcp", json=hello, headers=signed)
            assert answer.status_code == 200
            assert '"serverInfo"' in answer.text
        assert server.stop() == 0


def test_a_port_that_is_taken_is_an_error_of_one_line_and_a_hint(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, told = refused(tmp_path, "--port", str(port))
    assert code == 1
    assert told.splitlines()[0] == f"Error: Port {port} on 127.0.0.1 is taken."
    assert "Traceback" not in told


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_it_does_not_open_the_door_to_a_network_without_a_token(tmp_path: Path, host: str) -> None:
    code, told = refused_here(tmp_path, "--port", "0", "--host", host)
    assert code == 2
    assert "Hint: Set a token" in told


@pytest.mark.parametrize("host", ["no-such-name.invalid", "300.1.1.1", "a" * 70])
def test_a_name_that_leads_nowhere_is_not_taken_for_a_network(tmp_path: Path, host: str) -> None:
    code, told = refused_here(tmp_path, "--port", "0", "--host", host)
    assert (code, told.splitlines()[0]) == (
        2,
        f"Error: '{host}' is no address of this machine, nor a name that leads to one.",
    )


def test_a_public_address_that_is_none_is_refused_at_once(tmp_path: Path) -> None:
    code, told = refused_here(tmp_path, "--port", "0", "--public-url", "notes.example.com")
    assert (code, told.splitlines()[0]) == (2, "Error: public_url is not a valid address.")


def test_an_address_of_another_machine_is_an_error(tmp_path: Path) -> None:
    done = subprocess.run(
        command(tmp_path, "--port", "0", "--host", "192.0.2.1"),
        capture_output=True,
        text=True,
        env=environment(QUIRE_TOKEN=TOKEN),
        timeout=60,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("Error: Cannot listen on 192.0.2.1")


def test_secrets_are_in_no_log(tmp_path: Path) -> None:
    """At the most talkative level, with the token sent every way it can be."""
    log = tmp_path / "log.jsonl"
    flags = ("--port", "0", "--log-level", "debug", "--log-file", str(log))
    with serving(tmp_path, *flags, QUIRE_TOKEN=TOKEN) as server:
        with httpx.Client(base_url=server.url, trust_env=False, timeout=30) as http:
            assert http.get("/", params={"token": TOKEN}).status_code == 303
            assert http.get("/", params={"token": "wrong-" + TOKEN}).status_code == 401
            assert http.post("/sign-in", data={"token": TOKEN}).status_code == 303
            signed = {"Authorization": f"Bearer {TOKEN}"}
            assert http.get("/api/note/list", headers=signed).status_code == 200
            assert http.post("/api/note/add", json={"title": "private-title"}, headers=signed).status_code == 200
            url = http.get("/api/note/export", headers=signed).json()["file"]["url"]
            assert http.get(url).status_code == 200
        assert server.stop() == 0
        written = log.read_text() + "\n".join(server.lines)
    assert '"tool": "add_note"' in written
    assert '"door": "http"' in written
    assert TOKEN not in written
    assert "private-title" not in written
    assert url.rpartition("/")[2] not in written


def test_a_token_that_it_makes_itself_is_printed_as_a_way_in_and_kept_for_the_owner_alone(tmp_path: Path) -> None:
    with serving(tmp_path, "--port", "0", "--token", "auto", "--toolsets", "all") as server:
        (line,) = server.lines
        address = line.removeprefix("Quire is at ")
        base, _, token = address.partition("/?token=")
        file = tmp_path / "token"
        assert file.read_text().strip() == token
        assert file.stat().st_mode & 0o777 == 0o600
        assert httpx.get(f"{base}/api/note/list", trust_env=False).status_code == 401
        with httpx.Client(base_url=base, trust_env=False, follow_redirects=True) as browser:
            page = browser.get(f"/?token={token}")
            assert page.status_code == 200
            assert f"Bearer {token}" in page.text
            assert browser.post("/api/note/add", json={"title": "Tide", "content": "At noon"}).status_code == 200
            links = [
                browser.get("/api/note/export").json()["file"]["url"],
                json.loads(quire_here(tmp_path, "note", "export", "--json", folder=tmp_path).stdout)["file"]["url"],
            ]
            assert [httpx.get(link, trust_env=False).status_code for link in links] == [200, 200]
            told = quire_here(tmp_path, "token", "--rotate", "--json")
            assert [httpx.get(link, trust_env=False).status_code for link in links] == [403, 403]
            new = json.loads(told.stdout)["token"]
            assert new != token
            assert browser.get("/").status_code == 401
            for given, status in ((token, 401), (new, 200)):
                headers = {"Authorization": f"Bearer {given}"}
                assert browser.get("/api/note/list", headers=headers).status_code == status
        assert json.loads(quire_here(tmp_path, "token", "--json").stdout)["token"] == new
        assert server.stop() == 0


def test_cells_are_not_served_without_a_token(tmp_path: Path) -> None:
    for toolsets in ("all", "notes, scratch"):
        code, said = refused_here(tmp_path, "--toolsets", toolsets)
        assert code == InvalidInput.exit_code
        assert "--token auto" in said
