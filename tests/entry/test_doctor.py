"""quire doctor."""

from __future__ import annotations

import importlib.metadata
import json
import os
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from loopback import loopback, page
from quire.entry.cli import main
from quire.entry.doctor import examine
from quire.entry.extras import DISTRIBUTION, EXTRAS
from quire.entry.settings import load
from warm_start import warm_python


def diagnosis(capsys: pytest.CaptureFixture[str], home: Path, *arguments: str) -> tuple[int, dict[str, Any]]:
    capsys.readouterr()
    code = main(["doctor", "--json", "--home", str(home), *arguments])
    return code, json.loads(capsys.readouterr().out)


def test_without_a_setting_everything_is_kept_in_the_home_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert load({}, {}).home == tmp_path / ".quire"


def states(found: dict[str, Any]) -> dict[str, str]:
    return {check["name"]: check["state"] for check in found["checks"]}


def test_all_is_well_in_a_home_that_is_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--home", str(tmp_path), "note", "add", "x"])
    main(["--home", str(tmp_path), "note", "export", "--no-wait"])
    code, found = diagnosis(capsys, tmp_path)
    assert (code, found["ok"]) == (0, True)
    details = {check["name"]: check["detail"] for check in found["checks"]}
    assert str(tmp_path / "quire.db") in details["store"]
    assert details["jobs"] == "1 waiting or running"
    assert details["schema"][0].isdigit()
    assert "free" in details["home"]
    assert details["SQLite"] == sqlite3.sqlite_version
    assert {"store", "schema", "files", "jobs", "home"} <= states(found).keys()


def test_a_home_that_others_look_into_is_told_and_left_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "letters.txt").touch()
    tmp_path.chmod(0o755)
    main(["--home", str(tmp_path), "note", "add", "x"])
    capsys.readouterr()
    code, found = diagnosis(capsys, tmp_path)
    (home,) = [check for check in found["checks"] if check["name"] == "home"]
    assert (code, home["state"]) == (0, "note")
    assert "letters.txt" in home["detail"]
    assert "QUIRE_HOME" in home["hint"]
    assert tmp_path.stat().st_mode & 0o777 == 0o755


def test_a_new_home_is_well_and_stays_untouched(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = tmp_path / "new"
    code, found = diagnosis(capsys, home)
    assert code == 0
    assert states(found)["store"] == "note"
    assert not home.exists()


def test_people_get_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--home", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    for word in ("Quire", "Python", "log_level", "warning", "default", "extra postgres", "All is well."):
        assert word in out


def test_each_setting_has_its_origin_and_secrets_stay_hidden(tmp_path: Path) -> None:
    (tmp_path / "quire.toml").write_text('token = "hush-hush"\nworkers = 3\n')
    done = subprocess.run(
        [*warm_python(), "-m", "quire", "doctor", "--json", "--store", "postgres://me:hush-hush@127.0.0.1:1/none"],
        capture_output=True,
        text=True,
        env=dict(os.environ, QUIRE_HOME=str(tmp_path), QUIRE_PORT="9000"),
        timeout=60,
    )
    found = json.loads(done.stdout)
    origins = {setting["name"]: (setting["value"], setting["origin"]) for setting in found["settings"]}
    assert origins["workers"] == (3, "quire.toml")
    assert origins["port"] == (9000, "environment")
    assert origins["store"] == ("postgres://me:***@127.0.0.1:1/none", "flag")
    assert origins["token"] == ("(set)", "quire.toml")
    assert origins["host"] == ("127.0.0.1", "default")
    assert "hush" not in done.stdout + done.stderr
    assert done.returncode == 1
    assert states(found)["store"] == "problem"


def test_a_damaged_store_is_a_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "quire.db").write_bytes(b"this is not a database" * 100)
    code, found = diagnosis(capsys, tmp_path)
    assert (code, found["ok"]) == (1, False)
    assert states(found)["store"] == "problem"
    assert main(["doctor", "--home", str(tmp_path)]) == 1
    assert "There are problems." in capsys.readouterr().out


def test_a_newer_schema_is_a_problem_with_a_hint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--home", str(tmp_path), "note", "add", "x"])
    with closing(sqlite3.connect(tmp_path / "quire.db")) as connection:
        connection.execute("PRAGMA user_version = 999")
    code, found = diagnosis(capsys, tmp_path)
    store = next(check for check in found["checks"] if check["name"] == "store")
    assert code == 1
    assert "newer Quire" in store["detail"]
    assert store["hint"]


def test_settings_that_are_no_good_do_not_stop_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "quire.toml").write_text("port = 'eight'")
    code, found = diagnosis(capsys, tmp_path)
    assert code == 1
    assert found["settings"] == []
    assert states(found)["settings"] == "problem"
    assert "port" in found["checks"][0]["detail"]


def test_a_home_that_is_a_file_is_a_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("x")
    code, found = diagnosis(capsys, tmp_path / "file")
    assert code == 1
    assert found["ok"] is False


def test_every_extra_is_looked_for() -> None:
    declared = importlib.metadata.metadata(DISTRIBUTION).get_all("Provides-Extra") or []
    assert set(declared) - {"default", "test"} == set(EXTRAS)


def test_storages_of_books_are_checked_and_their_credentials_hidden(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    main(["--home", str(tmp_path), "book", "create", "my-book", "Mine"])
    far = "far=webdav:///x?endpoint=http%3A%2F%2F127.0.0.1%3A9&username=me&password=hunter2"
    monkeypatch.setenv("QUIRE_SHELVES", f"{far},odd=nothing://x")
    code, found = diagnosis(capsys, tmp_path)
    storages = {name: state for name, state in states(found).items() if name.startswith("books ")}
    assert storages == {"books fs": "ok", "books far": "problem", "books odd": "problem"}
    assert code != 0
    assert "username=me" in json.dumps(found)
    assert "hunter2" not in json.dumps(found)


def test_an_empty_file_where_a_library_was_is_a_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--home", str(tmp_path), "note", "add", "x"])
    (tmp_path / "quire.db").write_bytes(b"")
    code, found = diagnosis(capsys, tmp_path)
    store = next(check for check in found["checks"] if check["name"] == "store")
    assert (code, store["state"]) == (1, "problem")
    assert "is empty" in store["detail"]
    assert main(["--home", str(tmp_path), "note", "list"]) != 0


def test_damage_that_no_query_meets_is_a_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--home", str(tmp_path), "note", "add", "x"])
    with closing(sqlite3.connect(tmp_path / "quire.db")) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_master SET rootpage = 2 WHERE name = 'scratch_execution'")
        connection.commit()
    assert main(["--home", str(tmp_path), "health", "check"]) == 0
    capsys.readouterr()
    assert main(["--home", str(tmp_path), "--json", "health", "check", "--thorough"]) == 0
    assert json.loads(capsys.readouterr().out)["status"] == "unhealthy"
    code, found = diagnosis(capsys, tmp_path)
    assert (code, states(found)["store"]) == (1, "problem")


@pytest.mark.anyio
async def test_the_language_model_is_asked_whether_it_is_there(tmp_path: Path) -> None:
    said = b'data: {"choices": [{"delta": {"content": "Yes"}}]}\n\ndata: [DONE]\n\n'
    async with loopback() as server:
        server.paths["/v1/chat/completions"] = [page(said, media_type="text/event-stream"), page(b"", status=404)]
        flags = {"home": str(tmp_path), "model_url": server.url("/v1"), "model": "tiny", "model_key": "hush-hush"}
        well, ill = [await examine(flags) for _ in range(2)]
    first, second = (next(one for one in found.checks if one.name == "model") for found in (well, ill))
    assert (first.state, first.detail.startswith("tiny answered in ")) == ("ok", True)
    assert (second.state, second.detail) == ("problem", "The language model's endpoint knows no such model.")
    assert (well.ok, ill.ok) == (True, False)
    assert "hush-hush" not in well.model_dump_json() + ill.model_dump_json()
    none = await examine({"home": str(tmp_path)})
    assert [one.state for one in none.checks if one.name == "model"] == ["note"]
