"""What is printed on a terminal is made of: tables, facts, and texts that cannot drive it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from quire.domain.pages import Page
from quire.domain.sharing import Role

UNCUT = 20_000
NARROW = 10
GAP = 2
SHORT_ID = 8
PLURALS = {"research": "runs of research"}

# An id and what is whole keep their room; a name wraps like a text, and looks like an id.
Fit = Literal["id", "whole", "cut", "wrap", "name"]
# The columns that a list of things of a type is shown in, and what stands in them.
Tables = dict[type, tuple[Mapping[str, Fit], Callable[[Any], Sequence[Any]]]]

CONTROL = {code: 0x2400 + code for code in range(32) if chr(code) not in "\n\t"}
CONTROL |= {code: 0x2421 for code in range(0x7F, 0xA0)}


def console() -> Console:
    """stdout; where it is no terminal, lines are as long as they need to be."""
    width = None if sys.stdout.isatty() else UNCUT
    return Console(file=sys.stdout, width=width, highlight=False, markup=False, emoji=False)


def facts(out: Console, pairs: Mapping[str, Any]) -> None:
    """Names and values below each other; what is None or empty is left out."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in pairs.items():
        if value is not None and value not in ("", [], {}):
            lines = [f"{_spoken(part)}: {plain(one)}" for part, one in value.items()] if isinstance(value, dict) else []
            table.add_row(name, cell("\n".join(lines) or value))
    out.print(table)


def table(out: Console, columns: Mapping[str, Fit], rows: Sequence[Sequence[Any]]) -> None:
    """A table of columns by header; a narrow terminal takes its room from those that may be cut or wrapped."""
    made = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False, header_style="bold")
    cells = [[cell(value, one_line=True) for value in row] for row in rows]
    widths = [max(len(header), *(row[n].cell_len for row in cells)) for n, header in enumerate(columns)]
    whole = sum(width for width, fit in zip(widths, columns.values(), strict=True) if fit in ("id", "whole"))
    flexible = sum(fit not in ("id", "whole") for fit in columns.values())
    room = (out.width - whole - GAP * len(columns)) // max(flexible, 1)
    for width, (header, fit) in zip(widths, columns.items(), strict=True):
        made.add_column(
            header,
            no_wrap=fit not in ("wrap", "name"),
            overflow="fold" if fit in ("wrap", "name") else "ellipsis",
            min_width=width if fit in ("id", "whole") else None,
            max_width=max(NARROW, room) if fit == "cut" else None,
            style="cyan" if fit in ("id", "name") else None,
        )
    for row in cells:
        made.add_row(*row)
    out.print(made)


def page_of(out: Console, page: Page[Any], noun: str, tables: Tables) -> None:
    """A page as a table, and how to go on; what has no columns of its own is shown by its fields."""
    several = PLURALS.get(noun, f"{noun}s")
    if not page.items:
        out.print(Text(f"No {several}.", style="dim"))
        return
    kind = type(page.items[0])
    columns, row = tables.get(kind) or (dict.fromkeys(map(label, kind.model_fields), "cut"), fields_of)
    table(out, columns, [row(item) for item in page.items])
    if page.truncated:
        more = f"{len(page.items):,} of {page.total:,} {several}. The next ones: --cursor {page.cursor}"
        out.print(Text(more, style="dim"), soft_wrap=True)


def fields_of(item: BaseModel) -> list[Any]:
    return [getattr(item, name) for name in type(item).model_fields]


def note(text: str) -> None:
    """What is not a result goes to stderr."""
    print(text, file=sys.stderr)  # noqa: T201


def cell(value: Any, *, one_line: bool = False) -> Text:
    if isinstance(value, Text):
        return value
    text = clean(plain(value))
    return Text(" ".join(text.split()) if one_line else text)


def clean(text: str) -> str:
    """Control characters as symbols, but for line breaks and tabs."""
    return text.replace("\r\n", "\n").translate(CONTROL)


def short(id: str) -> str:
    """The beginning of a long id, which stands for it on the command line."""
    return id[:SHORT_ID]


def minute(moment: datetime | None) -> str:
    return moment.strftime("%Y-%m-%d %H:%M") if moment else ""


def when(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d %H:%M UTC")


def plain(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return when(value)
    if isinstance(value, BaseModel):
        value = value.model_dump(mode="json")
    if isinstance(value, dict):
        return ", ".join(f"{_spoken(name)}: {plain(one)}" for name, one in value.items())
    if isinstance(value, Role):
        return value.name.lower()
    return ", ".join(map(plain, value)) if isinstance(value, list | tuple) else str(value)


def label(name: str) -> str:
    """The name of a field as a heading: `file_size` is `File size`."""
    return _spoken(name).capitalize()


def _spoken(name: Any) -> str:
    return str(name).replace("_", " ").strip()


def size(count: float) -> str:
    """Bytes as people count them."""
    for unit in ("bytes", "KB", "MB", "GB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "bytes" or count >= 10 else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:,.1f} TB"
