"""Jupyter's format and our JSON, both ways."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import nbformat
import pytest
from cell_lists import run_sheets
from hypothesis import given, settings

from quire.adapters.cells.formats import FILE_LIMIT, CellFormats
from quire.domain.cells import CUT, Cell, Output, Sheet, shortened
from quire.domain.errors import InvalidInput, TooLarge

FORMATS = CellFormats()


@given(sheet=run_sheets())
@settings(max_examples=25, deadline=None)
def test_any_cells_survive_jupyter_and_json(sheet: Sheet) -> None:
    written = FORMATS.encode("ipynb", sheet)
    nbformat.validate(nbformat.reads(written, as_version=4))
    again = FORMATS.decode("ipynb", written)
    assert again.cells == sheet.cells
    assert again.language == sheet.language
    assert FORMATS.encode("ipynb", again) == written
    assert FORMATS.decode("json", FORMATS.encode("json", sheet)) == sheet


def notebook(cells: list[dict[str, Any]], **more: Any) -> str:
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells} | more)


def test_a_notebook_of_others_loses_nothing() -> None:
    cells: list[dict[str, Any]] = [
        {"id": "a", "cell_type": "markdown", "metadata": {"tags": ["x"]}, "source": "# Title\n\n\n\ntext",
         "attachments": {"p.png": {"image/png": "AAAA"}}},
        {"id": "b", "cell_type": "code", "metadata": {"collapsed": True}, "source": "1 + 1", "execution_count": 3,
         "outputs": [
             {"output_type": "execute_result", "execution_count": 3, "metadata": {"m": 1}, "data": {"text/plain": "2"}},
             {"output_type": "display_data", "metadata": {}, "data": {"application/json": {"a": [1, None]}}},
             {"output_type": "stream", "name": "stderr", "text": "oh\r\n"},
             {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["t"]}]},
        {"id": "c", "cell_type": "raw", "metadata": {"format": "text/latex"}, "source": "\\x"},
    ]  # fmt: skip
    metadata = {"kernelspec": {"name": "ir", "display_name": "R", "language": "R"}, "language_info": {"name": "R"}}
    given = notebook(cells, metadata=metadata)
    written = FORMATS.encode("ipynb", FORMATS.decode("ipynb", given))
    before, after = (json.loads(nbformat.writes(nbformat.reads(text, as_version=4))) for text in (given, written))
    assert after == before


def test_a_notebook_with_half_a_kernelspec_is_read_and_written_as_it_is() -> None:
    metadata = {"kernelspec": {"display_name": "Python 3", "language": "python"}, "language_info": {"name": "python"}}
    sheet = FORMATS.decode("ipynb", notebook([], metadata=metadata))
    assert sheet.metadata == metadata
    assert json.loads(FORMATS.encode("ipynb", sheet))["metadata"] == metadata
    for odd in ("text", {"kernelspec": "python"}):
        with pytest.raises(InvalidInput):
            FORMATS.decode("ipynb", notebook([], metadata=odd))


def test_an_old_notebook_is_brought_up_to_date() -> None:
    old = {
        "nbformat": 3, "nbformat_minor": 0, "metadata": {"name": "Old"},
        "worksheets": [{"metadata": {}, "cells": [
            {"cell_type": "heading", "level": 2, "metadata": {}, "source": ["Part"]},
            {"cell_type": "code", "language": "python", "metadata": {}, "input": ["1"], "outputs": [],
             "collapsed": False, "prompt_number": 1}]}],
    }  # fmt: skip
    sheet = FORMATS.decode("ipynb", json.dumps(old))
    assert [(cell.type, cell.source) for cell in sheet.cells] == [("markdown", "## Part"), ("code", "1")]


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", "{}", '{"nbformat":4}', '{"nbformat":99,"nbformat_minor":0,"metadata":{},"cells":[]}',
     '{"nbformat":4,"nbformat_minor":5,"metadata":{},"cells":[{"cell_type":"odd"}]}', "[" * 100_000],
)  # fmt: skip
def test_what_is_no_notebook_is_refused(text: str) -> None:
    for format in ("ipynb", "json"):
        if format == "json" and text == "{}":
            continue
        with pytest.raises(InvalidInput):
            FORMATS.decode(format, text)


def test_only_plain_files_of_a_sane_size_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    for name in ("pipe", "bytes", "none", "."):
        with pytest.raises(InvalidInput):
            FORMATS.read("json", str(tmp_path / name))
    with (tmp_path / "large").open("wb") as file:
        file.truncate(FILE_LIMIT + 1)
    with pytest.raises(TooLarge):
        FORMATS.read("ipynb", str(tmp_path / "large"))


def test_long_outputs_are_cut_and_say_so() -> None:
    stream = Output(kind="stream", name="stdout", text="x" * 100)
    error = Output(kind="error", error_name="E", error_value="v", traceback=["a" * 50, "b", "c", "d"])
    picture = Output(kind="display", data={"image/png": "A" * 100, "text/plain": "<Figure>"})
    assert shortened([stream], 100) == [stream]
    kept = shortened([stream, stream, error], 150)
    assert kept[1].text == "x" * 50 + CUT
    assert [one.cut for one in kept] == [False, True, False]
    assert kept[-1].traceback == ["b", "c", "d"]
    (cut,) = shortened([picture], 50)
    assert cut.cut
    assert "image/png" not in cut.data


@pytest.mark.parametrize(
    ("cell", "language", "media_type"),
    [
        (Cell(type="code", filename="a.mjs"), "javascript", "application/javascript"),
        (Cell(type="code", filename="a.ts"), "typescript", "application/typescript"),
        (Cell(type="code", language="python"), "python", "text/x-python"),
        (Cell(type="code", filename="a.js", language="python"), "javascript", "application/javascript"),
        (Cell(type="markdown", language="python"), None, "text/markdown"),
        (Cell(type="package.json"), None, "application/json"),
    ],
)
def test_a_cell_says_what_it_is(cell: Cell, language: str | None, media_type: str) -> None:
    assert (cell.language, cell.media_type) == (language, media_type)
