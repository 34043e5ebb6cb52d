"""Web pages and HTML files."""

from __future__ import annotations

import html
import re
from pathlib import Path

from lxml import etree

from quire.adapters.readers.draft import Draft
from quire.adapters.readers.failures import reading
from quire.adapters.readers.html_blocks import HtmlBlocks
from quire.adapters.readers.limits import Limits
from quire.adapters.readers.markup import Element, descendants
from quire.adapters.readers.text import decode

CHARSET = re.compile(rb"""charset\s*=\s*["']?\s*([\w.:-]+)|<\?xml[^>]*encoding=["']([\w.:-]+)""", re.IGNORECASE)
NAMED_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)[A-Za-z][A-Za-z0-9]{1,31};")
HEAD = 4096


def read_html(path: Path, limits: Limits, url: str | None = None) -> Draft:
    """All of a page's body; with the address it came from, its article alone where it has one."""
    draft = Draft(limits)
    with reading("a web page"):
        data = path.read_bytes()
        if url:
            from quire.adapters.readers.articles import write_article

            if write_article(draft, html_text(data), parse_html(data), url):
                return draft.finish()
        write_html(draft, parse_html(data))
    return draft.finish()


def write_html(draft: Draft, root: Element) -> None:
    """A whole page into a draft, its title with it."""
    for title in descendants(root, "title"):
        if title.getparent() is not None and title.getparent().tag.endswith("head"):
            draft.suggest_title("".join(title.itertext()))
    HtmlBlocks(draft).write(root)


def parse_html(data: bytes) -> Element:
    """The tree of a page. Entities are those of HTML only; nothing is fetched."""
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True, huge_tree=False)
    return etree.fromstring(html_text(data).encode("utf-8", "replace") or b"<p></p>", parser)


def html_text(data: bytes) -> str:
    """A page's characters, by the encoding that it declares where that holds."""
    found = CHARSET.search(data[:HEAD])
    declared = (found[1] or found[2]).decode("ascii", "replace") if found else None
    return decode(data, declared).replace("\x00", "")


def parse_xhtml(data: bytes) -> Element:
    """The tree of a page that is XML if its author was careful, and HTML if not."""
    text = NAMED_ENTITY.sub(lambda match: html.unescape(match[0]), decode(data))
    text = re.sub(r"\A[\s\ufeff]*+<\?xml[^>]*+>", "", text)
    text = re.sub(r"<!DOCTYPE[^<>\[]*+>", "", text, count=1, flags=re.IGNORECASE)
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
    )
    try:
        return etree.fromstring(text.encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError:
        return parse_html(data)
