"""Every way in which Google can fail, from the client's side: which error it is, and how often the call was made."""

from __future__ import annotations

import asyncio
import gzip
import time
import tracemalloc
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler

import pytest
from scripted_google import (
    CREATE,
    LIST,
    NOTHING,
    TOKENS,
    Said,
    ScriptedGoogle,
    items,
    listed,
    scripted_google,
    with_status,
)

from quire.api.context import Context
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
    WireDrift,
)
from quire.notebooklm.documents import Document
from quire.notebooklm.engine.caller import TRIES
from quire.notebooklm.envelope import StatusLine, answer_body
from quire.notebooklm.methods import BY_NAME
from quire.notebooklm.replay import BATCH_PATH
from quire.notebooklm.stream import CHAT_PATH, Chunk, chunk_item, refusal_item
from quire.ports.http import AnswerLost, HttpRequest

GOOD = Said(NOTHING)
PAGE = "GET /"
MEBIBYTE = 2**20


@pytest.fixture(scope="module")
def google(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ScriptedGoogle]:
    with scripted_google(tmp_path_factory.mktemp("scripted")) as made:
        yield made


# What one answer says, the error that it is, and how many calls are made for it.
ANSWERS: dict[str, tuple[Said, type[QuireError], int]] = {
    "1 cancelled": (with_status(1), Upstream, 1),
    "2 unknown": (with_status(2), Upstream, 1),
    "3 invalid": (with_status(3), InvalidInput, 1),
    "4 deadline": (with_status(4), TimedOut, 1),
    "5 not found": (with_status(5), NotFound, 1),
    "6 exists": (with_status(6), Conflict, 1),
    "7 denied": (with_status(7), NotAllowed, 1),
    "8 exhausted": (with_status(8), LimitReached, 1),
    "9 precondition": (with_status(9), NotReady, 1),
    "10 aborted": (with_status(10), Conflict, 1),
    "11 range": (with_status(11), InvalidInput, 1),
    "12 unimplemented": (with_status(12), Unsupported, 1),
    "13 internal": (with_status(13), Upstream, 1),
    "14 unavailable": (with_status(14), Upstream, 1),
    "15 data loss": (with_status(15), Upstream, 1),
    "16 unauthenticated": (with_status(16), NotSignedIn, 2),
    "99 unheard of": (with_status(99), Upstream, 1),
    "displayable": (with_status(8, message="Daily limit.", displayable=True), LimitReached, 1),
    "er 400": (items(["er", LIST, 400]), InvalidInput, 1),
    "er 401": (items(["er", LIST, 401]), NotSignedIn, 2),
    "er 403": (items(["er", LIST, 403]), NotAllowed, 1),
    "er 404": (items(["er", LIST, 404]), NotFound, 1),
    "er 429": (items(["er", LIST, 429]), LimitReached, 1),
    "er 500": (items(["er", LIST, 500]), Upstream, 1),
    "er without an id": (items(["er", None, None, None, None, 400, None, None, None, 3]), InvalidInput, 1),
    "er in words": (items(["er", LIST, "Broken."]), Upstream, 1),
    "http 400": (Said("No token.", 400), InvalidInput, 2),
    "http 401": (Said("Who?", 401), NotSignedIn, 2),
    "http 403": (Said("No.", 403), NotAllowed, 2),
    "http 404": (Said("", 404), WireDrift, 1),
    "http 418": (Said("", 418), WireDrift, 1),
    "http 429": (Said("", 429, {"Retry-After": "7"}), LimitReached, TRIES),
    "http 429, long": (Said("", 429, {"Retry-After": "301"}), LimitReached, 1),
    "http 500": (Said("Broken.", 500), Upstream, TRIES),
    "http 503": (Said("", 503), Upstream, TRIES),
    "http 302": (Said("", 302, {"Location": "https://accounts.google.com/ServiceLogin"}), NotSignedIn, 1),
    "cut": (Said(write=lambda handler: None), Upstream, TRIES),
    "null result": (items(["wrb.fr", LIST, None, None, None, None, "generic"]), WireDrift, 1),
    "another method": (items(["wrb.fr", "rLM1Ne", "[]", None, None, None, "generic"]), WireDrift, 1),
    "bookkeeping only": (items(["di", 1], ["af.httprm", 1, "0", 1]), WireDrift, 1),
    "nothing": (Said(""), WireDrift, 1),
    "prefix only": (Said(")]}'\n\n"), WireDrift, 1),
    "a page": (Said("<html><body>Error</body></html>"), WireDrift, 1),
    "truncated": (Said(NOTHING[: len(NOTHING) // 3]), WireDrift, 1),
    "half malformed": (Said(NOTHING + "\n{broken\n" * 8), WireDrift, 1),
    "result no text": (items(["wrb.fr", LIST, 7, None, None, None, "generic"]), WireDrift, 1),
    "result no JSON": (items(["wrb.fr", LIST, "[", None, None, None, "generic"]), WireDrift, 1),
    "result too deep": (items(["wrb.fr", LIST, "[" * 5_000, None, None, None, "generic"]), WireDrift, 1),
    "wrong shape": (Said(answer_body(LIST, {"notebooks": 1})), WireDrift, 1),
    "no UTF-8": (Said(b")]}'\n\n\xff\xfe\n"), WireDrift, 1),
    "a strange packing": (Said(NOTHING, headers={"Content-Encoding": "br"}), Upstream, TRIES),
    "a broken packing": (Said("no gzip", headers={"Content-Encoding": "gzip"}), Upstream, TRIES),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_each_answer_is_the_error_that_it_means(google: ScriptedGoogle, name: str) -> None:
    said, kind, calls = ANSWERS[name]
    google.begin(said)
    error = listed(google)
    assert type(error) is kind, error
    assert google.calls == calls
    assert google.server.asked.count(PAGE) == (2 if calls == 2 else 1), "tokens are read anew once, where refused"


PASSING: dict[str, Said] = {name: said for name, (said, _, calls) in ANSWERS.items() if calls > 1}


@pytest.mark.parametrize("name", PASSING)
def test_what_passes_is_tried_again_and_goes_well(google: ScriptedGoogle, name: str) -> None:
    google.begin(PASSING[name], GOOD)
    assert listed(google) == 0
    assert google.calls == 2


def test_a_few_broken_lines_are_passed_over(google: ScriptedGoogle) -> None:
    google.begin(Said(NOTHING + "".join('7\n[["di",1]]\n' for _ in range(20)) + "{broken\n"))
    assert listed(google) == 0


def test_an_answer_comes_packed_too(google: ScriptedGoogle) -> None:
    google.begin(Said(gzip.compress(NOTHING.encode()), headers={"Content-Encoding": "gzip"}))
    assert listed(google) == 0


def test_rests_are_those_that_are_asked_for_or_grow(google: ScriptedGoogle) -> None:
    google.begin(Said("", 429, {"Retry-After": "7"}))
    error = listed(google)
    assert isinstance(error, LimitReached)
    assert error.details["retry_after"] == 7
    assert google.rests == [7, 7, 7]
    google.begin(Said("", 503))
    listed(google)
    assert [round(rest, 0) for rest in google.rests] == [pytest.approx(wanted, abs=1) for wanted in (1, 2, 4)]
    assert all(0.8 * wanted <= rest <= 1.2 * wanted for rest, wanted in zip(google.rests, (1, 2, 4), strict=True))


SIGN_IN = {"Location": "https://accounts.google.com/ServiceLogin?continue=x"}
HOME: dict[str, tuple[dict[str, list[Said]], type[QuireError]]] = {
    "sign in": ({"home": [Said("", 302, SIGN_IN)]}, NotSignedIn),
    "cookie mismatch": (
        {"home": [Said("", 302, {"Location": "https://accounts.google.com/CookieMismatch"})]},
        NotSignedIn,
    ),
    "region": ({"home": [Said("", 302, {"Location": "https://notebooklm.google/?location=unsupported"})]}, Unsupported),
    "new region": ({"home": [Said("", 302, {"Location": "https://notebook.google/"})]}, Unsupported),
    "no tokens, signed out": ({"home": [Said("<html>")], "login": [Said("", 302, SIGN_IN)]}, NotSignedIn),
    "no tokens, signed in": ({"home": [Said("<html>")], "login": [Said("<html>")]}, WireDrift),
    "one token": ({"home": [Said('{"SNlM0e":"x"}')], "login": [Said("<html>")]}, WireDrift),
    "limit": ({"home": [Said("", 429, {"Retry-After": "9"})]}, LimitReached),
    "broken": ({"home": [Said("", 500)]}, Upstream),
    "a circle": ({"home": [Said("", 302, {"Location": "/"})]}, Upstream),
    "elsewhere": ({"home": [Said("", 302, {"Location": "https://example.org/"})]}, WireDrift),
    "without TLS": ({"home": [Said("", 302, {"Location": "http://notebook.google.com/"})]}, WireDrift),
    "cut": ({"home": [Said(write=lambda handler: None)]}, Upstream),
}


@pytest.mark.parametrize("name", HOME)
def test_where_the_page_leads_tells_what_is_wrong(google: ScriptedGoogle, name: str) -> None:
    pages, kind = HOME[name]
    google.begin(**pages)
    error = listed(google)
    assert type(error) is kind, error
    assert google.calls == 0, "nothing is called without tokens"
    if kind is NotSignedIn:
        assert isinstance(error, QuireError)
        assert error.hint == "Run: quire login"


def test_tokens_are_found_however_the_page_writes_them(google: ScriptedGoogle) -> None:
    for page in (TOKENS, TOKENS.replace('"', "'"), TOKENS.replace('"', "&quot;")):
        google.begin(home=[Said(page)])
        assert listed(google) == 0


def test_a_service_that_is_not_there_is_told_and_nothing_was_done(google: ScriptedGoogle) -> None:
    async def created() -> QuireError:
        async with google.library() as library:
            await library.notebooks.list()
            library.engine._http._proxy = "http://127.0.0.1:9"  # type: ignore[attr-defined]
            await library.engine.close()
            with pytest.raises(Upstream) as failed:
                await library.notebooks.create("Bees")
            return failed.value

    google.begin()
    error = asyncio.run(created())
    assert error.details["outcome"] == "rejected"
    assert len(google.rests) == TRIES - 1


REFUSALS = {name: said for name, (said, kind, calls) in ANSWERS.items() if calls == 1 and kind not in (WireDrift,)}


@pytest.mark.parametrize("name", REFUSALS)
def test_a_write_that_is_refused_is_said_to_be(google: ScriptedGoogle, name: str) -> None:
    """Google's own word that it was refused; what a status leaves open is not called that."""
    said = REFUSALS[name]
    body = said.body.replace(LIST, CREATE) if isinstance(said.body, str) else said.body
    google.begin(Said(body, said.status, said.headers))

    async def created() -> QuireError:
        async with google.library() as library:
            with pytest.raises(QuireError) as failed:
                await library.notebooks.create("Bees")
            return failed.value

    error = asyncio.run(created())
    if not isinstance(error, NotFound):
        assert error.details.get("outcome") in ("rejected", "unknown")
    open_still = isinstance(error, TimedOut) or type(error) is Upstream
    assert error.details.get("outcome") != "rejected" or not open_still


def endless(handler: BaseHTTPRequestHandler) -> None:
    """An answer without an end."""
    handler.send_response(200)
    handler.send_header("Connection", "close")
    handler.end_headers()
    try:
        while True:
            handler.wfile.write(b"7\n[1,2,3]\n" * 6_000)
    except OSError:
        return


def dripping(handler: BaseHTTPRequestHandler) -> None:
    """A byte now and then, so that no pause is ever long."""
    handler.send_response(200)
    handler.send_header("Connection", "close")
    handler.end_headers()
    try:
        while True:
            handler.wfile.write(b"1")
            handler.wfile.flush()
            time.sleep(0.02)
    except OSError:
        return


def bomb(size: int) -> bytes:
    return gzip.compress(b" " * size)


LARGE: dict[str, tuple[Said, int]] = {
    "endless": (Said(write=endless), 3),
    "announced": (Said(headers={"Content-Length": str(2**40)}, write=lambda handler: announced(handler)), 2),
    "a bomb": (Said(bomb(64 * MEBIBYTE), headers={"Content-Encoding": "gzip"}), 4),
}


def announced(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", str(2**40))
    handler.end_headers()


async def measured(google: ScriptedGoogle, most: int) -> float:
    """The MiB that were in use at most while an answer was refused."""
    http = google.http()
    request = HttpRequest("POST", f"https://notebook.google.com{BATCH_PATH}", {}, b"", 60.0, most)
    with pytest.raises(AnswerLost):
        await http.answer(HttpRequest("GET", "https://notebook.google.com/warm", {}, None, 0.01))
    tracemalloc.start()
    try:
        with pytest.raises(TooLarge):
            await http.answer(request)
        return tracemalloc.get_traced_memory()[1] / MEBIBYTE
    finally:
        tracemalloc.stop()
        await http.close()


@pytest.mark.parametrize("name", LARGE)
def test_an_answer_that_is_too_large_is_refused_at_the_cap(google: ScriptedGoogle, name: str) -> None:
    said, most = LARGE[name]
    google.begin(said, warm=[Said(write=dripping)])
    assert asyncio.run(measured(google, MEBIBYTE)) < most + 2


@pytest.mark.long
@pytest.mark.parametrize("name", LARGE)
def test_calls_take_fifty_mebibytes_and_no_more(google: ScriptedGoogle, name: str) -> None:
    google.begin(LARGE[name][0], warm=[Said(write=dripping)])
    assert asyncio.run(measured(google, 50 * MEBIBYTE)) < 110
    google.begin(LARGE[name][0])
    error = listed(google)
    assert type(error) is WireDrift
    assert google.calls == 1


def test_an_answer_that_only_drips_ends_with_its_time(google: ScriptedGoogle) -> None:
    google.begin(Said(write=dripping))

    async def go() -> float:
        begun = time.monotonic()
        http = google.http()
        with pytest.raises(AnswerLost):
            await http.answer(HttpRequest("POST", f"https://notebook.google.com{BATCH_PATH}", {}, b"", 0.3))
        await http.close()
        return time.monotonic() - begun

    assert asyncio.run(go()) < 5


def test_a_call_that_only_drips_ends_with_its_callers_time(google: ScriptedGoogle) -> None:
    google.begin(Said(write=dripping))

    async def go() -> float:
        async with google.library() as library:
            begun = time.monotonic()
            soon = Context(local=True, deadline=asyncio.get_running_loop().time() + 0.5)
            with pytest.raises(TimedOut):
                await library.within(soon).notebooks.list()
            return time.monotonic() - begun

    assert asyncio.run(go()) < 5


ANSWERED = chunk_item(Chunk(text="Bees.", document=Document(mark=1), final=True))
# What the chat says, the error that it is (None where there is an answer), and how often it is asked.
CHATS: dict[str, tuple[list[Said], type[QuireError] | None, int]] = {
    "well": ([items(ANSWERED)], None, 1),
    "refused": ([items(refusal_item(StatusLine(3)))], InvalidInput, 1),
    "denied": ([items(refusal_item(StatusLine(7)))], NotAllowed, 1),
    "quota": ([items(refusal_item(StatusLine(8, "Daily limit.", displayable=True)))], LimitReached, 1),
    "bookkeeping only": ([items(["di", 1], ["e", 4, None, None, 9])], LimitReached, 1),
    "er": ([items(["er", None, 500])], Upstream, 1),
    "signed out, then well": ([items(refusal_item(StatusLine(16))), items(ANSWERED)], None, 2),
    "signed out": ([items(refusal_item(StatusLine(16)))], NotSignedIn, 2),
    "http 400, then well": ([Said("", 400), items(ANSWERED)], None, 2),
    "http 401": ([Said("", 401)], NotSignedIn, 2),
    "http 403": ([Said("", 403)], NotAllowed, 2),
    "http 429": ([Said("", 429, {"Retry-After": "7"})], LimitReached, 1),
    "http 500": ([Said("", 500)], Upstream, 1),
    "http 302": ([Said("", 302, {"Location": "https://accounts.google.com/ServiceLogin"})], NotSignedIn, 1),
    "nothing": ([Said("")], WireDrift, 1),
    "a page": ([Said("<html>")], WireDrift, 1),
    "cut": ([Said(write=lambda handler: None)], Upstream, 1),
    "no JSON inside": ([items(["wrb.fr", None, "["])], WireDrift, 1),
}


@pytest.mark.parametrize("name", CHATS)
def test_a_question_is_asked_once_and_its_failure_is_told(google: ScriptedGoogle, name: str) -> None:
    said, kind, asked = CHATS[name]
    google.begin()
    row = ["Bees", [[["s"], "Flights", [None, 9, None, None, 5], [None, 2]]], "n"]
    turns = BY_NAME["GET_CONVERSATION_TURNS"].id
    google.server.by_id = {"rLM1Ne": Said(answer_body("rLM1Ne", [row])), turns: Said(answer_body(turns, [[]]))}
    google.server.by_id["hPTbtc"] = Said(answer_body("hPTbtc", [[["c"]]]))
    google.server.pages[CHAT_PATH] = list(said)

    async def go() -> str | QuireError:
        async with google.library() as library:
            try:
                return (await library.chat.ask("n", "Who makes honey?")).text
            except QuireError as error:
                return error

    answer = asyncio.run(go())
    assert (answer if kind is None else type(answer)) == (kind or "Bees.")
    assert google.server.asked.count(f"POST {CHAT_PATH}") == asked
