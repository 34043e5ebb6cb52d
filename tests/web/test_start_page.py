"""The start page in a real browser, with its script and without."""

from __future__ import annotations

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browser_tabs import browsing, may_freeze, tab
from pages import answering
from serving import Served, served

pytestmark = may_freeze

NASTY = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as started:
        yield started


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path) as running:
        yield running


@pytest.fixture
def page(browser: Browser, server: Served) -> Iterator[Page]:
    yield from tab(browser, server, excused="status of 422")


@pytest.fixture
def plain(browser: Browser, server: Served) -> Iterator[Page]:
    """A tab without scripts."""
    context = browser.new_context(base_url=server.url, java_script_enabled=False)
    yield context.new_page()
    context.close()


def add(server: Served, title: str, content: str = "") -> str:
    with server.client() as http:
        id: str = http.post("/api/note/add", json={"title": title, "content": content}).json()["id"]
    return id


def titles(page: Page) -> list[str]:
    return page.locator("#notes h3").all_inner_texts()


def test_a_first_visit_says_what_this_is_and_how_to_begin(page: Page, server: Served) -> None:
    page.goto("/")
    expect(page.get_by_text("An open notebook for people and their agents.")).to_be_visible()
    expect(page.get_by_text("No notes yet.")).to_be_visible()
    expect(page.locator("#stdio")).to_contain_text('"args": ["mcp"]')
    expect(page.locator("#http")).to_contain_text(f'"url": "{server.url}/mcp"')
    expect(page.locator("#live")).to_have_text("Live")


def test_a_note_is_added_through_the_form(page: Page) -> None:
    page.goto("/")
    expect(page.locator("#live")).to_have_text("Live")
    page.get_by_label("Title").fill("Written here")
    page.get_by_label("Content").fill("First line\n\nSecond line")
    page.get_by_role("button", name="Add note").click()
    card = page.locator("#notes .card")
    expect(card.get_by_role("heading")).to_have_text("Written here")
    expect(page.locator("#count")).to_have_text("1 note")
    expect(page.get_by_label("Title")).to_have_value("")
    page.reload()
    expect(card.locator(".excerpt")).to_have_text("First line Second line")
    card.get_by_role("link", name="Written here").click()
    expect(page.locator(".whole")).to_have_text("First line\n\nSecond line", use_inner_text=True)


def test_a_note_that_cannot_be_added_says_why(page: Page) -> None:
    page.goto("/")
    page.get_by_label("Title").fill("   ")
    page.get_by_label("Content").fill("Not lost")
    page.get_by_role("button", name="Add note").click()
    page.wait_for_selector("#problem:not([hidden])")
    assert "itle" in page.locator("#problem").inner_text()
    expect(page.get_by_label("Content")).to_have_value("Not lost")
    page.get_by_label("Title").fill("Now it has one")
    page.get_by_role("button", name="Add note").click()
    expect(page.locator("#notes h3")).to_have_text("Now it has one")


def test_changes_by_others_appear_by_themselves(page: Page, server: Served) -> None:
    first = add(server, "Old")
    page.goto("/")
    expect(page.locator("#live")).to_have_text("Live")
    add(server, "By an agent", "Came over the API")
    expect(page.locator("#notes h3")).to_have_text(["By an agent", "Old"])
    expect(page.locator("#count")).to_have_text("2 notes")
    with server.client() as http:
        http.post("/api/note/update", json={"note_id": first, "title": "Renamed"})
        expect(page.locator("#notes h3")).to_have_text(["By an agent", "Renamed"])
        http.post("/api/note/delete", json={"note_id": first})
    expect(page.locator("#notes h3")).to_have_text(["By an agent"])
    expect(page.locator("#count")).to_have_text("1 note")


def test_a_note_of_a_million_blanks_appears_by_itself(page: Page, server: Served) -> None:
    """Were the time for blanks their number squared, the tab would stand still."""
    page.goto("/")
    expect(page.locator("#live")).to_have_text("Live")
    add(server, "Wide", "left" + " " * 999_980 + "right")
    expect(page.locator("#notes .excerpt")).to_have_text("left …")
    assert page.evaluate("1 + 1") == 2


def test_a_title_with_markup_stays_text(page: Page, server: Served) -> None:
    add(server, NASTY, NASTY)
    page.goto("/")
    expect(page.locator("#live")).to_have_text("Live")
    add(server, f"Live {NASTY}", NASTY)
    expect(page.locator("#notes h3")).to_have_text([f"Live {NASTY}", NASTY])
    expect(page.locator("#notes .excerpt").first).to_have_text(NASTY)
    page.goto("/?q=onerror")
    expect(page.locator("#notes mark")).to_have_count(4)
    page.locator("#notes h3 a").last.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(NASTY)
    assert page.title() == f"{NASTY} · Quire"
    assert page.locator("main img, main script").count() == 0


def test_a_note_is_deleted_after_a_second_thought(page: Page, server: Served) -> None:
    add(server, "Keep me")
    add(server, "Drop me")
    page.goto("/")
    expect(page.locator("#live")).to_have_text("Live")
    card = page.locator(".card", has_text="Drop me")
    expect(card.get_by_role("button", name="Delete for good")).to_be_hidden()
    card.locator("summary").click()
    card.get_by_role("button", name="Delete for good").click()
    expect(page.locator("#notes h3")).to_have_text(["Keep me"])


def test_the_search_shows_where_it_matched(page: Page, server: Served) -> None:
    add(server, "Far", "word " * 200 + "needle in the hay" + " word" * 200)
    add(server, "Other", "nothing")
    page.goto("/")
    page.get_by_label("Search notes").fill("NEEDLE")
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_role("heading", level=2).first).to_have_text("1 note matches “NEEDLE”")
    expect(page.locator("#notes mark")).to_have_text("needle")
    page.get_by_role("link", name="Show all notes").click()
    expect(page.locator("#notes .card")).to_have_count(2)


def test_the_snippet_is_copied(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/")
    page.get_by_role("button", name="Copy").first.click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.locator("#stdio").inner_text()


def test_notes_are_imported_and_exported(page: Page, server: Served, tmp_path: Path) -> None:
    source = tmp_path / "mine.md"
    source.write_text("# One\n\nFirst\n\n# Two\n\nSecond\n")
    page.goto("/")
    page.locator("#file").set_input_files(source)
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.locator("#notes h3")).to_have_text(["Two", "One"])
    with page.expect_download() as download:
        page.get_by_role("link", name="export notes").click()
    assert download.value.suggested_filename == "notes.md"
    assert "# One\n\nFirst" in Path(download.value.path()).read_text()


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (768, "dark"), (1280, "light")])
def test_nothing_runs_out_of_the_window(browser: Browser, server: Served, width: int, scheme: str) -> None:
    add(server, "W" * 300, "M" * 900)
    context = browser.new_context(
        base_url=server.url,
        viewport={"width": width, "height": 800},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    tab = context.new_page()
    tab.goto("/")
    expect(tab.locator("#live")).to_have_text("Live")
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    context.close()


def test_everything_that_can_be_used_has_a_name(page: Page, server: Served) -> None:
    add(server, "Named")
    page.goto("/")
    nameless = page.evaluate(
        """[...document.querySelectorAll("main input, main textarea, aside input, button, a, summary")]
        .filter((one) => !(one.labels?.length || one.textContent.trim() || one.getAttribute("aria-label")))
        .map((one) => one.outerHTML)"""
    )
    assert nameless == []
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the notes")).to_be_focused()


def test_without_a_script_one_can_read_write_search_and_delete(plain: Page) -> None:
    plain.goto("/")
    plain.get_by_label("Title").fill(f"Plain {NASTY}")
    plain.get_by_label("Content").fill("One\nTwo")
    plain.get_by_role("button", name="Add note").click()
    assert titles(plain) == [f"Plain {NASTY}"]
    plain.get_by_label("Search notes").fill("two")
    plain.get_by_role("button", name="Search").click()
    expect(plain.locator("#notes mark")).to_have_text("Two")
    plain.locator("#notes h3 a").click()
    expect(plain.locator(".whole")).to_have_text("One\nTwo", use_inner_text=True)
    plain.locator(".removal > summary").click()
    plain.get_by_role("button", name="Delete for good").click()
    expect(plain.get_by_text("No notes yet.")).to_be_visible()


def test_without_a_script_a_refused_note_keeps_its_text(plain: Page) -> None:
    plain.goto("/")
    plain.get_by_label("Title").fill("  ")
    plain.get_by_label("Content").fill("Still here")
    plain.get_by_role("button", name="Add note").click()
    expect(plain.get_by_role("alert")).to_be_visible()
    expect(plain.get_by_label("Content")).to_have_value("Still here")


def test_without_a_script_one_can_turn_the_pages(plain: Page, server: Served) -> None:
    with server.client() as http:
        text = "".join(f"# Note {number}\n\nText\n\n" for number in range(60))
        http.post("/api/note/import", content=text)
    plain.goto("/")
    assert titles(plain)[0] == "Note 59"
    plain.get_by_role("link", name="Older notes").click()
    assert titles(plain) == [f"Note {number}" for number in range(9, -1, -1)]
    plain.get_by_role("link", name="Newest").click()
    assert titles(plain)[0] == "Note 59"


def test_a_browser_signs_in_with_a_token(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path, token="sesame") as locked:
        context = browser.new_context(base_url=locked.url)
        tab = context.new_page()
        tab.goto("/")
        tab.get_by_label("Token").fill("wrong")
        tab.get_by_role("button", name="Sign in").click()
        expect(tab.get_by_text("The token is not valid.")).to_be_visible()
        tab.get_by_label("Token").fill("sesame")
        tab.get_by_role("button", name="Sign in").click()
        expect(tab.locator("#live")).to_have_text("Live")
        assert tab.url == f"{locked.url}/"
        assert "sesame" not in tab.content()
        tab.get_by_label("Title").fill("Signed in")
        tab.get_by_role("button", name="Add note").click()
        expect(tab.locator("#notes h3")).to_have_text("Signed in")
        tab.get_by_role("button", name="Sign out").click()
        expect(tab.get_by_role("heading", name="Sign in")).to_be_visible()
        assert context.cookies() == []
        context.close()


class Blank(BaseHTTPRequestHandler):
    """A site of someone else's, with nothing on it."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>Elsewhere</title><body></body>")


@pytest.fixture
def elsewhere() -> Iterator[str]:
    with answering(Blank) as url:
        yield f"{url}/"


def test_a_page_of_another_site_can_neither_read_nor_write(browser: Browser, server: Served, elsewhere: str) -> None:
    """Its script gets no answer, its form a refusal, and nothing is changed."""
    add(server, "Private")
    context = browser.new_context()
    tab = context.new_page()
    tab.goto(elsewhere)
    sent = tab.evaluate(
        """async (url) => {
          const send = (path, options) => fetch(url + path, options).then((r) => r.type, () => "failed");
          const json = {method: "POST", headers: {"Content-Type": "application/json"}, body: '{"title": "evil"}'};
          return [
            await send("/api/note/list", {}),
            await send("/api/note/add", json),
            await send("/notes", {method: "POST", mode: "no-cors", body: new URLSearchParams({title: "evil"})}),
            await send("/api/note/import", {method: "POST", mode: "no-cors", body: "# evil"}),
          ];
        }""",
        server.url,
    )
    assert sent == ["failed"] * 4
    tab.evaluate(
        """(url) => {
          document.body.innerHTML = `<form method="post" action="${url}/notes"><input name="title" value="evil">
            <button>Win a prize</button></form>`;
        }""",
        server.url,
    )
    tab.get_by_role("button").click()
    expect(tab.get_by_text("Pages of other sites may not call this server.")).to_be_visible()
    context.close()
    with server.client() as http:
        assert [note["title"] for note in http.get("/api/note/list").json()["items"]] == ["Private"]
