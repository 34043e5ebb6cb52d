"""How well Quire reads the article of a web page: `python benchmarks/articles.py DIR [--worst N] [--json FILE]`.

DIR holds `ground-truth.json` ({id: {articleBody, url}}) and the pages as `html/ID.html.gz`, as zyte's
article-extraction-benchmark has them. Each page is added twice to a library, by an address on this machine and as a
file that somebody saved. Precision and recall count runs of four words; F1 is of their means, as there.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import re
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Mapping, Sequence
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from quire.api.library import Library
from quire.domain.files import Upload
from quire.domain.sources import Source
from quire.entry.bootstrap import build
from quire.entry.settings import load

WORD = re.compile(r"\w+")
RUN = 4
MARKS = re.compile(r"^[#>\-|\s]+", re.MULTILINE)


class Score(NamedTuple):
    precision: float
    recall: float

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def runs(text: str) -> Counter[tuple[str, ...]]:
    """All runs of four words; of a shorter text the text itself."""
    words = WORD.findall(text)
    return Counter(tuple(words[at : at + RUN]) for at in range(max(1, len(words) - RUN + 1)))


def score(found: str, wanted: str) -> Score:
    one, other = runs(found), runs(wanted)
    shared = sum((one & other).values())
    return Score(shared / max(1, sum(one.values())), shared / max(1, sum(other.values())))


class Pages(SimpleHTTPRequestHandler):
    """Serves the page of the moment, whatever address is asked for."""

    page = b""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(self.page)))
        self.end_headers()
        self.wfile.write(self.page)

    def log_message(self, format: str, *args: Any) -> None:
        pass


async def text_of(library: Library, added: Awaitable[Source]) -> str:
    source = await added
    if source.state != "ready":
        print(f"{source.title}: {source.error}", file=sys.stderr)
        return ""
    return MARKS.sub("", (await library.sources.get_fulltext(None, source.id, limit=1_000_000)).text)


async def scores(folder: Path, wanted: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, Score]]:
    """By way of reading and page."""
    found: dict[str, dict[str, Score]] = {"address": {}, "file": {}}
    server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as home:
        settings = load({"home": home, "embedder": "none", "fetch_allow": "127.0.0.1"}, {})
        async with build(settings) as library:
            notebook = await library.notebooks.create("Pages")
            for id, truth in wanted.items():
                Pages.page = gzip.decompress((folder / "html" / f"{id}.html.gz").read_bytes())
                path = urlsplit(truth["url"]).path
                ways = {
                    "address": library.sources.add_url(notebook.id, f"http://127.0.0.1:{server.server_port}{path}"),
                    "file": library.sources.add_file(notebook.id, Upload.of(Pages.page, name="page.html")),
                }
                for way, added in ways.items():
                    found[way][id] = score(await text_of(library, added), truth["articleBody"])
    server.shutdown()
    return found


def mean(values: Sequence[Score]) -> Score:
    return Score(*(sum(part) / len(values) for part in zip(*values, strict=True)))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, metavar="DIR", help="pages and their articles")
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="name the pages that are read worst")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here too")
    options = parser.parse_args()
    truths = options.folder / "ground-truth.json"
    if not truths.is_file():
        parser.exit(2, f"There are no pages to measure by: {truths} is not there.\n")
    wanted = json.loads(truths.read_text(encoding="utf-8"))
    began = time.monotonic()
    found = asyncio.run(scores(options.folder, wanted))
    seconds = (time.monotonic() - began) / (2 * len(wanted))
    figures: dict[str, Any] = {}
    print("read by   pages  precision  recall  F1")
    for way, pages in found.items():
        all_of = mean(list(pages.values()))
        figures[way] = {"precision": all_of.precision, "recall": all_of.recall, "f1": all_of.f1}
        print(f"{way:8}  {len(pages):5}  {all_of.precision:9.3f}  {all_of.recall:6.3f}  {all_of.f1:.3f}")
        for id, one in sorted(pages.items(), key=lambda item: item[1].f1)[: options.worst]:
            print(f"          {id[:12]}  {one.precision:.3f}  {one.recall:.3f}  {one.f1:.3f}")
    print(f"{seconds:.2f} s a page, fetching and indexing with it")
    if options.json:
        options.json.write_text(json.dumps(figures | {"pages": len(wanted)}, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
