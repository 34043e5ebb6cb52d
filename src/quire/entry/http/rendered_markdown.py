"""Markdown as HTML that a page of ours can hold: no markup of its own, nothing loaded, links only to elsewhere."""

from __future__ import annotations

from functools import partial
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

# Beyond it the work would take longer than one waits for a page.
LONGEST = 50_000
SCHEMES = ("http", "https", "mailto")


def rendered_markdown(text: str, here: str) -> Markup | None:
    """None where it is too long; then it is to be shown as it was written. `here` is the host of this server."""
    if len(text) > LONGEST:
        return None
    # Whoever writes a note breaks lines where they are to be broken.
    parser = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable(["table", "strikethrough"])
    parser.disable("image")
    parser.validateLink = partial(leads_elsewhere, here=here)  # type: ignore[method-assign]
    tokens = parser.parse(text)
    for token in tokens:
        _adapt(token)
    # Everything that was not made by the parser itself is escaped by it.
    return Markup(parser.renderer.render(tokens, parser.options, {}))  # noqa: S704


def leads_elsewhere(url: str, here: str) -> bool:
    """A link to this server could do what only the page's own links are meant to."""
    try:
        address, own = urlsplit(url), urlsplit(f"//{here}")
        same = (address.hostname, address.port) == (own.hostname, own.port)
    except ValueError:
        return False
    return address.scheme in SCHEMES and not same and bool(address.netloc or address.scheme == "mailto")


def _adapt(token: Token) -> None:
    """Under the page's own heading, in the text's own direction, and links in a tab of their own."""
    if token.type in ("heading_open", "heading_close"):
        token.tag = f"h{min(6, int(token.tag[1]) + 1)}"
    if token.block and token.nesting == 1:
        token.attrSet("dir", "auto")
    for child in token.children or ():
        if child.type == "link_open":
            child.attrSet("target", "_blank")
            child.attrSet("rel", "noopener noreferrer nofollow")
