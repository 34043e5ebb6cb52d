"""Notebooks of a hostile Google's on their way home: odd names, odd rows, and a disk that is full."""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from scripted_google import Said, ScriptedGoogle, scripted_google

import quire
from quire.api.chat import A_TURN
from quire.domain.errors import InvalidInput, Unsupported
from quire.domain.transfers import TransferReport
from quire.entry.transfer.ledger import Ledger, NotRecorded
from quire.notebooklm import codes
from quire.notebooklm.envelope import answer_body
from quire.notebooklm.methods import BY_NAME
from quire.notebooklm.methods.chat import Turn
from quire.notebooklm.methods.labels import Label
from quire.notebooklm.methods.notebooks import Notebook
from quire.notebooklm.methods.notes import Note, Notes
from quire.notebooklm.methods.studio import Artifact, Report

AT = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def google(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ScriptedGoogle]:
    with scripted_google(tmp_path_factory.mktemp("scripted")) as made:
        yield made


def says(google: ScriptedGoogle, notebook: Notebook, **answers: Any) -> None:
    """What there is in the one notebook; nothing of a kind that is not named."""
    nothing: dict[str, Any] = {
        "GET_NOTES_AND_MIND_MAPS": Notes(),
        "LIST_LABELS": [],
        "GET_LAST_CONVERSATION_ID": [],
        "LIST_ARTIFACTS": [],
    }
    google.begin()
    for name, value in ({"LIST_NOTEBOOKS": [notebook], "GET_NOTEBOOK": notebook} | nothing | answers).items():
        method = BY_NAME[name]
        google.server.by_id[method.id] = Said(answer_body(method.id, method.encode_response(value)))


async def at_once(seconds: float) -> None:
    """Nobody waits here."""


def moved(google: ScriptedGoogle, folder: Path, files: Path | None = None) -> tuple[TransferReport, list[str]]:
    """What became of the notebook, and how those are called that are there now."""

    async def go() -> tuple[TransferReport, list[str]]:
        async with quire.open(home=folder / "home", embedder="none") as target, google.library() as origin:
            ledgers = folder / "ledgers"
            made = await quire.transfer(origin, target, "n", ledgers=ledgers, sleep=at_once, files=files)
            return made, [one.title for one in await target.notebooks.list() if not one.inbox]

    return asyncio.run(go())


def test_names_that_nothing_here_can_hold_are_made_to_fit(google: ScriptedGoogle, tmp_path: Path) -> None:
    says(
        google,
        Notebook(id="n", title="a\0" + "x" * 5_000, emoji="x" * 500),
        GET_NOTES_AND_MIND_MAPS=Notes(notes=(Note(id="../a", title="x" * 5_000, content="b\0c", changed_at=AT),)),
        LIST_LABELS=[Label(id="l", name="y" * 5_000)],
    )
    made, titles = moved(google, tmp_path)
    assert made.not_moved == []
    assert titles == ["a\ufffd" + "x" * 998]
    assert {one.kind: len(one.title) for one in made.moved} == {"notebook": 1_000, "note": 1_000, "label": 200}


def test_a_turn_without_a_time_comes_over(google: ScriptedGoogle, tmp_path: Path) -> None:
    turns = [Turn(id="q", role=codes.TurnRole.QUESTION, question="Who?\0")]
    says(google, Notebook(id="n", title="Bees"), GET_LAST_CONVERSATION_ID=["c"], GET_CONVERSATION_TURNS=turns)
    made, _ = moved(google, tmp_path)
    assert [(one.kind, one.title) for one in made.moved if one.kind == "conversation"] == [
        ("conversation", "Who?\ufffd")
    ]


def test_artifacts_of_which_google_refuses_a_file_come_nevertheless(google: ScriptedGoogle, tmp_path: Path) -> None:
    rows = [
        Artifact(
            id=f"the-same-beginning-{number}",
            title="../../etc/Same",
            kind=codes.ArtifactKind.REPORT,
            state=codes.ArtifactState.READY,
            report=Report(title="x", markdown=f"# {number}"),
            created_at=AT,
        )
        for number in range(4)
    ]
    says(google, Notebook(id="n", title="Bees"), LIST_ARTIFACTS=rows)
    made, _ = moved(google, tmp_path, tmp_path / "files")
    assert [one.moved_as for one in made.moved if one.kind == "artifact"] == ["note"] * 4
    assert all("Not as docx" in one.lost for one in made.moved if one.kind == "artifact")
    assert {one.read_text() for one in (tmp_path / "files").iterdir()} == {"# 0", "# 1", "# 2", "# 3"}


async def keep(folder: Path, turn: str) -> None:
    async with quire.open(home=folder, embedder="none") as library:
        await library.chat.keep_turn((await library.notebooks.create("Bees")).id, turn)


def test_a_turn_that_hides_nul_in_its_json_is_not_kept(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput):
        asyncio.run(keep(tmp_path, A_TURN.replace("Who makes", "Who\\u0000 makes")))
    asyncio.run(keep(tmp_path, A_TURN.replace("Who makes", "Who\\\\u0000 makes")))


def test_a_step_that_cannot_be_recorded_is_not_done_and_the_record_stays_whole(tmp_path: Path) -> None:
    with Ledger(tmp_path, "a", "b", "c") as ledger:
        ledger.end("note/1", id="x")
        (file,) = tmp_path.iterdir()
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (file.stat().st_size + 5, before[1]))
        try:
            with pytest.raises(NotRecorded, match="cannot be written"):
                ledger.begin("note/2")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
    with Ledger(tmp_path, "a", "b", "c") as ledger:
        assert (ledger.done, ledger.begun) == ({"note/1": {"id": "x"}}, {})
        ledger.end("note/2", id="y")
    with Ledger(tmp_path, "a", "b", "c") as ledger:
        assert ledger.ids("note") == {"x", "y"}


def test_a_move_that_cannot_be_recorded_stops_with_a_sentence(google: ScriptedGoogle, tmp_path: Path) -> None:
    says(google, Notebook(id="n", title="Bees"))
    made, _ = moved(google, tmp_path)
    (file,) = (tmp_path / "ledgers").iterdir()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)

    async def go() -> None:
        async with quire.open(home=tmp_path / "home", embedder="none") as target, google.library() as origin:
            await target.notebooks.list()
            resource.setrlimit(resource.RLIMIT_FSIZE, (file.stat().st_size + 5, before[1]))
            try:
                await quire.transfer(origin, target, "n", ledgers=tmp_path / "ledgers", again=True)
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, before)

    with pytest.raises(Unsupported, match="cannot be written") as caught:
        asyncio.run(go())
    assert caught.value.hint == "Run it again to go on where it stopped."
    assert moved(google, tmp_path)[0].new_id == made.new_id
