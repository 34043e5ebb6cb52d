"""What people see."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from typing import Any, Literal, get_args, get_origin

import pytest
from pydantic import BaseModel
from rich.console import Console

from quire.domain.jobs import Job
from quire.domain.notes import Note, NoteChange, NoteHit
from quire.domain.pages import Page
from quire.domain.scratch import ScratchNotebook
from quire.domain.searching import LineFound, LinesFound, PathsFound
from quire.domain.sharing import Role
from quire.entry import book_views, render
from quire.entry.bootstrap import offered

AT = datetime(2026, 12, 7, 14, 30, tzinfo=UTC)
UUID = "1a2b3c4d-0000-4000-8000-000000000000"
LONG = "A rather long title that does not fit into the columns of a terminal"


def note(title: str = "Title", content: str = "Text") -> Note:
    return Note(
        id="1a2b3c4d-0000-4000-8000-000000000000",
        short_id="1a2b3c4d",
        notebook_id="n",
        title=title,
        content=content,
        created_at=AT,
    )


def page(*items: object) -> Page[object]:
    return Page(items=list(items), total=len(items))


def job(**facts: object) -> Job:
    return Job.model_validate(
        {"id": "0" * 36, "kind": "export_notes", "notebook_id": "n", "state": "running", "created_at": AT} | facts
    )


def test_a_note_is_shown_with_its_facts_and_its_text_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    render.show(note(content="  indented\n\n[bold]not markup[/bold] :smile:"), noun="note")
    assert capsys.readouterr().out == (
        "Title\n1a2b3c4d  created 2026-12-07 14:30 UTC, revision 1\n\n  indented\n\n[bold]not markup[/bold] :smile:\n"
    )


@pytest.mark.parametrize("shown", [note("\x1b[31mred\a", "a\x1b]0;title\x07\x9bb\rc"), page(note("\x1b[2J\x7f"))])
def test_a_note_cannot_drive_the_terminal(shown: object, capsys: pytest.CaptureFixture[str]) -> None:
    render.show(shown, noun="note")
    out = capsys.readouterr().out
    assert [character for character in out if ord(character) < 32 and character != "\n"] == []
    assert [character for character in out if 0x7F <= ord(character) < 0xA0] == []
    assert "␛" in out


def test_a_pipe_gets_titles_uncut_and_on_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    render.show(page(note(LONG * 5), note("two\nlines")), noun="note")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    assert LONG * 5 in lines[2]
    assert "two lines" in lines[3]


@pytest.mark.parametrize("width", [60, 80, 120])
def test_a_narrow_terminal_cuts_titles_and_never_ids_or_times(width: int) -> None:
    out = Console(file=io.StringIO(), width=width)
    columns, row = render.TABLES[Note]
    render.table(out, columns, [row(note(LONG * 2)), row(note("漢字" * 60))])
    text = out.file.getvalue()  # type: ignore[attr-defined]
    assert text.count("1a2b3c4d") == 2
    assert text.count("2026-12-07 14:30") == 2
    assert text.count("…") == 2
    assert len(text.splitlines()) == 4


SHORT_WORDS = {"short_id": "1a2b3c4d", "kind": "read_source", "asset_type": "presentations", "operation": "update_book"}
SHORT_WORDS |= {"pattern": "orchestration_suggest", "uri": "notebook://x"}


def listed() -> list[type[BaseModel]]:
    """What the lists of all capabilities hold, but for what is printed as grep does."""
    results = {one.declared.result for one in offered()}
    lists = [one for one in results if isinstance(one, type) and issubclass(one, Page)]
    held = {get_args(one.model_fields["items"].annotation)[0] for one in lists} - {str, LineFound}
    return sorted(held, key=lambda kind: kind.__name__)


def filled(hint: Any, name: str = "") -> Any:
    """A value of a type, as long as it may come."""
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        fields = {name: filled(field.annotation, name) for name, field in hint.model_fields.items()}
        return hint.model_construct(**fields)
    if get_args(hint) and get_origin(hint) not in (list, dict):
        return filled(get_args(hint)[0], name) if get_origin(hint) is not Literal else max(get_args(hint), key=len)
    if hint is str:
        if name in SHORT_WORDS:
            return SHORT_WORDS[name]
        return UUID if name == "id" or name.endswith("_id") else "f" * 64 if name.endswith("hash") else LONG
    samples = {datetime: AT, int: 12_345, float: 0.5, bool: False, Role: Role.OWNER}
    return samples[hint] if hint in samples else get_origin(hint)()


@pytest.mark.parametrize("kind", listed())
def test_every_list_has_columns_that_fit_a_terminal_without_long_ids_or_json(kind: type[BaseModel]) -> None:
    columns, row = (render.TABLES | book_views.TABLES)[kind]
    out = Console(file=io.StringIO(), width=80)
    item = filled(kind)
    if kind is ScratchNotebook:
        item = item.model_copy(update={"id": "nb-4c9d798d10832008"})
    render.table(out, columns, [row(item)])
    text = out.file.getvalue()  # type: ignore[attr-defined]
    assert max(map(len, text.splitlines())) <= 80
    assert UUID not in "".join(text.split())
    assert not set('{}[]"') & set(text)
    assert text.count("2026-12-07 14:30") == sum("(UTC)" in header for header in columns)
    assert "owner" in text or "Role" not in columns


def test_a_search_marks_where_it_matched() -> None:
    out = Console(file=io.StringIO(), width=80, force_terminal=True, color_system="standard")
    columns, row = render.TABLES[NoteHit]
    render.table(out, columns, [row(NoteHit(note=note(LONG), field="content", excerpt="...the **roadmap** of..."))])
    text = out.file.getvalue()  # type: ignore[attr-defined]
    assert "\x1b[1;33m**roadmap**\x1b[0m" in text
    assert "content" in text


def test_an_empty_list_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    render.show(page(), noun="note")
    assert capsys.readouterr().out == "No notes.\n"


def test_a_running_job_shows_how_far_it_is_and_a_failed_one_why(capsys: pytest.CaptureFixture[str]) -> None:
    render.show(job(done=1200, total=5000, message="exporting notes"), noun="job")
    render.show(job(state="failed", error={"code": "x", "message": "The disk is full."}), noun="job")
    out = capsys.readouterr().out
    assert "running 1,200 of 5,000" in out
    assert "The disk is full." in out


def test_a_change_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    change = {"seq": 1, "note_id": note().id, "at": AT}
    render.show_event(NoteChange(change="created", note=note("two\nlines"), **change))
    render.show_event(NoteChange(change="deleted", **change))
    assert capsys.readouterr().out == (
        "2026-12-07 14:30:00 UTC  created  1a2b3c4d  two lines\n2026-12-07 14:30:00 UTC  deleted  1a2b3c4d\n"
    )


class Unknown(BaseModel):
    name: str
    flag: bool = True
    parts: list[int] = [1, 2]
    missing: str | None = None


def test_what_has_no_view_is_shown_by_its_fields(capsys: pytest.CaptureFixture[str]) -> None:
    render.show(Unknown(name="x"), noun="thing")
    render.show(page(Unknown(name="y")), noun="thing")
    render.show("plain", noun="thing")
    render.show_event(Unknown(name="z"))
    out = capsys.readouterr().out
    for word in ("Name", "yes", "1, 2", "plain", "name: z"):
        assert word in out
    assert "[" not in out


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0 bytes"), (999, "999 bytes"), (1500, "1.5 KB"), (83_000_000_000, "83 GB")]
)
def test_sizes_are_rounded(count: int, text: str) -> None:
    assert render.size(count) == text


def test_what_a_search_found_is_printed_as_grep_does(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [LineFound(file_path="books/b/a.md", line_number=number, matched_line="\tx: \x1b[2J") for number in (1, 12)]
    render.show(LinesFound(items=lines, total=2, truncated=True, cursor="12:books/b/a.md"), noun="book")
    shown = capsys.readouterr()
    assert shown.out == "books/b/a.md:1:\tx: ␛[2J\nbooks/b/a.md:12:\tx: ␛[2J\n"
    assert "--cursor 12:books/b/a.md" in shown.err
    render.show(PathsFound(items=["books/b/a.md", "books/b/c.md"], total=2), noun="book")
    assert capsys.readouterr() == ("books/b/a.md\nbooks/b/c.md\n", "")
    render.show(PathsFound(items=[], total=0), noun="book")
    assert capsys.readouterr() == ("", "")
