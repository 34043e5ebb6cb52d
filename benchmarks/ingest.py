"""How fast Quire takes in a folder: `python benchmarks/ingest.py [--texts DIR] [--pdfs DIR] [--small] [--json FILE]`.

Passages a second and the peak of memory, for texts and for PDFs, without embeddings, beside what llama-index-core and
paper-qa do with the same folder. Each runs in a process of its own, started new for each round; imports do not count.
Quire's figure includes the full-text index and a commit to disk for every file; llama-index-core keeps its passages in
a document store, paper-qa in its index of a directory. The row paper_qa_read is paper-qa without that index, in memory:
it shows what reading and cutting alone cost, and does not count, since nothing can be found in it. Passages differ in
size, so bytes a second are told as well. Without folders of one's own, texts and PDFs are made from a fixed seed.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import rivals

PAPER_QA = ("paper-qa==2026.8.12",)
RIVALS = {
    "llama_index_ingest": ("llama-index-core==0.14.25", "llama-index-readers-file"),
    "paper_qa_ingest": PAPER_QA,
    "paper_qa_read": PAPER_QA,
}
SPEED_GOAL, MEMORY_GOAL = 3.0, 600.0


@dataclass(frozen=True)
class Sizes:
    texts: int
    pdfs: int
    characters: int
    pages: int
    rounds: int


FULL = Sizes(texts=200, pdfs=20, characters=20_000, pages=10, rounds=3)
SMALL = Sizes(texts=5, pdfs=2, characters=4_000, pages=2, rounds=1)


class Writer:
    """Prose of made-up words, the common ones common, with headings and paragraphs."""

    SYLLABLES = "ba ke li mo nu ra se ti vo zu char den fal gor hin jal kran lop mer nis"

    def __init__(self) -> None:
        self._random = random.Random(7)
        lengths = [1, 2, 2, 3, 3, 4]
        self._words = [
            "".join(self._random.choices(self.SYLLABLES.split(), k=self._random.choice(lengths))) for _ in range(8_000)
        ]
        self._weights = [1 / (rank + 5) for rank in range(len(self._words))]

    def text(self, characters: int) -> str:
        parts: list[str] = []
        length = 0
        while length < characters:
            heading = f"## {self._sentence(4).rstrip('.')}"
            paragraphs = [" ".join(self._sentence(self._random.randint(6, 24)) for _ in range(5)) for _ in range(4)]
            parts += [heading, *paragraphs]
            length += sum(map(len, parts[-5:]))
        return "\n\n".join(parts)

    def _sentence(self, words: int) -> str:
        chosen = self._random.choices(self._words, self._weights, k=words)
        glue = self._random.choices(["the", "of", "and", "in", "was", "to"], k=words // 2)
        mixed = [word for pair in zip(chosen, [*glue, *[""] * words], strict=False) for word in pair if word]
        return " ".join(mixed).capitalize() + "."


def pdf(pages: list[str]) -> bytes:
    """A plain PDF: each page's lines in Helvetica."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    numbers = []
    for page in pages:
        lines = " ".join(f"({line}) Tj T*" for line in textwrap.wrap(page, 95))
        stream = f"BT /F1 10 Tf 12 TL 50 800 Td {lines} ET".encode("ascii", "replace")
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
        fonts = b"/Resources << /Font << /F1 3 0 R >> >>"
        contents = b"/Contents %d 0 R /MediaBox [0 0 595 842]" % len(objects)
        objects.append(b"<< /Type /Page /Parent 2 0 R %s %s >>" % (fonts, contents))
        numbers.append(len(objects))
    kids = b" ".join(b"%d 0 R" % number for number in numbers)
    objects[1] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(numbers), kids)
    body = b"%PDF-1.4\n"
    offsets = []
    for number, content in enumerate(objects, 1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    trailer = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, len(body))
    return body + b"xref\n0 %d\n0000000000 65535 f \n" % size + table + trailer


def fill(folder: Path, sizes: Sizes) -> None:
    """A folder of texts and one of PDFs."""
    writer = Writer()
    for name in ("texts", "pdfs"):
        (folder / name).mkdir()
    for number in range(sizes.texts):
        (folder / "texts" / f"{number:04}.md").write_text(writer.text(sizes.characters), encoding="utf-8")
    for number in range(sizes.pdfs):
        pages = [writer.text(2_500).replace("## ", "")[:5_000] for _ in range(sizes.pages)]
        (folder / "pdfs" / f"{number:04}.pdf").write_bytes(pdf(pages))


def measured(
    folders: Mapping[str, Path], rounds: int, others: Mapping[str, tuple[str, ...]]
) -> Iterator[dict[str, Any]]:
    """A row for each kind of folder and each program; where one is missing, the reason instead of figures."""
    for kind, folder in folders.items():
        found: dict[str, list[dict[str, float]]] = {}
        missing: dict[str, str] = {}
        for _ in range(rounds):
            for program, packages in {"quire_ingest": None, **others}.items():
                if program in missing:
                    continue
                try:
                    given = {"folder": str(folder), "as_text": kind == "texts"}
                    found.setdefault(program, []).append(rivals.run(program, given, packages))
                except rivals.Missing as reason:
                    missing[program] = str(reason)
                    print(reason, file=sys.stderr)
        size = sum(file.stat().st_size for file in folder.iterdir())
        for program in ("quire_ingest", *others):
            row: dict[str, Any] = {"folder": kind, "program": program.removesuffix("_ingest")}
            if program in missing:
                yield row | {"missing": missing[program]}
                continue
            seconds = statistics.median(one["seconds"] for one in found[program])
            yield row | {
                "passages": found[program][0]["passages"],
                "seconds": round(seconds, 3),
                "passages_per_second": round(found[program][0]["passages"] / seconds, 1),
                "bytes_per_second": round(size / seconds),
                "memory_mb": round(max(one["memory_mb"] for one in found[program]), 1),
            }


def verdict(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """How many times the better rival's passages a second Quire does for texts, and the most memory it took."""
    speeds = {row["program"]: row.get("passages_per_second") for row in rows if row["folder"] == "texts"}
    best = max(
        (speed for name, speed in speeds.items() if name not in ("quire", "paper_qa_read") and speed), default=None
    )
    memory = max((row.get("memory_mb", 0.0) for row in rows if row["program"] == "quire"), default=0.0)
    times = round(speeds["quire"] / best, 2) if best and speeds.get("quire") else None
    return {
        "times_the_better": times,
        "memory_mb": memory,
        "met": memory <= MEMORY_GOAL and (times is None or times >= SPEED_GOAL),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--texts", type=Path, metavar="DIR", help="a folder of UTF-8 texts")
    parser.add_argument("--pdfs", type=Path, metavar="DIR", help="a folder of PDFs")
    parser.add_argument("--small", action="store_true", help="little folders, one round")
    parser.add_argument("--no-rivals", action="store_true", help="Quire alone: nothing is installed")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    sizes = SMALL if options.small else FULL
    with tempfile.TemporaryDirectory() as made:
        fill(Path(made), sizes)
        folders = {name: getattr(options, name) or Path(made) / name for name in ("texts", "pdfs")}
        rows = list(measured(folders, sizes.rounds, {} if options.no_rivals else RIVALS))
    print(f"{'folder':8}{'program':14}{'passages/s':>12}{'kB/s':>10}{'memory MB':>12}")
    for row in rows:
        if "missing" in row:
            print(f"{row['folder']:8}{row['program']:14}{row['missing']}")
            continue
        kilobytes = row["bytes_per_second"] / 1_000
        print(
            f"{row['folder']:8}{row['program']:14}{row['passages_per_second']:12,.1f}{kilobytes:10,.0f}"
            f"{row['memory_mb']:12,.0f}"
        )
    figures = {"rows": rows, **verdict(rows)}
    print({key: value for key, value in figures.items() if key != "rows"})
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
