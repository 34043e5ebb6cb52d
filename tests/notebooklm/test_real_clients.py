"""Real NotebookLM clients from PyPI, unchanged, at work on Quire; what each can do is in `matrix/`."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import av
import pytest
from changes import changes, state
from real_clients import APPLES, ARTIFACTS, DRIVE, HERE, MISSING, PROGRAMS, SECONDS, Clients

from pages import serving_pages
from through_proxy import Proxied, proxied

PAGE = "<!doctype html><title>Plums</title><article><p>Plums are drupes with one hard stone inside.</p></article>"

pytestmark = pytest.mark.skipif(MISSING, reason="scripts/setup test did not run")


@pytest.fixture(scope="module")
def page() -> Iterator[str]:
    with serving_pages() as pages:
        address = pages.put("/plums.html", PAGE)
        found = {"url": address, "title": "Plums", "content": "Plums are drupes."}
        pages.put("/search", json.dumps({"results": [found]}), "application/json")
        yield address


@pytest.fixture(scope="module")
def place(page: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxied]:
    folder = tmp_path_factory.mktemp("drive")
    (folder / DRIVE).write_text("Medlars are eaten when they are soft.")
    finding = {"finders": "searxng", "finder_urls": f"searxng={page.removesuffix('/plums.html')}", "drive": str(folder)}
    with proxied(tmp_path_factory.mktemp("home"), fetch_allow="127.0.0.1", **finding) as made:
        yield made


@pytest.fixture
def clients(place: Proxied, page: str, tmp_path: Path) -> Clients:
    return Clients(place, page, tmp_path)


def matrix(client: str) -> dict[str, Any]:
    return tomllib.loads((HERE / f"matrix/{client}.toml").read_text(encoding="utf-8"))


def passing(client: str, chosen: set[str] | None = None) -> list[Any]:
    rows = matrix(client)["commands"].items()
    wanted = [name for name, row in rows if isinstance(row, list) and (chosen is None or name in chosen)]
    return [pytest.param(client, name, id=f"{client} {name}") for name in wanted]


def check(clients: Clients, client: str, name: str) -> None:
    row = matrix(client)["commands"][name]
    names = clients.prepared(artifacts_of(row))
    told, *command = [part.format(**names) for part in row]
    if name == "status":
        assert clients.run(client, "use", names["nb"]).returncode == 0
    before = state(clients.place, names["nb"])
    done = clients.run(client, *command)
    assert done.returncode == 0, done.stdout + done.stderr
    assert told
    assert told in done.stdout + done.stderr
    if name.startswith("download") and name.endswith("video"):
        check_video(Path(names["out"]))
    after = state(clients.place, names["nb"])
    stated = [line.format(**names) for line in matrix(client)["changes"].get(name, [])]
    assert changes(before, after, names["nb"]) == stated


def artifacts_of(row: list[str]) -> set[str]:
    """The artifacts that a command needs: those that it names, and what it downloads."""
    named = {name for part in row for name in re.findall(r"{(\w+)}", part)} & {*ARTIFACTS, "failed"}
    if row[1] == "download":
        wanted = row[2].removeprefix("cinematic-")
        named |= {kind for kind in ARTIFACTS if wanted in (kind.replace("_", "-"), "all")}
    return named


def check_video(path: Path) -> None:
    """A file that was fetched has moving pictures, sound and subtitles to its end."""
    with av.open(str(path)) as file:
        assert [stream.type for stream in file.streams][:3] == ["video", "audio", "subtitle"]
        assert file.duration is not None
        seconds = file.duration / 1e6
        pictures = [frame.to_ndarray(format="gray").std() for frame in file.decode(video=0)]
    assert len(pictures) == pytest.approx(25 * seconds, abs=10)
    assert seconds > 5
    assert max(pictures) > 10


SHORT_PY = {"source add", "ask", "label generate", "share add"}
SHORT_NLM = {"source add", "query notebook", "source sync", "label list", "share public"}


@pytest.mark.parametrize(("client", "name"), passing("notebooklm-py", SHORT_PY) + passing("nlm", SHORT_NLM))
def test_a_few_commands_of_each_client_work(clients: Clients, client: str, name: str) -> None:
    check(clients, client, name)


@pytest.mark.long
@pytest.mark.timeout(3 * SECONDS)
@pytest.mark.parametrize(("client", "name"), passing("notebooklm-py") + passing("nlm"))
def test_every_command_that_needs_only_what_exists_works(clients: Clients, client: str, name: str) -> None:
    check(clients, client, name)


QUESTION = "How tall is a standard apple tree?"
FIRST = {
    "notebooklm-py": [["ask", QUESTION, "-n", "{fresh}"]],
    "nlm": [
        ["notebook", "query", "{fresh}", QUESTION],
        ["query", "notebook", "{fresh}", QUESTION],
        ["cross", "query", QUESTION, "--notebooks", "{fresh}"],
        ["batch", "query", QUESTION, "--notebooks", "{fresh}"],
    ],
}


@pytest.mark.parametrize(
    ("client", "command"),
    [
        pytest.param(client, command, marks=[pytest.mark.long] if number else [])
        for client, commands in FIRST.items()
        for number, command in enumerate(commands)
    ],
)
def test_the_first_question_in_a_notebook_is_answered(clients: Clients, client: str, command: list[str]) -> None:
    library = clients.place.server.library

    async def fresh() -> str:
        notebook = await library.notebooks.create("Fresh")
        await library.sources.add_text(notebook.id, "Apples", APPLES)
        return str(notebook.id)

    notebook = clients.place.server.run(fresh())
    done = clients.run(client, *[part.format(fresh=notebook) for part in command])
    assert done.returncode == 0, done.stdout + done.stderr
    assert "two to four" in done.stdout, done.stdout
    (talk,) = clients.place.server.run(library.chat.list_conversations(notebook)).items
    assert talk.turns == 1


def test_every_method_of_the_python_api_that_needs_only_what_exists_works(clients: Clients) -> None:
    went = clients.printed("notebooklm-py", "py_round.py", clients.page, str(clients.file()))
    wanted = {name for name, row in matrix("notebooklm-py")["methods"].items() if row == "pass" and not of_studio(name)}
    assert {name: said for name, said in went.items() if said != "pass"} == {}
    assert set(went) == wanted


def of_studio(name: str) -> bool:
    return name.startswith(("artifacts.", "mind_maps.")) or name == "notes.delete_mind_map"


@pytest.mark.long
def test_every_method_of_the_python_api_that_makes_artifacts_works(clients: Clients, tmp_path: Path) -> None:
    names = clients.prepared({"failed"})
    went = clients.printed("notebooklm-py", "py_studio.py", names["nb"], names["other"], names["failed"], str(tmp_path))
    wanted = {name for name, row in matrix("notebooklm-py")["methods"].items() if row == "pass" and of_studio(name)}
    assert {name: said for name, said in went.items() if said != "pass"} == {}
    assert set(went) == wanted


@pytest.mark.parametrize("client", PROGRAMS)
def test_the_matrix_names_every_command_and_no_other(clients: Clients, client: str) -> None:
    script = "py_commands.py" if client == "notebooklm-py" else "nlm_commands.py"
    real = clients.printed(client, script)
    rows = matrix(client)
    assert sorted(rows["commands"]) == real["commands"]
    named = rows.get("methods", {})
    whole = {name for name in named if "." not in name}
    assert {method.partition(".")[0] for method in real.get("methods", [])} >= whole
    left = [method for method in real.get("methods", []) if method.partition(".")[0] not in whole]
    assert sorted(name for name in named if "." in name) == sorted(left)


def test_every_row_passes_fails_by_what_is_missing_or_says_why_it_does_not_apply() -> None:
    for client in PROGRAMS:
        found = matrix(client)
        rows = found["commands"]
        assert found["changes"].keys() <= {name for name, row in rows.items() if not isinstance(row, str)}
        for name, row in rows.items():
            if isinstance(row, dict):
                assert row.keys() - {"run", "says", "ends"} == {"never"}, name
            elif isinstance(row, list):
                assert len(row[0]) > 1 or client == "notebooklm-py", name
            else:
                assert row.startswith("n/a: "), name
        for name, row in found.get("methods", {}).items():
            assert row == "pass" or row.startswith("n/a: "), name


def check_failures(clients: Clients, client: str, chosen: set[str] | None = None) -> None:
    """What needs something that is missing fails, says so, and changes no more than the matrix states."""
    rows = {
        name: row
        for name, row in matrix(client)["commands"].items()
        if isinstance(row, dict) and (chosen is None or name in chosen)
    }
    assert rows
    names = clients.prepared({kind for row in rows.values() for kind in artifacts_of(["", *row["run"]])} - {"failed"})
    commands = {name: [part.format(**names) for part in row["run"]] for name, row in rows.items()}
    before = state(clients.place, names["nb"])
    ended = clients.printed(
        client, "run_commands.py", str(clients.written("commands.json", json.dumps(commands, ensure_ascii=False)))
    )
    wrong = {
        name: said
        for name, (code, said) in ended.items()
        if code != rows[name].get("ends", 1) or rows[name].get("says", "supported by Quire") not in said
    }
    assert wrong == {}
    assert ended.keys() == rows.keys()
    stated = [line.format(**names) for name in rows for line in matrix(client)["changes"].get(name, [])]
    assert changes(before, state(clients.place, names["nb"]), names["nb"]) == sorted(stated)


TOLERANT = {
    "notebooklm-py": {"collection create"},
    "nlm": {"report get"},
}


@pytest.mark.parametrize("client", PROGRAMS)
def test_what_clients_would_take_for_success_fails_and_says_that_it_is_not_supported(
    clients: Clients, client: str
) -> None:
    check_failures(clients, client, TOLERANT[client])


@pytest.mark.long
@pytest.mark.parametrize("client", PROGRAMS)
def test_every_command_that_needs_what_is_missing_fails_and_says_so(clients: Clients, client: str) -> None:
    check_failures(clients, client)
