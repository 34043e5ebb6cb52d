"""Transformations: a prompt, or a built-in rule, run over each source and kept as notes."""

from __future__ import annotations

import builtins
from typing import Annotated

from pydantic import Field

from quire.api.capability import capability
from quire.api.noun import Noun
from quire.domain.jobs import Job
from quire.domain.labels import LabelIds
from quire.domain.notebooks import NotebookId
from quire.domain.pages import Page
from quire.domain.transformations import Prompt, Transformation, TransformationId, TransformationName, TransformedNote

Limit = Annotated[int, Field(ge=1, le=1_000)]


class Transformations(Noun):
    """What is made of each source by itself: your own prompts, and built-in ones that need no model."""

    noun = "transformation"
    toolset = "transformations"

    @capability("list_transformations", "read")
    async def list(self, limit: Limit = 200, cursor: str | None = None) -> Page[Transformation]:
        """List the built-in transformations and your own."""

    @capability("create_transformation", "write")
    async def create(self, name: TransformationName, prompt: Prompt) -> Transformation:
        """Keep a prompt under a name, to run it over sources."""

    @capability("update_transformation", "write", of=("transformation", "transformation_id"), idempotent=True)
    async def update(
        self,
        transformation_id: TransformationId,
        name: TransformationName | None = None,
        prompt: Prompt | None = None,
    ) -> Transformation:
        """Change the name or the prompt of a transformation of yours."""

    @capability("delete_transformation", "destroy", of=("transformation", "transformation_id"))
    async def delete(self, transformation_id: TransformationId) -> Transformation:
        """Delete a transformation of yours. The notes that it made stay."""

    @capability("run_transformation", "write", of=("notebook", "notebook_id"), timeout=3600)
    async def run(
        self,
        notebook_id: NotebookId | None,
        transformation_id: TransformationId,
        source_ids: Annotated[builtins.list[str], Field(max_length=1_000, description="Only these sources.")]
        | None = None,
        label_ids: LabelIds | None = None,
        new_notes: Annotated[bool, Field(description="Leave the notes of earlier runs as they are.")] = False,
        wait: bool = True,
    ) -> Job:
        """Run a transformation over sources, all of a notebook unless some are named; each result is a note.

        Runs as a job. Run again, it updates the notes that it made, but none that was changed since by hand.
        """

    @capability("list_transformed_notes", "read", of=("notebook", "notebook_id"), verb="results")
    async def results(
        self, notebook_id: NotebookId | None = None, limit: Limit = 200, cursor: str | None = None
    ) -> Page[TransformedNote]:
        """List the notes that transformations made in a notebook, each with its source."""
