"""Every kind with each value of each of its options once, of real documents, each file opened by another program.

`make test-studio`. The documents are the tests' own, and those in the folder that QUIRE_DOCUMENTS names.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, get_args

import pytest
from documents import LIGHTHOUSES, OWLS
from openers import Opened, opened

import quire
from quire.domain.artifact_options import OPTIONS
from quire.domain.artifacts import Artifact, ArtifactKind
from quire.domain.errors import QuireError
from quire.domain.files import Upload
from quire.entry.sync import SyncLibrary
from quire.studio.kinds import KINDS
from quire.studio.labels import labels

pytestmark = pytest.mark.long

CHROMIUM = shutil.which("chromium")
FOLDER = os.environ.get("QUIRE_DOCUMENTS", "")
NOTEBOOKS = ("own", "real")
LANGUAGES = ("en", "de", "fr", "es")
# Videos take as long as all the rest together, and have their own tests.
HERE: tuple[ArtifactKind, ...] = tuple(kind for kind in KINDS if kind != "video")
SHORT = {"audio": {"length": "short"}}


class Studio:
    """A notebook whose artifacts are made once, however many tests look at them."""

    def __init__(self, library: SyncLibrary, notebook: str, browser: Any) -> None:
        self.library = library
        self.notebook = notebook
        self.browser = browser
        self._made: dict[Any, Made] = {}

    def made(self, kind: ArtifactKind, **options: Any) -> Made:
        key = (kind, tuple(sorted(options.items())))
        if key not in self._made:
            artifact = self.library.artifacts.generate(self.notebook, kind, **options)
            content = self.library.artifacts.get_content(self.notebook, artifact.id).content
            files = {
                format: opened(format, self.file(artifact, format), self.browser)
                for format in artifact.formats
                if format != "html" or self.browser is not None
            }
            self._made[key] = Made(artifact, content, files)
        return self._made[key]

    def file(self, artifact: Artifact, format: str) -> bytes:
        download = self.library.artifacts.download(self.notebook, artifact.id, format)
        # The browser's loop runs on this thread.
        with ThreadPoolExecutor(1) as aside:
            return aside.submit(lambda: asyncio.run(download.read())).result()


class Made:
    def __init__(self, artifact: Artifact, content: dict[str, Any], files: dict[str, Opened]) -> None:
        self.artifact = artifact
        self.content = content
        self.files = files


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        yield None
        return
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield started
        started.close()


@pytest.fixture(scope="module")
def library() -> Iterator[SyncLibrary]:
    with quire.open_sync(store="memory", embedder="none", voice="embedded") as opened_one:
        yield opened_one


@pytest.fixture(scope="module", params=NOTEBOOKS)
def studio(request: pytest.FixtureRequest, library: SyncLibrary, browser: Any) -> Studio:
    if request.param == "own":
        notebook = library.notebooks.create("Night and light").id
        library.sources.add_text(notebook, "Owls", OWLS)
        library.sources.add_text(notebook, "Lighthouses", LIGHTHOUSES)
        return Studio(library, notebook, browser)
    if not FOLDER:
        pytest.skip("QUIRE_DOCUMENTS names no folder")
    notebook = library.notebooks.create("Documents").id
    read = 0
    for file in sorted(Path(FOLDER).iterdir()):
        try:
            library.sources.add_file(notebook, Upload.of(file))
            read += 1
        except QuireError:
            continue
    assert read > 5
    return Studio(library, notebook, browser)


def choices() -> Iterator[tuple[ArtifactKind, str, str]]:
    for kind in HERE:
        yield kind, "", ""
        for name, field in OPTIONS[kind].model_fields.items():
            yield from ((kind, name, value) for value in get_args(field.annotation))


def walked(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    yield name, value
    for key, one in value.items() if isinstance(value, dict) else ():
        yield from walked(one, key)
    for one in value if isinstance(value, list) else ():
        yield from walked(one, name)


def without_notes(content: dict[str, Any]) -> dict[str, Any]:
    return {**content, "slides": [{**slide, "notes": []} for slide in content["slides"]]}


def statements(content: Any) -> list[str]:
    return [one["text"] for _, one in walked(content) if isinstance(one, dict) and {"text", "grounds"} <= one.keys()]


def flat(text: str) -> str:
    """As it is compared: letters and digits alone, because readers differ in spaces, marks and hyphens."""
    return re.sub(r"[\W_]+", "", text).casefold()


@pytest.mark.parametrize(("kind", "option", "value"), list(choices()), ids=lambda one: one or "-")
def test_each_value_of_each_option_is_made_whole(studio: Studio, kind: ArtifactKind, option: str, value: str) -> None:
    options = {**SHORT.get(kind, {}), **({option: value} if option else {})}
    made = studio.made(kind, **options)
    assert made.artifact.state == "ready"
    assert made.artifact.maker == "extractive"
    assert made.artifact.error is None
    if option:
        assert made.artifact.options[option] == value
    told = statements(made.content)
    if kind != "data_table":
        assert told
    assert all(one.strip() for one in told)
    for name, one in walked(made.content):
        if name in ("title", "heading", "question", "front", "back", "label", "options") and isinstance(one, str):
            assert one == one.strip(), (name, one)
        if name in ("turns", "blocks", "figures", "steps", "events", "cards", "slides", "chapters"):
            assert one != [], f"empty {name}"
    for format, file in made.files.items():
        assert file.parts, format
        assert any(part.strip() for part in file.parts), format
        if format not in ("mp3", "wav", "png", "zip"):
            shown = flat(file.text)
            # What is said to a slide is in the notes of the presentation, and not on its pages.
            seen_there = statements(without_notes(made.content)) if (kind, format) == ("slide_deck", "pdf") else told
            missing = [one for one in seen_there if readable_in(format, one) and not seen(one, shown)]
            least = 0.5 if format == "pptx" or kind == "quiz" else 0.9
            # Trees are names, cards have two sides, and pages of questions show one at a time.
            if kind not in ("mind_map", "flashcards") and (format != "html" or kind == "report"):
                assert len(missing) <= (1 - least) * len(seen_there), (format, missing[:3])


def readable_in(format: str, statement: str) -> bool:
    """Readers of PDF give letters that go from right to left as they are drawn; captions are of what is spoken."""
    latin = all(ord(letter) < 0x590 for letter in statement)
    return latin if format in ("pdf", "svg", "vtt") else True


def seen(statement: str, shown: str) -> bool:
    """Its beginning, because long ones may be broken by a page; of a table's row what it is about."""
    about, _, cells = statement.partition(" – ")
    return flat(statement)[:40] in shown or (cells != "" and flat(about) in shown)


def repeated(parts: list[str]) -> list[str]:
    return [one for one, times in Counter(flat(part) for part in parts).items() if times > 1 and len(one) > 12]


@pytest.mark.parametrize("kind", HERE)
def test_no_part_of_an_artifact_stands_there_twice(studio: Studio, kind: ArtifactKind) -> None:
    made = studio.made(kind, **SHORT.get(kind, {}))
    match kind:
        case "report":
            told = [
                item["statement"]["text"]
                for section in made.content["sections"]
                for block in section["blocks"]
                if block["form"] in ("paragraph", "bullets")
                for item in block["items"]
            ]
            assert repeated(told) == []
            assert repeated([section["heading"] for section in made.content["sections"] if section["level"] == 2]) == []
        case "quiz":
            assert repeated([one["question"] for one in made.content["questions"]]) == []
        case "flashcards":
            assert repeated([one["front"] for one in made.content["cards"]]) == []
            assert repeated(made.files["apkg"].parts) == []
        case "mind_map":
            children = [
                [child["name"] for child in one.get("children", [])]
                for _, one in walked(made.content["root"])
                if isinstance(one, dict)
            ]
            assert all(repeated(names) == [] for names in children)
        case "data_table":
            assert repeated(made.files["csv"].parts) == []
        case "slide_deck":
            assert repeated(made.files["pptx"].parts) == []
        case "infographic":
            assert repeated(statements(made.content)) == []
        case "audio":
            assert repeated(statements(made.content)) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", HERE)
def test_headings_and_labels_are_in_the_language_that_was_asked_for(
    studio: Studio, kind: ArtifactKind, language: str
) -> None:
    made = studio.made(kind, language=language, **SHORT.get(kind, {}))
    words = labels(language)
    assert made.artifact.language == language
    assert made.content["language"] == language
    titles = {
        "report": words.briefing_doc,
        "quiz": words.quiz,
        "flashcards": words.flashcards,
        "mind_map": words.mind_map,
        "data_table": words.data_table,
    }
    if kind in titles:
        assert made.artifact.title.startswith(titles[kind].split("{}")[0].strip())
    told = {name: one for name, one in walked(made.content) if isinstance(one, str)}
    if "sources_heading" in told:
        assert told["sources_heading"] == words.sources
    if language != "en":
        assert made.content["remark"], "nothing says that quotes stay in their language"


def test_quantities_and_lengths_mean_more(studio: Studio) -> None:
    def count(kind: ArtifactKind, name: str, **options: str) -> int:
        return len(studio.made(kind, **options).content[name])

    for kind, name in (("quiz", "questions"), ("flashcards", "cards")):
        few, usual, many = (count(kind, name, quantity=one) for one in ("fewer", "standard", "more"))  # type: ignore[arg-type]
        assert 0 < few <= usual <= many
        assert few < many
    decks = [studio.made("slide_deck", length=one).files["pptx"] for one in ("short", "default")]
    assert 3 <= len(decks[0].parts) < len(decks[1].parts)
    details = [len(statements(studio.made("infographic", detail=one).content)) for one in ("concise", "detailed")]
    assert details[0] < details[1]
    seconds = [studio.made("audio", length=one).files["mp3"].size[0] for one in ("short", "default", "long")]
    assert 20 < seconds[0] < seconds[2]
    assert seconds == sorted(seconds)


def test_forms_differ_as_they_should(studio: Studio) -> None:
    detailed = studio.made("slide_deck", format="detailed_deck").files["pptx"]
    presenter = studio.made("slide_deck", format="presenter_slides").files["pptx"]

    def words(deck: Opened) -> float:
        return len(deck.text.split()) / len(deck.parts)

    assert words(presenter) <= words(detailed) + 1
    assert len(presenter.more["notes"][1]) > 0
    assert sum(bool(one.strip()) for one in presenter.more["notes"]) > len(presenter.parts) / 2
    for orientation, fits in (
        ("landscape", lambda wide, high: wide > high),
        ("portrait", lambda wide, high: wide < high),
        ("square", lambda wide, high: wide == high),
    ):
        for format in ("png", "svg"):
            assert fits(*studio.made("infographic", orientation=orientation).files[format].size), (orientation, format)
    brief = studio.made("audio", format="brief", length="short").content
    assert {turn["host"] for chapter in brief["chapters"] for turn in chapter["turns"]} == {1}


def test_pages_of_every_deck_are_as_many_as_its_slides(studio: Studio) -> None:
    made = studio.made("slide_deck")
    slides = made.files["pptx"].parts
    assert len(slides) == len(made.files["pdf"].parts) == len(made.files["zip"].parts)
    for slide, page in zip(slides, made.files["pdf"].parts, strict=True):
        assert flat(slide.split("\n")[0])[:30] in flat(page)


def test_tables_are_the_same_in_every_format_and_each_row_names_its_source(studio: Studio) -> None:
    files = studio.made("data_table").files
    rows = files["csv"].more["rows"]
    assert len(rows) > 1
    assert [len(row) for row in files["xlsx"].more["rows"]] == [len(row) for row in rows]
    titles = {source.title for source in studio.library.sources.list(studio.notebook, limit=100)}
    names = titles | {Path(title).stem for title in titles}
    strange = [row[-1] for row in rows[1:] if not any(name in row[-1] for name in names)]
    assert strange == []


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
def test_a_quiz_and_cards_can_be_gone_through_in_a_browser(studio: Studio, tmp_path: Path) -> None:
    made = studio.made("quiz")
    file = tmp_path / "quiz.html"
    file.write_bytes(studio.file(made.artifact, "html"))
    page = studio.browser.new_page()
    page.goto(file.as_uri())
    for question in made.content["questions"]:
        assert flat(question["question"]) in flat(page.evaluate("document.body.innerText"))
        page.get_by_role("button", name=question["options"][question["answer"]], exact=True).first.click()
        assert flat(question["explanation"]["text"])[:60] in flat(page.evaluate("document.body.innerText"))
        page.get_by_role("button", name=re.compile("next|score|result|again", re.IGNORECASE)).first.click()
    text = page.evaluate("document.body.innerText")
    assert str(len(made.content["questions"])) in text
    page.close()
