"""Search services on loopback that answer in the forms of the real ones: what they are asked, and what comes of it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from loopback import Loopback, loopback, page
from quire.adapters.finders.chosen import ChosenFinders, finders_of
from quire.domain.errors import InvalidInput
from quire.ports.finders import Answers, Found

pytestmark = pytest.mark.anyio

ATOM = """<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom"><title>Results</title>
  <entry><id>http://arxiv.org/abs/1201.0001v1</id><title>Bees
    and light</title><summary> Bees steer by the sun. </summary>
    <link href="http://arxiv.org/abs/1201.0001v1" rel="alternate" type="text/html"/>
    <link href="http://arxiv.org/pdf/1201.0001v1" rel="related" type="application/pdf"/>
    <arxiv:doi>10.1000/BEES.1</arxiv:doi></entry>
</feed>"""
SUN = "Bees steer by the sun."
# Of each service: where it is asked, an answer as it gives them, and what is found in that.
FORMS: dict[str, tuple[str, Any, Found]] = {
    "searxng": (
        "/search",
        {
            "query": "bees",
            "results": [{"url": "https://bees.example/a", "title": "Bees", "content": "They <b>fly</b>."}],
        },
        Found("Bees", "https://bees.example/a", snippet="They fly .", finder="searxng"),
    ),
    "brave": (
        "/res/v1/web/search",
        {
            "type": "search",
            "web": {"results": [{"title": "Bees", "url": "https://bees.example/a", "description": "x &amp; y"}]},
        },
        Found("Bees", "https://bees.example/a", snippet="x & y", finder="brave"),
    ),
    "tavily": (
        "/search",
        {
            "query": "bees",
            "results": [{"title": "Bees", "url": "https://bees.example/a", "content": "Hives.", "score": 0.9}],
        },
        Found("Bees", "https://bees.example/a", snippet="Hives.", finder="tavily"),
    ),
    "wikipedia": (
        "/w/api.php",
        {
            "query": {
                "pages": [
                    {"pageid": 2, "index": 2, "title": "Wasp", "fullurl": "https://en.wikipedia.org/wiki/Wasp"},
                    {
                        "pageid": 1,
                        "index": 1,
                        "title": "Bee",
                        "fullurl": "https://en.wikipedia.org/wiki/Bee",
                        "extract": "Bees are insects.",
                    },
                ]
            }
        },
        Found("Bee", "https://en.wikipedia.org/wiki/Bee", snippet="Bees are insects.", finder="wikipedia"),
    ),
    "openalex": (
        "/works",
        {
            "results": [
                {
                    "id": "https://openalex.org/W1",
                    "doi": "https://doi.org/10.1000/Bees.1",
                    "display_name": "Bees and light",
                    "best_oa_location": {"landing_page_url": "https://open.example/bees"},
                    "abstract_inverted_index": {"Bees": [0], "steer": [1], "the": [3], "by": [2], "sun.": [4]},
                }
            ]
        },
        Found(
            "Bees and light", "https://open.example/bees", None, "Bees steer by the sun.", "10.1000/bees.1", "openalex"
        ),
    ),
    "crossref": (
        "/works",
        {
            "message": {
                "items": [
                    {
                        "DOI": "10.1000/bees.1",
                        "title": ["Bees and light"],
                        "URL": "https://doi.org/10.1000/bees.1",
                        "abstract": "<jats:p>Bees steer.</jats:p>",
                    }
                ]
            }
        },
        Found("Bees and light", "https://doi.org/10.1000/bees.1", None, "Bees steer.", "10.1000/bees.1", "crossref"),
    ),
    "arxiv": (
        "/api/query",
        ATOM,
        Found(
            "Bees and light",
            "http://arxiv.org/abs/1201.0001v1",
            None,
            "Bees steer by the sun.",
            "10.1000/bees.1",
            "arxiv",
        ),
    ),
}
DESCRIPTION = {
    "openapi": "3.1.0",
    "servers": [{"url": "/v2"}],
    "paths": {
        "/status": {"get": {"operationId": "status", "responses": {}}},
        "/tags": {"get": {"parameters": [{"name": "q", "in": "query", "schema": {"type": "string"}}]}},
        "/records/{id}": {"get": {"parameters": [{"name": "q", "in": "query"}]}},
        "/records/search": {
            "parameters": [{"$ref": "#/components/parameters/Format"}],
            "get": {
                "parameters": [
                    {"name": "query", "in": "query", "required": True, "schema": {"type": "string"}},
                    {"name": "rows", "in": "query", "schema": {"type": "integer"}},
                ]
            },
        },
    },
    "components": {
        "parameters": {
            "Format": {"name": "format", "in": "query", "required": True, "schema": {"enum": ["short", "long"]}}
        },
        "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Api-Key"}},
    },
}
RECORDS = {
    "meta": {"tags": ["a"]},
    "data": {"hits": [{"name": "Bees", "link": "https://bees.example/a", "summary": "Hives."}]},
}


@pytest.fixture
async def service() -> AsyncIterator[Loopback]:
    async with loopback() as made:
        yield made


def told(content: Any) -> bytes:
    if isinstance(content, str):
        return page(content.encode(), media_type="application/atom+xml")
    return page(json.dumps(content).encode(), media_type="application/json")


def finders(service: Loopback, *names: str, keys: dict[str, str] | None = None, path: str = "") -> ChosenFinders:
    known = {"brave": "secret-brave", "tavily": "secret-tavily"} if keys is None else keys
    urls = {name: service.url(path).rstrip("/") for name in names}
    chosen = {name: key for name, key in known.items() if name in names}
    return finders_of(names, urls, chosen, drive="", contact="me@example.org", allowed=[])


async def asked(found: ChosenFinders, query: str = "bees light", language: str | None = "en") -> Answers:
    return await found.find(query, "web", limit=5, language=language)


@pytest.mark.parametrize("name", FORMS)
async def test_each_service_is_asked_in_its_own_form_and_its_answer_understood(service: Loopback, name: str) -> None:
    path, answer, first = FORMS[name]
    service.paths[path] = told(answer)
    found = await asked(finders(service, name))
    assert found.failures == ()
    assert found.found[0][0] == first
    seen = service.seen[0]
    assert seen.headers["user-agent"].startswith("Quire (")
    sent = seen.line + seen.body.decode()
    assert "bees" in sent
    assert "light" in sent


async def test_keys_go_into_headers_and_nowhere_else(service: Loopback) -> None:
    service.paths |= {"/res/v1/web/search": told(FORMS["brave"][1]), "/search": told(FORMS["tavily"][1])}
    await asked(finders(service, "brave", "tavily"))
    by_path = {seen.line.split(" ")[1].partition("?")[0]: seen for seen in service.seen}
    assert by_path["/res/v1/web/search"].headers["x-subscription-token"] == "secret-brave"
    assert by_path["/search"].headers["authorization"] == "Bearer secret-tavily"
    assert not any("secret" in seen.line or b"secret" in seen.body for seen in service.seen)


async def test_wikipedia_is_asked_in_the_language_of_the_query(service: Loopback) -> None:
    for language in ("de", "fr"):
        service.paths[f"/{language}/w/api.php"] = told(FORMS["wikipedia"][1])
    found = finders_of(["wikipedia"], {"wikipedia": service.url("/{language}")}, {}, drive="", contact="", allowed=[])
    await asked(found, language="de")
    await asked(found, language="fr")
    assert [seen.line.split("/")[1] for seen in service.seen] == ["de", "fr"]


async def test_arxiv_is_asked_again_with_any_word_where_no_paper_has_all(service: Loopback) -> None:
    service.paths["/api/query"] = [told('<feed xmlns="http://www.w3.org/2005/Atom"/>'), told(ATOM)]
    found = await asked(finders(service, "arxiv"), "what is the light of bees")
    assert found.found[0][0].title == "Bees and light"
    queries = [parse_qs(urlsplit(seen.line.split(" ")[1]).query)["search_query"][0] for seen in service.seen]
    assert queries == ["all:light AND all:bees", "all:light OR all:bees"]


@pytest.mark.parametrize("form", ["json", "yaml"])
async def test_a_search_that_openapi_describes_is_found_by_its_query_parameter(service: Loopback, form: str) -> None:
    import yaml

    described = json.dumps(DESCRIPTION) if form == "json" else yaml.safe_dump(DESCRIPTION)
    service.paths |= {
        "/openapi": page(described.encode(), media_type="text/plain"),
        "/v2/records/search": told(RECORDS),
    }
    found = await asked(finders(service, "openapi", keys={"openapi": "secret"}, path="/openapi"))
    assert found.failures == ()
    assert found.found == ((Found("Bees", "https://bees.example/a", snippet="Hives.", finder="openapi"),),)
    line = urlsplit(service.seen[1].line.split(" ")[1])
    assert line.path == "/v2/records/search"
    assert parse_qs(line.query) == {"query": ["bees light"], "rows": ["5"], "format": ["short"]}
    assert service.seen[1].headers["x-api-key"] == "secret"


async def test_a_description_without_a_search_says_what_is_looked_for(service: Loopback) -> None:
    service.paths["/openapi"] = told({"openapi": "3.0.0", "paths": {"/users": {"get": {}}}})
    (failure,) = (await asked(finders(service, "openapi", path="/openapi"))).failures
    assert "no operation that searches" in failure.reason
    assert "query" in (failure.hint or "")


STATUSES = {401: "another key", 403: "refuses", 404: "not at this address", 429: "wait", 500: "fails"}


@pytest.mark.parametrize(("status", "words"), STATUSES.items())
async def test_what_a_service_refuses_is_told_in_our_words(service: Loopback, status: int, words: str) -> None:
    service.paths["/w/api.php"] = page(b"your key hunter2 is bad", status=status)
    (failure,) = (await asked(finders(service, "wikipedia"))).failures
    assert words in failure.reason
    assert "hunter2" not in failure.reason


async def test_one_that_fails_does_not_keep_others_from_answering(service: Loopback) -> None:
    service.paths |= {"/search": told(FORMS["searxng"][1]), "/works": page(b"", status=503)}
    found = await asked(finders(service, "searxng", "openalex"))
    assert [len(one) for one in found.found] == [1, 0]
    assert [one.finder for one in found.failures] == ["openalex"]


def test_a_finder_that_cannot_be_asked_is_refused_with_what_is_missing() -> None:
    for names, urls, words in (
        (["brave"], {}, "needs a key"),
        (["searxng"], {}, "needs its address"),
        (["altavista"], {}, "no finder 'altavista'"),
        ([], {"gopher": "http://x"}, "no finder 'gopher'"),
    ):
        with pytest.raises(InvalidInput, match=words):
            finders_of(names, urls, {}, drive="", contact="", allowed=[])


def test_without_a_choice_those_are_asked_that_are_set_up_and_those_that_need_nothing() -> None:
    free = ("wikipedia", "openalex", "crossref", "arxiv")
    assert finders_of([], {}, {}, drive="", contact="", allowed=[]).names("web") == free
    more = finders_of([], {"searxng": "http://x"}, {"tavily": "k"}, drive="/x", contact="", allowed=[])
    assert more.names("web") == ("searxng", "tavily", *free)
    assert more.names("drive") == ("drive",)
