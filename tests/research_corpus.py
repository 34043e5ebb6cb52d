"""Pages on loopback, generated and always the same, with a small search server that answers as SearXNG does."""

from __future__ import annotations

import json
import math
import re
import threading
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit

from pages import answering, article
from quire.domain.documents import Place
from quire.domain.passages import Passage
from quire.domain.research import ResearchRun
from quire.text.check_citations import check

CRAFTS = (
    "beekeeping", "bookbinding", "glassblowing", "cheesemaking", "ropemaking", "papermaking", "thatching", "tanning",
    "bell casting", "clockmaking", "coopering", "dyeing", "falconry", "gilding", "lacework", "millstone cutting",
    "net weaving", "pewter casting", "saddlery", "salt boiling",
)  # fmt: skip
SIDES = {
    "history": "The history of {craft} in {place} begins in {year}, when {name} opened the first workshop there.",
    "tools": "The main tool of {craft} in {place} is the {tool}, which is {number} centimetres long.",
    "effects": "One effect of {craft} in {place} is that {number} families live by it.",
    "problems": "The greatest problem of {craft} in {place} is the lack of {stuff} since {year}.",
    "mechanism": "The mechanism of {craft} in {place} works by pressing {stuff} with the {tool} for {number} hours.",
}
PLACES = (
    "Arnvale", "Borrow", "Castlin", "Dunmere", "Eskholm", "Farrow", "Gildon", "Hartsea", "Inverlee", "Jorvale",
    "Kelmoor", "Lindry", "Marsk", "Norley", "Ostwick", "Pellan", "Quern", "Rosket", "Stourby", "Tarnley",
)  # fmt: skip
NAMES = ("Ada Holm", "Bram Tuke", "Cora Venn", "Davin Orr", "Elsa Pryde", "Finn Gale", "Greta Moss", "Hugh Dale")
TOOLS = ("bent needle", "long shuttle", "iron rake", "stone roller", "wooden press", "copper ladle", "curved knife")
STUFFS = ("dry reed", "soft wax", "clean lye", "grey clay", "oak bark", "river sand", "goose grease")
WORD = re.compile(r"[a-z]{3,}")
SOURCE = re.compile(r"^(\d+)\. \[[^\]]*\]\(([^)]*)\)$", re.MULTILINE)
CLAIM = re.compile(r"^(?:- )?(.*?) ((?:\[\d+\])+)$")


class Corpus:
    """`asked` are the searches, `read` the pages that were fetched. What is in `held` answers once it is let go."""

    def __init__(self, size: int) -> None:
        self.url = ""
        self.pages = [self._page(number) for number in range(size)]
        self.asked: list[str] = []
        self.read: list[str] = []
        self.held: threading.Event | None = None
        self.hold_after = 0
        self._having: dict[str, Counter[int]] = defaultdict(Counter)
        for number, (title, paragraphs) in enumerate(self.pages):
            for word in WORD.findall(f"{title} {title} {' '.join(paragraphs)}".lower()):
                self._having[word][number] += 1

    def _page(self, number: int) -> tuple[str, list[str]]:
        craft = CRAFTS[number % len(CRAFTS)]
        side = tuple(SIDES)[number // len(CRAFTS) % len(SIDES)]
        place = PLACES[number // (len(CRAFTS) * len(SIDES)) % len(PLACES)]
        facts = {
            "craft": craft,
            "place": place,
            "year": 1500 + number * 37 % 450,
            "name": NAMES[number % len(NAMES)],
            "tool": TOOLS[number * 3 % len(TOOLS)],
            "stuff": STUFFS[number * 5 % len(STUFFS)],
            "number": 10 + number * 7 % 80,
        }
        others = [line.format(**facts) for line in SIDES.values()]
        title = f"The {side} of {craft} in {place}"
        opening = f"{craft.capitalize()} is a craft that is practised in {place} to this day."
        return title, list(dict.fromkeys([opening, SIDES[side].format(**facts), others[number % len(others)]]))

    def address(self, number: int) -> str:
        return f"{self.url}/page/{number}"

    def text(self, url: str) -> str:
        return "\n".join(self.pages[int(url.rpartition("/")[2])][1])

    def search(self, query: str, limit: int = 20) -> list[int]:
        scores: Counter[int] = Counter()
        for word in dict.fromkeys(WORD.findall(query.lower())):
            having = self._having.get(word, {})
            for number, count in having.items():
                scores[number] += count / (count + 1) * math.log(1 + len(self.pages) / len(having))  # type: ignore[assignment]
        return [number for number, _ in sorted(scores.items(), key=lambda one: (-one[1], one[0]))[:limit]]


@contextmanager
def serving_corpus(size: int) -> Iterator[Corpus]:
    corpus = Corpus(size)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            if parts.path == "/search":
                (query,) = parse_qs(parts.query)["q"]
                corpus.asked.append(query)
                results = [
                    {
                        "url": corpus.address(number),
                        "title": corpus.pages[number][0],
                        "content": corpus.pages[number][1][0],
                    }
                    for number in corpus.search(query)
                ]
                self.answer("application/json", json.dumps({"results": results}).encode())
            else:
                number = int(parts.path.rpartition("/")[2])
                corpus.read.append(corpus.address(number))
                if corpus.held is not None and len(corpus.read) > corpus.hold_after:
                    corpus.held.wait(60)
                title, paragraphs = corpus.pages[number]
                self.answer("text/html; charset=utf-8", article(title, *paragraphs).encode())

        def answer(self, media_type: str, data: bytes) -> None:
            # Whoever asked may have been killed meanwhile.
            with suppress(ConnectionError):
                self.send_response(200)
                self.send_header("Content-Type", media_type)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

    with answering(Handler) as url:
        corpus.url = url
        try:
            yield corpus
        finally:
            if corpus.held is not None:
                corpus.held.set()


def check_report(run: ResearchRun, corpus: Corpus) -> dict[int, str]:
    """Every line of the report that claims something cites pages that were read, and these say so."""
    report = run.report or ""
    sources = {int(number): url for number, url in SOURCE.findall(report)}
    assert sources
    assert set(sources.values()) <= set(corpus.read)
    body = report.partition("\n## Sources")[0]
    told = [line for block in body.split("\n\n")[1:] for line in block.splitlines() if not line.startswith("#")]
    unanswered = body.partition("What the pages do not tell")[2].strip().splitlines()
    for line in told:
        if line in unanswered:
            continue
        for claim in re.split(r"(?<=\]) (?=[A-Z])", line):
            found = CLAIM.fullmatch(claim)
            assert found, f"it cites nothing: {claim}"
            for number in re.findall(r"\d+", found[2]):
                text = corpus.text(sources[int(number)])
                passage = Passage(
                    id=1, source_id="s", source_title="t", version=1, start=0, end=len(text), text=text, place=Place()
                )
                assert check(found[1], passage).fault is None, claim
    return sources
