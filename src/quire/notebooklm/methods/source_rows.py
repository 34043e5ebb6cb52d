"""Sources on the wire: what a row says, and what is sent to become one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from quire.notebooklm.codes import DriveState, Provider, SourceKind, SourceState
from quire.notebooklm.documents import Document
from quire.notebooklm.kinds import code, fragments, integer, moment, number, text
from quire.notebooklm.wire import At, Each, Either, Node, Nothing, Part, Record, Slot, Sole

MEDIA_TYPES = {
    "application/vnd.google-apps.spreadsheet": SourceKind.SHEET,
    "application/vnd.google-apps.document": SourceKind.GOOGLE_DOC,
    "application/vnd.google-apps.presentation": SourceKind.GOOGLE_SLIDES,
    "application/pdf": SourceKind.PDF,
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": SourceKind.DOCX,
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": SourceKind.XLSX,
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": SourceKind.PPTX,
    "application/epub+zip": SourceKind.EPUB,
    "text/csv": SourceKind.CSV,
    "text/markdown": SourceKind.MARKDOWN,
    "text/plain": SourceKind.TEXT,
}


@dataclass(slots=True)
class PlayBookOf:
    """The book of Google Play that a source is made of."""

    content_id: str | None = None
    title: str | None = None
    authors: tuple[str, ...] = ()


@dataclass(slots=True)
class Source:
    id: str
    title: str | None = None
    kind: SourceKind | None = None
    state: SourceState | None = None
    drive_state: DriveState | None = None
    words: int | None = None
    characters: int | None = None
    created_at: datetime | None = None
    modified_at: datetime | None = None
    revision: str | None = None
    revised_at: datetime | None = None
    page_url: str | None = None
    video_url: str | None = None
    document_id: str | None = None
    drive_id: str | None = None
    drive_type: str | None = None
    media_type: str | None = None
    play_book: PlayBookOf | None = None
    download_url: str | None = None
    viewer_url: str | None = None
    content_type: str | None = None

    @property
    def url(self) -> str | None:
        return self.page_url or self.video_url

    @property
    def what(self) -> SourceKind:
        """Its kind; a file of Google Drive is told by its media type."""
        if self.kind is SourceKind.DRIVE_FILE:
            return MEDIA_TYPES.get(self.media_type or self.drive_type or "", SourceKind.DRIVE_FILE)
        return self.kind if self.kind is not None else SourceKind.UNSPECIFIED


@dataclass(slots=True)
class DriveFile:
    id: str
    media_type: str | None = None
    title: str | None = None


@dataclass(slots=True)
class PastedText:
    title: str | None = None
    content: str | None = None


@dataclass(slots=True)
class PlayBookEntry:
    provider: Provider | None = None
    content_id: str | None = None
    title: str | None = None
    description: str | None = None
    cover_url: str | None = None
    field: float | None = None
    authors: tuple[str, ...] = ()


@dataclass(slots=True)
class NewSource:
    """What is to become a source: one of a page, a video, a text, a file of Google Drive, a book."""

    drive: DriveFile | None = None
    pasted: PastedText | None = None
    url: str | None = None
    text_code: int | None = None
    video_url: str | None = None
    mode: int | None = None
    play_book: PlayBookEntry | None = None


@dataclass(slots=True)
class SourceText:
    source: Source | None = None
    document: Document | None = None
    html: str | None = None


@dataclass(slots=True)
class SourceGuide:
    summary: str = ""
    keywords: tuple[str, ...] = ()


@dataclass(slots=True)
class Freshness:
    """`fresh` is true also where the answer is empty, as it is for web pages."""

    fresh: bool = True
    source_id: str | None = None


@dataclass(slots=True)
class Passage:
    text: str
    rank: int | None = None
    start: int | None = None
    end: int | None = None


@dataclass(slots=True)
class SourcePassages:
    source_id: str
    passages: tuple[Passage, ...] = ()


@dataclass(slots=True)
class CopiedSource:
    original_id: str
    source: Source


@dataclass(slots=True)
class Queued:
    """A source that will be read later, and whether it was taken (0)."""

    source: Source
    status: int | None = None


@dataclass(slots=True)
class QueuedSources:
    sources: tuple[Source, ...] = ()
    queued: tuple[Queued, ...] = ()


@dataclass(slots=True)
class PlayBook:
    content_id: str
    provider: Provider | None = None
    title: str | None = None
    description: str | None = None
    cover_url: str | None = None
    export_disabled: bool | None = None
    reason: int | None = None
    authors: tuple[str, ...] = ()
    field: float | None = None
    updated_at: datetime | None = None


ONE_ID = Slot("", text, needed=True)
SOURCE_ID: Node = Either(
    [Slot("id", text, needed=True)],
    At({2: [Slot("id", text, needed=True)]}),
    Slot("id", text, needed=True),
)
PLAY_BOOK_OF = Record(
    PlayBookOf,
    At(
        {
            0: Slot("content_id", text),
            2: Slot("title", text),
            3: Each("authors", Slot("", text, needed=True), loose=True),
        }
    ),
)
SOURCE = Record(
    Source,
    At(
        {
            0: SOURCE_ID,
            1: Slot("title", text),
            2: At(
                {
                    0: At({0: Slot("document_id", text, loose=True)}, loose=True),
                    1: Slot("words", integer, loose=True),
                    2: Slot("created_at", moment, loose=True),
                    3: At(
                        {0: Slot("revision", text, loose=True), 1: Slot("revised_at", moment, loose=True)}, loose=True
                    ),
                    4: Slot("kind", code(SourceKind)),
                    5: At({0: Slot("video_url", text, loose=True)}, loose=True),
                    7: At({0: Slot("page_url", text, loose=True)}, loose=True),
                    8: Slot("characters", integer, loose=True),
                    9: At({0: Slot("drive_id", text, loose=True), 2: Slot("drive_type", text, loose=True)}, loose=True),
                    14: Slot("modified_at", moment, loose=True),
                    18: Part("play_book", PLAY_BOOK_OF, loose=True),
                    19: Slot("media_type", text, loose=True),
                }
            ),
            3: At({1: Slot("state", code(SourceState)), 3: Slot("drive_state", code(DriveState), loose=True)}),
            5: Slot("download_url", text, loose=True),
            6: Slot("viewer_url", text, loose=True),
            7: At({2: Slot("content_type", text, loose=True)}, loose=True),
        }
    ),
)
NEW_SOURCE = Record(
    NewSource,
    At(
        {
            0: Part(
                "drive",
                Record(
                    DriveFile,
                    [Slot("id", text, needed=True), Slot("media_type", text), 1, Slot("title", text)],
                ),
            ),
            1: Part("pasted", Record(PastedText, [Slot("title", text), Slot("content", text)])),
            2: [Slot("url", text)],
            3: Slot("text_code", integer),
            7: [Slot("video_url", text)],
            10: Slot("mode", integer, empty=1),
            15: Part(
                "play_book",
                Record(
                    PlayBookEntry,
                    [
                        Slot("provider", code(Provider)),
                        Slot("content_id", text),
                        Slot("title", text),
                        Slot("description", text),
                        Slot("cover_url", text),
                        Slot("field", number),
                        Each("authors", Slot("", text, needed=True)),
                    ],
                ),
            ),
        }
    ),
)
ADDED: Node = Either(
    Sole([Each("", SOURCE)], ()),
    Sole(Each("", SOURCE, needed=True), ()),
    Sole([[Each("", SOURCE, needed=True)]], ()),
    Record(lambda **row: (Source(**row),), SOURCE.layout),
)
BARE, WRAPPED = Sole(Part("", SOURCE, needed=True)), Sole([Part("", SOURCE, needed=True)])
ROW_OR_NOTHING: Node = Either(BARE, WRAPPED, Sole([[Part("", SOURCE, needed=True)]]), Nothing())


class Changed(Either):
    """A row as it is told after a change: wrapped, though it was seen bare as well."""

    def wire(self, value: Any) -> Any:
        return WRAPPED.wire(value)


CHANGED = Changed(BARE, WRAPPED, Sole([[Part("", SOURCE, needed=True)]]), Nothing())
PASSAGE = Record(
    Passage,
    At(
        {
            0: [[Slot("text", fragments, needed=True)]],
            1: Slot("rank", integer, loose=True),
            2: At({0: At({1: Slot("start", integer), 2: Slot("end", integer)})}, loose=True),
        }
    ),
)
