"""Contract tools go through the guard like everything else, and a toolset's tools fail in one form."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from mcp_serving import connected
from pydantic import ValidationError

from quire.adapters.machine import SystemClock
from quire.api import guard
from quire.api.capability import Capability
from quire.api.context import Context
from quire.api.library import Library
from quire.domain.errors import InvalidInput, LimitReached, QuireError
from quire.entry.bootstrap import build, offered
from quire.entry.contract_tools import CONTRACT_TOOLS
from quire.entry.settings import load

pytestmark = pytest.mark.anyio

CAPABILITIES = {one.tool: one for one in offered()}
LONG = "x" * 1_000
# What each contract tool admits at most.
FULL: dict[str, list[dict[str, Any]]] = {
    "health_check": [{}],
    "list_notebooks": [{"limit": 1, "cursor": LONG}, {"limit": 100}],
    "get_notebook": [{"notebook_id": "n" * 200}, {"notebook_id": ""}],
    "list_sources": [{"notebook_id": "n" * 200, "cursor": LONG}],
    "add_source": [
        {"notebook_id": "n" * 200, "source_type": "url", "url": "u" * 8_000, "title": "t" * 200},
        {"notebook_id": "", "source_type": "text", "text": "t" * 500_000},
    ],
    "search_sources": [{"notebook_id": "n" * 200, "query": "q" * 10_000, "source_ids": ["s"], "limit": 100}],
    "ask": [{"notebook_id": "n" * 200, "question": "q" * 10_000, "conversation_id": "c" * 200}],
    "add_note": [{"title": "t" * 1_000, "content": "c" * 1_000_000, "notebook_id": "n" * 200}],
    "get_note": [{"id": "i" * 200}],
    "list_notes": [{"notebook_id": "n" * 200, "cursor": "1-2"}],
    "search_notes": [{"query": "q" * 1_000, "notebook_id": "n" * 200, "cursor": "1-2"}, {"query": " "}],
    "update_note": [{"id": "i" * 200, "title": "t" * 1_000, "content": "c" * 1_000_000}, {"id": "i"}],
    "delete_note": [{"id": "i" * 200}],
}


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return build(load({"home": tmp_path, "rates": "add_note=1/60,search_notes=1/60"}, {}), SystemClock())


def call(library: Library, tool: str, **arguments: Any) -> Any:
    return guard.adapted(CONTRACT_TOOLS[tool], CAPABILITIES[tool].declared, library, arguments)


def meant(call: partial[Any]) -> tuple[Capability, Mapping[str, Any]]:
    declared = call.func.declared  # type: ignore[attr-defined]
    return declared, dict(zip(declared.parameters, call.args, strict=False)) | call.keywords


@pytest.mark.parametrize("tool", sorted(CONTRACT_TOOLS))
async def test_what_a_contract_admits_its_capability_would_admit_too(tool: str, library: Library) -> None:
    own = CONTRACT_TOOLS[tool]
    for arguments in FULL[tool]:
        declared, given = meant(own.call(library, guard.validated(own.input, own.reshaped(arguments))))
        guard.validated(declared.arguments, given)
    await library.close()


async def test_what_a_contract_refuses_is_logged_and_does_not_count(
    library: Library, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "quire.calls")
    async with library:
        bound = library.within(Context(door="mcp"))
        for _ in range(3):
            with pytest.raises(InvalidInput, match="Title cannot be empty"):
                await call(bound, "add_note", title=" ", content="hunter2")
        await call(bound, "add_note", title="One", content="hunter2")
        with pytest.raises(LimitReached):
            await call(bound, "add_note", title="Two", content="hunter2")
        await call(bound, "search_notes", query="")
    records = [vars(record) for record in caplog.records if record.name == "quire.calls"]
    told = [(one["tool"], one["door"], one["outcome"]) for one in records]
    assert told == [
        *[("add_note", "mcp", "invalid_input")] * 3,
        ("add_note", "mcp", "ok"),
        ("add_note", "mcp", "limit_reached"),
        ("search_notes", "mcp", "ok"),
    ]
    assert {tuple(one["arguments"]) for one in records} == {("content", "title"), ("query",)}
    assert "hunter2" not in str(records)


async def test_arguments_are_checked_by_one_model(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    checked = []
    validated = guard.validated
    monkeypatch.setattr(guard, "validated", lambda model, *given: checked.append(model) or validated(model, *given))
    async with library:
        text, _ = await call(library, "add_note", title="One", content="Text")
        assert text.startswith("Added note 'One'")
    assert checked == [CONTRACT_TOOLS["add_note"].input]


async def test_what_goes_wrong_inside_a_contract_tool_is_masked(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*given: Any) -> Any:
        raise ZeroDivisionError("the secret of the inside")

    monkeypatch.setattr(CONTRACT_TOOLS["list_notes"], "answer", broken, raising=False)
    async with library:
        with pytest.raises(QuireError) as caught:
            await call(library, "list_notes")
    assert "secret" not in caught.value.message
    assert caught.value.code == "internal"


async def test_every_tool_of_a_toolset_fails_in_the_form_of_its_contract(home: Path) -> None:
    async with connected("stdio", "2026", home, "all") as client:
        for capability in offered():
            result = await client.call_tool(capability.tool, {"no_such_argument": 1})
            assert result.is_error, capability.tool
            text, body = result.content[0].text, result.structured_content  # type: ignore[union-attr]
            assert body is not None
            match capability.toolset:
                case "books" | "books_more":
                    assert json.loads(text) == body
                    assert body["error"] == "ValidationError", capability.tool
                    assert "code" not in body, capability.tool
                case "notes":
                    assert text == f"{body['message']} ❌", capability.tool
                    assert body["code"] == "invalid_input", capability.tool
                case "notebooks":
                    assert json.loads(text) == body
                    assert body["error"]["code"] == "INVALID_ARGUMENT", capability.tool
                case _:
                    assert json.loads(text) == body
                    assert body["code"] == "invalid_input", capability.tool


def test_a_model_of_a_contract_refuses_what_it_does_not_know() -> None:
    for own in CONTRACT_TOOLS.values():
        with pytest.raises(ValidationError):
            own.input.model_validate({"no_such_argument": 1})
