"""Whatever arguments come in, through whichever door: a clear answer, and the door stays open."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quire.api.capability import Capability
from quire.domain.errors import QuireError
from quire.entry.bootstrap import offered
from quire.entry.cli import main
from quire.entry.mcp import http_door
from serving import Served, served

with contextlib.suppress(ImportError):
    # Hypothesis looks into it, and would find it half imported by the server's thread.
    import numpy  # noqa: F401

# Who is asked for pages: somebody who does not answer; and a folder of files.
NOBODY = {"finders": "searxng", "finder_urls": "searxng=http://127.0.0.1:9", "drive": str(Path(__file__).parent)}
CAPABILITIES = {capability.tool: capability for capability in offered()}
DOORS = ("python", "http", "mcp", "cli")
# The guard is behind all doors; the others add how arguments come in, which is the same for every tool. So each is
# tried in Python and through one other door; the full round tries all of them.
CHOSEN = [
    (tool, door) for number, tool in enumerate(sorted(CAPABILITIES)) for door in ("python", DOORS[1 + number % 3])
]
EXAMPLES = 6
MCP_HEADERS = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}
INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "every-door", "version": "1"},
}

Door = Callable[[Capability, dict[str, Any]], None]

TEXT = st.one_of(
    st.text(max_size=20),
    st.text(st.characters(codec=None), max_size=20),
    st.sampled_from(
        ["", " ", "\0", "\ud800", "a\udfffb", "'; DROP TABLE note; --", "%_", "../../etc/passwd", "🦜" * 9]
    ),
)
JUNK = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        TEXT,
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXT, inner, max_size=3)),
    max_leaves=5,
)


HUGE = "x" * 1_000_001


def fitting(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values of the type that a property asks for, its bounds not always kept."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    kinds: dict[str, st.SearchStrategy[Any]] = {
        "string": TEXT,
        "integer": st.integers(-5, 2**70),
        "number": st.floats(allow_nan=False, allow_infinity=False),
        "boolean": st.booleans(),
        "array": st.lists(TEXT, max_size=3),
        "object": st.dictionaries(st.sampled_from(["name", "text", "path", "else"]), TEXT, max_size=4),
    }
    return kinds.get(schema.get("type", ""), JUNK)


def arguments(capability: Capability) -> st.SearchStrategy[dict[str, Any]]:
    """Some of the arguments, mostly of their type, sometimes not, and sometimes one too many."""
    properties = {
        name: st.one_of(fitting(schema), fitting(schema), fitting(schema), JUNK, st.just(HUGE))
        for name, schema in capability.input_schema["properties"].items()
    }
    required = {name: properties[name] for name in capability.input_schema.get("required", [])}
    known = st.one_of(
        st.fixed_dictionaries({}, optional=properties),
        st.fixed_dictionaries(required, optional={k: v for k, v in properties.items() if k not in required}),
    )
    extra = st.one_of(st.just({}), st.just({}), st.dictionaries(TEXT, JUNK, max_size=1))
    limits = {"seconds": 0.01} if "seconds" in properties else {}
    return st.builds(lambda one, more: more | one | limits, known, extra)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    home = tmp_path_factory.mktemp("doors") / "home"
    home.mkdir()
    (home / "quire.toml").write_text("".join(f'{name} = "{value}"\n' for name, value in NOBODY.items()))
    with served(home, http_door, toolsets="all", **NOBODY) as running:
        yield running


@pytest.fixture(scope="module")
def http(server: Served) -> Iterator[httpx.Client]:
    with server.client() as client:
        yield client


@pytest.fixture(scope="module")
def session(http: httpx.Client) -> dict[str, str]:
    answer = http.post("/mcp", headers=MCP_HEADERS, json=rpc("initialize", INITIALIZE))
    headers = MCP_HEADERS | {"Mcp-Session-Id": answer.headers["mcp-session-id"]}
    http.post("/mcp", headers=headers, json={"jsonrpc": "2.0", "method": "notifications/initialized"})
    return headers


def rpc(method: str, params: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


@pytest.fixture
def doors(server: Served, http: httpx.Client, session: dict[str, str], tmp_path: Path) -> dict[str, Door]:
    def python(capability: Capability, given: dict[str, Any]) -> None:
        async def call() -> None:
            called = capability.call(server.library, given)
            if capability.declared.shape == "stream":
                async for _ in called:
                    pass
            else:
                await called

        refused = ""
        try:
            server.run(call())
        except QuireError as error:
            refused = error.code
        assert refused != "internal"

    def api(capability: Capability, given: dict[str, Any]) -> None:
        path = f"/api{capability.route}"
        if capability.facts.effect == "read":
            pairs = {key.encode("utf-8", "replace"): value for key, value in given.items()}
            texts = {
                key.decode(): value if isinstance(value, str) else json.dumps(value) for key, value in pairs.items()
            }
            safe = {key: value.encode("utf-8", "replace").decode()[:4_000] for key, value in texts.items()}
            answer = http.get(path, params=safe)
        else:
            body = json.dumps(given).encode()
            answer = http.post(path, content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code < 500, answer.text[:500]
        if answer.status_code >= 400:
            assert answer.json()["code"]
            assert answer.json()["message"]

    def mcp(capability: Capability, given: dict[str, Any]) -> None:
        body = json.dumps(rpc("tools/call", {"name": capability.tool, "arguments": given})).encode()
        answer = http.post("/mcp", headers=session | {"Content-Type": "application/json"}, content=body)
        assert answer.status_code < 500, answer.text[:500]
        message = answer.json()
        if "error" in message:
            assert message["error"]["code"] in (-32600, -32602, -32700), message
        elif message["result"].get("isError"):
            assert message["result"]["structuredContent"].get("code") != "internal", message
            assert message["result"]["content"][0]["text"]

    def cli(capability: Capability, given: dict[str, Any]) -> None:
        file = tmp_path / "input.json"
        file.write_bytes(json.dumps(given).encode())
        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
        line = ["--home", str(server.home), capability.noun, capability.verb, "--json", "--input", str(file)]
        if capability.facts.effect == "destroy":
            line.append("--yes")
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), contextlib.chdir(tmp_path):
            code = main(line)
        err.seek(0)
        told = err.read()
        assert code != 1, told[:500]
        assert code == 0 or told

    return {"python": python, "http": api, "mcp": mcp, "cli": cli}


@pytest.mark.filterwarnings("ignore:Generating overly large repr")
@pytest.mark.parametrize(("tool", "door"), CHOSEN)
def test_any_arguments_get_a_clear_answer(tool: str, door: str, doors: dict[str, Door], http: httpx.Client) -> None:
    capability = CAPABILITIES[tool]

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
    )
    @given(arguments(capability))
    def drive(given: dict[str, Any]) -> None:
        doors[door](capability, given)

    drive()
    assert http.get("/health").json()["status"] == "ok"
    added = http.post("/api/note/add", json={"title": "Still here", "content": tool})
    assert http.get("/api/note/get", params={"note_id": added.json()["id"]}).json()["content"] == tool


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:Generating overly large repr")
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("tool", sorted(CAPABILITIES))
def test_many_more_arguments_get_a_clear_answer(tool: str, door: str, doors: dict[str, Door]) -> None:
    capability = CAPABILITIES[tool]

    @settings(
        max_examples=300,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
    )
    @given(arguments(capability))
    def drive(given: dict[str, Any]) -> None:
        doors[door](capability, given)

    drive()


def test_the_python_door_refuses_positional_surplus(server: Served) -> None:
    with pytest.raises(QuireError, match="at most"):
        server.run(asyncio.wait_for(server.library.notes.list(None, 1, None, 4), 5))
