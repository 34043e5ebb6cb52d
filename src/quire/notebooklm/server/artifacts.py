"""Artifacts, as NotebookLM's clients ask for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quire.domain.errors import InvalidInput, Unsupported
from quire.notebooklm import codes
from quire.notebooklm.methods.artifacts import Choice, Choices, CopiedArtifact, ReportIdea, ReportPreset
from quire.notebooklm.methods.studio import Artifact
from quire.notebooklm.server.artifact_rows import asked_for, file_url, row_of
from quire.notebooklm.server.wire_call import Handler, WireCall

PAGE_SIZE = 1_000
EXPORTS = {codes.ExportKind.DOCS: ("docx",), codes.ExportKind.SHEETS: ("xlsx", "csv")}


async def create_artifact(call: WireCall, names: Mapping[str, Any]) -> Artifact:
    wanted: Artifact = names["artifact"]
    kind, chosen = asked_for(wanted)
    sources = list(wanted.source_ids) or None
    made = await call.library.artifacts.generate(
        call.notebook(names), kind, title=wanted.title or None, source_ids=sources, wait=False, **chosen
    )
    return await row_of(call, made)


async def list_artifacts(call: WireCall, names: Mapping[str, Any]) -> tuple[Artifact, ...]:
    notebook_id = call.notebook(names)
    found: list[Artifact] = []
    cursor: str | None = None
    while True:
        page = await call.library.artifacts.list(notebook_id, limit=PAGE_SIZE, cursor=cursor)
        found.extend([await row_of(call, artifact) for artifact in page.items])
        cursor = page.cursor
        if cursor is None:
            return tuple(found)


async def delete_artifact(call: WireCall, names: Mapping[str, Any]) -> None:
    await call.library.artifacts.delete(call.page_notebook(), names["artifact_id"])


async def rename_artifact(call: WireCall, names: Mapping[str, Any]) -> Artifact:
    title = names.get("title")
    if not title:
        raise InvalidInput("The call does not say the new title.")
    renamed = await call.library.artifacts.rename(call.page_notebook(), names["artifact_id"], title)
    return await row_of(call, renamed)


async def export_artifact(call: WireCall, names: Mapping[str, Any]) -> str:
    """A file for an office program, in the place of a document at Google."""
    artifact_id = names.get("artifact_id")
    if not artifact_id:
        raise Unsupported("The export of texts that are no artifacts is not supported by Quire.")
    artifact = await call.library.artifacts.get(None, artifact_id)
    wanted = EXPORTS.get(names["kind"], ())
    format = next((one for one in wanted if one in artifact.formats), None)
    if format is None:
        raise InvalidInput("This artifact has no such file, or is not ready.")
    return await file_url(call, artifact, format)


async def retry_artifact(call: WireCall, names: Mapping[str, Any]) -> Artifact:
    again = await call.library.artifacts.retry_failed(call.page_notebook(), names["artifact_id"], wait=False)
    return await row_of(call, again)


async def revise_slide(call: WireCall, names: Mapping[str, Any]) -> Artifact:
    """Slides are counted from nought; the files are made anew after the answer."""
    revised = await call.library.artifacts.revise_slide(
        call.page_notebook(), names["artifact_id"], names["slide"], names["prompt"], wait=False
    )
    return await row_of(call, revised)


async def get_page(call: WireCall, names: Mapping[str, Any]) -> Artifact:
    artifact = await call.library.artifacts.get(call.page_notebook(), names["artifact_id"])
    return await row_of(call, artifact, whole=True)


async def suggest_reports(call: WireCall, names: Mapping[str, Any]) -> tuple[ReportIdea, ...]:
    found = await call.library.artifacts.suggest_reports(call.notebook(names))
    return tuple(ReportIdea(one.title, one.description, one.prompt, codes.AudienceLevel.INTERMEDIATE) for one in found)


async def draw_mind_map(call: WireCall, names: Mapping[str, Any]) -> str:
    """The tree of a mind map, which its client keeps as a note."""
    sources = list(names["source_ids"])
    notebook_id = call.page_notebook()
    if notebook_id is None:
        notebook_id = (await call.library.sources.get(None, sources[0])).notebook_id if sources else None
    return await call.library.mind_maps.draw(
        notebook_id, sources or None, names.get("language") or None, names.get("instructions") or None
    )


async def copy_artifacts(call: WireCall, names: Mapping[str, Any]) -> tuple[CopiedArtifact, ...]:
    notebook_id = call.notebook(names)
    copies = []
    for id in names["artifact_ids"]:
        copied = await call.library.artifacts.copy(notebook_id, id)
        copies.append(CopiedArtifact(id, await row_of(call, copied)))
    return tuple(copies)


async def choices(call: WireCall, names: Mapping[str, Any]) -> Choices:
    """What can be chosen among, as far as it can be made here."""
    offered = {one.kind for one in await call.library.artifacts.kinds() if one.hint is None}
    return Choices(
        audio=AUDIO if "audio" in offered else (),
        video=VIDEO if "video" in offered else (),
        slides=SLIDES if "slide_deck" in offered else (),
        reports=REPORTS,
    )


AUDIO = (
    Choice(codes.AudioFormat.DEEP_DIVE, "Deep Dive", "Two hosts go through what the sources say."),
    Choice(codes.AudioFormat.BRIEF, "Brief", "One voice tells the main points."),
    Choice(codes.AudioFormat.CRITIQUE, "Critique", "Two hosts weigh what the sources say."),
    Choice(codes.AudioFormat.DEBATE, "Debate", "Two hosts take different sides."),
)
VIDEO = (
    Choice(codes.VideoFormat.EXPLAINER, "Explainer", "Slides with narration, section by section."),
    Choice(codes.VideoFormat.BRIEF, "Brief", "The main points in a few slides."),
    Choice(codes.VideoFormat.CINEMATIC, "Cinematic", "Stills with slow pans and captions."),
    Choice(codes.VideoFormat.SHORT, "Short", "A few sentences in less than a minute."),
)
SLIDES = (
    Choice(codes.SlideFormat.DETAILED, "Detailed Deck", "Slides that can be read by themselves."),
    Choice(codes.SlideFormat.PRESENTER, "Presenter Slides", "Few words on slides, the rest in the notes."),
)
REPORTS = (
    ReportPreset("Briefing Doc", "The main points of the sources, section by section.", "briefing_doc"),
    ReportPreset("Study Guide", "Key terms, questions and answers.", "study_guide"),
    ReportPreset("Blog Post", "A text to read, made of what the sources say.", "blog_post"),
)

HANDLERS: dict[str, Handler] = {
    "CREATE_ARTIFACT": create_artifact,
    "LIST_ARTIFACTS": list_artifacts,
    "DELETE_ARTIFACT": delete_artifact,
    "RENAME_ARTIFACT": rename_artifact,
    "EXPORT_ARTIFACT": export_artifact,
    "RETRY_ARTIFACT": retry_artifact,
    "REVISE_SLIDE": revise_slide,
    "GET_INTERACTIVE_HTML": get_page,
    "GET_SUGGESTED_REPORTS": suggest_reports,
    "GENERATE_MIND_MAP": draw_mind_map,
    "COPY_ARTIFACTS": copy_artifacts,
    "GET_CUSTOMIZATION_CHOICES": choices,
}
