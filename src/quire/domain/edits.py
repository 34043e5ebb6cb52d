"""Changes to a part of a text, each of which finds its place or refuses."""

from __future__ import annotations

import re
from dataclasses import dataclass

from quire.domain.errors import InvalidInput
from quire.domain.markdown_headings import atx

FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
SETEXT = re.compile(r" {0,3}(=++|-++)[ \t]*+$")
DEEPEST = 6
SHOWN = 10


@dataclass(frozen=True)
class Heading:
    """A heading and where its section lies: from `body` up to `end`, in characters."""

    level: int
    text: str
    line: int
    start: int
    body: int
    end: int


def replaced(text: str, find: str, by: str) -> str:
    """The text with the one place where `find` stands exchanged."""
    find, by = like(text, find), like(text, by)
    if not find:
        raise InvalidInput("find: must not be empty.", field="find")
    at = text.find(find)
    if at < 0:
        raise InvalidInput("find: does not occur in the file.", field="find")
    places = [at]
    while (at := text.find(find, at + 1)) >= 0:
        places.append(at)
    if len(places) > 1:
        lines = ", ".join(str(text.count("\n", 0, place) + 1) for place in places[:SHOWN])
        raise InvalidInput(
            f"find: occurs {len(places)} times (lines {lines}{', ...' if len(places) > SHOWN else ''}).",
            hint="Send more of the text around it, so that it is found once.",
            field="find",
        )
    return text[: places[0]] + by + text[places[0] + len(find) :]


def appended(text: str, more: str) -> str:
    """The text with more at its end, on a line of its own."""
    more = like(text, more)
    if text and not text.endswith("\n"):
        text += line_break(text)
    return text + more


def with_section(text: str, heading: str, body: str) -> str:
    """The text with all that stands under a heading exchanged, up to the next of its level or above."""
    level, name = atx(heading.strip()) or (None, heading.strip())
    if not name:
        raise InvalidInput("heading: must not be empty.", field="heading")
    found = [one for one in headings(text) if one.text == name and level in (None, one.level)]
    if not found:
        raise InvalidInput("heading: is not one of the file.", field="heading")
    if len(found) > 1:
        lines = ", ".join(str(one.line) for one in found[:SHOWN])
        raise InvalidInput(f"heading: occurs {len(found)} times (lines {lines}).", field="heading")
    (section,) = found
    end = line_break(text)
    body = like(text, body).strip("\r\n")
    head, tail = text[: section.body], text[section.end :]
    if not head.endswith("\n"):
        head += end
    if body:
        head += end + body + end
    return head + (end + tail if tail else "")


def headings(text: str) -> list[Heading]:
    """The headings of a Markdown text; those in fenced code do not count."""
    found: list[tuple[int, str, int, int, int]] = []
    fence, at, before = "", 0, ""
    start_before = 0
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.removesuffix("\r")
        end = at + len(line) + 1
        mark = FENCE.match(bare)
        if fence:
            if mark and mark[1].startswith(fence) and not bare.strip().strip(fence[0]):
                fence = ""
            bare = ""
        elif mark:
            fence, bare = mark[1], ""
        elif heading := atx(bare):
            found.append((*heading, number, at, min(end, len(text))))
            bare = ""
        elif before.strip() and (setext := SETEXT.match(bare)):
            level = 1 if setext[1][0] == "=" else 2
            found.append((level, before.strip(), number - 1, start_before, min(end, len(text))))
            bare = ""
        before, start_before = bare, at
        at = end
    sections: list[Heading] = []
    # Where a section of each level ends: before the next heading of that level or above.
    ends = [len(text)] * (DEEPEST + 1)
    for level, name, number, start, body in reversed(found):
        sections.append(Heading(level, name.strip(), number, start, body, ends[level]))
        ends[level:] = [start] * (DEEPEST + 1 - level)
    return sections[::-1]


def line_break(text: str) -> str:
    """The form of line break that a text uses: that of its first."""
    at = text.find("\n")
    return "\r\n" if at > 0 and text[at - 1] == "\r" else "\n"


def like(text: str, given: str) -> str:
    """What was given, with its line breaks as the text has them where all of those are alike."""
    breaks = text.count("\n")
    pairs = text.count("\r\n")
    if breaks and pairs == breaks:
        return re.sub(r"\r?\n", "\r\n", given)
    return given if pairs else given.replace("\r\n", "\n") if breaks else given
