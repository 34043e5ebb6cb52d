"""The pages of notebooks as they come over HTTP, without a browser."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from quire.domain.chat import Answer, Citation
from quire.domain.documents import Place
from quire.domain.sharing import Role, hash_of
from quire.entry.http.notebook_views import paragraphs
from quire.local.people import add_person
from serving import Served, served, until

MEMBER = "a-member's-token"
NOTHING = {"sent": "yes"}
NASTY = "<img src=x onerror=\"alert('owned')\"><script>alert(1)</script>"
SOLAR = (
    "Solar panels turn sunlight into electricity. 🌞🌞 Panels should be cleaned twice a year with soft water. "
    "A pressure washer damages the seals."
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("home"), embedder="none") as running:
        yield running


@pytest.fixture
def http(server: Served) -> Iterator[httpx.Client]:
    with server.client(headers={"Accept": "text/html"}) as client:
        yield client


def made(http: httpx.Client, name: str = "House") -> str:
    """A notebook's address, made as the page makes it."""
    answer = http.post("/notebooks", data={"name": name})
    assert answer.status_code == 303
    return str(answer.headers["location"])


def add(http: httpx.Client, notebook: str, **fields: Any) -> httpx.Response:
    """A source by the form of the page, which always has a part for a file."""
    file = fields.pop("file", ("", b""))
    return http.post("/sources", data={"notebook": notebook.rpartition("/")[2], **fields}, files={"file": file})


def asked(http: httpx.Client, notebook: str, question: str) -> str:
    answer = http.post(f"{notebook}/ask", data={"question": question, "conversation": ""})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def citations(text: str) -> list[str]:
    return [html.unescape(link) for link in re.findall(r'<a class="cite opens" href="([^"#]+)#passage"', text)]


def passage(text: str) -> str:
    found = re.search(r'<mark id="passage" tabindex="-1">(.*?)</mark>', text, re.DOTALL)
    assert found
    return html.unescape(found[1])


def test_a_text_is_asked_and_the_citation_shows_its_passage_by_forms_alone(http: httpx.Client) -> None:
    notebook = made(http)
    assert "Add a source first" in http.get(notebook).text
    assert add(http, notebook, kind="text", text=SOLAR, title="Solar").status_code == 303
    shown = http.get(asked(http, notebook, "How often should panels be cleaned?")).text
    assert "Panels should be cleaned twice a year with soft water." in html.unescape(shown)
    cited = http.get(citations(shown)[0])
    assert cited.status_code == 200
    assert "cleaned twice a year" in passage(cited.text)
    assert passage(cited.text) in SOLAR


def test_a_citation_deep_in_a_long_source_is_shown_with_what_is_around_it(http: httpx.Client) -> None:
    notebook = made(http)
    rows = [f"Row {number} of the ledger lists 🌞 sundry wares." for number in range(2_000)]
    rows[1_200] = "The anchor of the brig weighs four tons."
    assert add(http, notebook, kind="text", text="\n".join(rows), title="Ledger").status_code == 303
    shown = http.get(asked(http, notebook, "How much does the anchor of the brig weigh?")).text
    cited = http.get(citations(shown)[0]).text
    assert "four tons" in passage(cited)
    assert "Row 1199 of" in cited
    assert "Row 1202 of" in cited
    assert "Row 3 of" not in cited
    earlier, later = re.findall(r'<a class="opens" href="([^"]+)">(?:Earlier|Later) text', cited)
    assert "Row 800 of" in http.get(html.unescape(earlier)).text
    assert "Row 1900 of" in http.get(html.unescape(later)).text
    assert http.get(html.unescape(later).replace("start=", "start=x")).status_code == 400


def test_numbers_that_an_answer_itself_holds_are_no_citations() -> None:
    """The first sentence cites twice, and holds what looks like a citation."""
    first, second = "A study [2] of 🌞 panels says so [9].", "Use soft water."
    begin = len(first) + 9
    spans = [(1, 0, len(first)), (2, 0, len(first)), (3, begin, begin + len(second))]
    answer = Answer(
        id="a",
        conversation_id="c",
        question="Why?",
        text=f"{first} [1][2]\n\n{second} [3]",
        citations=[
            Citation(
                number=number,
                source_id="s",
                source_title="Solar",
                version=1,
                passage_id=1,
                start=0,
                end=1,
                excerpt="x",
                place=Place(),
                answer_start=start,
                answer_end=end,
                verified=True,
            )
            for number, start, end in spans
        ],
        confidence="high",
        follow_up_questions=[],
        grounded=True,
        maker="trial",
    )
    shown = [[mark.number if mark else text for text, mark in part if text or mark] for part in paragraphs(answer)]
    assert shown == [[first, 1, 2], [second, 3]]


def test_an_answer_outlives_its_source(http: httpx.Client) -> None:
    notebook = made(http)
    add(http, notebook, kind="text", text=SOLAR, title="Solar")
    answer = asked(http, notebook, "What damages the seals?")
    removal = re.search(rf'action="({notebook}/sources/[^"]+/delete)"', http.get(notebook).text)
    assert removal
    assert http.post(removal[1], data=NOTHING).status_code == 303
    shown = http.get(answer).text
    assert "Add a source first" in shown
    cited = http.get(citations(shown)[0]).text
    assert "The source is not here any more." in cited
    assert "seals" in passage(cited)


def test_a_file_is_added_by_a_form_and_its_state_is_shown(http: httpx.Client) -> None:
    notebook = made(http)
    assert add(http, notebook, kind="file", file=("solar.md", SOLAR.encode())).status_code == 303
    until(lambda: 'data-state="ready"' in http.get(notebook).text)
    assert add(http, notebook, kind="file", file=("broken.pdf", b"%PDF-1.7 no more than this")).status_code == 303
    failed = until(lambda: 'data-state="failed"' in (page := http.get(notebook).text) and page)
    assert re.search(r'<p class="why">[^<]{10,}</p>', failed)
    assert "Could not be read" in failed
    assert 'data-state="ready"' in failed


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"kind": "url", "url": "http://127.0.0.1/secret"}, "public addresses"),
        ({"kind": "url", "url": "javascript:alert(1)"}, "http"),
        ({"kind": "text", "text": "  ", "title": "Kept title"}, "must not be empty"),
        ({"kind": "file"}, "The file is empty."),
    ],
)
def test_a_source_that_cannot_be_added_says_why_and_loses_nothing(
    http: httpx.Client, fields: dict[str, str], says: str
) -> None:
    notebook = made(http)
    answer = add(http, notebook, **fields)
    assert answer.status_code >= 400
    problem = re.search(r'id="adding-problem" role="alert">([^<]+)<', answer.text)
    assert problem
    assert says.lower() in problem[1].lower()
    assert f'value="{fields["kind"]}" checked' in answer.text
    for typed in (fields.get("url"), fields.get("title")):
        assert not typed or f'value="{typed}"' in answer.text


def test_a_question_that_cannot_be_answered_is_not_lost(http: httpx.Client) -> None:
    notebook = made(http)
    refused = http.post(f"{notebook}/ask", data={"question": "Why?", "conversation": ""})
    assert refused.status_code == 409
    assert "The notebook has no sources." in refused.text
    assert ">\nWhy?</textarea>" in refused.text
    add(http, notebook, kind="text", text=SOLAR)
    shown = http.get(asked(http, notebook, "Who won the chess tournament of 1851 in London?")).text
    assert "turn unanswered" in shown
    assert not citations(shown)


def test_questions_go_on_in_a_conversation_or_begin_another(http: httpx.Client) -> None:
    notebook = made(http)
    add(http, notebook, kind="text", text=SOLAR, title="Solar")
    first = asked(http, notebook, "How often should panels be cleaned?")
    conversation = first.partition("conversation=")[2].partition("#")[0]
    http.post(f"{notebook}/ask", data={"question": "What damages the seals?", "conversation": conversation})
    assert http.get(notebook).text.count('id="answer-') == 2
    fresh = http.get(f"{notebook}?conversation=new").text
    assert fresh.count('id="answer-') == 0
    assert "Earlier conversations" in fresh
    assert "What damages the seals?" in fresh
    http.post(f"{notebook}/conversations/{conversation}/delete", data=NOTHING)
    assert http.get(notebook).text.count('id="answer-') == 0


def test_an_answer_is_kept_as_a_note_of_its_notebook(http: httpx.Client) -> None:
    notebook = made(http)
    add(http, notebook, kind="text", text=SOLAR, title="Solar")
    base = citations(http.get(asked(http, notebook, "How often should panels be cleaned?")).text)[0]
    saved = http.post(base.rpartition("/")[0] + "/save", data=NOTHING)
    assert saved.status_code == 303
    note = http.get(saved.headers["location"]).text
    assert "cleaned twice a year" in note
    assert f'<a href="{notebook}">' in note
    assert saved.headers["location"] in http.get(notebook).text
    assert http.post(saved.headers["location"] + "/delete", data=NOTHING).headers["location"] == notebook
    assert saved.headers["location"] not in http.get(notebook).text


def test_a_notebook_is_renamed_and_deleted(http: httpx.Client) -> None:
    notebook = made(http, "Before")
    assert http.post(f"{notebook}/rename", data={"name": f"After {NASTY}"}).headers["location"] == notebook
    assert f"After {html.escape(NASTY)}" in http.get("/").text.replace("&#34;", "&quot;").replace("&#39;", "&#x27;")
    assert http.post(f"{notebook}/rename", data={"name": " "}).status_code == 422
    assert http.post(f"{notebook}/delete", data=NOTHING).headers["location"] == "/"
    assert http.get(notebook).status_code == 404
    assert "After" not in http.get("/").text


def test_nothing_that_is_given_comes_back_as_markup(http: httpx.Client) -> None:
    notebook = made(http, NASTY)
    add(http, notebook, kind="text", text=f"{NASTY} Panels should be cleaned twice a year. {NASTY}", title=NASTY)
    add(http, notebook, kind="file", file=(f"{NASTY}.txt", b"Panels should be cleaned by hand."))
    until(lambda: http.get(notebook).text.count('data-state="ready"') == 2)
    answer = http.get(asked(http, notebook, f"How often should panels be cleaned? {NASTY}"))
    pages = [answer.text, http.get("/").text, *(http.get(link).text for link in citations(answer.text))]
    pages.append(add(http, notebook, kind="url", url=NASTY).text)
    assert len(pages) > 3
    for page in pages:
        assert "<img src=x" not in page
        assert "<script>" not in page
        assert "&lt;img" in page


def test_the_pages_load_nothing_from_elsewhere_and_allow_no_inline_script(http: httpx.Client) -> None:
    notebook = made(http)
    add(http, notebook, kind="text", text=SOLAR)
    page = http.get(asked(http, notebook, "How often should panels be cleaned?"))
    assert "default-src 'self'" in page.headers["content-security-policy"]
    assert not re.search(r'(?:src|href)="(?!/|#)', page.text)
    assert not re.search(r"<script(?![^>]+src=)|\son\w+=|\sstyle=", page.text)
    script = http.get("/static/notebook.js")
    assert script.headers["cache-control"] == "no-cache"
    for name in re.findall(r'from "\./(\w+\.js)"', script.text):
        assert http.get(f"/static/{name}").status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        *("/notebooks", "/sources", "{}/rename", "{}/delete", "{}/ask"),
        *("/artifacts", "{}/artifacts/any/delete", "/notes/new", "/notes/edit"),
    ],
)
def test_a_form_of_another_site_changes_nothing(http: httpx.Client, path: str) -> None:
    notebook = made(http, "Unharmed")
    before = http.get("/api/notebook/list").json()["total"]
    fields = {"name": "evil", "question": "evil", "kind": "text", "text": "evil", "notebook": notebook[11:]}
    fields |= {"notebook_id": notebook[11:], "title": "evil", "content": "evil"}
    files = {"file": ("", b"")} if path == "/sources" else None
    for headers in (
        {"Origin": "http://evil.example"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"},
        {"Origin": "null", "Sec-Fetch-Site": "cross-site"},
    ):
        answer = http.post(path.format(notebook), data=fields, files=files, headers=headers)
        assert answer.status_code == 403
    assert http.get("/api/notebook/list").json()["total"] == before
    assert "Unharmed" in http.get(notebook).text
    assert "evil" not in http.get(notebook).text


def test_a_page_of_another_site_cannot_listen(http: httpx.Client) -> None:
    notebook = made(http)
    headers = {"Accept": "text/event-stream", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}
    assert http.get(f"{notebook}/watch", headers=headers).status_code == 403
    assert http.head(f"{notebook}/watch").status_code == 405
    assert http.get("/notebooks/none/watch").status_code == 404


def test_changes_are_told_as_they_happen_and_only_those_of_the_notebook(http: httpx.Client, server: Served) -> None:
    notebook, other = made(http), made(http)
    with server.client() as listener, listener.stream("GET", f"{notebook}/watch") as events:
        assert events.headers["content-type"].startswith("text/event-stream")
        add(http, other, kind="text", text="Elsewhere.")
        add(http, notebook, kind="text", text=SOLAR)
        source = http.get("/api/source/list", params={"notebook_id": notebook[11:]}).json()["items"][0]["id"]
        told = next(line for line in events.iter_lines() if line.startswith("data:"))
        assert told == f'data: {{"kind":"source.created","id":"{source}"}}'


def test_a_notebook_is_shown_to_its_members_only(tmp_path: Path) -> None:
    with served(tmp_path, token="sesame-sesame-sesame", embedder="none") as locked, locked.client() as http:
        hashed = hash_of(MEMBER.encode())
        locked.run(locked.library.engine.system.write(lambda tx: add_person(tx, "ana", "Ana", hashed, 1)))
        assert http.get("/notebooks/any").status_code == 401
        assert http.post("/notebooks", data={"name": "x"}).status_code == 401
        http.post("/sign-in", data={"token": "sesame-sesame-sesame"})
        session = dict(http.cookies)
        notebook = made(http, "Mine")
        add(http, notebook, kind="text", text=SOLAR)
        cited = citations(http.get(asked(http, notebook, "How often should panels be cleaned?")).text)[0]
        source = re.search(rf'{notebook}/sources/[^"/]+', http.get(notebook).text)
        assert source
        http.cookies.clear()
        http.post("/sign-in", data={"token": MEMBER})
        assert dict(http.cookies) != session
        assert "Mine" not in http.get("/").text
        for path in (notebook, f"{notebook}/watch", cited, source[0]):
            assert http.get(path).status_code == 404, path
        for path in (f"{notebook}/rename", f"{notebook}/delete", f"{source[0]}/delete", f"{notebook}/ask"):
            assert http.post(path, data={"name": "Yours", "question": "What?"}).status_code == 404, path
        assert add(http, notebook, kind="text", text="Yours").status_code == 404

        reader = {"notebook_id": notebook[11:], "person_id": "ana", "role": int(Role.VIEWER)}
        locked.run(locked.library.engine.system.write(lambda tx: tx.run("insert_member", **reader)))
        shown = http.get(notebook).text
        assert ">Mine<" in shown
        assert source[0] in shown
        assert "cleaned twice a year" in http.get(source[0]).text
        assert re.findall(r'<form [^>]*action="([^"]+)"', shown) == [
            "/sign-out",
            f"{notebook}/leave",
            f"{notebook}/ask",
        ]
        assert "How often" not in shown
        assert http.get(cited).status_code in (403, 404)
        assert http.post(f"{notebook}/rename", data={"name": "Yours"}).status_code == 403
