"""Notebooks on the page, in a real browser: from the first visit to a cited answer."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import APIResponse, Browser, Page, Route, expect

from browser_tabs import browsing, may_freeze, tab
from pages import answering
from serving import WAIT_SECONDS, Served, served

pytestmark = may_freeze

NASTY = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
SOLAR = (
    "Solar panels turn sunlight into electricity. 🌞🌞 Panels should be cleaned twice a year with soft water. "
    "A pressure washer damages the seals."
)
LEASE = """# Lease

## Rent

The monthly rent is 940 euros, due on the third working day. Anna Weber collects the rent. Anna Weber lives in Ghent.

## Notice

The tenant may end the lease with three months of notice.
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as started:
        yield started


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path / "home", embedder="none") as running:
        yield running


@pytest.fixture
def page(browser: Browser, server: Served) -> Iterator[Page]:
    yield from tab(browser, server)


def notebook(server: Served, *texts: tuple[str, str]) -> str:
    """The address of a notebook with these texts, by title."""
    with server.client() as http:
        id = str(http.post("/api/notebook/create", json={"title": "House"}).json()["id"])
        for title, text in texts:
            source = {"notebook_id": id, "source_type": "text", "title": title, "text": text}
            assert http.post("/api/source/add", json=source).status_code == 200
    return f"/notebooks/{id}"


def choose(page: Page, kind: str) -> None:
    page.locator(".kinds").get_by_text(kind, exact=True).click()


def ask(page: Page, question: str) -> None:
    field = page.get_by_label("Your question")
    field.fill(question)
    # Into the field, wherever the page has put the focus since.
    field.press("Enter")


def test_the_first_source_leads_to_the_question_even_when_it_is_listed_before_its_answer_is_here(
    page: Page, server: Served
) -> None:
    held: list[tuple[Route, APIResponse]] = []
    page.route("**/api/source/add", lambda route: held.append((route, route.fetch())))
    page.goto(notebook(server))
    page.get_by_placeholder("Paste a text here").fill(SOLAR)
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator(".source.ready")).to_have_count(1)
    expect(page.get_by_label("Your question")).not_to_be_focused()
    route, response = held.pop()
    route.fulfill(response=response)
    expect(page.get_by_label("Your question")).to_be_focused()


def test_a_first_visit_leads_to_a_cited_answer(page: Page, tmp_path: Path) -> None:
    lease = tmp_path / "lease.md"
    lease.write_text(LEASE)
    page.goto("/")
    page.get_by_label("What is your first notebook about?").fill("House")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="House", level=1)).to_be_visible()
    expect(page.get_by_text("Add a source first")).to_be_visible()
    expect(page.get_by_label("Your question")).to_be_disabled()

    page.get_by_placeholder("Paste a text here").fill(SOLAR)
    page.get_by_label("Title of the text").fill("Solar")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator(".source.ready .name")).to_have_text(["Solar"])
    expect(page.get_by_label("Your question")).to_be_focused()
    page.get_by_text("Add a source", exact=True).click()
    choose(page, "File")
    page.locator("#file").set_input_files(lease)
    expect(page.locator(".source.ready .name")).to_have_text(["Solar", "Lease"])
    expect(page.locator("#uploads li")).to_have_count(0)

    ask(page, "How often should panels be cleaned?")
    first = page.locator(".turn").first
    expect(first.locator(".answer")).to_contain_text("cleaned twice a year with soft water")
    cite = first.locator(".answer p", has_text="twice a year").get_by_role("link", name="Citation 1: Solar")
    cite.click()
    reader = page.get_by_role("dialog")
    expect(reader.get_by_role("heading", level=1)).to_have_text("Solar")
    expect(reader.locator("mark")).to_contain_text("Panels should be cleaned twice a year with soft water.")
    expect(reader.locator("mark")).to_be_focused()
    assert reader.locator(".whole").inner_text() == SOLAR
    page.keyboard.press("Escape")
    expect(reader).to_be_hidden()
    expect(cite).to_be_focused()

    ask(page, "How much is the monthly rent?")
    second = page.locator(".turn").nth(1)
    expect(second.locator(".answer")).to_contain_text("940 euros")
    expect(second.locator(".cited li", has_text="Lease").locator(".place").first).to_contain_text("Rent")
    second.locator(".answer p", has_text="940 euros").locator(".cite").click()
    expect(reader.locator("mark")).to_contain_text("The monthly rent is 940 euros")
    expect(reader.locator(".place")).to_contain_text("Rent")
    reader.get_by_role("button", name="Close").click()

    further = second.locator(".further button").first
    question = further.inner_text()
    assert question.endswith("?")
    further.click()
    expect(page.locator(".turn .question")).to_have_text(
        ["How often should panels be cleaned?", "How much is the monthly rent?", question]
    )
    expect(page.locator(".turn[aria-busy]")).to_have_count(0)
    second.get_by_role("button", name="Save as note").click()
    expect(second.get_by_role("link", name="Saved as a note")).to_be_focused()
    expect(page.locator("#kept a")).to_have_text("How much is the monthly rent?")
    page.reload()
    expect(page.locator(".turn")).to_have_count(3)
    page.get_by_role("link", name="New conversation").click()
    expect(page.locator(".turn")).to_have_count(0)


def test_what_cannot_be_added_says_why_and_hides_nothing(page: Page, server: Served, tmp_path: Path) -> None:
    broken, empty = tmp_path / "broken.pdf", tmp_path / "empty.txt"
    broken.write_bytes(b"%PDF-1.7 no more than this")
    empty.write_bytes(b"")
    page.goto(notebook(server, ("Solar", SOLAR)))
    page.get_by_text("Add a source", exact=True).click()
    choose(page, "Web page")
    page.get_by_label("Address of the web page").fill("127.0.0.1:1/secret")
    page.keyboard.press("Enter")
    page.wait_for_selector("#adding-problem:not([hidden])")
    expect(page.locator("#adding-problem")).to_contain_text("Only public addresses are fetched")
    expect(page.get_by_label("Address of the web page")).to_have_value("https://127.0.0.1:1/secret")
    expect(page.locator(".source")).to_have_count(1)
    choose(page, "File")
    page.locator("#file").set_input_files([broken, empty])
    expect(page.locator(".source.failed .name")).to_have_text("broken.pdf")
    assert len(page.locator(".source.failed .why").inner_text()) > 10
    expect(page.locator("#uploads .why")).to_have_text("The file is empty.")
    page.get_by_role("button", name="Dismiss").click()
    expect(page.locator("#uploads li")).to_have_count(0)
    ask(page, "How often should panels be cleaned?")
    expect(page.locator(".turn .cite").first).to_be_visible()
    failed = page.locator(".source.failed")
    failed.locator("summary").click()
    failed.get_by_role("button", name="Delete for good").click()
    expect(page.locator(".source .name")).to_have_text(["Solar"])
    expect(page.locator("#adding > summary")).to_be_focused()


def test_hostile_texts_are_inert(page: Page, server: Served, tmp_path: Path) -> None:
    page.goto("/")
    page.get_by_label("What is your first notebook about?").fill(NASTY)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(NASTY)
    page.get_by_placeholder("Paste a text here").fill(f"{NASTY} Panels should be cleaned twice a year. [1] [7] {NASTY}")
    page.get_by_label("Title of the text").fill(NASTY)
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator(".source .name")).to_have_text(NASTY)
    question = f"How often should panels be cleaned? {NASTY}"
    ask(page, question)
    expect(page.locator(".turn .question")).to_have_text(question)
    expect(page.locator(".turn .cite").first).to_be_visible()
    page.locator(".turn .cite").first.click()
    expect(page.get_by_role("dialog").locator(".whole")).to_contain_text(NASTY)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Save as note").click()
    expect(page.locator("#kept a")).to_have_text(question)
    files = page.evaluate_handle(
        """(name) => {
          const dropped = new DataTransfer();
          dropped.items.add(new File(["Panels are blue."], `${name}.txt`));
          return dropped;
        }""",
        NASTY,
    )
    page.dispatch_event("body", "drop", {"dataTransfer": files})
    expect(page.locator(".source.ready")).to_have_count(2)
    page.goto("/")
    expect(page.locator(".spines a")).to_have_text(NASTY)
    assert page.title() == "Quire"
    assert page.locator("main img, aside img, main script, aside script").count() == 0


def test_several_files_are_dropped_on_the_page(page: Page, server: Served) -> None:
    page.goto(notebook(server))
    files = page.evaluate_handle(
        """() => {
          const dropped = new DataTransfer();
          for (const name of ["one.txt", "two.md"]) dropped.items.add(new File([`This is ${name}.`], name));
          return dropped;
        }"""
    )
    page.dispatch_event("body", "dragover", {"dataTransfer": files})
    expect(page.locator("body.dropping")).to_be_visible()
    held: list[Route] = []
    page.route("**/api/source/upload*", lambda route: route.continue_() if held else held.append(route))
    page.dispatch_event("body", "drop", {"dataTransfer": files})
    expect(page.locator("body.dropping")).to_have_count(0)
    expect(page.locator("#uploads .name")).to_have_text(["one.txt", "two.md"])
    expect(page.get_by_role("progressbar", name="Sending one.txt")).to_be_visible()
    held[0].continue_()
    expect(page.locator(".source.ready .name")).to_have_text(["one.txt", "two.md"])
    expect(page.locator("#uploads li")).to_have_count(0)


def test_the_state_of_a_source_is_live(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path / "idle", workers=0, embedder="none") as idle:
        for opened in tab(browser, idle):
            address = notebook(idle)
            opened.goto(address)
            expect(opened.locator("#live")).to_be_visible()
            with idle.client() as http:
                query = {"notebook_id": address.rpartition("/")[2], "name": "solar.md", "wait": "false"}
                id = http.post("/api/source/upload", params=query, content=SOLAR.encode()).json()["id"]
                expect(opened.locator(".source.processing .name")).to_have_text("solar.md")
                expect(opened.locator(".source .state")).to_have_text("Reading")
                assert idle.run(idle.library.engine.workers.take())
                expect(opened.locator(".source.ready .state")).to_have_text("Ready")
                expect(opened.locator("#told")).to_have_text("solar.md: Ready")
                expect(opened.get_by_label("Your question")).to_be_enabled()
                http.post("/api/source/delete", json={"source_id": id})
                expect(opened.locator(".source")).to_have_count(0)
                expect(opened.get_by_label("Your question")).to_be_disabled()


class SlowModel(BaseHTTPRequestHandler):
    """A language model that stops after its first words until it is told to go on."""

    go_on = threading.Event()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self._say("Panels should be cleaned")
        self.go_on.wait(WAIT_SECONDS)
        self._say(" twice a year with soft water [1].", "stop")
        self.wfile.write(b"data: [DONE]\n\n")

    def _say(self, text: str, end: str | None = None) -> None:
        said = {"choices": [{"delta": {"content": text}, "finish_reason": end}]}
        self.wfile.write(f"data: {json.dumps(said)}\n\n".encode())
        self.wfile.flush()


def test_an_answer_is_seen_while_it_is_written(browser: Browser, tmp_path: Path) -> None:
    with answering(SlowModel) as url:
        try:
            with served(tmp_path / "model", model_url=f"{url}/v1", model="slow", embedder="none") as server:
                for page in tab(browser, server):
                    page.goto(notebook(server, ("Solar", SOLAR)))
                    ask(page, "How often should panels be cleaned?")
                    expect(page.locator(".turn[aria-busy] .answer")).to_have_text("Panels should be cleaned")
                    expect(page.locator(".cite")).to_have_count(0)
                    SlowModel.go_on.set()
                    expect(page.locator(".turn:not([aria-busy]) .answer p")).to_contain_text("with soft water.")
                    page.locator(".cite").first.click()
                    expect(page.locator("#passage")).to_contain_text("twice a year with soft water")
        finally:
            SlowModel.go_on.set()


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1280, "light")])
def test_nothing_runs_out_of_the_window(browser: Browser, server: Served, width: int, scheme: Any) -> None:
    long = "W" * 300
    for page in tab(browser, server, color_scheme=scheme):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(notebook(server, (long, f"{long} Panels should be cleaned twice a year. {long}"), ("Solar", SOLAR)))
        ask(page, f"How often should panels be cleaned? {long}")
        expect(page.locator(".turn .cite").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.locator(".turn .cite").first.click()
        expect(page.locator("#passage")).to_be_in_viewport()
        box = page.locator("#reader").bounding_box()
        assert box
        assert box["x"] >= 0
        assert page.evaluate("document.getElementById('reader').scrollWidth") <= width


def test_everything_that_can_be_used_has_a_name_and_is_reached_by_keyboard(page: Page, server: Served) -> None:
    page.goto(notebook(server, ("Solar", SOLAR)))
    ask(page, "How often should panels be cleaned?")
    expect(page.locator(".turn .cite").first).to_be_visible()
    nameless = page.evaluate(
        """[...document.querySelectorAll("input:not([type=hidden]), textarea, button, a, summary, progress, dialog")]
        .filter((one) => !(one.labels?.length || one.textContent.trim() || one.getAttribute("aria-label")))
        .map((one) => one.outerHTML)"""
    )
    assert nameless == []
    page.reload()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the questions")).to_be_focused()
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.cite')"):
            break
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").locator("mark")).to_be_focused()


def test_without_a_script_one_gets_to_a_cited_answer(browser: Browser, server: Served, tmp_path: Path) -> None:
    lease = tmp_path / "lease.md"
    lease.write_text(LEASE)
    context = browser.new_context(base_url=server.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/")
    page.get_by_label("What is your first notebook about?").fill("House")
    page.get_by_role("button", name="Make a notebook").click()
    page.get_by_placeholder("Paste a text here").fill(SOLAR)
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator(".source.ready")).to_have_count(1)
    page.get_by_text("Add a source", exact=True).click()
    choose(page, "File")
    page.locator("#file").set_input_files(lease)
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator(".source")).to_have_count(2)
    page.get_by_label("Your question").fill("How much is the monthly rent?")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.locator(".answer p", has_text="940 euros").locator(".cite").click()
    expect(page.locator("mark")).to_contain_text("The monthly rent is 940 euros")
    expect(page.locator("mark")).to_be_in_viewport()
    page.get_by_role("link", name="House").click()
    page.get_by_role("button", name="Save as note").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("How much is the monthly rent?")
    context.close()


def test_a_signed_in_browser_asks_and_a_signed_out_one_is_told(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path / "locked", token="sesame-sesame-sesame", embedder="none") as locked:
        for page in tab(browser, locked):
            page.goto("/")
            page.get_by_label("Token").fill("sesame-sesame-sesame")
            page.get_by_role("button", name="Sign in").click()
            page.get_by_label("What is your first notebook about?").fill("House")
            page.keyboard.press("Enter")
            expect(page.locator("#live")).to_be_visible()
            page.get_by_placeholder("Paste a text here").fill(SOLAR)
            page.get_by_role("button", name="Add", exact=True).click()
            expect(page.locator(".source.ready")).to_have_count(1)
            ask(page, "How often should panels be cleaned?")
            expect(page.locator(".cite").first).to_be_visible()
            page.context.clear_cookies()
            ask(page, "What damages the seals?")
            expect(page.locator("#asking-problem")).to_contain_text("You are signed out.")
            expect(page.get_by_label("Your question")).to_have_value("What damages the seals?")
