"""What books cost beside the plain tools for the same work: `python benchmarks/books.py [--small] [--json FILE]`.

1. `grep_search` beside ripgrep on 5,000 Markdown files of 100 MB, a tenth of them in Chinese, by the index kept at
   write time and on a tree that was never indexed; another pattern each time, the same lines found and counted by both.
   The index
   knows words and not where they stand, so two common words side by side are looked for in all files that have both.
2. `get_book_archive` of 500 files of 200 MB beside `zip -1`, and how much memory it takes.
3. A write of 50 KB beside a temporary file, fsync, rename, fsync of the folder and one commit to SQLite.
4. A read of 50 KB beside a bare read.

Both sides of a pair run in turns; a ratio is the median of the rounds' own ratios, since a busy machine slows both
sides of a round alike.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import random
import secrets
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from quire.adapters.search.texts import TextSearch
from quire.api.library import Library
from quire.domain.searching import LinesFound
from quire.entry.bootstrap import build
from quire.entry.settings import load
from quire.local.books.search import MOST_COUNTED
from quire.local.engine import LocalEngine

BOOK = "my-book"
MOST = 100
INDEXED_GOAL, UNINDEXED_GOAL, ARCHIVE_GOAL, WRITE_GOAL, READ_GOAL, MEMORY_GOAL = 1.0, 5.0, 1.5, 1.5, 3.0, 64.0
KINDS = ("literal, few results", "literal, many results", "literal, no result", "regex, few results",
         "regex, many results", "regex, no result", "either of two words", "without case",
         "Chinese, few results", "Chinese, no result")  # fmt: skip


@dataclass(frozen=True)
class Row:
    """Medians of milliseconds; for memory, megabytes beside the limit."""

    name: str
    quire: float
    bare: float
    ratio: float
    goal: float
    unit: str = "ms"

    @property
    def met(self) -> bool:
        return self.ratio <= self.goal


@dataclass(frozen=True)
class Sizes:
    files: int
    bytes: int
    archived_files: int
    archived_bytes: int
    rounds: int
    calls: int


FULL = Sizes(5_000, 100_000_000, 500, 200_000_000, 9, 30)
SMALL = Sizes(300, 6_000_000, 60, 12_000_000, 3, 10)


class Corpus:
    """Markdown from a fixed seed: a few thousand common words, and in each file some that are rare.

    Every tenth file is in Chinese: sentences of common characters, and one of rare ones.
    """

    def __init__(self, sizes: Sizes) -> None:
        self._random = random.Random(5)
        syllables = [a + b for a in "bcdfghklmnprstvw" for b in ("a", "e", "i", "o", "u", "an", "er", "on")]
        self.common = ["".join(self._random.choices(syllables, k=self._random.randint(1, 4))) for _ in range(8_000)]
        self._size = sizes.bytes // sizes.files
        self._lines = [self._line() for _ in range(20_000)]
        self.rare = ["".join(self._random.choices(syllables, k=6)) for _ in range(sizes.files)]
        self._chinese_lines = [self._chinese_line() for _ in range(5_000)]
        self._chinese = [self._characters(0x6E00, 4) for _ in range(sizes.files // 10)]

    def text(self, number: int) -> str:
        rare = self.rare[number]
        parts = [f"# Lesson {number}\n", f"{rare} comes before {self.common[number % 100]} here\n"]
        lines = self._lines
        if number % 10 == 0:
            lines = self._chinese_lines
            parts.append(f"这里有{self._chinese[number // 10]}的说明。\n")
        size = sum(len(part.encode()) for part in parts)
        while size < self._size:
            parts.append(self._random.choice(lines))
            size += len(parts[-1]) * (3 if number % 10 == 0 else 1)
        return "".join(parts)

    def pattern(self, kind: str) -> str:
        """One that was not asked before."""
        rare, other, common = self.rare.pop(), self.rare.pop(), self._random.choice(self.common)
        absent = secrets.token_hex(6)
        return {
            "literal, few results": rare,
            "literal, many results": common,
            "literal, no result": f"q{absent}",
            "regex, few results": rf"{rare[:8]}\w+ comes\s+(before|after)",
            "regex, many results": rf"{common}\w* [b-k]\w+",
            "regex, no result": rf"{common} x{absent}\d+",
            "either of two words": f"{rare}|{other}",
            "without case": f"(?i){rare.upper()}",
            "Chinese, few results": self._random.choice(self._chinese),
            "Chinese, no result": self._characters(0x7E00, 4),
        }[kind]

    def _line(self) -> str:
        return " ".join(self._random.choices(self.common, k=11)) + "\n"

    def _chinese_line(self) -> str:
        return "，".join(self._characters(0x4E00, self._random.randint(5, 12)) for _ in range(4)) + "。\n"

    def _characters(self, first: int, count: int) -> str:
        return "".join(chr(self._random.randrange(first, first + 2_000)) for _ in range(count))


def ripgrep(root: Path, pattern: str) -> list[tuple[str, int]]:
    """Lines that ripgrep finds, no more than we count; its output is left unread from there on."""
    command = ["rg", "--no-config", "--no-heading", "--line-number", "--with-filename", "--hidden", "--no-ignore"]
    found: list[tuple[str, int]] = []
    with subprocess.Popen([*command, "-g", "*.md", "-e", pattern, str(root)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        for line in process.stdout:
            path, number, _ = line.decode().split(":", 2)
            found.append((str(Path(path).relative_to(root)), int(number)))
            if len(found) > MOST_COUNTED:
                process.kill()
                break
    return found


async def timed(work: Callable[[], Awaitable[object]]) -> float:
    begin = time.perf_counter()
    await work()
    return (time.perf_counter() - begin) * 1000


def clocked(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return (time.perf_counter() - begin) * 1000


def row(name: str, goal: float, pairs: list[tuple[float, float]]) -> Row:
    ours, bare = zip(*pairs, strict=True)
    ratio = statistics.median(one / other for one, other in pairs)
    return Row(name, statistics.median(ours), statistics.median(bare), ratio, goal)


async def searches(home: Path, sizes: Sizes) -> list[Row]:
    corpus = Corpus(sizes)
    rows: list[Row] = []
    async with build(load({"home": home}, {})) as library:
        await library.books.create(BOOK, "A book")
        for number in range(sizes.files):
            path = f"lessons/part-{number // 500:02}/chapter-{number // 50 % 10:02}/lesson-{number:04}.md"
            await library.books.write_content(BOOK, path, corpus.text(number))
        texts = library.engine.parts.books.texts
        assert isinstance(texts, TextSearch)
        texts.settle()
        root = Path(str(library.engine.parts.books.storages.get("fs").path(f"books/{BOOK}")))
        for kind in KINDS:
            corpus.rare.reverse()
            pairs = [await search(library, root, corpus.pattern(kind)) for _ in range(sizes.rounds + 1)]
            rows.append(row(f"grep by the index: {kind}", INDEXED_GOAL, pairs[1:]))
        for kind in KINDS:
            pairs = []
            for number in range(sizes.rounds):
                fresh = TextSearch(home / f"none-{kind}-{number}.db")
                unindexed = with_texts(library, fresh)
                # The files of the book are listed already, as they are for the others.
                await unindexed.books.glob_search(BOOK, "*.md")
                pairs.append(await search(unindexed, root, corpus.pattern(kind)))
                fresh.close()
            rows.append(row(f"grep, never indexed: {kind}", UNINDEXED_GOAL, pairs))
    return rows


def with_texts(library: Library, texts: TextSearch) -> Library:
    """The same library with another index of words."""
    parts = library.engine.parts
    return Library(LocalEngine(replace(parts, books=replace(parts.books, texts=texts))), library.context)


async def search(library: Library, root: Path, pattern: str) -> tuple[float, float]:
    """Milliseconds of ours and of ripgrep's, who must agree."""
    theirs: list[tuple[str, int]] = []
    bare = clocked(lambda: theirs.extend(ripgrep(root, pattern)))
    begin = time.perf_counter()
    page: LinesFound = await library.books.grep_search(BOOK, pattern, max_results=MOST)
    ours = (time.perf_counter() - begin) * 1000
    found = [(line.file_path.removeprefix(f"books/{BOOK}/"), line.line_number) for line in page]
    assert page.truncated == (len(theirs) > MOST), pattern
    assert page.at_least or page.total == len(theirs), pattern
    assert page.truncated or found == sorted(theirs), pattern
    return ours, bare


async def archive(home: Path, sizes: Sizes) -> list[Row]:
    corpus = Corpus(sizes)
    async with build(load({"home": home}, {})) as library:
        await library.books.create(BOOK, "A book")
        root = Path(str(library.engine.parts.books.storages.get("fs").path(f"books/{BOOK}")))
        pictures = sizes.archived_files // 5
        texts = sizes.archived_files - pictures - 1
        each = sizes.archived_bytes // 2 // texts
        (root / "lessons").mkdir()
        (root / "assets/images").mkdir(parents=True)
        for number in range(texts):
            text = ""
            while len(text) < each:
                text += corpus.text(number)
            (root / f"lessons/lesson-{number:03}.md").write_text(text[:each])
        for number in range(pictures):
            (root / f"assets/images/{number:03}.png").write_bytes(os.urandom(sizes.archived_bytes // 2 // pictures))
        pairs, grown = [], []
        for _ in range(min(3, sizes.rounds)):
            bare = clocked(lambda: zipped(root, home / "bare.zip"))
            with_peak_from_here()
            before = memory("VmRSS")
            ours = await timed(lambda: library.books.get_book_archive(BOOK))
            grown.append(memory("VmHWM") - before)
            pairs.append((ours, bare))
    name = f"archive of {sizes.archived_files} files, {sizes.archived_bytes // 1_000_000} MB"
    grew = max(grown)
    return [
        row(f"{name}, beside zip -1", ARCHIVE_GOAL, pairs),
        Row(f"{name}, memory", grew, MEMORY_GOAL, grew / MEMORY_GOAL, 1.0, "MB"),
    ]


def zipped(root: Path, target: Path) -> None:
    target.unlink(missing_ok=True)
    subprocess.run(["zip", "-1", "-q", "-r", str(target), "."], cwd=root, check=True)


def with_peak_from_here() -> None:
    Path("/proc/self/clear_refs").write_text("5")


def memory(what: str) -> float:
    """Megabytes of this process."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(what)).split()[1]) / 1024


async def files(home: Path, sizes: Sizes) -> list[Row]:
    folder = home / "bare"
    folder.mkdir(parents=True)
    bare = sqlite3.connect(home / "bare.db", isolation_level=None)
    bare.execute("PRAGMA journal_mode = WAL")
    bare.execute("PRAGMA synchronous = FULL")
    bare.execute("CREATE TABLE file (path TEXT, size INTEGER)")

    def write(number: int, data: bytes) -> None:
        part, path = folder / f".part-{number}", folder / f"{number % 10}.md"
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        os.fsync(descriptor)
        os.close(descriptor)
        bare.execute("BEGIN IMMEDIATE")
        bare.execute("INSERT INTO file VALUES (?, ?)", (str(path), len(data)))
        bare.execute("COMMIT")

    writes: list[tuple[float, float]] = []
    reads: list[tuple[float, float]] = []
    async with build(load({"home": home}, {})) as library:
        await library.books.create(BOOK, "A book")
        for number in range(sizes.rounds * sizes.calls):
            text = secrets.token_hex(24_990) + f"\n{number:019}"
            data = text.encode()
            theirs = clocked(lambda number=number, data=data: write(number, data))  # type: ignore[misc]
            path = f"lessons/{number % 10}.md"
            ours = await timed(lambda path=path, text=text: library.books.write_content(BOOK, path, text))  # type: ignore[misc]
            writes.append((ours, theirs))
        root = Path(str(library.engine.parts.books.storages.get("fs").path(f"books/{BOOK}")))
        for number in range(sizes.rounds * sizes.calls):
            path = f"lessons/{number % 10}.md"
            theirs = clocked((root / path).read_bytes)
            ours = await timed(lambda path=path: library.books.read_content(BOOK, path))  # type: ignore[misc]
            reads.append((ours, theirs))
    bare.close()
    return [row("write of 50 KB", WRITE_GOAL, writes[10:]), row("read of 50 KB", READ_GOAL, reads[10:])]


def measured(sizes: Sizes, only: str | None) -> Iterator[Row]:
    parts = {"files": files, "archive": archive, "grep": searches}
    for name, part in parts.items():
        if only in (None, name):
            with tempfile.TemporaryDirectory() as folder:
                yield from asyncio.run(part(Path(folder), sizes))


def table(rows: Iterator[Row]) -> list[Row]:
    """Prints each row as it comes."""
    print(f"{'':50} {'Quire':>11} {'bare':>11} {'ratio':>7} {'goal':>6}")
    shown = []
    for one in rows:
        mark = "✓" if one.met else "✗"
        numbers = f"{one.quire:8.2f} {one.unit} {one.bare:8.2f} {one.unit} {one.ratio:7.2f} {one.goal:6.2f} {mark}"
        print(f"{one.name:50} {numbers}", flush=True)
        shown.append(one)
    return shown


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--small", action="store_true", help="a quick run on little data; its ratios say little")
    parser.add_argument("--only", choices=("files", "archive", "grep"), help="one part of it")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there too")
    arguments = parser.parse_args()
    for tool in ("rg", "zip"):
        if shutil.which(tool) is None:
            sys.exit(f"{tool} is needed: Debian has it as {'ripgrep' if tool == 'rg' else tool}.")
    sizes = SMALL if arguments.small else FULL
    rows = table(measured(sizes, arguments.only))
    if arguments.json:
        told = {
            "python": platform.python_version(),
            "sqlite": sqlite3.sqlite_version,
            "sizes": asdict(sizes),
            "rows": [asdict(one) | {"met": one.met} for one in rows],
        }
        arguments.json.write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
