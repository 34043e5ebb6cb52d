"""The page on how Quire is built names files that are there, and walks that are short."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src/quire"
PAGE = (ROOT / "docs/how-it-is-built.md").read_text(encoding="utf-8")
ROOMS = "|".join(path.name for path in PACKAGE.iterdir() if path.is_dir())


def test_every_file_that_the_page_names_is_there() -> None:
    named = set(re.findall(rf"`((?:{ROOMS})/[\w/.]+)`", PAGE))
    assert len(named) > 50
    assert sorted(name for name in named if not (PACKAGE / name).exists()) == []


def test_each_of_the_five_walks_has_at_most_twelve_stops() -> None:
    walks = PAGE.partition("## Five walks")[2].partition("\n## ")[0].split("\n**")[1:]
    stops = [len(re.findall(r"^\d+\. `", walk, re.M)) for walk in walks]
    assert len(stops) == 5
    assert max(stops) <= 12


def test_the_tree_has_every_room() -> None:
    tree = PAGE.partition("```")[2].partition("```")[0]
    rooms = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert set(re.findall(r"^  (\w+)/", tree, re.M)) == rooms
