"""What the engine sends beside what notebooklm-py sends for the same call, both taken down by the same server."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from real_clients import MISSING, environment, ran
from test_engine_replay import Recorded, replayed
from wire_samples import SAMPLES, A, C, N, S, T

from quire.api.library import Library
from quire.domain.errors import QuireError
from quire.notebooklm.certificates import certificates
from quire.notebooklm.envelope import answer_body
from quire.notebooklm.methods import BY_NAME

pytestmark = [pytest.mark.long, pytest.mark.skipif(MISSING, reason="scripts/setup test did not run")]

Call = Callable[[Library], Awaitable[Any]]
PAGE, VIDEO = "https://a.example", "https://www.youtube.com/watch?v=abcdefghijk"


def made(kind: Any, **options: Any) -> Call:
    return lambda one: one.artifacts.generate(N, kind, source_ids=[S], wait=False, **options)


# The method that is meant, and the call of the library that is the client's.
CALLS: dict[str, tuple[str, Call]] = {
    "notebooks.list": ("LIST_NOTEBOOKS", lambda one: one.notebooks.list()),
    "notebooks.create": ("CREATE_NOTEBOOK", lambda one: one.notebooks.create("A title")),
    "notebooks.get": ("GET_NOTEBOOK", lambda one: one.notebooks.get(N)),
    "notebooks.rename": ("RENAME_NOTEBOOK", lambda one: one.notebooks.rename(N, "New")),
    "notebooks.delete": ("DELETE_NOTEBOOK", lambda one: one.notebooks.delete(N)),
    "notebooks.copy": ("COPY_NOTEBOOK", lambda one: one.notebooks.copy(N, "A copy")),
    "notebooks.remove_from_recent": ("REMOVE_RECENTLY_VIEWED", lambda one: one.notebooks.remove_from_recent(N)),
    "notebooks.get_summary": ("SUMMARIZE", lambda one: one.notebooks.get_summary(N)),
    "sources.add_url": ("ADD_SOURCE", lambda one: one.sources.add(N, "url", url=PAGE, wait=False)),
    "sources.add_video": ("ADD_SOURCE", lambda one: one.sources.add(N, "url", url=VIDEO, wait=False)),
    "sources.add_text": ("ADD_SOURCE", lambda one: one.sources.add(N, "text", text="Words", title="T", wait=False)),
    "sources.add_drive": ("ADD_SOURCE", lambda one: one.sources.add_drive(N, "file-1", "T", wait=False)),
    "sources.append_text": ("APPEND_SOURCE", lambda one: one.sources.append_text(N, S, "More")),
    "sources.rename": ("UPDATE_SOURCE", lambda one: one.sources.rename(N, S, "New")),
    "sources.copy": ("COPY_SOURCES", lambda one: one.sources.copy(N, [S], "notebook-2", wait=False)),
    "sources.delete": ("DELETE_SOURCE", lambda one: one.sources.delete(N, S)),
    "sources.get_fulltext": ("GET_SOURCE", lambda one: one.sources.get_fulltext(N, S)),
    "sources.get_guide": ("GET_SOURCE_GUIDE", lambda one: one.sources.get_guide(N, S)),
    "sources.search": ("RETRIEVE_RELEVANT_CHUNKS", lambda one: one.sources.search(N, "apples", source_ids=[S, T])),
    "sources.refresh": ("REFRESH_SOURCE", lambda one: one.sources.refresh(N, S, wait=False)),
    "sources.check_freshness": ("CHECK_SOURCE_FRESHNESS", lambda one: one.sources.check_freshness(N, S)),
    "labels.list": ("LIST_LABELS", lambda one: one.labels.list(N)),
    "labels.generate": ("CREATE_LABEL", lambda one: one.labels.generate(N)),
    "labels.generate_all": ("CREATE_LABEL", lambda one: one.labels.generate(N, "all")),
    "labels.create": ("CREATE_LABEL", lambda one: one.labels.create(N, "Fruit", "🍎")),
    "labels.add_sources": ("UPDATE_LABEL", lambda one: one.labels.add_sources(N, "label-1", [S])),
    "labels.remove_sources": ("UPDATE_LABEL", lambda one: one.labels.remove_sources(N, "label-1", [S])),
    "labels.delete": ("DELETE_LABEL", lambda one: one.labels.delete(N, ["label-1"])),
    "collections.list": ("LIST_LABELS", lambda one: one.collections.list()),
    "collections.create": ("CREATE_LABEL", lambda one: one.collections.create("Plants")),
    "collections.add_notebooks": ("UPDATE_LABEL", lambda one: one.collections.add_notebooks("label-1", [N])),
    "collections.delete": ("DELETE_LABEL", lambda one: one.collections.delete(["label-1"])),
    "research.start": ("START_FAST_RESEARCH", lambda one: one.research.start(N, "apples")),
    "research.start_drive": ("START_FAST_RESEARCH", lambda one: one.research.start(N, "apples", "drive")),
    "research.start_deep": ("START_DEEP_RESEARCH", lambda one: one.research.start(N, "apples", mode="deep")),
    "research.poll": ("POLL_RESEARCH", lambda one: one.research.list(N)),
    "research.discover": ("DISCOVER_SOURCES", lambda one: one.research.discover(N, "apples")),
    "chat.get_conversation_id": ("GET_LAST_CONVERSATION_ID", lambda one: one.chat.list_conversations(N)),
    "chat.delete_conversation": ("DELETE_CONVERSATION", lambda one: one.chat.delete_conversation(C)),
    "chat.configure": ("RENAME_NOTEBOOK", lambda one: one.chat.configure(N, "custom", "Be brief", "shorter")),
    "notes.create": ("UPDATE_NOTE", lambda one: one.notes.create(N, "T", "Words")),
    "notes.update": ("UPDATE_NOTE", lambda one: one.notes.update(N, "note-1", "Words", "A note")),
    "notes.delete": ("DELETE_NOTE", lambda one: one.notes.delete(N, "note-1")),
    "notes.list": ("GET_NOTES_AND_MIND_MAPS", lambda one: one.notes.list(N)),
    "artifacts.list": ("LIST_ARTIFACTS", lambda one: one.artifacts.list(N)),
    "artifacts.audio": (
        "CREATE_ARTIFACT",
        made("audio", instructions="focus", language="fr", format="debate", length="long"),
    ),
    "artifacts.audio_plain": ("CREATE_ARTIFACT", made("audio", language="fr")),
    "artifacts.video": (
        "CREATE_ARTIFACT",
        made("video", instructions="focus", language="fr", format="brief", style="anime"),
    ),
    "artifacts.video_styled": ("CREATE_ARTIFACT", made("video", language="fr", style="like an old map")),
    "artifacts.quiz": (
        "CREATE_ARTIFACT",
        made("quiz", instructions="focus", quantity="fewer", difficulty="hard"),
    ),
    "artifacts.quiz_plain": ("CREATE_ARTIFACT", made("quiz")),
    "artifacts.flashcards": (
        "CREATE_ARTIFACT",
        made("flashcards", instructions="focus", quantity="more", difficulty="easy"),
    ),
    "artifacts.infographic": (
        "CREATE_ARTIFACT",
        made(
            "infographic",
            instructions="focus",
            language="fr",
            orientation="square",
            detail="detailed",
            style="clay",
        ),
    ),
    "artifacts.slides": (
        "CREATE_ARTIFACT",
        made("slide_deck", instructions="focus", language="fr", format="presenter_slides", length="short"),
    ),
    "artifacts.table": ("CREATE_ARTIFACT", made("data_table", instructions="focus", language="fr")),
    "artifacts.report": (
        "CREATE_ARTIFACT",
        made("report", instructions="Where do apples come from?", language="fr", format="custom"),
    ),
    "artifacts.rename": ("RENAME_ARTIFACT", lambda one: one.artifacts.rename(N, A, "New")),
    "artifacts.delete": ("DELETE_ARTIFACT", lambda one: one.artifacts.delete(N, A)),
    "artifacts.suggest_reports": ("GET_SUGGESTED_REPORTS", lambda one: one.artifacts.suggest_reports(N)),
    "artifacts.copy": ("COPY_ARTIFACTS", lambda one: one.artifacts.copy("notebook-2", A)),
    "artifacts.choices": ("GET_CUSTOMIZATION_CHOICES", lambda one: one.artifacts.kinds()),
    "sharing.get_status": ("GET_SHARE_STATUS", lambda one: one.sharing.get_status(N)),
    "sharing.add_user": ("SHARE_NOTEBOOK", lambda one: one.sharing.add_user(N, "a@b.example", "editor", "Hello")),
    "sharing.update_user": ("SHARE_NOTEBOOK", lambda one: one.sharing.update_user(N, "a@b.example", "viewer")),
    "sharing.set_public": ("SHARE_NOTEBOOK", lambda one: one.sharing.set_public(N, True)),
    "sharing.set_view_level": ("RENAME_NOTEBOOK", lambda one: one.sharing.set_view_level(N, "chat")),
    "settings.get_output_language": ("GET_USER_SETTINGS", lambda one: one.settings.get_output_language()),
    "settings.set_output_language": ("SET_USER_SETTINGS", lambda one: one.settings.set_output_language("fr")),
    "settings.get_usage": ("GET_ACCOUNT", lambda one: one.settings.get_usage()),
}
PAGES_OWN = "The block of options is that of NotebookLM's own page, which the contract has as the newer form."
# Where the two say different things, and mean to.
DIFFERENT = {
    "artifacts.report": "A report's description is in our own words.",
    "artifacts.list": PAGES_OWN,
    "chat.get_conversation_id": PAGES_OWN,
    "notebooks.get_summary": PAGES_OWN,
    "notebooks.list": PAGES_OWN,
    "notes.list": PAGES_OWN,
    "settings.get_output_language": PAGES_OWN,
    "sources.add_drive": PAGES_OWN,
}


def bodies() -> dict[str, str]:
    return {BY_NAME[name].id: answer_body(BY_NAME[name].id, result) for name, (_, result) in SAMPLES.items()}


def theirs(folder: Path) -> dict[str, dict[str, Any]]:
    """What the client sent for each call. A notebook by the name of the call is asked for before it."""
    with replayed(folder, bodies()) as (server, _):
        variables = environment(folder, server.proxy, certificates(folder / "tls").authority, "session")
        ran(variables, folder, "notebooklm-py", "py_requests.py")
        found: dict[str, dict[str, Any]] = {}
        current: dict[str, Any] = {}
        for name, params in server.log:
            title = params[0] if name == "CREATE_NOTEBOOK" else None
            if isinstance(title, str) and title.startswith("mark "):
                current = found[title.removeprefix("mark ")] = {}
            else:
                current[name] = params
        return found


def ours(folder: Path) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}

    async def each(server: Recorded, library: Library) -> None:
        async with library:
            for name, (_, call) in CALLS.items():
                server.log.clear()
                # The same answer comes whatever is asked for; what was sent is enough here.
                with suppress(QuireError):
                    await call(library)
                found[name] = dict(server.log)

    with replayed(folder, bodies()) as (server, library):
        asyncio.run(each(server, library))
    return found


def test_the_engine_sends_what_the_newest_client_sends(tmp_path: Path) -> None:
    client, engine = theirs(tmp_path / "client"), ours(tmp_path / "engine")
    other = {}
    for name, (method, _) in CALLS.items():
        assert method in client[name], f"{name}: the client did not call {method}"
        assert method in engine[name], f"{name}: the engine did not call {method}"
        if client[name][method] != engine[name][method]:
            other[name] = (client[name][method], engine[name][method])
    assert {name: pair for name, pair in other.items() if name not in DIFFERENT} == {}
    assert set(other) == set(DIFFERENT)
