"""Web pages, from an address or saved as a file."""

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
# Pictures and fonts inside a saved page; megabytes of an attribute would end the parsing.
EMBEDDED = re.compile(r"data:[\w.+-]{1,60}/[\w.+-]{1,60}(?:;[\w=.+-]{1,40}){0,3};base64,[A-Za-z0-9+/=%]{200,}+")
HEAD = 4096


def read_html(path: Path, limits: Limits, whole: bool = False) -> Draft:
    draft = Draft(limits)
    with reading("a web page"):
        write_page(draft, html_text(path.read_bytes()), whole)
    return draft.finish()


def write_page(draft: Draft, page: str, whole: bool) -> None:
    """A page's article where it has one, else, and where the `whole` is wanted, all of its body."""
    page = EMBEDDED.sub("data:,", page)
    root = parsed(page)
    if not whole:
        from quire.adapters.readers.articles import write_article

        if write_article(draft, page, root):
            return
    write_html(draft, root)


def write_html(draft: Draft, root: Element) -> None:
    """A whole page into a draft, its title with it."""
    for title in descendants(root, "title"):
        if title.getparent() is not None and title.getparent().tag.endswith("head"):
            draft.suggest_title("".join(title.itertext()))
    HtmlBlocks(draft).write(root)


def parse_html(data: bytes) -> Element:
    """The tree of a page, in the encoding that it declares where that holds."""
    return parsed(html_text(data))


def parsed(page: str) -> Element:
    """The tree of a page. Entities are those of HTML only; nothing is fetched."""
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True, huge_tree=False)
    root = etree.fromstring(page.encode("utf-8", "replace") or b"<p></p>", parser)
    return root if root is not None else etree.fromstring(b"<p></p>", parser)


def html_text(data: bytes, declared: str | None = None) -> str:
    """A page's characters, by the encoding that its sender or itself declares where that holds."""
    found = CHARSET.search(data[:HEAD])
    if declared is None and found:
        declared = (found[1] or found[2]).decode("ascii", "replace")
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
