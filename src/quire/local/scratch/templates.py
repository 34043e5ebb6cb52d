"""Notebooks to start from: one for each pattern of thinking, kept as srcmd beside this file."""

from __future__ import annotations

import re
from importlib.resources import files

from quire.domain.cells import Cell, Sheet
from quire.domain.errors import NotFound
from quire.domain.scratch import PATTERNS, PATTERNS_IN_WORDS

CODE = re.compile(r"^###### (\S+)\n\n```python\n(.*?)\n```$", re.MULTILINE | re.DOTALL)


def template(pattern: str) -> Sheet:
    """The cells of a template. Its files are ours, so a plain reading of them is enough."""
    text = source(pattern)
    _, title, rest = text.split("\n\n", 2)
    cells = [Cell(type="title", source=title.removeprefix("# "))]
    at = 0
    for found in CODE.finditer(rest):
        cells += _markdown(rest[at : found.start()])
        cells.append(Cell(type="code", filename=found[1], source=found[2]))
        at = found.end()
    cells += _markdown(rest[at:])
    return Sheet(language="python", cells=cells)


def source(pattern: str) -> str:
    """A template as srcmd."""
    return (files(__package__) / "patterns" / f"{name_of(pattern)}.src.md").read_text(encoding="utf-8")


def name_of(pattern: str) -> str:
    """The name of a template that is called by its name or its title."""
    wanted = " ".join(pattern.split()).casefold()
    found = next((name for name, title in PATTERNS.items() if wanted in (name, title.casefold())), None)
    if found is None:
        raise NotFound("template", pattern, hint=f"Templates: {PATTERNS_IN_WORDS}.")
    return found


def _markdown(text: str) -> list[Cell]:
    return [Cell(type="markdown", source=text.strip())] if text.strip() else []
