"""What an artifact is made of: the options it is asked with, and what comes back in the same places."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from quire.notebooklm.codes import (
    AppVariant,
    ArtifactKind,
    ArtifactState,
    AudioFormat,
    AudioLength,
    Difficulty,
    InfographicDetail,
    InfographicOrientation,
    InfographicStyle,
    Quantity,
    SlideFormat,
    SlideLength,
    VideoFormat,
    VideoStyle,
)
from quire.notebooklm.documents import DOCUMENT, Document
from quire.notebooklm.kinds import anything, code, duration, integer, moment, text
from quire.notebooklm.wire import At, Constant, Each, Either, Kind, Known, Listed, Node, Part, Record, Slot

MP4_AUDIO, MP4_VIDEO = "audio/mp4", "video/mp4"
BEST_VIDEO = 4


@dataclass(slots=True)
class Media:
    url: str
    kind: int | None = None
    media_type: str | None = None


@dataclass(slots=True)
class Audio:
    instructions: str | None = None
    length: AudioLength | None = None
    source_ids: tuple[str, ...] = ()
    language: str | None = None
    format: AudioFormat | None = None
    media: tuple[Media, ...] = ()
    seconds: float | None = None

    @property
    def url(self) -> str | None:
        ranked = sorted(self.media, key=lambda item: item.media_type != MP4_AUDIO)
        return ranked[0].url if ranked else None


@dataclass(slots=True)
class Video:
    """A style of one's own is told by `style_prompt`."""

    source_ids: tuple[str, ...] = ()
    language: str | None = None
    instructions: str | None = None
    format: VideoFormat | None = None
    style: VideoStyle | None = None
    style_prompt: str | None = None
    media: tuple[Media, ...] = ()
    seconds: float | None = None

    @property
    def url(self) -> str | None:
        ranked = sorted(self.media, key=lambda item: (item.media_type != MP4_VIDEO, item.kind != BEST_VIDEO))
        return ranked[0].url if ranked else None


@dataclass(slots=True)
class Report:
    markdown: str | None = None
    title: str | None = None
    description: str | None = None
    source_ids: tuple[str, ...] = ()
    language: str | None = None
    prompt: str | None = None


@dataclass(slots=True)
class App:
    """A quiz, flashcards, or an interactive mind map with its `tree` as JSON."""

    html: str | None = None
    variant: AppVariant | None = None
    instructions: str | None = None
    language: str | None = None
    card_quantity: Quantity | None = None
    card_difficulty: Difficulty | None = None
    quiz_quantity: Quantity | None = None
    quiz_difficulty: Difficulty | None = None
    tree: str | None = None


@dataclass(slots=True)
class Picture:
    url: str | None = None
    width: int | None = None
    height: int | None = None
    title: str | None = None
    alt: str | None = None
    text: str | None = None


@dataclass(slots=True)
class Infographic:
    instructions: str | None = None
    language: str | None = None
    orientation: InfographicOrientation | None = None
    detail: InfographicDetail | None = None
    style: InfographicStyle | None = None
    pictures: tuple[Picture, ...] = ()


@dataclass(slots=True)
class Slides:
    instructions: str | None = None
    language: str | None = None
    format: SlideFormat | None = None
    length: SlideLength | None = None
    slides: tuple[Picture, ...] = ()
    pdf_url: str | None = None
    pptx_url: str | None = None


@dataclass(slots=True)
class DataTable:
    instructions: str | None = None
    language: str | None = None
    document: Document | None = None

    @property
    def rows(self) -> list[list[str]]:
        """The cells of its first table, the heads included."""
        tables = (block.table for block in self.document.blocks if block.table) if self.document else ()
        for table in tables:
            return [[cell.text for cell in row.cells] for row in table.rows]
        return []


@dataclass(slots=True)
class Artifact:
    id: str | None = None
    title: str | None = None
    kind: ArtifactKind | None = None
    source_ids: tuple[str, ...] = ()
    state: ArtifactState | None = None
    audio: Audio | None = None
    report: Report | None = None
    video: Video | None = None
    app: App | None = None
    infographic: Infographic | None = None
    slides: Slides | None = None
    table: DataTable | None = None
    modified_at: datetime | None = None
    created_at: datetime | None = None
    progress: Any = None
    etag: str | None = None


def _style(value: int) -> int | None:
    return int(value) or None


KNOWN_STYLE = code(VideoStyle)
STYLE = Kind(KNOWN_STYLE.name, KNOWN_STYLE.read, _style)
IDS = Each("source_ids", [Slot("", text, needed=True)], loose=True, empty=[])
MEDIA = Each(
    "media",
    Record(
        Media,
        At({0: Slot("url", text, needed=True), 1: Slot("kind", integer), 2: Slot("media_type", text)}),
    ),
    loose=True,
)
IMAGE: Listed = At(
    {0: Slot("url", text, loose=True), 1: Slot("width", integer, loose=True), 2: Slot("height", integer, loose=True)},
    loose=True,
)


def spot(name: str, kind: Kind) -> Slot:
    """An option: what came back of it is good to know, no more."""
    return Slot(name, kind, loose=True)


def options(places: dict[int, Node]) -> Listed:
    return At(places, loose=True)


AUDIO = Record(
    Audio,
    At(
        {
            1: options(
                {
                    0: spot("instructions", text),
                    1: spot("length", code(AudioLength)),
                    3: IDS,
                    4: spot("language", text),
                    6: spot("format", code(AudioFormat)),
                }
            ),
            5: MEDIA,
            6: spot("seconds", duration),
        }
    ),
)
REPORT: Node = Either(
    Record(
        Report,
        At(
            {
                0: Slot("markdown", text),
                1: options(
                    {
                        0: spot("title", text),
                        1: spot("description", text),
                        3: IDS,
                        4: spot("language", text),
                        5: spot("prompt", text),
                        7: Constant(True),
                    }
                ),
                2: Known(),
            }
        ),
    ),
    Record(Report, Slot("markdown", text)),
)
VIDEO = Record(
    Video,
    At(
        {
            2: options(
                {
                    0: IDS,
                    1: spot("language", text),
                    2: spot("instructions", text),
                    4: spot("format", code(VideoFormat)),
                    5: spot("style", STYLE),
                    6: spot("style_prompt", text),
                }
            ),
            4: MEDIA,
            5: spot("seconds", duration),
        }
    ),
)
APP = Record(
    App,
    At(
        {
            0: Slot("html", text),
            1: options(
                {
                    0: spot("variant", code(AppVariant)),
                    2: spot("instructions", text),
                    3: spot("language", text),
                    6: options(
                        {0: spot("card_quantity", code(Quantity)), 1: spot("card_difficulty", code(Difficulty))}
                    ),
                    7: options(
                        {0: spot("quiz_quantity", code(Quantity)), 1: spot("quiz_difficulty", code(Difficulty))}
                    ),
                }
            ),
            3: Slot("tree", text, loose=True),
        }
    ),
)
INFOGRAPHIC = Record(
    Infographic,
    At(
        {
            0: options(
                {
                    0: spot("instructions", text),
                    1: spot("language", text),
                    3: spot("orientation", code(InfographicOrientation)),
                    4: spot("detail", code(InfographicDetail)),
                    5: spot("style", code(InfographicStyle)),
                }
            ),
            2: Each(
                "pictures",
                Record(Picture, At({0: spot("title", text), 1: IMAGE, 2: spot("alt", text), 3: spot("text", text)})),
                loose=True,
            ),
        }
    ),
)
SLIDES = Record(
    Slides,
    At(
        {
            0: options(
                {
                    0: spot("instructions", text),
                    1: spot("language", text),
                    2: spot("format", code(SlideFormat)),
                    3: spot("length", code(SlideLength)),
                }
            ),
            2: Each("slides", Record(Picture, At({0: IMAGE, 1: spot("alt", text), 2: spot("text", text)})), loose=True),
            3: Slot("pdf_url", text, loose=True),
            4: Slot("pptx_url", text, loose=True),
        }
    ),
)
TABLE = Record(
    DataTable,
    At(
        {
            0: Part("document", DOCUMENT, loose=True),
            1: options({0: spot("instructions", text), 1: spot("language", text)}),
        }
    ),
)


def artifact(made: bool, kind: bool = True) -> Record:
    """A row. One that is asked for has no id yet; one that was renamed may tell its name only."""
    return Record(
        Artifact,
        At(
            {
                0: Slot("id", text, needed=made),
                1: Slot("title", text),
                2: Slot("kind", code(ArtifactKind), needed=kind),
                3: Each("source_ids", [[Slot("", text, needed=True)]], loose=True, empty=None if made else []),
                4: Slot("state", code(ArtifactState), needed=made and kind),
                6: Part("audio", AUDIO),
                7: Part("report", REPORT),
                8: Part("video", VIDEO),
                9: Part("app", APP),
                10: Slot("modified_at", moment, loose=True),
                14: Part("infographic", INFOGRAPHIC),
                15: Slot("created_at", moment, loose=True),
                16: Part("slides", SLIDES),
                17: Slot("progress", anything, loose=True),
                18: Part("table", TABLE),
                21: Slot("etag", text, loose=True),
            }
        ),
    )


ARTIFACT, WANTED, RENAMED = artifact(made=True), artifact(made=False), artifact(made=True, kind=False)
