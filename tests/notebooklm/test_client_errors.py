"""Failures, as a real client takes them: every form in which one can be told, and what Quire itself refuses."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from real_clients import MISSING, Clients, environment, ran

from pages import answering
from quire.domain.errors import (
    Conflict,
    InvalidInput,
    LimitReached,
    NotAllowed,
    NotFound,
    NotReady,
    NotSignedIn,
    QuireError,
    TimedOut,
    TooLarge,
    Unsupported,
    Upstream,
)
from quire.domain.sharing import Actor, Role
from quire.local.people import add_person
from quire.notebooklm.envelope import StatusLine, answer_body, framed
from quire.notebooklm.statuses import status_of
from through_proxy import Proxied, proxied, proxy_before

LIST = "wXbhsf"
TOKENS = '<script>WIZ_global_data = {"SNlM0e":"token","FdrFJe":"1","cfb2h":"b"};</script>'

pytestmark = pytest.mark.skipif(MISSING, reason="scripts/setup test did not run")


def status(error: QuireError) -> tuple[int, dict[str, str], str]:
    return 200, {}, answer_body(LIST, None, status_of(error))


def item(*items: Any) -> tuple[int, dict[str, str], str]:
    return 200, {}, "".join(framed([[list(each) for each in items], [["e", 4]]]))


# What the server says, and what notebooklm-py raises for it.
TABLE: dict[str, tuple[tuple[int, dict[str, str], str], list[str]]] = {
    "invalid": (status(InvalidInput("No.")), ["RPCError", "3"]),
    "too large": (status(TooLarge("No.")), ["RPCError", "3"]),
    "not found": (status(NotFound("notebook", "n")), ["ClientError", "5"]),
    "not allowed": (status(NotAllowed("No.")), ["ClientError", "7"]),
    "bare eight": ((200, {}, answer_body(LIST, None, StatusLine(8))), ["RPCError", "8"]),
    "limit": (status(LimitReached("Later.")), ["RateLimitError", "USER_DISPLAYABLE_ERROR"]),
    "not ready": (status(NotReady("Not yet.")), ["RPCError", "9"]),
    "conflict": (status(Conflict("No.")), ["RPCError", "9"]),
    "unsupported": (status(Unsupported("No.")), ["RPCError", "12"]),
    "internal": (status(QuireError("Broken.")), ["RPCError", "13"]),
    "timed out": (status(TimedOut("Slow.")), ["RPCError", "4"]),
    "upstream": (status(Upstream("Down.")), ["RPCError", "14"]),
    "not signed in": (status(NotSignedIn("Who?")), ["RPCError", "16"]),
    "er 401": (item(["er", LIST, 401]), ["RPCError", "401"]),
    "er 429": (item(["er", LIST, 429]), ["RPCError", "429"]),
    "er 500": (item(["er", LIST, 500]), ["RPCError", "500"]),
    "http 400": ((400, {}, "No token."), ["ClientError"]),
    "http 401": ((401, {}, "Who?"), ["RPCError"]),
    "http 403": ((403, {}, "No."), ["RPCError"]),
    "http 429": ((429, {"Retry-After": "7"}, "Later."), ["RateLimitError", "after 7"]),
    "http 500": ((500, {}, "Broken."), ["ServerError"]),
    "http 503": ((503, {"Retry-After": "5"}, "Stopping."), ["ServerError"]),
    "http 413": ((413, {}, "Too large."), ["ClientError"]),
    "null": (item(["wrb.fr", LIST, None, None, None, None, "generic"]), ["RPCError"]),
    "no item": (item(["wrb.fr", "rLM1Ne", "[]", None, None, None, "generic"]), ["UnknownRPCMethodError"]),
    "no tokens": ((200, {}, "<html>no tokens</html>"), ["ValueError"]),
    "sign in": ((302, {"Location": "https://accounts.google.com/ServiceLogin"}, ""), ["AuthError"]),
}
PAGES = ("no tokens", "sign in")


@contextmanager
def scripted(case: Path) -> Iterator[str]:
    """A server that answers calls, or its page, as the case says."""

    class Scripted(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            name = case.read_text(encoding="utf-8")
            signing_in = self.headers["Host"].startswith("accounts")
            self.tell(*(TABLE[name][0] if name in PAGES and not signing_in else (200, {}, TOKENS)))

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.tell(*TABLE[case.read_text(encoding="utf-8")][0])

        def tell(self, status: int, headers: dict[str, str], body: str) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body.encode())))
            self.end_headers()
            self.wfile.write(body.encode())

    with answering(Scripted) as url:
        yield url


def test_every_failure_on_the_wire_is_the_exception_that_it_should_be(tmp_path: Path) -> None:
    case = tmp_path / "case"
    case.write_text("invalid", encoding="utf-8")
    with scripted(case) as url, proxy_before(url, tmp_path, "key") as port:
        variables = environment(tmp_path, port, tmp_path / "tls/ca.pem", "session")
        said = ran(variables, tmp_path, "notebooklm-py", "py_errors.py", str(case), *TABLE)
    assert said == {name: expected for name, (_, expected) in TABLE.items()}


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Proxied]:
    with proxied(tmp_path, rates="create_notebook=1/3600") as made:
        yield made


def test_what_quire_refuses_is_the_exception_that_it_should_be(place: Proxied, tmp_path: Path) -> None:
    library = place.server.library

    async def prepared() -> tuple[str, str, str]:
        at = library.engine.parts.clock.now()
        await library.engine.system.write(lambda tx: add_person(tx, "ann", "Ann", None, at))
        ann = library.as_actor(Actor(id="ann", name="Ann"))
        shared = await ann.notebooks.create("Shared")
        theirs = await ann.sources.add_text(shared.id, "Pears", "Pears ripen off the tree.")
        await library.engine.system.write(
            lambda tx: tx.run("insert_member", notebook_id=shared.id, person_id="owner", role=int(Role.VIEWER))
        )
        return (await library.notebooks.create("Mine")).id, shared.id, theirs.id

    mine, shared, theirs = place.server.run(prepared())
    clients = Clients(place, "", tmp_path)
    said = clients.printed("notebooklm-py", "py_refusals.py", mine, shared, theirs)
    kinds = {name: told for name, told in said.items() if not name.endswith((" says", " later"))}
    assert kinds == {
        "missing notebook": ["NotebookNotFoundError", 5],
        "missing source": ["SourceNotFoundError"],
        "missing note": ["NoteNotFoundError"],
        "may only read": ["ClientError", 7],
        "may not delete": ["RPCError", "This needs the role editor in the notebook."],
        "bad address": ["SourceAddError"],
        "no service": ["RPCError", "LIST_EXPERT_INTELLIGENCE_CONTENT is not supported by Quire yet."],
        "nothing to ask": ["ChatError"],
        "too often": ["RateLimitError"],
    }
    assert said["no service says"] == "LIST_EXPERT_INTELLIGENCE_CONTENT is not supported by Quire yet."
    assert said["may not delete says"] == "This needs the role editor in the notebook."
    assert 0 < said["too often later"] <= 3600
