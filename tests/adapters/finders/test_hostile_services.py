"""Services and pages that mean harm: nothing is offered or fetched that must not be, and nothing is waited for long."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import pytest

from loopback import Loopback, loopback, page, redirect
from quire.adapters.finders import service as services
from quire.adapters.finders.chosen import ChosenFinders, finders_of
from quire.domain.errors import InvalidInput, QuireError
from quire.ports.documents import readable
from quire.ports.finders import Answers

pytestmark = pytest.mark.anyio


@pytest.fixture
async def service() -> AsyncIterator[Loopback]:
    async with loopback() as made:
        yield made


def finders(service: Loopback, name: str = "searxng", allowed: tuple[str, ...] = ()) -> ChosenFinders:
    return finders_of([name], {name: service.url().rstrip("/")}, {}, drive="", contact="", allowed=allowed)


async def asked(found: ChosenFinders) -> Answers:
    return await found.find("bees", "web", limit=50, language="en")


def results(*urls: object) -> bytes:
    rows = [{"url": url, "title": f"Page {number}", "content": "Bees."} for number, url in enumerate(urls)]
    return page(json.dumps({"results": rows}).encode(), media_type="application/json")


PRIVATE = [
    "javascript:alert(1)",
    "file:///etc/passwd",
    "data:text/html,x",
    "ftp://example.org/x",
    "http://127.0.0.1/x",
    "http://127.1/x",
    "http://2130706433/",
    "http://[::1]:8080/",
    "http://10.0.0.8/x",
    "http://169.254.169.254/latest/meta-data/",
    "http://localhost:8765/",
    "http://printer.local/",
    "http://intranet/",
    "http://user:pass@example.org/",
    "https://example.org:22/",
    "http://exa mple.org/",
    "https://" + "a" * 3_000 + ".example.org/",
    "",
    None,
    7,
    ["https://example.org"],
]


async def test_addresses_that_are_not_of_the_public_web_are_not_offered(service: Loopback) -> None:
    service.paths["/search"] = results(*PRIVATE, "https://example.org/good")
    found = await asked(finders(service))
    assert [one.url for one in found.found[0]] == ["https://example.org/good"]


async def test_what_the_owner_allows_is_offered(service: Loopback) -> None:
    service.paths["/search"] = results("http://127.0.0.1/x", "http://intranet/", "http://10.0.0.8/")
    found = await asked(finders(service, allowed=("127.0.0.1", "intranet")))
    assert [one.url for one in found.found[0]] == ["http://127.0.0.1/x", "http://intranet/"]


ANSWERS = {
    "no JSON": b"<html>",
    "a number": b"7",
    "a list of numbers": b"[1, 2]",
    "results that are none": b'{"results": 7}',
    "rows that are none": b'{"results": [1, null, [], {"url": 1, "title": {}}]}',
    "deep": b'{"results": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "bytes": b"\xff\xfe\x00",
    "nothing": b"",
}


@pytest.mark.parametrize("name", ["searxng", "wikipedia", "openalex", "crossref", "arxiv", "openapi"])
@pytest.mark.parametrize("answer", ANSWERS.values(), ids=list(ANSWERS))
async def test_malformed_answers_are_failures_or_nothing(service: Loopback, name: str, answer: bytes) -> None:
    for path in ("/search", "/w/api.php", "/works", "/api/query", "/"):
        service.paths[path] = page(answer, media_type="application/json")
    found = await asked(finders(service, name))
    assert not any(found.found)


async def test_a_huge_answer_is_cut_off(service: Loopback) -> None:
    async def endless(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 X\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n")
        while True:
            writer.write(b" " * 1_000_000)
            await writer.drain()

    service.paths["/search"] = endless
    (failure,) = (await asked(finders(service))).failures
    assert f"more than {services.ANSWER_LIMIT:,} bytes" in failure.reason


async def test_many_results_are_bounded(service: Loopback) -> None:
    service.paths["/search"] = results(*(f"https://example.org/{number}" for number in range(5_000)))
    found = await finders(service).find("bees", "web", limit=20, language=None)
    assert len(found.found[0]) == 20


async def test_long_titles_and_texts_are_cut(service: Loopback) -> None:
    row = {"url": "https://example.org/", "title": "t" * 100_000, "content": "<i>" * 100_000 + "w " * 100_000}
    service.paths["/search"] = page(json.dumps({"results": [row]}).encode(), media_type="application/json")
    ((found,),) = (await asked(finders(service))).found
    assert len(found.title) <= services.LONGEST_TITLE
    assert len(found.snippet) <= services.LONGEST_SNIPPET


async def test_an_atom_feed_with_entities_of_its_own_is_refused(service: Loopback) -> None:
    bomb = b'<!DOCTYPE f [<!ENTITY a "bees"><!ENTITY b "&a;&a;">]><feed><entry><title>&b;</title></entry></feed>'
    service.paths["/api/query"] = page(bomb, media_type="application/xml")
    found = await asked(finders(service, "arxiv"))
    assert found.found == ((),)
    assert "not known" in found.failures[0].reason


async def test_a_page_that_redirects_to_a_private_address_is_not_fetched(service: Loopback) -> None:
    async with loopback() as other:
        other.paths["/secret"] = page(b"secret")
        service.paths["/page"] = redirect(other.url("/secret", host="127.0.0.2"))
        with pytest.raises(InvalidInput, match="only public addresses"):
            await finders(service, allowed=("127.0.0.1",)).page(service.url("/page"), readable)
        assert other.seen == []


async def test_a_service_that_redirects_elsewhere_does_not_lead_there(service: Loopback) -> None:
    async with loopback() as other:
        service.paths["/search"] = redirect(other.url("/search", host="127.0.0.2"))
        (failure,) = (await asked(finders(service))).failures
        assert "only public addresses" in failure.reason
        assert other.seen == []


async def test_with_no_network_the_answer_says_what_to_do() -> None:
    async with loopback() as gone:
        address = gone.url().rstrip("/")
    found = finders_of(["wikipedia"], {"wikipedia": address}, {}, drive="", contact="", allowed=[])
    (failure,) = (await asked(found)).failures
    assert "cannot be reached" in failure.reason
    assert "connected" in (failure.hint or "")


async def test_a_key_is_in_no_error(service: Loopback) -> None:
    service.paths["/search"] = page(b"", status=401)
    found = finders_of(
        ["tavily"], {"tavily": service.url().rstrip("/")}, {"tavily": "hunter2"}, drive="", contact="", allowed=[]
    )
    (failure,) = (await asked(found)).failures
    assert "hunter2" not in f"{failure}"
    with pytest.raises(QuireError) as caught:
        finders_of(["nobody"], {}, {"tavily": "hunter2"}, drive="", contact="", allowed=[])
    assert "hunter2" not in str(caught.value.body())
