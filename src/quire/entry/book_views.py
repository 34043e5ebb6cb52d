"""Books as people like to read them: a text as it is, a diff as one that `patch` takes, lists with what matters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.text import Text

from quire.domain.assets import Asset
from quire.domain.books import (
    AuditEntry,
    Book,
    BookList,
    Content,
    ContentDiff,
    ContentEdited,
    ContentVersion,
    Summary,
)
from quire.domain.builds import BuildPlan, FileChange
from quire.domain.overlays import Overlay
from quire.domain.searching import LineFound, LinesFound, PathsFound
from quire.entry.terminal import Tables, clean, facts, minute, note, page_of, size

SHORT = 12
COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def _written(out: Console, text: str) -> None:
    """For a terminal without what could drive it; for a file or a program as it is."""
    if out.is_terminal:
        out.print(Text(clean(text)), soft_wrap=True)
    else:
        out.file.write(text)


def _content(out: Console, content: Content | Summary) -> None:
    _written(out, content.content)


def _diff(out: Console, change: ContentDiff | ContentEdited) -> None:
    for line in change.diff.removesuffix("\n").split("\n") if change.diff else ():
        if out.is_terminal:
            out.print(Text(clean(line), style=COLOURS.get(line[:1], "")), soft_wrap=True)
        else:
            out.file.write(f"{line}\n")
    if change.diff_truncated:
        note("The rest of the difference is not shown.")


def _edited(out: Console, change: ContentEdited) -> None:
    _diff(out, change)
    told = f"{change.path} is now at revision {change.revision}, {size(change.file_size)}, hash {change.file_hash}"
    out.print(Text(told, style="dim"), soft_wrap=True)


def _compared(out: Console, change: ContentDiff) -> None:
    if not change.diff:
        out.print(Text("There is no difference.", style="dim"))
    _diff(out, change)


def line_of(found: LineFound) -> Text:
    place = (clean(found.file_path), "magenta"), ":", (str(found.line_number), "green"), ":"
    return Text.assemble(*place, clean(found.matched_line))


def _found(out: Console, page: LinesFound | PathsFound) -> None:
    """As grep and find print it; what is not a result goes to stderr."""
    for found in page.items:
        line = Text(clean(found)) if isinstance(found, str) else line_of(found)
        if out.is_terminal:
            out.print(line, soft_wrap=True)
        else:
            out.file.write(f"{line.plain}\n")
    if page.truncated:
        least = "at least " if isinstance(page, LinesFound) and page.at_least else ""
        note(f"{len(page):,} of {least}{page.total:,} are shown. The next ones: --cursor {page.cursor}")


def _plan(out: Console, plan: BuildPlan) -> None:
    facts(out, {"Status": plan.status, "Manifest hash": Text(plan.manifest_hash, style="cyan"), "Since": plan.since})
    if plan.items:
        page_of(out, plan, "file", TABLES)


def _books(out: Console, books: BookList) -> None:
    page_of(out, books, "book", TABLES)
    for problem in books.problems:
        note(clean(problem))


VIEWS: dict[type, Callable[[Console, Any], None]] = {
    Content: _content,
    Summary: _content,
    ContentEdited: _edited,
    ContentDiff: _compared,
    LinesFound: _found,
    PathsFound: _found,
    BuildPlan: _plan,
    BookList: _books,
}

TABLES: Tables = {
    Book: (
        {"Id": "name", "Title": "wrap", "Status": "whole", "Storage": "cut", "Created (UTC)": "whole"},
        lambda book: (book.book_id, book.title, book.status, book.storage_backend, minute(book.created_at)),
    ),
    ContentVersion: (
        {"Revision": "id", "By": "cut", "Did": "whole", "At (UTC)": "whole", "Size": "whole", "Hash": "whole"},
        lambda one: (
            f"{one.revision}{' (now)' if one.current else ''}",
            one.actor,
            one.operation,
            minute(one.at),
            size(one.file_size) if one.file_hash else "",
            (one.file_hash or "")[:SHORT],
        ),
    ),
    AuditEntry: (
        {"Number": "id", "At (UTC)": "whole", "By": "cut", "Did": "whole", "File": "wrap", "Hash": "whole"},
        lambda one: (one.number, minute(one.at), one.actor, one.operation, one.path, (one.after_hash or "")[:SHORT]),
    ),
    Asset: (
        {"Type": "whole", "Name": "name", "Size": "whole", "Kind": "cut", "By": "cut", "At (UTC)": "whole"},
        lambda one: (
            one.asset_type,
            one.filename,
            size(one.file_size),
            one.mime_type,
            one.uploaded_by_agent_id,
            minute(one.upload_timestamp),
        ),
    ),
    FileChange: (
        {"Change": "whole", "File": "name", "Size": "whole", "Hash": "whole"},
        lambda one: (one.change, one.path, size(one.file_size) if one.file_hash else "", (one.file_hash or "")[:SHORT]),
    ),
    Overlay: (
        {"File": "name", "Size": "whole", "At (UTC)": "whole", "Book changed": "whole"},
        lambda one: (one.path, size(one.file_size), minute(one.last_modified), one.base_changed),
    ),
}
