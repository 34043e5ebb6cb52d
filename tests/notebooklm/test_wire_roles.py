"""The table of roles on the wire: whatever a client of NotebookLM's sends, it does nothing that the table denies."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from wire_samples import SAMPLES, A, C, N, S, T

from every_thing import all_declared, things
from quire.adapters.memory import FixedClock
from quire.api.library import Library
from quire.domain.errors import QuireError
from quire.domain.sharing import Actor
from quire.entry.bootstrap import build
from quire.entry.role_table import STANDINGS, Standing, outcome
from quire.entry.settings import load
from quire.local.people import add_person
from quire.notebooklm.envelope import RpcRequest
from quire.notebooklm.methods import BY_NAME
from quire.notebooklm.server import HANDLERS, result_of
from quire.notebooklm.server.wire_call import WireCall

pytestmark = pytest.mark.anyio

DECLARED = all_declared()
# What they make is the caller's own from the beginning, and so is what they then do with it.
OF_ONES_OWN = ("CREATE_NOTEBOOK", "COPY_NOTEBOOK")


class Calls(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.done: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        if record.outcome == "ok":  # type: ignore[attr-defined]
            self.done.add(record.tool)  # type: ignore[attr-defined]


@pytest.fixture
def calls() -> Iterator[Calls]:
    log, calls = logging.getLogger("quire.calls"), Calls()
    before = log.level
    log.addHandler(calls)
    log.setLevel(logging.INFO)
    yield calls
    log.removeHandler(calls)
    log.setLevel(before)


def about(sample: Any, ids: dict[str, str]) -> Any:
    """A request of the samples, about things that are there."""
    text = json.dumps(sample)
    there = {N: ids["notebook"], S: ids["source"], T: ids["source"], C: ids["conversation"], A: ids["artifact"]}
    there |= {"note-1": ids["note"], "label-1": ids["label"]}
    for made_up, id in there.items():
        text = text.replace(f'"{made_up}"', json.dumps(id))
    return json.loads(text)


async def put(library: Library, name: str, params: Any) -> None:
    """A call that may be refused, or make no sense of the sample."""
    try:
        await result_of(WireCall(library), RpcRequest(BY_NAME[name].id, params))
    except QuireError:
        return


@pytest.mark.parametrize("standing", STANDINGS, ids=lambda one: one.name)
async def test_no_method_does_what_the_table_denies(standing: Standing, tmp_path: Any, calls: Calls) -> None:
    settings = load({"home": tmp_path, "store": "memory", "embedder": "none"}, {})
    async with build(settings, FixedClock()) as library:
        for id in ("maker", "guest"):
            await library.engine.system.write(lambda tx, id=id: add_person(tx, id, id, None, 0))  # type: ignore[misc]
        maker, guest = library.as_actor(Actor(id="maker")), library.as_actor(Actor(id="guest"))
        caller = library if standing.owns_server else guest
        ids = await things(maker, standing.role, caller.context.actor.id)
        wrong = {}
        destroying = [name for name in HANDLERS if name.startswith(("DELETE", "REMOVE"))]
        for name in [name for name in HANDLERS if name not in (*destroying, *OF_ONES_OWN)] + destroying:
            calls.done.clear()
            await put(caller, name, about(SAMPLES[name][0], ids))
            denied = {tool for tool in calls.done if outcome(DECLARED[tool].facts, standing, own=True) != "yes"}
            if denied:
                wrong[name] = denied
        assert wrong == {}


async def test_the_samples_reach_what_they_are_about(tmp_path: Any, calls: Calls) -> None:
    """Else nothing would be tried above."""
    settings = load({"home": tmp_path, "store": "memory", "embedder": "none"}, {})
    async with build(settings, FixedClock()) as library:
        ids = await things(library, None)
        for name in HANDLERS:
            if not name.startswith("DELETE"):
                await put(library, name, about(SAMPLES[name][0], ids))
        assert {
            "get_notebook",
            "list_sources",
            "get_source",
            "get_source_text",
            "rename_notebook",
            "add_note",
            "list_notes",
            "share_notebook",
            "get_share_status",
            "list_labels",
        } <= calls.done
