"""Markdown into a tree, as office files need it."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.tree import SyntaxTreeNode

# What XML cannot hold.
UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


@cache
def parser() -> MarkdownIt:
    from markdown_it import MarkdownIt
    from mdit_py_plugins.footnote import footnote_plugin

    # HTML is no part of a document: its tags stay as they were typed.
    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).use(footnote_plugin)


def parsed(text: str) -> SyntaxTreeNode:
    from markdown_it.tree import SyntaxTreeNode

    return SyntaxTreeNode(parser().parse(writable(text)))


def writable(text: str) -> str:
    """Without the characters that no XML can hold."""
    return UNWRITABLE.sub("", text)


def plain(node: Any) -> str:
    """The words of a part of the tree, without marks."""
    if node.type in ("text", "code_inline", "fence", "code_block", "math_inline"):
        return str(node.content)
    if node.type in ("softbreak", "hardbreak"):
        return " "
    if node.type == "image":
        return str(node.content)
    if node.type in ("footnote_ref", "footnote_anchor"):
        return ""
    return "".join(plain(child) for child in node.children)
