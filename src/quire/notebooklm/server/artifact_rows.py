"""Artifacts as rows on the wire: what is asked for in one, and what is told of ours in one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any
from urllib.parse import urlsplit

from quire.domain import artifacts as ours
from quire.domain.errors import InvalidInput, Unsupported
from quire.domain.files import Download
from quire.domain.video_overviews import AUTO, wish_of, wished_style
from quire.notebooklm import codes
from quire.notebooklm.documents import BODY_STYLE, Block, Cell, Document, Paragraph, Run, Table, TableRow, utf16_length
from quire.notebooklm.methods import studio as wire
from quire.notebooklm.report_forms import CUSTOM, FORMS, form_of, instructions_in
from quire.notebooklm.server.wire_call import WireCall

FILES_PATH = "/files/"
# One of the names that clients trust and that the proxy answers for.
FILES_HOST = "notebooklm.google.com"
STATES: dict[ours.ArtifactState, codes.ArtifactState] = {
    "pending": codes.ArtifactState.PENDING,
    "in_progress": codes.ArtifactState.IN_PROGRESS,
    "draft": codes.ArtifactState.IN_REVIEW,
    "ready": codes.ArtifactState.READY,
    "failed": codes.ArtifactState.FAILED,
}
APPS: dict[codes.AppVariant, ours.ArtifactKind] = {
    codes.AppVariant.FLASHCARDS: "flashcards",
    codes.AppVariant.QUIZ: "quiz",
    codes.AppVariant.MIND_MAP: "mind_map",
}
VARIANTS = {kind: variant for variant, kind in APPS.items()}
KINDS: dict[ours.ArtifactKind, codes.ArtifactKind] = {
    "audio": codes.ArtifactKind.AUDIO,
    "report": codes.ArtifactKind.REPORT,
    "video": codes.ArtifactKind.VIDEO,
    "quiz": codes.ArtifactKind.APP,
    "flashcards": codes.ArtifactKind.APP,
    "mind_map": codes.ArtifactKind.APP,
    "infographic": codes.ArtifactKind.INFOGRAPHIC,
    "slide_deck": codes.ArtifactKind.SLIDE_DECK,
    "data_table": codes.ArtifactKind.DATA_TABLE,
}
SLIDES = {codes.SlideFormat.DETAILED: "detailed_deck", codes.SlideFormat.PRESENTER: "presenter_slides"}
MEDIA = {"mp3": "audio/mpeg", "mp4": wire.MP4_VIDEO}
SIZES = {"landscape": (2560, 1600), "portrait": (1600, 2560), "square": (2000, 2000)}


def asked_for(wanted: wire.Artifact) -> tuple[ours.ArtifactKind, dict[str, Any]]:
    """The kind that a row asks for, and what it says of it, by our names."""
    read = READERS.get(wanted.kind or codes.ArtifactKind.UNKNOWN)
    if read is None:
        raise Unsupported("Artifacts of this kind are not supported by Quire.")
    kind, chosen = read(wanted)
    return kind, {name: value for name, value in chosen.items() if value not in (None, "")}


def _word(code: Any) -> str | None:
    return None if code is None or code.value < 0 else str(code.name).lower()


def _audio(wanted: wire.Artifact) -> tuple[ours.ArtifactKind, dict[str, Any]]:
    told = wanted.audio or wire.Audio()
    chosen = {"format": _word(told.format), "length": _word(told.length)}
    return "audio", chosen | {"instructions": told.instructions, "language": told.language}


def _video(wanted: wire.Artifact) -> tuple[ours.ArtifactKind, dict[str, Any]]:
    told = wanted.video or wire.Video()
    # A style of one's own is sent as none at all, with a prompt.
    style = wished_style(told.style_prompt) if told.style_prompt else _word(told.style)
    chosen = {"format": _word(told.format), "style": style, "instructions": told.instructions}
    return "video", chosen | {"language": told.language}


def _report(wanted: wire.Artifact) -> tuple[ours.ArtifactKind, dict[str, Any]]:
    told = wanted.report or wire.Report()
    form = form_of(told.title or "")
    instructions = instructions_in(form, told.prompt or "")
    return "report", {"format": form, "instructions": instructions, "language": told.language}


def _app(wanted: wire.Artifact) -> tuple[ours.ArtifactKind, dict[str, Any]]:
    told = wanted.app or wire.App()
    kind = APPS.get(told.variant) if told.variant is not None else None
    if kind is None:
        raise InvalidInput("The call does not say which app to make.")
    chosen: dict[str, Any] = {"instructions": told.instructions, "language": told.language}
    if kind == "quiz":
        chosen |= {"quantity": _word(told.quiz_quantity), "difficulty": _word(told.quiz_difficulty)}
    elif kind == "flashcards":
        chosen |= {"quantity": _word(told.card_quantity), "difficulty": _word(told.card_difficulty)}
    return kind, chosen


def _infographic(wanted: wire.Artifact) -> tuple[ours.ArtifactKind, dict[str, Any]]:
    told = wanted.infographic or wire.Infographic()
    chosen = {"orientation": _word(told.orientation), "detail": _word(told.detail), "style": _word(told.style)}
    return "infographic", chosen | {"instructions": told.instructions, "language": told.language}


def _slides(wanted: wire.Artifact) -> tuple[ours.ArtifactKind, dict[str, Any]]:
    told = wanted.slides or wire.Slides()
    chosen = {"format": SLIDES.get(told.format) if told.format else None, "length": _word(told.length)}
    return "slide_deck", chosen | {"instructions": told.instructions, "language": told.language}


def _table(wanted: wire.Artifact) -> tuple[ours.ArtifactKind, dict[str, Any]]:
    told = wanted.table or wire.DataTable()
    return "data_table", {"instructions": told.instructions, "language": told.language}


READERS: dict[codes.ArtifactKind, Callable[[wire.Artifact], tuple[ours.ArtifactKind, dict[str, Any]]]] = {
    codes.ArtifactKind.AUDIO: _audio,
    codes.ArtifactKind.VIDEO: _video,
    codes.ArtifactKind.REPORT: _report,
    codes.ArtifactKind.APP: _app,
    codes.ArtifactKind.INFOGRAPHIC: _infographic,
    codes.ArtifactKind.SLIDE_DECK: _slides,
    codes.ArtifactKind.DATA_TABLE: _table,
}


async def row_of(call: WireCall, artifact: ours.Artifact, *, whole: bool = False) -> wire.Artifact:
    """An artifact as a row. What it says comes with it where clients look for it there; pages in a `whole` one only."""
    row = wire.Artifact(
        id=artifact.id,
        title=artifact.title,
        kind=KINDS[artifact.kind],
        source_ids=tuple(artifact.source_ids),
        state=STATES[artifact.state],
        created_at=artifact.created_at,
        modified_at=artifact.updated_at,
    )
    await WRITERS[artifact.kind](call, artifact, row, whole)
    return row


async def _write_report(call: WireCall, artifact: ours.Artifact, row: wire.Artifact, whole: bool) -> None:
    row.report = wire.Report(
        title=_form_title(artifact),
        prompt=artifact.instructions or None,
        source_ids=row.source_ids,
        language=artifact.language,
        markdown=await _text(call, artifact, "md"),
    )


def _form_title(artifact: ours.Artifact) -> str:
    """What it was made as; a report of one's own is called as it is."""
    form = artifact.options.get("format", CUSTOM)
    return artifact.title if form == CUSTOM else FORMS[form].title


async def _write_app(call: WireCall, artifact: ours.Artifact, row: wire.Artifact, whole: bool) -> None:
    quantity = codes.Quantity[artifact.options["quantity"].upper()] if "quantity" in artifact.options else None
    difficulty = codes.Difficulty[artifact.options["difficulty"].upper()] if "difficulty" in artifact.options else None
    quiz = artifact.kind == "quiz"
    row.app = wire.App(
        variant=VARIANTS[artifact.kind],
        instructions=artifact.instructions or None,
        language=artifact.language,
        quiz_quantity=quantity if quiz else None,
        quiz_difficulty=difficulty if quiz else None,
        card_quantity=None if quiz else quantity,
        card_difficulty=None if quiz else difficulty,
        html=await _text(call, artifact, "html") if whole else None,
        tree=await _text(call, artifact, "json") if whole and artifact.kind == "mind_map" else None,
    )


async def _write_table(call: WireCall, artifact: ours.Artifact, row: wire.Artifact, whole: bool) -> None:
    document = None
    if artifact.state == "ready":
        told = (await call.library.artifacts.get_content(None, artifact.id)).content
        document = table_document([told["columns"], *(one["cells"] for one in told["rows"])])
    row.table = wire.DataTable(
        instructions=artifact.instructions or None, language=artifact.language, document=document
    )


async def _write_audio(call: WireCall, artifact: ours.Artifact, row: wire.Artifact, whole: bool) -> None:
    row.audio = wire.Audio(
        instructions=artifact.instructions or None,
        length=codes.AudioLength[artifact.options.get("length", "default").upper()],
        format=codes.AudioFormat[artifact.options.get("format", "deep_dive").upper()],
        source_ids=row.source_ids,
        language=artifact.language,
        media=await _media(call, artifact, ("mp3",)),
        seconds=await _seconds(call, artifact),
    )


async def _write_video(call: WireCall, artifact: ours.Artifact, row: wire.Artifact, whole: bool) -> None:
    form = codes.VideoFormat[artifact.options.get("format", "explainer").upper()]
    style = artifact.options.get("style", AUTO)
    # A cinematic video has no style there.
    styled = form != codes.VideoFormat.CINEMATIC
    row.video = wire.Video(
        source_ids=row.source_ids,
        language=artifact.language,
        instructions=artifact.instructions or None,
        format=form,
        style=codes.VideoStyle[style.partition(":")[0].upper()] if styled else None,
        style_prompt=(wish_of(style) or None) if styled else None,
        media=await _media(call, artifact, ("mp4",)),
        seconds=await _seconds(call, artifact),
    )


async def _write_slides(call: WireCall, artifact: ours.Artifact, row: wire.Artifact, whole: bool) -> None:
    form = artifact.options.get("format", "detailed_deck")
    row.slides = wire.Slides(
        instructions=artifact.instructions or None,
        language=artifact.language,
        format=next(code for code, name in SLIDES.items() if name == form),
        length=codes.SlideLength[artifact.options.get("length", "default").upper()],
        pdf_url=await _url(call, artifact, "pdf"),
        pptx_url=await _url(call, artifact, "pptx"),
    )


async def _write_infographic(call: WireCall, artifact: ours.Artifact, row: wire.Artifact, whole: bool) -> None:
    orientation = artifact.options.get("orientation", "landscape")
    url = await _url(call, artifact, "png")
    width, height = SIZES[orientation]
    picture = wire.Picture(url=url, width=width, height=height, title=artifact.title, alt=artifact.title)
    row.infographic = wire.Infographic(
        instructions=artifact.instructions or None,
        language=artifact.language,
        orientation=codes.InfographicOrientation[orientation.upper()],
        detail=codes.InfographicDetail[artifact.options.get("detail", "standard").upper()],
        style=codes.InfographicStyle[artifact.options.get("style", "auto").upper()],
        pictures=(picture,) if url else (),
    )


Writer = Callable[[WireCall, ours.Artifact, wire.Artifact, bool], Any]
WRITERS: dict[ours.ArtifactKind, Writer] = {
    "report": _write_report,
    "quiz": _write_app,
    "flashcards": _write_app,
    "mind_map": _write_app,
    "data_table": _write_table,
    "audio": _write_audio,
    "video": _write_video,
    "slide_deck": _write_slides,
    "infographic": _write_infographic,
}


async def file_url(call: WireCall, artifact: ours.Artifact, format: str) -> str:
    """Where clients download a file: on a name that they trust, signed, good for an hour."""
    return trusted_url(await call.library.artifacts.download(None, artifact.id, format))


def trusted_url(file: Download) -> str:
    return f"https://{FILES_HOST}{FILES_PATH}{urlsplit(file.url or '').path.rpartition('/')[2]}"


async def _url(call: WireCall, artifact: ours.Artifact, format: str) -> str | None:
    return await file_url(call, artifact, format) if format in artifact.formats else None


async def _media(call: WireCall, artifact: ours.Artifact, formats: Iterable[str]) -> tuple[wire.Media, ...]:
    return tuple(
        [
            wire.Media(await file_url(call, artifact, format), wire.BEST_VIDEO, MEDIA[format])
            for format in formats
            if format in artifact.formats
        ]
    )


async def _seconds(call: WireCall, artifact: ours.Artifact) -> float | None:
    """How long it is, by its transcript."""
    if artifact.state != "ready":
        return None
    told = await _text(call, artifact, "json")
    return float(json.loads(told)["seconds"]) if told else None


async def _text(call: WireCall, artifact: ours.Artifact, format: str) -> str | None:
    if format not in artifact.formats:
        return None
    return (await (await call.library.artifacts.download(None, artifact.id, format)).read()).decode()


def table_document(rows: Sequence[Sequence[str]]) -> Document:
    """A table as a document of one block; offsets run over the texts of its cells."""
    at = 0
    made = []
    for row in rows:
        cells = []
        begin = at
        for cell in row:
            end = at + utf16_length(cell)
            block = Block(at, end, Paragraph(runs=(Run(at, end, cell),), style=BODY_STYLE))
            cells.append(Cell(at, end, (block,)))
            at = end
        made.append(TableRow(begin, at, tuple(cells)))
    width = max((len(row) for row in rows), default=0)
    return Document(blocks=(Block(0, at, table=Table(len(rows), width, tuple(made))),))
