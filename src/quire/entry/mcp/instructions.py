"""What a client is told of the server when it connects: only of tools that it is offered."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple


class Advice(NamedTuple):
    """A sentence, and the tools without which it makes no sense."""

    text: str
    tools: tuple[str, ...] = ()
    # Whether a plain `quire mcp` offers these tools: it answers before it has looked them up.
    by_default: bool = True


ADVICE = (
    Advice("Quire keeps a person's own sources, notes and books, and answers from them."),
    Advice("Find the notebook (list_notebooks) or make one (create_notebook).", ("list_notebooks", "create_notebook")),
    Advice("Put sources in: add_source takes a page or a text, upload_source a file.", ("add_source", "upload_source")),
    Advice("Then ask: every answer cites its sources.", ("ask",)),
    Advice("search_sources finds passages.", ("search_sources",)),
    Advice("save_answer keeps an answer as a note.", ("ask", "save_answer")),
    Advice(
        "make_artifact makes a report, quiz, slide deck, audio or the like of the sources, and download_artifact gets "
        "its files.",
        ("make_artifact", "download_artifact"),
    ),
    Advice("Notes are short texts of your own; without a notebook_id they are in the inbox.", ("add_note",)),
    Advice(
        "Books are folders of Markdown: list_books finds them, read_content reads a file and tells the hash that "
        "write_content wants.",
        ("list_books", "read_content", "write_content"),
        by_default=False,
    ),
    Advice(
        "Scratch notebooks hold cells of text and code: create_scratch, add_cell, then run_cell.",
        ("create_scratch", "add_cell", "run_cell"),
        by_default=False,
    ),
    Advice("Notebooks and sources may be named by id, by its beginning, or by title."),
    Advice("Long lists come in pages: pass the cursor you were given to go on. Errors say what to do."),
)
INSTRUCTIONS = " ".join(one.text for one in ADVICE if one.by_default)


def instructions(offered: Collection[str]) -> str:
    """The sentences whose tools are all offered."""
    return " ".join(one.text for one in ADVICE if all(tool in offered for tool in one.tools))
