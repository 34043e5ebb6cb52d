"""Jupyter notebooks, both ways. What only Quire knows of a cell stands in its metadata under `quire`."""

from __future__ import annotations

import json
import re
import warnings
from types import ModuleType
from typing import Any

from quire.domain.cells import Cell, Output, Sheet
from quire.domain.errors import InvalidInput, Unsupported

OURS = "quire"
KINDS = {"execute_result": "result", "display_data": "display", "stream": "stream", "error": "error"}
BACK = {kind: name for name, kind in KINDS.items()}
MINOR = 5


def decode(text: str) -> Sheet:
    """The cells of a notebook of any version; older ones are brought to the newest."""
    nbformat = library()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            notebook = nbformat.reads(text, as_version=4)
            _validate(nbformat, notebook)
        return _sheet(json.loads(json.dumps(notebook)))
    except (nbformat.ValidationError, nbformat.reader.NotJSONError) as error:
        raise InvalidInput(f"This is not a valid Jupyter notebook: {_line(error)}") from None
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
        raise InvalidInput("This is not a valid Jupyter notebook.") from None


def _sheet(notebook: dict[str, Any]) -> Sheet:
    metadata = notebook["metadata"]
    ours = metadata.pop(OURS, {}) if isinstance(metadata.get(OURS), dict) else {}
    known = metadata.get("kernelspec", {}).get("language") or metadata.get("language_info", {}).get("name")
    language = ours.get("language") or known or "python"
    tsconfig = ours.get("tsconfig")
    return Sheet(
        language=language,
        tsconfig=tsconfig if isinstance(tsconfig, dict) else None,
        metadata=metadata,
        cells=[_cell(cell, language) for cell in notebook["cells"]],
    )


def encode(sheet: Sheet) -> str:
    """The notebook in format 4.5, validated."""
    nbformat = library()
    metadata = dict(sheet.metadata)
    metadata.setdefault("language_info", {"name": sheet.language})
    ours: dict[str, Any] = {"language": sheet.language}
    if sheet.tsconfig is not None:
        ours["tsconfig"] = sheet.tsconfig
    if metadata["language_info"].get("name") != sheet.language or sheet.tsconfig is not None:
        metadata[OURS] = ours
    used: set[str] = set()
    cells = [_written(cell, number, sheet.language, used) for number, cell in enumerate(sheet.cells)]
    notebook = nbformat.from_dict({"nbformat": 4, "nbformat_minor": MINOR, "metadata": metadata, "cells": cells})
    try:
        _validate(nbformat, notebook)
    except nbformat.ValidationError as error:
        raise InvalidInput(f"The notebook has no valid form in Jupyter's format: {_line(error)}") from None
    written: str = nbformat.writes(notebook)
    return written + "\n"


def _validate(nbformat: ModuleType, notebook: Any) -> None:
    """A notebook whose own metadata alone is amiss can be read and run: what is there is kept as it is."""
    try:
        nbformat.validate(notebook)
    except nbformat.ValidationError:
        nbformat.validate({**notebook, "metadata": {}})


def library() -> ModuleType:
    try:
        import nbformat
        import nbformat.reader
    except ImportError:
        raise Unsupported("Jupyter notebooks need an extra.", hint="quire extras add scratch") from None
    module: ModuleType = nbformat
    return module


def _cell(cell: dict[str, Any], language: str) -> Cell:
    metadata = cell.get("metadata") or {}
    ours = metadata.pop(OURS, {}) if isinstance(metadata.get(OURS), dict) else {}
    kind: Any = ours.get("type") if ours.get("type") in ("title", "package.json") else cell["cell_type"]
    filename = ours.get("filename")
    return Cell(
        id=cell.get("id", ""),
        type=kind,
        source=cell["source"],
        language=(ours.get("language") or language) if kind == "code" else None,
        filename=filename if isinstance(filename, str) else None,
        linked=ours.get("linked") is True,
        execution_count=cell.get("execution_count"),
        outputs=[_output(output) for output in cell.get("outputs", [])],
        metadata=metadata,
        attachments=cell.get("attachments"),
    )


def _output(output: dict[str, Any]) -> Output:
    kind: Any = KINDS[output["output_type"]]
    if kind == "stream":
        return Output(kind=kind, name=output["name"], text=output["text"])
    if kind == "error":
        return Output(
            kind=kind, error_name=output["ename"], error_value=output["evalue"], traceback=output["traceback"]
        )
    count = output.get("execution_count")
    return Output(kind=kind, data=output["data"], metadata=output["metadata"], execution_count=count)


def _written(cell: Cell, number: int, language: str, used: set[str]) -> dict[str, Any]:
    kind = {"title": "markdown", "package.json": "raw"}.get(cell.type, cell.type)
    ours: dict[str, Any] = {}
    if kind != cell.type:
        ours["type"] = cell.type
    if cell.filename:
        ours["filename"] = cell.filename
    if cell.type == "code" and cell.language not in (None, language):
        ours["language"] = cell.language
    if cell.linked:
        ours["linked"] = True
    id = cell.id if re.fullmatch(r"[A-Za-z0-9_-]{1,64}", cell.id) and cell.id not in used else f"cell-{number}"
    while id in used:
        id += "-"
    used.add(id)
    metadata = cell.metadata | ({OURS: ours} if ours else {})
    written: dict[str, Any] = {"id": id, "cell_type": kind, "metadata": metadata, "source": cell.source}
    if kind == "code":
        written["execution_count"] = cell.execution_count
        written["outputs"] = [_written_output(output) for output in cell.outputs]
    elif cell.attachments is not None:
        written["attachments"] = cell.attachments
    return written


def _written_output(output: Output) -> dict[str, Any]:
    written: dict[str, Any] = {"output_type": BACK[output.kind]}
    if output.kind == "stream":
        return written | {"name": output.name or "stdout", "text": output.text or ""}
    if output.kind == "error":
        return written | {
            "ename": output.error_name or "",
            "evalue": output.error_value or "",
            "traceback": output.traceback,
        }
    written |= {"data": output.data, "metadata": output.metadata}
    return written | ({"execution_count": output.execution_count} if output.kind == "result" else {})


def _line(error: Exception) -> str:
    return str(error).strip().splitlines()[0][:200] if str(error).strip() else "it does not follow the format."
