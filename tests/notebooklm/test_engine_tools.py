"""Contract 1's six tools on the engine that drives NotebookLM: answers, codes, and how often they may be called."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from at_google import settings_for
from through_proxy import proxied

from contracts.desk import Desk, joined
from contracts.notebook_desk import NotebookDesk, opened
from quire.entry.bootstrap import build

pytestmark = pytest.mark.anyio

QUESTION = "How many bees does a strong hive hold?"


@asynccontextmanager
async def desk_at_google(folder: Path, **settings: Any) -> AsyncIterator[Desk]:
    with proxied(folder / "google", embedder="none") as place:
        library = build(settings_for(place, folder / "here", **settings))
        async with library, joined(library, "2026", 0, "notebooks") as client:
            yield Desk(client, lambda now: None, folder)


async def test_the_six_tools_answer_as_the_contract_says(tmp_path: Path) -> None:
    async with desk_at_google(tmp_path) as desk:
        notebook: NotebookDesk = await opened(desk)
        health = await notebook.ok("health_check")
        assert (health["status"], health["authenticated"]) == ("healthy", True)
        added = await notebook.ok("add_source", source_type="text", text="A strong hive holds 50,000 bees in summer.")
        assert added["success"] is True
        listed = await notebook.ok("list_sources")
        assert [one["id"] for one in listed["sources"]] == [added["source_id"]]
        assert (await notebook.ok("get_notebook"))["source_count"] == 1
        assert notebook.notebook_id in [one["id"] for one in (await notebook.ok("list_notebooks"))["notebooks"]]
        answer = await notebook.ok("ask", question=QUESTION)
        assert "50,000" in answer["answer"]
        assert answer["confidence"] is None
        assert answer["citations"][0]["source_id"] == added["source_id"]


async def test_a_client_may_ask_five_times_a_minute(tmp_path: Path) -> None:
    async with desk_at_google(tmp_path) as desk:
        notebook = await opened(desk)
        await notebook.add("A strong hive holds 50,000 bees in summer.")
        for _ in range(5):
            await notebook.ok("ask", question=QUESTION)
        error = await notebook.error("ask", question=QUESTION)
        assert error["code"] == "RATE_LIMITED"
        assert error["details"]["limit"] == 5
        assert 0 < error["details"]["retry_after_seconds"] <= 60


async def test_whoever_is_not_signed_in_is_told_so(tmp_path: Path) -> None:
    strangers = json.dumps([{"name": name, "value": "no", "domain": ".google.com"} for name in ("SID", "OSID")])
    async with desk_at_google(tmp_path, notebooklm_cookies=strangers) as desk:
        notebook = NotebookDesk(desk, "any")
        assert await notebook.code("list_notebooks") == "AUTH_REQUIRED"
        health = await notebook.ok("health_check")
        assert (health["status"], health["authenticated"]) == ("unhealthy", False)
        assert "sign in" in health["error"]
