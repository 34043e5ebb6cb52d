"""Cells, what they put out, and a sheet: the cells of one scratch notebook, whatever format they came from."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

CellType = Literal["title", "package.json", "markdown", "code", "raw"]
CellStatus = Literal["idle", "running", "failed"]

MOST_CELLS = 200
SOURCE_LIMIT = 1_000_000
OUTPUT_LIMIT = 256 * 1024
CUT = "\n[output cut: it is longer than this notebook keeps]"

LANGUAGES = {
    "js": "javascript",
    "cjs": "javascript",
    "mjs": "javascript",
    "ts": "typescript",
    "cts": "typescript",
    "mts": "typescript",
    "py": "python",
}
SUFFIXES = {"javascript": "js", "typescript": "ts", "python": "py"}
MEDIA_TYPES = {
    "javascript": "application/javascript",
    "typescript": "application/typescript",
    "python": "text/x-python",
}
# What `trim` removes in the language that srcmd was made with.
BLANKS = "\t\n\v\f\r \u00a0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000\ufeff"
BAD_NAME = re.compile(r"[/\\\x00-\x1f\x7f]")

CellId = Annotated[str, Field(description="The cell's id.")]
Source = Annotated[str, Field(max_length=SOURCE_LIMIT, description="What stands in the cell.")]
Language = Annotated[str, Field(max_length=40, pattern=r"^[a-z][a-z0-9+#.-]*$", description="Of its code.")]
FileName = Annotated[str, Field(min_length=1, max_length=100, description="A code cell's file name.")]


class Output(BaseModel):
    """One thing that a cell put out, in Jupyter's four kinds; `data` holds texts by media type, images in base64.
    By its `display_id` a later run can change it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["stream", "result", "display", "error"]
    name: str | None = None
    text: str | None = None
    data: dict[str, Any] = Field(default_factory=dict)
    metadata: dict[str, Any] = Field(default_factory=dict)
    error_name: str | None = None
    error_value: str | None = None
    traceback: list[str] = Field(default_factory=list)
    execution_count: int | None = None
    display_id: str | None = None
    cut: bool = False


class Cell(BaseModel):
    """One cell. A code cell's language comes from its file name where that tells."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = ""
    type: CellType
    source: str = ""
    language: str | None = None
    filename: str | None = None
    linked: bool = False
    status: CellStatus = "idle"
    execution_count: int | None = None
    outputs: list[Output] = Field(default_factory=list)
    metadata: dict[str, Any] = Field(default_factory=dict)
    attachments: dict[str, Any] | None = None

    @field_validator("source")
    @classmethod
    def _newlines(cls, source: str) -> str:
        return source.replace("\r\n", "\n")

    @model_validator(mode="after")
    def _consistent(self) -> Cell:
        if self.type == "title":
            object.__setattr__(self, "source", re.sub(r"[\r\n]+", " ", self.source).strip(BLANKS))
        if self.type != "code":
            object.__setattr__(self, "language", None)
            object.__setattr__(self, "filename", None)
        elif self.filename is not None and (known := language_of(self.filename)):
            object.__setattr__(self, "language", known)
        return self

    @property
    def media_type(self) -> str:
        if self.type == "package.json":
            return "application/json"
        if self.type == "code":
            return MEDIA_TYPES.get(self.language or "", "text/plain")
        return "text/plain" if self.type == "raw" else "text/markdown"


class Sheet(BaseModel):
    """The cells of a notebook, and what belongs to all of them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    language: str = "python"
    tsconfig: dict[str, Any] | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)
    cells: list[Cell] = Field(default_factory=list)
    warnings: list[str] = Field(default_factory=list)

    @property
    def title(self) -> str | None:
        return next((cell.source for cell in self.cells if cell.type == "title"), None)


def language_of(filename: str) -> str | None:
    """The language that a file's name tells of."""
    return LANGUAGES.get(filename.rpartition(".")[2]) if "." in filename else None


def suffix_of(cell: Cell) -> str:
    """What the file of a cell ends with."""
    if cell.type == "package.json":
        return "json"
    if cell.type != "code":
        return "txt" if cell.type == "raw" else "md"
    named = (cell.filename or "").rpartition(".")[2] if "." in (cell.filename or "") else ""
    if re.fullmatch(r"[A-Za-z0-9]{1,10}", named):
        return named
    return SUFFIXES.get(cell.language or "", "txt")


def good_name(filename: str) -> bool:
    """Whether a name is one file's, and no way out of a folder."""
    return filename not in ("", ".", "..") and not BAD_NAME.search(filename) and filename == filename.strip()


def shortened(outputs: list[Output], limit: int = OUTPUT_LIMIT) -> list[Output]:
    """The outputs as far as a cell keeps them; what is cut says so."""
    kept: list[Output] = []
    left = limit
    for output in outputs:
        size = size_of(output)
        if size <= left:
            kept.append(output)
            left -= size
            continue
        if output.kind == "stream" and output.text is not None:
            kept.append(output.model_copy(update={"text": output.text[:left] + CUT, "cut": True}))
        elif output.kind == "error":
            end = [line[-2_000:] for line in output.traceback[-3:]]
            value = (output.error_value or "")[:2_000]
            kept.append(output.model_copy(update={"traceback": end, "error_value": value, "cut": True}))
        else:
            text = output.data.get("text/plain")
            short = {"text/plain": text[:left] + CUT} if isinstance(text, str) else {"text/plain": CUT.strip()}
            kept.append(output.model_copy(update={"data": short, "metadata": {}, "cut": True}))
        left = 0
        if any(later.kind == "error" for later in outputs[len(kept) :]):
            error = next(later for later in outputs[len(kept) :] if later.kind == "error")
            kept.append(error.model_copy(update={"traceback": error.traceback[-3:]}))
        break
    return kept


def size_of(output: Output) -> int:
    """Characters, as a limit counts them."""
    size = len(output.text or "") + len(output.error_value or "") + sum(map(len, output.traceback))
    values = (*output.data.values(), *output.metadata.values())
    return size + sum(len(value) if isinstance(value, str) else len(str(value)) for value in values)
