"""A server in Google's place that means harm, and people who are let in no further than they are meant to be."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from scripted_google import LIST, NOTHING, TOKENS, Said, ScriptedGoogle, cookies, listed, scripted_google

from quire.api.context import Context
from quire.domain.errors import InvalidInput, NotAllowed, NotFound, NotSignedIn, Unsupported, WireDrift
from quire.domain.mind_maps import is_tree
from quire.domain.sharing import Actor
from quire.entry.bootstrap_google import cookie_store
from quire.entry.settings import Settings
from quire.notebooklm import kinds
from quire.notebooklm.codes import Permission
from quire.notebooklm.engine.artifact_files import data_in, exported_address
from quire.notebooklm.engine.cookies import SESSION, cookies_in, set_by
from quire.notebooklm.engine.hosts import APP_HOSTS, checked, host_of, is_googles
from quire.notebooklm.engine.profiles import MOST_BYTES, Profile
from quire.notebooklm.engine.research import file_of
from quire.notebooklm.entities import unescape
from quire.notebooklm.envelope import answer_body
from quire.notebooklm.methods import BY_NAME
from quire.notebooklm.methods.notebooks import Notebook
from quire.notebooklm.methods.notes import Note, Notes
from quire.notebooklm.methods.source_rows import Source
from quire.notebooklm.stream import chunk_of
from quire.notebooklm.upload import upload_id
from quire.notebooklm.wire import Drift
from quire.ports.http import AnswerLost, HttpRequest

TREES = ("null", "[]", "x", '{"name": 5, "children": []}')
ENDLESS_NUMBER = f"&#{'1' * 5000};"


@pytest.fixture(scope="module")
def google(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ScriptedGoogle]:
    with scripted_google(tmp_path_factory.mktemp("scripted")) as made:
        yield made


def says(google: ScriptedGoogle, **answers: Any) -> None:
    """Each method answers so, each time."""
    google.begin()
    for name, value in answers.items():
        method = BY_NAME[name]
        google.server.by_id[method.id] = Said(answer_body(method.id, method.encode_response(value)))


def test_who_may_call_the_server_is_not_let_into_its_owners_account(google: ScriptedGoogle) -> None:
    async def go() -> None:
        async with google.library() as library:
            guest = library.within(Context(actor=Actor(id="ada", name="Ada")))
            for call in (guest.notebooks.list, lambda: guest.notes.list("n"), guest.health.check):
                with pytest.raises(NotAllowed, match="owner's alone"):
                    await call()

    google.begin()
    asyncio.run(go())
    assert google.server.asked == [], "Google was not even asked"


def test_notes_without_a_notebook_never_go_into_one_that_somebody_shared(google: ScriptedGoogle) -> None:
    shared = Notebook(id="theirs", title="Quire inbox", role=Permission.EDITOR)
    own = Notebook(id="own", title="Quire inbox", role=Permission.OWNER)

    async def inbox() -> str:
        async with google.library() as library:
            notebooks = await library.notebooks.list()
            assert [one.id for one in notebooks if one.inbox] == ["own"]
            return (await library.notes.create(title="Private")).notebook_id

    note = Note(id="a", title="Private", content="", changed_at=datetime(2026, 1, 1, tzinfo=UTC))
    says(
        google,
        LIST_NOTEBOOKS=[shared, own],
        GET_NOTES_AND_MIND_MAPS=Notes(notes=(note,)),
        CREATE_NOTE=note,
        UPDATE_NOTE=note,
    )
    assert asyncio.run(inbox()) == "own"
    assert not any(b"theirs" in body for body in google.server.bodies)


def test_an_account_that_is_sent_to_sign_in_with_other_cookies_each_time_is_told_so(google: ScriptedGoogle) -> None:
    number = 0

    def sent_away(handler: BaseHTTPRequestHandler) -> None:
        nonlocal number
        number += 1
        handler.send_response(302)
        handler.send_header("Location", "https://accounts.google.com/ServiceLogin")
        handler.send_header("Set-Cookie", f"NID={number}; Domain=.google.com; Path=/")
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    google.begin(home=[Said(write=sent_away)])
    assert isinstance(listed(google), NotSignedIn)
    assert number == 2, "it was looked at again once, for cookies that another process may have renewed"


@pytest.mark.parametrize("place", ["https://[", "https://[::1%.google.com]/", "https://a\\@x.google.com/"])
def test_a_page_that_leads_nowhere_is_refused(google: ScriptedGoogle, place: str) -> None:
    google.begin(home=[Said("", 302, {"Location": place})])
    assert isinstance(listed(google), WireDrift)


@pytest.mark.parametrize(
    "line",
    ["a=b; Max-Age=--5", "a=b; Max-Age=\u00b2", "a=\u00e9", "\u00e9=b", "a=b; Expires=Fri, 31 Dec 999999 00:00:00 GMT"],
)
def test_no_cookie_that_is_set_spoils_a_call(google: ScriptedGoogle, line: str) -> None:
    google.begin(home=[Said(TOKENS, headers={"Set-Cookie": line})])
    assert listed(google) == 0


def test_a_rest_that_is_no_number_is_a_minute(google: ScriptedGoogle) -> None:
    google.begin(Said("", 429, {"Retry-After": "\u00b2"}), Said(NOTHING))
    assert listed(google) == 0
    assert google.rests == [60]


@pytest.mark.parametrize("token", ["\\ud800", ENDLESS_NUMBER])
def test_a_token_that_no_call_can_carry_is_no_crash(google: ScriptedGoogle, token: str) -> None:
    google.begin(home=[Said(TOKENS.replace("planted-csrf-token", token))])
    assert listed(google) == 0


@pytest.mark.parametrize(
    "url",
    [
        "https://[",
        "https://[::1%.google.com]/a",
        "https://[v1.google.com]/a",
        "https://evil.example\\@x.google.com/a",
        "https://user@x.google.com/a",
        "https://a\uff0f.google.com/a",
        "https://x .google.com/a",
        "https://x.google.com:22/a",
        "https://x.google.com.:443/a",
    ],
)
def test_an_address_that_can_be_read_in_two_ways_is_not_googles(url: str) -> None:
    assert not is_googles(url)
    assert isinstance(host_of(url), str)
    assert exported_address(url, "docx") == url, "it is refused where it is fetched"
    with pytest.raises(WireDrift):
        upload_id(checked(url, "An upload"), APP_HOSTS)


def test_what_html_writes_as_a_number_without_end_is_one_character() -> None:
    assert unescape(f"a{ENDLESS_NUMBER}&amp;b") == "a\ufffd&b"
    assert data_in(f'<div data-app-data="{ENDLESS_NUMBER}">') == "\ufffd"


@pytest.mark.parametrize("value", [[10**400], [1, 10**400]])
def test_a_duration_beyond_all_numbers_is_drift(value: list[int]) -> None:
    with pytest.raises(Drift):
        kinds.duration.read(value)


@pytest.mark.parametrize("expires", [10**400, "x", []])
def test_cookies_with_odd_times_are_refused_or_end_with_their_browser(expires: object) -> None:
    text = json.dumps([{"name": "SID", "value": "x", "expires": expires}])
    if expires == 10**400:
        with pytest.raises(InvalidInput):
            cookies_in(text)
    else:
        assert [one.expires for one in cookies_in(text)] == [SESSION]


def test_cookies_that_no_header_can_hold_are_left_out() -> None:
    rows = [{"name": "SID", "value": value} for value in ("x\r\nHost: evil.example", "\u20ac", "a;b")]
    with pytest.raises(InvalidInput, match="no cookies of Google"):
        cookies_in(json.dumps(rows))
    assert set_by("SID=x\x00y", "google.com", 0.0) is None


def test_a_profile_of_any_size_and_with_any_numbers_asks_to_sign_in(tmp_path: Path) -> None:
    profile = Profile(tmp_path, "default")
    profile.sign_in(cookies())
    huge = json.dumps(json.loads(cookies()) | {"origins": "x" * MOST_BYTES})
    for text in (huge, json.dumps(json.loads(cookies()) | {"renewed_at": 10**400})):
        profile.path.write_text(text)
        with pytest.raises(NotSignedIn):
            profile.read()


def test_what_holds_nothing_where_a_text_should_be_is_passed_over_or_drift(google: ScriptedGoogle) -> None:
    """Each answer once broke the engine where no row of Google's is known to be so."""
    row = Notebook(id="n", title="Bees", sources=(Source(id="s", title="Flights"),))

    async def go() -> None:
        async with google.library() as library:
            assert (await library.sources.get_guide("n", "s")).keywords == ["honey"]
            with pytest.raises(WireDrift, match="not told") as caught:
                await library.labels.create("n", "Flowers")
            assert caught.value.details["outcome"] == "unknown"
            for _ in TREES:
                with pytest.raises(WireDrift, match="expected a tree"):
                    await library.mind_maps.generate("n", kind="note", language="en")

    says(google, GET_NOTEBOOK=row, LIST_NOTEBOOKS=[row], LIST_LABELS=[], CREATE_LABEL=[])
    guide, drawn = BY_NAME["GET_SOURCE_GUIDE"].id, BY_NAME["GENERATE_MIND_MAP"].id
    google.server.by_id[guide] = Said(answer_body(guide, [[[None, ["About bees"], [[None, "honey", 5]]]]]))
    google.server.calls = [Said(answer_body(drawn, [[tree]])) for tree in TREES]
    asyncio.run(go())


def test_a_chunk_of_an_answer_with_odd_follow_ups_is_read() -> None:
    assert chunk_of([["Honey."], None, None, [[None, "Why?", 7]], True]).follow_ups == ("Why?",)


def test_a_note_that_is_nested_without_end_is_no_mind_map() -> None:
    assert not is_tree('{"name": "x", "children": ' + "[" * 100_000)


def test_the_file_of_a_finding_is_its_address_where_that_cannot_be_read() -> None:
    assert file_of("https://[") == "https://["


def test_whoever_changes_nothing_makes_no_inbox_and_asks_nothing(google: ScriptedGoogle) -> None:
    async def go() -> None:
        async with google.library() as library:
            reader = library.within(Context(read_only=True))
            with pytest.raises(NotFound, match="Quire inbox"):
                await reader.notes.list()
            with pytest.raises(Unsupported, match="remembers"):
                await reader.chat.ask("n", "Who makes honey?")

    google.begin()
    asyncio.run(go())
    assert [body for body in google.server.bodies if LIST.encode() not in body and b"f.req" in body] == []


def test_cookies_of_the_environment_that_are_none_say_where_they_are(tmp_path: Path) -> None:
    for text in ("{", "[]"):
        with pytest.raises(InvalidInput, match="NOTEBOOKLM_AUTH_JSON: "):
            cookie_store(Settings(home=tmp_path, notebooklm_cookies=text))


def test_a_packed_answer_that_breaks_off_is_not_taken_for_whole(google: ScriptedGoogle) -> None:
    async def fetched(packed: bytes) -> bytes:
        google.begin(home=[Said(packed, headers={"Content-Encoding": "gzip"})])
        http = google.http()
        try:
            return (await http.answer(HttpRequest("GET", "https://notebook.google.com/"))).body
        finally:
            await http.close()

    whole = gzip.compress(b"honey " * 1000)
    assert asyncio.run(fetched(whole)) == b"honey " * 1000
    assert asyncio.run(fetched(b"")) == b""
    with pytest.raises(AnswerLost):
        asyncio.run(fetched(whole[:-12]))
