"""Documents on the wire: blocks of styled text with offsets, and what they refer to.

Offsets count UTF-16 code units, as the web client's strings do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from quire.notebooklm.kinds import integer, number, text, ticked
from quire.notebooklm.wire import At, Each, Listed, Maybe, Part, Record, Slot


def utf16_length(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def utf16_offsets(text: str) -> list[int]:
    """For every position in a text, and its end, the offset on the wire."""
    offsets = [0]
    for character in text:
        offsets.append(offsets[-1] + (2 if character > "\uffff" else 1))
    return offsets


@dataclass(slots=True)
class Run:
    """A stretch of text in one style."""

    start: int = 0
    end: int = 0
    text: str = ""
    bold: bool = False
    italic: bool = False
    underline: bool = False
    url: str | None = None


@dataclass(slots=True)
class Cell:
    start: int = 0
    end: int = 0
    blocks: tuple[Block, ...] = ()

    @property
    def text(self) -> str:
        return "".join(block.text for block in self.blocks)


@dataclass(slots=True)
class TableRow:
    start: int = 0
    end: int = 0
    cells: tuple[Cell, ...] = ()


@dataclass(slots=True)
class Table:
    height: int | None = None
    width: int | None = None
    rows: tuple[TableRow, ...] = ()


@dataclass(slots=True)
class Paragraph:
    runs: tuple[Run, ...] = ()
    style: int | None = None
    bullet_level: int | None = None


@dataclass(slots=True)
class Block:
    start: int = 0
    end: int = 0
    paragraph: Paragraph | None = None
    table: Table | None = None

    @property
    def text(self) -> str:
        if self.table:
            rows = ("\t".join(cell.text for cell in row.cells) for row in self.table.rows)
            return "\n".join(rows)
        return "".join(run.text for run in self.paragraph.runs) if self.paragraph else ""


@dataclass(slots=True)
class Annotation:
    """A stretch of the document that a passage supports."""

    chunk_id: str
    start: int = 0
    end: int = 0


@dataclass(slots=True)
class Citation:
    """A passage of a source that an answer rests on."""

    chunk_id: str | None = None
    score: float | None = None
    start: int | None = None
    end: int | None = None
    blocks: tuple[Block, ...] = ()
    source_id: str | None = None
    passage_id: str | None = None

    @property
    def text(self) -> str:
        return "".join(block.text for block in self.blocks)


@dataclass(slots=True)
class Document:
    blocks: tuple[Block, ...] = ()
    annotations: tuple[Annotation, ...] = ()
    citations: tuple[Citation, ...] = field(default=())
    mark: int | None = None

    @property
    def text(self) -> str:
        return "".join(self.texts())

    def texts(self) -> Iterator[str]:
        for block in self.blocks:
            yield block.text


ANSWER_MARK, THOUGHT_MARK = 1, 2
BODY_STYLE = 1

START, END = Slot("start", integer), Slot("end", integer)
RUN = Record(
    Run,
    [
        START,
        END,
        [
            Slot("text", text),
            Maybe(
                At(
                    {
                        0: Slot("bold", ticked, loose=True),
                        1: Slot("italic", ticked, loose=True),
                        2: Slot("underline", ticked, loose=True),
                        3: Slot("url", text, loose=True),
                    },
                    loose=True,
                )
            ),
        ],
    ],
)
PARAGRAPH = Record(
    Paragraph,
    At(
        {
            0: Each("runs", RUN),
            1: At({1: Slot("style", integer, loose=True)}, loose=True),
            3: At({2: Slot("bullet_level", integer, loose=True)}, loose=True),
        }
    ),
)
# Cells hold blocks, which may be tables again, so the layout of a block is filled in afterwards.
BLOCK = Record(Block, None)
CELL = Record(Cell, At({0: START, 1: END, 2: Each("blocks", BLOCK)}))
TABLE_ROW = Record(TableRow, At({0: START, 1: END, 2: Each("cells", CELL)}))
TABLE = Record(
    Table,
    At({0: Slot("height", integer, loose=True), 1: Slot("width", integer, loose=True), 2: Each("rows", TABLE_ROW)}),
)
BLOCK.layout = At({0: START, 1: END, 2: Part("paragraph", PARAGRAPH), 4: Part("table", TABLE)})

ANNOTATION = Record(Annotation, At({0: [Slot("chunk_id", text, needed=True)], 1: At({1: START, 2: END})}))
BODY: Listed = At({0: Each("blocks", BLOCK, loose=True), 1: Each("annotations", ANNOTATION, loose=True)})


class SourceOf(At):
    """Where a passage is from: `[[[source], passage]]`, as it is streamed."""

    def __init__(self) -> None:
        super().__init__({0: [[Slot("source_id", text)], Slot("passage_id", text, loose=True)]}, loose=True)


class SavedSourceOf(At):
    """The same in a note that was saved from an answer, the other way round: `[[[passage], source]]`."""

    def __init__(self) -> None:
        super().__init__({0: [[Slot("passage_id", text)], Slot("source_id", text, loose=True)]}, loose=True)


def citation_layout(source: Listed) -> Listed:
    return At(
        {
            2: Slot("score", number, loose=True),
            3: At({0: At({1: Slot("start", integer, loose=True), 2: Slot("end", integer, loose=True)})}, loose=True),
            4: At({0: Each("blocks", BLOCK, loose=True)}, loose=True),
            5: source,
            6: At({0: Slot("chunk_id", text)}, loose=True),
        }
    )


CITATION = Record(Citation, citation_layout(SourceOf()))
CITED = Record(Citation, [[Slot("chunk_id", text, needed=True)], citation_layout(SourceOf())])
SAVED_PASSAGE = Record(Citation, citation_layout(SavedSourceOf()))
SAVED_CITED = Record(Citation, [[Slot("chunk_id", text, needed=True)], citation_layout(SavedSourceOf())])

DOCUMENT = Record(Document, At({0: BODY, 3: Each("citations", CITED), 4: Slot("mark", integer, loose=True)}))
SOURCE_DOCUMENT = Record(Document, At({0: BODY, 3: Each("citations", CITED, loose=True)}))
SAVED_DOCUMENT = Record(
    Document, At({0: BODY, 3: Each("citations", SAVED_CITED, loose=True), 4: Slot("mark", integer, loose=True)})
)


def plain_document(content: str) -> Document:
    """A text as a document: a paragraph for each line, offsets over the text with its line breaks left out."""
    blocks = []
    at = 0
    for line in content.split("\n"):
        if line:
            end = at + utf16_length(line)
            blocks.append(Block(at, end, Paragraph(runs=(Run(at, end, line),), style=BODY_STYLE)))
            at = end
    return Document(blocks=tuple(blocks))
