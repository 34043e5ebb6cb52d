"""Markdown as HTML that a page of ours can hold: no markup of its own, nothing loaded, links only to elsewhere."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from ipaddress import ip_address
from socket import inet_aton, inet_ntoa
from urllib.parse import SplitResult, unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

# Beyond it the work would take longer than one waits for a page.
LONGEST = 50_000
SCHEMES = ("http", "https", "mailto")
PORTS = {"http": 80, "https": 443}


def rendered_markdown(text: str, here: str) -> Markup | None:
    """None where it is too long; then it is to be shown as it was written. `here` is the host of this server."""
    if len(text) > LONGEST:
        return None
    # Whoever writes a note breaks lines where they are to be broken.
    parser = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable(["table", "strikethrough"])
    parser.disable("image")
    parser.validateLink = partial(leads_elsewhere, here=here)  # type: ignore[method-assign]
    tokens = parser.parse(text)
    if _attributes(tokens) > LONGEST * 4:
        return None
    for token in tokens:
        _adapt(token)
    # Everything that was not made by the parser itself is escaped by it.
    return Markup(parser.renderer.render(tokens, parser.options, {}))  # noqa: S704


def leads_elsewhere(url: str, here: str) -> bool:
    """A link to this server could do what only the page's own links are meant to."""
    try:
        address = urlsplit(url)
        own = urlsplit(f"{address.scheme}://{here}")
        same = _place(address) == _place(own)
    except ValueError:
        return False
    return address.scheme in SCHEMES and not same and bool(address.netloc or address.scheme == "mailto")


def _place(address: SplitResult) -> tuple[str, int | None]:
    """Host and port as a browser takes them: 127.1 is 127.0.0.1, and so is %31%32%37.0.0.1."""
    host = unquote(address.hostname or "").lower().rstrip(".")
    with suppress(OSError):
        host = inet_ntoa(inet_aton(host))
    with suppress(ValueError):
        host = ip_address(host).compressed
    return host, address.port or PORTS.get(address.scheme)


def _attributes(tokens: list[Token]) -> int:
    """How long they are together: an address that is written once can be led to from thousands of places."""
    inner = (child for token in tokens for child in token.children or ())
    return sum(len(str(value)) for child in inner for value in child.attrs.values())


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
