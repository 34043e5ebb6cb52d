"""Whether statements stand where they say they stand, and whether that bears them out."""

from __future__ import annotations

import re
from collections.abc import Mapping

from quire.domain.grounding import Grounds, Statement
from quire.studio.source_text import shown
from quire.studio.writer import bears_out

BAR = re.compile(r"(?<!\\)\|")

# The texts of sources, by source and version.
Texts = Mapping[tuple[str, int], str]


def in_place(grounds: Grounds, texts: Texts) -> bool:
    """Whether the excerpt is what stands there in its source."""
    text = texts.get((grounds.source_id, grounds.version))
    return (
        text is not None and 0 <= grounds.start < grounds.end and text[grounds.start : grounds.end] == grounds.excerpt
    )


def supported(statement: Statement, texts: Texts) -> bool:
    """Whether a passage stands where the statement says, and says the same. What cites nothing claims nothing."""
    if not all(in_place(grounds, texts) for grounds in statement.grounds):
        return False
    return not statement.grounds or says_the_same(statement)


def says_the_same(statement: Statement) -> bool:
    for grounds in statement.grounds:
        if statement.text == shown(grounds.excerpt):
            return True
        if "|" in grounds.excerpt and _of_cells(statement.text, grounds.excerpt):
            return True
    return bears_out(statement.text, statement)


def _of_cells(text: str, excerpt: str) -> bool:
    """Whether all that is told of a table's row are cells of it, each perhaps with the name of its column."""
    cells = {shown(cell.replace("\\|", "|")) for cell in BAR.split(excerpt)}
    parts = text.replace(" – ", "; ").split("; ")
    return all(any(cell in part for cell in cells if cell) for part in parts)
