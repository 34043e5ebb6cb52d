"""`/api`: every capability as a route, in each of its shapes."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, ClassVar

import httpx
import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate
from sse_starlette.sse import AppStatus
from starlette.requests import ClientDisconnect

from quire.domain.errors import NotFound
from quire.entry.bootstrap import offered
from quire.entry.http.answers import Refused
from quire.entry.http.streams import LINES, SERVER_SENT, StreamEvent, send_events, while_there
from serving import Served, served, until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("home")) as running:
        yield running


@pytest.fixture
def http(server: Served) -> Iterator[httpx.Client]:
    with server.client() as client:
        yield client


def error(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """The body of an error, which has the same form everywhere."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    body: dict[str, Any] = answer.json()
    assert body["code"] == code
    assert isinstance(body["message"], str)
    assert isinstance(body["retriable"], bool)
    return body


def test_a_scratch_notebook_has_the_sources_of_a_notebook(http: httpx.Client) -> None:
    notebook = http.post("/api/notebook/create", json={"title": "Hives"}).json()["id"]
    source = {"notebook_id": notebook, "source_type": "text", "text": "A hive holds 50,000 bees.", "title": "Hives"}
    assert http.post("/api/source/add", json=source).status_code == 200
    made = http.post("/api/scratch/new", json={"pattern": "compare_sources", "sources_of": notebook}).json()
    exported = http.post("/api/scratch/export", json={"notebook_id": made["id"]}).json()
    assert '"text": "A hive holds 50,000 bees."' in exported["text"]
    error(http.post("/api/scratch/new", json={"sources_of": "nowhere"}), 404, "not_found")


def test_a_note_is_added_read_changed_found_and_deleted(http: httpx.Client) -> None:
    note = http.post("/api/note/add", json={"title": "Roadmap", "content": "Ship it"}).json()
    assert http.get("/api/note/get", params={"note_id": note["short_id"]}).json() == note
    changed = http.post("/api/note/update", json={"note_id": note["id"], "content": "Shipped"}).json()
    assert (changed["title"], changed["content"], changed["revision"]) == ("Roadmap", "Shipped", 2)
    found = http.get("/api/note/search", params={"query": "shipped"}).json()
    assert [hit["note"]["id"] for hit in found["items"]] == [note["id"]]
    assert http.post("/api/note/delete", json={"note_id": note["id"]}).json()["id"] == note["id"]
    error(http.get("/api/note/get", params={"note_id": note["id"]}), 404, "not_found")


def test_an_answer_comes_whole_or_as_it_is_written(http: httpx.Client) -> None:
    notebook = http.post("/api/notebook/create", json={"title": "Sea"}).json()["id"]
    text = "Tides are caused by the gravity of the moon."
    http.post("/api/source/add", json={"notebook_id": notebook, "source_type": "text", "text": text})
    asked = {"notebook_id": notebook, "question": "What causes tides?"}
    whole = http.post("/api/chat/ask", json=asked).json()
    assert whole["grounded"]
    lines = http.post("/api/chat/ask", json=asked, headers={"Accept": LINES.media_type}).text.splitlines()
    *parts, last = map(json.loads, lines)
    assert last["text"] == whole["text"]
    assert all(part.keys() == {"text"} for part in parts)
    events = http.post("/api/chat/ask", json=asked, headers={"Accept": SERVER_SENT.media_type}).text
    assert events.count("event: result") == 1
    assert events.count("event: item") == len(parts)
    error(http.post("/api/chat/stream", json=asked), 404, "not_found")


def test_answers_carry_an_id_of_their_own_and_are_not_kept(http: httpx.Client) -> None:
    first, second = http.get("/api/note/list"), http.get("/api/note/list")
    assert len({first.headers["x-request-id"], second.headers["x-request-id"]}) == 2
    assert first.headers["cache-control"] == "no-store"
    assert "access-control-allow-origin" not in first.headers


def test_query_parameters_become_the_types_of_the_schema(http: httpx.Client) -> None:
    for number in range(3):
        http.post("/api/note/add", json={"title": f"Page {number}"})
    first = http.get("/api/note/list", params={"limit": "2"}).json()
    assert len(first["items"]) == 2
    assert first["truncated"]
    second = http.get("/api/note/list", params={"limit": "2", "cursor": first["cursor"]}).json()
    assert not {note["id"] for note in first["items"]} & {note["id"] for note in second["items"]}


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("limit=many", 422, "invalid_input"),
        ("limit=1.5", 422, "invalid_input"),
        ("limit=%D9%A3", 422, "invalid_input"),
        ("limit=" + "9" * 5000, 422, "invalid_input"),
        ("limit=0", 422, "invalid_input"),
        ("limit=", 422, "invalid_input"),
        ("unknown=1", 422, "invalid_input"),
        ("self=1", 422, "invalid_input"),
        ("limit=1&limit=2", 400, "malformed"),
        ("cursor=%00", 422, "invalid_input"),
        ("cursor=%ff%fe", 400, "malformed"),
        ("cursor=%ED%A0%80", 400, "malformed"),
        ("&".join(f"p{number}=1" for number in range(200)), 400, "malformed"),
        ("cursor=" + "f" * 5000, 422, "invalid_input"),
        ("cursor=" + "f" * 16, 422, "invalid_input"),
    ],
)
def test_a_bad_query_is_refused(http: httpx.Client, query: str, status: int, code: str) -> None:
    error(http.get(f"/api/note/list?{query}"), status, code)


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"{", 400, "malformed"),
        (b"\xff\xfe", 400, "malformed"),
        (b'{"title": "\\ud800"}', 400, "malformed"),
        (b'{"title": "\xed\xa0\x80"}', 400, "malformed"),
        (b'{"title": NaN}', 400, "malformed"),
        (b"[" * 100_000, 400, "malformed"),
        (b'{"title": ' + b'{"a":' * 50_000 + b"1" + b"}" * 50_001, 400, "malformed"),
        (b"[]", 400, "malformed"),
        (b'"title"', 400, "malformed"),
        (b'{"title": 1} trailing', 400, "malformed"),
        (b'{"title": "a\\u0000b"}', 422, "invalid_input"),
        (b'{"title": 1}', 422, "invalid_input"),
        (b'{"title": ["x"]}', 422, "invalid_input"),
        (b'{"title": ' + b"9" * 5000 + b"}", 400, "malformed"),
        (b'{"title": ' + b"9" * 500 + b"}", 422, "invalid_input"),
        (b'{"title": "x", "colour": "red"}', 422, "invalid_input"),
        (b'{"title": "x", "self": 1}', 422, "invalid_input"),
        (b'{"title": "   "}', 422, "invalid_input"),
        (b'{"title": "' + b"x" * 1001 + b'"}', 413, "too_large"),
        (b'{"title": "x", "content": "' + b"x" * 10_000_000 + b'"}', 413, "too_large"),
    ],
)
def test_a_bad_body_is_refused_and_the_server_goes_on(http: httpx.Client, body: bytes, status: int, code: str) -> None:
    answer = http.post("/api/note/add", content=body, headers={"Content-Type": "application/json"})
    error(answer, status, code)
    assert http.get("/health").json()["status"] == "ok"


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "", "application/json; charset=latin-1"]
)
def test_only_json_is_read_as_arguments(http: httpx.Client, kind: str) -> None:
    error(
        http.post("/api/note/add", content=b'{"title": "x"}', headers={"Content-Type": kind}), 415, "wrong_media_type"
    )


def test_arguments_of_a_change_are_not_taken_from_the_address(http: httpx.Client) -> None:
    error(http.post("/api/note/add?title=x", json={}), 400, "malformed")


def test_a_change_may_have_no_body_at_all(http: httpx.Client) -> None:
    assert http.post("/api/note/add").json()["title"] == "New Note"


@pytest.mark.parametrize(
    "path", ["/api", "/api/", "/api/note", "/api/note/get/", "/api/note/burn", "/api/../secret", "/api//note/get"]
)
def test_an_unknown_route_is_not_found(http: httpx.Client, path: str) -> None:
    error(http.get(path), 404, "not_found")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("POST", "/api/note/get", "GET"),
        ("HEAD", "/api/note/watch", "GET"),
        ("GET", "/api/note/add", "POST"),
        ("DELETE", "/api/note/delete", "POST"),
        ("OPTIONS", "/api/note/add", "POST"),
        ("POST", "/api/openapi.json", "GET"),
    ],
)
def test_a_wrong_method_is_named(http: httpx.Client, method: str, path: str, allowed: str) -> None:
    answer = http.request(method, path)
    assert answer.status_code == 405
    assert answer.headers["allow"] == allowed
    if method != "HEAD":
        error(answer, 405, "wrong_method")


def test_a_limit_that_is_reached_says_when_to_come_back(tmp_path: Path) -> None:
    with served(tmp_path, rates="list_notes=1/60") as server, server.client() as http:
        assert http.get("/api/note/list").status_code == 200
        answer = http.get("/api/note/list")
        body = error(answer, 429, "limit_reached")
        assert body["retriable"]
        assert 1 <= int(answer.headers["retry-after"]) <= 60


def test_an_unexpected_error_is_masked(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A table that someone took away is nothing that Quire expects."""
    with served(tmp_path) as server, server.client() as http:
        assert http.get("/api/note/list").status_code == 200
        with closing(sqlite3.connect(tmp_path / "quire.db")) as database:
            database.execute("DROP TABLE note")
        for headers in ({}, {"Accept": "text/event-stream"}):
            body = error(http.get("/api/note/list", headers=headers), 500, "internal")
            assert body["message"] == f"Something went wrong inside Quire (log id {body['log_id']})."
            assert any(body["log_id"] in record.getMessage() for record in caplog.records)
        page = http.get("/", headers={"Accept": "text/html"})
        assert page.status_code == 500
        assert "no such table" not in page.text


def events_of(lines: Iterator[str]) -> Iterator[dict[str, str]]:
    """Server-sent events as a client sees them; comments are left out."""
    event: dict[str, str] = {}
    for line in lines:
        if not line and event:
            yield event
            event = {}
        elif line and not line.startswith(":"):
            name, _, value = line.partition(": ")
            event[name] = value


def test_a_watch_tells_of_changes_as_they_happen(http: httpx.Client, server: Served) -> None:
    after = server.run(server.library.engine.events.last())
    with http.stream("GET", "/api/note/watch", params={"after": after, "limit": 3}) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        events = events_of(answer.iter_lines())
        with server.client() as other:
            note = other.post("/api/note/add", json={"title": "Watched\nline", "content": "a\n\nb"}).json()
            first = next(events)
            assert first["event"] == "item"
            assert json.loads(first["data"])["note"] == note
            other.post("/api/note/update", json={"note_id": note["id"], "title": "Watched"})
            other.post("/api/note/delete", json={"note_id": note["id"]})
        rest = list(events)
    told = [json.loads(event["data"]) for event in rest]
    assert [event["event"] for event in rest] == ["item", "item", "result"]
    assert [one["change"] for one in told[:2]] == ["updated", "deleted"]
    assert told[2] == {"after": int(rest[1]["id"]), "changes": 3}
    assert int(first["id"]) < int(rest[0]["id"]) < int(rest[1]["id"])


def test_a_watch_goes_on_after_the_last_event_that_was_seen(http: httpx.Client, server: Served) -> None:
    after = server.run(server.library.engine.events.last())
    ids = [http.post("/api/note/add", json={"title": f"Again {number}"}).json()["id"] for number in range(2)]
    with http.stream("GET", "/api/note/watch", params={"after": after, "limit": 1}) as answer:
        seen = next(events_of(answer.iter_lines()))
    headers = {"Last-Event-ID": seen["id"]}
    with http.stream("GET", "/api/note/watch", params={"after": after, "limit": 1}, headers=headers) as answer:
        following = next(events_of(answer.iter_lines()))
    assert [json.loads(event["data"])["note_id"] for event in (seen, following)] == ids


@pytest.mark.parametrize("mark", ["9" * 5000, "9" * 19, "-1", "", "x", "\xb2"])
def test_a_mark_that_no_event_had_is_passed_over(http: httpx.Client, mark: str) -> None:
    headers = {b"Last-Event-ID": mark.encode("latin-1")}
    with http.stream("GET", "/api/note/watch", params={"seconds": 0.01}, headers=headers) as answer:
        assert answer.status_code == 200


def test_a_watch_can_be_lines_of_json(http: httpx.Client, server: Served) -> None:
    after = server.run(server.library.engine.events.last())
    note = http.post("/api/note/add", json={"title": "As a line"}).json()
    params = {"after": after, "limit": 1}
    answer = http.get("/api/note/watch", params=params, headers={"Accept": "application/x-ndjson"})
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    item, result = [json.loads(line) for line in answer.text.splitlines()]
    assert item["note"] == note
    assert result["changes"] == 1


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [("notebook_id=none", 404, "not_found"), ("after=-1", 422, "invalid_input"), ("colour=red", 422, "invalid_input")],
)
def test_a_stream_that_cannot_begin_has_the_status_of_its_error(
    http: httpx.Client, query: str, status: int, code: str
) -> None:
    error(http.get(f"/api/note/watch?{query}"), status, code)


def test_a_client_that_leaves_ends_its_watch(http: httpx.Client, server: Served) -> None:
    waiting = server.library.engine.events._waiters
    until(lambda: not waiting)
    with http.stream("GET", "/api/note/watch") as answer:
        assert answer.status_code == 200
        until(lambda: len(waiting) == 1)
    until(lambda: not waiting)


class Wire:
    """An ASGI connection that remembers what was sent, and that a test can hang up."""

    scope: ClassVar = {"type": "http", "method": "GET"}

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.left = asyncio.Event()

    async def receive(self) -> dict[str, Any]:
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        self.sent.append(message)

    @property
    def body(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.sent)


@pytest.mark.anyio
async def test_silence_is_kept_alive_and_a_closing_server_ends_it() -> None:
    wire, stopping, closed = Wire(), asyncio.Event(), asyncio.Event()

    async def silent() -> AsyncIterator[StreamEvent]:
        try:
            await asyncio.Event().wait()
            yield StreamEvent("item", None)
        finally:
            closed.set()

    sending = asyncio.create_task(
        send_events(
            silent(), SERVER_SENT, wire.scope, wire.receive, wire.send, stopping, keep_alive=0.001, first_word=0.001
        )
    )
    async with asyncio.timeout(30):
        while wire.body.count(b": still here\n\n") < 3:
            await asyncio.sleep(0.001)
        stopping.set()
        await sending
    assert closed.is_set()
    assert wire.sent[-1] == {"type": "http.response.body", "body": b"", "more_body": False}


@pytest.mark.anyio
async def test_a_result_that_is_there_when_the_server_closes_is_still_told() -> None:
    wire, stopping = Wire(), asyncio.Event()
    stopping.set()

    async def ready() -> AsyncIterator[StreamEvent]:
        yield StreamEvent("result", {"n": 1})

    await send_events(ready(), LINES, wire.scope, wire.receive, wire.send, stopping)
    assert wire.body == b'{"n":1}\n'


@pytest.mark.anyio
async def test_a_signal_that_the_library_sees_first_does_not_cut_a_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AppStatus, "should_exit", True)
    wire, stopping = Wire(), asyncio.Event()

    async def silent() -> AsyncIterator[StreamEvent]:
        await asyncio.Event().wait()
        yield StreamEvent("item", None)

    asyncio.get_running_loop().call_later(0.2, stopping.set)
    await send_events(silent(), SERVER_SENT, wire.scope, wire.receive, wire.send, stopping, first_word=0.001)
    assert b'event: failure\ndata: {"code":"stopping"' in wire.body.replace(b", ", b",")
    assert wire.sent[-1] == {"type": "http.response.body", "body": b"", "more_body": False}


@pytest.mark.anyio
@pytest.mark.parametrize("form", [SERVER_SENT, LINES])
async def test_a_stream_that_breaks_off_says_why(form: Any) -> None:
    wire = Wire()

    async def broken() -> AsyncIterator[StreamEvent]:
        yield StreamEvent("item", {"n": 1}, "7")
        raise NotFound("note", "x")

    await send_events(broken(), form, wire.scope, wire.receive, wire.send, asyncio.Event())
    last = wire.body.strip().splitlines()[-1].removeprefix(b"data: ")
    told = json.loads(last)
    assert (told if form is SERVER_SENT else told["error"])["code"] == "not_found"
    if form is SERVER_SENT:
        assert b"id: 7\nevent: item\ndata: {" in wire.body
        assert b"event: failure\n" in wire.body


@pytest.mark.anyio
@pytest.mark.parametrize(("leaves", "expected"), [(True, ClientDisconnect), (False, Refused)])
async def test_long_work_ends_with_whoever_waits_for_it(leaves: bool, expected: type[Exception]) -> None:
    """A client that left hears nothing; one that is there when the server stops is told to come back."""
    wire, stopping, cancelled = Wire(), asyncio.Event(), asyncio.Event()

    async def long() -> None:
        try:
            (wire.left if leaves else stopping).set()
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    async with asyncio.timeout(30):
        with pytest.raises(expected) as ended:
            await while_there(wire.receive, long(), stopping, last_moment=0.001)
    assert cancelled.is_set()
    if isinstance(ended.value, Refused):
        assert (ended.value.status, ended.value.body()["retriable"]) == (503, True)


@pytest.mark.anyio
async def test_work_that_ends_in_the_last_moment_is_still_answered() -> None:
    wire, stopping = Wire(), asyncio.Event()

    async def short() -> str:
        stopping.set()
        await asyncio.sleep(0.01)
        return "done"

    assert await while_there(wire.receive, short(), stopping, last_moment=30) == "done"


def test_a_call_tells_its_progress_where_events_are_accepted(http: httpx.Client) -> None:
    http.post("/api/note/add", json={"title": "To export"})
    answer = http.get("/api/note/export", headers={"Accept": "text/event-stream"})
    events = list(events_of(iter(answer.text.splitlines())))
    assert {event["event"] for event in events[:-1]} == {"progress"}
    assert events[-1]["event"] == "result"
    assert json.loads(events[-1]["data"])["state"] == "done"


def test_a_failing_call_keeps_its_status_where_events_are_accepted(http: httpx.Client) -> None:
    answer = http.get("/api/note/get", params={"note_id": "none"}, headers={"Accept": "text/event-stream"})
    error(answer, 404, "not_found")


def test_two_hundred_mixed_calls_at_once_lose_nothing(server: Served) -> None:
    """All in flight together, each on a connection of its own."""
    limits = httpx.Limits(max_connections=200)

    async def crowd() -> tuple[list[httpx.Response], list[httpx.Response], list[Any]]:
        async with httpx.AsyncClient(base_url=server.url, limits=limits, timeout=60, trust_env=False) as http:
            before = [await http.post("/api/note/add", json={"title": f"Crowd {number}"}) for number in range(60)]
            notes = [answer.json() for answer in before]
            add = [http.post("/api/note/add", json={"title": f"Crowd new {number}"}) for number in range(60)]
            others = [
                *(http.get("/api/note/get", params={"note_id": note["short_id"]}) for note in notes[:40]),
                *(http.post("/api/note/update", json={"note_id": note["id"], "content": "x"}) for note in notes[:40]),
                *(http.post("/api/note/delete", json={"note_id": note["id"]}) for note in notes[40:]),
                *(http.get("/api/note/list", params={"limit": 10}) for _ in range(20)),
                *(http.get("/api/note/search", params={"query": "crowd"}) for _ in range(20)),
            ]
            answers = await asyncio.gather(*add, *others)
            return answers[:60], answers[60:], notes

    added, others, notes = asyncio.run(crowd())
    assert len(added) + len(others) == 200
    assert {answer.status_code for answer in (*added, *others)} == {200}
    with server.client() as http:
        found = http.get("/api/note/search", params={"query": "Crowd ", "limit": 1000}).json()
    kept = {hit["note"]["id"]: hit["note"] for hit in found["items"]}
    assert set(kept) == {note["id"] for note in notes[:40]} | {answer.json()["id"] for answer in added}
    assert all((kept[note["id"]]["content"], kept[note["id"]]["revision"]) == ("x", 2) for note in notes[:40])


def test_the_openapi_description_is_valid_and_whole(http: httpx.Client) -> None:
    description = http.get("/api/openapi.json").json()
    validate(description)
    operations = {
        (path, method): operation for path, item in description["paths"].items() for method, operation in item.items()
    }
    assert {operation["operationId"] for operation in operations.values()} == {
        capability.tool for capability in offered()
    }
    schemas = description["components"]["schemas"]
    for schema in schemas.values():
        Draft202012Validator.check_schema(schema)
    assert operations["/api/note/add", "post"]["responses"]["404"]["content"]["application/json"]["schema"] == {
        "$ref": "#/components/schemas/Error"
    }
    upload = operations["/api/note/import", "post"]
    assert set(upload["requestBody"]["content"]) == {"multipart/form-data", "application/octet-stream"}
    assert {parameter["name"] for parameter in operations["/api/note/get", "get"]["parameters"]} == {
        "note_id",
        "notebook_id",
    }
    assert description["components"]["securitySchemes"]["token"]["scheme"] == "bearer"


def test_answers_are_as_the_openapi_description_says(http: httpx.Client) -> None:
    description = http.get("/api/openapi.json").json()

    def check(path: str, method: str, answer: httpx.Response) -> None:
        responses = description["paths"][path][method]["responses"]
        response = responses.get(str(answer.status_code), responses["default"])
        schema = {**response["content"]["application/json"]["schema"], "components": description["components"]}
        Draft202012Validator(schema).validate(answer.json())

    note = http.post("/api/note/add", json={"title": "Described"})
    check("/api/note/add", "post", note)
    check("/api/note/add", "post", http.post("/api/note/add", json={"title": 1}))
    check("/api/note/get", "get", http.get("/api/note/get", params={"note_id": note.json()["id"]}))
    check("/api/note/list", "get", http.get("/api/note/list"))
    check("/api/note/search", "get", http.get("/api/note/search", params={"query": "described"}))
    check("/api/notebook/list", "get", http.get("/api/notebook/list"))
    check("/api/note/export", "get", http.get("/api/note/export"))
    check("/api/job/list", "get", http.get("/api/job/list"))
