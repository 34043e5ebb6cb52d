"""The table of roles at the doors: whatever it denies, neither HTTP nor MCP does. What was done is read in the log."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from every_thing import arguments, fitting, things
from quire.api.capability import Capability
from quire.domain.files import Upload
from quire.domain.sharing import Actor, hash_of
from quire.entry.bootstrap import offered
from quire.entry.contract_tools import CONTRACT_TOOLS
from quire.entry.mcp import http_door
from quire.entry.role_table import STANDINGS, Standing, outcome
from quire.local.people import add_person
from serving import Served, served

PUBLISHED = {one.tool: one for one in offered() if one.facts.of is not None}
CODES = {"no": "not_allowed", "hidden": "not_found"}
DENIED = [
    (tool, standing)
    for tool, capability in sorted(PUBLISHED.items())
    for standing in STANDINGS
    if outcome(capability.facts, standing) != "yes"
]
# Of what is denied every fifth, at one door; the full round tries all of it at both.
CHOSEN = [(tool, standing, ("http", "mcp")[number % 2]) for number, (tool, standing) in enumerate(DENIED[::5])]
HEADERS = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}
INITIALIZE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "roles", "version": "1"}}
# What an argument of a contract's tool is about, by its name.
NAMED = {"notebook_id": "notebook", "note_id": "note", "id": "note", "source_id": "source", "book_id": "book"}
# What is not required and needed nevertheless.
MORE = {"add_source": {"source_type": "text", "text": "Bees"}, "update_note": {"title": "Another"}}


class Calls(logging.Handler):
    """The calls that the guard has seen."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.seen: list[tuple[str, str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.seen.append((record.tool, record.outcome))  # type: ignore[attr-defined]


@dataclass
class Place:
    server: Served
    calls: Calls
    ids: dict[str, dict[str, str]] = field(default_factory=dict)

    def things_for(self, standing: Standing) -> dict[str, str]:
        """Made once: what is tried is denied, and changes nothing."""
        kept = self.ids.get(standing.name)
        if kept is None:
            run, library = self.server.run, self.server.library
            run(library.engine.system.write(lambda tx: add_person(tx, "maker", "A maker", None, 0)))
            maker = library.as_actor(Actor(id="maker"))
            kept = run(things(maker, standing.role, guest_of(standing)))
            self.ids[standing.name] = kept
        return kept


def guest_of(standing: Standing) -> str:
    return "owner" if standing.owns_server else f"guest-{standing.name.replace(' ', '-')}"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    log, calls = logging.getLogger("quire.calls"), Calls()
    before = log.level
    log.addHandler(calls)
    log.setLevel(logging.INFO)
    home = tmp_path_factory.mktemp("roles")
    with served(home, http_door, token="owner-token", toolsets="all", embedder="none") as server:
        for standing in STANDINGS:
            id = guest_of(standing)
            hashed = hash_of(f"{id}-token".encode())
            work = server.library.engine.system.write
            server.run(work(lambda tx, id=id, hashed=hashed: add_person(tx, id, id, hashed, 0)))  # type: ignore[misc]
        yield Place(server, calls)
    log.removeHandler(calls)
    log.setLevel(before)


def over_http(place: Place, capability: Capability, given: dict[str, Any], token: str) -> bool:
    """Whether the door answered as if it was done."""
    with place.server.client(headers={"Authorization": f"Bearer {token}"}) as http:
        path, file = f"/api{capability.route}", None
        for name in [name for name, value in given.items() if isinstance(value, Upload)]:
            del given[name]
            file = b"# a lesson\n"
        texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in given.items()}
        if file is not None:
            return http.post(path, params=texts | {"name": "one.md"}, content=file).is_success
        if capability.facts.effect == "read":
            with http.stream("GET", path, params=texts) as answer:
                return answer.is_success
        return http.post(path, json=given).is_success


def over_mcp(place: Place, capability: Capability, given: dict[str, Any], token: str) -> bool:
    with place.server.client(headers=HEADERS | {"Authorization": f"Bearer {token}"}) as http:
        begun = http.post("/mcp", json={"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": INITIALIZE})
        http.headers["Mcp-Session-Id"] = begun.headers["mcp-session-id"]
        http.post("/mcp", json={"jsonrpc": "2.0", "method": "notifications/initialized"})
        params = {"name": capability.tool, "arguments": given}
        answer = http.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        if answer.headers["content-type"].startswith("text/event-stream"):
            message = json.loads(answer.text.rpartition("data: ")[2])
        else:
            message = answer.json()
        return "result" in message and not message["result"].get("isError")


def for_mcp(capability: Capability, ids: dict[str, str], given: dict[str, Any]) -> dict[str, Any] | None:
    """A contract's tool has arguments of its own; None where a tool takes a file that is not text."""
    own = CONTRACT_TOOLS.get(capability.tool)
    if own is None:
        return None if any(isinstance(value, Upload) for value in given.values()) else given
    schema = own.input_schema
    examples = capability.declared.examples
    return MORE.get(capability.tool, {}) | {
        name: ids[NAMED[name]] if name in NAMED else given.get(name) or examples.get(name) or fitting(property)
        for name, property in schema["properties"].items()
        if (name in schema.get("required", []) or name in NAMED) and name != "source_type"
    }


def check(place: Place, tool: str, standing: Standing, door: str) -> None:
    capability = PUBLISHED[tool]
    expected = outcome(capability.facts, standing)
    ids = place.things_for(standing)
    given: dict[str, Any] | None = arguments(capability, ids)
    if door == "mcp":
        given = for_mcp(capability, ids, given or {})
    if given is None:
        return
    place.calls.seen.clear()
    done = {"http": over_http, "mcp": over_mcp}[door](place, capability, given, f"{guest_of(standing)}-token")
    assert not done, f"{tool} was done"
    outcomes = {how for called, how in place.calls.seen if called == tool}
    assert outcomes <= {CODES[expected]}, place.calls.seen
    # What a door looks up by name is not found before the call is made.
    assert outcomes or expected == "hidden", place.calls.seen


@pytest.mark.parametrize(("tool", "standing", "door"), CHOSEN, ids=lambda one: getattr(one, "name", one))
def test_what_the_table_denies_is_not_done_through_a_door(
    place: Place, tool: str, standing: Standing, door: str
) -> None:
    check(place, tool, standing, door)


@pytest.mark.long
@pytest.mark.parametrize("door", ["http", "mcp"])
@pytest.mark.parametrize("standing", STANDINGS, ids=lambda one: one.name)
def test_nothing_that_the_table_denies_is_done_through_any_door(place: Place, standing: Standing, door: str) -> None:
    for tool, denied in DENIED:
        if denied == standing:
            check(place, tool, standing, door)
