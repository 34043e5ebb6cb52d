"""Two people with clients of NotebookLM's on one server: who they are, what is theirs, and when it ends."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from real_clients import MISSING, PROGRAMS, environment, started

from quire.entry.cli import main
from quire.entry.token_file import TokenFile
from quire.notebooklm.codes import Permission
from quire.notebooklm.methods.labels import COLLECTION, NewLabel
from quire.notebooklm.methods.sharing import Grant, Share
from through_proxy import Proxied, proxied

HONEY = "Bees keep honey in the hive."


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxied]:
    """A server on which everyone must sign in."""
    with proxied(tmp_path_factory.mktemp("home"), token="the-owners-own-token", embedder="none") as made:
        yield made


def token_of(place: Proxied, name: str) -> tuple[str, str]:
    """Somebody new: a token of theirs, and its id."""
    people, run = place.server.library.people, place.server.run
    run(people.add(name.title(), f"{name}@example.com"))
    made = run(people.create_token(f"{name}@example.com"))
    return made.token, made.id


def test_each_person_sees_and_changes_their_own_and_what_is_shared(place: Proxied) -> None:
    (ada_token, _), (ben_token, _) = token_of(place, "ada"), token_of(place, "ben")
    ada, ben, owner = place.speaker(ada_token), place.speaker(ben_token), place.speaker()
    notebook = ada.call("CREATE_NOTEBOOK", title="Bees").id
    assert [row.id for row in ada.call("LIST_NOTEBOOKS") if row.title == "Bees"] == [notebook]
    for other in (ben, owner):
        assert "Bees" not in [row.title for row in other.call("LIST_NOTEBOOKS")]
        assert other.status("GET_NOTEBOOK", notebook_id=notebook) == 5
        assert other.status("RENAME_NOTEBOOK", notebook_id=notebook, title="Mine") == 5
        assert other.status("GET_SHARE_STATUS", notebook_id=notebook) == 5
    ada.call("CREATE_NOTE", notebook_id=notebook, title="Flights", content="")
    shared = {"shares": (Share(notebook, (Grant("ben@example.com", Permission.VIEWER),), None, 0, ""),)}
    assert ben.status("SHARE_NOTEBOOK", **shared) == 5
    ada.call("SHARE_NOTEBOOK", **shared)
    assert ben.call("GET_NOTEBOOK", notebook_id=notebook).title == "Bees"
    assert ben.status("RENAME_NOTEBOOK", notebook_id=notebook, title="Mine") == 7
    assert ben.status("CREATE_NOTE", notebook_id=notebook, title="Mine", content="") == 7
    talks = [one.call("GET_LAST_CONVERSATION_ID", notebook_id=notebook) for one in (ada, ben)]
    assert talks[0] != talks[1]
    ada.call("CREATE_LABEL", type=COLLECTION, labels=(NewLabel("Shelf"),))
    assert ben.call("LIST_LABELS", type=COLLECTION) == ()


@pytest.mark.parametrize("how", ["revoked", "removed"])
def test_a_token_that_ends_is_no_session_any_more(place: Proxied, how: str) -> None:
    name = f"kim-{how}"
    token, id = token_of(place, name)
    kim = place.speaker(token)
    assert kim.call("LIST_NOTEBOOKS")
    people = place.server.library.people
    ending = people.revoke_token(id) if how == "revoked" else people.remove(f"{name}@example.com")
    place.server.run(ending)
    assert kim.post("wXbhsf", [None, 1]).status_code == 401
    page = kim.http.get("/", follow_redirects=False)
    assert (page.status_code, "accounts.google.com" in page.headers["location"]) == (302, True)


def test_the_proxys_sessions_are_made_of_tokens_that_hold_only(place: Proxied) -> None:
    for wrong in ("quire_made-up", "quire_", "none", "the-owners-own-token"):
        guesser = place.client(session=wrong, base_url="https://notebooklm.google.com")
        assert guesser.post("/_/LabsTailwindUi/data/batchexecute", content=b"").status_code in (401, 429)


def test_wrong_tokens_are_counted_on_the_wire_too(tmp_path: Path) -> None:
    with proxied(tmp_path, embedder="none") as place:
        answers = []
        for number in range(12):
            guesser = place.client(session=f"quire_{number}", base_url="https://notebooklm.google.com")
            answers.append(guesser.post("/_/LabsTailwindUi/data/batchexecute", content=b"").status_code)
        assert (answers[0], answers[-1]) == (401, 429)
        assert place.speaker().call("LIST_NOTEBOOKS")


def test_proxy_env_signs_in_whoever_has_a_token(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    home = ["--home", str(tmp_path), "--json"]

    def printed(*line: str) -> Any:
        code = main([*home, *line])
        told = capsysbinary.readouterr()
        assert code == 0, told.err
        return json.loads(told.out)

    printed("person", "add", "Ada", "ada@example.com")
    token = printed("person", "token", "ada@example.com")["token"]
    mine, owners = printed("proxy", "env", "--token", token), printed("proxy", "env")
    assert mine["NOTEBOOKLM_HOME"] != owners["NOTEBOOKLM_HOME"]
    state = Path(mine["NOTEBOOKLM_HOME"], "profiles/default/storage_state.json")
    cookies = {one["name"]: one["value"] for one in json.loads(state.read_text())["cookies"]}
    assert cookies["SID"] == token
    assert state.stat().st_mode & 0o777 == 0o600
    assert main([*home, "proxy", "env", "--token", TokenFile(tmp_path).current()]) == 2
    assert b"no token of a person" in capsysbinary.readouterr().err


@pytest.mark.skipif(MISSING, reason="scripts/setup test did not run")
@pytest.mark.long
@pytest.mark.parametrize("client", PROGRAMS)
def test_the_real_clients_are_who_their_token_says(place: Proxied, tmp_path: Path, client: str) -> None:
    library, run = place.server.library, place.server.run
    tokens = {name: token_of(place, f"{name}-{client}")[0] for name in ("ann", "bob")}
    variables = {
        name: environment(tmp_path / name, place.port, place.authority, token) for name, token in tokens.items()
    }

    def ended(name: str, *command: str) -> str:
        (tmp_path / name).mkdir(exist_ok=True)
        done = started(variables[name], tmp_path / name, client, PROGRAMS[client], *command)
        return done.stdout + done.stderr

    made = ["notebook", "create", "Orchard"] if client == "nlm" else ["create", "Orchard"]
    listed = ["notebook", "list", "--json"] if client == "nlm" else ["list", "--json"]
    assert "Orchard" in ended("ann", *made)
    assert "Orchard" in ended("ann", *listed)
    assert "Orchard" not in ended("bob", *listed)
    assert "Orchard" not in [one.title for one in run(library.notebooks.list())]
    ann = run(library.people.get(f"ann-{client}@example.com"))
    theirs = library.as_actor(ann)
    notebook = next(one.id for one in run(theirs.notebooks.list()) if one.title == "Orchard")
    invite = (
        ["share", "invite", notebook, f"bob-{client}@example.com"]
        if client == "nlm"
        else ["share", "add", f"bob-{client}@example.com", "-n", notebook]
    )
    assert "bob" in ended("ann", *invite)
    assert "Orchard" in ended("bob", *listed)
    run(library.people.remove(f"bob-{client}@example.com"))
    assert "Orchard" not in ended("bob", *listed)
