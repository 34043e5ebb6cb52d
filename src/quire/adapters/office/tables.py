"""The tables of a Markdown text as sheets."""

from __future__ import annotations

import re
from collections.abc import Iterator

from quire.adapters.office.parsing import parsed, plain
from quire.domain.sheets import Sheet, typed_sheet

BREAK = re.compile(r"<br ?/?>", re.IGNORECASE)


def tables_in(title: str, text: str) -> Iterator[Sheet]:
    """Each table, called after the heading above it, or the text."""
    name = title
    for node in parsed(text).walk():
        if node.type == "heading":
            name = plain(node).strip() or name
        elif node.type == "table":
            rows = [
                [BREAK.sub("\n", plain(cell)).strip() for cell in row.children]
                for part in node.children
                for row in part.children
            ]
            if rows:
                yield typed_sheet(name, rows[0], rows[1:])
