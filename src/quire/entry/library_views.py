"""What is told of several notebooks at once, of sources that were compared, of transformations and limits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.text import Text

from quire.domain.across import LibraryAnswer, LibraryHit, LibraryHits
from quire.domain.person_settings import Limits, OutputLanguage
from quire.domain.sources import RefreshedSource
from quire.domain.transformations import Transformation, TransformedNote
from quire.entry import answer_views
from quire.entry.terminal import Tables, clean, facts, minute, short, size, table


def _hits(out: Console, found: LibraryHits) -> None:
    columns, row = TABLES[LibraryHit]
    table(out, columns, [row(hit) for hit in found.items])
    left_out = f"; left out, since you may only chat there: {', '.join(found.left_out)}" if found.left_out else ""
    out.print(Text(clean(f"{found.notebooks} notebooks{left_out}"), style="dim"), soft_wrap=True)


def _refreshed(out: Console, source: RefreshedSource) -> None:
    answer_views.show_source(out, source)
    if source.changed is not None:
        out.print(Text("It has changed, and was read again." if source.changed else "It has not changed."))


def _language(out: Console, language: OutputLanguage) -> None:
    named = f"{language.name} ({language.code})" if language.code else "that of each question"
    facts(out, {"Language": named})


def _limits(out: Console, limits: Limits) -> None:
    none = "as many as the disk holds"
    calls = [f"{one.tool}: {one.used} of {one.calls} in {one.seconds:g} seconds" for one in limits.calls]
    facts(
        out,
        {
            "Notebooks": limits.notebooks or none,
            "Sources in a notebook": limits.sources_per_notebook or none,
            "Characters of a pasted text": f"{limits.characters_per_text:,}",
            "Characters of a note": f"{limits.characters_per_note:,}",
            "Characters of a question": f"{limits.characters_per_question:,}",
            "Size of a file": size(limits.file_size),
            "Size of an upload": size(limits.upload_size),
            "Free on the disk": None if limits.disk_free is None else size(limits.disk_free),
            "Calls": "; ".join(calls) or None,
        },
    )


VIEWS: dict[type, Callable[[Console, Any], None]] = {
    LibraryAnswer: answer_views.show_answer,
    LibraryHits: _hits,
    RefreshedSource: _refreshed,
    Limits: _limits,
    OutputLanguage: _language,
}
TABLES: Tables = {
    LibraryHit: (
        {"Score": "whole", "Notebook": "cut", "Source": "cut", "Where": "cut", "Passage": "wrap"},
        lambda hit: (
            f"{hit.score:.2f}",
            hit.notebook_title,
            hit.passage.source_title,
            answer_views.place(hit.passage.place),
            answer_views.shortened(hit.passage.text),
        ),
    ),
    Transformation: (
        {"Id": "id", "Name": "cut", "What it makes": "wrap"},
        lambda one: (one.id if one.built_in else short(one.id), one.name, one.description or one.prompt),
    ),
    TransformedNote: (
        {"Note": "id", "Title": "cut", "Source": "cut", "Made (UTC)": "whole", "": "whole"},
        lambda one: (
            short(one.note_id),
            one.note_title,
            one.source_title,
            minute(one.made_at),
            "" if one.current else "of an earlier version",
        ),
    ),
}
