"""Artifacts as rows of a notebook's file."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from quire.domain.artifacts import PROMPT_LIMIT, ArtifactKind, Maker
from quire.domain.errors import InvalidInput
from quire.domain.notebook_file.rows import LARGEST, FileRow, Id, Ids, Moment, Number, Sha256, Title

DEEPEST = 100


class ArtifactFileRow(BaseModel):
    """A file that was made; its bytes are an original of the notebook's file."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", hide_input_in_errors=True)

    format: Annotated[str, Field(pattern=r"^[a-z0-9_.-]{1,40}$")]
    place: Number
    media_type: Annotated[str, Field(pattern=r"^[a-z0-9.+-]{1,100}/[a-z0-9.+-]{1,100}$")]
    sha256: Sha256


class CitedVersion(BaseModel):
    """A text that an artifact rests on."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", hide_input_in_errors=True)

    source_id: Id
    version: Annotated[int, Field(ge=1, le=LARGEST)]


class ArtifactRow(FileRow):
    """`outline` and `content` are the kind's own data, in which sources are named by their ids."""

    id: Id
    kind: ArtifactKind
    title: Title
    titled: bool
    state: Literal["making", "draft", "ready", "failed"]
    draft: bool
    options: dict[str, Any]
    instructions: Annotated[str, Field(max_length=PROMPT_LIMIT)]
    language: Annotated[str, Field(max_length=35)]
    source_ids: list[Id] | None
    made_of: list[Id]
    outline: dict[str, Any] | None
    content: dict[str, Any] | None
    maker: Maker | None
    warnings: list[str]
    error: Annotated[str, Field(max_length=100_000)] | None
    created_at: Moment
    updated_at: Moment
    files: Annotated[list[ArtifactFileRow], Field(max_length=100)]
    versions: list[CitedVersion]

    def mapped(self, ids: Ids) -> Self:
        known = [*self.made_of, *(self.source_ids or ()), *(one.source_id for one in self.versions)]
        new = {id: ids.perhaps("source", id) for id in known}
        return self.model_copy(
            update={
                "id": ids.own("artifact", self.id),
                "source_ids": None if self.source_ids is None else [new[id] for id in self.source_ids],
                "made_of": [new[id] for id in self.made_of],
                "outline": renamed(self.outline, new),
                "content": renamed(self.content, new),
                "versions": [CitedVersion(source_id=new[one.source_id], version=one.version) for one in self.versions],
            }
        )

    def blobs(self) -> list[str]:
        return [file.sha256 for file in self.files]

    def check(self) -> None:
        if len({file.format for file in self.files}) != len(self.files):
            raise InvalidInput("an artifact has a file twice")
        if self.state in ("ready", "draft") and self.content is None:
            raise InvalidInput("an artifact has no content")


def renamed(value: Any, names: dict[str, str], depth: int = 0) -> Any:
    """The same data, with each text that is one of the names another."""
    if depth > DEEPEST:
        raise InvalidInput("an artifact's content is nested too deep")
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, list):
        return [renamed(item, names, depth + 1) for item in value]
    if isinstance(value, dict):
        return {key: renamed(item, names, depth + 1) for key, item in value.items()}
    return value
