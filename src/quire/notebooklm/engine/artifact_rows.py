"""Artifacts of the wire as ours, and the files that each has."""

from __future__ import annotations

from typing import Any

from quire.domain.artifacts import Artifact, ArtifactKind, ArtifactState
from quire.domain.video_overviews import wished_style
from quire.notebooklm import codes
from quire.notebooklm.engine.artifact_requests import SLIDES
from quire.notebooklm.engine.rows import BEGINNING
from quire.notebooklm.methods import studio as wire
from quire.notebooklm.report_forms import form_of, instructions_in

STATES: dict[codes.ArtifactState, ArtifactState] = {
    codes.ArtifactState.PENDING: "pending",
    codes.ArtifactState.IN_PROGRESS: "in_progress",
    codes.ArtifactState.READY: "ready",
    codes.ArtifactState.FAILED: "failed",
    codes.ArtifactState.SUGGESTED: "draft",
    codes.ArtifactState.IN_REVIEW: "draft",
}
KINDS: dict[codes.ArtifactKind, ArtifactKind] = {
    codes.ArtifactKind.AUDIO: "audio",
    codes.ArtifactKind.REPORT: "report",
    codes.ArtifactKind.VIDEO: "video",
    codes.ArtifactKind.MIND_MAP: "mind_map",
    codes.ArtifactKind.INFOGRAPHIC: "infographic",
    codes.ArtifactKind.SLIDE_DECK: "slide_deck",
    codes.ArtifactKind.DATA_TABLE: "data_table",
}
APPS: dict[codes.AppVariant, ArtifactKind] = {
    codes.AppVariant.FLASHCARDS: "flashcards",
    codes.AppVariant.QUIZ: "quiz",
    codes.AppVariant.MIND_MAP: "mind_map",
}
# How a file of a media type is called; what comes without one is called by its kind.
ENDINGS = {
    "audio/mp4": "m4a",
    "audio/mpeg": "mp3",
    "audio/wav": "wav",
    "audio/ogg": "ogg",
    "video/mp4": "mp4",
    "video/webm": "webm",
}
USUAL = {"audio": "m4a", "video": "mp4"}
UNTITLED = "Untitled"


def kind_of(row: wire.Artifact) -> ArtifactKind | None:
    """What a row is; None where it is nothing that Quire knows."""
    if row.kind is codes.ArtifactKind.APP:
        return APPS.get(row.app.variant) if row.app is not None and row.app.variant is not None else None
    return KINDS.get(row.kind) if row.kind is not None else None


def artifact_of(row: wire.Artifact, kind: ArtifactKind, notebook_id: str) -> Artifact:
    state = STATES.get(row.state, "in_progress") if row.state is not None else "in_progress"
    created = row.created_at or row.modified_at or BEGINNING
    told = told_of(row, kind)
    return Artifact(
        id=row.id or "",
        notebook_id=notebook_id,
        kind=kind,
        title=row.title or UNTITLED,
        state=state,
        progress=1.0 if state in ("ready", "draft") else 0.0,
        options=options_of(row, kind),
        instructions=instructions_of(told),
        language=told.language or "" if told is not None else "",
        source_ids=list(row.source_ids),
        formats=formats_of(row, kind) if state == "ready" else [],
        error="NotebookLM could not make it." if state == "failed" else None,
        created_at=created,
        updated_at=row.modified_at or created,
    )


def told_of(row: wire.Artifact, kind: ArtifactKind) -> Any:
    """The part of a row that is its kind's own."""
    parts = {
        "audio": row.audio,
        "report": row.report,
        "video": row.video,
        "infographic": row.infographic,
        "slide_deck": row.slides,
        "data_table": row.table,
    }
    return parts.get(kind, row.app)


def instructions_of(told: Any) -> str:
    if isinstance(told, wire.Report):
        return instructions_in(form_of(told.title or ""), told.prompt or "")
    return told.instructions or "" if told is not None else ""


def options_of(row: wire.Artifact, kind: ArtifactKind) -> dict[str, Any]:
    told = told_of(row, kind)
    found: dict[str, Any] = {}
    if isinstance(told, wire.Report):
        found = {"format": form_of(told.title or "")}
    elif isinstance(told, wire.Audio):
        found = {"format": word(told.format), "length": word(told.length)}
    elif isinstance(told, wire.Video):
        style = wished_style(told.style_prompt) if told.style_prompt else word(told.style)
        found = {"format": word(told.format), "style": style}
    elif isinstance(told, wire.Infographic):
        found = {"orientation": word(told.orientation), "detail": word(told.detail), "style": word(told.style)}
    elif isinstance(told, wire.Slides):
        form = next((name for name, code in SLIDES.items() if code is told.format), None)
        found = {"format": form, "length": word(told.length)}
    elif isinstance(told, wire.App) and kind == "quiz":
        found = {"quantity": word(told.quiz_quantity), "difficulty": word(told.quiz_difficulty)}
    elif isinstance(told, wire.App) and kind == "flashcards":
        found = {"quantity": word(told.card_quantity), "difficulty": word(told.card_difficulty)}
    return {name: value for name, value in found.items() if value is not None}


def word(code: Any) -> str | None:
    return None if code is None or code.value < 0 else str(code.name).lower()


def formats_of(row: wire.Artifact, kind: ArtifactKind) -> list[str]:
    """The files that it has, the main one first. Documents of an office program are made by Google when asked for."""
    if kind == "report":
        return ["md", "docx"] if row.report is not None and row.report.markdown else []
    if kind == "data_table":
        return ["csv", "xlsx"] if row.table is not None and row.table.rows else []
    if kind in ("quiz", "flashcards"):
        return ["html", "json"]
    if kind == "mind_map":
        return ["json", "html"]
    return list(addresses(row))


def addresses(row: wire.Artifact) -> dict[str, str]:
    """Where the files of a row are that have an address, by their endings."""
    found: dict[str, str] = {}
    if row.audio is not None and row.audio.url:
        found[_ending(row.audio.media, row.audio.url, "audio")] = row.audio.url
    if row.video is not None and row.video.url:
        found[_ending(row.video.media, row.video.url, "video")] = row.video.url
    if row.slides is not None:
        given = {"pptx": row.slides.pptx_url, "pdf": row.slides.pdf_url}
        found |= {name: url for name, url in given.items() if url}
    picture = next(iter(row.infographic.pictures), None) if row.infographic is not None else None
    if picture is not None and picture.url:
        found["png"] = picture.url
    return found


def _ending(media: tuple[wire.Media, ...], url: str, kind: str) -> str:
    media_type = next((one.media_type for one in media if one.url == url), None)
    return ENDINGS.get(media_type or "", USUAL[kind])
