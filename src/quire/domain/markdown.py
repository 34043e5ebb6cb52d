"""Notes as one Markdown file, and back.

A note is a `# heading` and what follows it. A file that we wrote says so in its first line; in it
a note's own line that looks like such a heading has a backslash before it, so that what we write
reads back as it was, byte for byte but for line breaks in titles.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from quire.domain.notes import Note

MARK = "<!-- quire notes -->\n"
HEADING = re.compile(r"^# +(.*)$")
TO_ESCAPE = re.compile(r"^(\\*# )", re.MULTILINE)
ESCAPED = re.compile(r"^\\(\\*# )", re.MULTILINE)
OUR_HEADING = re.compile(r"^# ", re.MULTILINE)
FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
BLANKS = re.compile(r"\s+")
TITLE_LIMIT = 1_000

Draft = tuple[str, str]


def notes_as_markdown(notes: Iterable[Note]) -> str:
    """Notes in our own form, without the mark that begins the file."""
    blocks = []
    for note in notes:
        title = BLANKS.sub(_on_one_line, note.title)
        content = TO_ESCAPE.sub(r"\\\1", note.content)
        blocks.append(f"# {title}\n\n{content}\n\n")
    return "".join(blocks)


def notes_from_markdown(text: str, untitled: str) -> list[Draft]:
    """Title and content of each note, in the order of the file."""
    text = text.removeprefix("\ufeff")
    if text.startswith(MARK.rstrip() + "\r\n"):
        text = text.replace("\r\n", "\n")
    drafts = _ours(text.removeprefix(MARK), untitled) if text.startswith(MARK) else _any(text, untitled)
    return [_short_titled(*draft) for draft in drafts]


def _ours(text: str, untitled: str) -> list[Draft]:
    drafts = []
    for block in OUR_HEADING.split(text)[1:]:
        title, _, content = block.partition("\n")
        content = content.removeprefix("\n").removesuffix("\n\n")
        drafts.append((title.strip() or untitled, ESCAPED.sub(r"\1", content)))
    return drafts


def _any(text: str, untitled: str) -> list[Draft]:
    """Someone else's Markdown: headings in code do not count, text before the first is a note too."""
    notes: list[tuple[str, list[str]]] = [(untitled, [])]
    fence = ""
    for line in text.replace("\r\n", "\n").split("\n"):
        mark = FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and line.strip().startswith(fence) and not line.strip().strip(fence[0]):
            fence = ""
        heading = None if fence else HEADING.match(line)
        if heading:
            notes.append((heading[1].strip() or untitled, []))
        else:
            notes[-1][1].append(line)
    first, *rest = notes
    kept = ([first] if any(line.strip() for line in first[1]) else []) + rest
    return [(title, "\n".join(lines).strip("\n")) for title, lines in kept]


def _short_titled(title: str, content: str) -> Draft:
    """What does not fit into a title begins the content."""
    if len(title) <= TITLE_LIMIT:
        return title, content
    return title[:TITLE_LIMIT], f"{title[TITLE_LIMIT:]}\n\n{content}"


def _on_one_line(blanks: re.Match[str]) -> str:
    return " " if "\n" in blanks[0] or "\r" in blanks[0] else blanks[0]
