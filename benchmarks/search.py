"""What a search costs beside its bare parts: `python benchmarks/search.py [--small] [--json FILE]`.

Libraries of seeded text and vectors, 1,000 passages a notebook, with 100 and with 500 notebooks:

1. Hybrid search in one notebook, beside a bare FTS5 query and a numpy scan of the same rows.
2. The same search in the larger library, beside the smaller one.
3. Hybrid search across all notebooks, beside tantivy (where it is installed) and a numpy scan of all rows.

The query's vector is given, since what an embedder takes is the same on both sides. Both sides of a pair run in
turns, each query three times, of which the fastest counts: a busy machine takes time from both. A ratio is the
median of the queries' own ratios.
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import importlib.util
import itertools
import json
import math
import platform
import sqlite3
import statistics
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy

from quire.api.library import Library
from quire.domain.documents import Document, Place
from quire.entry.bootstrap import build
from quire.entry.settings import load
from quire.local.engine import LocalEngine
from quire.local.source_versions import put_version
from quire.local.stored_passages import StoredPassages
from quire.ports.store import Tx
from quire.text import SearchPorts, find_across
from quire.text.indexing import CutPassage, Prepared, digest
from quire.text.words import tokens

WIDTH = 384
WORDS_EACH = 100
PASSAGES_A_SOURCE = 50
FOUND = 100
REPEATS = 3
ONE_GOAL, GROWTH_GOAL, ACROSS_GOAL = 2.0, 1.3, 1.0


@dataclass(frozen=True)
class Row:
    """Medians of milliseconds."""

    name: str
    quire: float
    bare: float
    ratio: float
    goal: float

    @property
    def met(self) -> bool:
        return self.ratio <= self.goal


@dataclass(frozen=True)
class Sizes:
    notebooks: tuple[int, int]
    passages: int
    rounds: int
    across_rounds: int


FULL = Sizes((100, 500), 1_000, 150, 15)
SMALL = Sizes((3, 20), 100, 20, 5)


class Corpus:
    """Text whose words are as unequally common as in any language, and vectors in a few hundred clusters."""

    def __init__(self) -> None:
        chance = numpy.random.default_rng(11)
        syllables = [a + b for a in "bdfgklmnprtvz" for b in "aiou"]
        made = ("".join(chance.choice(syllables, size=size)) for size in chance.integers(2, 5, 16_000))
        # Words that are their own stems, so that cutting is not part of what is built.
        words = [word for word in dict.fromkeys(made) if tokens(word, "en") == [word]]
        self.words = numpy.array(words)
        self._common = (1 / numpy.arange(1, len(self.words) + 1)) / (1 / numpy.arange(1, len(self.words) + 1)).sum()
        self._centres = chance.standard_normal((300, WIDTH)).astype(numpy.float32)

    def texts(self, notebook: int, count: int) -> list[str]:
        chance = numpy.random.default_rng([1, notebook])
        return [
            " ".join(line) for line in self.words[chance.choice(len(self.words), (count, WORDS_EACH), p=self._common)]
        ]

    def vectors(self, notebook: int, count: int) -> Any:
        chance = numpy.random.default_rng([2, notebook])
        made = self._centres[chance.integers(0, len(self._centres), count)]
        return _of_length_one(made + chance.standard_normal((count, WIDTH)).astype(numpy.float32))

    def query(self, number: int) -> tuple[str, Any]:
        """A few words that a passage might have, and a vector near some passages."""
        chance = numpy.random.default_rng([3, number])
        size = int(chance.integers(3, 9))
        chosen = self.words[chance.choice(len(self.words), size, p=self._common, replace=False)]
        centre = self._centres[[int(chance.integers(0, len(self._centres)))]]
        return " ".join(chosen), _of_length_one(centre + chance.standard_normal((1, WIDTH)).astype(numpy.float32))[0]


def _of_length_one(rows: Any) -> Any:
    return (rows / numpy.linalg.norm(rows, axis=1, keepdims=True)).astype(numpy.float16).astype(numpy.float32)


class Given:
    """An embedder that knows its vectors already."""

    name, dimensions, languages, weight, calibrated, local = "given", WIDTH, None, 0.3, False, True

    def __init__(self) -> None:
        self.known: dict[str, Any] = {}

    def embed(self, texts: list[str], kind: str = "passage") -> Any:
        return [self.known[text] for text in texts]

    def check(self) -> str:
        return self.name


async def filled(
    home: Path, corpus: Corpus, notebooks: int, passages: int, embedder: Given
) -> tuple[Library, list[str]]:
    """A library with so many notebooks, written as sources are, only without reading any file."""
    made = build(load({"home": home, "embedder": "none"}, {}))
    library = Library(LocalEngine(dataclasses.replace(made.engine.parts, embedder=embedder)), made.context)
    ids = []
    for number in range(notebooks):
        notebook = await library.notebooks.create(f"Notebook {number}")
        ids.append(notebook.id)
        texts, vectors = corpus.texts(number, passages), corpus.vectors(number, passages)

        def work(tx: Tx, id: str = notebook.id, texts: list[str] = texts, vectors: Any = vectors) -> None:
            seqs: list[int] = []
            for start in range(0, len(texts), PASSAGES_A_SOURCE):
                seqs += written(tx, library, id, texts[start : start + PASSAGES_A_SOURCE])
            library.engine.parts.vectors.add(tx, embedder.name, list(zip(seqs, vectors, strict=True)))
            tx.run("next_generation", notebook_id=id)

        await library.engine.system.write(work)
    return library, ids


class Cut(Prepared):
    """A source whose passages are given; its words are their own stems."""

    def __init__(self, texts: list[str]) -> None:
        self.document = Document(text="\n".join(texts))
        self.title = self.title_words = ""
        self.hash = ""
        self.language = "en"
        starts = [0, *itertools.accumulate(len(text) + 1 for text in texts)]
        self.passages = [
            CutPassage(start, start + len(text), Place(), text, digest(text), text)
            for start, text in zip(starts, texts, strict=False)
        ]


def written(tx: Tx, library: Library, notebook_id: str, texts: list[str]) -> list[int]:
    """A source of these passages."""
    id = str(uuid.uuid4())
    none = dict.fromkeys(("url", "blob", "file_name", "job_id", "given"))
    tx.run("insert_source", id=id, notebook_id=notebook_id, title="", kind="text", state="ready", whole=0, at=0, **none)
    put_version(tx, library.engine.parts.index, notebook_id, id, 1, Cut(texts), 0)
    tx.run("settle_source", id=id, version=1, title="", kind="text", at=0)
    return [row["seq"] for row in tx.all("passages_of_version", source_id=id, version=1)]


class Bare:
    """FTS5 and numpy over the rows of one notebook, and nothing else."""

    def __init__(self, path: Path, texts: list[str], vectors: Any) -> None:
        self._connection = sqlite3.connect(path)
        self._connection.execute("CREATE VIRTUAL TABLE passage USING fts5 (title, text)")
        self._connection.executemany("INSERT INTO passage (title, text) VALUES ('', ?)", [(text,) for text in texts])
        self._connection.commit()
        self._vectors = vectors

    def search(self, query: str, vector: Any) -> tuple[list[Any], Any]:
        words = " OR ".join(f'"{word}"' for word in query.split())
        sql = f"SELECT rowid, rank FROM passage WHERE passage MATCH ? ORDER BY rank LIMIT {FOUND}"
        return self._connection.execute(sql, (words,)).fetchall(), scanned(self._vectors, vector)


def scanned(vectors: Any, vector: Any) -> Any:
    scores = vectors @ vector
    return numpy.argpartition(-scores, min(FOUND, len(scores) - 1))[:FOUND]


class Tantivy:
    """tantivy and numpy over the rows of all notebooks."""

    def __init__(self, path: Path, corpus: Corpus, notebooks: int, passages: int) -> None:
        import tantivy

        schema = tantivy.SchemaBuilder()
        schema.add_text_field("text", stored=False, tokenizer_name="whitespace")
        schema.add_integer_field("seq", stored=True)
        path.mkdir()
        self._index = tantivy.Index(schema.build(), path=str(path))
        writer = self._index.writer(heap_size=200_000_000, num_threads=1)
        self._vectors = numpy.empty((notebooks * passages, WIDTH), dtype=numpy.float32)
        for number in range(notebooks):
            for at, text in enumerate(corpus.texts(number, passages)):
                writer.add_document(tantivy.Document(text=text, seq=number * passages + at))
            self._vectors[number * passages : (number + 1) * passages] = corpus.vectors(number, passages)
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()
        self._searcher = self._index.searcher()

    def search(self, query: str, vector: Any) -> tuple[list[Any], Any]:
        found = self._searcher.search(self._index.parse_query(query, ["text"]), FOUND).hits
        return found, scanned(self._vectors, vector)


class Turns:
    """Times of two sides that take turns, and what came of them."""

    def __init__(self) -> None:
        self.pairs: list[tuple[float, float]] = []

    def row(self, name: str, goal: float) -> Row:
        ours, bare = zip(*self.pairs, strict=True)
        ratio = statistics.median(one / other for one, other in self.pairs)
        return Row(name, statistics.median(ours), statistics.median(bare), ratio, goal)


async def measured(folder: Path, sizes: Sizes) -> list[Row]:
    corpus, embedder = Corpus(), Given()
    few, many = sizes.notebooks
    small, small_ids = await filled(folder / "few", corpus, few, sizes.passages, embedder)
    large, large_ids = await filled(folder / "many", corpus, many, sizes.passages, embedder)
    rows = []
    async with small, large:
        rows += await in_one(folder, corpus, embedder, sizes, (small, small_ids), (large, large_ids))
        if importlib.util.find_spec("tantivy"):
            rows += await in_all(folder, corpus, embedder, sizes, large, large_ids)
    return rows


async def in_one(
    folder: Path,
    corpus: Corpus,
    embedder: Given,
    sizes: Sizes,
    small: tuple[Library, list[str]],
    large: tuple[Library, list[str]],
) -> list[Row]:
    asked = 1
    bare = Bare(folder / "bare.db", corpus.texts(asked, sizes.passages), corpus.vectors(asked, sizes.passages))
    beside, beside_large, growth = Turns(), Turns(), Turns()
    for number in range(sizes.rounds + 5):
        query, vector = corpus.query(number)
        embedder.known = {query: vector}
        fastest = [math.inf] * 3
        for _ in range(REPEATS):
            for side, (library, ids) in enumerate((small, large)):
                begin = time.perf_counter()
                page = await library.sources.search(ids[asked], query)
                fastest[side] = min(fastest[side], (time.perf_counter() - begin) * 1000)
                assert page.items
            begin = time.perf_counter()
            found, near = bare.search(query, vector)
            fastest[2] = min(fastest[2], (time.perf_counter() - begin) * 1000)
            assert found
            assert len(near)
        if number >= 5:
            beside.pairs.append((fastest[0], fastest[2]))
            beside_large.pairs.append((fastest[1], fastest[2]))
            growth.pairs.append((fastest[1], fastest[0]))
    few, many = sizes.notebooks
    return [
        beside.row(f"one notebook of {few}, beside FTS5 and numpy", ONE_GOAL),
        beside_large.row(f"one notebook of {many}, beside FTS5 and numpy", ONE_GOAL),
        growth.row(f"one notebook of {many}, beside one of {few}", GROWTH_GOAL),
    ]


async def in_all(
    folder: Path, corpus: Corpus, embedder: Given, sizes: Sizes, library: Library, ids: list[str]
) -> list[Row]:
    bare = Tantivy(folder / "tantivy", corpus, len(ids), sizes.passages)
    parts = library.engine.parts
    ports = SearchPorts(parts.store.read, StoredPassages(), parts.index, parts.vectors, parts.embedder)
    turns = Turns()
    for number in range(sizes.across_rounds + 2):
        query, vector = corpus.query(10_000 + number)
        embedder.known = {query: vector}
        ours = alone = math.inf
        for _ in range(REPEATS):
            begin = time.perf_counter()
            found = await find_across(ports, ids, query)
            ours = min(ours, (time.perf_counter() - begin) * 1000)
            begin = time.perf_counter()
            hits, near = bare.search(query, vector)
            alone = min(alone, (time.perf_counter() - begin) * 1000)
            assert found.hits
            assert hits
            assert len(near)
        if number >= 2:
            turns.pairs.append((ours, alone))
    return [turns.row(f"across {len(ids)} notebooks, beside tantivy and numpy", ACROSS_GOAL)]


def table(rows: list[Row]) -> Iterator[str]:
    yield f"{'':56} {'Quire':>11} {'bare':>11} {'ratio':>7} {'goal':>6}"
    for row in rows:
        mark = "✓" if row.met else "✗"
        yield f"{row.name:56} {row.quire:8.2f} ms {row.bare:8.2f} ms {row.ratio:7.2f} {row.goal:6.2f} {mark}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--small", action="store_true", help="a quick run on little data; its ratios say little")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there too")
    arguments = parser.parse_args()
    sizes = SMALL if arguments.small else FULL
    with tempfile.TemporaryDirectory() as folder:
        rows = asyncio.run(measured(Path(folder), sizes))
    print("\n".join(table(rows)))
    if arguments.json:
        told = {
            "python": platform.python_version(),
            "sqlite": sqlite3.sqlite_version,
            "sizes": asdict(sizes),
            "rows": [asdict(row) | {"met": row.met} for row in rows],
        }
        arguments.json.write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
