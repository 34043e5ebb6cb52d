"""The studio and the notes on a notebook's page as they come over HTTP, without a browser."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from quire.adapters.artifact_files import FileMakers
from quire.domain.artifact_options import OPTIONS, choices
from quire.domain.sharing import Role, hash_of
from quire.entry.bootstrap import build
from quire.local.people import add_person
from serving import Served, served, until
from variants import with_parts

MEMBER = "a-member's-token"
NOTHING = {"sent": "yes"}
NASTY = "<img src=x onerror=\"alert('owned')\"><script>alert(1)</script>"
BEES = """# Honey bees

A honey bee visits about 100 flowers on a flight. It flies up to five kilometres from its hive.

| Month | Honey in kg |
| --- | --- |
| May | 8 |
| June | 14 |
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("home"), embedder="none") as running:
        yield running


@pytest.fixture
def http(server: Served) -> Iterator[httpx.Client]:
    with server.client(headers={"Accept": "text/html"}) as client:
        yield client


def bees(http: httpx.Client) -> str:
    """The address of a notebook with a source."""
    made = str(http.post("/notebooks", data={"name": "Bees"}).headers["location"])
    source = {"notebook_id": made[11:], "source_type": "text", "title": "Bees", "text": BEES}
    assert http.post("/api/source/add", json=source).status_code == 200
    return made


def table(http: httpx.Client, notebook: str) -> str:
    """The address of a data table, made as the page makes it."""
    form = {"notebook_id": notebook[11:], "kind": "data_table", "report.format": "study_guide"}
    assert http.post("/artifacts", data=form).headers["location"] == f"{notebook}#studio"
    return str(until(lambda: re.search(rf'href="({notebook}/artifacts/[^"/]+)"', http.get(notebook).text))[1])


def actions(text: str) -> list[str]:
    return re.findall(r'<form [^>]*action="([^"]+)"', text)


def test_an_artifact_is_made_shown_renamed_linked_and_deleted_by_forms_alone(http: httpx.Client) -> None:
    notebook = bees(http)
    made = table(http, notebook)
    shown = http.get(made).text
    assert re.search(r"<td [^>]*>14</td>", shown)
    file = http.get(f"{made}/files/csv")
    assert file.headers["content-disposition"].startswith("attachment;")
    assert "June,14" in file.text
    assert http.post(f"{made}/rename", data={"title": f"Honey {NASTY}"}).status_code == 303
    for page in (http.get(notebook), http.get(made)):
        assert "<img src=x" not in page.text
        assert f"Honey {NASTY}" in html.unescape(page.text)
    linked = http.post(f"{made}/share", data={"format": "md"})
    link = re.search(r'<input id="link" readonly value="[^"]+(/files/[^"]+)">', linked.text)
    assert link
    assert "| June | 14 |" in http.get(link[1]).text
    assert http.post(f"{made}/retry", data=NOTHING).status_code == 409
    assert http.post(f"{made}/delete", data=NOTHING).headers["location"] == f"{notebook}#studio"
    assert http.get(made).status_code == 404
    assert http.get(link[1]).status_code == 403


def test_a_page_that_was_made_runs_apart_from_this_one(http: httpx.Client) -> None:
    notebook = bees(http)
    made = {"notebook_id": notebook[11:], "kind": "mind_map", "instructions": "", "language": "de"}
    assert http.post("/artifacts", data=made).status_code == 303
    found = until(lambda: re.search(rf'href="({notebook}/artifacts/[^"/]+)"', http.get(notebook).text))[1]
    page = http.get(found).text
    frame = re.search(r'<iframe [^>]*src="([^"]+)" sandbox="allow-scripts"', page)
    assert frame
    shown = http.get(frame[1])
    assert (shown.headers["content-type"], shown.headers["content-disposition"][:7]) == (
        "text/html; charset=utf-8",
        "inline;",
    )
    policy = shown.headers["content-security-policy"].split("; ")
    assert policy[0] == "sandbox allow-scripts"
    assert {"default-src 'none'", "form-action 'none'", "frame-ancestors 'self'"} <= set(policy)
    # What could run in the page's own origin is never shown there: a drawing is saved.
    drawn = http.get(f"{found}/shown/svg")
    assert drawn.headers["content-disposition"].startswith("attachment;")
    assert "allow-scripts" not in drawn.headers["content-security-policy"]
    assert actions(page) == []
    assert f"{found}/share" not in http.get(notebook).text
    assert http.post(f"{found}/share", data=NOTHING).status_code == 501
    elsewhere = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert http.get(frame[1], headers=elsewhere).status_code == 403
    assert http.get(f"{notebook.replace(notebook[11:15], 'none')}/artifacts/{found[-36:]}").status_code == 404


def test_the_form_offers_what_the_kinds_declare_and_tells_what_is_lacking(tmp_path: Path) -> None:
    lacking = FileMakers(lambda extra: extra != "voice")
    with (
        served(tmp_path, build=lambda settings: with_parts(build(settings), artifact_files=lacking)) as server,
        server.client(headers={"Accept": "text/html"}) as http,
    ):
        notebook = str(http.post("/notebooks", data={"name": "Bees"}).headers["location"])
        page = http.get(notebook).text
        fields = {f"{kind}.{one.name}" for kind in OPTIONS if kind != "audio" for one in choices(kind)}
        assert set(re.findall(r'name="(\w+\.\w+)"', page)) == fields
        for one in choices("infographic"):
            for value in one.values:
                assert f'<option value="{value}"{" selected" if value == one.usual else ""}>' in page
        assert "<code>quire extras add voice</code>" in page
        form = {"notebook_id": notebook[11:], "kind": "audio", "instructions": f"Only {NASTY}", "language": "fr"}
        refused = http.post("/artifacts", data=form)
        problem = re.search(r'<p class="problem" role="alert">([^<]+)<', refused.text)
        assert problem
        assert html.unescape(problem[1]).endswith("cannot be made here. quire extras add voice")
        assert f"Only {NASTY}" in html.unescape(refused.text)
        assert "<script>" not in refused.text
        assert 'value="fr" selected' in refused.text
        assert 'value="audio" checked' in refused.text
        empty = http.post("/artifacts", data={"notebook_id": notebook[11:], "kind": "report", "report.format": "x"})
        assert empty.status_code == 422


def test_a_note_is_written_shown_as_markdown_and_changed_unless_somebody_else_did(http: httpx.Client) -> None:
    notebook = bees(http)
    text = f"# Plan\n\nBuy **frames**, see [this](https://example.org) or [that](/?token=x) {NASTY}\n\n![x](http://e.org/x)"
    new = {"notebook_id": notebook[11:], "title": NASTY, "content": text}
    assert http.post("/notes/new", data=new).headers["location"] == notebook
    page = http.get(notebook).text
    link = re.search(r'<a class="opens" href="(/notes/\w+)">', page)
    assert link
    assert "Buy **frames**" in page
    shown = http.get(link[1]).text
    assert "Buy <strong>frames</strong>" in shown
    assert '<h2 dir="auto">Plan</h2>' in shown
    assert re.search(r'href="https://example.org" target="_blank" rel="noopener noreferrer', shown)
    for one in (page, shown):
        assert 'href="/?token' not in one
        assert "<img src=x" not in one
        assert 'src="http' not in one
        assert "<script>" not in one
    id, revision = re.findall(r'name="(?:note_id|revision)" value="([^"]+)"', shown)
    edit = {"note_id": id, "revision": revision, "title": "Plan", "content": "One\r\nTwo"}
    assert http.post("/notes/edit", data=edit).headers["location"] == link[1]
    assert "One<br />\nTwo" in http.get(link[1]).text
    lost = http.post("/notes/edit", data=edit | {"content": "Not lost"})
    assert lost.status_code == 409
    assert ">\nNot lost</textarea>" in lost.text
    assert http.post(f"{link[1]}/to-source", data=NOTHING).headers["location"] == notebook
    assert http.get(notebook).text.count('<li class="source ready"') == 2
    nameless = http.post("/notes/new", data=new | {"title": " "})
    assert nameless.status_code == 422
    assert text in html.unescape(nameless.text)


def test_who_may_only_read_can_open_all_and_change_nothing(tmp_path: Path) -> None:
    with (
        served(tmp_path, token="sesame-sesame-sesame", embedder="none") as locked,
        locked.client(headers={"Accept": "text/html"}) as http,
    ):
        hashed = hash_of(MEMBER.encode())
        locked.run(locked.library.engine.system.write(lambda tx: add_person(tx, "ana", "Ana", hashed, 1)))
        http.post("/sign-in", data={"token": "sesame-sesame-sesame"})
        notebook = bees(http)
        made = table(http, notebook)
        http.post("/notes/new", data={"notebook_id": notebook[11:], "title": "Plan", "content": "Buy frames"})
        found = re.search(r'<a class="opens" href="(/notes/\w+)">', http.get(notebook).text)
        assert found
        note = found[1]
        writes = {f"{made}/{verb}": {"title": "Mine"} for verb in ("rename", "retry", "share", "delete")}
        writes |= {"/artifacts": {"notebook_id": notebook[11:], "kind": "report"}, f"{note}/to-source": NOTHING}
        writes |= {"/notes/new": {"notebook_id": notebook[11:], "title": "Mine"}, f"{note}/delete": NOTHING}
        writes |= {"/notes/edit": {"note_id": note[7:], "title": "Mine", "content": "Mine", "revision": "1"}}
        http.cookies.clear()
        http.post("/sign-in", data={"token": MEMBER})
        for path in (made, f"{made}/files/csv", f"{made}/shown/md", note):
            assert http.get(path).status_code == 404, path
        for path, form in writes.items():
            assert http.post(path, data=form).status_code == 404, path

        reader = {"notebook_id": notebook[11:], "person_id": "ana", "role": int(Role.VIEWER)}
        locked.run(locked.library.engine.system.write(lambda tx: tx.run("insert_member", **reader)))
        page = http.get(notebook).text
        assert (made in page, note in page, f"{made}/files/csv" in page) == (True, True, True)
        assert actions(page) == ["/sign-out", f"{notebook}/leave", f"{notebook}/ask"]
        assert (actions(http.get(made).text), actions(http.get(note).text)) == ([], [])
        assert "June,14" in http.get(f"{made}/files/csv").text
        for path, form in writes.items():
            assert http.post(path, data=form).status_code == 403, path
        assert "Mine" not in http.get(notebook).text
