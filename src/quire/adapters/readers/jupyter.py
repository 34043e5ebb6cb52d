"""Jupyter notebooks: prose as Markdown, code in fences, outputs as text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from quire.adapters.readers.draft import Draft
from quire.adapters.readers.failures import damaged, reading
from quire.adapters.readers.limits import Limits
from quire.adapters.readers.markdown import write_markdown
from quire.adapters.readers.text import decode

WHAT = "a Jupyter notebook"
LONGEST_OUTPUT = 20_000


def read_notebook(path: Path, limits: Limits) -> Draft:
    draft = Draft(limits)
    with reading(WHAT):
        notebook = json.loads(decode(path.read_bytes()))
        cells = notebook.get("cells")
        if cells is None:
            cells = [cell for sheet in notebook.get("worksheets", []) for cell in sheet.get("cells", [])]
        if "cells" not in notebook and "nbformat" not in notebook:
            raise damaged(WHAT)
        metadata = notebook.get("metadata") or {}
        draft.suggest_title(metadata.get("title") if isinstance(metadata.get("title"), str) else None)
        language = str((metadata.get("language_info") or {}).get("name") or "")
        for cell in cells:
            write_cell(draft, cell, language)
    return draft.finish("The notebook has no cells with text.")


def write_cell(draft: Draft, cell: dict[str, Any], language: str) -> None:
    source = joined(cell.get("source", cell.get("input", "")))
    match cell.get("cell_type"):
        case "markdown":
            write_markdown(draft, source)
        case "heading":
            draft.heading(int(cell.get("level", 1)), source)
        case "code":
            draft.code(source, language)
            for text in outputs(cell):
                draft.code(text)
        case _:
            draft.block(source)


def outputs(cell: dict[str, Any]) -> Iterator[str]:
    """What a cell printed, returned or failed with, as far as it is text."""
    for output in cell.get("outputs") or []:
        data = output.get("data") or {}
        if output.get("output_type") == "error":
            text = f"{output.get('ename', '')}: {output.get('evalue', '')}"
        elif "text/markdown" in data:
            text = joined(data["text/markdown"])
        else:
            text = joined(output.get("text") or data.get("text/plain") or "")
        if text.strip():
            yield text if len(text) <= LONGEST_OUTPUT else text[:LONGEST_OUTPUT] + "\n..."


def joined(text: Any) -> str:
    return "".join(str(part) for part in text) if isinstance(text, list) else str(text)
