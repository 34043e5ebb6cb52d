"""The studio and the notes on a notebook's page, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browser_tabs import browsing, may_freeze, tab
from serving import Served, served

pytestmark = may_freeze

NASTY = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
BEES = """# Honey bees

A honey bee visits about 100 flowers on a flight. It flies up to five kilometres from its hive.

## Dance

Karl von Frisch described the waggle dance in 1927. The angle of the dance tells the direction of the flowers.
"""
RIGHT_TO_LEFT = "يزور النحل مئة زهرة "


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as started:
        yield started


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("home"), embedder="none") as running:
        yield running


@pytest.fixture
def page(browser: Browser, server: Served) -> Iterator[Page]:
    yield from tab(browser, server, accept_downloads=True)


def bees(server: Served) -> str:
    """The address of a notebook with a source."""
    with server.client() as http:
        id = str(http.post("/api/notebook/create", json={"title": "Bees"}).json()["id"])
        source = {"notebook_id": id, "source_type": "text", "title": "Bees", "text": BEES}
        assert http.post("/api/source/add", json=source).status_code == 200
    return f"/notebooks/{id}"


def make(page: Page, kind: str) -> None:
    page.get_by_text("Make something", exact=True).click()
    page.locator(".choosing").get_by_text(kind, exact=True).click()
    page.get_by_role("button", name="Make", exact=True).click()


def test_a_quiz_is_made_answered_renamed_linked_and_deleted(page: Page, server: Served) -> None:
    page.goto(bees(server))
    page.get_by_text("Make something", exact=True).click()
    expect(page.get_by_label("Difficulty").first).to_be_hidden()
    page.get_by_text("Quiz", exact=True).click()
    page.get_by_label("Difficulty").locator("visible=true").select_option("hard")
    page.get_by_role("button", name="Make", exact=True).click()
    row = page.locator("#artifacts .artifact")
    expect(page.locator("#making > summary")).to_be_focused()
    expect(row.locator(".state")).to_have_text("Ready")
    expect(page.locator("#studio .told")).to_contain_text(": Ready")
    row.get_by_text("More", exact=False).first.click()
    expect(row).to_contain_text("Hard")

    row.locator(".name a").click()
    quiz = page.frame_locator("#reader iframe")
    quiz.locator(".options button").first.click()
    expect(quiz.locator(".verdict")).to_be_visible()
    frame = page.frames[-1]
    assert frame.evaluate("self.origin") == "null"
    assert frame.evaluate("(() => { try { return document.cookie } catch (error) { return error.name } })()") == (
        "SecurityError"
    )
    page.get_by_role("button", name="Close").click()
    expect(row.locator(".name a")).to_be_focused()

    with page.expect_download() as download:
        row.get_by_role("link", name="MD").click()
    assert "# Quiz" in Path(download.value.path()).read_text()
    row.get_by_label("New title").fill(NASTY)
    row.get_by_role("button", name="Rename").click()
    expect(row.locator(".name")).to_have_text(NASTY)
    expect(row.locator(".name a")).to_be_focused()
    row.get_by_text("More", exact=False).first.click()
    row.get_by_role("button", name="Get a link").click()
    expect(row.get_by_label("Link for whoever has it")).to_have_value(re.compile(f"^{server.url}/files/."))
    row.locator(".removal > summary").click()
    row.get_by_role("button", name="Delete for good").click()
    expect(row).to_have_count(0)
    expect(page.get_by_text("made of your sources, and true to them")).to_be_visible()
    assert page.title() == "Bees · Quire"


def test_what_is_being_made_is_cancelled_tried_again_and_seen_to_its_end(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path, workers=0, embedder="none") as idle:
        for page in tab(browser, idle):
            page.goto(bees(idle))
            make(page, "Data table")
            row = page.locator("#artifacts .artifact")
            expect(row.locator(".state")).to_have_text("Waiting")
            expect(row.get_by_role("progressbar", name="How far Data table is")).to_be_visible()
            row.get_by_role("button", name="Cancel").click()
            expect(row.locator(".why")).to_have_text("It was cancelled.")
            row.get_by_role("button", name="Try again").click()
            expect(row.locator(".state")).to_have_text("Waiting")
            assert idle.run(idle.library.engine.workers.take())
            expect(row.locator(".state")).to_have_text("Ready")
            row.locator(".name a").click()
            expect(page.locator("#reader table")).to_be_visible()


def test_notes_are_written_changed_and_made_sources(page: Page, server: Served) -> None:
    page.goto(bees(server))
    page.get_by_text("Write a note", exact=True).click()
    page.get_by_label("Title of the note").fill(f"Plan {NASTY}")
    page.get_by_label("Text of the note").fill(f"Buy **frames** {NASTY}")
    page.get_by_role("button", name="Keep").click()
    note = page.locator("#kept .note")
    expect(note.locator(".name")).to_have_text(f"Plan {NASTY}")
    page.get_by_label("Your question").fill("How many flowers does a honey bee visit?")
    page.get_by_label("Your question").press("Enter")
    page.get_by_role("button", name="Save as note").click()
    expect(note.locator(".name")).to_have_text(["How many flowers does a honey bee visit?", f"Plan {NASTY}"])

    note.last.locator("a").click()
    reader = page.get_by_role("dialog")
    expect(reader.locator("strong")).to_have_text("frames")
    reader.get_by_text("Edit", exact=True).click()
    reader.get_by_label("Content").fill("Buy *honey*")
    with server.client() as http:
        id = note.last.get_attribute("data-id")
        assert http.post("/api/note/update", json={"note_id": id, "title": "By another"}).status_code == 200
        reader.get_by_role("button", name="Save").click()
        page.wait_for_selector("#reader .problem:not([hidden])")
        expect(reader.get_by_label("Content")).to_have_value("Buy *honey*")
        page.keyboard.press("Escape")
        expect(note.last.locator(".name")).to_have_text("By another")
    note.last.locator("a").click()
    reader.get_by_text("Edit", exact=True).click()
    reader.get_by_label("Content").fill("Buy *honey*")
    reader.get_by_role("button", name="Save").click()
    expect(reader.locator("em")).to_have_text("honey")
    expect(note.last.locator(".excerpt")).to_have_text("Buy *honey*")
    reader.get_by_role("button", name="Make it a source").click()
    expect(reader).to_be_hidden()
    expect(page.locator("#sources .source.ready .name")).to_have_text(["Bees", "By another"])
    note.last.locator("a").click()
    reader.locator(".removal > summary").click()
    reader.get_by_role("button", name="Delete for good").click()
    expect(note).to_have_count(1)
    assert page.title() == "Bees · Quire"


def test_on_a_narrow_screen_the_regions_are_folded_and_nothing_runs_out_of_it(browser: Browser, server: Served) -> None:
    address = bees(server)
    with server.client() as http:
        for title in ("W" * 300, RIGHT_TO_LEFT * 20):
            wish = {"notebook_id": address[11:], "kind": "data_table", "title": title}
            assert http.post("/api/artifact/make", json=wish).status_code == 200
            note = {"notebook_id": address[11:], "title": title, "content": title * 3}
            assert http.post("/api/note/add", json=note).status_code == 200
    for page in tab(browser, server, color_scheme="dark"):
        page.set_viewport_size({"width": 390, "height": 800})
        page.goto(address)
        regions = page.locator("details.region")
        expect(page.locator("details.region[open]")).to_have_count(0)
        expect(page.get_by_label("Your question")).to_be_in_viewport()
        for region in regions.all():
            region.locator("> summary").click()
        for fold in page.locator(".further-doings > summary, .adding > summary").all():
            fold.click()
        expect(page.get_by_label("New title").last).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        nameless = page.evaluate(
            """[...document.querySelectorAll("input:not([type=hidden]), select, textarea, button, a, summary")]
            .filter((one) => !(one.labels?.length || one.textContent.trim() || one.getAttribute("aria-label")))
            .map((one) => one.outerHTML)"""
        )
        assert nameless == []
        page.locator("#kept a").first.click()
        assert page.evaluate("document.getElementById('reader').scrollWidth") <= 390
        page.keyboard.press("Escape")
        page.set_viewport_size({"width": 1280, "height": 800})
        expect(page.locator("details.region[open]")).to_have_count(3)
