"""Notebooks to start from: one for each pattern of thinking, kept as srcmd beside this file."""

from __future__ import annotations

import re
from importlib.resources import files

from quire.domain.cells import Cell, Sheet
from quire.domain.errors import NotFound
from quire.domain.scratch import PATTERNS

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
    if pattern not in PATTERNS:
        raise NotFound("template", pattern, hint=f"Templates: {', '.join(PATTERNS)}.")
    return (files(__package__) / "patterns" / f"{pattern}.src.md").read_text(encoding="utf-8")


def _markdown(text: str) -> list[Cell]:
    return [Cell(type="markdown", source=text.strip())] if text.strip() else []
