"""The rows of a notebook's file, each of which a line of JSON holds; and how the ids in them become others."""

from __future__ import annotations

import math
from typing import Annotated, Literal, Protocol, Self

from pydantic import BaseModel, ConfigDict, Field

from quire.domain.chat import Answer, ChatConfiguration
from quire.domain.documents import Mark, Place
from quire.domain.errors import InvalidInput
from quire.domain.notes import CONTENT_LIMIT
from quire.domain.sources import URL_LIMIT

# Of the last day of the year 9998, in microseconds: a datetime holds it wherever it is shown.
LAST_MOMENT = 253_370_764_800_000_000
LARGEST = 2**31 - 1

Id = Annotated[str, Field(pattern=r"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Moment = Annotated[int, Field(ge=0, le=LAST_MOMENT)]
Number = Annotated[int, Field(ge=0, le=LARGEST)]
Title = Annotated[str, Field(max_length=1_000)]
Emoji = Annotated[str, Field(max_length=32)]
Name = Annotated[str, Field(max_length=1_000)]


class Ids(Protocol):
    """What the ids of a file become. One that was not seen before, and has to be there, is an error."""

    def own(self, kind: str, id: str) -> str:
        """The id of a row itself."""
        ...

    def there(self, kind: str, id: str) -> str:
        """An id of another row, which came before this one."""
        ...

    def perhaps(self, kind: str, id: str) -> str:
        """An id of what may be gone: an answer cites sources that were deleted since."""
        ...


class FileRow(BaseModel):
    """One row. A text that is a file of its own is no part of the line."""

    model_config = ConfigDict(
        frozen=True,
        strict=True,
        extra="forbid",
        allow_inf_nan=False,
        hide_input_in_errors=True,
        # Most processes read no such file.
        defer_build=True,
    )

    def mapped(self, ids: Ids) -> Self:
        """The same with every id in it another; names each id to `ids`, which may refuse."""
        return self

    def blobs(self) -> list[str]:
        """The originals that it needs, by their hashes."""
        return []

    def check(self) -> None:
        """Refuses what the types alone do not tell."""


class CollectionName(BaseModel):
    """A collection that the notebook is in, of whoever exports it."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", hide_input_in_errors=True)

    id: Id
    name: Name
    emoji: Emoji | None


class NotebookRow(FileRow):
    id: Id
    title: Title
    emoji: Emoji | None
    created_at: Moment
    updated_at: Moment
    chat: ChatConfiguration | None
    labelled_by: Annotated[str, Field(max_length=64)] | None
    collections: Annotated[list[CollectionName], Field(max_length=1_000)]

    def mapped(self, ids: Ids) -> Self:
        return self.model_copy(update={"id": ids.own("notebook", self.id)})


class SourceRow(FileRow):
    id: Id
    title: Title
    kind: Annotated[str, Field(pattern=r"^[a-z0-9_]{1,40}$")]
    url: Annotated[str, Field(max_length=URL_LIMIT)] | None
    blob: Sha256 | None
    given: Annotated[str, Field(max_length=64)] | None
    file_name: Annotated[str, Field(max_length=10_000)] | None
    media_type: Annotated[str, Field(max_length=201)] | None
    whole: bool
    state: Literal["processing", "ready", "failed"]
    error: Annotated[str, Field(max_length=100_000)] | None
    version: Number
    created_at: Moment
    updated_at: Moment

    def mapped(self, ids: Ids) -> Self:
        return self.model_copy(update={"id": ids.own("source", self.id)})

    def blobs(self) -> list[str]:
        return [self.blob] if self.blob else []


class Span(BaseModel):
    """A passage: where it begins and ends in the text, and where it stands for a person."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", hide_input_in_errors=True)

    start: Number
    end: Number
    place: Place


class VersionRow(FileRow):
    """A text of a source: the one in force, or one that an answer cites. The text is a file of its own."""

    source_id: Id
    version: Annotated[int, Field(ge=1, le=LARGEST)]
    hash: Sha256
    language: Annotated[str, Field(max_length=35)] | None
    warnings: list[str]
    created_at: Moment
    marks: list[Mark]
    passages: list[Span]
    text: str = Field(default="", exclude=True)

    def mapped(self, ids: Ids) -> Self:
        ids.own("version", f"{self.source_id}/{self.version}")
        return self.model_copy(update={"source_id": ids.there("source", self.source_id)})

    def check(self) -> None:
        """Everything that is said to stand in the text stands in it."""
        length = len(self.text)
        if any(not 0 <= mark.offset <= length or not 0 <= mark.level <= 6 for mark in self.marks):
            raise InvalidInput("a place in a text is not in it")
        if any(not 0 <= span.start < span.end <= length for span in self.passages):
            raise InvalidInput("a passage is not in its text")


class LabelRow(FileRow):
    id: Id
    name: Name
    emoji: Emoji | None
    generated: bool
    created_at: Moment
    updated_at: Moment
    source_ids: list[Id]

    def mapped(self, ids: Ids) -> Self:
        members = [ids.there("source", id) for id in self.source_ids]
        return self.model_copy(update={"id": ids.own("label", self.id), "source_ids": members})


class ConversationRow(FileRow):
    id: Id
    created_at: Moment
    updated_at: Moment

    def mapped(self, ids: Ids) -> Self:
        return self.model_copy(update={"id": ids.own("conversation", self.id)})


class TurnRow(FileRow):
    """A question with its answer. `passage_id` of a citation counts the passages of the cited version from 1 on, and
    is 0 where they are gone."""

    id: Id
    conversation_id: Id
    created_at: Moment
    answer: Answer

    def mapped(self, ids: Ids) -> Self:
        answer = self.answer
        conversation = ids.there("conversation", self.conversation_id)
        new = ids.own("turn", self.id)
        citations = [
            one.model_copy(update={"source_id": ids.perhaps("source", one.source_id)}) for one in answer.citations
        ]
        more = [one.model_copy(update={"source_id": ids.perhaps("source", one.source_id)}) for one in answer.more]
        known = {"id": new, "conversation_id": conversation, "citations": citations, "more": more}
        return self.model_copy(
            update={"id": new, "conversation_id": conversation, "answer": answer.model_copy(update=known)}
        )

    def check(self) -> None:
        if (self.answer.id, self.answer.conversation_id) != (self.id, self.conversation_id):
            raise InvalidInput("an answer has another id than its row")
        if not math.isfinite(self.answer.support):
            raise InvalidInput("an answer's support is no number")


class NoteRow(FileRow):
    """Its content is a file of its own."""

    id: Id
    short_id: Annotated[str, Field(pattern=r"^[0-9a-fA-F]{8}$")]
    title: Title
    created_at: Moment
    updated_at: Moment | None
    revision: Annotated[int, Field(ge=1, le=LARGEST)]
    answer_id: Id | None
    attachments: Annotated[list[Sha256], Field(max_length=1_000)]
    content: str = Field(default="", exclude=True)

    def mapped(self, ids: Ids) -> Self:
        id = ids.own("note", self.id)
        answer = None if self.answer_id is None else ids.there("turn", self.answer_id)
        return self.model_copy(update={"id": id, "short_id": id[:8], "answer_id": answer})

    def blobs(self) -> list[str]:
        return list(self.attachments)

    def check(self) -> None:
        if self.short_id != self.id[:8]:
            raise InvalidInput("a note's short id is not the beginning of its id")
        if len(self.content) > CONTENT_LIMIT:
            raise InvalidInput("a note is too long")


class DeletedNoteRow(FileRow):
    id: Id
    at: Moment

    def mapped(self, ids: Ids) -> Self:
        return self.model_copy(update={"id": ids.own("deleted note", self.id)})
