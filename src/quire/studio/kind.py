"""What a kind of artifact is: how its outline and its content are made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from pydantic import BaseModel

from quire.studio.evidence import Evidence
from quire.studio.writer import Writer


@dataclass(frozen=True)
class Brief:
    """What was asked for. `options` is as `domain/artifact_options.py` has it; `language` is a code, as `en`.

    With `chosen_sources` it is to be made of some of the notebook's sources only.
    """

    options: Any
    instructions: str
    language: str
    title: str
    notebook_title: str
    chosen_sources: bool = False


class Kind(Protocol):
    """The outline holds all that the content is made of, so that work can go on from it after a crash."""

    outline_type: type[BaseModel]
    content_type: type[BaseModel]

    def outline(self, evidence: Evidence, brief: Brief) -> BaseModel:
        """What the artifact is to say, and by which statements. Called on a thread."""
        ...

    def content(self, outline: Any, brief: Brief) -> BaseModel:
        """The artifact in the sources' own sentences. Called on a thread."""
        ...

    async def written(self, outline: Any, content: Any, brief: Brief, writer: Writer) -> BaseModel:
        """The same in a model's words, as far as what it wrote can be checked; what cannot stays as it was.

        Raises where the model wrote nothing of use.
        """
        ...

    def title(self, content: Any) -> str:
        """What the artifact is called, unless someone has named it."""
        ...
