"""Artifacts: what is made of a notebook's sources, to make, follow, download and share."""

from __future__ import annotations

import builtins
from typing import Annotated, Any

from pydantic import Field

from quire.api.capability import capability, shorthand
from quire.api.noun import Noun
from quire.domain.artifacts import (
    PROMPT_LIMIT,
    Artifact,
    ArtifactContent,
    ArtifactForm,
    ArtifactId,
    ArtifactKind,
    ArtifactLink,
    ArtifactTitle,
    Detail,
    Difficulty,
    FileFormat,
    Instructions,
    Length,
    OfferedKind,
    Orientation,
    Quantity,
    SuggestedReport,
)
from quire.domain.errors import Conflict, NotReady, Unsupported
from quire.domain.files import Download
from quire.domain.labels import LabelIds
from quire.domain.notebooks import InNotebook, NotebookId
from quire.domain.pages import Page

Limit = Annotated[int, Field(ge=1, le=1_000)]
SourceIds = Annotated[builtins.list[str], Field(max_length=1_000, description="Only of these sources.")]
Language = Annotated[str, Field(max_length=35, description="A code, such as `de`; by default yours, or the sources'.")]
Style = Annotated[str, Field(max_length=2_000, description="The look of a video or infographic: `auto`, a name.")]
Seconds = Annotated[float, Field(gt=0, le=86_400, strict=False)]
LONG = 24 * 3600.0


class Artifacts(Noun):
    """What is made of a notebook's sources: reports, quizzes, mind maps, slides and more, all grounded in them."""

    noun = "artifact"
    toolset = "studio"

    @capability("list_artifacts", "read", of=("notebook", "notebook_id"), listed=True)
    async def list(
        self,
        notebook_id: NotebookId | None = None,
        kind: Annotated[ArtifactKind, Field(description="Only of this kind.")] | None = None,
        limit: Limit = 200,
        cursor: str | None = None,
    ) -> Page[Artifact]:
        """List what was made of a notebook's sources, newest first."""

    @capability("get_artifact", "read", of=("artifact", "artifact_id"))
    async def get(self, notebook_id: InNotebook | None, artifact_id: ArtifactId) -> Artifact:
        """See how far an artifact is, and which files it has."""

    @capability(
        "make_artifact",
        "write",
        of=("notebook", "notebook_id"),
        timeout=LONG,
        listed=True,
        errors=(Conflict, Unsupported),
        words=("kind",),
    )
    async def generate(
        self,
        notebook_id: NotebookId | None,
        kind: Annotated[ArtifactKind, Field(description="What to make.", examples=["report"])],
        instructions: Instructions | None = None,
        format: Annotated[ArtifactForm, Field(description="Of reports, audio, video, slides.")] | None = None,
        length: Annotated[Length, Field(description="Of audio, slides.")] | None = None,
        quantity: Annotated[Quantity, Field(description="Of questions, cards.")] | None = None,
        difficulty: Annotated[Difficulty, Field(description="Of questions, cards.")] | None = None,
        orientation: Annotated[Orientation, Field(description="Of an infographic.")] | None = None,
        detail: Annotated[Detail, Field(description="Of an infographic.")] | None = None,
        style: Style | None = None,
        language: Language | None = None,
        source_ids: SourceIds | None = None,
        label_ids: LabelIds | None = None,
        title: ArtifactTitle | None = None,
        draft: Annotated[bool, Field(description="Stop before files are made, to edit first.")] = False,
        wait: bool = True,
    ) -> Artifact:
        """Make something of a notebook's sources, grounded in them: a report, quiz, mind map, slide deck, audio, ...

        With `wait` the call returns when it is made, else list_artifacts tells how far it is; then download_artifact
        gets its files.
        """

    @capability("wait_for_artifact", "read", of=("artifact", "artifact_id"), timeout=LONG, verb="wait")
    async def wait_for_completion(
        self, notebook_id: InNotebook | None, artifact_id: ArtifactId, seconds: Seconds = 3_600.0
    ) -> Artifact:
        """Wait until an artifact is made, with progress, and say how it went."""

    @capability(
        "download_artifact", "read", of=("artifact", "artifact_id"), timeout=600, listed=True, errors=(NotReady,)
    )
    async def download(
        self, notebook_id: InNotebook | None, artifact_id: ArtifactId, format: FileFormat | None = None
    ) -> Download:
        """Get a file of an artifact."""

    @capability("get_artifact_content", "read", of=("artifact", "artifact_id"), verb="content", errors=(NotReady,))
    async def get_content(self, notebook_id: InNotebook | None, artifact_id: ArtifactId) -> ArtifactContent:
        """What an artifact says, each statement with the passages it rests on."""

    @capability("edit_artifact", "write", of=("artifact", "artifact_id"), timeout=LONG, overwrites=True)
    async def edit(
        self,
        notebook_id: InNotebook | None,
        artifact_id: ArtifactId,
        content: Annotated[
            str,
            Field(
                max_length=8_000_000,
                description="JSON, as get_artifact_content gave it, changed; what is left out stays.",
                examples=['{"title": "Bees"}'],
            ),
        ],
        wait: bool = True,
    ) -> Artifact:
        """Change what an artifact says, and make its files anew. Statements are checked again."""

    @capability("revise_slide", "write", of=("artifact", "artifact_id"), timeout=LONG, verb="revise", overwrites=True)
    async def revise_slide(
        self,
        notebook_id: InNotebook | None,
        artifact_id: ArtifactId,
        slide_index: Annotated[int, Field(ge=0, le=1_000, description="Counted from 0, the title.")],
        prompt: Annotated[str, Field(max_length=PROMPT_LIMIT, examples=["shorter"])],
        wait: bool = True,
    ) -> Artifact:
        """Make one slide or scene of a video anew: shorter, longer, other sentences, title: …; by a model all else."""

    @capability("rename_artifact", "write", of=("artifact", "artifact_id"), idempotent=True)
    async def rename(self, notebook_id: InNotebook | None, artifact_id: ArtifactId, title: ArtifactTitle) -> Artifact:
        """Give an artifact another title; files that were made before show the one they had."""

    @capability("retry_artifact", "write", of=("artifact", "artifact_id"), timeout=LONG, errors=(Conflict,))
    async def retry_failed(
        self, notebook_id: InNotebook | None, artifact_id: ArtifactId, wait: bool = True
    ) -> Artifact:
        """Make a failed artifact again, under the same id."""

    @capability("copy_artifact", "write", of=("notebook", "notebook_id"))
    async def copy(
        self,
        notebook_id: Annotated[str, Field(description="Where the copy goes; the inbox when left out.")] | None,
        artifact_id: ArtifactId,
    ) -> Artifact:
        """Copy an artifact with its files into a notebook."""

    @capability("share_artifact", "write", of=("artifact", "artifact_id"), verb="share", errors=(NotReady,))
    async def share(
        self,
        notebook_id: InNotebook | None,
        artifact_id: ArtifactId,
        format: FileFormat | None = None,
        days: Annotated[int, Field(ge=1, le=365)] = 30,
    ) -> ArtifactLink:
        """Get an address at which anyone who has it can download the file. Mind maps have none."""

    @capability("delete_artifact", "destroy", of=("artifact", "artifact_id"))
    async def delete(self, notebook_id: InNotebook | None, artifact_id: ArtifactId) -> Artifact:
        """Delete an artifact and its files."""

    @capability("suggest_reports", "read", of=("notebook", "notebook_id"), verb="suggest", timeout=120)
    async def suggest_reports(self, notebook_id: NotebookId | None = None) -> Page[SuggestedReport]:
        """Reports that fit a notebook's sources; make_artifact takes a prompt of theirs as instructions."""

    @capability("list_artifact_kinds", "read", published=False)
    async def kinds(self) -> builtins.list[OfferedKind]:
        """The kinds of artifacts, and what some of them lack here."""

    @shorthand
    async def poll_status(self, notebook_id: str | None, artifact_id: str) -> Artifact:
        """How far an artifact is."""
        return await self.get(notebook_id, artifact_id)

    @shorthand
    async def get_prompt(self, notebook_id: str | None, artifact_id: str) -> str:
        """The instructions that an artifact was made by."""
        return (await self.get(notebook_id, artifact_id)).instructions

    @shorthand
    async def generate_report(
        self,
        notebook_id: str | None,
        report_format: ArtifactForm = "briefing_doc",
        source_ids: builtins.list[str] | None = None,
        language: str | None = None,
        instructions: str | None = None,
    ) -> Artifact:
        """Begin a report."""
        more = {"source_ids": source_ids, "language": language}
        return await self._begin(notebook_id, "report", instructions, format=report_format, **more)

    @shorthand
    async def generate_study_guide(
        self,
        notebook_id: str | None,
        source_ids: builtins.list[str] | None = None,
        language: str | None = None,
        instructions: str | None = None,
    ) -> Artifact:
        """Begin a study guide."""
        return await self.generate_report(notebook_id, "study_guide", source_ids, language, instructions)

    @shorthand
    async def generate_quiz(
        self,
        notebook_id: str | None,
        source_ids: builtins.list[str] | None = None,
        instructions: str | None = None,
        quantity: Quantity | None = None,
        difficulty: Difficulty | None = None,
        language: str | None = None,
    ) -> Artifact:
        """Begin a quiz."""
        more = {"source_ids": source_ids, "quantity": quantity, "difficulty": difficulty, "language": language}
        return await self._begin(notebook_id, "quiz", instructions, **more)

    @shorthand
    async def generate_flashcards(
        self,
        notebook_id: str | None,
        source_ids: builtins.list[str] | None = None,
        instructions: str | None = None,
        quantity: Quantity | None = None,
        difficulty: Difficulty | None = None,
        language: str | None = None,
    ) -> Artifact:
        """Begin flashcards."""
        more = {"source_ids": source_ids, "quantity": quantity, "difficulty": difficulty, "language": language}
        return await self._begin(notebook_id, "flashcards", instructions, **more)

    @shorthand
    async def generate_data_table(
        self,
        notebook_id: str | None,
        source_ids: builtins.list[str] | None = None,
        language: str | None = None,
        instructions: str | None = None,
    ) -> Artifact:
        """Begin a data table."""
        return await self._begin(notebook_id, "data_table", instructions, source_ids=source_ids, language=language)

    @shorthand
    async def generate_mind_map(
        self,
        notebook_id: str | None,
        source_ids: builtins.list[str] | None = None,
        language: str | None = None,
        instructions: str | None = None,
    ) -> Artifact:
        """Begin an interactive mind map."""
        return await self._begin(notebook_id, "mind_map", instructions, source_ids=source_ids, language=language)

    @shorthand
    async def generate_slide_deck(
        self,
        notebook_id: str | None,
        source_ids: builtins.list[str] | None = None,
        language: str | None = None,
        instructions: str | None = None,
        slide_format: ArtifactForm | None = None,
        slide_length: Length | None = None,
    ) -> Artifact:
        """Begin a slide deck."""
        more = {"source_ids": source_ids, "language": language, "format": slide_format, "length": slide_length}
        return await self._begin(notebook_id, "slide_deck", instructions, **more)

    @shorthand
    async def generate_infographic(
        self,
        notebook_id: str | None,
        source_ids: builtins.list[str] | None = None,
        language: str | None = None,
        instructions: str | None = None,
        orientation: Orientation | None = None,
        detail_level: Detail | None = None,
        style: str | None = None,
    ) -> Artifact:
        """Begin an infographic."""
        more = {"source_ids": source_ids, "language": language, "orientation": orientation}
        return await self._begin(notebook_id, "infographic", instructions, detail=detail_level, style=style, **more)

    @shorthand
    async def generate_audio(
        self,
        notebook_id: str | None,
        source_ids: builtins.list[str] | None = None,
        language: str | None = None,
        instructions: str | None = None,
        audio_format: ArtifactForm | None = None,
        audio_length: Length | None = None,
    ) -> Artifact:
        """Begin an audio overview."""
        more = {"source_ids": source_ids, "language": language, "format": audio_format, "length": audio_length}
        return await self._begin(notebook_id, "audio", instructions, **more)

    @shorthand
    async def generate_video(
        self,
        notebook_id: str | None,
        source_ids: builtins.list[str] | None = None,
        language: str | None = None,
        instructions: str | None = None,
        video_format: ArtifactForm | None = None,
        video_style: str | None = None,
    ) -> Artifact:
        """Begin a video overview."""
        more = {"source_ids": source_ids, "language": language, "format": video_format, "style": video_style}
        return await self._begin(notebook_id, "video", instructions, **more)

    @shorthand
    async def export(self, notebook_id: str | None, artifact_id: str) -> Download:
        """The artifact as a file of an office program, where it has one, else its main file."""
        formats = (await self.get(notebook_id, artifact_id)).formats
        wanted = next((one for one in ("docx", "xlsx", "pptx") if one in formats), None)
        return await self.download(notebook_id, artifact_id, wanted)

    async def _begin(
        self, notebook_id: str | None, kind: ArtifactKind, instructions: str | None, **chosen: Any
    ) -> Artifact:
        return await self.generate(notebook_id, kind, instructions, wait=False, **chosen)
