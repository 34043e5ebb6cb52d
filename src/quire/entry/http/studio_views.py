"""Artifacts, and the form that makes one, as the page's templates show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal
from urllib.parse import quote

from quire.domain.artifact_options import Choice, choices
from quire.domain.artifacts import NAMES, UNLINKED, Artifact, ArtifactState, OfferedKind
from quire.domain.output_languages import LANGUAGES

View = Literal["page", "video", "audio", "picture", "document", "text"]
STATES: dict[ArtifactState, tuple[str, str]] = {
    "pending": ("processing", "Waiting"),
    "in_progress": ("processing", "Being made"),
    "draft": ("draft", "Draft"),
    "ready": ("ready", "Ready"),
    "failed": ("failed", "Could not be made"),
}
# How a file is shown, by its format; of several, the first in this order.
VIEWS: dict[str, View] = {
    "html": "page",
    "mp4": "video",
    "webm": "video",
    "mp3": "audio",
    "m4a": "audio",
    "ogg": "audio",
    "wav": "audio",
    "png": "picture",
    "svg": "picture",
    "pdf": "document",
    "md": "text",
}


def shown_artifact(artifact: Artifact) -> dict[str, Any]:
    """`mark` changes with whatever is shown but for the progress, so that a script knows what to replace."""
    here = artifact_link(artifact)
    state, says = STATES[artifact.state]
    view, format = view_of(artifact)
    return {
        "id": artifact.id,
        "title": artifact.title,
        "kind": NAMES[artifact.kind],
        "form": " · ".join(words(str(value)) for value in artifact.options.values() if value not in ("", "default")),
        "state": state,
        "exactly": artifact.state,
        "says": says,
        "doing": artifact.doing[:1].upper() + artifact.doing[1:],
        "progress": artifact.progress,
        "why": artifact.error or "",
        "warnings": artifact.warnings,
        "instructions": artifact.instructions,
        "here": here,
        "view": view,
        "shown": f"{here}/shown/{format}" if format else "",
        "captions": f"{here}/files/vtt" if view == "video" and "vtt" in artifact.formats else "",
        "files": [(one.upper(), f"{here}/files/{one}") for one in artifact.formats],
        "formats": artifact.formats,
        "linked": bool(artifact.formats) and artifact.kind not in UNLINKED,
        "job": "" if artifact.ended else artifact.job_id or "",
        "mark": f"{artifact.state} {artifact.updated_at.timestamp()} {' '.join(artifact.formats)}",
    }


def view_of(artifact: Artifact) -> tuple[View | None, str]:
    """How it is shown, and by which of its files."""
    return next(((view, format) for format, view in VIEWS.items() if format in artifact.formats), (None, ""))


def artifact_link(artifact: Artifact) -> str:
    return f"/notebooks/{quote(artifact.notebook_id, safe='')}/artifacts/{quote(artifact.id, safe='')}"


def shown_kinds(offered: Sequence[OfferedKind], given: Mapping[str, str]) -> list[dict[str, Any]]:
    """A choice for each kind with its options; the first that can be made is the one that is chosen."""
    first = next((one.kind for one in offered if one.hint is None), "")
    return [
        {
            "kind": one.kind,
            "name": NAMES[one.kind],
            "hint": one.hint or "",
            "chosen": one.kind == given.get("kind", first),
            "options": [shown_option(choice, given.get(f"{one.kind}.{choice.name}")) for choice in choices(one.kind)],
        }
        for one in offered
    ]


def shown_option(choice: Choice, given: str | None) -> dict[str, Any]:
    return {
        "name": choice.name,
        "says": words(choice.name),
        "free": choice.free,
        "values": [(value, words(value), value == (given or choice.usual)) for value in choice.values],
        "usual": words(choice.usual),
        "given": given or "",
    }


def shown_languages(given: str) -> list[tuple[str, str, bool]]:
    """Code and own name of each; some have two codes, of which the first is shown."""
    named = {name: code for code, name in reversed(LANGUAGES.items())}
    return [(code, name, code == given) for name, code in reversed(named.items())]


def words(name: str) -> str:
    """A name of ours as a person would write it."""
    return name[:1].upper() + name[1:].replace("_", " ")
