"""Contract 1: how the six tools are offered, health, rate limits, time-outs and errors that hold for all of them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from contracts.desk import Desk, each_once, joined, on_every_wire
from contracts.engines import failing, telling_time
from contracts.notebook_desk import NotebookDesk, desk_with, library_of, notebook_at, opened
from contracts.rows import proves
from quire.domain.errors import (
    LimitReached,
    NotAllowed,
    NotSignedIn,
    QuireError,
    TimedOut,
    Unsupported,
    Upstream,
    WireDrift,
)
from quire.entry.settings import load

pytestmark = pytest.mark.anyio

NUMBER, STRING, TRUTH = {"type": "integer"}, {"type": "string"}, {"type": "boolean"}
# Required arguments, all that the document names with their schemas, and what every answer has.
TOOLS: dict[str, tuple[list[str], dict[str, dict[str, Any]], list[str]]] = {
    "health_check": ([], {}, ["status", "authenticated", "latency_ms", "browser_ok"]),
    "list_notebooks": ([], {"limit": NUMBER | {"default": 50, "minimum": 1, "maximum": 100}}, ["notebooks", "total"]),
    "get_notebook": (["notebook_id"], {"notebook_id": STRING}, ["id", "name", "source_count"]),
    "list_sources": (["notebook_id"], {"notebook_id": STRING}, ["sources", "total"]),
    "add_source": (
        ["notebook_id", "source_type"],
        {
            "notebook_id": STRING,
            "source_type": STRING | {"enum": ["url", "text"]},
            "url": STRING | {"format": "uri"},
            "text": STRING | {"maxLength": 500_000},
            "title": STRING | {"maxLength": 200},
        },
        ["success", "title", "processing_status"],
    ),
    "ask": (
        ["notebook_id", "question"],
        {
            "notebook_id": STRING,
            "question": STRING | {"minLength": 1, "maxLength": 10_000},
            "include_citations": TRUTH | {"default": True},
        },
        ["answer"],
    ),
}
# A call of each tool that has nothing wrong with it.
CALLS: dict[str, dict[str, Any]] = {
    "health_check": {},
    "list_notebooks": {},
    "get_notebook": {},
    "list_sources": {},
    "add_source": {"source_type": "text", "text": "Bees make honey."},
    "ask": {"question": "Who makes honey?"},
}


@on_every_wire
@proves("C1-OV-01", "C1-HEALTH-02", "C1-NOTEBOOKS-02", "C1-NOTEBOOK-02", "C1-SOURCES-02", "C1-ADD-03", "C1-ASK-02")
@proves("C1-ASK-03", "C1-ADD-05", "C1-ADD-06", "C1-OPEN-16")
async def test_the_tools_are_offered_with_the_schemas_of_the_document(desk: Desk) -> None:
    listed = {tool.name: tool for tool in (await desk.client.list_tools()).tools}
    for name, (required, properties, answered) in TOOLS.items():
        tool = listed[name]
        assert tool.description, name
        assert tool.input_schema.get("required", []) == required, name
        assert not {"oneOf", "anyOf", "allOf"} & set(tool.input_schema), name
        for parameter, schema in properties.items():
            published = tool.input_schema["properties"][parameter]
            assert published["description"], f"{name} {parameter}"
            assert schema.items() <= published.items(), f"{name} {parameter}"
        assert tool.output_schema is not None
        assert tool.output_schema["required"] == answered, name


@proves("C1-OV-01", "C1-ERR-01")
async def test_answers_are_as_their_schemas_say(desk: Desk) -> None:
    schemas = {tool.name: tool.output_schema for tool in (await desk.client.list_tools()).tools}
    notebook = await opened(desk)
    for name in ("add_source", "ask", "health_check", "list_notebooks", "get_notebook", "list_sources"):
        schema = schemas[name]
        assert schema is not None
        jsonschema.validate(await notebook.ok(name, **CALLS[name]), schema)


@on_every_wire
@proves("C1-HEALTH-01", "C1-HEALTH-03", "C1-HEALTH-04", "C1-HEALTH-05", "C1-HEALTH-06", "C1-OPEN-11")
async def test_a_sound_library_is_healthy(desk: Desk) -> None:
    answer = await desk.call("health_check")
    latency, browser = answer.data["latency_ms"], answer.data["browser_ok"]
    assert type(latency) is int
    assert type(browser) is bool
    assert answer.text == (
        f'{{"status": "healthy", "authenticated": true, "latency_ms": {latency}, '
        f'"browser_ok": {str(browser).lower()}, "error": null}}'
    )


@proves("C1-HEALTH-04", "C1-OPEN-13")
async def test_a_store_that_cannot_be_read_is_unhealthy(tmp_path: Path) -> None:
    (tmp_path / "quire.db").write_bytes(b"this is no database, whatever its name says" * 50)
    async with library_of(tmp_path) as library, joined(library, "2025") as client:
        health = await NotebookDesk(Desk(client, lambda now: None)).ok("health_check")
    assert health["status"] == "unhealthy"
    assert health["error"] == "store: The file is not a Quire database."


class LostEmbedder:
    name, dimensions, languages, weight, calibrated, local = "lost", 3, None, 0.3, False, True

    def embed(self, texts: list[str], kind: str) -> Any:
        raise Unsupported("The files of the embedder are not there.")

    def check(self) -> str:
        raise Unsupported("The files of the embedder are not there.")


@proves("C1-HEALTH-04", "C1-OPEN-13")
async def test_an_optional_part_that_does_not_work_makes_it_degraded_and_answers_go_on(tmp_path: Path) -> None:
    async with desk_with(tmp_path, embedder=LostEmbedder()) as desk:
        notebook = await opened(desk)
        health = await notebook.ok("health_check")
        assert (health["status"], health["authenticated"]) == ("degraded", True)
        assert health["error"] == "embedder: The files of the embedder are not there."
        await notebook.add()
        assert (await notebook.ok("ask", question="How many bees does a hive hold?"))["citations"]


@proves("C1-HEALTH-07", "C1-OPEN-12")
@pytest.mark.parametrize("there", [True, False])
async def test_a_browser_is_told_of_and_not_needed(
    there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    if there:
        (programs / "chromium").write_text("#!/bin/sh\n")
        (programs / "chromium").chmod(0o755)
    monkeypatch.setenv("PATH", str(programs))
    async with notebook_at(tmp_path / "home") as notebook:
        health = await notebook.ok("health_check")
    assert (health["status"], health["browser_ok"]) == ("healthy", there)


READS = ("health_check", "list_notebooks", "get_notebook", "list_sources")
ERRORS = [
    pytest.param(NotSignedIn(), "AUTH_REQUIRED", True, id="signed-out"),
    pytest.param(TimedOut(), "TIMEOUT", True, id="slow"),
    pytest.param(Upstream("The service cannot be reached."), "NETWORK_ERROR", True, id="network"),
    pytest.param(WireDrift(), "PARSE_ERROR", False, id="drift"),
    pytest.param(LimitReached(retry_after=7, limit=10, window="minute"), "RATE_LIMITED", True, id="rate"),
    pytest.param(NotAllowed(), "NOT_ALLOWED", False, id="role"),
    pytest.param(Unsupported(), "UNSUPPORTED", False, id="extra"),
    pytest.param(QuireError(), "INTERNAL_ERROR", False, id="inside"),
]


@proves("C1-HEALTH-08", "C1-HEALTH-09", "C1-HEALTH-10", "C1-NOTEBOOKS-05", "C1-NOTEBOOKS-06", "C1-NOTEBOOKS-07")
@proves("C1-NOTEBOOK-05", "C1-NOTEBOOK-06", "C1-SOURCES-08", "C1-SOURCES-09", "C1-ADD-15", "C1-ASK-12")
@proves("C1-ERR-01", "C1-ERR-02", "C1-ERR-03")
@pytest.mark.parametrize(("error", "code", "recoverable"), ERRORS)
async def test_failures_of_an_engine_have_the_codes_of_the_document(
    error: QuireError, code: str, recoverable: bool, tmp_path: Path
) -> None:
    async with desk_with(tmp_path, failing(error)) as desk:
        for tool, arguments in CALLS.items():
            told = await NotebookDesk(desk, "n").error(tool, **arguments)
            assert (told["code"], told["recoverable"]) == (code, recoverable), tool


class BrokenClock:
    def now(self) -> int:
        raise OSError("the quartz of /dev/rtc0 is cracked")


@proves("C1-OPEN-21", "C1-ERR-03")
@pytest.mark.parametrize("era", ["2025", "2026"])
async def test_an_unforeseen_error_shows_an_id_and_nothing_of_the_inside(era: str, tmp_path: Path) -> None:
    async with library_of(tmp_path) as library:
        notebook = await library.notebooks.create("Insects")
    async with desk_with(tmp_path, era=era, clock=BrokenClock()) as desk:
        error = await NotebookDesk(desk, notebook.id).error("add_source", source_type="text", text="Bees")
    assert error["code"] == "INTERNAL_ERROR"
    assert re.fullmatch(r"Something went wrong inside Quire \(log id [0-9a-f]{16}\)\.", error["message"])
    assert "quartz" not in str(error)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        pytest.param({"limit": 0}, "limit", id="low"),
        pytest.param({"limit": 101}, "limit", id="high"),
        pytest.param({"limit": "5"}, "limit", id="text"),
        pytest.param({"limit": 2.5}, "limit", id="half"),
        pytest.param({"order": "name"}, "order", id="unknown"),
        pytest.param({"cursor": "nowhere"}, "cursor", id="cursor"),
    ],
)
@proves("C1-OPEN-02", "C1-NOTEBOOKS-02")
@each_once
async def test_arguments_of_a_list_that_are_not_valid_are_named(
    desk: Desk, arguments: dict[str, Any], field: str
) -> None:
    error = await NotebookDesk(desk).error("list_notebooks", **arguments)
    assert (error["code"], error["details"], error["recoverable"]) == ("INVALID_ARGUMENT", {"field": field}, False)


@proves("C1-OPEN-02", "C1-NOTEBOOK-02", "C1-SOURCES-02", "C1-ADD-03", "C1-ASK-02")
@pytest.mark.parametrize("tool", ["get_notebook", "list_sources", "add_source", "ask"])
@each_once
async def test_a_notebook_must_be_named_by_a_string(desk: Desk, tool: str) -> None:
    for id in (None, 7, ["x"], "a\0b"):
        error = await NotebookDesk(desk).error(tool, **CALLS[tool] | {"notebook_id": id})
        assert (error["code"], error["details"]) == ("INVALID_ARGUMENT", {"field": "notebook_id"}), id


@proves("C1-NOTEBOOK-04", "C1-SOURCES-07", "C1-ADD-10", "C1-ASK-08")
@pytest.mark.parametrize("tool", ["get_notebook", "list_sources", "add_source", "ask"])
async def test_a_notebook_that_is_not_there_is_not_found(desk: Desk, tool: str) -> None:
    error = await NotebookDesk(desk, "abc123").error(tool, **CALLS[tool])
    assert error == {
        "code": "NOT_FOUND",
        "message": "There is no notebook 'abc123'. list_notebooks lists what there is.",
        "details": {"id": "abc123"},
        "recoverable": False,
    }


LIMITS = "*=10/60,add_source=5/60,ask=5/60"


@proves("C1-RATE-02", "C1-RATE-03", "C1-RATE-04", "C1-ADD-14", "C1-ASK-13")
@pytest.mark.parametrize("tool", ["add_source", "ask"])
async def test_the_sixth_call_in_a_minute_is_limited(tool: str, tmp_path: Path) -> None:
    async with notebook_at(tmp_path, rates=LIMITS, embedder="none") as notebook:
        if tool == "ask":
            await notebook.add()
        for _ in range(5):
            await notebook.ok(tool, **CALLS[tool])
        error = await notebook.error(tool, **CALLS[tool])
        wait = error["details"]["retry_after_seconds"]
        assert 1 <= wait <= 60
        assert error == {
            "code": "RATE_LIMITED",
            "message": f"Rate limit exceeded. Please wait {wait} seconds.",
            "details": {"retry_after_seconds": wait, "limit": 5, "window": "minute"},
            "recoverable": True,
        }
        await notebook.ok("list_sources")


@proves("C1-RATE-01", "C1-RATE-04")
async def test_the_eleventh_call_of_any_tool_in_a_minute_is_limited(tmp_path: Path) -> None:
    async with notebook_at(tmp_path, rates=LIMITS) as notebook:
        for tool in ("health_check", "list_notebooks", "get_notebook") * 3:
            await notebook.ok(tool)
        for tool in READS:
            error = await notebook.error(tool)
            assert (error["code"], error["details"]["limit"]) == ("RATE_LIMITED", 10), tool


@proves("C1-RATE-01", "C1-RATE-02", "C1-RATE-03")
async def test_without_a_setting_nothing_is_limited(tmp_path: Path) -> None:
    async with notebook_at(tmp_path, embedder="none") as notebook:
        for tool in ("add_source", "ask", "get_notebook") * 6:
            await notebook.ok(tool, **CALLS[tool])


SECONDS = {
    "health_check": (30, 60),
    "list_notebooks": (30, 60),
    "get_notebook": (30, 60),
    "list_sources": (30, 60),
    "add_source": (60, 120),
    "ask": (90, 180),
}


@proves("C1-TIME-01", "C1-TIME-02", "C1-TIME-03", "C1-TIME-04")
@pytest.mark.parametrize("wanted", [None, 10, 45, 100, 1_000])
async def test_each_tool_has_its_time_and_never_more_than_its_most(wanted: float | None, tmp_path: Path) -> None:
    environment = {} if wanted is None else {"NOTEBOOKLM_TIMEOUT": str(wanted)}
    timeout = load({"home": tmp_path}, environment).timeout
    async with desk_with(tmp_path, telling_time(), timeout=timeout) as desk:
        for tool, (usual, most) in SECONDS.items():
            error = await NotebookDesk(desk, "n").error(tool, **CALLS[tool])
            assert error["details"] == {"seconds": min(wanted or usual, most)}, tool


@proves("C1-TIME-04")
def test_the_name_of_our_own_wins_over_that_of_the_document(tmp_path: Path) -> None:
    assert load({"home": tmp_path}, {"NOTEBOOKLM_TIMEOUT": "12", "QUIRE_TIMEOUT": "13"}).timeout == 13
    with pytest.raises(QuireError, match="Setting 'timeout'"):
        load({"home": tmp_path}, {"NOTEBOOKLM_TIMEOUT": "soon"})
