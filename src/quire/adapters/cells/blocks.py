"""The top-level blocks of a Markdown text, by line."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from quire.domain.markdown_headings import without_closing

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

# What stands for a carriage return and NUL while the structure is read, so that lines keep their numbers.
STAND_IN = str.maketrans({"\r": "\ue000", "\0": "\ue000"})


@dataclass(frozen=True)
class MarkdownBlock:
    """One token of the top level: its kind, its lines, and what a heading or a link says."""

    kind: str
    start: int
    end: int
    level: int = 0
    text: str = ""
    link: str | None = None
    indented: bool = False


@dataclass(frozen=True)
class Parsed:
    lines: list[str]
    blocks: list[MarkdownBlock]
    # Lines inside code or HTML at any depth, where blank lines mean something.
    kept: set[int] = field(default_factory=set)


@cache
def parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable(["table", "strikethrough"])


def parse(text: str) -> Parsed:
    """CommonMark with tables, read for its blocks."""
    lines = text.split("\n")
    tokens = parser().parse(text.translate(STAND_IN))
    blocks: list[MarkdownBlock] = []
    kept: set[int] = set()
    for index, token in enumerate(tokens):
        if token.type in ("fence", "code_block", "html_block") and token.map:
            kept.update(range(*token.map))
        if token.level or not token.map or token.nesting < 0:
            continue
        start, end = token.map
        if token.type == "heading_open":
            blocks.append(
                MarkdownBlock("heading", start, end, int(token.tag[1]), _text(lines, start, end, token.markup))
            )
        elif token.type in ("fence", "code_block"):
            blocks.append(
                MarkdownBlock("code", start, _without_blanks(lines, start, end), indented=token.type == "code_block")
            )
        elif token.type == "html_block":
            blocks.append(MarkdownBlock("html", start, end, text=token.content.strip()))
        elif token.type == "paragraph_open":
            blocks.append(MarkdownBlock("paragraph", start, end, link=_link(tokens[index + 1])))
        else:
            blocks.append(MarkdownBlock("other", start, end))
    return Parsed(lines, blocks, kept)


def code_of(lines: list[str], block: MarkdownBlock) -> str:
    """What stands in a code block: the fence's own indentation is not a part of it."""
    body = lines[block.start : block.end]
    if block.indented:
        return "\n".join(_dedented(line, 4) for line in body)
    first = body[0]
    indent = len(first) - len(first.lstrip(" "))
    mark = first.lstrip(" ")[0]
    fence = len(first.lstrip(" ")) - len(first.lstrip(" ").lstrip(mark))
    inside = body[1:]
    if inside:
        last = inside[-1].rstrip(" \t")
        bare = last.lstrip(" ")
        # Where nothing closes it, a fence runs to the end of the text.
        if len(last) - len(bare) < 4 and len(bare) >= fence and bare == mark * len(bare):
            inside = inside[:-1]
    return "\n".join(_dedented(line, indent) for line in inside)


def _dedented(line: str, most: int) -> str:
    if line.startswith("\t") and most == 4:
        return line[1:]
    taken = 0
    while taken < most and taken < len(line) and line[taken] == " ":
        taken += 1
    return line[taken:]


def _without_blanks(lines: list[str], start: int, end: int) -> int:
    """Indented code ends with its last line that is not blank; a fence where it was said to."""
    first = lines[start].lstrip(" ")
    if first.startswith(("```", "~~~")):
        return end
    while end > start + 1 and not lines[end - 1].strip(" \t"):
        end -= 1
    return end


def _text(lines: list[str], start: int, end: int, markup: str) -> str:
    """A heading's text with its markup as it stands."""
    if not markup.startswith("#"):
        return " ".join(line.strip(" \t") for line in lines[start : end - 1])
    return without_closing(lines[start].strip(" \t").lstrip("#"))


def _link(inline: Any) -> str | None:
    """Where a paragraph leads that is exactly one link."""
    children = inline.children or []
    if len(children) < 2 or children[0].type != "link_open" or children[-1].type != "link_close":
        return None
    if sum(child.type == "link_open" for child in children) != 1:
        return None
    return str(children[0].attrs.get("href", ""))
