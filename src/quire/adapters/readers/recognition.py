"""Text in pictures: tesseract where it is installed and sure of itself, else RapidOCR."""

from __future__ import annotations

import csv
import functools
import importlib.util
import io
import os
import shutil
import subprocess
from collections.abc import Iterable
from typing import Any

from quire.adapters.readers.layout import Flow, blocks_of
from quire.adapters.readers.lines import Line

# tesseract is exact on clean print and lost on anything else, and its confidence tells which it was.
SURE = 80.0
FEW_WORDS = 3
LIKELY = 0.5
MOST_LANGUAGES = 3
LONGEST_SIDE = 2_000

if importlib.util.find_spec("PIL") is None:
    raise ImportError("Pillow is not installed")
if shutil.which("tesseract") is None and importlib.util.find_spec("rapidocr") is None:
    raise ImportError("neither tesseract nor rapidocr is installed")


def recognised_paragraphs(picture: Any) -> list[str]:
    """The text of a picture (of Pillow), in paragraphs."""
    lines = recognised_lines(picture)
    flow = Flow([lines])
    return [text for block in blocks_of(lines) for text in flow.paragraphs(block)]


def recognised_lines(picture: Any) -> list[Line]:
    picture = picture.convert("RGB")
    printed, sure = by_tesseract(picture)
    if sure >= SURE or importlib.util.find_spec("rapidocr") is None:
        return printed
    return by_rapidocr(picture)


def by_rapidocr(picture: Any) -> list[Line]:
    import numpy

    found = engine()(numpy.asarray(picture)[:, :, ::-1])
    if found.boxes is None or found.txts is None:
        return []
    lines = []
    for box, text, score in zip(found.boxes, found.txts, found.scores, strict=True):
        if score >= LIKELY and text.strip():
            across, down = [float(point[0]) for point in box], [float(point[1]) for point in box]
            lines.append(line(text, min(across), max(across), min(down), max(down)))
    return lines


@functools.cache
def engine() -> Any:
    from rapidocr import RapidOCR

    return RapidOCR(
        params={"Global.log_level": "critical", "Global.use_cls": False, "Global.max_side_len": LONGEST_SIDE}
    )


def by_tesseract(picture: Any) -> tuple[list[Line], float]:
    """The lines, and how sure it is of their words, from 0 to 100."""
    program = shutil.which("tesseract")
    if program is None:
        return [], 0.0
    data = io.BytesIO()
    picture.save(data, "PNG")
    # Its threads wait for each other busily, which on a machine at work takes many times as long.
    alone = {**os.environ, "OMP_THREAD_LIMIT": "1"}
    done = subprocess.run(  # noqa: S603
        [program, "stdin", "stdout", "-l", languages(program), "--psm", "3", "tsv"],
        input=data.getvalue(), capture_output=True, check=False, env=alone,
    )  # fmt: skip
    rows = list(
        csv.DictReader(io.StringIO(done.stdout.decode("utf-8", "replace")), delimiter="\t", quoting=csv.QUOTE_NONE)
    )
    words = [row for row in rows if (row.get("text") or "").strip() and float(row["conf"]) >= 0]
    if done.returncode or len(words) < FEW_WORDS:
        return [], 0.0
    letters = sum(len(row["text"]) for row in words)
    sure = sum(float(row["conf"]) * len(row["text"]) for row in words) / letters
    by_line: dict[tuple[str, ...], list[dict[str, str]]] = {}
    for row in words:
        by_line.setdefault((row["block_num"], row["par_num"], row["line_num"]), []).append(row)
    return [line_of(row) for row in by_line.values()], sure


@functools.cache
def languages(program: str) -> str:
    """What is installed, as long as it is not so much that it slows and confuses."""
    told = subprocess.run([program, "--list-langs"], capture_output=True, text=True, check=False)  # noqa: S603
    known = [name for name in told.stdout.split("\n")[1:] if name and name not in ("osd", "equ") and "/" not in name]
    return "+".join(known) if 0 < len(known) <= MOST_LANGUAGES else "eng"


def line_of(words: Iterable[dict[str, str]]) -> Line:
    words = list(words)
    left, top = min(int(word["left"]) for word in words), min(int(word["top"]) for word in words)
    right = max(int(word["left"]) + int(word["width"]) for word in words)
    bottom = max(int(word["top"]) + int(word["height"]) for word in words)
    return line(" ".join(word["text"] for word in words), left, right, top, bottom)


def line(text: str, left: float, right: float, top: float, bottom: float) -> Line:
    """A line of a picture, whose heights are counted from above."""
    return Line(text, left, right, -bottom, -top, bottom - top, 0, 0)
