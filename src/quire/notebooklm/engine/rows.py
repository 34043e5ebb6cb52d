"""Rows of the wire as things of ours."""

from __future__ import annotations

from datetime import UTC, datetime

from quire.domain import labels as ours_labels
from quire.domain.chat import ChatConfiguration, Goal, Length
from quire.domain.notebooks import Notebook
from quire.domain.notes import Note
from quire.domain.sharing import Role
from quire.domain.source_kinds import KINDS
from quire.domain.sources import Source, SourceState
from quire.notebooklm import codes
from quire.notebooklm.methods import labels, notebooks, notes
from quire.notebooklm.methods import source_rows as sources

ROLES = {
    codes.Permission.OWNER: Role.OWNER,
    codes.Permission.EDITOR: Role.EDITOR,
    codes.Permission.VIEWER: Role.VIEWER,
}
STATES: dict[codes.SourceState, SourceState] = {
    codes.SourceState.PROCESSING: "processing",
    codes.SourceState.PREPARING: "processing",
    codes.SourceState.READY: "ready",
    codes.SourceState.FAILED: "failed",
}
GOALS: dict[codes.ChatGoal, Goal] = {
    codes.ChatGoal.DEFAULT: "default",
    codes.ChatGoal.CUSTOM: "custom",
    codes.ChatGoal.LEARNING_GUIDE: "learning_guide",
}
LENGTHS: dict[codes.ChatLength, Length] = {
    codes.ChatLength.DEFAULT: "default",
    codes.ChatLength.LONGER: "longer",
    codes.ChatLength.SHORTER: "shorter",
}
# The first kind of ours that a code stands for.
KIND_NAMES = {kind.wire_code: name for name, kind in reversed(KINDS.items())}
# A web page that was fetched, and not sent as a file.
PAGE = "url"
UNTITLED = "Untitled notebook"
BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)


def notebook_of(row: notebooks.Notebook, *, inbox: bool = False) -> Notebook:
    created = row.created_at or row.viewed_at or BEGINNING
    return Notebook(
        id=row.id,
        title=row.title or UNTITLED,
        emoji=row.emoji or None,
        inbox=inbox,
        role=ROLES.get(row.role, Role.VIEWER) if row.role is not None else Role.OWNER,
        source_count=len(row.sources),
        created_at=created,
        updated_at=row.viewed_at or created,
    )


def source_of(row: sources.Source, notebook_id: str) -> Source:
    state = STATES.get(row.state, "processing") if row.state is not None else "processing"
    created = row.created_at or BEGINNING
    return Source(
        id=row.id,
        notebook_id=notebook_id,
        title=row.title or row.url or "Untitled",
        kind=PAGE
        if row.page_url and row.what is codes.SourceKind.WEB_PAGE
        else KIND_NAMES.get(row.what.name, "unknown"),
        url=row.url,
        state=state,
        error="NotebookLM could not read it." if state == "failed" else None,
        version=1 if state == "ready" else 0,
        characters=row.characters or 0,
        created_at=created,
        updated_at=row.modified_at or row.revised_at or created,
    )


def label_of(row: labels.Label, notebook_id: str) -> ours_labels.Label:
    return ours_labels.Label(
        id=row.id,
        notebook_id=notebook_id,
        name=row.name,
        emoji=row.emoji or None,
        source_ids=list(row.members),
        created_at=BEGINNING,
        updated_at=BEGINNING,
    )


def collection_of(row: labels.Label) -> ours_labels.Collection:
    return ours_labels.Collection(
        id=row.id,
        name=row.name,
        emoji=row.emoji or None,
        notebook_ids=list(row.members),
        created_at=BEGINNING,
        updated_at=BEGINNING,
    )


def note_of(row: notes.Note, notebook_id: str) -> Note:
    at = row.changed_at or BEGINNING
    return Note(
        id=row.id,
        short_id=row.id[:8],
        notebook_id=notebook_id,
        title=row.title or "",
        content=row.content or "",
        created_at=at,
        updated_at=at,
    )


def configuration_of(row: notebooks.ChatSettings | None) -> ChatConfiguration:
    if row is None:
        return ChatConfiguration()
    return ChatConfiguration(
        goal=GOALS.get(row.goal or codes.ChatGoal.DEFAULT, "default"),
        instructions=row.prompt or "",
        length=LENGTHS.get(row.length or codes.ChatLength.DEFAULT, "default"),
    )
