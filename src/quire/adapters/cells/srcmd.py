"""srcmd, the Markdown of srcbook: read and written byte for byte as it does, but without its losses.

What srcbook has no form for stands under a metadata key of our own, `quire`: the language of notebooks in
another than JavaScript and TypeScript, and the numbers of cells that are written as files although they are none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from quire.adapters.cells.blocks import MarkdownBlock, Parsed, code_of, parse
from quire.domain.cells import BLANKS, SUFFIXES, Cell, Sheet, good_name, language_of
from quire.domain.errors import InvalidInput

METADATA = re.compile(r"<!--\s*+srcbook:(.+)")
OURS = "quire"
BETWEEN = "<!-- quire:cell -->"
PACKAGE = "package.json"
UNTITLED = "Untitled"
NATIVE = ("javascript", "typescript")
CLOSES = re.compile(r"^ {0,3}(`{3,})[ \t]*$", re.MULTILINE)
EXAMPLE = '<!-- srcbook:{"language":"javascript"} -->'
LINK = re.compile(r"^\.?/?(?:\./)?((?:src/)?[^/]+)$")


def decode(text: str, files: Mapping[str, str] | None = None) -> Sheet:
    """The cells of a srcmd text; linked files are taken from `files` by their path in the folder."""
    parsed = parse(text.replace("\r\n", "\n"))
    metadata, at = _metadata(parsed)
    ours = metadata.get(OURS, {})
    reading = _Reading(parsed, at, files or {})
    cells = reading.cells()
    if reading.errors:
        raise InvalidInput("; ".join(reading.errors) + ".", errors=reading.errors)
    return Sheet(
        language=ours.get("language", metadata["language"]),
        tsconfig=metadata.get("tsconfig.json"),
        cells=_restored(cells, ours),
        warnings=reading.warnings,
    )


def encode(sheet: Sheet, *, lenient: bool = False, linked: bool = False) -> str:
    """The text of a notebook. A heading of level 1 or 6 in a Markdown cell has no form in srcmd: it is refused,
    or, where `lenient`, the cell is written as a file. `linked` writes code as links to files beside it."""
    cells = ordered(sheet.cells)
    ours: dict[str, Any] = {}
    if sheet.language not in NATIVE:
        ours["language"] = sheet.language
    if not any(cell.type == "title" for cell in cells):
        cells.insert(0, Cell(type="title", source=UNTITLED))
        ours["untitled"] = True
    blocks: list[str] = []
    before = ""
    for number, cell in enumerate(cells):
        last = number == len(cells) - 1
        kind, block = _block(number, cell, ours, lenient=lenient, linked=linked, last=last)
        if kind == before == "markdown":
            blocks.append(BETWEEN)
        blocks.append(block)
        before = kind
    metadata: dict[str, Any] = {"language": sheet.language if sheet.language in NATIVE else "javascript"}
    if sheet.tsconfig is not None and metadata["language"] == "typescript":
        metadata["tsconfig.json"] = sheet.tsconfig
    if ours:
        metadata[OURS] = ours
    head = json.dumps(metadata, ensure_ascii=False, separators=(",", ":")).replace("-->", "--\\u003e")
    return "\n\n".join([f"<!-- srcbook:{head} -->", *blocks]).rstrip(BLANKS) + "\n"


def ordered(cells: list[Cell]) -> list[Cell]:
    """The title first, package.json second."""
    rank = {"title": 0, PACKAGE: 1}
    return sorted(cells, key=lambda cell: rank.get(cell.type, 2))


def normal(text: str) -> str:
    """Markdown as a round trip leaves it: trimmed, blank lines squeezed outside code."""
    parsed = parse(text.strip(BLANKS))
    return _squeezed(parsed, 0, len(parsed.lines))


def code_name(number: int, cell: Cell) -> str:
    """The file name of a cell: its own, or one by its number."""
    if cell.filename:
        return cell.filename
    suffix = {"markdown": "md", "raw": "txt"}.get(cell.type) or SUFFIXES.get(cell.language or "", "txt")
    return f"cell-{number}.{suffix}"


def _block(
    number: int, cell: Cell, ours: dict[str, Any], *, lenient: bool, linked: bool, last: bool
) -> tuple[str, str]:
    if cell.type == "title":
        return "title", f"# {_heading(cell.source)}".rstrip(" ")
    if cell.type == PACKAGE:
        body = f"[{PACKAGE}](./{PACKAGE})" if linked else _fenced("json", cell.source)
        return "code", f"###### {PACKAGE}\n\n{body}"
    if cell.type == "markdown" and _stands_alone(number, cell, lenient, last):
        return "markdown", cell.source.strip(BLANKS)
    name = code_name(number, cell)
    if cell.type != "code":
        ours.setdefault(cell.type, []).append(number)
    elif cell.filename is None:
        ours.setdefault("unnamed", []).append(number)
    if cell.type == "code" and language_of(name) != cell.language:
        ours.setdefault("languages", {})[str(number)] = cell.language
    if cell.linked or (linked and cell.type == "code"):
        return "code", f"###### {_heading(name)}\n\n[{name}](./src/{name})"
    fence = cell.language if cell.type == "code" else cell.type
    return "code", f"###### {_heading(name)}\n\n{_fenced(fence or '', cell.source)}"


def _stands_alone(number: int, cell: Cell, lenient: bool, last: bool) -> bool:
    """Whether a Markdown cell can be written as it is: nothing of it is taken for another cell, or reaches into it."""
    text = cell.source.strip(BLANKS)
    if not text:
        return False
    parsed = parse(text)
    for block in parsed.blocks:
        if block.kind == "heading" and block.level in (1, 6):
            if lenient:
                return False
            raise InvalidInput(
                f"Cell {cell.id or number}: a Markdown cell cannot hold a heading of level {block.level} in srcmd.",
                hint="Level 1 is the notebook's title and level 6 a file name; use levels 2 to 5.",
                cell=cell.id or str(number),
            )
        if block.kind == "html" and block.text == BETWEEN:
            return False
    return _squeezed(parsed, 0, len(parsed.lines)) == text and (last or _ends(text))


def _ends(text: str) -> bool:
    """Whether nothing that is open in a text would take in what follows."""
    followed = parse(f"{text}\n\n###### end\n")
    end = followed.blocks[-1]
    return end.kind == "heading" and end.level == 6 and end.start == len(followed.lines) - 2


def _heading(text: str) -> str:
    """A text that keeps the # it ends with."""
    bare = text.rstrip("#")
    return f"{text} #" if bare != text and (not bare or bare[-1] in " \t") else text


def _fenced(language: str, source: str) -> str:
    """A fence that no line of the source closes."""
    longest = max((len(run) for run in CLOSES.findall(source)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{source}\n{fence}"


def _metadata(parsed: Parsed) -> tuple[dict[str, Any], MarkdownBlock]:
    for block in parsed.blocks:
        said = block.text.removesuffix("-->").rstrip()
        if block.kind == "html" and said != block.text and (found := METADATA.fullmatch(said)):
            break
    else:
        raise InvalidInput("Srcbook does not contain required metadata.", hint=f"It begins with: {EXAMPLE}")
    try:
        metadata = json.loads(found[1])
    except (json.JSONDecodeError, RecursionError) as error:
        raise InvalidInput(f"Unable to parse srcbook metadata: {error}.") from None
    if not isinstance(metadata, dict) or metadata.get("language") not in NATIVE:
        raise InvalidInput("The metadata of the srcmd must name its language: javascript or typescript.")
    if not isinstance(metadata.get("tsconfig.json", {}), dict) or not isinstance(metadata.get(OURS, {}), dict):
        raise InvalidInput("The metadata of the srcmd is not valid.")
    return metadata, block


def _restored(cells: list[Cell], ours: dict[str, Any]) -> list[Cell]:
    """The cells as they were before they were written as files."""
    changes: dict[int, dict[str, Any]] = {}
    for kind in ("markdown", "raw"):
        for number in _numbers(ours.get(kind)):
            changes[number] = {"type": kind, "language": None, "filename": None}
    for number in _numbers(ours.get("unnamed")):
        changes[number] = {"filename": None}
    languages = ours.get("languages")
    for number, language in languages.items() if isinstance(languages, dict) else ():
        if isinstance(language, str | None) and str(number).isdecimal():
            changes.setdefault(int(number), {})["language"] = language
    restored = [
        cell.model_copy(update=changes.get(number, {})) if cell.type == "code" else cell
        for number, cell in enumerate(cells)
    ]
    return restored[1:] if ours.get("untitled") is True else restored


def _numbers(given: Any) -> list[int]:
    return [number for number in given if isinstance(number, int)] if isinstance(given, list) else []


class _Reading:
    """From blocks to cells, with every error rather than the first."""

    def __init__(self, parsed: Parsed, metadata: MarkdownBlock, files: Mapping[str, str]) -> None:
        self.parsed = parsed
        self.errors: list[str] = []
        self.warnings: list[str] = []
        self._files = files
        self._blocks = [block for block in parsed.blocks if block is not metadata]
        self._cells: list[Cell] = []
        # Lines that belong to no Markdown cell.
        self._taken: set[int] = set(range(metadata.start, metadata.end))
        self._text_from = 0

    def cells(self) -> list[Cell]:
        blocks = self._blocks
        index = 0
        while index < len(blocks):
            block = blocks[index]
            if block.kind == "heading" and block.level == 1:
                self._markdown_before(block.start)
                self._cells.append(Cell(type="title", source=block.text))
                self._text_from = block.end
            elif block.kind == "heading" and block.level == 6:
                self._markdown_before(block.start)
                following = blocks[index + 1] if index + 1 < len(blocks) else None
                self._text_from = block.end
                if following and self._file(block, following):
                    index += 1
            elif block.kind == "html" and block.text == BETWEEN:
                self._markdown_before(block.start)
                self._text_from = block.end
            index += 1
        self._markdown_before(len(self.parsed.lines))
        self._check()
        return self._cells

    def _file(self, heading: MarkdownBlock, block: MarkdownBlock) -> bool:
        """A code cell, or a link to one, right after its name."""
        name = heading.text
        adjacent = not any(line.strip(" \t") for line in self.parsed.lines[heading.end : block.start])
        if not adjacent or not (block.kind == "code" or block.link is not None):
            self.errors.append(f"h6 is reserved for code cells, but no code block followed '###### {name}'")
            return False
        if not good_name(name):
            self.errors.append(f"'{name[:80]}' is not a file name")
            return False
        linked = False
        if block.kind == "code":
            source = code_of(self.parsed.lines, block)
        else:
            path = LINK.match(block.link or "")
            found = self._files.get(path[1]) if path else None
            linked, source = found is None, (found or "").replace("\r\n", "\n")
            if linked:
                self.warnings.append(f"The file of the linked cell '{name}' is not there; it is kept as a link.")
        kind: Any = PACKAGE if name == PACKAGE else "code"
        self._cells.append(Cell(type=kind, filename=name, source=source, linked=linked, language=language_of(name)))
        self._text_from = block.end
        return True

    def _markdown_before(self, end: int) -> None:
        """What stands between two cells, where it is more than blank."""
        text = _squeezed(self.parsed, self._text_from, end, self._taken)
        if text:
            self._cells.append(Cell(type="markdown", source=text))
        self._text_from = end

    def _check(self) -> None:
        titles = [number for number, cell in enumerate(self._cells) if cell.type == "title"]
        if titles != [0]:
            self.errors.insert(0, "Document must contain exactly one h1 heading")
        if sum(cell.type == PACKAGE for cell in self._cells) > 1:
            self.errors.append("Document must contain at most one package.json")
        if not any(block.kind == "heading" and block.level == 6 for block in self._blocks[-1:]):
            return
        last = self._blocks[-1]
        self.errors.append(f"h6 is reserved for code cells, but no code block followed '###### {last.text}'")


def _squeezed(parsed: Parsed, start: int, end: int, without: set[int] = set()) -> str:
    lines: list[str] = []
    blank = False
    for number in range(start, end):
        line = parsed.lines[number]
        if number in without:
            continue
        if number in parsed.kept:
            blank = False
        elif not line:
            if blank:
                continue
            blank = True
        else:
            blank = False
        lines.append(line)
    return "\n".join(lines).strip(BLANKS)
