"""XML: news feeds as articles, anything else as the text it is."""

from __future__ import annotations

from pathlib import Path

from lxml import etree

from quire.adapters.readers.draft import Draft
from quire.adapters.readers.failures import reading
from quire.adapters.readers.html import parse_html
from quire.adapters.readers.html_blocks import HtmlBlocks
from quire.adapters.readers.limits import Limits
from quire.adapters.readers.markup import Element, child, children, descendants, local, parse_xml
from quire.adapters.readers.text import decode

ENTRIES = ("item", "entry")
DATES = ("pubDate", "published", "updated", "date")
BODIES = ("encoded", "content", "description", "summary")


def read_xml(path: Path, limits: Limits) -> Draft:
    draft = Draft(limits)
    with reading("an XML file"):
        data = path.read_bytes()
        root = parse_xml(data)
        if local(root).lower() in ("rss", "feed", "rdf"):
            write_feed(draft, root)
        else:
            draft.block(decode(data))
    return draft.finish()


def write_feed(draft: Draft, root: Element) -> None:
    channel = child(root, "channel")
    title = text_of(child(channel if channel is not None else root, "title"))
    draft.suggest_title(title)
    draft.heading(1, title)
    about = child(channel if channel is not None else root, "description")
    draft.block(text_of(about))
    for entry in descendants(root, *ENTRIES):
        draft.heading(2, text_of(child(entry, "title")))
        draft.block(next((text_of(found) for name in DATES for found in children(entry, name)), ""))
        bodies = [body for name in BODIES for body in [written(child(entry, name))] if body.strip()]
        if bodies:
            HtmlBlocks(draft).write(parse_html(bodies[0].encode()))


def text_of(element: Element | None) -> str:
    return "" if element is None else " ".join("".join(element.itertext()).split())


def written(element: Element | None) -> str:
    """An entry's HTML, which stands there escaped, or as elements."""
    if element is None:
        return ""
    if len(element):
        return "".join(etree.tostring(inner, encoding="unicode") for inner in element)
    return str(element.text or "")
