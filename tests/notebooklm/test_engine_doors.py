"""The doors, on the engine that drives NotebookLM: they offer what it does, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

import quire
from at_google import settings_for
from serving import served
from through_proxy import proxied

BEES = "A honey bee visits about 100 flowers on a flight. It flies up to five kilometres from its hive."


@contextmanager
def door(folder: Path) -> Iterator[httpx.Client]:
    """A server of Quire's whose work is done by another one, in Google's place."""
    with proxied(folder / "google", embedder="none") as place:
        settings = settings_for(place, folder / "here")
        chosen = settings.model_dump(include=settings.model_fields_set - {"home"})
        with served(folder / "here", **chosen) as server, server.client() as client:
            yield client


def test_http_and_page_show_what_is_done_at_google(tmp_path: Path) -> None:
    with door(tmp_path) as client:
        made = client.post("/api/notebook/create", json={"title": "Bees"}).json()
        text = {"notebook_id": made["id"], "source_type": "text", "text": BEES, "title": "Flights"}
        assert client.post("/api/source/add", json=text).json()["state"] == "ready"
        wanted = {"notebook_id": made["id"], "kind": "data_table", "title": "Flights"}
        table = client.post("/api/artifact/make", json=wanted).json()
        file = client.get("/api/artifact/download", params={"artifact_id": table["id"]})
        assert (file.headers["content-type"], file.content[:3]) == ("text/csv; charset=utf-8", b"\xef\xbb\xbf")
        assert "100 flowers" in file.text

        start = client.get("/", headers={"Accept": "text/html"}).text
        assert "Bees" in start
        assert "QUIRE_ENGINE" in start
        assert "Move notes" not in start
        assert "data-after" not in start
        page = client.get(f"/notebooks/{made['id']}", headers={"Accept": "text/html"}).text
        assert "Flights" in page
        share = client.get(f"/notebooks/{made['id']}/share", headers={"Accept": "text/html"}).text
        assert f"https://notebook.google.com/notebook/{made['id']}" in share
        assert "on this server" not in share
        for path in ("/api/note/watch", "/api/people/list", "/api/transformation/list"):
            assert client.get(path).status_code == 404
        assert "/api/note/watch" not in client.get("/api/openapi.json").json()["paths"]


def test_the_page_says_that_nobody_is_signed_in_at_google_and_asks_for_no_token_of_its_own(tmp_path: Path) -> None:
    with served(tmp_path, engine="notebooklm", embedder="none") as server, server.client() as client:
        page = client.get("/", headers={"Accept": "text/html"})
        assert page.status_code == 401
        assert "Nobody is signed in under the profile" in page.text
        assert "quire login" in page.text
        assert "quire person token" not in page.text


def test_people_with_tokens_of_their_own_are_not_let_into_the_owners_account(tmp_path: Path) -> None:
    async def token() -> str:
        async with quire.open(home=tmp_path, embedder="none") as library:
            await library.people.add("Ada", "ada@example.com")
            return (await library.people.create_token("ada@example.com")).token

    signed_in = {"Authorization": f"Bearer {asyncio.run(token())}"}
    with (
        served(tmp_path, engine="notebooklm", embedder="none", token="the-owners-own-token") as server,
        server.client(headers=signed_in) as client,
    ):
        for path in ("/api/notebook/list", "/api/health/check", "/api/source/download?source_id=x"):
            assert client.get(path).json()["code"] == "not_allowed"
        assert client.post("/api/notebook/create", json={"title": "Mine"}).status_code == 403
        assert client.get("/api/book/list").status_code == 200
