"""Tables of HTML: which hold data, and their cells in rows."""

from __future__ import annotations

from quire.adapters.readers.markup import Element, descendants, local

INSIDE_LAYOUT = {"table", "h1", "h2", "h3", "h4", "h5", "h6", "form", "article", "section", "pre"}
MOST_SPAN = 50
LONG_CELL = 2_000


class Table:
    """A table of data while its cells are being read; a cell that spans rows is repeated in each."""

    def __init__(self) -> None:
        self.rows: list[list[str]] = []
        self._spans: dict[int, tuple[int, str]] = {}

    def start_row(self) -> None:
        self.rows.append([])
        self._fill()

    def add(self, text: str, columns: int = 1, rows: int = 1) -> None:
        if not self.rows:
            self.start_row()
        row = self.rows[-1]
        for number in range(columns):
            said = text if number == 0 else ""
            if rows > 1:
                self._spans[len(row)] = (rows - 1, said)
            row.append(said)
        self._fill()

    def _fill(self) -> None:
        """The cells that reach down from the rows above into the place we are at."""
        row = self.rows[-1]
        while len(row) in self._spans:
            left, text = self._spans.pop(len(row))
            if left > 1:
                self._spans[len(row)] = (left - 1, text)
            row.append(text)


def is_layout(table: Element) -> bool:
    """A table that only arranges the page: its cells are read as blocks."""
    if (table.get("role") or "") in ("presentation", "none"):
        return True
    if any(inner is not table for inner in descendants(table, *INSIDE_LAYOUT)):
        return True
    widest = max((sum(1 for cell in row if local(cell) in ("td", "th")) for row in descendants(table, "tr")), default=0)
    if widest <= 1:
        return True
    return any(len("".join(cell.itertext())) > LONG_CELL for cell in descendants(table, "td"))


def span(cell: Element, name: str) -> int:
    value = cell.get(name) or ""
    return min(max(int(value), 1), MOST_SPAN) if value.isascii() and value.isdigit() and len(value) < 6 else 1
