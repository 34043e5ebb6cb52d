"""Files of artifacts, a module for each kind and format.

Each has `make(content, path, progress)`, which writes the file, and `check(path, content)`, which opens it again and
raises ValueError where it is not whole. They are imported when a file is made. What is `spoken` is given a recording of
the content in its place.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from quire.adapters.rendering.plain_text import with_plain_text
from quire.adapters.video.ffmpeg_program import Ffmpeg
from quire.adapters.voices import voice_of
from quire.adapters.voices.no_voice import NoVoice
from quire.adapters.voices.recording import Recorder
from quire.domain.audio import AudioScript
from quire.domain.errors import InvalidInput, QuireError, Unsupported
from quire.domain.video_overviews import VideoOverview
from quire.ports.artifact_files import FormatFacts, Progress
from quire.ports.voices import Voice

log = logging.getLogger("quire.studio")
SPEAKING, SPEAKING_A_FILM = 0.9, 0.5


@dataclass(frozen=True)
class FormatRow:
    """`extra` is what must be installed for it; see `FormatFacts` for `when_asked`. `spoken` is made of a recording,
    `filmed` of a film."""

    media_type: str
    module: str
    extra: str = ""
    when_asked: bool = False
    spoken: bool = False
    filmed: bool = False
    # Its letters are drawn in our fonts.
    drawn: bool = False


MARKDOWN, HTML, JSON, SVG = "text/markdown", "text/html", "application/json", "image/svg+xml"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
PNG, ZIP = "image/png", "application/zip"
MP3, WAV, VTT, MP4 = "audio/mpeg", "audio/wav", "text/vtt", "video/mp4"
PDF, CSV, ANKI = "application/pdf", "text/csv", "application/apkg"

FORMATS: dict[str, dict[str, FormatRow]] = {
    "report": {
        "md": FormatRow(MARKDOWN, "report_markdown"),
        "html": FormatRow(HTML, "report_html"),
        "docx": FormatRow(DOCX, "report_docx", extra="office"),
        "pdf": FormatRow(PDF, "report_pdf", extra="studio"),
    },
    "quiz": {
        "html": FormatRow(HTML, "quiz_html"),
        "md": FormatRow(MARKDOWN, "quiz_markdown"),
        "json": FormatRow(JSON, "content_json"),
    },
    "flashcards": {
        "html": FormatRow(HTML, "flashcards_html"),
        "md": FormatRow(MARKDOWN, "flashcards_markdown"),
        "json": FormatRow(JSON, "content_json"),
        "apkg": FormatRow(ANKI, "flashcards_anki"),
    },
    "mind_map": {
        "html": FormatRow(HTML, "mind_map_html"),
        "json": FormatRow(JSON, "mind_map_json"),
        "md": FormatRow(MARKDOWN, "mind_map_markdown"),
        "svg": FormatRow(SVG, "mind_map_svg"),
    },
    "data_table": {
        "csv": FormatRow(CSV, "table_csv"),
        "xlsx": FormatRow(XLSX, "table_xlsx", extra="office"),
        "md": FormatRow(MARKDOWN, "table_markdown"),
    },
    "slide_deck": {
        "pptx": FormatRow(PPTX, "deck_pptx", extra="studio"),
        "pdf": FormatRow(PDF, "deck_pdf", extra="studio", drawn=True),
        "zip": FormatRow(ZIP, "deck_pictures", extra="studio", when_asked=True),
    },
    "infographic": {
        "png": FormatRow(PNG, "infographic_png", extra="studio", drawn=True),
        "svg": FormatRow(SVG, "infographic_svg", extra="studio", drawn=True),
        "pdf": FormatRow(PDF, "infographic_pdf", extra="studio", when_asked=True),
    },
    "audio": {
        "mp3": FormatRow(MP3, "audio_mp3", extra="voice", spoken=True),
        "wav": FormatRow(WAV, "audio_wav", extra="voice", spoken=True, when_asked=True),
        "md": FormatRow(MARKDOWN, "transcript_markdown", extra="voice", spoken=True),
        "vtt": FormatRow(VTT, "transcript_vtt", extra="voice", spoken=True),
        "json": FormatRow(JSON, "transcript_json", extra="voice", spoken=True),
    },
    "video": {
        "mp4": FormatRow(MP4, "video_mp4", extra="studio video", filmed=True, drawn=True),
        "vtt": FormatRow(VTT, "video_vtt", extra="studio video", filmed=True),
        "md": FormatRow(MARKDOWN, "transcript_markdown", extra="studio video", spoken=True),
        "json": FormatRow(JSON, "transcript_json", extra="studio video", spoken=True),
    },
}


class FileMakers:
    """`installed` says whether an extra is; `voice` opens what speaks, when something is to be spoken."""

    def __init__(
        self,
        installed: Callable[[str], bool],
        voice: Callable[[], Voice] = voice_of,
        ffmpeg: Ffmpeg | None = None,
    ) -> None:
        self._installed = installed
        self._ffmpeg = ffmpeg or Ffmpeg()
        self._recorder = Recorder(lambda: voice() if installed("voice") else NoVoice())

    def formats(self, kind: str) -> list[FormatFacts]:
        return [
            FormatFacts(name, row.media_type, self._missing(row), row.when_asked)
            for name, row in FORMATS.get(kind, {}).items()
        ]

    def remarks(self, kind: str, content: BaseModel) -> list[str]:
        if isinstance(content, AudioScript):
            return self._recorder.remarks(content)
        drawn = [row for row in FORMATS.get(kind, {}).values() if row.drawn and not self._missing(row)]
        if not drawn:
            return []
        from quire.adapters.rendering.missing_letters import missing_letters

        told = missing_letters(content)
        if isinstance(content, VideoOverview):
            from quire.adapters.video.remarks import video_remarks

            told += video_remarks(content, self._recorder.voice)
        return told

    def make(self, kind: str, format: str, content: BaseModel, path: Path, progress: Progress) -> None:
        row = FORMATS.get(kind, {}).get(format)
        if row is None:
            raise InvalidInput(f"format: there is no {format} of this kind.", field="format")
        if missing := self._missing(row):
            hint = f"quire extras add {missing}"
            raise Unsupported(f"Files of the format {format} cannot be made here.", hint=hint)
        module = import_module(f"{__name__}.{row.module}")
        told, share = self._told(row, content, progress)
        module.make(told, path, lambda part: progress(share + part * (1 - share)))
        try:
            module.check(path, told)
        except ValueError as error:
            log.error("a %s of a %s is not whole: %s", format, kind, error)
            raise QuireError(f"The {format} file is not whole: {error}") from None

    def _told(self, row: FormatRow, content: BaseModel, progress: Progress) -> tuple[Any, float]:
        """What a file is made of, and how much of its work that was."""
        if isinstance(content, AudioScript) and row.spoken:
            # Nearly all of the time goes into speaking.
            return self._recorder.recording(content, lambda part: progress(part * SPEAKING)), SPEAKING
        if not isinstance(content, VideoOverview):
            return content, 0.0
        content = with_plain_text(content)
        recording = self._recorder.recording(
            content.script(), lambda part: progress(part * SPEAKING_A_FILM), shown=True
        )
        if not row.filmed:
            return recording, SPEAKING_A_FILM
        from quire.adapters.video.film import Film

        return Film(content, recording, self._ffmpeg), SPEAKING_A_FILM

    def _missing(self, row: FormatRow) -> str:
        return " ".join(extra for extra in row.extra.split() if not self._installed(extra))
