"""The tables of full text on SQLite: one a notebook, and one over all of them.

Words are cut in Python; what is left to FTS5 is to split them at spaces, whatever they are written in.
"""

from __future__ import annotations

from quire.text.ranking import TITLE_WEIGHT

RANK = f"bm25({TITLE_WEIGHT}, 1.0)"

# Only tells which passages have a word: their words are in the notebooks' own tables.
LIBRARY_WORDS = (
    "CREATE VIRTUAL TABLE library_words "
    "USING fts5 (words, content = '', detail = none, columnsize = 0, tokenize = 'ascii');"
)


def notebook_words(table: str) -> list[str]:
    """Makes a notebook's table."""
    return [
        f"CREATE VIRTUAL TABLE {table} USING fts5 (title, text, tokenize = 'ascii')",
        f"INSERT INTO {table} ({table}, rank) VALUES ('rank', '{RANK}')",  # noqa: S608
    ]
