"""The server: NotebookLM's methods on a local library, and all that can be wrong with a call."""

from __future__ import annotations

import json
import logging
import re
import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from dict_engine import INBOX, DictEngine, builder
from quire.domain.sharing import Actor, Role
from quire.local.people import add_person
from quire.notebooklm.codes import NoteKind, Permission, ViewLevel
from quire.notebooklm.envelope import MOST_BYTES, StatusLine, call_body, lines, reply_to
from quire.notebooklm.methods import BY_NAME, METHODS
from quire.notebooklm.replay import BATCH_PATH
from quire.notebooklm.server import HANDLERS
from quire.notebooklm.sessions import proxy_key
from quire.ports.machine import Purpose
from serving import WAIT_SECONDS, served
from through_proxy import APP, Proxied, Speaker, proxied, proxy_before

PAGE = "/notebook/{}"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxied]:
    with proxied(tmp_path_factory.mktemp("home")) as made:
        yield made


@pytest.fixture
def client(place: Proxied) -> Speaker:
    return place.speaker()


def test_a_notebook_is_made_listed_renamed_and_deleted(client: Speaker) -> None:
    made = client.call("CREATE_NOTEBOOK", title="Orchard")
    assert (made.title, made.role) == ("Orchard", Permission.OWNER)
    assert made.id in [notebook.id for notebook in client.call("LIST_NOTEBOOKS")]
    client.call("RENAME_NOTEBOOK", notebook_id=made.id, title="Garden")
    assert client.call("GET_NOTEBOOK", notebook_id=made.id).title == "Garden"
    client.call("REMOVE_RECENTLY_VIEWED", notebook_id=made.id)
    client.call("DELETE_NOTEBOOK", notebook_id=made.id)
    assert client.status("GET_NOTEBOOK", notebook_id=made.id) == 5


def test_a_note_is_made_filled_listed_and_deleted(client: Speaker) -> None:
    notebook = client.call("CREATE_NOTEBOOK", title="Notes").id
    note = client.call("CREATE_NOTE", notebook_id=notebook)
    assert (note.title, note.content, note.kind) == ("New Note", "", NoteKind.WRITTEN)
    client.call("UPDATE_NOTE", notebook_id=notebook, note_id=note.id, content="Words", title="T")
    (found,) = client.call("GET_NOTES_AND_MIND_MAPS", notebook_id=notebook).notes
    assert (found.id, found.title, found.content) == (note.id, "T", "Words")
    client.call("UPDATE_NOTE", notebook_id=notebook, note_id=note.id, content="More", title="")
    (found,) = client.call("GET_NOTES_AND_MIND_MAPS", notebook_id=notebook).notes
    assert (found.title, found.content) == ("T", "More")
    client.call("DELETE_NOTE", notebook_id=notebook, note_ids=(note.id,))
    (left,) = client.call("GET_NOTES_AND_MIND_MAPS", notebook_id=notebook).notes
    assert (left.id, left.content, left.deleted) == (note.id, None, True)
    listed = client.post("cFji9", BY_NAME["GET_NOTES_AND_MIND_MAPS"].encode_request({"notebook_id": notebook}))
    assert reply_to("cFji9", listed.text).result[0] == [[note.id, None, 2]]
    assert client.status("DELETE_NOTE", notebook_id=notebook, note_ids=(note.id,)) == 5


def test_another_engine_is_served_as_far_as_it_goes(tmp_path: Path) -> None:
    engine = DictEngine()
    with (
        served(tmp_path / "home", build=builder(engine)) as server,
        proxy_before(server.url, tmp_path, proxy_key(engine.signer)) as port,
        ExitStack() as clients,
    ):
        client = Proxied(server, port, tmp_path, clients).speaker()
        notebook = client.call("CREATE_NOTEBOOK", title="Orchard").id
        client.call("RENAME_NOTEBOOK", notebook_id=notebook, title="Garden")
        assert client.call("GET_NOTEBOOK", notebook_id=notebook).title == "Garden"
        note = client.call("CREATE_NOTE", notebook_id=notebook)
        client.call("UPDATE_NOTE", notebook_id=notebook, note_id=note.id, content="Words", title="T")
        (found,) = client.call("GET_NOTES_AND_MIND_MAPS", notebook_id=notebook).notes
        assert (found.id, found.title, found.content) == (note.id, "T", "Words")
        client.call("DELETE_NOTE", notebook_id=notebook, note_ids=(note.id,))
        assert client.call("GET_NOTES_AND_MIND_MAPS", notebook_id=notebook).notes == ()
        assert client.status("SUMMARIZE", notebook_id=notebook) == 12
        client.call("DELETE_NOTEBOOK", notebook_id=notebook)
        assert set(engine.drawer.notebooks) == {INBOX}
        assert client.status("GET_NOTEBOOK", notebook_id=notebook) == 5


def test_an_emoji_is_set_changed_with_the_title_and_taken_away(client: Speaker) -> None:
    notebook = client.call("CREATE_NOTEBOOK", title="Plain").id
    client.call("RENAME_NOTEBOOK", notebook_id=notebook, emoji="\N{RED APPLE}")
    row = client.call("GET_NOTEBOOK", notebook_id=notebook)
    assert (row.title, row.emoji) == ("Plain", "\N{RED APPLE}")
    client.call("RENAME_NOTEBOOK", notebook_id=notebook, emoji="\N{PEAR}", title="Pears")
    (listed,) = [row for row in client.call("LIST_NOTEBOOKS") if row.id == notebook]
    assert (listed.title, listed.emoji) == ("Pears", "\N{PEAR}")
    client.call("RENAME_NOTEBOOK", notebook_id=notebook, emoji="")
    assert client.call("GET_NOTEBOOK", notebook_id=notebook).emoji is None
    assert client.status("RENAME_NOTEBOOK", notebook_id=notebook, emoji="\N{PEAR}", title=" ") == 3
    assert client.status("RENAME_NOTEBOOK", notebook_id=notebook, emoji="x" * 100) == 3
    assert client.call("GET_NOTEBOOK", notebook_id=notebook).emoji is None


def test_a_note_of_another_notebook_is_not_found(client: Speaker) -> None:
    one, two = (client.call("CREATE_NOTEBOOK", title=title).id for title in ("One", "Two"))
    note = client.call("CREATE_NOTE", notebook_id=one)
    assert client.status("UPDATE_NOTE", notebook_id=two, note_id=note.id, content="x", title="y") == 5


MISSING = sorted(method.id for method in METHODS.values() if method.name not in HANDLERS)


@pytest.mark.parametrize("rpc_id", [*MISSING, "zzzzzz"])
def test_a_method_that_is_missing_is_refused_so_that_no_client_takes_it_for_done(client: Speaker, rpc_id: str) -> None:
    """One client raises for `er`, whatever else it would tolerate; the other shows the kind of the status's detail."""
    answer = client.post(rpc_id, [])
    assert answer.status_code == 200
    items = [item for item in lines(answer.text) if item[0] in ("wrb.fr", "er")]
    words = items[1][2]
    assert words.endswith((" is not supported by Quire yet.", " is not supported by Quire."))
    assert items == [
        ["wrb.fr", rpc_id, None, None, None, [12, words, [[words.rstrip(".")]]], "generic"],
        ["er", rpc_id, words, None, None, 12, "generic"],
    ]
    assert reply_to(rpc_id, answer.text).status == StatusLine(12, words)


def test_a_view_level_is_set_beside_a_title_and_an_emoji(client: Speaker) -> None:
    notebook = client.call("CREATE_NOTEBOOK", title="Plain").id
    level = {"view_level": ViewLevel.CHAT_ONLY, "title": "Apple", "emoji": "\N{RED APPLE}"}
    client.call("RENAME_NOTEBOOK", notebook_id=notebook, **level)
    row = client.call("GET_NOTEBOOK", notebook_id=notebook)
    assert (row.title, row.emoji) == ("Apple", "\N{RED APPLE}")


def test_parameters_that_do_not_fit_are_an_invalid_argument(client: Speaker) -> None:
    for params in ([7], None, {}, "text", [[]]):
        assert ',[3,"The parameters do not fit' in client.post("rLM1Ne", params).text
    inbox = client.call("LIST_NOTEBOOKS")[-1].id
    assert client.status("DELETE_NOTEBOOK", notebook_id=inbox) == 3


def test_who_has_no_role_is_told_not_found_and_who_may_only_read_is_denied(place: Proxied, client: Speaker) -> None:
    library = place.server.library
    someone = Actor(id="ann", name="Ann")

    async def prepared() -> tuple[str, str]:
        at = library.engine.parts.clock.now()
        await library.engine.system.write(lambda tx: add_person(tx, "ann", "Ann", None, at))
        theirs = await library.as_actor(someone).notebooks.create("Theirs")
        shared = await library.as_actor(someone).notebooks.create("Shared")
        await library.engine.system.write(
            lambda tx: tx.run("insert_member", notebook_id=shared.id, person_id="owner", role=int(Role.VIEWER))
        )
        return theirs.id, shared.id

    theirs, shared = place.server.run(prepared())
    assert client.status("GET_NOTEBOOK", notebook_id=theirs) == 5
    row = client.call("GET_NOTEBOOK", notebook_id=shared)
    assert (row.role, row.shared) == (Permission.VIEWER, True)
    assert client.status("RENAME_NOTEBOOK", notebook_id=shared, title="Mine") == 7


def test_a_call_without_its_token_is_a_bad_request(client: Speaker) -> None:
    for token in ("", "wrong", "x" * 40):
        assert client.post("wXbhsf", [None, 1], token=token).status_code == 400


@pytest.mark.parametrize(
    "body", [b"", b"at=x", b"f.req=%5B%5D", b"f.req=nonsense&at=x", b"\xff", b"f.req=" + b"%5B" * 9000]
)
def test_a_malformed_call_is_a_bad_request(client: Speaker, body: bytes) -> None:
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    assert client.http.post(BATCH_PATH, content=body, headers=headers).status_code == 400


def test_the_address_and_the_call_must_agree(client: Speaker) -> None:
    body = call_body("wXbhsf", [None, 1], client.token)
    assert client.http.post(f"{BATCH_PATH}?rpcids=rLM1Ne", content=body).status_code == 400


def test_an_expired_session_is_led_to_the_sign_in_page(place: Proxied) -> None:
    expired = place.server.library.engine.signer.sign(Purpose.WIRE_SESSION, {}, -1)
    other = place.server.library.engine.signer.sign(Purpose.PAGE_SESSION, {"session": "owner"}, 60)
    for session in (None, expired, other, "nonsense"):
        with place.client(session=session) as client:
            answer = client.get(APP)
            assert (answer.status_code, answer.headers["location"]) == (302, "https://accounts.google.com/ServiceLogin")
            assert client.get(answer.headers["location"]).status_code == 200
            assert client.post(APP + BATCH_PATH, content=b"f.req=x").status_code == 401


def test_cookies_are_rotated_by_an_empty_promise(place: Proxied) -> None:
    with place.client() as client:
        answer = client.post("https://accounts.google.com/RotateCookies", content=b'[000,"-0000000000000000000"]')
    assert (answer.status_code, answer.text) == (200, '["identity.hfcr",600]')


def test_a_body_that_is_announced_as_too_large_is_not_even_read(place: Proxied, client: Speaker) -> None:
    host = "notebooklm.google.com"
    head = f"POST {BATCH_PATH} HTTP/1.1\r\nHost: {host}\r\nCookie: SID={client.session}\r\n"
    head += f"Content-Length: {MOST_BYTES + 1}\r\n\r\n"
    context = ssl.create_default_context(cafile=str(place.authority))
    with socket.create_connection(("127.0.0.1", place.port), timeout=WAIT_SECONDS) as plain:
        plain.sendall(f"CONNECT {host}:443 HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        assert plain.recv(4096).startswith(b"HTTP/1.1 200 ")
        with context.wrap_socket(plain, server_hostname=host) as connection:
            connection.sendall(head.encode())
            assert connection.recv(4096).startswith(b"HTTP/1.1 413 ")


@pytest.mark.long
def test_bodies_of_fifty_mebibytes_are_taken_and_larger_ones_refused(client: Speaker) -> None:
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    start = call_body("wXbhsf", [None, 1], client.token).encode()
    full = start + b"x=" + b"y" * (MOST_BYTES - len(start) - 2)
    assert client.http.post(BATCH_PATH, content=full, headers=headers).status_code == 200
    assert client.http.post(BATCH_PATH, content=full + b"y", headers=headers).status_code == 413


def test_other_pages_are_not_there(client: Speaker) -> None:
    assert client.http.get("/api/note/list").status_code == 404
    assert client.http.put("/").status_code == 404


def test_no_token_key_or_session_is_told_anywhere(
    place: Proxied, client: Speaker, caplog: pytest.LogCaptureFixture
) -> None:
    """Everything is logged, and every kind of answer is read; secrets stand only where the client needs them."""
    signer = place.server.library.engine.signer
    caplog.set_level(logging.DEBUG)
    answers = [
        client.post("zzzzzz", []).text,
        client.post("rLM1Ne", ["missing"]).text,
        client.post("wXbhsf", [None, 1], token="wrong").text,
        client.http.get("/nowhere").text,
        client.http.get("https://accounts.google.com/").text,
    ]
    with place.client(session="expired") as stranger:
        answers.append(stranger.get(APP).text)
    told = "\n".join(answers) + "\n".join(json.dumps(record.__dict__, default=str) for record in caplog.records)
    told += repr(place.sessions) + repr(place.server.library) + repr(certificates_of(place))
    from quire.notebooklm.sessions import proxy_key

    key = (place.home / "tls/front.key").read_text().splitlines()[1]
    for secret in (client.token, client.session, proxy_key(signer), (place.home / "secret").read_bytes().hex(), key):
        assert secret not in told
    assert re.search(re.escape(client.token), client.http.get("/").text)


def certificates_of(place: Proxied) -> object:
    from quire.notebooklm.certificates import certificates

    return certificates(place.home / "tls")


def test_the_page_names_the_tokens_once_and_is_not_kept(client: Speaker) -> None:
    page = client.http.get("/notebook/anything")
    assert page.text.count(client.token) == 1
    assert page.headers["cache-control"] == "no-store"
    assert isinstance(place_of(page.text), dict)


def place_of(text: str) -> dict[str, str]:
    found: dict[str, str] = json.loads(text.split("WIZ_global_data = ")[1].split(";</script>")[0])
    return found


def test_a_home_with_a_token_still_takes_the_proxys_clients_as_its_owner(tmp_path: Path) -> None:
    with proxied(tmp_path, token="a-very-long-token") as made:
        assert [notebook.title for notebook in made.speaker().call("LIST_NOTEBOOKS")] == ["Inbox"]
