"""Two people on one server, over HTTP, MCP and the page: what is each one's own, and what ends with a token."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from quire.domain.sharing import hash_of
from quire.entry.mcp import http_door
from serving import Served, served, until

OWNERS = "the-owners-own-token"
HONEY = "Bees keep honey in the hive."
MCP_HEADERS = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}
INITIALIZE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "two", "version": "1"}}


class Somebody:
    """A person with a token, and every door of the server as they come in through it."""

    def __init__(self, server: Served, name: str) -> None:
        self.server = server
        self.email = f"{name}@example.com"
        people = server.library.people
        self.id = server.run(people.add(name.title(), self.email)).id
        made = server.run(people.create_token(self.email, name))
        self.token_id, self.token = made.id, made.token
        self.http = server.client(headers={"Authorization": f"Bearer {self.token}"})
        self.page = server.client(headers={"Accept": "text/html"}, follow_redirects=True)
        self.page.post("/sign-in", data={"token": self.token})
        self._session: dict[str, str] = {}

    def get(self, route: str, **query: Any) -> Any:
        return self.http.get(f"/api/{route}", params=query).json()

    def post(self, route: str, **body: Any) -> Any:
        return self.http.post(f"/api/{route}", json=body).json()

    def rpc(self, method: str, **params: Any) -> httpx.Response:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        return self.http.post("/mcp", headers=MCP_HEADERS | self._session, json=message)

    def session(self) -> dict[str, str]:
        if not self._session:
            self._session = {"Mcp-Session-Id": self.rpc("initialize", **INITIALIZE).headers["mcp-session-id"]}
            told = {"jsonrpc": "2.0", "method": "notifications/initialized"}
            self.http.post("/mcp", headers=MCP_HEADERS | self._session, json=told)
        return MCP_HEADERS | self._session

    def tool(self, name: str, /, **arguments: Any) -> Any:
        self.session()
        return self.rpc("tools/call", name=name, arguments=arguments).json()["result"]

    def close(self) -> None:
        self.http.close()
        self.page.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    home = tmp_path_factory.mktemp("two") / "home"
    with served(home, http_door, token=OWNERS, toolsets="all", embedder="none") as running:
        yield running


@pytest.fixture(scope="module")
def ada(server: Served) -> Iterator[Somebody]:
    somebody = Somebody(server, "ada")
    yield somebody
    somebody.close()


@pytest.fixture(scope="module")
def ben(server: Served) -> Iterator[Somebody]:
    somebody = Somebody(server, "ben")
    yield somebody
    somebody.close()


@pytest.fixture(scope="module")
def bees(ada: Somebody, ben: Somebody) -> str:
    """A notebook of Ada's that Ben may read."""
    id: str = ada.post("notebook/create", title="Bees")["id"]
    ada.post("source/add", notebook_id=id, source_type="text", text=HONEY, title="Hives")
    ada.post("share/add", notebook_id=id, email=ben.email, welcome_message="Look")
    return id


def test_a_private_notebook_is_found_by_nobody_else_through_any_door(ada: Somebody, ben: Somebody) -> None:
    id = ada.post("notebook/create", title="Secret garden")["id"]
    assert ben.http.get("/api/notebook/get", params={"notebook_id": id}).status_code == 404
    assert "Secret" not in str(ben.get("notebook/list"))
    told = ben.tool("get_notebook", notebook_id=id)
    assert told["isError"]
    assert "NOT_FOUND" in told["content"][0]["text"]
    assert "Secret" not in str(ben.tool("list_notebooks"))
    page = ben.page.get(f"/notebooks/{id}")
    assert (page.status_code, "Secret" in page.text) == (404, False)
    assert "Secret" not in ben.page.get("/").text
    assert "Secret" in ada.page.get("/").text


def test_conversations_are_each_ones_own_through_every_door(ada: Somebody, ben: Somebody, bees: str) -> None:
    mine = ada.post("chat/ask", notebook_id=bees, question="Where do bees keep honey, says Ada?")
    yours = ben.tool("ask", notebook_id=bees, question="Where do bees keep honey, says Ben?")
    assert not yours["isError"], yours
    for one, other, said in ((ada, "says Ben", "says Ada"), (ben, "says Ada", "says Ben")):
        talks = one.get("chat/conversations", notebook_id=bees)
        assert said in str(talks)
        assert other not in str(talks)
        shown = one.page.get(f"/notebooks/{bees}").text
        assert said in shown
        assert other not in shown
        listed = str(one.tool("list_conversations", notebook_id=bees))
        assert said in listed
        assert other not in listed
    hidden = {"conversation_id": mine["conversation_id"]}
    assert ben.http.get("/api/chat/history", params=hidden).status_code == 404
    assert ben.tool("get_history", **hidden)["isError"]
    assert ben.page.get(f"/notebooks/{bees}", params={"conversation": mine["conversation_id"]}).status_code == 404


def test_overlays_collections_and_scratch_notebooks_are_each_ones_own(ada: Somebody, ben: Somebody) -> None:
    book = ada.post("book/create", book_id="two-readers", title="Two readers")
    ada.post("book/update", book_id="two-readers", overlays=True)
    ada.post("book/write", book_id="two-readers", path="lessons/one.md", content="# One\n")
    ada.post("share/add", notebook_id=book["notebook_id"], email=ben.email)
    for one in (ada, ben):
        one.post("book/write-overlay", book_id="two-readers", path="lessons/one.md", content=f"# Of {one.email}\n")
        one.tool("create_collection", name=f"Shelf of {one.email}")
        one.tool("create_scratch", title=f"Scratch of {one.email}")
    for one, other in ((ada, ben), (ben, ada)):
        lesson = {"book_id": "two-readers", "path": "lessons/one.md", "overlay": True}
        assert one.get("book/read", **lesson)["content"] == f"# Of {one.email}\n"
        assert f"# Of {one.email}" in str(one.tool("read_content", **lesson))
        for told in (
            one.tool("list_overlays", book_id="two-readers"),
            one.get("collection/list"),
            one.tool("list_scratch"),
            one.get("job/list"),
        ):
            assert other.email not in str(told)
        assert one.email in str(one.get("collection/list"))
        assert one.email in str(one.tool("list_scratch"))
    theirs = ben.get("collection/list")["items"][0]["id"]
    assert ada.http.get("/api/collection/get", params={"collection_id": theirs}).status_code == 404


def test_settings_are_each_ones_own(ada: Somebody, ben: Somebody) -> None:
    ada.post("setting/set-language", language="fr")
    ben.tool("set_output_language", language="de")
    assert "fr" in str(ada.tool("get_output_language"))
    assert ada.get("setting/language") != ben.get("setting/language")


def test_who_may_only_chat_asks_on_the_page_and_sees_no_sources(server: Served, ada: Somebody) -> None:
    eve = Somebody(server, "eve")
    id = ada.post("notebook/create", title="Closed hive")["id"]
    ada.post("source/add", notebook_id=id, source_type="text", text=HONEY, title="The hidden source")
    ada.post("note/add", notebook_id=id, title="A hidden note", content="")
    ada.post("share/view", notebook_id=id, level="chat")
    ada.post("share/public", notebook_id=id)
    shown = eve.page.get(f"/notebooks/{id}")
    assert shown.status_code == 200
    assert "hidden" not in shown.text.replace(" hidden>", "").replace(' hidden"', "").replace(' type="hidden"', "")
    assert f'action="/notebooks/{id}/ask"' in shown.text
    asked = eve.page.post(f"/notebooks/{id}/ask", data={"question": "Where do bees keep honey?"})
    assert "in the hive" in asked.text
    cited = eve.page.get(f"/notebooks/{id}").text.partition(f'href="/notebooks/{id}/answers/')[2].partition("#")[0]
    passage = eve.page.get(f"/notebooks/{id}/answers/{cited}")
    assert (passage.status_code, "only chat" in passage.text) == (200, True)
    assert eve.http.get("/api/source/list", params={"notebook_id": id}).status_code == 403
    assert "Closed hive" in str(eve.get("notebook/list"))
    own = eve.post("notebook/create", title="Open hive")["id"]
    eve.post("source/add", notebook_id=own, source_type="text", text=HONEY, title="My source")
    assert not eve.tool("get_source", source_id="My source")["isError"]
    assert eve.tool("get_source", source_id="The hidden source")["isError"]
    eve.close()


def test_only_the_owner_is_shown_the_command_that_acts_as_the_owner(server: Served, ada: Somebody) -> None:
    seen = ada.page.get("/").text
    assert "QUIRE_HOME" not in seen
    assert str(server.home) not in seen
    assert "/mcp" in seen


def test_a_notebook_is_shared_and_left_on_the_page(server: Served, ada: Somebody) -> None:
    fay = Somebody(server, "fay")
    id = ada.post("notebook/create", title="Shared on the page")["id"]
    assert 'aria-label="Share notebook"' in ada.page.get(f"/notebooks/{id}").text
    form = {"email": fay.email.upper(), "permission": "editor", "message": "Welcome, <b>Fay</b>"}
    shared = ada.page.post(f"/notebooks/{id}/share", data=form)
    assert (shared.status_code, fay.email in shared.text) == (200, True)
    assert "Make viewer" in shared.text
    opened = fay.page.get(f"/notebooks/{id}").text
    assert "Welcome, &lt;b&gt;Fay&lt;/b&gt;" in opened
    seen = fay.page.get(f"/notebooks/{id}/share")
    assert (seen.status_code, ada.email in seen.text, "<form" in seen.text.partition("<main")[2]) == (200, True, False)
    assert fay.page.post(f"/notebooks/{id}/share", data={"email": "eve@example.com"}).status_code == 403
    wrong = ada.page.post(f"/notebooks/{id}/share", data={"email": "no address", "message": "Hello"})
    assert (wrong.status_code, 'role="alert">Is not an e-mail' in wrong.text, 'value="Hello"' in wrong.text) == (
        422,
        True,
        True,
    )
    linked = ada.page.post(f"/notebooks/{id}/share/link", data={"public": "yes", "level": "chat"})
    assert linked.text.count(" checked") == 2
    assert ada.page.post(f"/notebooks/{id}/share/link", data={"level": "full"}).text.count(" checked") == 0
    left = fay.page.post(f"/notebooks/{id}/leave", data={"leave": "yes"})
    assert (left.status_code, "Shared on the page" in left.text) == (200, False)
    ada.page.post(f"/notebooks/{id}/share", data={"email": "eve@example.com"})
    gone = ada.page.post(f"/notebooks/{id}/share/remove", data={"email": "eve@example.com"})
    assert "eve@example.com" not in gone.text
    assert fay.page.get(f"/notebooks/{id}/share").status_code == 404
    fay.close()


def streaming(http: httpx.Client, path: str, **options: Any) -> tuple[threading.Event, threading.Event]:
    """A stream that is read until it ends: when it has begun, and when it has ended."""
    began, ended = threading.Event(), threading.Event()

    def read() -> None:
        try:
            with http.stream("GET", path, **options) as answer:
                if answer.status_code == 200:
                    began.set()
                for _ in answer.iter_lines():
                    pass
        except httpx.HTTPError:
            pass
        ended.set()

    threading.Thread(target=read, daemon=True).start()
    return began, ended


@pytest.mark.parametrize("how", ["revoked", "removed"])
def test_a_token_that_ends_stops_every_door_and_every_stream_at_once(server: Served, how: str) -> None:
    kim = Somebody(server, f"kim-{how}")
    mine = kim.post("notebook/create", title="Mine")["id"]
    with server.client(cookies=kim.page.cookies) as browser, server.client() as apart, server.client() as again:
        bearer = {"Authorization": f"Bearer {kim.token}"}
        streams = [
            streaming(browser, f"/notebooks/{mine}/watch"),
            streaming(apart, "/api/note/watch", headers=bearer),
            streaming(again, "/mcp", headers=kim.session() | bearer),
        ]
        for began, _ in streams:
            assert began.wait(20)
        assert kim.page.get("/").status_code == 200
        assert not kim.tool("list_notebooks")["isError"]
        if how == "revoked":
            server.run(server.library.people.revoke_token(kim.token_id))
        else:
            server.run(server.library.people.remove(kim.email, delete_all=True))
        assert kim.http.get("/api/notebook/list").status_code == 401
        assert kim.rpc("tools/call", name="list_notebooks", arguments={}).status_code == 401
        assert kim.page.get("/").status_code == 401
        for _, ended in streams:
            assert ended.wait(20)
    kim.close()


def test_a_token_that_runs_out_ends_the_stream_that_it_opened(server: Served) -> None:
    """It is put into the store as it is, since a token that is made holds for a day at least."""
    lee = Somebody(server, "lee")
    now = server.library.engine.parts.clock.now()
    short = {"id": "short", "person_id": lee.id, "hash": hash_of(b"short"), "label": "", "at": now}
    server.run(
        server.library.engine.system.write(lambda tx: tx.run("insert_token", expires_at=now + 1_500_000, **short))
    )
    bearer = {"Authorization": "Bearer short"}
    with server.client() as http:
        began, ended = streaming(http, "/api/note/watch", headers=bearer)
        assert began.wait(20)
        assert ended.wait(20)
        assert http.get("/api/notebook/list", headers=bearer).status_code == 401
    lee.close()


def test_tokens_are_guessed_a_few_times_only_and_right_ones_still_come_in(server: Served, ada: Somebody) -> None:
    with server.client() as guesser:
        answers = [
            guesser.get("/api/note/list", headers={"Authorization": f"Bearer quire_{number}"}).status_code
            for number in range(12)
        ]
        assert answers[0] == 401
        assert answers[-1] == 429
    assert ada.http.get("/api/note/list").status_code == 200


def test_everybody_manages_their_own_tokens_over_http(server: Served, ada: Somebody, ben: Somebody) -> None:
    made = ada.post("person/token", label="phone", days=1)
    assert made["token"].startswith("quire_")
    assert [one["label"] for one in ada.get("person/tokens")["items"]][-1] == "phone"
    assert made["token"] not in json.dumps(ada.get("person/tokens"))
    assert ben.http.post("/api/person/revoke", json={"token_id": made["id"]}).status_code == 404
    assert ada.http.post("/api/person/revoke", json={"token_id": made["id"]}).status_code == 200
    assert ada.get("person/whoami")["email"] == ada.email
    assert ada.http.get("/api/person/list").status_code == 403
    with server.client(headers={"Authorization": f"Bearer {OWNERS}"}) as owner:
        assert owner.get("/api/person/whoami").json()["owner"] is True
        log = owner.get("/api/person/log").json()["items"]
        assert {"person.added", "token.created", "token.revoked"} <= {one["action"] for one in log}
        assert made["token"] not in str(log)


def test_without_a_token_of_its_own_a_server_on_loopback_is_its_owners(tmp_path: Path) -> None:
    with served(tmp_path, embedder="none") as server, server.client() as http:
        assert http.get("/api/person/whoami").json()["owner"] is True
        assert http.get("/").status_code == 200
        somebody = Somebody(server, "sam")
        assert somebody.get("person/whoami")["email"] == "sam@example.com"
        assert http.get("/api/person/whoami").json()["owner"] is True
        somebody.close()
        until(lambda: http.get("/health").status_code == 200)
