"""Notebooks on their way to Google and back: through the wire, by command, and by processes that are killed."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import quire
from at_google import at_google
from moved_notebook import BEES, WAX, filled, told
from quire import transfer
from quire.domain.files import Upload
from quire.entry.cli import main
from quire.notebooklm.sessions import storage_state
from serving import until
from through_proxy import Proxied, proxied
from warm_start import warm_python

WAIT_SECONDS = 120


async def at_once(seconds: float) -> None:
    """Nobody waits here."""


def test_a_notebook_goes_to_google_and_comes_back(tmp_path: Path) -> None:
    async def round_trip() -> None:
        with at_google(tmp_path) as (google, place):
            async with google, quire.open(home=tmp_path / "local", embedder="none") as local:
                notebook = await filled(local, artifacts=True)
                wanted = await told(local, notebook)
                there = await transfer(local, google, notebook, ledgers=tmp_path / "ledgers")
                assert there.not_moved == []
                assert {one.kind: one.moved_as for one in there.lossy} == {"conversation": "note", "artifact": "note"}
                seen = await _on_server(place, there.new_id)
                for part in ("notebook", "sources", "labels", "chat"):
                    assert seen[part] == wanted[part], part
                assert seen["notes"][-3:] == wanted["notes"]
                assert "100 flowers" in dict(seen["notes"])["A report"]
                assert "How far does it fly" in seen["notes"][1][1]
                back = await transfer(google, local, there.new_id or "", ledgers=tmp_path / "ledgers")
                assert back.new_id != notebook
                home = await told(local, back.new_id or "")
                for part in ("notebook", "sources", "labels", "chat"):
                    assert home[part] == wanted[part], part
                assert home["notes"] == seen["notes"]
                came = {one.title: one for one in back.moved if one.kind == "source"}
                assert (came["Flights"].moved_as, came["Wax"].moved_as) == ("text", "file")
                file = await local.sources.download(back.new_id, came["Wax"].new_id or "")
                assert await file.read() == WAX.encode()

    asyncio.run(round_trip())


async def _on_server(place: Proxied, notebook_id: str | None) -> dict[str, Any]:
    made = asyncio.wrap_future(
        asyncio.run_coroutine_threadsafe(told(place.server.library, notebook_id or ""), place.server._loop)
    )
    return await made


def test_what_was_asked_at_google_is_a_conversation_at_home(tmp_path: Path) -> None:
    async def moved() -> None:
        with at_google(tmp_path) as (google, _):
            async with google, quire.open(home=tmp_path / "local", embedder="none") as local:
                notebook = await filled(google)
                made = await transfer(google, local, notebook, ledgers=tmp_path / "ledgers")
                assert [one.kind for one in made.not_moved] in ([], ["artifact"])
                (talk,) = (await local.chat.list_conversations(made.new_id)).items
                turns = (await local.chat.get_history(talk.id)).items
                assert [turn.answer.question for turn in turns] == [
                    "How far does it fly from its hive?",
                    "How many flowers does a honey bee visit on a flight?",
                ]
                cited = turns[1].answer.citations[0]
                text = (await local.sources.get_fulltext(made.new_id, cited.source_id)).text
                assert "100 flowers" in text[cited.start : cited.end]

    asyncio.run(moved())


def test_what_was_made_at_google_comes_home_as_a_note_and_as_files(tmp_path: Path) -> None:
    async def moved() -> None:
        with at_google(tmp_path) as (google, place):
            async with google, quire.open(home=tmp_path / "local", embedder="none") as local:
                notebook = (await google.notebooks.create("Bees")).id
                await google.sources.add_text(notebook, "Flights", BEES)
                server = place.server
                making = server.library.artifacts.generate(notebook, "report", title="A report")
                await asyncio.to_thread(server.run, making)
                files = tmp_path / "files"
                made = await transfer(google, local, notebook, ledgers=tmp_path / "ledgers", files=files)
                assert made.not_moved == []
                (report,) = [one for one in made.moved if one.kind == "artifact"]
                assert report.moved_as == "note"
                assert "100 flowers" in (await local.notes.get(made.new_id, report.new_id or "")).content
                assert ".md" in {one.suffix for one in files.iterdir()}

    asyncio.run(moved())


@pytest.fixture
def home(tmp_path: Path) -> Path:
    made = tmp_path / "here"
    made.mkdir()
    return made


def signed_in(place: Proxied, home: Path) -> list[str]:
    """The flags of commands whose account at Google is the server's owner."""
    (home / "quire.toml").write_text(
        f'notebooklm_proxy = "http://127.0.0.1:{place.port}"\nnotebooklm_ca = "{place.authority}"\nembedder = "none"\n'
    )
    cookies = home.parent / "cookies.json"
    cookies.write_text(json.dumps(storage_state(place.sessions.open())))
    assert main(["login", "--cookies", str(cookies), "--home", str(home)]) == 0
    return ["--home", str(home)]


def test_the_command_moves_and_tells_what_it_could_not(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with proxied(tmp_path / "google", embedder="none") as place:
        flags = signed_in(place, home)
        assert main(["notebook", "create", "Bees", *flags]) == 0
        assert main(["note", "add", "Flights", "Far", "--notebook", "Bees", *flags]) == 0
        capsys.readouterr()
        way = ["--from", "local", "--to", "notebooklm", *flags]
        assert main(["notebook", "transfer", "Bees", *way, "--dry-run", "--json"]) == 0
        plan = json.loads(capsys.readouterr().out)
        assert (plan["dry_run"], plan["new_id"], [one["title"] for one in plan["moved"]]) == (
            *(True, None),
            ["Bees", "Flights"],
        )
        assert main(["notebook", "transfer", "Bees", *way]) == 0
        assert "'Bees' is now at notebooklm:default" in capsys.readouterr().out
        assert main(["notebook", "list", "--engine", "notebooklm", "--json", *flags]) == 0
        assert [one["title"] for one in json.loads(capsys.readouterr().out)["items"]] == ["Bees", "Inbox"]
        for wrong in (["--from", "local", "--to", "local"], ["--from", "moon", "--to", "local"]):
            assert main(["notebook", "transfer", "Bees", *wrong, *flags]) == 2
        assert main(["notebook", "transfer", "Wasps", *way]) == 4


@pytest.mark.long
def test_a_move_that_is_killed_goes_on_and_doubles_nothing(tmp_path: Path, home: Path) -> None:
    """Real processes, ended by kill -9 at random moments; the quick test beside it dies at each call, in this one."""
    chance = random.Random(16)
    rounds = 6
    with proxied(tmp_path / "google", embedder="none") as place:
        flags = signed_in(place, home)

        async def prepared() -> tuple[str, dict[str, Any]]:
            async with quire.open(home=home) as local:
                notebook = await filled(local)
                for number in range(6):
                    await local.sources.add_file(notebook, Upload.of(f"Source {number} of many.", f"{number}.txt"))
                return notebook, await told(local, notebook)

        notebook, wanted = asyncio.run(prepared())
        command = [sys.executable, "-m", "quire", "notebook", "transfer", notebook, "--from", "local"]
        command += ["--to", "notebooklm", *flags]
        killed = 0
        for number in range(rounds):
            before = _ids(place)
            again = ["--again"] if number else []
            longest = 1.5
            while True:
                moving = subprocess.Popen([*command, *again], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                try:
                    moving.wait(chance.uniform(0.5, longest))
                except subprocess.TimeoutExpired:
                    os.kill(moving.pid, signal.SIGKILL)
                    killed += 1
                _, said = moving.communicate(timeout=WAIT_SECONDS)
                if moving.returncode == 0:
                    break
                assert moving.returncode == -signal.SIGKILL, said.decode()
                again = again if not (_ids(place) - before) else []
                longest = min(longest * 1.3, 30.0)
            (new,) = _ids(place) - before
            seen = place.server.run(told(place.server.library, new))
            for part in ("notebook", "sources", "labels", "chat"):
                assert seen[part] == wanted[part], (number, part)
            assert sorted(seen["notes"])[1:] == sorted([*wanted["notes"]])
        assert killed >= rounds


def _ids(place: Proxied) -> set[str]:
    return {one.id for one in place.server.run(place.server.library.notebooks.list(limit=1_000))}


def test_ctrl_c_stops_a_move_which_then_goes_on(tmp_path: Path, home: Path) -> None:
    with proxied(tmp_path / "google", embedder="none") as place:
        flags = signed_in(place, home)
        asyncio.run(noted(home, 15))
        command = [*warm_python(), "-m", "quire", "notebook", "transfer", "Bees", "--from", "local"]
        command += ["--to", "notebooklm", *flags]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as moving:
            until(lambda: len(_ids(place)) > 1)
            moving.send_signal(signal.SIGINT)
            _, said = moving.communicate(timeout=WAIT_SECONDS)
        assert moving.returncode in (130, 0), said
        assert main(command[command.index("notebook") :]) == 0
        (new,) = [one for one in place.server.run(place.server.library.notebooks.list()) if one.title == "Bees"]
        notes = place.server.run(place.server.library.notes.list(new.id, limit=1_000))
        assert sorted(note.title for note in notes) == sorted(f"Note {number}" for number in range(15))


async def noted(home: Path, notes: int) -> None:
    async with quire.open(home=home) as local:
        notebook = (await local.notebooks.create("Bees")).id
        for number in range(notes):
            await local.notes.create(notebook, f"Note {number}", "Words")
