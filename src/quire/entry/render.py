"""Results as people like to read them.

A type that has a view or columns of its own is named in the two tables below; anything else is
shown by its fields. Control characters of stored texts are shown as symbols: a note must not be able
to drive a terminal.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from rich.console import Console
from rich.text import Text

from quire.domain.artifacts import Artifact, ArtifactContent, SuggestedReport
from quire.domain.chat import Answer, AnswerPart, Conversation, Turn
from quire.domain.files import Download
from quire.domain.jobs import Job
from quire.domain.labels import Collection, Label
from quire.domain.notebooks import Notebook, NotebookSummary, RecentNotebook
from quire.domain.notes import Note, NoteChange, NoteHit, Watched
from quire.domain.pages import Page
from quire.domain.passages import PassageHit
from quire.domain.person_settings import OutputLanguage
from quire.domain.research import ListedResearch, ResearchRun
from quire.domain.scratch import (
    PATTERNS,
    CellChange,
    CellCleared,
    CellOutput,
    Execution,
    Exported,
    Saved,
    ScratchNotebook,
    ScratchRun,
)
from quire.domain.searching import LineFound, Scanned
from quire.domain.sources import AddedSource, CopiedSource, Source, SourceGuide, SourceText
from quire.entry import answer_views, artifact_views, library_views, research_views, scratch_views, sharing_views
from quire.entry.terminal import (
    Tables,
    cell,
    clean,
    console,
    facts,
    label,
    minute,
    note,
    page_of,
    plain,
    short,
    size,
    table,
    when,
)

MATCH = re.compile(r"\*\*.+?\*\*")
STATES = {"done": "green", "failed": "red", "cancelled": "yellow", "running": "cyan", "queued": "cyan"}


def show(result: Any, *, noun: str, saved: Path | None = None) -> None:
    """Prints one result: a view of one thing, or a table of many."""
    from quire.entry import book_views

    out = console()
    view = VIEWS.get(type(result)) or book_views.VIEWS.get(type(result))
    if view:
        view(out, result)
    elif isinstance(result, Page):
        page_of(out, result, noun, TABLES | book_views.TABLES)
    else:
        _show_fields(out, result)
    if saved:
        out.print(Text.assemble("Saved ", (clean(str(saved)), "bold")), soft_wrap=True)


def show_event(event: Any) -> None:
    """Prints one event of a stream on one line; an answer in full, and not what it was on the way."""
    if isinstance(event, AnswerPart):
        return
    if isinstance(event, Answer):
        answer_views.show_answer(console(), event)
        return
    if isinstance(event, Scanned):
        if sys.stderr.isatty():
            note(f"{event.lines:,} lines in {event.files:,} files")
        return
    console().print(EVENTS.get(type(event), _event_fields)(event), soft_wrap=True)


def show_many(items: Sequence[Any]) -> None:
    """Prints several things of one kind below each other."""
    columns, row = TABLES[type(items[0])]
    table(console(), columns, [row(item) for item in items])


def _show_note(out: Console, note: Note) -> None:
    out.print(Text(clean(note.title), style="bold"), soft_wrap=True)
    times = f"created {when(note.created_at)}" + (f", updated {when(note.updated_at)}" if note.updated_at else "")
    out.print(Text.assemble((note.short_id, "cyan"), (f"  {times}, revision {note.revision}", "dim")), soft_wrap=True)
    if note.content:
        out.print()
        out.print(Text(clean(note.content)), soft_wrap=True)


def _show_notebook(out: Console, notebook: Notebook) -> None:
    facts(
        out,
        {
            "Title": Text(clean(notebook.title), style="bold"),
            "Emoji": notebook.emoji and clean(notebook.emoji),
            "Id": Text(notebook.id, style="cyan"),
            "Sources": notebook.source_count,
            "Role": notebook.role,
            "Inbox": True if notebook.inbox else None,
            "Created": notebook.created_at,
            "Updated": notebook.updated_at,
        },
    )


def _show_job(out: Console, job: Job) -> None:
    facts(
        out,
        {
            "Job": Text(job.id, style="cyan"),
            "Kind": job.kind,
            "State": _state(job),
            "Message": job.message or None,
            "Result": ", ".join(f"{name}: {plain(value)}" for name, value in (job.result or {}).items()) or None,
            "Error": (job.error or {}).get("message"),
            "File": _file(job.file) if job.file else None,
            "Created": job.created_at,
            "Ended": job.finished_at,
        },
    )


def _show_download(out: Console, file: Download) -> None:
    facts(out, {"File": file.name, "Type": file.media_type, "Size": size(file.size), "SHA-256": file.sha256})


def _show_fields(out: Console, result: Any) -> None:
    if isinstance(result, BaseModel):
        facts(out, {label(name): getattr(result, name) for name in type(result).model_fields})
    else:
        out.print(cell(result), soft_wrap=True)


def _state(job: Job) -> Text:
    text = Text(job.state, style=STATES[job.state])
    if not job.ended and (job.done or job.total):
        text.append(f" {job.done:,}" + (f" of {job.total:,}" if job.total is not None else ""), "dim")
    return text


def _file(file: Download) -> str:
    return f"{file.name} ({size(file.size)})"


def _excerpt(hit: NoteHit) -> Text:
    text = cell(hit.excerpt, one_line=True)
    text.highlight_regex(MATCH, "bold yellow")
    return text


def _change(change: NoteChange) -> Text:
    title = clean(change.note.title) if change.note else ""
    return Text.assemble(
        (change.at.strftime("%Y-%m-%d %H:%M:%S UTC"), "dim"),
        f"  {change.change}  ",
        (change.note.short_id if change.note else change.note_id[:8], "cyan"),
        f"  {' '.join(title.split())}".rstrip(),
    )


def _watched(end: Watched) -> Text:
    return Text(f"{end.changes:,} changes; go on with --after {end.after}", style="dim")


def _line(found: LineFound) -> Text:
    from quire.entry.book_views import line_of

    return line_of(found)


def _event_fields(event: Any) -> Text:
    return cell(event, one_line=True)


VIEWS: dict[type, Callable[[Console, Any], None]] = {
    Note: _show_note,
    Notebook: _show_notebook,
    NotebookSummary: answer_views.show_summary,
    Artifact: artifact_views.show_artifact,
    ArtifactContent: artifact_views.show_content,
    Job: _show_job,
    Download: _show_download,
    Answer: answer_views.show_answer,
    AddedSource: answer_views.show_source,
    Source: answer_views.show_source,
    SourceText: answer_views.show_text,
    SourceGuide: answer_views.show_guide,
    ResearchRun: research_views.show_research,
    ScratchNotebook: scratch_views.show_scratch,
    CellChange: scratch_views.show_change,
    Exported: scratch_views.show_export,
    Saved: scratch_views.show_saved,
    **sharing_views.VIEWS,
    **library_views.VIEWS,
}

EVENTS: dict[type, Callable[[Any], Text]] = {
    NoteChange: _change,
    Watched: _watched,
    LineFound: _line,
    CellOutput: scratch_views.output_line,
    CellCleared: scratch_views.cleared_line,
    Execution: scratch_views.execution_line,
    ScratchRun: scratch_views.run_line,
}

TABLES: Tables = {
    Note: (
        {"Id": "id", "Title": "cut", "Created (UTC)": "whole", "Updated (UTC)": "whole"},
        lambda note: (note.short_id, note.title, minute(note.created_at), minute(note.updated_at)),
    ),
    NoteHit: (
        {"Id": "id", "Title": "cut", "In": "whole", "Match": "wrap"},
        lambda hit: (hit.note.short_id, hit.note.title, hit.field, _excerpt(hit)),
    ),
    Notebook: (
        {"Id": "id", "Title": "cut", "Sources": "whole", "Role": "whole", "Updated (UTC)": "whole"},
        lambda notebook: (
            short(notebook.id),
            notebook.title,
            notebook.source_count,
            "inbox" if notebook.inbox else notebook.role.name.lower(),
            minute(notebook.updated_at),
        ),
    ),
    Source: (
        {"Id": "id", "Title": "cut", "Kind": "whole", "State": "whole", "Added (UTC)": "whole"},
        lambda source: (
            short(source.id),
            source.title,
            source.kind,
            answer_views.state(source),
            minute(source.created_at),
        ),
    ),
    Artifact: artifact_views.TABLE,
    SuggestedReport: (
        {"Title": "wrap", "About": "wrap", "Instructions that make it": "wrap"},
        lambda one: (one.title, one.description, one.prompt),
    ),
    OutputLanguage: ({"Code": "whole", "Language": "cut"}, lambda one: (one.code or "", one.name or "")),
    Label: (
        {"Id": "id", "Name": "cut", "Sources": "whole", "Made": "whole", "Updated (UTC)": "whole"},
        lambda label: (
            short(label.id),
            " ".join(filter(None, (label.emoji, label.name))),
            len(label.source_ids),
            "by topic" if label.generated else "by hand",
            minute(label.updated_at),
        ),
    ),
    Collection: (
        {"Id": "id", "Name": "cut", "Notebooks": "whole", "Updated (UTC)": "whole"},
        lambda one: (
            short(one.id),
            " ".join(filter(None, (one.emoji, one.name))),
            len(one.notebook_ids),
            minute(one.updated_at),
        ),
    ),
    ListedResearch: (research_views.COLUMNS, research_views.row),
    PassageHit: (
        {"Score": "whole", "Source": "cut", "Where": "cut", "Passage": "wrap"},
        lambda hit: (
            f"{hit.score:.2f}",
            hit.passage.source_title,
            answer_views.place(hit.passage.place),
            answer_views.shortened(hit.passage.text),
        ),
    ),
    Conversation: (
        {"Id": "id", "First question": "cut", "Questions": "whole", "Last (UTC)": "whole"},
        lambda one: (short(one.id), one.question, one.turns, minute(one.updated_at)),
    ),
    Turn: (
        {"Answer": "id", "Asked (UTC)": "whole", "Question": "wrap", "Text": "wrap"},
        lambda turn: (
            short(turn.answer.id),
            minute(turn.asked_at),
            turn.answer.question,
            answer_views.shortened(turn.answer.text),
        ),
    ),
    ScratchNotebook: (
        {"Id": "id", "Title": "cut", "Cells": "whole", "Template": "whole", "Expires (UTC)": "whole"},
        lambda one: (one.id, one.title, one.cell_count, PATTERNS.get(one.pattern or ""), minute(one.expires_at)),
    ),
    Job: (
        {"Id": "id", "Kind": "cut", "State": "whole", "Created (UTC)": "whole"},
        lambda job: (short(job.id), job.kind, _state(job), minute(job.created_at)),
    ),
}
TABLES[AddedSource] = TABLES[Source]
TABLES[RecentNotebook] = (
    {"Id": "id", "Title": "cut", "Opened (UTC)": "whole"},
    lambda one: (short(one.id), one.title, minute(one.viewed_at)),
)
TABLES[CopiedSource] = (
    {"Copied": "id", "Id": "id", "Title": "cut", "State": "whole"},
    lambda one: (short(one.original_id), short(one.source.id), one.source.title, answer_views.state(one.source)),
)
TABLES.update(sharing_views.TABLES)
TABLES.update(library_views.TABLES)
