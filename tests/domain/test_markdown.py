"""Notes as Markdown, ours and anyone's."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain.markdown import MARK, notes_as_markdown, notes_from_markdown
from quire.domain.notes import Note

TEXT = st.text(st.one_of(st.sampled_from("\n\r#\\ `~a"), st.characters(codec="utf-8")), max_size=40)


def note(title: str, content: str) -> Note:
    return Note(id="i", short_id="s", notebook_id="n", title=title, content=content, created_at=datetime.now(UTC))


TITLES = TEXT.map(str.strip).filter(lambda text: text and not set("\r\n") & set(text))


@given(st.lists(st.tuples(TITLES, TEXT), max_size=4))
def test_what_we_write_reads_back_as_it_was(drafts: list[tuple[str, str]]) -> None:
    text = MARK + notes_as_markdown(note(*draft) for draft in drafts)
    assert notes_from_markdown(text, "untitled") == drafts


@given(st.sampled_from(["", MARK]), TEXT)
def test_any_text_can_be_read(mark: str, text: str) -> None:
    for title, _ in notes_from_markdown(mark + text, "untitled"):
        assert "\n" not in title
        assert title.strip() == title
        assert title


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("\n \n", []),
        ("only text", [("untitled", "only text")]),
        ("# A\n\nx\n\n# B\n\ny\n", [("A", "x"), ("B", "y")]),
        ("before\n# A\nx", [("untitled", "before"), ("A", "x")]),
        ("# A\r\n\r\nx\r\n", [("A", "x")]),
        ("\ufeff# A\n", [("A", "")]),
        ("# \n\nx", [("untitled", "x")]),
        ("#hashtag\n## Second level", [("untitled", "#hashtag\n## Second level")]),
        ("# A\n```\n# comment\n```\n# B", [("A", "```\n# comment\n```"), ("B", "")]),
        ("# A\n~~~~\n~~~\n# x\n~~~~\n# B", [("A", "~~~~\n~~~\n# x\n~~~~"), ("B", "")]),
        ("# A\n```\n# never closed", [("A", "```\n# never closed")]),
        ("# A\n```py\n``` not a close\n# x", [("A", "```py\n``` not a close\n# x")]),
        ("# " + "t" * 1_500, [("t" * 1_000, "t" * 500 + "\n\n")]),
        (MARK, []),
        (MARK + "# \n\nx\n# B\ny\nz", [("untitled", "x\n"), ("B", "y\nz")]),
        (MARK + "# A\n\n\\# not a title\n\n", [("A", "# not a title")]),
    ],
)
def test_headings_begin_notes(text: str, expected: list[tuple[str, str]]) -> None:
    assert notes_from_markdown(text, "untitled") == expected


def test_line_breaks_in_a_title_become_spaces() -> None:
    text = MARK + notes_as_markdown([note("a \r\n\n b\rc", "x")])
    assert notes_from_markdown(text, "untitled") == [("a b c", "x")]


def test_an_export_that_came_by_way_of_windows_is_still_ours() -> None:
    text = "<!-- quire notes -->\n# A\n\n\\# not a heading\n\n# B\n\ny\n\n".replace("\n", "\r\n")
    assert notes_from_markdown(text, "untitled") == [("A", "# not a heading"), ("B", "y")]


def test_what_does_not_fit_into_a_title_begins_the_content() -> None:
    ((title, content),) = notes_from_markdown("# " + "t" * 1_500 + "\n\nbody", "untitled")
    assert title + content == "t" * 1_500 + "\n\nbody"
    assert len(title) == 1_000
