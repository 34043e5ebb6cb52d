"""The benchmark of articles runs on any folder of its form. How good anything was is not asked."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "articles.py"
STORY = [f"In year {n} the harbour got {n} new boats, and its fishermen sailed further north." for n in range(12)]
LINKS = "".join(f"<li><a href='/{n}'>Another story {n}</a></li>" for n in range(40))


def test_pages_are_read_by_address_and_as_files(tmp_path: Path) -> None:
    story = "".join(f"<p>{said}</p>" for said in STORY)
    page = f"<html><body><nav><ul>{LINKS}</ul></nav><article>{story}</article></body></html>"
    (tmp_path / "html").mkdir()
    (tmp_path / "html" / "one.html.gz").write_bytes(gzip.compress(page.encode()))
    truth = {"one": {"articleBody": "\n".join(STORY), "url": "https://news.example.org/harbour"}}
    (tmp_path / "ground-truth.json").write_text(json.dumps(truth))
    figures = tmp_path / "figures.json"
    command = [sys.executable, SCRIPT, tmp_path, "--worst", "1", "--json", figures]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    told = json.loads(figures.read_text())
    perfect = {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    assert told == {"address": perfect, "file": perfect, "pages": 1}
    assert "file          1      1.000   1.000  1.000" in done.stdout


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, SCRIPT, tmp_path / "none"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 2
    assert "There are no pages to measure by" in done.stderr
    assert "none" in done.stderr
