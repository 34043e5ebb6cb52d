"""Comma, tab and otherwise separated values as one table."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from quire.adapters.readers.draft import Draft
from quire.adapters.readers.failures import reading
from quire.adapters.readers.limits import Limits
from quire.adapters.readers.text import decode
from quire.domain.hygiene import clean

DELIMITERS = ",;\t|"
SAMPLE_LINES = 50
LONGEST_FIELD = 10_000_000


def read_delimited(path: Path, limits: Limits) -> Draft:
    draft = Draft(limits)
    with reading("a table of separated values"):
        text = clean(decode(path.read_bytes()))
        csv.field_size_limit(LONGEST_FIELD)
        draft.table(list(csv.reader(io.StringIO(text), delimiter=delimiter_of(text))))
    return draft.finish("The table is empty.")


def delimiter_of(text: str) -> str:
    """The character that cuts most lines into the same number of fields, more than one."""
    lines = "\n".join(text.split("\n", SAMPLE_LINES)[:SAMPLE_LINES])

    def steadiness(delimiter: str) -> tuple[float, int]:
        widths = [len(row) for row in csv.reader(io.StringIO(lines), delimiter=delimiter) if row]
        usual = max(set(widths), key=widths.count, default=1)
        return (widths.count(usual) / len(widths), usual) if usual > 1 else (0.0, 1)

    return max(DELIMITERS, key=steadiness)
